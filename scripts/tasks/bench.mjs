// `bench`: builds, then runs benches/run.mjs, or with `page` or `cli` benches/page.mjs or benches/cli.mjs, with the arguments given.
import { build } from '../build/index.mjs'
import { setUpBuild } from '../setup/index.mjs'
import { at, handOver } from '../shell.mjs'

export default async function bench(args) {
  await setUpBuild()
  await build()
  const [script, rest] = ['page', 'cli'].includes(args[0]) ? [`${args[0]}.mjs`, args.slice(1)] : ['run.mjs', args]
  return await handOver(process.execPath, [at('benches', script), ...rest])
}
