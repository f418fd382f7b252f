// `setup`: everything that the other tasks use, so that they can run offline afterwards.
import { setUpBuild, setUpTests } from '../setup/index.mjs'

export default async function setup() {
  await setUpBuild()
  await setUpTests()
  console.log('ready')
}
