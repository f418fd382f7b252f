// What a chat costs a page before it is opened and until its first answer: pinpack's tag on the demo page, beside two chat widgets
// from npm on the same page, in one run: `npm run bench -- widgets`. The peers are installed into target/widgets, by their exact versions.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { chromium as findChromium } from '../scripts/setup/chromium.mjs'
import { ask, at, Failure, main, must } from '../scripts/shell.mjs'
import { launchBrowser } from './cdp.mjs'

const PEERS = { 'deep-chat': '2.4.2', 'flowise-embed': '3.1.6' }
const FOLDER = at('target', 'widgets')
const SLOWER = 4
const ANSWER = 'Refunds are decided by billing within thirty days.'
const TYPES = {
  js: 'text/javascript',
  json: 'application/json',
  html: 'text/html',
  css: 'text/css',
  wasm: 'application/wasm',
  svg: 'image/svg+xml',
}

/** In the page: the middle of what `find` finds, or null. */
const middle = (find) => `(() => {
  const box = (${find})?.getBoundingClientRect()
  return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null
})()`
const inside = (tag, selector) => `document.querySelector('${tag}')?.shadowRoot?.querySelector('${selector}')`

/** How each is put on the page, opened and asked. Without `open` it stands open in the page. */
const CHATS = {
  'no chat': { tag: '' },
  pinpack: {
    tag: '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat"></script>',
    open: middle(inside('pinpack-chat', '.launcher')),
    field: middle(inside('pinpack-chat', 'textarea')),
    said: `${inside('pinpack-chat', '.markdown')}?.textContent ?? ''`,
  },
  'deep-chat': {
    tag: `<script type="module" src="/peers/deep-chat/dist/deepChat.bundle.js"></script>
      <deep-chat connect='{"url":"/api/deep"}' style="position:fixed;right:20px;bottom:20px"></deep-chat>`,
    field: middle(inside('deep-chat', '#text-input')),
    said: `document.querySelector('deep-chat')?.shadowRoot?.textContent ?? ''`,
  },
  'flowise-embed': {
    tag: `<script type="module">import Chatbot from '/peers/flowise-embed/dist/web.js'
      Chatbot.init({ chatflowid: 'x', apiHost: location.origin + '/flowise' })</script>`,
    open: middle(inside('flowise-chatbot', 'button')),
    field: middle(inside('flowise-chatbot', 'textarea')),
    said: `document.querySelector('flowise-chatbot')?.shadowRoot?.textContent ?? ''`,
  },
}

async function bench() {
  const { repeat } = options()
  await installPeers()
  const site = await serve(await demo())
  const browser = await launchBrowser((await findChromium()).chromium)
  const rows = []
  try {
    await measure(browser, site, CHATS['no chat']) // the browser's own start is in the first visit
    for (const [name, chat] of Object.entries(CHATS)) {
      const visits = []
      for (let visit = 0; visit < repeat; visit += 1) visits.push(await measure(browser, site, chat))
      rows.push({ name, ...median(visits) })
    }
  } finally {
    await browser.close()
    site.close()
  }
  print(rows, browser, repeat)
  return 0
}

function options() {
  try {
    const { values } = parseArgs({ options: { repeat: { type: 'string', default: '3' } } })
    if (/^[1-9]\d*$/.test(values.repeat)) return { repeat: Number(values.repeat) }
  } catch {}
  throw new Failure('options: --repeat N, 1 or more')
}

async function installPeers() {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: PEERS }))
  await must('npm', ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund'])
}

/** The demo's pages as built, and the folder of its chat. */
async function demo() {
  const { build, outputFiles, readSources } = await import('../dist/build.js')
  const { buildSite } = await import('../www/demo/site.mjs')
  const dir = join(FOLDER, 'site')
  await buildSite({ outDir: dir, tag: '<!--chat-->' })
  const { files, config } = await readSources(at('www', 'demo'))
  return {
    page: await readFile(join(dir, 'index.html'), 'utf8'),
    built: await outputFiles(await build(files, config)),
    dir,
  }
}

/** Serves everything compressed by brotli, as hosts do, and counts what is sent for the chat. */
async function serve({ page, built, dir }) {
  const sent = []
  let tag = ''
  const packed = new Map()
  const read = async (path) => {
    if (path === '/') return Buffer.from(page.replace('<!--chat-->', tag))
    if (path.startsWith('/pinpack/')) return built.get(path.slice('/pinpack/'.length))
    if (path.startsWith('/peers/')) return readFile(join(FOLDER, 'node_modules', path.slice('/peers/'.length)))
    return readFile(join(dir, path))
  }
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname
    if (path.startsWith('/api/') || path.startsWith('/flowise/')) return answer(path, response, sent)
    const body = await read(path).catch(() => undefined)
    if (!body) return response.writeHead(404).end()
    if (path === '/' || !packed.has(path)) packed.set(path, compress(body))
    const bytes = packed.get(path)
    if (/^\/(?:pinpack|peers)\//.test(path)) sent.push({ path, bytes: bytes.length })
    const type = TYPES[path === '/' ? 'html' : path.split('.').at(-1)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'cache-control': 'no-store' }).end(bytes)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    use: (given) => {
      tag = given
      sent.length = 0
    },
    sent: () => ({ requests: sent.length, bytes: sent.reduce((sum, { bytes }) => sum + bytes, 0) }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const compress = (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })

/** Each chat's own server, as little of it as it asks for. */
function answer(path, response, sent) {
  sent.push({ path, bytes: 0 })
  const json = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (path === '/api/deep') return json({ text: ANSWER })
  if (path.includes('/prediction/')) return json({ text: ANSWER })
  if (path.includes('streaming')) return json({ isStreaming: false })
  if (path !== '/api/chat') return json({})
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const parts = [
    { type: 'start' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: ANSWER },
    { type: 'finish' },
  ]
  response.end([...parts.map((part) => JSON.stringify(part)), '[DONE]'].map((data) => `data: ${data}\n\n`).join(''))
}

async function measure(browser, site, chat) {
  site.use(chat.tag)
  const page = await browser.page()
  await page.slow(SLOWER)
  const before = await mainThread(browser, async () => {
    await page.goto(site.url)
    await page.until(`document.readyState === 'complete'`)
    await rest(3_000)
  })
  const loaded = site.sent()
  const until = chat.field && (await mainThread(browser, () => converse(page, chat)))
  const all = site.sent()
  await page.close()
  return { before: { ...loaded, ms: before }, until: until === undefined ? undefined : { ...all, ms: before + until } }
}

async function converse(page, { open, field, said }) {
  if (open) await press(page, open)
  await press(page, field)
  await page.type('Can I get a refund?')
  await rest(300)
  await page.press('Enter')
  await page.until(`(${said}).includes('decided by billing')`)
  await rest(1_000)
}

async function press(page, found) {
  await page.until(`${found} !== null`)
  await rest(500)
  await page.click(...(await page.evaluate(found)))
}

const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds that the main threads of pages worked while `act` ran. */
async function mainThread(browser, act) {
  const events = await browser.trace(act)
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}.${tid}`),
  )
  const tasks = events.filter(
    ({ ph, name, pid, tid }) => ph === 'X' && name === 'ThreadControllerImpl::RunTask' && mains.has(`${pid}.${tid}`),
  )
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000
}

function median(visits) {
  const by = visits.sort((one, other) => (one.until ?? one.before).ms - (other.until ?? other.before).ms)
  return by[by.length >> 1]
}

function print(rows, browser, repeat) {
  const number = (value) => Math.round(value).toLocaleString('en-US')
  console.log(
    `Commit ${ask('git', ['rev-parse', '--short', 'HEAD'])}; ${cpus()[0].model}, ${cpus().length} cores; ${browser.version}; processor ${SLOWER} × slower; median of ${repeat} visits.`,
  )
  console.log(
    '| chat | before it is opened: bytes (brotli) | requests | main thread, ms | until the first answer: bytes | requests | main thread, ms |',
  )
  console.log('| --- | --: | --: | --: | --: | --: | --: |')
  for (const { name, before, until } of rows) {
    const version = PEERS[name] ? ` ${PEERS[name]}` : ''
    const cells = [before, until].flatMap((part) =>
      part ? [part.bytes, part.requests, part.ms].map(number) : ['', '', ''],
    )
    console.log(`| ${name}${version} | ${cells.join(' | ')} |`)
  }
}

await main(bench)
