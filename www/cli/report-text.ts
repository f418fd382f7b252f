/** The report of a build as lines for a person. */

import type { Report, ReportSection } from '../types.ts'
import { clean, count, paint, percent, plural, size } from './terminal.ts'

/** The report; each line is at most about 100 characters, what comes from files is made safe to print. */
export function reportLines(report: Report): string[] {
  const held = Math.min(1, report.budget / report.writtenTokens)
  const { writtenTokens, sendableTokens, pinnedTokens } = report
  return [
    ...fileLines(report),
    row(
      'sections',
      `${count(report.sections)}, ${count(report.pinnedSections)} pinned; half have at most ${count(report.sizes.median)} tokens`,
    ),
    row('tokens', `${count(writtenTokens)} written, ${count(sendableTokens)} sendable, ${count(pinnedTokens)} pinned`),
    row(
      'coverage',
      `${percent(report.coverage)} of what is written can be sent; one request holds ${percent(held)} of it`,
    ),
    row('pinned', `${percent(report.pinnedShare)} of the budget of ${count(report.budget)} tokens`),
    ...some(report.pinned.map(sectionLine), 3),
    ...list('largest', report.largest),
    ...list('smallest', report.smallest),
    ...(report.overMax.length > 0 ? [row('over max', plural(report.overMax.length, 'section'))] : []),
    ...findingLines(report),
    row('blob', `${size(report.blobBytes)} for ${size(report.textBytes)} of text, hash ${report.hash}`),
  ]
}

/** A line of the report: its name in bold, and what it says. */
export const row = (name: string, text: string) =>
  `${paint.bold(name)}${' '.repeat(Math.max(1, 10 - name.length))}${text}`.trimEnd()

function fileLines({ files, skipped, unchosen }: Report): string[] {
  const read = new Map<string, number>()
  for (const { kind } of files) read.set(kind, (read.get(kind) ?? 0) + 1)
  const kinds = [...read].map(([kind, number]) => `${count(number)} ${kind}`).join(', ')
  const more = unchosen > 0 ? `, ${count(unchosen)} more that no pattern chose` : ''
  return [
    row('files', `${count(files.length)} read${kinds && ` (${kinds})`}, ${count(skipped.length)} skipped${more}`),
    ...some(
      skipped.map(({ path, reason }) => `${clean(path)}: ${clean(reason)}`),
      10,
    ),
  ]
}

/** What was left out, and what may have to be mended; a line only where there is something. */
function findingLines({ leftOut, duplicates, brokenLinks }: Report): string[] {
  const words = leftOut.map(({ reason, words }) => `${count(words)} ${clean(reason)}`).join(', ')
  const wasted = duplicates.reduce((sum, group) => sum + group.wastedTokens, 0)
  const missing = (kind: string) => brokenLinks.filter((link) => link.missing === kind).length
  const links = `${plural(missing('page'), 'missing page')}, ${plural(missing('anchor'), 'missing anchor')}`
  return [
    ...(words ? [row('left out', `words by reason: ${words}`)] : []),
    ...(duplicates.length > 0
      ? [row('repeated', `${plural(duplicates.length, 'group')} of like sections, ${count(wasted)} tokens wasted`)]
      : []),
    ...(brokenLinks.length > 0 ? [row('links', `${links}, within the site`)] : []),
  ]
}

const list = (name: string, sections: ReportSection[]) => [
  row(name, sections.length > 0 ? '' : 'none'),
  ...some(sections.map(sectionLine), 5),
]

const sectionLine = ({ ref, tokens }: ReportSection) => `${count(tokens).padStart(6)}  ${clean(ref)}`

/** The first `limit` lines, indented, and how many more there are. */
function some(lines: string[], limit: number): string[] {
  const more = lines.length - limit
  const shown = more > 0 ? [...lines.slice(0, limit), paint.dim(`and ${count(more)} more`)] : lines
  return shown.map((line) => `          ${line}`)
}
