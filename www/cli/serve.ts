/** The server of `pinpack dev`: the site's pages, `/pinpack/*` from memory, and the proxy at `/api/chat`. */

import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import type { LanguageModel } from 'ai'
import { Hono } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { type BuildResult, outputFiles } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { createProxy } from '../proxy/index.ts'
import type { Site } from './site.ts'

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
}

const PORT = 4747
/** Names that hold a hash of the content: `knowledge-3f2a90b1c4de.pinpack`, `pinpack-widget-CDQZSR3R.js`. */
const HASHED = /-([\da-f]{12}|[\dA-Z]{8})\.\w+$/

/**
 * Serves a site on this machine only.
 *
 * # Errors
 * `port-taken` when the port that was asked for cannot be had.
 */
export async function serveSite(site: Site, first: BuildResult, { model, port }: ServeOptions): Promise<SiteServer> {
  const load = async (result: BuildResult) => ({
    files: await outputFiles(result),
    chat: createProxy({ knowledge: result.knowledge, model, origins: [], sameOrigin: true }),
  })
  let served = await load(first)
  const app = new Hono()
  app.all('/api/chat', (c) => served.chat(c.req.raw))
  app.get('/pinpack/:name', (c) => file(c.req.param('name'), served.files))
  if (site.root) app.get('*', refuseHidden, serveStatic({ root: site.root }))
  else app.get('/', (c) => c.html(site.page))
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })
  const url = `http://localhost:${await listen(server, port)}`
  return {
    url,
    update: async (result) => {
      served = await load(result)
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
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
