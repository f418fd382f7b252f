// Set-up: each step looks whether there is something to do, and is silent when there is not.
import { chromium } from './chromium.mjs'
import { nodeModules } from './npm.mjs'
import { redis } from './redis.mjs'
import { rust, wasmBindgen, wasmPack } from './rust.mjs'

/** Everything a build needs. */
export async function setUpBuild() {
  await nodeModules()
  await rust()
  await wasmBindgen()
}

/** Everything the tests need beyond that. Resolves to the browser: `{ chromium, chromedriver }`. */
export async function setUpTests() {
  await wasmPack()
  await redis()
  return await chromium()
}
