/** Case F18: a site of 5,000 sections. What a page fetches and when, what a second page takes from the cache, how large the blob is. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { open } from 'pinpack'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bigSite, CONFIG } from '../../benches/big-site.mjs'
import { type Server, startDev, Visitor } from './demo-kit.ts'
import { launch } from './widget-kit.ts'

/** A blob is at most this many times the text that it holds: docs/benchmarks.md. */
const RATIO = 1.3
const HASHED = /-[\da-zA-Z]{8,12}\.(js|wasm|pinpack)$/

/** A page with the tag as an owner writes it: without the developer panel, which opens the knowledge base by itself. */
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Big</title><link rel="icon" href="data:,">
<h1>Big</h1><script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat"></script></html>`

let browser: Browser
let folder: string
let server: Server
let context: BrowserContext
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pinpack-big-'))
  for (const [path, text] of Object.entries({ ...bigSite(), 'pinpack.toml': CONFIG, 'site/index.html': PAGE })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  ;[browser, server] = await Promise.all([launch(), startDev(folder)])
  context = await browser.newContext()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function arrive(): Promise<Visitor> {
  const visit = new Visitor(await context.newPage())
  await visit.page.goto(server.url)
  await visit.page.locator('pinpack-chat .launcher').waitFor()
  return visit
}

const names = (visit: Visitor) => visit.loaded.map((url) => url.slice(server.url.length))
/** Of the knowledge base: its manifest, its blob, its engine. */
const heavy = (visit: Visitor) => names(visit).filter((name) => /pinpack\.json$|\.pinpack$|\.wasm$/.test(name))

test('nothing of the knowledge base is fetched before the chat is opened, and each file once after', async () => {
  const visit = await arrive()
  await visit.page.waitForLoadState('networkidle')
  await visit.page.mouse.wheel(0, 400)
  await visit.page.waitForTimeout(1_000)
  expect(names(visit).filter((name) => name.startsWith('/pinpack/'))).toEqual([
    '/pinpack/pinpack.js',
    expect.stringMatching(/^\/pinpack\/pinpack-launcher-\w{8}\.js$/),
  ])
  await visit.page.locator('pinpack-chat .launcher').hover()
  await expect.poll(() => names(visit).some((name) => name.includes('pinpack-widget'))).toBe(true)
  await visit.page.waitForTimeout(500)
  expect(heavy(visit)).toEqual([])

  await visit.open()
  await visit.ask('who is that?')
  expect(heavy(visit).sort()).toEqual([
    expect.stringMatching(/^\/pinpack\/knowledge-[\da-f]{12}\.pinpack$/),
    expect.stringMatching(/^\/pinpack\/pinpack-[\da-f]{12}\.wasm$/),
    '/pinpack/pinpack.json',
  ])
  expect(visit.problems).toEqual([])
  await visit.page.close()
})

test('the next page takes every file with a hash from the cache', async () => {
  const first = await arrive()
  await first.open()
  await first.ask('who is that?')
  await first.page.close()

  const next = new Visitor(await context.newPage())
  const fetched = await cacheOf(next.page)
  await next.page.goto(server.url)
  await next.open()
  await next.ask('who is that?')
  const seen = fetched()
  const hashed = seen.filter(({ url }) => HASHED.test(url))
  expect(hashed.map(({ url }) => url).filter((url) => /\.(wasm|pinpack)$/.test(url))).toHaveLength(2)
  expect(hashed.filter(({ cached, control }) => !cached || !control.includes('immutable'))).toEqual([])
  const others = seen.filter(({ url }) => /\/pinpack\/pinpack\.js(on)?$/.test(url))
  expect(others.map(({ control }) => control)).toEqual(['no-cache', 'no-cache'])
  expect(next.problems).toEqual([])
  await next.page.close()
})

test('the blob is not much larger than the text in it', async () => {
  const { blob } = await (await fetch(`${server.url}/pinpack/pinpack.json`)).json()
  const bytes = new Uint8Array(await (await fetch(`${server.url}/pinpack/${blob}`)).arrayBuffer())
  const knowledge = await open(bytes)
  expect(knowledge.stats.sections).toBe(5001)
  const texts = knowledge.refs.map((_, id) => Buffer.byteLength(knowledge.section(id)?.text ?? ''))
  const text = texts.reduce((sum, length) => sum + length, 0)
  expect(text).toBeGreaterThan(4.5e6)
  expect(bytes.length).toBeLessThan(RATIO * text)
  knowledge.close()
})

interface Fetched {
  url: string
  cached: boolean
  control: string
}

/** Where the browser had each response from, as it says itself. */
async function cacheOf(page: Page): Promise<() => Fetched[]> {
  const session = await page.context().newCDPSession(page)
  const inMemory = new Set<string>()
  const seen: (Fetched & { id: string })[] = []
  session.on('Network.requestServedFromCache', ({ requestId }) => inMemory.add(requestId))
  session.on('Network.responseReceived', ({ requestId: id, response: { url, fromDiskCache, headers } }) => {
    const control = headers['cache-control'] ?? headers['Cache-Control'] ?? ''
    seen.push({ id, url, cached: fromDiskCache === true, control })
  })
  await session.send('Network.enable')
  return () => seen.map(({ id, ...rest }) => ({ ...rest, cached: rest.cached || inMemory.has(id) }))
}
