/** `pinpack build`: folder → the folder to upload, the proxy's file, and the report. */

import { join } from 'node:path'
import { type BuildResult, refusePublic, writeOutput } from '../build.ts'
import { PinpackError } from '../errors.ts'
import type { Report } from '../types.ts'
import { buildFolder } from './knowledge.ts'
import { reportPage } from './report-html.ts'
import { reportLines, row } from './report-text.ts'
import { clean, count, plural, print, printJson, printWarning, writeText } from './terminal.ts'

interface Options {
  out?: string
  knowledge?: string
  report?: string
  config?: string
  strict?: boolean
  json?: boolean
}

/** Warnings of one code that are printed; the rest is counted. */
const SHOWN = 10

export async function buildCommand(dir = '.', options: Options): Promise<undefined> {
  const out = options.out ?? join(dir, 'pinpack')
  const knowledge = options.knowledge ?? join(dir, 'knowledge.json')
  const page = options.report
  if (page) refusePublic(out, page, 'names private rules', '--report')
  const result = await buildFolder(dir, options.config, [out, ...(page ? [page] : [])])
  const { report } = result
  // Files that were skipped are in the text of the report too.
  const shown = options.strict || options.json ? () => true : (code: string) => !['skipped', 'no-text'].includes(code)
  printWarnings(report.warnings.filter(({ code }) => shown(code)))
  if (page) await writePage(page, result)
  if (options.strict) refuseWarnings(report)
  const written = await writeOutput(result, out, knowledge)
  if (page) written.push(page)
  if (options.json) printJson({ ...report, written })
  else print(...reportLines(report), ...writtenLines(written.length, { out, knowledge, page }))
}

/** The first of each kind, in order, and how many more there are. */
function printWarnings(warnings: Report['warnings']): void {
  for (const code of new Set(warnings.map(({ code }) => code))) {
    const same = warnings.filter((warning) => warning.code === code)
    for (const { message } of same.slice(0, SHOWN)) printWarning(code, clean(message))
    const more = same.length - SHOWN
    if (more > 0) printWarning(code, `and ${count(more)} more: --json and --report list all`)
  }
}

const writePage = (file: string, { report, knowledge }: BuildResult) =>
  writeText(file, reportPage(report, { site: knowledge.site, encoding: knowledge.encoding }))

function refuseWarnings({ warnings }: Report): void {
  if (warnings.length === 0) return
  throw new PinpackError(
    'strict',
    `${plural(warnings.length, 'warning')}, and --strict allows none: nothing was written to upload`,
  )
}

function writtenLines(files: number, to: { out: string; knowledge: string; page: string | undefined }): string[] {
  const others = to.page ? 2 : 1
  return [
    row('upload', `${to.out} (${plural(files - others, 'file')})`),
    row('proxy', `${to.knowledge}, not to be uploaded with the page`),
    ...(to.page ? [row('report', `${to.page}, not to be uploaded with the page`)] : []),
  ]
}
