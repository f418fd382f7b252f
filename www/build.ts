/** Builds a knowledge base: source files and a config → blob, proxy's file, report; and the folder that a site uploads. */

import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { PinpackError } from './errors.ts'
import { isTrap, loadModule, type ModuleSource, wasmError } from './load.ts'
import { listFiles } from './sources.ts'
import type { Knowledge, Manifest } from './types.ts'
import * as glue from './wasm/build/pinpack.js'

export { PinpackError } from './errors.ts'
export type { Knowledge, Manifest } from './types.ts'

/** One file for the builder. */
export interface SourceFile {
  /** Relative to the folder of `pinpack.toml`, with forward slashes. */
  path: string
  bytes: Uint8Array
}

/** What became of one source file. Tokens as rendered into the prompt. */
export interface ReportFile {
  path: string
  kind: 'markdown' | 'html' | 'text' | 'jsonl'
  sections: number
  tokens: number
}

/** What a build found. Tokens in the configured encoding, sizes in bytes, shares from 0 to 1. */
export interface Report {
  files: ReportFile[]
  skipped: { path: string; reason: string }[]
  sections: number
  pinnedSections: number
  /** Tokens of all sections. */
  writtenTokens: number
  /** Tokens of the sections that can reach a model: the pinned ones, and those that fit beside them. */
  sendableTokens: number
  pinnedTokens: number
  budget: number
  floor: number
  /** sendable / written. */
  coverage: number
  /** pinned / budget. */
  pinnedShare: number
  /** The five largest sections. */
  largest: { ref: string; tokens: number }[]
  /** The pinned sections, largest first. */
  pinned: { ref: string; tokens: number }[]
  warnings: { code: string; message: string }[]
  hash: string
  /** Terms in the index. */
  terms: number
  blobBytes: number
  textBytes: number
}

/** A built knowledge base. */
export interface BuildResult {
  /** For the browser. */
  blob: Uint8Array
  /** For the proxy. It holds the text of private rules: never upload it with the page. */
  knowledge: Knowledge
  report: Report
}

/** Options of `build`. */
export interface BuildOptions {
  /** Called while the build runs, with files done and files in all. */
  onProgress?: ((done: number, total: number) => void) | undefined
  /** The builder's wasm. Default: the file of this package. */
  wasm?: ModuleSource | undefined
}

/**
 * Builds a knowledge base from files and the text of a `pinpack.toml` (`''`: every default).
 *
 * # Errors
 * What is wrong with the config (`config-*`), the sources, or the budget, by the code in `docs/errors.md`.
 */
export async function build(files: SourceFile[], config = '', options: BuildOptions = {}): Promise<BuildResult> {
  await startBuilder(options.wasm)
  const built = run(() => glue.build(files, config, options.onProgress))
  return { blob: built.blob, knowledge: JSON.parse(built.knowledge) as Knowledge, report: built.report as Report }
}

/** The files of a folder that its config reads, and that config. */
export interface Sources {
  files: SourceFile[]
  config: string
}

/** Options of `readSources`. */
export interface ReadOptions {
  /** The config file. Default: `pinpack.toml` of the folder, or no config when there is none. */
  config?: string | undefined
  /** Folders to leave out: the one that the build writes. */
  skip?: string[] | undefined
}

/**
 * Reads the files of `dir` that its `pinpack.toml` names, in the order of their paths.
 *
 * # Errors
 * `read-failed` names the file or folder; `config-*` when the config cannot be read.
 */
export async function readSources(dir: string, options: ReadOptions = {}): Promise<Sources> {
  const config = await readConfig(dir, options.config)
  const paths = await listFiles(dir, options.skip)
  await startBuilder()
  const selected = run(() => glue.select(paths, config)) as string[]
  const files: SourceFile[] = []
  for (const path of selected) files.push({ path, bytes: await read(join(dir, path)) })
  return { files, config }
}

/**
 * The folder of a build as file names and bytes: what `writeOutput` writes, for those who serve it from memory.
 * Names with a hash never change their content; `pinpack.js` and `pinpack.json` come last.
 */
export async function outputFiles(result: BuildResult): Promise<Map<string, Uint8Array>> {
  const tag = new URL('./tag/', import.meta.url)
  const listing = JSON.parse((await read(new URL('files.json', tag))).toString()) as TagListing
  const wasm = await read(new URL('./pinpack_bg.wasm', import.meta.url))
  const manifest: Manifest = {
    hash: result.knowledge.hash,
    blob: `knowledge-${shortHash(result.blob)}.pinpack`,
    wasm: `pinpack-${shortHash(wasm)}.wasm`,
    widget: listing.widget,
    site: result.knowledge.site,
    language: result.knowledge.language,
  }
  const files = new Map<string, Uint8Array>([
    [manifest.blob, result.blob],
    [manifest.wasm, wasm],
  ])
  for (const name of listing.files.filter((name) => name !== listing.entry))
    files.set(name, await read(new URL(name, tag)))
  files.set(listing.entry, await read(new URL(listing.entry, tag)))
  files.set('pinpack.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
  return files
}

/**
 * Writes the folder to upload and the proxy's file, and gives the paths written. Removes nothing: pages that are open
 * may still ask for the files of the build before.
 *
 * # Errors
 * `output-private` when the proxy's file would lie in the folder to upload; `write-failed`.
 */
export async function writeOutput(result: BuildResult, outDir: string, knowledgeFile: string): Promise<string[]> {
  if (contains(outDir, knowledgeFile)) {
    throw new PinpackError(
      'output-private',
      `${knowledgeFile} holds private rules, and ${outDir} is uploaded\nname a file outside that folder with --knowledge`,
    )
  }
  const files = [...(await outputFiles(result))].map(([name, bytes]) => [join(outDir, name), bytes] as const)
  const knowledge = Buffer.from(`${JSON.stringify(result.knowledge)}\n`)
  for (const [path, bytes] of [...files, [knowledgeFile, knowledge] as const]) await write(path, bytes)
  return [...files.map(([path]) => path), knowledgeFile]
}

/** `dist/tag/files.json`: the script-tag bundle. */
interface TagListing {
  entry: string
  widget: string
  files: string[]
}

let starting: Promise<unknown> | undefined

function startBuilder(wasm?: ModuleSource): Promise<unknown> {
  starting ??= loadModule(wasm ?? new URL('./pinpack_build_bg.wasm', import.meta.url))
    .then((module) => glue.default({ module_or_path: module }))
    .catch((thrown) => {
      starting = undefined
      throw thrown instanceof PinpackError ? thrown : wasmError(thrown)
    })
  return starting
}

function run<T>(call: () => T): T {
  try {
    return call()
  } catch (thrown) {
    if (!isTrap(thrown)) throw PinpackError.from(thrown)
    glue.__wbg_reset_state()
    throw new PinpackError(
      'build-trapped',
      `the builder stopped: ${thrown}\nplease report it with the file that was read`,
      {
        cause: thrown,
      },
    )
  }
}

async function readConfig(dir: string, file?: string): Promise<string> {
  if (file) return (await read(file)).toString()
  const text = await readFile(join(dir, 'pinpack.toml'), 'utf8').catch((error) => error)
  if (typeof text === 'string') return text
  if (text.code === 'ENOENT') return ''
  throw new PinpackError('read-failed', `cannot read ${join(dir, 'pinpack.toml')}: ${text.message}`, { cause: text })
}

async function read(path: string | URL): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw new PinpackError('read-failed', `cannot read ${path}: ${(cause as Error).message}`, { cause })
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  } catch (cause) {
    throw new PinpackError('write-failed', `cannot write ${path}: ${(cause as Error).message}`, { cause })
  }
}

const shortHash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 12)

/** Whether `path` lies in `folder`. */
function contains(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path))
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
