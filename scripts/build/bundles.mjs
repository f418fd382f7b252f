// The JavaScript of dist/: the npm package's modules, and the script-tag bundle in dist/tag/.

import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { at, ROOT } from '../shell.mjs'

const DIST = at('dist')
const TAG = at('dist', 'tag')

/** One module of dist/ for each line: its name, and the source that it is made from. */
const PACKAGE = {
  index: 'www/index.ts',
  build: 'www/build.ts',
  proxy: 'www/proxy/index.ts',
  'proxy-node': 'www/proxy/node.ts',
  'proxy-redis': 'www/proxy/redis.ts',
  widget: 'www/widget/index.ts',
  cli: 'www/cli/index.ts',
}

const QUERY_WASM = at('www', 'wasm', 'query', 'pinpack_bg.wasm')
const LANGUAGES_WASM = at('www', 'wasm', 'languages', 'pinpack_bg.wasm')
const BUILD_WASM = at('www', 'wasm', 'build', 'pinpack_bg.wasm')

const COMMON = {
  ...{ absWorkingDir: ROOT, bundle: true, format: 'esm', target: 'es2022', splitting: true },
  ...{ metafile: true, write: false },
}

/**
 * The npm package: dependencies stay imports, and what two modules share (such as `PinpackError`) is one chunk, so that
 * `instanceof` holds between them. The wasm files lie beside the modules that start them.
 */
export async function bundlePackage() {
  const { build } = await import('esbuild')
  const { metafile, outputFiles } = await build({
    ...COMMON,
    entryPoints: PACKAGE,
    outdir: DIST,
    platform: 'neutral',
    packages: 'external',
    external: ['node:*'],
    chunkNames: 'shared-[hash]',
    define: await constants(),
  })
  await writeAll(outputFiles)
  await replace(join(DIST, 'pinpack_bg.wasm'), await readFile(QUERY_WASM))
  await replace(join(DIST, 'pinpack_languages_bg.wasm'), await readFile(LANGUAGES_WASM))
  await replace(join(DIST, 'pinpack_build_bg.wasm'), await readFile(BUILD_WASM))
  await removeStale(DIST, metafile)
  await chmod(join(DIST, 'cli.js'), 0o755)
}

/**
 * The script-tag bundle: `pinpack.js`, which a page loads, and the chunks that it fetches when the visitor opens the
 * chat. `files.json` tells `pinpack build` what to copy.
 */
export async function bundleTag() {
  const { build } = await import('esbuild')
  const { metafile, outputFiles } = await build({
    ...COMMON,
    entryPoints: { pinpack: 'www/widget/tag.ts' },
    outdir: TAG,
    platform: 'browser',
    minify: true,
    legalComments: 'none',
    define: await constants(),
    chunkNames: 'pinpack-[name]-[hash]',
  })
  await writeAll(outputFiles)
  await replace(join(TAG, 'files.json'), `${JSON.stringify(listing(metafile), null, 2)}\n`)
  await removeStale(TAG, metafile)
}

const writeAll = (outputFiles) => Promise.all(outputFiles.map(({ path, contents }) => replace(path, contents)))

/** Writes a file at once, and only when it changes: whoever runs from dist/ meanwhile never reads half of one. */
async function replace(path, contents) {
  const bytes = Buffer.from(contents)
  const old = await readFile(path).catch(() => undefined)
  if (old?.equals(bytes)) return
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, bytes)
  await rename(draft, path)
}

/**
 * `__PINPACK_WASM__`: the first 12 hex digits of the sha-256 of each query wasm that the modules belong to, with a blank between: of a list
 * esbuild would make a module that every other one imports.
 */
async function constants() {
  const engines = await Promise.all([QUERY_WASM, LANGUAGES_WASM].map((path) => readFile(path)))
  const digests = engines.map((engine) => createHash('sha256').update(engine).digest('hex').slice(0, 12))
  return { __PINPACK_WASM__: JSON.stringify(digests.join(' ')), 'process.env.NODE_ENV': '"production"' }
}

/** Entry points of scripts that a visitor loads only on pages whose owner asks for them. */
const RARE = ['www/widget/inspector.ts', 'www/widget/builtin.ts']

/**
 * `{ entry, widget, files, rare }`, names in dist/tag; `widget` is the chunk that opening the chat imports first, `rare` are those of
 * `files` that only the scripts of rare uses need.
 */
function listing({ outputs }) {
  const files = Object.keys(outputs).map((path) => basename(path))
  const entry = outputs['dist/tag/pinpack.js']
  const widget = entry.imports.find(({ kind }) => kind === 'dynamic-import')
  const common = reached('dist/tag/pinpack.js', outputs)
  const rare = Object.keys(outputs).filter((path) => !common.has(path))
  return {
    ...{ entry: 'pinpack.js', widget: widget ? basename(widget.path) : '' },
    ...{ files: files.sort(), rare: rare.map((path) => basename(path)).sort() },
  }
}

/** What is imported from `path` on, at once or later, without the scripts of rare uses. */
function reached(path, outputs, seen = new Set()) {
  if (seen.has(path) || RARE.includes(outputs[path].entryPoint)) return seen
  seen.add(path)
  for (const { path: next } of outputs[path].imports) reached(next, outputs, seen)
  return seen
}

/** Chunks have hashes in their names: those of earlier builds are removed. */
async function removeStale(folder, { outputs }) {
  const made = new Set(Object.keys(outputs).map((path) => basename(path)))
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js') && !made.has(name))
  await Promise.all(scripts.map((name) => rm(join(folder, name), { force: true })))
}
