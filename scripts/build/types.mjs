// dist/types: the declarations that package.json's exports name.
import { rm } from 'node:fs/promises'
import { at, must } from '../shell.mjs'

export async function declareTypes() {
  await rm(at('dist', 'types'), { recursive: true, force: true })
  await must('tsc', ['--project', at('tsconfig.types.json')])
}
