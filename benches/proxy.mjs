// `npm run bench -- proxy`: many streams at once through the proxy, from a stand-in for a model, all on loopback.
//
//   --streams 500   open at once      --seconds 60   how long new ones are opened
//   --words 20      in an answer      --every 250    milliseconds between two words
//
// Prints streams lost or mixed, the memory of the proxy before and after, and how much later the first word comes than
// from the upstream directly: pairs of requests in the same run, one directly after the other, alone and under the load.
// Exits with 1 when a stream was lost or mixed.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { ask, at } from '../scripts/shell.mjs'

const numbers = (defaults) => {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: String(value) }]),
  )
  const { values } = parseArgs({ options })
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]))
}
const { streams, seconds, words, every } = numbers({ streams: 500, seconds: 60, words: 20, every: 250 })
const PAIRS = 200
/** Pairs a second under the load. */
const PAIRS_EACH_SECOND = 4

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const start = async (file, args, execArgv = []) => {
  const child = fork(at('benches', file), args.map(String), { execArgv })
  const [said] = await once(child, 'message')
  return { child, ...said }
}
const upstream = await start('proxy-upstream.mjs', [words, every])
const direct = `http://127.0.0.1:${upstream.port}`
const proxy = await start('proxy-server.mjs', [direct, 60], ['--expose-gc'])

const wantedText = (name) => Array.from({ length: words }, (_, n) => `${name}.${n} `).join('')
const asking = (name) => [{ role: 'user', content: `Say name:${name}` }]
const viaProxy = (name, first) =>
  stream(
    `${proxy.url}/chat`,
    { hash: '0'.repeat(32), sections: [10, 20, 30, 40, 50], messages: asking(name) },
    ({ delta }) => delta,
    first,
  )
const viaUpstream = (name, first) =>
  stream(
    `${direct}/v1/chat/completions`,
    { messages: asking(name) },
    ({ choices }) => choices?.[0]?.delta?.content,
    first,
  )

/** One answer: its text, when the first word came, and whether it ended as it should. With `first` it is left after that word. */
function stream(url, body, textOf, first = false) {
  const from = performance.now()
  return new Promise((resolve) => {
    let rest = ''
    const got = { text: '', firstMs: undefined, whole: false, error: undefined }
    const read = (event) => {
      if (event === 'data: [DONE]') got.whole = true
      if (!event.startsWith('data: {')) return
      const text = textOf(JSON.parse(event.slice(6)))
      if (typeof text !== 'string') return
      got.firstMs ??= performance.now() - from
      got.text += text
      if (first) sent.destroy(new Error('enough'))
    }
    const end = (error) => resolve({ ...got, error })
    const headers = { 'content-type': 'application/json', origin: 'https://site.example' }
    const sent = request(url, { method: 'POST', headers, agent }, (response) => {
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        const events = (rest + chunk).split('\n\n')
        rest = events.pop()
        events.forEach(read)
      })
      response.on('end', () => end(response.statusCode === 200 ? undefined : `status ${response.statusCode}`))
      response.on('error', (error) => end(error.message))
    })
    sent.on('error', (error) => end(error.message))
    sent.end(JSON.stringify(body))
  })
}

const counts = { streams: 0, lost: 0, mixed: 0, errors: new Map() }
async function judged(name, answer) {
  const { text, whole, error } = await answer
  counts.streams++
  if (error) counts.errors.set(error, (counts.errors.get(error) ?? 0) + 1)
  if (text.replaceAll(new RegExp(`${name}\\.\\d+ `, 'g'), '') !== '') counts.mixed++
  if (!whole || text !== wantedText(name)) counts.lost++
}

let next = 0
async function visitor(untilMs) {
  while (performance.now() < untilMs) {
    const name = `v${next++}`
    await judged(name, viaProxy(name))
  }
}

/** Pairs of requests, directly and through the proxy, in turns which is first; the difference of each pair. */
async function pairs(count, everyMs = 0) {
  const differences = []
  const directs = []
  for (let n = 0; n < count; n++) {
    const both = [viaUpstream, viaProxy]
    const times = new Map()
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs))
    for (const way of n % 2 ? both : both.toReversed()) times.set(way, (await firstOf(way, `p${next++}`)) ?? Number.NaN)
    directs.push(times.get(viaUpstream))
    differences.push(times.get(viaProxy) - times.get(viaUpstream))
  }
  return { added: differences.sort((a, b) => a - b), direct: directs.sort((a, b) => a - b) }
}
const firstOf = async (way, name) => {
  const answer = await way(name, true)
  return answer.firstMs
}

const memory = async () => {
  proxy.child.send('memory')
  return (await once(proxy.child, 'message'))[0]
}
const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]
const ms = (value) => `${value.toFixed(2)} ms`
const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

async function load(forSeconds) {
  const until = performance.now() + forSeconds * 1000
  const open = []
  for (let n = 0; n < streams; n++) {
    open.push(visitor(until))
    // Visitors do not come in one instant: they spread over one answer's time.
    await new Promise((resolve) => setTimeout(resolve, (words * every) / streams))
  }
  return Promise.all(open)
}

console.log(
  `${streams} streams for ${seconds} s, ${words} words ${every} ms apart; ${cpus()[0].model}, ${availableParallelism()} threads, Node ${process.version}, commit ${ask('git', ['rev-parse', '--short', 'HEAD'])}`,
)
await load(5)
counts.streams = 0
const quiet = await pairs(PAIRS)
const before = await memory()
const running = load(seconds)
const underLoad = await pairs(seconds * PAIRS_EACH_SECOND, 1000 / PAIRS_EACH_SECOND)
await running
await new Promise((resolve) => setTimeout(resolve, 2000))
const after = await memory()
const cpu = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1000

console.log(`streams     ${counts.streams} through the proxy, ${counts.lost} lost, ${counts.mixed} mixed`)
for (const [error, count] of counts.errors) console.log(`            ${count} × ${error}`)
for (const [name, { added, direct }] of [
  ['alone', quiet],
  ['under load', underLoad],
]) {
  const [p50, p95] = [0.5, 0.95].map((q) => ms(quantile(added, q)))
  console.log(
    `first word  ${name}: ${p50} later than directly (p95 ${p95}; directly ${ms(quantile(direct, 0.5))}), ${added.length} pairs`,
  )
}
console.log(
  `memory      heap ${mb(before.heapUsed)} before, ${mb(after.heapUsed)} after; resident ${mb(before.rss)}, ${mb(after.rss)}`,
)
console.log(`processor   ${ms(cpu / counts.streams)} of the proxy for each answer`)

agent.destroy()
upstream.child.kill()
proxy.child.kill()
process.exitCode = counts.lost + counts.mixed > 0 ? 1 : 0
