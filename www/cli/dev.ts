/** `pinpack dev`: the site with its chat on this machine, built in memory and again on every change. */

import { resolve } from 'node:path'
import openPage from 'open'
import { type Builder, type BuildResult, createBuilder } from '../build.ts'
import { type ModelEnv, modelFromEnv } from '../proxy/index.ts'
import { readFolder, showing } from './knowledge.ts'
import { type SiteServer, serveSite } from './serve.ts'
import { findSite, type Site } from './site.ts'
import { count, paint, plural, print, printJson } from './terminal.ts'
import { changedText, untilStopped, watchFolder } from './watch.ts'

interface Options {
  port?: number
  config?: string
  open?: boolean
  reload?: boolean
  json?: boolean
}

export async function dev(folder = '.', options: Options): Promise<undefined> {
  const dir = resolve(folder)
  const out = resolve(dir, 'pinpack')
  const model = modelFromEnv(process.env as ModelEnv)
  const site = await findSite(dir)
  const builder = createBuilder()
  const make = async () => {
    await site.render()
    return buildAgain(builder, dir, options.config, out)
  }
  // Watching begins before the first build reads the files, so that no change is missed.
  const made = [site.output, out, resolve(dir, 'knowledge.json')]
  const watcher = await watchFolder(dir, made, options.config)
  const stopped = untilStopped()
  try {
    const first = await make()
    const server = await serveSite(site, first, { model, port: options.port, reload: options.reload })
    watcher.onChange(async () => {
      const { report, changes } = await update(server, make)
      if (options.json) return
      print(
        paint.dim(`built again: ${changedText(changes)}; ${plural(report.sections, 'section')}, hash ${report.hash}`),
      )
    })
    announce(server.url, site, first, modelName(model), options)
    if (options.open) await openPage(`${server.url}/`)
    await stopped
    await server.close()
  } finally {
    await watcher.close()
  }
}

type Rebuilt = Awaited<ReturnType<Builder['build']>>

/** Takes all files from the disk, since time stamps can lie; the builder reads those anew whose bytes changed. */
async function buildAgain(builder: Builder, dir: string, config: string | undefined, out: string): Promise<Rebuilt> {
  const { files, config: text, unread, others } = await readFolder(dir, config, [out])
  return showing('building', (onProgress) => builder.build(files, text, { unread, others, onProgress }))
}

async function update(server: SiteServer, make: () => Promise<Rebuilt>): Promise<Rebuilt> {
  const result = await make()
  await server.update(result)
  return result
}

function announce(url: string, site: Site, { report }: BuildResult, model: string, { json }: Options): void {
  if (json) printJson({ url, site: site.root ?? null, model, hash: report.hash })
  else
    print(
      `${paint.bold('pinpack')}   ${paint.cyan(`${url}/`)}`,
      `site      ${site.root ?? 'a plain page and previews of ours: no index.html was found'}`,
      `knowledge ${plural(report.sections, 'section')}, ${count(report.pinnedSections)} pinned`,
      `answers   ${model}`,
      paint.dim('watching for changes; Ctrl-C stops'),
    )
}

function modelName(model: ReturnType<typeof modelFromEnv>): string {
  if (!model) return 'embedded (quotes the best sentences; set OPENAI_API_KEY or ANTHROPIC_API_KEY for a model)'
  return typeof model === 'string' ? model : model.modelId
}
