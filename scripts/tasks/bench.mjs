// `bench`: builds, then runs benches/run.mjs, or with `page`, `cli`, `proxy` or `widgets` the file of that name, with the arguments
// given.
import { build } from '../build/index.mjs'
import { setUpBuild } from '../setup/index.mjs'
import { at, handOver } from '../shell.mjs'

export default async function bench(args) {
  await setUpBuild()
  await build()
  const named = ['page', 'cli', 'proxy', 'widgets'].includes(args[0])
  const [script, rest] = named ? [`${args[0]}.mjs`, args.slice(1)] : ['run.mjs', args]
  return await handOver(process.execPath, [at('benches', script), ...rest])
}
