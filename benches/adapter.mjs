// pinpack in the comparison: the public interface, as a page uses it. `run.mjs` puts it among the harness's adapters
// and says there where 'pinpack', 'pinpack/build' and the wasm file are.
import { open } from 'pinpack'

export const meta = {
  options: 'kb.rank, English: stems, stop words; the index holds the texts',
  includesText: true,
  assets: ['pinpack_bg.wasm'],
}

/** What the network brings, in memory before the clock starts. Absent in a browser, where `init` streams it. */
const wasm = globalThis.process?.getBuiltinModule?.('node:fs').readFileSync(meta.assets[0])

const CONFIG = `
[site]
url_style = "none"
[sources]
include = []
jsonl = "corpus.jsonl"
[pinned]
include = []
`

/** One ready-made section for each document. Counting tokens is part of it. */
export async function build(corpus) {
  const { build } = await import('pinpack/build')
  const lines = corpus.map((document) => JSON.stringify(document)).join('\n')
  const { blob } = await build([{ path: 'corpus.jsonl', bytes: new TextEncoder().encode(lines) }], CONFIG)
  return blob
}

let engine = wasm

export async function init() {
  engine ??= await WebAssembly.compileStreaming(fetch(globalThis.__asset('pinpack_bg.wasm')))
}

/** In an object of its own: the harness takes an engine's `stats` for a function. */
export async function load(bytes) {
  return { kb: await open(bytes, { wasm: engine }) }
}

export function search({ kb }, text, k) {
  return kb.rank([{ role: 'user', content: text }], { limit: k }).map(({ ref }) => ref)
}
