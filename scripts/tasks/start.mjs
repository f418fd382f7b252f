// `start`: builds, then serves the demo site as `pinpack dev` does. Further arguments go to `pinpack dev`.
import { build } from '../build/index.mjs'
import { setUpBuild } from '../setup/index.mjs'
import { at, handOver } from '../shell.mjs'

export default async function start(args) {
  await setUpBuild()
  await build()
  return await handOver(process.execPath, [at('dist', 'cli.js'), 'dev', at('www', 'demo'), ...args])
}
