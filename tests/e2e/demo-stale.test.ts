/** A page that stays open while its site is built again: the next question is answered from the new knowledge base. */

import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO, ROOT, type Server, startDev, visitor } from './demo-kit.ts'
import { launch } from './widget-kit.ts'

let browser: Browser
let server: Server
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pinpack-demo-'))
  await cp(DEMO, dir, { recursive: true })
  // The demo's site generator takes its Markdown renderer from there.
  await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  ;[browser, server] = await Promise.all([launch(), startDev(dir)])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await rm(dir, { recursive: true, force: true })
})

test('an open page loads a newer knowledge base once and answers from it', async () => {
  const manifest = async () => (await fetch(`${server.url}/pinpack/pinpack.json`)).json()
  const visit = await visitor(browser, server.url)
  await visit.open()
  const before = await visit.ask('can I get a refund?')
  expect(before.statuses).toEqual([200])
  const old = await manifest()

  const fact = 'The lighthouse keeper lends out seventeen accordions on Thursdays to whoever asks for them politely.'
  await appendFile(join(dir, 'content/faq.md'), `\n## Do you have accordions?\n\n${fact}\n`)
  await expect.poll(async () => (await manifest()).hash, { timeout: 20_000 }).not.toBe(old.hash)
  const now = await manifest()

  const loaded = visit.loaded.length
  const { statuses, receipt } = await visit.ask('do you have accordions?')
  expect(statuses).toEqual([409, 200])
  expect(receipt.hash).toBe(now.hash)
  expect(await visit.quotes()).toEqual([fact])
  const files = visit.loaded.slice(loaded).filter((url) => url.includes('/pinpack/'))
  expect(files).toEqual([`${server.url}/pinpack/pinpack.json`, `${server.url}/pinpack/${now.blob}`])
  await visit.page.locator('pinpack-inspector [data-part="receipt"][data-state="match"]').waitFor()

  const after = await visit.ask('how many accordions on Thursdays?')
  expect(after.statuses).toEqual([200])
  // Chromium itself reports every response from 400 on; nothing else may be said.
  expect(visit.problems).toEqual([expect.stringContaining('409 (Conflict)')])
})
