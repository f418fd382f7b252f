// What a visitor downloads, measured with brotli 11 and held to the budgets of package.json. Each budget counts as one check.
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { WASM_FEATURES } from './build/wasm.mjs'
import { at, main, must } from './shell.mjs'
import { align } from './test/table.mjs'

const TAG = at('dist', 'tag')
const WASM = at('dist', 'pinpack_bg.wasm')
const LANGUAGES = at('dist', 'pinpack_languages_bg.wasm')

/** Prints the table; resolves to `{ passed, failed, skipped }`. */
export async function sizes() {
  const { sizeBudgets } = JSON.parse(await readFile(at('package.json'), 'utf8'))
  const wasm = await measure('query wasm', await readFile(WASM))
  const glue = await measure('its glue', await minified(at('www', 'wasm', 'query', 'pinpack.js')))
  const languages = await measure('query wasm with all languages', await readFile(LANGUAGES))
  const { files, rare: rareFiles } = JSON.parse(await readFile(join(TAG, 'files.json'), 'utf8'))
  const scripts = await Promise.all(files.map(async (name) => await measure(name, await readFile(join(TAG, name)))))
  const { always, words, rare } = sorted(scripts, rareFiles)
  const rows = [
    wasm,
    glue,
    sum('query wasm with its glue', [wasm, glue], sizeBudgets.queryWasm),
    languages,
    sum('query wasm with all languages, with its glue', [languages, glue], sizeBudgets.languagesWasm),
    ...always,
    sum('on the page before the chat is opened', always.filter(isFirst), sizeBudgets.tag),
    ...words,
    sum('all that one visitor loads before the blob', [wasm, ...always, ...words.slice(0, 1)], sizeBudgets.visitor),
    ...rare.map(({ name, bytes }) => ({ name: `${name} (where it is used)`, bytes })),
  ]
  print(rows)
  const simd = (await usesSimd(WASM)) ?? (await usesSimd(LANGUAGES))
  if (simd) console.error(`a query wasm needs more than the features that every browser reads:\n${simd}`)
  const failed = rows.filter(({ bytes, budget }) => bytes > budget).length + (simd ? 1 : 0)
  return { passed: 5 - failed, failed, skipped: 0 }
}

/** The words of one language: a page loads those of its own, or none. */
const WORDS = /^pinpack-words-/
const isFirst = ({ name }) => /^pinpack(?:-launcher-\w+)?\.js$/.test(name)

/** Scripts that every visitor loads; one for each language, the largest first; those of rare uses. */
function sorted(scripts, rareFiles) {
  const rare = scripts.filter(({ name }) => rareFiles.includes(name))
  const words = scripts.filter(({ name }) => WORDS.test(name)).sort((one, other) => other.bytes - one.bytes)
  return { always: scripts.filter((script) => !rare.includes(script) && !words.includes(script)), words, rare }
}

async function measure(name, content) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  return { name: basename(name), bytes: (await promisify(brotliCompress)(content, { params })).length }
}

const sum = (name, parts, budget) => ({ name, bytes: parts.reduce((all, { bytes }) => all + bytes, 0), budget })

async function minified(path) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  })
  return outputFiles[0].contents
}

function print(rows) {
  const number = (bytes) => bytes.toLocaleString('en-US')
  const cells = rows.map(({ name, bytes, budget }) => [
    name,
    number(bytes),
    budget ? number(budget) : '',
    budget === undefined
      ? ''
      : bytes > budget
        ? `over by ${number(bytes - budget)}`
        : `${Math.round((bytes / budget) * 100)}%`,
  ])
  for (const line of align([['bytes, brotli', 'size', 'budget', ''], ...cells], (row) => row[3].startsWith('over')))
    console.log(line)
}

/** The validator's complaint when a wasm needs SIMD, threads or anything else beyond `WASM_FEATURES`. */
async function usesSimd(wasm) {
  const args = [...WASM_FEATURES, '--disable-simd', wasm, '-o', process.platform === 'win32' ? 'NUL' : '/dev/null']
  return await must(process.execPath, [at('node_modules', 'binaryen', 'bin', 'wasm-opt'), ...args]).then(
    () => undefined,
    (error) => error.message,
  )
}

if (process.argv[1] === import.meta.filename) await main(async () => ((await sizes()).failed > 0 ? 1 : 0))
