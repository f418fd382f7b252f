/** The report of a build as one web page: no script, nothing from elsewhere, everything escaped. */

import type { Report, ReportSection } from '../types.ts'
import { code, figure, figureList, folded, html, name, page, section, table } from './page.ts'
import { budgetBar, sizeHistogram } from './report-pictures.ts'
import { count, percent, plural, size } from './terminal.ts'

/** What the page says of the knowledge base besides its report. */
export interface ReportContext {
  /** Name of the site, or `''`. */
  site: string
  /** What tokens are counted in. */
  encoding: string
}

/** Items of one kind of warning that are shown at once. */
const ITEMS = 10

/** The page. It looks the same for the same report. */
export function reportPage(report: Report, { site, encoding }: ReportContext): string {
  const title = `${site ? `${site}: ` : ''}knowledge report`
  const intro = `${plural(report.files.length, 'file')} became ${plural(report.sections, 'section')} of ${count(report.writtenTokens)} tokens (${encoding}).`
  return page({
    title,
    heading: site || 'Knowledge report',
    intro: `${html(intro)} Build <code>${html(report.hash)}</code>.`,
    parts: [
      figures(report),
      section('budget', 'Every request', budgetBar(report)),
      section('warnings', 'To look at', warnings(report)),
      section('sizes', 'Sizes of sections', `${sizeHistogram(report.sizes)}${sizeTables(report)}`),
      section('pinned', 'Pinned', pinned(report)),
      section('repeated', 'Said more than once', duplicates(report)),
      section('links', 'Links that lead nowhere', links(report)),
      section('left-out', 'Left out', leftOut(report)),
      section('files', 'Files', files(report)),
    ],
    footer: 'Made by <code>pinpack build --report</code>. It names private rules: do not upload it with the site.',
  })
}

function figures(report: Report): string {
  const held = Math.min(1, report.budget / report.writtenTokens)
  const items: [string, string, string][] = [
    [
      'Can be sent',
      percent(report.coverage),
      `${count(report.sendableTokens)} of ${count(report.writtenTokens)} tokens`,
    ],
    ['One request holds', percent(held), `${count(report.budget)} tokens of knowledge`],
    ['Pinned', percent(report.pinnedShare), `${count(report.pinnedTokens)} tokens in every request`],
    ['To look at', count(report.warnings.length), report.warnings.length === 0 ? 'nothing found' : 'see below'],
    ['Blob', size(report.blobBytes), `for ${size(report.textBytes)} of text`],
  ]
  return figureList(items)
}

/** Where what a warning says is shown in full, for kinds that have a part of their own. */
const SHOWN_IN: Record<string, [id: string, title: string]> = {
  duplicate: ['repeated', 'Said more than once'],
  'near-duplicate': ['repeated', 'Said more than once'],
  'broken-link': ['links', 'Links that lead nowhere'],
  'broken-anchor': ['links', 'Links that lead nowhere'],
  skipped: ['left-out', 'Left out'],
  'no-text': ['left-out', 'Left out'],
}

function warnings({ warnings }: Report): string {
  if (warnings.length === 0) return '<p>Nothing: every check is passed.</p>'
  const kinds = new Map<string, string[]>()
  for (const { code, message } of warnings) kinds.set(code, [...(kinds.get(code) ?? []), message])
  return [...kinds].map(([code, messages]) => warningGroup(code, messages)).join('\n')
}

function warningGroup(code: string, messages: string[]): string {
  const heading = `<h3><code>${html(code)}</code> <span class="count">${count(messages.length)}</span></h3>`
  const [id, title] = SHOWN_IN[code] ?? []
  if (id) return `${heading}\n<p>See <a href="#${id}">${title}</a>.</p>`
  const items = messages.map((message) => `<li>${html(message)}</li>`)
  const list = (some: string[]) => `<ul>${some.join('')}</ul>`
  return `${heading}\n${list(items.slice(0, ITEMS))}${folded(items.slice(ITEMS), list)}`
}

function sizeTables({ largest, smallest, overMax }: Report): string {
  const over = overMax.length > 0 ? sectionTable('Over sections.max', overMax) : ''
  return `<div class="pair">${sectionTable('Largest', largest)}${sectionTable('Smallest', smallest)}</div>${over}`
}

const pinned = ({ pinned }: Report) =>
  pinned.length === 0 ? '<p>Nothing is pinned.</p>' : sectionTable('Largest first', pinned)

function sectionTable(caption: string, sections: ReportSection[]): string {
  const rows = sections.map(({ ref, tokens }) => [name(ref), figure(tokens)])
  return table(caption, ['Section', '>Tokens'], rows)
}

function duplicates({ duplicates }: Report): string {
  if (duplicates.length === 0) return '<p>No section repeats another.</p>'
  const rows = duplicates.map(({ sections, similarity, wastedTokens }) => [
    `<td><ul class="plain">${sections.map(({ ref, pinned }) => `<li>${code(ref)}${pinned ? ' (pinned)' : ''}</li>`).join('')}</ul></td>`,
    `<td class="number">${similarity >= 1 ? '100' : Math.floor(similarity * 100)}%</td>`,
    figure(wastedTokens),
  ])
  return table('Sections with nearly the same words', ['Sections', '>Alike', '>Tokens wasted'], rows)
}

function links({ brokenLinks }: Report): string {
  if (brokenLinks.length === 0) return '<p>None was found among the links inside the site.</p>'
  const rows = brokenLinks.map(({ file, target, missing }) => [
    name(file),
    `<td>${code(target)}</td>`,
    `<td>${missing === 'page' ? 'the page' : 'the heading'}</td>`,
  ])
  return table('By file', ['File', 'Leads to', 'Missing'], rows)
}

function leftOut({ leftOut, skipped, unchosen }: Report): string {
  const words = leftOut.map(({ reason, words }) => [`<th scope="row">${html(reason)}</th>`, figure(words)])
  const files = skipped.map(({ path, reason, pinned }) => [
    name(path),
    `<td>${html(reason)}${pinned ? ' <strong>(it should be pinned)</strong>' : ''}</td>`,
  ])
  const parts = [
    words.length > 0 ? table('Words on the pages and in no section', ['Reason', '>Words'], words) : '',
    files.length > 0 ? table('Files that were not read', ['File', 'Why'], files) : '',
    unchosen > 0 ? `<p>Content by its name that no pattern chose: ${plural(unchosen, 'file')}.</p>` : '',
  ].filter(Boolean)
  return parts.length > 0 ? parts.join('\n') : '<p>Nothing.</p>'
}

function files({ files }: Report): string {
  const most = Math.max(1, ...files.map(({ tokens }) => tokens))
  const rows = files.map(({ path, kind, sections, tokens, leftOut }) => [
    name(path),
    `<td>${html(kind)}</td>`,
    figure(sections),
    `<td class="number bar"><span>${count(tokens)}</span><i style="width:${((tokens / most) * 100).toFixed(1)}%"></i></td>`,
    figure(leftOut),
  ])
  return table('In the order of the knowledge base', ['File', 'Kind', '>Sections', '>Tokens', '>Words left out'], rows)
}

export { html } from './page.ts'
