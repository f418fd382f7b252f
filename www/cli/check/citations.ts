/** Do the addresses that answers cite exist in the site as it is built? */

import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { KnowledgeSection } from '../../types.ts'
import { count, plural } from '../terminal.ts'
import { firstFile } from './built.ts'
import { type Finding, fileOf, type Outcome, outcome, type Subject, skipped } from './finding.ts'

/** Where site generators put a site. */
const SITES = ['site', '_site', 'dist', 'out', 'build', '.vitepress/dist', 'docs/.vitepress/dist', 'public']

/** Wrong addresses that are named one by one. */
const NAMED = 20

/** The built site: what was given, or the first folder of those that generators write with an index.html; `dir` itself for pages in HTML. */
export async function findBuiltSite(
  dir: string,
  given: string | undefined,
  isHtml: boolean,
): Promise<string | undefined> {
  if (given) return (await stat(given).catch(() => undefined))?.isDirectory() ? given : undefined
  for (const name of isHtml ? ['.', ...SITES] : SITES)
    if (await firstFile(join(dir, name), ['index.html'])) return join(dir, name)
  return undefined
}

/** Looks every address up. */
export async function citations(subject: Subject): Promise<Outcome> {
  const about = 'every address that an answer can cite is a page of the built site'
  const { site, knowledge } = subject
  if (!site) return skipped('citations', about, 'no built site was found: build it, and name its folder with --site')
  const cited = knowledge.sections.filter(({ url }) => url !== '')
  if (cited.length === 0) return skipped('citations', about, 'no section has an address')
  const base = shared(cited.map(({ url }) => parts(url).path))
  const pages = new Map<string, Set<string> | undefined>()
  const broken: { section: KnowledgeSection; missing: 'page' | 'anchor' }[] = []
  for (const section of cited) {
    const { path, anchor } = parts(section.url)
    if (!pages.has(path)) pages.set(path, await idsOf(site, path, base))
    const ids = pages.get(path)
    if (!ids) broken.push({ section, missing: 'page' })
    else if (anchor && !ids.has(anchor)) broken.push({ section, missing: 'anchor' })
  }
  const where = relative(subject.dir, site) || '.'
  const said = `${count(cited.length - broken.length)} of ${plural(cited.length, 'address')} found in ${where}`.replace(
    'addresss',
    'addresses',
  )
  return outcome('citations', about, said, findings(subject, cited, broken, where))
}

function findings(
  subject: Subject,
  cited: KnowledgeSection[],
  broken: { section: KnowledgeSection; missing: 'page' | 'anchor' }[],
  where: string,
): Finding[] {
  // When most are wrong it is a setting, not the pages.
  for (const missing of ['page', 'anchor'] as const) {
    const same = broken.filter((one) => one.missing === missing)
    if (same.length > 3 && same.length * 2 > cited.length)
      return [settingWrong(missing, same, cited.length, subject, where)]
  }
  const named = broken.slice(0, NAMED).map(
    ({ section: { ref, url }, missing }): Finding => ({
      ...{ code: codeOf(missing), level: levelOf(missing), ...fileOf(ref, subject) },
      message: `answers from ${ref} cite ${url}, and ${where} has no such ${missing === 'page' ? 'page' : 'heading'}`,
      remedy:
        missing === 'page'
          ? 'build the site again, exclude the file, or set its address'
          : 'build the site again, or set site.anchors',
    }),
  )
  const more = broken.length - named.length
  const rest: Finding[] =
    more > 0
      ? [
          {
            code: 'cited-page',
            level: 'error',
            message: `and ${count(more)} more addresses`,
            remedy: '--json lists all',
          },
        ]
      : []
  return [...named, ...rest]
}

function codeOf(missing: 'page' | 'anchor'): string {
  const code = missing === 'page' ? 'cited-page' : 'cited-anchor'
  return code
}

/** Without its heading a citation still opens the page. */
const levelOf = (missing: 'page' | 'anchor') => (missing === 'page' ? 'error' : 'warning')

const settingWrong = (
  missing: 'page' | 'anchor',
  broken: { section: KnowledgeSection }[],
  all: number,
  { isSiteGiven }: Subject,
  where: string,
): Finding => ({
  code: codeOf(missing),
  // A folder that was only looked for may be no built site at all.
  level: isSiteGiven ? levelOf(missing) : 'warning',
  message: `${count(broken.length)} of ${count(all)} addresses lead to no ${missing === 'page' ? 'page' : 'heading'} of ${where}, such as ${broken[0]?.section.url}`,
  remedy:
    missing === 'page'
      ? 'set site.url_style and site.base_url, or name the built site with --site'
      : 'set site.anchors to what your generator makes, or to "none"',
})

/** An address without its origin, decoded. */
function parts(url: string): { path: string; anchor: string } {
  const [, path = '', anchor = ''] = /^(?:\w+:\/\/[^/#]*)?([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(url) ?? []
  return { path: decoded(path), anchor: decoded(anchor) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The ids of a page; `undefined` when the site has none there. A site below a path has its files with or without it. */
async function idsOf(site: string, path: string, base: string): Promise<Set<string> | undefined> {
  for (const full of new Set([path, path.startsWith(`${base}/`) ? path.slice(base.length) : path])) {
    const way = full.replace(/^\/+|\/+$/g, '')
    const file = await firstFile(site, way ? [way, `${way}.html`, `${way}/index.html`, `${way}.htm`] : ['index.html'])
    if (file) return ids(await readFile(join(site, file), 'utf8'))
  }
  return undefined
}

/** The folders that all addresses share, such as `/docs`; `''` for none. */
function shared(paths: string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1))
  const length = first.findIndex((name, i) => others.some((names) => names[i] !== name))
  return first.slice(0, length < 0 ? first.length : length).join('/')
}

const ids = (html: string) =>
  new Set(
    [...html.matchAll(/\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)].map((m) =>
      unescaped(m[1] ?? m[2] ?? m[3] ?? ''),
    ),
  )

const unescaped = (text: string) =>
  text
    .replace(/&(?:amp|#38);/g, '&')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
