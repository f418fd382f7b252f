/** `pinpack build`: folder → the folder to upload, the proxy's file, and the report. */

import { join, resolve } from 'node:path'
import { type BuildResult, createBuilder, refusePublic, writeOutput } from '../build.ts'
import { PinpackError } from '../errors.ts'
import type { Report } from '../types.ts'
import { buildFolder, readFolder } from './knowledge.ts'
import { reportPage } from './report-html.ts'
import { reportLines, row } from './report-text.ts'
import { clean, count, paint, plural, print, printError, printJson, printWarning, writeText } from './terminal.ts'
import { changedText, untilStopped, watchFolder } from './watch.ts'

interface Options {
  out?: string
  knowledge?: string
  report?: string
  config?: string
  strict?: boolean
  watch?: boolean
  json?: boolean
}

/** Warnings of one code that are printed; the rest is counted. */
const SHOWN = 10

export async function buildCommand(dir = '.', options: Options): Promise<undefined> {
  const to: Places = {
    out: options.out ?? join(dir, 'pinpack'),
    knowledge: options.knowledge ?? join(dir, 'knowledge.json'),
    page: options.report,
  }
  if (to.page) refusePublic(to.out, to.page, 'names private rules', '--report')
  refusePublic(to.out, to.knowledge, 'holds private rules', '--knowledge')
  if (options.watch) return watchBuilds(dir, to, options)
  const { report, written } = await write(await buildFolder(dir, options.config, made(to)), to, options)
  if (options.json) printJson({ ...report, written })
  else print(...reportLines(report), ...writtenLines(written.length, to))
  return undefined
}

/** Where a build is written. */
interface Places {
  out: string
  knowledge: string
  page: string | undefined
}

/** What is written is no source. */
const made = ({ out, knowledge, page }: Places) => [out, knowledge, ...(page ? [page] : [])]

/** Says the warnings and writes everything. */
async function write(
  result: BuildResult,
  { out, knowledge, page }: Places,
  options: Options,
): Promise<{ report: Report; written: string[] }> {
  const { report } = result
  // Files that were skipped are in the text of the report too.
  const shown = options.strict || options.json ? () => true : (code: string) => !['skipped', 'no-text'].includes(code)
  printWarnings(report.warnings.filter(({ code }) => shown(code)))
  if (page) await writePage(page, result)
  if (options.strict) refuseWarnings(report)
  const written = await writeOutput(result, out, knowledge)
  return { report, written: page ? [...written, page] : written }
}

/** Builds, and again after each change; a failure is said, and what was written stands. */
async function watchBuilds(dir: string, to: Places, options: Options): Promise<undefined> {
  const folder = resolve(dir)
  const builder = createBuilder()
  const stopped = untilStopped()
  const watcher = await watchFolder(
    folder,
    made(to).map((path) => resolve(path)),
    options.config,
  )
  const again = async () => {
    const { files, config, unread, others } = await readFolder(dir, options.config, made(to))
    const { changes, ...result } = await builder.build(files, config, { unread, others })
    const { report } = await write(result, to, options)
    if (options.json)
      print(JSON.stringify({ hash: report.hash, sections: report.sections, warnings: report.warnings, changes }))
    else print(`built ${changedText(changes)}; ${plural(report.sections, 'section')}, hash ${report.hash}`)
  }
  await again().catch((thrown) => printError(thrown, false))
  watcher.onChange(again)
  if (!options.json) print(paint.dim(`writing ${to.out} and ${to.knowledge}; watching for changes, Ctrl-C stops`))
  await stopped
  await watcher.close()
  builder.close()
  return undefined
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

function writtenLines(files: number, to: Places): string[] {
  const others = to.page ? 2 : 1
  return [
    row('upload', `${to.out} (${plural(files - others, 'file')})`),
    row('proxy', `${to.knowledge}, not to be uploaded with the page`),
    ...(to.page ? [row('report', `${to.page}, not to be uploaded with the page`)] : []),
  ]
}
