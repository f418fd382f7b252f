// `shots [NAME…]`: pictures of the widget's states, in target/shots. They are for looking at, not compared with anything.
import { chromium } from '../setup/chromium.mjs'
import { nodeModules } from '../setup/npm.mjs'
import { at, handOver, step } from '../shell.mjs'

export default async function shots(names) {
  await nodeModules()
  process.env.PINPACK_CHROMIUM = (await chromium()).chromium
  const code = await handOver(process.execPath, [
    '--experimental-strip-types',
    at('tests', 'e2e', 'shots.ts'),
    ...names,
  ])
  if (code === 0) step('the pictures are in target/shots; sheet-light.png and sheet-dark.png show them all')
  return code
}
