/** `pinpack dev`: the site with its chat on this machine, built in memory and again on every change. */

import { resolve } from 'node:path'
import { watch } from 'chokidar'
import openPage from 'open'
import { type ModelEnv, modelFromEnv } from '../proxy/index.ts'
import { buildFolder } from './knowledge.ts'
import { serveSite } from './serve.ts'
import { findSite, type Site } from './site.ts'
import { count, paint, print, printError, printJson } from './terminal.ts'

interface Options {
  port?: number
  config?: string
  open?: boolean
  json?: boolean
}

const QUIET_MS = 150

export async function dev(folder = '.', options: Options): Promise<undefined> {
  const dir = resolve(folder)
  const model = modelFromEnv(process.env as ModelEnv)
  const site = await findSite(dir)
  await site.render()
  const result = await buildFolder(dir, options.config, resolve(dir, 'pinpack'))
  const server = await serveSite(site, result, { model, port: options.port })
  const name = modelName(model)
  if (options.json) printJson({ url: server.url, site: site.root ?? null, model: name, hash: result.report.hash })
  else {
    print(
      `${paint.bold('pinpack')}   ${paint.cyan(`${server.url}/`)}`,
      `site      ${site.root ?? 'a plain page of our own: no index.html was found'}`,
      `knowledge ${count(result.report.sections)} sections, ${count(result.report.pinnedSections)} pinned`,
      `answers   ${name}`,
      paint.dim('watching for changes; Ctrl-C stops'),
    )
  }
  if (options.open) await openPage(`${server.url}/`)
  const watcher = watchFolder(dir, site, async () => {
    await site.render()
    const rebuilt = await buildFolder(dir, options.config, resolve(dir, 'pinpack'))
    await server.update(rebuilt)
    if (!options.json)
      print(paint.dim(`built again: ${count(rebuilt.report.sections)} sections, hash ${rebuilt.report.hash}`))
  })
  await untilStopped()
  await Promise.all([watcher.close(), server.close()])
}

/** Runs `rebuild` when the folder has been quiet after a change; a failure is printed, and the last good build stays. */
function watchFolder(dir: string, site: Site, rebuild: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  const start = () => {
    working = working.then(rebuild).catch((thrown) => printError(thrown, false))
  }
  const made = [site.output, resolve(dir, 'pinpack'), resolve(dir, 'knowledge.json')]
  const ignored = (path: string) =>
    made.some((one) => one !== undefined && (path === one || path.startsWith(`${one}/`))) ||
    /(^|[/\\])(node_modules|dist|\.[^/\\]+)([/\\]|$)/.test(path.slice(dir.length))
  return watch(dir, { ignored, ignoreInitial: true }).on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(start, QUIET_MS)
  })
}

function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    process.once('SIGINT', () => stop())
    process.once('SIGTERM', () => stop())
  })
}

function modelName(model: ReturnType<typeof modelFromEnv>): string {
  if (!model) return 'embedded (quotes the best sentences; set OPENAI_API_KEY or ANTHROPIC_API_KEY for a model)'
  return typeof model === 'string' ? model : model.modelId
}
