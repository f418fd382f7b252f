// `build`: sets up, then makes dist/.
import { build } from '../build/index.mjs'
import { setUpBuild } from '../setup/index.mjs'

export default async function task() {
  await setUpBuild()
  await build()
}
