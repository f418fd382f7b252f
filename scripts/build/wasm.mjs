// One wasm file and its JavaScript glue: cargo → wasm-bindgen → wasm-opt, into www/wasm/<name>/.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask, at, must, paint, step } from '../shell.mjs'

const TARGET = 'wasm32-unknown-unknown'
const PROFILE = 'wasm'

/** What rustc emits for the target, and every browser since 2022 reads. SIMD is not among them. */
export const WASM_FEATURES = [
  '--mvp-features',
  '--enable-mutable-globals',
  '--enable-sign-ext',
  '--enable-bulk-memory',
  '--enable-bulk-memory-opt',
  '--enable-nontrapping-float-to-int',
  '--enable-multivalue',
  '--enable-reference-types',
]

const BINDGEN = [
  ['--target', 'web', '--out-name', 'pinpack', '--remove-producers-section'],
  // www/engine.ts says where the wasm is.
  '--omit-default-module-path',
  // After a trap, www/engine.ts puts a new instance behind the glue.
  '--experimental-reset-state-function',
].flat()
/** Puts another module behind the glue: www/engine.ts goes from the small engine to the one with all languages. */
const USE_MODULE =
  '\nexport function __wbg_use_module(module) {\n    wasmModule = module;\n    __wbg_reset_state();\n}\n'
const USE_MODULE_TYPE = '\nexport function __wbg_use_module(module: WebAssembly.Module): void;\n'
const OPT = [...WASM_FEATURES, '--strip-debug', '--strip-producers', '--strip-target-features']
/** For what visitors download, by size after brotli. Rust puts its stack below all data, so nothing lies in the first 1,024 bytes. */
export const SMALL = [
  ...['--flatten', '--dfo', '--rereloop', '--simplify-locals', '--reorder-locals', '-Oz', '-Oz', '-Oz', '--converge'],
  // A function with one caller becomes part of it only when it is small; functions of like names lie side by side.
  ...['--one-caller-inline-max-function-size=30', '--reorder-functions-by-name', '--low-memory-unused'],
]
/** A better level would take minutes. */
export const QUICK = ['-O1']

/**
 * Makes `www/wasm/<name>/pinpack.js`, `pinpack.d.ts` and `pinpack_bg.wasm`, when the compiled wasm has changed.
 * `level` is wasm-opt's passes: `SMALL` for what visitors download, `QUICK` for what only Node runs, which is 8 MB.
 */
export async function buildWasm(name, features, level) {
  const options = { profile: PROFILE, target: TARGET, 'target-dir': at('target'), features: features.join(',') }
  const args = [
    'build',
    '--lib',
    '--quiet',
    '--no-default-features',
    ...Object.entries(options).flatMap(([key, value]) => [`--${key}`, value]),
  ]
  await must('cargo', args, { show: true })
  const compiled = await readFile(at('target', TARGET, PROFILE, 'pinpack.wasm'))
  const stamp = fingerprint(compiled, level)
  const out = at('www', 'wasm', name)
  if (existsSync(join(out, 'pinpack_bg.wasm')) && (await stampOf(out)) === stamp) return

  step(`making the ${name} wasm ${paint.dim(`(${features.join(', ')})`)}`)
  const draft = `${out}.${process.pid}`
  await mkdir(draft, { recursive: true })
  await writeFile(join(draft, 'compiled.wasm'), compiled)
  await must('wasm-bindgen', [join(draft, 'compiled.wasm'), ...BINDGEN, '--out-dir', draft])
  const bound = join(draft, 'pinpack_bg.wasm')
  if (level === SMALL) await must(process.execPath, [at('scripts', 'build', 'panics.mjs'), bound, bound])
  await must(process.execPath, [
    at('node_modules', 'binaryen', 'bin', 'wasm-opt'),
    ...OPT,
    ...level,
    bound,
    '-o',
    bound,
  ])
  await appendFile(join(draft, 'pinpack.js'), USE_MODULE)
  await appendFile(join(draft, 'pinpack.d.ts'), USE_MODULE_TYPE)
  await rm(join(draft, 'compiled.wasm'))
  await writeFile(join(draft, '.stamp'), stamp)
  await rm(out, { recursive: true, force: true })
  await rename(draft, out)
}

/** Stands for the compiled wasm, the tools and their options. */
function fingerprint(compiled, level) {
  const panics = readFileSync(at('scripts', 'build', 'panics.mjs'), 'utf8')
  const tools = [ask('wasm-bindgen', ['--version']), BINDGEN, USE_MODULE, OPT, level, panics]
  return createHash('sha256').update(compiled).update(JSON.stringify(tools)).digest('hex')
}

const stampOf = (out) => readFile(join(out, '.stamp'), 'utf8').catch(() => undefined)
