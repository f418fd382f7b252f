// The adapter for the shared benchmark harness. `run.mjs` copies it there and gives 'pinpack' and the assets their places.
import { open } from 'pinpack'

export const meta = { options: 'ids from kb.rank, English', includesText: true, assets: ['pinpack_bg.wasm'] }

const node = globalThis.process?.getBuiltinModule?.('node:fs')
/** The network's part: bytes in memory. */
const engine = node ? node.readFileSync(meta.assets[0]) : undefined

let module

/** One ready-made section a document, its title in front; token counting is part of the build. */
export async function build(corpus) {
  const { build } = await import('pinpack/build')
  const lines = corpus.map((document) => JSON.stringify(document)).join('\n')
  const files = [{ path: 'corpus.jsonl', bytes: new TextEncoder().encode(lines) }]
  const config = '[site]\nurl_style = "none"\n[sources]\ninclude = []\njsonl = "corpus.jsonl"\n[pinned]\ninclude = []\n'
  return (await build(files, config)).blob
}

export async function init() {
  module = await (engine ? WebAssembly.compile(engine) : WebAssembly.compileStreaming(fetch(globalThis.__asset('pinpack_bg.wasm'))))
}

export const load = (bytes) => open(bytes, { wasm: module })

export function search(kb, text, k) {
  return kb.rank([{ role: 'user', content: text }], { limit: k }).map((hit) => hit.ref)
}
