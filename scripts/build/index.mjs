// Rust → wasm → ES modules → types: all of dist/.
import { Failure, paint, step } from '../shell.mjs'
import { bundlePackage, bundleTag } from './bundles.mjs'
import { declareTypes } from './types.mjs'
import { buildWasm, QUICK, SMALL } from './wasm.mjs'

export async function build() {
  const started = performance.now()
  await buildWasm('query', ['wasm'], SMALL)
  await buildWasm('build', ['wasm', 'build'], QUICK)
  const parts = await Promise.allSettled([bundlePackage(), bundleTag(), declareTypes()])
  const failed = parts.filter(({ status }) => status === 'rejected').map(({ reason }) => reason.message)
  if (failed.length > 0) throw new Failure(`dist/ is not complete: ${failed.join('\n')}`)
  step(`built dist/ ${paint.dim(`in ${((performance.now() - started) / 1000).toFixed(1)} s`)}`)
}
