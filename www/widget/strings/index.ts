/** Picks the widget's language from the element, the page or the browser, and loads its words when it is not English. */

import { en, type Strings } from './en.ts'

const LOADERS: Record<string, () => Promise<{ strings: Strings }>> = {
  ar: () => import('./words-ar.ts'),
  de: () => import('./words-de.ts'),
  es: () => import('./words-es.ts'),
  fr: () => import('./words-fr.ts'),
  he: () => import('./words-he.ts'),
  hi: () => import('./words-hi.ts'),
  id: () => import('./words-id.ts'),
  it: () => import('./words-it.ts'),
  ja: () => import('./words-ja.ts'),
  ko: () => import('./words-ko.ts'),
  nl: () => import('./words-nl.ts'),
  pl: () => import('./words-pl.ts'),
  pt: () => import('./words-pt.ts'),
  ru: () => import('./words-ru.ts'),
  tr: () => import('./words-tr.ts'),
  uk: () => import('./words-uk.ts'),
  zh: () => import('./words-zh.ts'),
}
/** Codes that browsers and pages still use for a language of another code. */
const OLDER: Record<string, string> = { in: 'id', iw: 'he' }
const RIGHT_TO_LEFT = new Set(['ar', 'he'])

/** The nearest declared language: the element's own, its ancestors', the browser's. A BCP 47 tag such as `de-AT`. */
export function languageOf(element: Element): string {
  return element.closest('[lang]')?.getAttribute('lang') || document.documentElement.lang || navigator.language || 'en'
}

/** The language whose words are shown: `en` when there are none in the wanted one. */
export function supported(language: string): string {
  const primary = language.toLowerCase().split(/[-_]/)[0] as string
  const code = (Object.hasOwn(OLDER, primary) && OLDER[primary]) || primary
  return Object.hasOwn(LOADERS, code) ? code : 'en'
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr'
}

/** English when the language is not there or cannot be loaded. */
export async function loadStrings(language: string): Promise<Strings> {
  const load = LOADERS[language]
  return load
    ? await load().then(
        ({ strings }) => strings,
        () => en,
      )
    : en
}

/** Fills `{name}` and the like. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => `${Object.hasOwn(values, key) ? values[key] : whole}`)
}
