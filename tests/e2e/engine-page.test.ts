/** The package's engine in Chromium: every wrong file is an error by its code, traps and memory are what they should be. */

import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildFixture, DIST } from '../npm/fixture.ts'
import { withTrap } from '../npm/trap.ts'
import { launch } from './widget-site.ts'

const PAGE = `<!doctype html><title>Engine</title><link rel="icon" href="data:,">
<script type="module">import * as pinpack from '/index.js'; window.pinpack = pinpack</script>`
const FOUND = 'content/dog.md#the-studio-dog'
const files = new Map<
  string,
  { type: string; body: Uint8Array | string; headers?: Record<string, string>; status?: number; breaks?: boolean }
>()
const server = createServer((request, response) => {
  const file = files.get(request.url ?? '/')
  response.writeHead(file?.status ?? (file ? 200 : 404), {
    'content-type': file?.type ?? 'text/plain',
    ...file?.headers,
  })
  if (file?.breaks) response.write(file.body, () => response.destroy())
  else response.end(file?.body ?? 'not here')
})
let origin: string
let browser: Browser
let page: Page
let blob: Uint8Array
let wasm: Uint8Array

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ;[browser, { blob }, wasm] = await Promise.all([launch(), buildFixture(), readFile(join(DIST, 'pinpack_bg.wasm'))])
})
afterAll(async () => {
  await browser.close()
  server.close()
})
beforeEach(async () => {
  files.clear()
  files.set('/', { type: 'text/html', body: PAGE })
  for (const name of await readdir(DIST)) {
    if (/^(?:index|shared-.*)\.js$/.test(name))
      files.set(`/${name}`, { type: 'text/javascript', body: await readFile(join(DIST, name)) })
  }
  files.set('/pinpack_bg.wasm', { type: 'application/wasm', body: wasm })
  files.set('/kb.pinpack', { type: 'application/octet-stream', body: blob })
  page = await browser.newPage()
  await page.goto(origin)
  await page.waitForFunction(() => 'pinpack' in window)
})
afterEach(() => page.close())

/** Opens `/kb.pinpack` and asks: the best section, or the error's code and words. */
const asked = () =>
  page.evaluate(async () => {
    const { open } = (window as never as { pinpack: typeof import('pinpack') }).pinpack
    try {
      const knowledge = await open('/kb.pinpack')
      return knowledge
        .pack([{ role: 'user', content: 'Who is Remi?' }])
        .sections.find(({ why }: { why: string }) => why === 'scored')?.ref
    } catch (thrown) {
      const { code, message } = thrown as { code?: string; message: string }
      return `${code}: ${message}`
    }
  })
const serve = (body: Uint8Array | string, more = {}) =>
  files.set('/kb.pinpack', { type: 'application/octet-stream', body, ...more })

test('answers from the file as it is', async () => {
  expect(await asked()).toBe(FOUND)
})

/** A blob whose header says another format, with a checksum that fits: as a later version would write it. */
function ofFormat(format: number): Uint8Array {
  const copy = blob.slice()
  new DataView(copy.buffer, copy.byteOffset).setUint32(16, format, true)
  return copy
}

test.each([0, 2, 999])('names both versions of a blob of format %i', async (format) => {
  serve(ofFormat(format))
  const said = await asked()
  expect(said).toMatch(/^blob-format: /)
  expect(said).toContain(`${format}`)
  expect(said).toMatch(/\b1\b/)
})

test.each([
  ['as it is', (plain: Uint8Array) => [plain, {}], FOUND],
  ['gzipped, and said so', (plain: Uint8Array) => [gzipSync(plain), { 'content-encoding': 'gzip' }], FOUND],
  ['gzipped, and not said so', (plain: Uint8Array) => [gzipSync(plain), {}], FOUND],
  [
    'gzipped twice, once said so',
    (plain: Uint8Array) => [gzipSync(gzipSync(plain)), { 'content-encoding': 'gzip' }],
    FOUND,
  ],
  ['gzipped twice, not said so', (plain: Uint8Array) => [gzipSync(gzipSync(plain)), {}], 'blob-magic'],
  [
    'gzipped three times, once said so',
    (plain: Uint8Array) => [gzipSync(gzipSync(gzipSync(plain))), { 'content-encoding': 'gzip' }],
    'blob-magic',
  ],
] as [string, (plain: Uint8Array) => [Uint8Array, Record<string, string>], string][])(
  'reads a blob that is %s',
  async (_, pack, wanted) => {
    const [body, headers] = pack(blob)
    serve(body, { headers })
    expect((await asked())?.split(': ')[0]).toBe(wanted)
  },
)

test('a server that says gzip of what is not gives an error, and no wait for ever', async () => {
  serve(blob, { headers: { 'content-encoding': 'gzip' } })
  expect(await asked()).toMatch(/^fetch-failed: /)
})

test('a connection that breaks in the file gives an error, and the next try answers', async () => {
  serve(blob.subarray(0, blob.length >> 1), { headers: { 'content-length': `${blob.length}` }, breaks: true })
  expect(await asked()).toMatch(/^fetch-failed: .*stopped while it was read/)
  serve(blob)
  expect(await asked()).toBe(FOUND)
})

const HTML = '<!doctype html><html><title>Sign in</title></html>'
test.each([
  ['/kb.pinpack', 'a page', { type: 'text/html', body: HTML }, /^got-html: .*\/kb\.pinpack \(status 200\)/],
  [
    '/kb.pinpack',
    'a redirect to a sign-in page',
    { type: 'text/html', body: '', status: 302, headers: { location: '/login' } },
    /^got-html: /,
  ],
  ['/kb.pinpack', 'a missing file', { type: 'text/html', body: HTML, status: 404 }, /^fetch-failed: .*404/],
  ['/pinpack_bg.wasm', 'a page', { type: 'text/html', body: HTML }, /^got-html: .*pinpack_bg\.wasm/],
  [
    '/pinpack_bg.wasm',
    'a page that is called wasm',
    { type: 'application/wasm', body: HTML },
    /^got-html: .*pinpack_bg\.wasm/,
  ],
  [
    '/pinpack_bg.wasm',
    'a redirect to a sign-in page',
    { type: 'text/html', body: '', status: 302, headers: { location: '/login' } },
    /^got-html: /,
  ],
  ['/pinpack_bg.wasm', 'a missing file', { type: 'text/html', body: HTML, status: 404 }, /^fetch-failed: .*404/],
] as const)('in place of %s comes %s: an error that says so', async (path, _, file, wanted) => {
  files.set('/login', { type: 'text/html', body: HTML })
  const compiled = await page.evaluate(() => {
    const tried: string[] = []
    Object.assign(window, { tried })
    const { Module } = WebAssembly
    WebAssembly.Module = new Proxy(Module, {
      construct(target, given) {
        tried.push('Module')
        return Reflect.construct(target, given)
      },
    })
  })
  expect(compiled).toBeUndefined()
  files.set(path, file)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  expect(await asked()).toMatch(wanted)
  expect(requests.filter((request) => request === path).length).toBeLessThanOrEqual(2)
  const tried = await page.evaluate(() => (window as never as { tried: string[] }).tried)
  if (path.endsWith('.wasm')) expect(tried).toEqual([])
})

test.each(['application/octet-stream', 'application/wasm; charset=utf-8', 'text/plain', ''])(
  'starts wasm that is served as "%s"',
  async (type) => {
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    files.set('/pinpack_bg.wasm', { type, body: wasm })
    expect(await asked()).toBe(FOUND)
    expect(said.length).toBeLessThanOrEqual(1)
  },
)

test('every beginning of a blob, and one with a byte more, is an error; none is opened, none traps', async () => {
  const outcome = await page.evaluate(async () => {
    const { open } = (window as never as { pinpack: typeof import('pinpack') }).pinpack
    const whole = new Uint8Array(await (await fetch('/kb.pinpack')).arrayBuffer())
    const more = new Uint8Array(whole.length + 1)
    more.set(whole)
    const codes = new Map<string, number>()
    const tries = [more, ...Array.from({ length: whole.length }, (_, end) => whole.slice(0, end))]
    for (const bytes of tries) {
      const code = await open(bytes).then(
        () => 'opened',
        (thrown: { code?: string }) => thrown.code ?? 'no code',
      )
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    return { tries: tries.length, codes: Object.fromEntries(codes) }
  })
  expect(Object.keys(outcome.codes).filter((code) => !code.startsWith('blob-'))).toEqual([])
  expect(Object.values(outcome.codes).reduce((sum, count) => sum + count, 0)).toBe(outcome.tries)
  expect(outcome.tries).toBeGreaterThan(500)
})

test('searches and openings do not grow the memory', async () => {
  const grown = await page.evaluate(async () => {
    const memories: WebAssembly.Memory[] = []
    const { Instance } = WebAssembly
    WebAssembly.Instance = new Proxy(Instance, {
      construct(target, given) {
        const instance = Reflect.construct(target, given) as WebAssembly.Instance
        memories.push(...Object.values(instance.exports).filter((value) => value instanceof WebAssembly.Memory))
        return instance
      },
    })
    const { open } = (window as never as { pinpack: typeof import('pinpack') }).pinpack
    const size = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
    const ask = (knowledge: { rank(messages: unknown[]): unknown }, from: number, to: number) => {
      for (let turn = from; turn < to; turn += 1) {
        const content = `${turn} Who is Remi and can I get a refund for the deposit? `.repeat(4).slice(0, 200)
        knowledge.rank([{ role: 'user', content }])
      }
    }
    const bytes = new Uint8Array(await (await fetch('/kb.pinpack')).arrayBuffer())
    const knowledge = await open(bytes)
    ask(knowledge, 0, 1_000)
    const searched = [size()]
    ask(knowledge, 1_000, 100_000)
    searched.push(size())
    const opened: number[] = []
    for (let turn = 0; turn < 100; turn += 1) {
      ;(await open(bytes)).close()
      opened.push(size())
    }
    return { searched, opened: [opened[3], opened[99]] }
  })
  expect(grown.searched[0]).toBeGreaterThan(0)
  expect(grown.searched[1]).toBe(grown.searched[0])
  expect(grown.opened[1]).toBe(grown.opened[0])
})

test('after a trap the next search works, and the trap is in the console once', async () => {
  files.set('/trapping.wasm', { type: 'application/wasm', body: withTrap(Uint8Array.from(wasm), 'engine_pack') })
  const said: string[] = []
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()))
  const outcome = await page.evaluate(async () => {
    const { open } = (window as never as { pinpack: typeof import('pinpack') }).pinpack
    const knowledge = await open('/kb.pinpack', { wasm: '/trapping.wasm' })
    const messages = [{ role: 'user' as const, content: 'Who is Remi?' }]
    const attempt = (call: () => unknown) => {
      try {
        return call()
      } catch (thrown) {
        return (thrown as { code?: string }).code
      }
    }
    const rank = () => attempt(() => knowledge.rank(messages)[0]?.ref)
    return [rank(), attempt(() => knowledge.pack(messages)), rank(), attempt(() => knowledge.pack(messages)), rank()]
  })
  expect(outcome).toEqual([FOUND, 'engine-trapped', FOUND, 'engine-failed', 'engine-failed'])
  expect(said.filter((line) => /unreachable/.test(line))).toHaveLength(2)
})

test('reads only the bytes of a view, wherever they lie', async () => {
  const outcome = await page.evaluate(async () => {
    const { open } = (window as never as { pinpack: typeof import('pinpack') }).pinpack
    const whole = new Uint8Array(await (await fetch('/kb.pinpack')).arrayBuffer())
    const messages = [{ role: 'user' as const, content: 'Can I get a refund?' }]
    const wanted = JSON.stringify((await open(whole)).explain(messages))
    const same: boolean[] = []
    for (const before of [1, 3, 7, 8]) {
      const around = new Uint8Array(before + whole.length + 7).fill(0xa5)
      around.set(whole, before)
      const knowledge = await open(new Uint8Array(around.buffer, before, whole.length))
      same.push(JSON.stringify(knowledge.explain(messages)) === wanted)
    }
    return { same, answers: wanted.includes('content/refunds.md') }
  })
  expect(outcome).toEqual({ same: [true, true, true, true], answers: true })
})
