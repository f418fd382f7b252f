// `bench`: builds, then runs benches/run.mjs with the arguments given.
import { build } from '../build/index.mjs'
import { setUpBuild } from '../setup/index.mjs'
import { at, handOver } from '../shell.mjs'

export default async function bench(args) {
  await setUpBuild()
  await build()
  return await handOver(process.execPath, [at('benches', 'run.mjs'), ...args])
}
