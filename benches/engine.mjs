// The wasm engine alone, without the public interface around it: what that interface costs is the difference to
// `adapter.mjs`. Ids become refs by a table, as they do in the harness's floor-js.
import { Engine, initSync } from 'pinpack/engine'

export { build } from './pinpack.mjs'

export const meta = {
  options: 'the engine without the public interface',
  includesText: true,
  assets: ['pinpack_bg.wasm'],
}

const wasm = globalThis.process?.getBuiltinModule?.('node:fs').readFileSync(meta.assets[0])

let module

export async function init() {
  module = wasm
    ? new WebAssembly.Module(wasm)
    : await WebAssembly.compileStreaming(fetch(globalThis.__asset('pinpack_bg.wasm')))
}

export function load(bytes) {
  initSync({ module })
  return { engine: Engine.open(bytes), refs: [] }
}

export function search({ engine, refs }, text, k) {
  const pairs = engine.rank(`u${text}`, k)
  const found = []
  for (let at = 0; at < pairs.length; at += 2) {
    const id = pairs[at]
    refs[id] ??= engine.reference(id)
    found.push(refs[id])
  }
  return found
}
