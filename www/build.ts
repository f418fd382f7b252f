/** Builds a knowledge base: source files and a config → blob, proxy's file, report; and the folder that a site uploads. */

import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { PinpackError } from './errors.ts'
import { isTrap, loadModule, type ModuleSource, needsLanguages, wasmError } from './load.ts'
import { listFiles, MAX_FILE_BYTES } from './sources.ts'
import type { Changes, Knowledge, Manifest, Report } from './types.ts'
import * as glue from './wasm/build/pinpack.js'

export { PinpackError } from './errors.ts'
export type { Changes, Knowledge, Manifest, Report, ReportFile, ReportSection, ReportSkipped } from './types.ts'

/** One file for the builder. */
export interface SourceFile {
  /** Relative to the folder of `pinpack.toml`, with forward slashes. */
  path: string
  bytes: Uint8Array
}

/** A file that the config reads and that could not be had. */
export interface UnreadFile {
  path: string
  /** Why, for the report. */
  unread: string
}

/** A built knowledge base. */
export interface BuildResult {
  /** For the browser. */
  blob: Uint8Array
  /** For the proxy. It holds the text of private rules: never upload it with the page. */
  knowledge: Knowledge
  report: Report
}

/** What a folder gives besides the files that are read. */
export interface Notices {
  /** Files that the config reads and that could not be had: they are in the report as skipped. */
  unread?: UnreadFile[] | undefined
  /** Files that look like content and that the config does not read: they are counted, and a link to one is not broken. */
  others?: string[] | undefined
}

/** Options of `build`. */
export interface BuildOptions extends Notices {
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
  const builder = createBuilder()
  try {
    const { changes: _, ...result } = await builder.build(files, config, options)
    return result
  } finally {
    builder.close()
  }
}

/** Builds again and again; see `createBuilder`. */
export interface Builder {
  /** As `build`, and says what is new since the build before. */
  build(files: SourceFile[], config?: string, options?: BuildOptions): Promise<BuildResult & { changes: Changes }>
  /** Frees what is kept. */
  close(): void
}

/**
 * A builder that keeps what it read of each file, in memory: the next build reads, cuts and counts only the files whose bytes
 * changed, and gives the same bytes as `build`.
 */
export function createBuilder(): Builder {
  let own: { glue: glue.Builder; life: number } | undefined
  return {
    async build(files, config = '', { onProgress, wasm, unread = [], others = [] } = {}) {
      await startBuilder(wasm)
      const all = [...files, ...unread, ...others.map((path) => ({ path, bytes: NOTHING }))]
      const built = run(() => {
        if (own?.life !== life) own = { glue: new glue.Builder(), life }
        return own.glue.build(all, config, onProgress)
      })
      const knowledge = JSON.parse(built.knowledge) as Knowledge
      return { blob: built.blob, knowledge, report: built.report as Report, changes: built.changes as Changes }
    },
    close() {
      if (own?.life === life) own.glue.free()
      own = undefined
    },
  }
}

const NOTHING = new Uint8Array()

/**
 * The text of a `pinpack.toml` with other values for some dotted keys: `configure(config, { 'sections.target': '200' })`.
 *
 * # Errors
 * `config-key` when there is no such key; `config-value` when a value is out of its range; `config-syntax`.
 */
export async function configure(config: string, settings: Record<string, string>): Promise<string> {
  await startBuilder()
  return run(() => glue.configure(config, Object.entries(settings).flat()))
}

/** The files of a folder that its config reads, and that config. */
export interface Sources extends Required<Notices> {
  files: SourceFile[]
  config: string
}

/** Options of `readSources`. */
export interface ReadOptions {
  /** The config file. Default: `pinpack.toml` of the folder, or no config when there is none. */
  config?: string | undefined
  /** Files and folders to leave out: those that the build writes. */
  skip?: string[] | undefined
}

/**
 * Reads the files of `dir` that its `pinpack.toml` names, in the order of their paths. Those that cannot be had are in `unread`.
 *
 * # Errors
 * `read-failed` names `dir` or the config; `config-*` when the config cannot be read.
 */
export async function readSources(dir: string, options: ReadOptions = {}): Promise<Sources> {
  const config = await readConfig(dir, options.config)
  const { files: listed, failed } = await listFiles(dir, options.skip)
  await startBuilder()
  const chosen = new Set(run(() => glue.select([...listed.keys(), ...failed.keys()], config)) as string[])
  const files: SourceFile[] = []
  const unread = [...failed].flatMap(([path, reason]) =>
    chosen.has(path) || path.endsWith('/') ? [{ path, unread: reason }] : [],
  )
  for (const [path, bytes] of listed) {
    if (!chosen.has(path)) continue
    const file = bytes > MAX_FILE_BYTES ? tooLarge(path, bytes) : await source(dir, path)
    if ('unread' in file) unread.push(file)
    else files.push(file)
  }
  const others = [...listed.keys()].filter((path) => !chosen.has(path) && CONTENT.test(path))
  return { files: files.sort(byPath), config, unread: unread.sort(byPath), others: others.sort() }
}

/** What looks like content by its name. */
const CONTENT = /\.(md|mdx|markdown|html?|txt|jsonl|ndjson)$/i

async function source(dir: string, path: string): Promise<SourceFile | UnreadFile> {
  try {
    return { path, bytes: await readFile(join(dir, path)) }
  } catch (error) {
    return { path, unread: `cannot be read: ${(error as NodeJS.ErrnoException).code}` }
  }
}

function tooLarge(path: string, bytes: number): UnreadFile {
  const megabytes = (value: number) => Math.ceil(value / 1024 ** 2)
  const unread = `too large: ${megabytes(bytes)} MB, wanted at most ${megabytes(MAX_FILE_BYTES)}; split it or exclude it`
  return { path, unread }
}

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1)

/**
 * The folder of a build as file names and bytes: what `writeOutput` writes, for those who serve it from memory.
 * Names with a hash never change their content; `pinpack.js` and `pinpack.json` come last.
 */
export async function outputFiles(result: BuildResult): Promise<Map<string, Uint8Array>> {
  const tag = new URL('./tag/', import.meta.url)
  const listing = JSON.parse((await read(new URL('files.json', tag))).toString()) as TagListing
  const engine = needsLanguages(result.blob) ? './pinpack_languages_bg.wasm' : './pinpack_bg.wasm'
  const wasm = await read(new URL(engine, import.meta.url))
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
  refusePublic(outDir, knowledgeFile, 'holds private rules', '--knowledge')
  const files = [...(await outputFiles(result))].map(([name, bytes]) => [join(outDir, name), bytes] as const)
  const knowledge = Buffer.from(`${JSON.stringify(result.knowledge)}\n`)
  for (const [path, bytes] of [...files, [knowledgeFile, knowledge] as const]) await write(path, bytes)
  return [...files.map(([path]) => path), knowledgeFile]
}

/**
 * Refuses a private file in the folder to upload.
 *
 * # Errors
 * `output-private`.
 */
export function refusePublic(outDir: string, file: string, what: string, option: string): void {
  if (!contains(outDir, file)) return
  throw new PinpackError(
    'output-private',
    `${file} ${what}, and ${outDir} is uploaded\nname a file outside that folder with ${option}`,
  )
}

/** `dist/tag/files.json`: the script-tag bundle. */
interface TagListing {
  entry: string
  widget: string
  files: string[]
}

let starting: Promise<unknown> | undefined
/** Counts the traps: what a builder kept is gone after one. */
let life = 0

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
    life++
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
