/** The language of a site: what its settings say, else what its letters and its most frequent words say. */

import type { Page } from './folder.ts'
import { setting } from './generators.ts'

/** Scripts that belong to one language, or mostly to one. Kana before Han: Japanese text has both. */
const SCRIPTS: [language: string, letters: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['ta', /\p{Script=Tamil}/gu],
]

/** Words that a text of a language cannot do without, and that few others have. */
const WORDS: Record<string, string> = {
  en: 'the and of to is that for with you this',
  de: 'der die und das ist nicht mit für auf ein sie wir',
  fr: 'le la les et des est une pour dans vous que nous',
  es: 'el los las y que una para con por se está del',
  it: 'il di che è per una con non della gli sono nel',
  pt: 'o os que uma para com não do da em você são',
  nl: 'de het een en van is dat niet met voor zijn op',
  sv: 'och att det som en är på inte för med den har',
  da: 'og at det er en til på ikke med af der har du',
  nb: 'og det er en til på ikke med av som har du å',
  fi: 'ja ei se että ovat oli voi ovat mutta kun joka sen',
  pl: 'i w nie na się jest do że z to jak dla',
  cs: 'a se na je v že pro jako ale jsou nebo',
  tr: 've bir bu için ile da de olarak daha çok',
  hu: 'a az és hogy nem egy is meg van csak',
  ro: 'și în de la un nu este pentru cu care sunt',
}

/** Uses of a language's words below which nothing is said. */
const LEAST = 3

/** A share of letters over this makes a script the text's own: identifiers in other texts are Latin. */
const SHARE = 0.15

/** BCP 47 tag; `en` when nothing speaks for another. */
export function languageOf(settings: string, pages: Page[]): string {
  const said = ['defaultLocale', 'languageCode', 'lang', 'locale'].map((key) => setting(settings, key)).find(isTag)
  if (said) return said
  const tags = pages.flatMap(({ head }) => /<html[^>]*\slang=["']?([\w-]+)/i.exec(head)?.[1] ?? [])
  const own = mostFrequent(tags.filter(isTag))
  return own ?? byText(pages.map(({ head }) => prose(head)).join('\n'))
}

const isTag = (text: string) => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(text)

/** Without front matter, code, tags and addresses. */
const prose = (text: string) =>
  text.replace(/^---\n[\s\S]*?\n---/, '').replace(/```[\s\S]*?```|`[^`\n]*`|<[^>]*>|\S+:\/\/\S+/g, ' ')

function byText(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [language, script] of SCRIPTS) {
    if ((text.match(script)?.length ?? 0) > SHARE * letters) return language
  }
  const found = new Map<string, number>()
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) found.set(word, (found.get(word) ?? 0) + 1)
  const sum = (words: string) => words.split(' ').reduce((all, word) => all + (found.get(word) ?? 0), 0)
  const [best] = Object.entries(WORDS)
    .map(([language, words]) => ({ language, uses: sum(words) }))
    .sort((a, b) => b.uses - a.uses)
  return best && best.uses >= LEAST ? best.language : 'en'
}

function mostFrequent(values: string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}
