/** A site with the widget, for tests and pictures: the script-tag bundle, a server with a proxy that says what is wanted, pages. */

import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import type { ChatRequest, Receipt } from '../../www/types.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const CSP = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'"
export const HASH = '0123456789abcdef0123456789abcdef'

/** Answers one POST to `/api/chat`. */
export type Answerer = (ask: ChatRequest, response: ServerResponse) => void | Promise<void>
/** `until`: it is held back so long. */
type File = { type: string; body: string | Uint8Array; status?: number; until?: Promise<void> }

export interface Site {
  origin: string
  /** Replaced by each test. */
  proxy: Answerer
  /** Requests that the proxy has had, oldest first. */
  asked: ChatRequest[]
  /** Paths that were asked for. */
  paths: string[]
  /** The Content-Security-Policy of every page; `''` sends none. */
  csp: string
  /** Files by path, in front of the built ones. */
  files: Map<string, File>
  start(): Promise<void>
  close(): Promise<void>
}

/** Where each test begins: nothing was asked, no files but the built ones, the strict policy. */
export const untouched = (): Pick<Site, 'proxy' | 'asked' | 'paths' | 'csp' | 'files'> => ({
  proxy: (_, response) => send(response, answer('Yes [2].')),
  asked: [],
  paths: [],
  csp: CSP,
  files: new Map(),
})

/** Bundles the tag as the package does. The engine's glue is left out: tests that search bring a stand-in. */
async function bundleTag(): Promise<string> {
  const outdir = await mkdtemp(join(tmpdir(), 'pinpack-tag-'))
  await build({
    absWorkingDir: ROOT,
    entryPoints: { pinpack: 'www/widget/tag.ts', 'stand-in': 'tests/e2e/widget-engine.ts' },
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    chunkNames: 'pinpack-[name]-[hash]',
    external: ['*/wasm/query/pinpack.js'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outdir
}

export function createSite(): Site {
  let folder = ''
  const server = createServer((request, response) => void serve(site, folder, request, response))
  const site: Site = {
    origin: '',
    ...untouched(),
    start: async () => {
      folder = await bundleTag()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return site
}

async function serve(site: Site, folder: string, request: IncomingMessage, response: ServerResponse) {
  const path = (request.url ?? '/').split('?')[0] as string
  site.paths.push(path)
  if (request.method === 'POST' && path === '/api/chat') {
    const ask = JSON.parse(await textOf(request)) as ChatRequest
    site.asked.push(ask)
    return site.proxy(ask, response)
  }
  const file = site.files.get(path) ?? (await builtFile(folder, path))
  await file.until
  const policy: Record<string, string> = site.csp ? { 'content-security-policy': site.csp } : {}
  response.writeHead(file.status ?? 200, { 'content-type': file.type, ...policy }).end(file.body)
}

async function builtFile(folder: string, path: string): Promise<File> {
  const name = path.startsWith('/pinpack/') ? path.slice('/pinpack/'.length) : ''
  const body = /^[\w.-]+\.js$/.test(name) ? await readFile(join(folder, name)).catch(() => undefined) : undefined
  return body ? { type: 'text/javascript', body } : { type: 'text/plain', body: 'not here', status: 404 }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += piece
  return text
}

export const TAG =
  '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-name="Shop"></script>'

/** A page of the site. The stand-in engine is set before the tag runs. */
export function page(site: Site, { head = '', body = '', tag = TAG, lang = 'en', engine = true } = {}): void {
  const standIn = engine ? '<script type="module" src="/pinpack/stand-in.js"></script>' : ''
  const html = `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}</head>
<body>${body || '<main><h1>Shop</h1><p>Widgets and repairs.</p></main>'}${standIn}${tag}</body></html>`
  site.files.set('/', { type: 'text/html; charset=utf-8', body: html })
}

// The proxy's stream.

export type Part = Record<string, unknown> & { type: string }

export const RECEIPT: Receipt = {
  hash: HASH,
  sections: [
    { id: 0, ref: 'rules.md', title: 'Never promise a refund', url: '', tokens: 30, pinned: true },
    { id: 4, ref: 'refunds.md', title: 'Refund policy', url: '/refunds#policy', tokens: 220, pinned: false },
    { id: 2, ref: 'contact.md', title: 'Contact', url: 'https://help.example/contact', tokens: 90, pinned: false },
  ],
  tokens: 340,
  budget: 1000,
  model: 'stand-in',
}

/** A whole answer: text in pieces, with the receipt and a source before it. */
export function answer(text: string, { size = 7, receipt = RECEIPT as Receipt | null, finish = true } = {}): Part[] {
  const deltas = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  return [
    { type: 'start' },
    ...(receipt ? [{ type: 'data-receipt', data: receipt }] : []),
    { type: 'source-url', sourceId: 'p2', url: '/refunds#policy', title: 'Refund policy' },
    { type: 'text-start', id: '1' },
    ...deltas.map((delta) => ({ type: 'text-delta', id: '1', delta })),
    ...(finish ? [{ type: 'text-end', id: '1' }, { type: 'finish' }] : []),
  ]
}

/** Sends parts as server-sent events. `bytes: true` writes one byte at a time, with CRLF and no blank line at the end. */
export async function send(response: ServerResponse, parts: Part[], { bytes = false, delay = 0, end = true } = {}) {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const newline = bytes ? '\r\n' : '\n'
  const done = parts.at(-1)?.type === 'finish' ? ['[DONE]'] : []
  for (const data of [...parts.map((part) => JSON.stringify(part)), ...done]) {
    const event = `data: ${data}${newline}${bytes && data === '[DONE]' ? '' : newline}`
    for (const piece of bytes ? Buffer.from(event).toString('latin1') : [event]) {
      response.write(piece, bytes ? 'latin1' : 'utf8')
      if (bytes) await new Promise(setImmediate)
    }
    if (delay) await new Promise((resolve) => setTimeout(resolve, delay))
  }
  if (end) response.end()
}

export function refuse(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

// The browser.

export function launch(): Promise<Browser> {
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  return chromium.launch({
    executablePath: process.env.PINPACK_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...quiet],
  })
}

/** A page with everything that went wrong in it: script errors, console messages, policy violations. */
export interface Visit {
  page: Page
  errors: string[]
  console: string[]
  violations(): Promise<string[]>
}

export async function visit(browser: Browser, site: Site, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const errors: string[] = []
  const said: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => said.push(message.text()))
  await page.addInitScript(() => {
    const found: string[] = []
    Object.assign(window, { violations: found })
    addEventListener('securitypolicyviolation', (event) => found.push(`${event.violatedDirective} ${event.blockedURI}`))
  })
  await page.goto(site.origin)
  const violations = () => page.evaluate(() => (window as unknown as { violations: string[] }).violations)
  return { page, errors, console: said, violations }
}

/** Opens the chat, and waits until all of the panel is there. */
export async function openChat(page: Page): Promise<void> {
  await page.locator('pinpack-chat .launcher').click()
  await page.locator('pinpack-chat textarea').waitFor()
  await page.locator('pinpack-chat dialog:not([data-arriving])').waitFor()
}

/** Asks and waits until the answer has ended. */
export async function ask(page: Page, question: string): Promise<void> {
  await page.locator('pinpack-chat textarea').fill(question)
  await page.keyboard.press('Enter')
  await ended(page)
}

export async function ended(page: Page): Promise<void> {
  await page.locator('pinpack-chat [data-role="assistant"]').last().locator('[aria-busy="false"]').waitFor()
}

/** The text as a visitor sees it. */
export function shown(locator: Locator): Promise<string> {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text must not count
  return locator.innerText()
}
