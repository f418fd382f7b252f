/** `pinpack build`: folder → the folder to upload, the proxy's file, and the report. */

import { join } from 'node:path'
import { type BuildResult, type Report, writeOutput } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { buildFolder } from './knowledge.ts'
import { clean, count, paint, percent, plural, print, printJson, printWarning, size } from './terminal.ts'

interface Options {
  out?: string
  knowledge?: string
  config?: string
  strict?: boolean
  json?: boolean
}

export async function buildCommand(dir = '.', options: Options): Promise<undefined> {
  const out = options.out ?? join(dir, 'pinpack')
  const knowledge = options.knowledge ?? join(dir, 'knowledge.json')
  const result = await buildFolder(dir, options.config, out)
  const { warnings } = result.report
  // Files that were skipped are in the report too, shortened.
  const said = options.strict || options.json ? warnings : warnings.filter(({ code }) => code !== 'skipped')
  for (const { code, message } of said) printWarning(code, clean(message))
  if (options.strict) refuseWarnings(result)
  const written = await writeOutput(result, out, knowledge)
  if (options.json) printJson({ ...result.report, written })
  else print(...reportLines(result.report), ...writtenLines(written, knowledge, out))
}

function refuseWarnings({ report: { warnings } }: BuildResult): void {
  if (warnings.length === 0) return
  throw new PinpackError(
    'strict',
    `${plural(warnings.length, 'warning')}, and --strict allows none: nothing was written`,
  )
}

/** The report as it is read by a person. */
export function reportLines(report: Report): string[] {
  const read = new Map<string, number>()
  for (const { kind } of report.files) read.set(kind, (read.get(kind) ?? 0) + 1)
  const held = Math.min(1, report.budget / report.writtenTokens)
  const kinds = [...read].map(([kind, files]) => `${count(files)} ${kind}`).join(', ')
  return [
    row(
      'files',
      `${count(report.files.length)} read${kinds && ` (${kinds})`}, ${count(report.skipped.length)} skipped`,
    ),
    ...some(
      report.skipped.map(({ path, reason }) => `${clean(path)}: ${clean(reason)}`),
      10,
    ),
    row('sections', `${count(report.sections)}, ${count(report.pinnedSections)} pinned`),
    row(
      'tokens',
      `${count(report.writtenTokens)} written, ${count(report.sendableTokens)} sendable, ${count(report.pinnedTokens)} pinned`,
    ),
    row(
      'coverage',
      `${percent(report.coverage)} of what is written can be sent; one request holds ${percent(held)} of it`,
    ),
    row('pinned', `${percent(report.pinnedShare)} of the budget of ${count(report.budget)} tokens`),
    row('largest', report.largest.length > 0 ? '' : 'none'),
    ...some(
      report.largest.map(({ ref, tokens }) => `${count(tokens).padStart(6)}  ${clean(ref)}`),
      5,
    ),
    row('blob', `${size(report.blobBytes)} for ${size(report.textBytes)} of text, hash ${report.hash}`),
  ]
}

function writtenLines(written: string[], knowledge: string, out: string): string[] {
  return [
    row('upload', `${out} (${plural(written.length - 1, 'file')})`),
    row('proxy', `${knowledge}, not to be uploaded with the page`),
  ]
}

const row = (name: string, text: string) => `${paint.bold(name.padEnd(9))} ${text}`.trimEnd()

/** The first `limit` lines, indented, and how many more there are. */
function some(lines: string[], limit: number): string[] {
  const more = lines.length - limit
  const shown = more > 0 ? [...lines.slice(0, limit), paint.dim(`and ${count(more)} more`)] : lines
  return shown.map((line) => `          ${line}`)
}
