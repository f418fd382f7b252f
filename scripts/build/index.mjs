// Rust → wasm → ES modules → types: all of dist/.
import { paint, step } from '../shell.mjs'
import { bundlePackage, bundleTag } from './bundles.mjs'
import { declareTypes } from './types.mjs'
import { buildWasm } from './wasm.mjs'

export async function build() {
  const started = performance.now()
  await buildWasm('query', ['wasm'])
  await buildWasm('build', ['wasm', 'build'])
  await Promise.all([bundlePackage(), bundleTag(), declareTypes()])
  step(`built dist/ ${paint.dim(`in ${((performance.now() - started) / 1000).toFixed(1)} s`)}`)
}
