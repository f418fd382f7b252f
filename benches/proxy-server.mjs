// The proxy under load, in a process of its own. Arguments: the upstream's address, sections. Answers 'memory' with what is used after a
// collection of garbage (run it with --expose-gc).
import { modelFromEnv } from 'pinpack/proxy'
import { serve } from 'pinpack/proxy/node'

const [upstream, count] = process.argv.slice(2)

const sections = Array.from({ length: Number(count) }, (_, id) => {
  const text = `Section ${id} says what it says in some sixty words, as sections of real sites do. `.repeat(4).trim()
  return {
    id,
    ref: `p.md#${id}`,
    title: `Part ${id}`,
    path: [`Part ${id}`],
    url: `/p#${id}`,
    tokens: 90,
    label: `Part ${id}`,
    text,
  }
})
const { url } = await serve({
  port: 0,
  origins: ['https://site.example'],
  model: modelFromEnv({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream}/v1`, PINPACK_MODEL: 'm' }),
  knowledge: {
    ...{ hash: '0'.repeat(32), budget: 3700, floor: 2950, encoding: 'o200k_base', language: 'en', site: 'Load' },
    prompt: { assistant: '', contact: '', refusal: '', language: '' },
    ...{ pinned: [0, 1, 2], sections },
  },
  limits: {
    ...{ addressMinute: 1e6, addressDay: 1e6, addressOpen: 1e6, open: 1e6 },
    ...{ dayCalls: 1e9, dayTokens: 1e9, minuteTokens: 1e9 },
  },
})
process.send({ url })
process.on('message', () => {
  globalThis.gc()
  const { heapUsed, rss, external } = process.memoryUsage()
  process.send({ heapUsed, rss, external, cpu: process.cpuUsage() })
})
