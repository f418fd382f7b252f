// The steps of `npm test`, in their order. Each shows its runner's output and resolves to `{ passed, failed, skipped }`.
import { mkdir, rm } from 'node:fs/promises'
import { build } from '../build/index.mjs'
import { at, run } from '../shell.mjs'
import { sizes } from '../size.mjs'
import { check, rustCounts, vitestCounts } from './counts.mjs'
import { nativePacks } from './native.mjs'
import { webdriverConfig } from './webdriver.mjs'

const shown = { show: true }
const lint = (program, args) => async () => check((await run(program, args, shown)).code)

export const STEPS = [
  { name: 'build', run: async () => await build().then(() => check(0)) },
  { name: 'format', run: lint('cargo', ['fmt', '--all', '--check']) },
  {
    name: 'clippy',
    run: lint('cargo', ['clippy', '--workspace', '--all-targets', '--all-features', '--quiet', '--', '-D', 'warnings']),
  },
  { name: 'biome', run: lint('biome', ['check', '.']) },
  { name: 'types', needsBuild: true, run: lint('tsc', ['--project', at('tsconfig.json')]) },
  { name: 'cargo', run: cargoTest },
  { name: 'wasm', browser: true, run: wasmTest },
  { name: 'vitest', needsBuild: true, browser: true, run: vitest },
  { name: 'publint', needsBuild: true, run: lint('publint', ['--strict']) },
  { name: 'size', needsBuild: true, run: sizes },
]

async function cargoTest({ rest }) {
  const args = ['test', '--workspace', '--all-features', '--no-fail-fast', ...rest]
  const { code, output } = await run('cargo', args, shown)
  return rustCounts(code, output)
}

/** The Rust tests that need a browser: tests/wasm.rs. */
async function wasmTest({ browser, rest }) {
  const args = ['test', '--headless', '--chrome', '--chromedriver', browser.chromedriver, '--mode', 'no-install']
  const env = {
    WASM_BINDGEN_TEST_WEBDRIVER_JSON: await webdriverConfig(browser),
    WASM_BINDGEN_TEST_TIMEOUT: '120',
    PINPACK_NATIVE_PACKS: await nativePacks(),
  }
  const { code, output } = await run(
    'wasm-pack',
    [...args, '--', '--no-default-features', '--features', 'wasm', '--test', 'wasm', ...rest],
    {
      ...shown,
      env,
    },
  )
  return rustCounts(code, output)
}

async function vitest({ browser, rest }) {
  const report = at('target', 'vitest.json')
  await mkdir(at('target'), { recursive: true })
  await rm(report, { force: true })
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...rest]
  const { code } = await run('vitest', args, { ...shown, env: { PINPACK_CHROMIUM: browser.chromium } })
  return await vitestCounts(code, report)
}
