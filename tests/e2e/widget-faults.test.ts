/** The published script tag and engine over bad hosting: policies, wrong files, wrong types. The chat answers all the same. */

import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import type { Manifest } from '../../www/types.ts'
import { DIST, siteFolder } from '../npm/fixture.ts'
import { answer, ask, hostSite, send, page as sitePage } from './widget-kit.ts'

const { site, arrive, arriveAndOpen } = hostSite()
let built: Map<string, Uint8Array>
let manifest: Manifest

beforeEach(async () => {
  built ??= await buildSite()
  manifest = JSON.parse(Buffer.from(built.get('pinpack.json') as Uint8Array).toString())
  for (const [name, body] of built) site.files.set(`/pinpack/${name}`, { type: typeOf(name), body })
  site.proxy = (_, response) => send(response, answer('Yes.'))
  sitePage(site, { engine: false })
})

/** The folder that `pinpack build` writes for a small site. */
async function buildSite(): Promise<Map<string, Uint8Array>> {
  const folder = await siteFolder()
  await promisify(execFile)(process.execPath, [join(DIST, 'cli.js'), 'build', folder])
  const names = await readdir(join(folder, 'pinpack'))
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'pinpack', name))] as const)),
  )
}

function typeOf(name: string): string {
  if (name.endsWith('.js')) return 'text/javascript'
  if (name.endsWith('.wasm')) return 'application/wasm'
  return name.endsWith('.json') ? 'application/json' : 'application/octet-stream'
}

const file = (path: keyof Manifest, change: { type?: string; body?: Uint8Array | string; status?: number }) => {
  const key = `/pinpack/${manifest[path]}`
  const found = site.files.get(key)
  if (found) site.files.set(key, { ...found, ...change })
}
const HTML = { type: 'text/html', body: '<!doctype html><title>Home</title>' }

/** Asks one question; gives what was sent and what the console said of pinpack. */
async function askOnce() {
  const { page, errors, console: said, violations } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  const text = await page.locator('pinpack-chat .markdown').textContent()
  const found = {
    text,
    violations: await violations(),
    usable: await page.locator('pinpack-chat textarea').isEnabled(),
  }
  expect(errors).toEqual([])
  expect(found.text).toContain('Yes.')
  expect(found.usable).toBe(true)
  return { ...found, sent: site.asked[0], said: said.filter((line) => line.startsWith('pinpack:')) }
}

test('searches in the page under a strict policy', async () => {
  const { sent, said, violations } = await askOnce()
  expect(sent?.hash).toBe(manifest.hash)
  expect(sent?.sections.length).toBeGreaterThan(0)
  expect(said).toEqual([])
  expect(violations).toEqual([])
})

test.each([['application/octet-stream'], ['application/wasm; charset=utf-8']])(
  'searches when the wasm is served as %s',
  async (type) => {
    file('wasm', { type })
    const { sent, said } = await askOnce()
    expect(sent?.sections.length).toBeGreaterThan(0)
    expect(said).toEqual([])
  },
)

test('searches when the blob is gzipped once', async () => {
  file('blob', { body: gzipSync(built.get(manifest.blob) as Uint8Array) })
  expect((await askOnce()).sent?.sections.length).toBeGreaterThan(0)
})

test("asks without search under a policy without 'wasm-unsafe-eval'", async () => {
  site.csp = "default-src 'self'; script-src 'self'; style-src 'self'"
  const { sent, said } = await askOnce()
  expect(sent).toEqual({ hash: manifest.hash, messages: [{ role: 'user', content: 'Can I get a refund?' }] })
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('[wasm-blocked]')
  expect(said[0]).toContain("'wasm-unsafe-eval'")
})

test.each([
  ['a page in place of the wasm', 'got-html', () => file('wasm', HTML)],
  ['a page in place of the blob', 'got-html', () => file('blob', HTML)],
  ['no wasm', 'fetch-failed', () => file('wasm', { status: 404 })],
  ['no blob', 'fetch-failed', () => file('blob', { status: 404 })],
  [
    'a blob gzipped twice',
    'blob-',
    () => file('blob', { body: gzipSync(gzipSync(built.get(manifest.blob) as Uint8Array)) }),
  ],
  ['half a blob', 'blob-', () => file('blob', { body: (built.get(manifest.blob) as Uint8Array).subarray(0, 300) })],
  [
    'a broken wasm',
    'wasm-failed',
    () => file('wasm', { body: (built.get(manifest.wasm) as Uint8Array).subarray(0, 5000) }),
  ],
])('asks without search when there is %s, and says why once', async (_, code, breakIt) => {
  breakIt()
  const { sent, said } = await askOnce()
  expect(sent).toEqual({ hash: manifest.hash, messages: [{ role: 'user', content: 'Can I get a refund?' }] })
  expect(said).toHaveLength(1)
  expect(said[0]).toContain(`[${code}`)
})

/** A script of the folder, by the beginning of its name. */
const script = (name: string) =>
  [...site.files.keys()].find((path) => path.startsWith(`/pinpack/pinpack-${name}-`)) as string

test.each([
  ['is missing', { type: 'text/plain', body: 'not here', status: 404 }],
  ['is a page', HTML],
  ['is cut off', { type: 'text/javascript', body: 'import{a as b}from"./' }],
] as const)(
  'when the widget’s script %s, the button says so, and once it is mended opens the chat',
  async (what, wrong) => {
    const path = script('widget')
    const whole = site.files.get(path)
    site.files.set(path, wrong)
    const { page, console: said } = await arrive()
    const button = page.locator('pinpack-chat .launcher')
    await button.click()
    const note = page.locator('pinpack-chat [role="status"]')
    await expect
      .poll(() => note.allTextContents())
      .toEqual(['The chat could not be loaded. Check the connection and press again.'])
    expect(await note.isVisible()).toBe(true)
    expect(said.filter((line) => line.includes('pinpack: the chat could not be loaded'))).toHaveLength(1)
    expect(await button.isVisible()).toBe(true)
    if (whole) site.files.set(path, whole)
    // A script that was read and is wrong stays so for the page.
    if (what === 'is cut off') await page.reload()
    await button.click()
    await page.locator('pinpack-chat textarea').waitFor()
  },
)

test('without the search’s script the question is sent all the same', async () => {
  site.files.set(script('www'), HTML)
  const { sent, said } = await askOnce()
  expect(sent).toEqual({ hash: manifest.hash, messages: [{ role: 'user', content: 'Can I get a refund?' }] })
  expect(said[0]).toContain('[chunk-failed]')
})

test('without the words of the page’s language it speaks English', async () => {
  site.files.set(script('words-de'), HTML)
  sitePage(site, { engine: false, lang: 'de' })
  const { page } = await arriveAndOpen()
  await page.getByText('How can I help?').waitFor()
})

test('a manifest that is a page, or names files of another build, is an error that says so', async () => {
  site.files.set('/pinpack/pinpack.json', HTML)
  const { said } = await askOnce()
  expect(said[0]).toContain('[got-html]')
})

test('a blob of a later format is refused by its version, and the chat goes on', async () => {
  const later = Uint8Array.from(built.get(manifest.blob) as Uint8Array)
  new DataView(later.buffer).setUint32(16, 2, true)
  file('blob', { body: later })
  const { said } = await askOnce()
  expect(said[0]).toContain('[blob-format]')
  expect(said[0]).toMatch(/format 2.*reads.*1/)
})
