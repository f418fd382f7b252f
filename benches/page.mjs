// The longest task of a page's main thread while it loads 5,000 sections, on a slow processor: `npm run bench -- page`.
import { createServer } from 'node:http'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { chromium as findChromium } from '../scripts/setup/chromium.mjs'
import { ask, Failure, main } from '../scripts/shell.mjs'
import { bigSite, CONFIG } from './big-site.mjs'
import { launchBrowser } from './cdp.mjs'

/** How many times slower than this machine the page is; the longest task that a visitor does not feel, in milliseconds. */
const [SLOWER, BAR_MS] = [4, 50]
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Big</title><link rel="icon" href="data:,">
<h1>Big</h1><script type="module" src="/pinpack/pinpack.js"></script></html>`
const TYPES = { js: 'text/javascript', json: 'application/json', wasm: 'application/wasm' }

async function bench() {
  const { repeat } = options()
  const { build, outputFiles } = await import('../dist/build.js')
  const files = Object.entries(bigSite()).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const result = await build(files, CONFIG)
  const served = await serve(await outputFiles(result))
  const browser = await launchBrowser((await findChromium()).chromium)
  const visits = []
  try {
    for (let visit = 0; visit < repeat; visit++) visits.push(await measure(browser, served))
  } finally {
    await browser.close()
    served.close()
  }
  print(result, browser, visits)
  return 0
}

function options() {
  try {
    const { values } = parseArgs({ options: { repeat: { type: 'string', default: '7' } } })
    if (/^[1-9]\d*$/.test(values.repeat)) return { repeat: Number(values.repeat) }
  } catch {}
  throw new Failure('options: --repeat N, 1 or more')
}

/** Serves the files. `hold` lets the next requests for `pinpack.json` wait until `release`. */
async function serve(files) {
  let [held, release] = [Promise.resolve(), () => {}]
  const hold = () => {
    held = new Promise((resolve) => {
      release = resolve
    })
  }
  const server = createServer(async (request, response) => {
    if (request.url.endsWith('pinpack.json')) await held
    const name = request.url.replace('/pinpack/', '')
    const body = request.url === '/' ? PAGE : files.get(name)
    const type = request.url === '/' ? 'text/html' : (TYPES[name.split('.').at(-1)] ?? 'application/octet-stream')
    response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}/`, hold, release: () => release(), close }
}

/**
 * One visit in two parts: the panel is opened while the server holds `pinpack.json` back, then the knowledge base is loaded. Of each
 * part the tasks, longest first.
 */
async function measure(browser, site) {
  const page = await browser.page()
  site.hold()
  await page.goto(site.url)
  await page.until(`Boolean(${PART}?.querySelector('.launcher'))`)
  const [x, y] = await page.evaluate(
    `(({ x, y }) => [x + 20, y + 20])(${PART}.querySelector('.launcher').getBoundingClientRect())`,
  )
  await page.slow(SLOWER)
  const panel = await traced(browser, async () => {
    await page.click(x, y)
    await page.until(`${PART}.activeElement?.tagName === 'TEXTAREA'`)
    await page.type('who is that?')
  })
  const loading = await traced(browser, async () => {
    site.release()
    await page.until(`performance.getEntriesByType('resource').some(({ name }) => name.endsWith('.pinpack'))`)
  })
  await page.close()
  return { panel, loading }
}

const PART = `document.querySelector('pinpack-chat')?.shadowRoot`

async function traced(browser, act) {
  const events = await browser.trace(async () => {
    await act()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  })
  return tasksOf(events)
}

/**
 * Tasks of the page's main thread in a trace, longest first, each with the events in it that took longest. Times are those of the
 * thread's own clock, in milliseconds: other work of the machine is not in them, the slowing is.
 */
function tasksOf(events) {
  const isMain = ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain'
  const mains = new Set(events.filter(isMain).map(({ pid, tid }) => `${pid}.${tid}`))
  const spans = events.filter(({ ph, tdur, pid, tid }) => ph === 'X' && tdur > 0 && mains.has(`${pid}.${tid}`))
  const inside = (task) => (span) =>
    span !== task && span.pid === task.pid && span.ts >= task.ts && span.ts + span.dur <= task.ts + task.dur
  return spans
    .filter(({ name }) => name === 'ThreadControllerImpl::RunTask')
    .sort((one, other) => other.tdur - one.tdur)
    .slice(0, 5)
    .map((task) => ({
      ms: task.tdur / 1000,
      wallMs: task.dur / 1000,
      holds: longest(spans.filter(inside(task)), task),
    }))
}

const longest = (spans, task) =>
  spans
    .filter(({ name, tdur }) => !/RunTask|Scheduler|SimpleWatcher|Connector/.test(name) && tdur > task.tdur / 20)
    .sort((one, other) => other.tdur - one.tdur)
    .slice(0, 6)
    .map(({ name, tdur, args }) => {
      const { functionName = '', url = '', fileName = '' } = { ...args, ...args?.data }
      const where = (url || fileName).split('/').at(-1)
      return `${[name, functionName, where].filter(Boolean).join(' ')} ${(tdur / 1000).toFixed(1)} ms`
    })

function print({ blob, knowledge }, browser, visits) {
  const text = knowledge.sections.reduce((sum, section) => sum + Buffer.byteLength(section.text), 0)
  const [raw, packed] = [blob.length / text, gzipSync(blob).length / text]
  const commit = ask('git', ['rev-parse', '--short', 'HEAD'])
  console.log(`Commit ${commit}; ${cpus()[0].model}, ${cpus().length} cores; ${browser.version}.`)
  console.log(
    `${knowledge.sections.length} sections, ${(text / 1e6).toFixed(2)} MB of text; blob ${raw.toFixed(2)} × the text, gzipped ${packed.toFixed(2)} ×.`,
  )
  console.log(`Longest task of the main thread, processor ${SLOWER} × slower, ${visits.length} visits:`)
  for (const [part, name] of [
    ['panel', 'opening the panel'],
    ['loading', 'loading the knowledge base'],
  ]) {
    const parts = visits.map((visit) => visit[part]).sort(([one], [other]) => one.ms - other.ms)
    const middle = parts[parts.length >> 1]
    const all = parts.map(([{ ms }]) => ms.toFixed(1)).join(', ')
    const judged = middle[0].ms < BAR_MS ? 'met' : 'not met'
    console.log(`\n${name}: median ${middle[0].ms.toFixed(1)} ms (bar ${BAR_MS} ms: ${judged}); all ${all}`)
    for (const { ms, wallMs, holds } of middle.slice(0, 4))
      console.log(
        `  ${ms.toFixed(1)} ms, ${wallMs.toFixed(1)} by the wall: ${holds.join(', ') || 'nothing that is traced'}`,
      )
  }
}

await main(bench)
