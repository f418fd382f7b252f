/** The pages that `pinpack dev` serves: what a `site.mjs` renders, the folder's own HTML, or a plain page. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PinpackError } from '../errors.ts'

/** Where pages come from. */
export interface Site {
  /** Folder of pages; absent when there is only `page`. */
  root?: string
  /** Folder that `render` writes. */
  output?: string
  /** Makes the pages again. */
  render(): Promise<void>
  /** The page that is served when there is no folder. */
  page: string
}

/**
 * Looks for the site of a folder: `site.mjs` with `buildSite()`, which writes `site/`; else an `index.html` in the folder,
 * or in `site`, `public`, `dist`, `build`, `out`, `_site`, where site generators put it.
 *
 * # Errors
 * `site-failed` when `site.mjs` cannot be run or throws.
 */
export async function findSite(dir: string): Promise<Site> {
  const script = join(dir, 'site.mjs')
  if (await isFile(script)) return renderedSite(dir, script)
  for (const name of ['.', 'site', 'public', 'dist', 'build', 'out', '_site']) {
    if (await isFile(join(dir, name, 'index.html')))
      return { root: join(dir, name), render: async () => {}, page: PAGE }
  }
  return { render: async () => {}, page: PAGE }
}

async function renderedSite(dir: string, script: string): Promise<Site> {
  const { buildSite } = await importSite(script)
  if (typeof buildSite !== 'function') throw failed(`${script} exports no function buildSite`)
  const output = join(dir, 'site')
  const render = async () => {
    try {
      await buildSite()
    } catch (cause) {
      throw failed(`${script}: ${(cause as Error).message}`, cause)
    }
  }
  return { root: output, output, render, page: PAGE }
}

async function importSite(script: string): Promise<{ buildSite?: unknown }> {
  try {
    return await import(pathToFileURL(script).href)
  } catch (cause) {
    throw failed(`cannot load ${script}: ${(cause as Error).message}`, cause)
  }
}

const isFile = async (path: string) => (await stat(path).catch(() => undefined))?.isFile() ?? false
const failed = (message: string, cause?: unknown) => new PinpackError('site-failed', message, { cause })

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>pinpack dev</title>
<style>
body { font: 1.125rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }
pre { overflow-x: auto; padding: 1rem; background: #f2f2f2; color: #111 }
</style>
</head>
<body>
<h1>Your chat box</h1>
<p>Open the chat in the corner and ask. This page stands in for your site, which needs one tag:</p>
<pre>&lt;script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat"&gt;&lt;/script&gt;</pre>
<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-inspect="/api/knowledge.json"></script>
</body>
</html>
`
