// Rust → wasm → ES modules → types: all of dist/.

import { readFile } from 'node:fs/promises'
import { at, Failure, paint, step } from '../shell.mjs'
import { bundlePackage, bundleTag } from './bundles.mjs'
import { declareTypes } from './types.mjs'
import { buildWasm, QUICK, SMALL } from './wasm.mjs'

export async function build() {
  const started = performance.now()
  await buildWasm('query', ['wasm'], SMALL)
  await buildWasm('languages', ['wasm', 'languages'], SMALL)
  await refuseTwoGlues()
  await buildWasm('build', ['wasm', 'build'], QUICK)
  const parts = await Promise.allSettled([bundlePackage(), bundleTag(), declareTypes()])
  const failed = parts.filter(({ status }) => status === 'rejected').map(({ reason }) => reason.message)
  if (failed.length > 0) throw new Failure(`dist/ is not complete: ${failed.join('\n')}`)
  step(`built dist/ ${paint.dim(`in ${((performance.now() - started) / 1000).toFixed(1)} s`)}`)
}

/** Both query engines run behind the glue of the small one. */
async function refuseTwoGlues() {
  const [one, other] = await Promise.all(
    ['query', 'languages'].map((name) => readFile(at('www', 'wasm', name, 'pinpack.js'), 'utf8')),
  )
  if (one !== other)
    throw new Failure('the two query engines have glues that differ: src/wasm.rs must bind the same in both')
}
