/** The server of `pinpack dev`: the site's pages, `/pinpack/*` from memory, and the proxy at `/api/chat`. */

import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import type { LanguageModel } from 'ai'
import { Hono, type MiddlewareHandler } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { getMimeType } from 'hono/utils/mime'
import { type BuildResult, outputFiles } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { createProxy, type LogEntry } from '../proxy/index.ts'
import type { Knowledge } from '../types.ts'
import { previewPage } from './preview.ts'
import type { Site } from './site.ts'
import { printWarning } from './terminal.ts'

/** A running server. `update` puts another build in its place. */
export interface SiteServer {
  url: string
  update(result: BuildResult): Promise<void>
  close(): Promise<void>
}

interface ServeOptions {
  model: LanguageModel | undefined
  /** Default: 4747, or a free one when that is taken. */
  port: number | undefined
  /** Whether open pages load again after an update. */
  reload?: boolean | undefined
}

const PORT = 4747
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1'])
/** One machine is one visitor. */
const LOCAL = { addressMinute: 1000, addressDay: 100_000, addressOpen: 100 }
/** Names that hold a hash of the content: `knowledge-3f2a90b1c4de.pinpack`, `pinpack-widget-CDQZSR3R.js`. */
const HASHED = /-([\da-f]{12}|[\dA-Z]{8})\.\w+$/

/**
 * Serves a site on this machine only.
 *
 * # Errors
 * `port-taken` when the port that was asked for cannot be had.
 */
export async function serveSite(
  site: Site,
  first: BuildResult,
  { model, port, reload }: ServeOptions,
): Promise<SiteServer> {
  const load = async (result: BuildResult) => ({
    files: await outputFiles(result),
    knowledge: result.knowledge,
    chat: createProxy({
      ...{ knowledge: result.knowledge, model, origins: [], sameOrigin: true, limits: LOCAL },
      log: tellFailure,
    }),
  })
  let served = await load(first)
  const app = new Hono()
  app.all('/api/chat', refuseForeignHosts, (c) => served.chat(c.req.raw))
  // For the developer panel's prompt; on this machine only.
  app.get('/api/knowledge.json', refuseForeignHosts, (c) => c.json(served.knowledge))
  const pages = reload ? reloading(app) : { script: '', update() {} }
  app.use('*', dressed(pages.script))
  app.get('/pinpack/:name', (c) => file(c.req.param('name'), served.files))
  if (site.root) app.get('*', refuseHidden, serveStatic({ root: site.root }))
  else app.get('*', (c) => preview(c.req.path, served.knowledge, site.page))
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })
  const url = `http://localhost:${await listen(server, port)}`
  return {
    url,
    update: async (result) => {
      served = await load(result)
      pages.update()
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

/** Without a built site: a page for each address that answers cite, and the plain page at the root. */
function preview(path: string, knowledge: Knowledge, root: string): Response {
  const page = path === '/' ? root : previewPage(knowledge, path)
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  return page ? new Response(page, { headers }) : new Response('not found', { status: 404 })
}

const RELOAD = '/pinpack-dev/changes'
const SCRIPT = `<script>new EventSource('${RELOAD}').onmessage = () => location.reload()</script>`

/** The tag for pages that have none yet, so that the chat can be tried before the site is changed. */
const TAG = '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-inspect></script>'

/** Puts the tag into pages without it, and a script at the end of every page. */
function dressed(script: string): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (!c.res.headers.get('content-type')?.startsWith('text/html')) return
    const page = await c.res.text()
    const added = `${/pinpack\.js|pinpack-chat/.test(page) ? '' : TAG}${script}`
    const { status } = c.res
    const headers = new Headers(c.res.headers)
    headers.delete('content-length')
    // Else Hono puts the old headers into the new response.
    c.res = undefined
    c.res = new Response(`${page}${added}`, { status, headers })
  }
}

/** An address that tells of each update, and the script that then loads a page again. */
function reloading(app: Hono): { script: string; update(): void } {
  const open = new Set<SSEStreamingApi>()
  app.get(RELOAD, (c) =>
    streamSSE(c, async (stream) => {
      open.add(stream)
      await new Promise<void>((gone) => stream.onAbort(gone))
      open.delete(stream)
    }),
  )
  return {
    script: SCRIPT,
    update() {
      for (const stream of open) void stream.writeSSE({ data: 'changed' })
    },
  }
}

/** Quotes stand in for a model that fails: whoever sets it up has to learn why. */
function tellFailure({ fallback, outcome, code }: LogEntry): void {
  const reason = fallback ?? (outcome === 'failed' ? code : undefined)
  if (reason) printWarning(reason, 'the model did not answer: docs/errors.md says what to do')
}

function file(name: string, files: Map<string, Uint8Array>): Response {
  const bytes = files.get(name)
  if (!bytes) return new Response(`there is no /pinpack/${name} in this build`, { status: 404 })
  const type = getMimeType(name) ?? 'application/octet-stream'
  const cache = HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': type, 'cache-control': cache },
  })
}

/** Files whose name starts with a dot hold settings and keys. */
async function refuseHidden(c: { req: { path: string } }, next: () => Promise<void>): Promise<Response | undefined> {
  if (/\/(\.|%2e)/i.test(c.req.path)) return new Response('not found', { status: 404 })
  await next()
  return undefined
}

/** A page of another site can be led here by its name's address, and would then be of this origin: it would ask at the owner's cost. */
async function refuseForeignHosts(
  c: { req: { url: string } },
  next: () => Promise<void>,
): Promise<Response | undefined> {
  if (!LOCAL_HOSTS.has(new URL(c.req.url).hostname)) return new Response('not found', { status: 404 })
  await next()
  return undefined
}

type Server = ReturnType<typeof createAdaptorServer>

async function listen(server: Server, port: number | undefined): Promise<number> {
  try {
    return await bind(server, port ?? PORT)
  } catch (cause) {
    if (port === undefined) return bind(server, 0)
    throw new PinpackError(
      'port-taken',
      `cannot listen on port ${port}: ${(cause as Error).message}\ngive another with --port`,
      { cause },
    )
  }
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
