// dist/types: the declarations that package.json's exports name.
import { rm } from 'node:fs/promises'
import { at, run } from '../shell.mjs'

/** Type errors are shown and do not stop a build, so that work can be looked at while it is under way; the `types` step of the tests fails on them. */
export async function declareTypes() {
  await rm(at('dist', 'types'), { recursive: true, force: true })
  await run('tsc', ['--project', at('tsconfig.types.json')], { show: true })
}
