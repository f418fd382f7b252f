/** Which generator a folder's site is made with, and what its config should say. */

import { type Folder, firstOf, type Page } from './folder.ts'
import { GENERATORS, type Generator, PLAIN, type Plan, setting } from './generators.ts'
import { languageOf } from './language.ts'

/** What was found, and by what. */
export interface Detected {
  generator: Generator
  /** Why it is taken for that, a phrase. */
  evidence: string
  plan: Plan
  /** Whether much of what the pages say stands in their front matter. */
  frontMatter: boolean
  /** `''` when nothing says it. */
  name: string
  language: string
}

/** Share of the pages that must hold a generator's marks, when no file proves it. */
const ENOUGH = 0.05

/** Looks for proof first, then for what pages hold. `wanted` is a generator's id that the owner named. */
export async function detect(folder: Folder, wanted?: string): Promise<Detected> {
  const { generator, evidence } = named(folder, wanted) ?? proven(folder) ?? hinted(folder) ?? plain(folder)
  const settings = await settingsOf(folder, generator)
  const plan = generator.plan(folder, settings)
  const include = plan.include.length > 0 ? plan.include : PLAIN.plan(folder, '').include
  return {
    generator,
    evidence,
    plan: include.some((pattern) => pattern.startsWith('**/')) ? wholeFolder(folder, plan) : { ...plan, include },
    frontMatter: showsFrontMatter(folder.pages),
    name: await siteName(folder, settings),
    language: languageOf(settings, folder.pages),
  }
}

/** Text files of a folder that are for machines and lawyers. */
const NO_PAGES = /^(robots|humans|llms|llms-full|ads|security|requirements[\w-]*|LICEN[CS]E[\w-]*)\.(txt|md)$/i

/** Every page of the folder: the default, so that rules in it are no pages. */
function wholeFolder({ names }: Folder, plan: Plan): Plan {
  const others = [...names].filter((name) => NO_PAGES.test(name)).sort()
  return { ...plan, include: [], exclude: [...(plan.exclude ?? []), ...others] }
}

/** Names that `--generator` takes. */
export const GENERATOR_IDS = [...GENERATORS, PLAIN].map(({ id }) => id)

function named(folder: Folder, wanted: string | undefined) {
  const generator = [...GENERATORS, PLAIN].find(({ id }) => id === wanted)
  return generator && { generator, evidence: generator.proof(folder) ?? 'as you say' }
}

function proven(folder: Folder) {
  for (const generator of GENERATORS) {
    const evidence = generator.proof(folder)
    if (evidence) return { generator, evidence: `by ${evidence}` }
  }
  return undefined
}

/** The generator whose marks most pages hold. */
function hinted({ pages }: Folder) {
  const marked = GENERATORS.flatMap((generator) => {
    const { hint } = generator
    const pagesWith = hint ? pages.filter(({ head }) => hint.test(withoutCode(head))) : []
    return pagesWith.length >= Math.max(1, ENOUGH * pages.length) ? [{ generator, pagesWith }] : []
  })
  const [best] = marked.sort((a, b) => b.pagesWith.length - a.pagesWith.length)
  if (!best) return undefined
  const mark = firstMark(best.generator, best.pagesWith[0] as Page)
  return {
    generator: best.generator,
    evidence: `by \`${mark}\` and the like in ${best.pagesWith.length} of ${pages.length} pages looked at`,
  }
}

const plain = ({ pages }: Folder) => ({
  generator: PLAIN,
  evidence: pages.length > 0 ? 'no sign of a generator that is known' : 'no page was found',
})

function firstMark({ hint }: Generator, { head }: Page): string {
  const [mark = ''] = hint?.exec(withoutCode(head)) ?? []
  return mark.trim().replace(/\s+/g, ' ').slice(0, 40)
}

/** Examples in code are no marks: docs about one generator are often written with another. */
const withoutCode = (text: string) =>
  text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[ \t]*$/gm, '').replace(/`[^`\n]*`/g, '')

async function settingsOf(folder: Folder, { settings = [] }: Generator): Promise<string> {
  const texts = await Promise.all(settings.map((path) => folder.text(path)))
  return texts.find((text) => text !== '') ?? ''
}

/** Share of pages without text below front matter of four lines or more, from which on front matter is taken for content. */
const BARE = 0.1

function showsFrontMatter(pages: Page[]): boolean {
  const bare = pages.filter(({ head }) => {
    const [, keys = '', body = ''] = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(head) ?? []
    return keys.split('\n').length > 3 && body.trim() === ''
  })
  return bare.length > 0 && bare.length >= BARE * pages.length
}

/** The title in the generator's settings, of the first page, or the package's name. */
async function siteName(folder: Folder, settings: string): Promise<string> {
  const title = setting(settings, 'site_name') || setting(settings, 'title')
  if (title) return title
  const index = firstOf(folder, 'index.html', 'public/index.html', 'site/index.html')
  const [, page = ''] = /<title[^>]*>([^<]+)<\/title>/i.exec(index ? await folder.text(index) : '') ?? []
  return page.replace(/\s+/g, ' ').trim()
}
