/**
 * Opens a knowledge base and answers for it: `open(source) → pack, explain, rank, section`.
 * Importing this file starts nothing.
 */

import type { Bound, Section } from './binding.ts'
import { type EngineSource, type Runtime, startEngine } from './engine.ts'
import { PinpackError } from './errors.ts'
import { type BytesSource, fileSystem, isUrl, loadBytes, locate } from './load.ts'
import type { Explanation, Hit, Manifest, Message, Pack, Passage, Quote, Stats } from './types.ts'

export type { Section } from './binding.ts'
export type { EngineSource } from './engine.ts'
export { PinpackError } from './errors.ts'
export type { BytesSource, ModuleSource } from './load.ts'
export type * from './types.ts'

/** Options of `open`. */
export interface OpenOptions {
  /** The query engine: a URL, response, bytes or compiled module. Default: the file of the build, or of this package. */
  wasm?: EngineSource | undefined
}

/** Options of `pack` and `explain`. */
export interface PackOptions {
  /** Tokens of knowledge, 1 or more. Default: the knowledge base's own. A larger one than that is for experiments. */
  budget?: number | undefined
}

/** An open knowledge base. Every call is synchronous and takes the conversation, oldest message first. */
export interface KnowledgeBase {
  /** What will be sent for the last message. */
  pack(messages: Message[], options?: PackOptions): Pack
  /** The same pack, with every score in parts and every section that was left out. */
  explain(messages: Message[], options?: PackOptions): Explanation
  /** Sections by score alone, best first; at most `limit` (default 10). */
  rank(messages: Message[], options?: { limit?: number | undefined }): Hit[]
  /** One section by its id; `undefined` when there is none. */
  section(id: number): Section | undefined
  readonly stats: Stats
  /** The owner's ids, by section id. */
  readonly refs: readonly string[]
  /** Frees the memory. Every later call throws `closed`. */
  close(): void
}

/**
 * Opens a knowledge base.
 *
 * `source` is the folder that a build wrote (ends in `/`), a blob's URL, a `Response`, or bytes; in Node also a path.
 * A blob that is still gzipped is unpacked.
 *
 * # Errors
 * The engine's `wasm-blocked`, `wasm-failed`; `fetch-failed`, `got-html`, `read-failed`; `manifest-invalid`,
 * `hash-mismatch`; and what the blob itself says, such as `blob-format`.
 */
export async function open(source: BytesSource, options: OpenOptions = {}): Promise<KnowledgeBase> {
  const folder = await asFolder(source)
  if (folder) return openFolder(folder, options)
  const [runtime, bytes] = await Promise.all([startEngine(options.wasm), loadBlob(source)])
  return openBlob(runtime, bytes, options)
}

/** Opens a blob, with another engine when this one lacks its language and the caller named none. */
async function openBlob(runtime: Runtime, bytes: Uint8Array, options: OpenOptions, wasm?: URL): Promise<Opened> {
  try {
    return new Opened(runtime, bytes)
  } catch (error) {
    if (options.wasm || PinpackError.from(error).code !== 'blob-languages') throw error
    await runtime.addLanguages(wasm)
    return new Opened(runtime, bytes)
  }
}

/**
 * Finds the sentences of `passages` that answer the conversation's last question, best first.
 * `language` is the knowledge base's; at most `limit` (default 3).
 */
export async function quote(
  messages: Message[],
  passages: (string | Passage)[],
  options: { language?: string; limit?: number; wasm?: EngineSource } = {},
): Promise<Quote[]> {
  const runtime = await startEngine(options.wasm)
  const given = passages.map((passage) => (typeof passage === 'string' ? { text: passage } : passage))
  return runtime.quote(messages, given, options.language ?? 'en', options.limit ?? 3)
}

class Opened implements KnowledgeBase {
  #runtime: Runtime
  /** Kept, so that the blob can be opened again in a new instance after a trap. */
  #bytes: Uint8Array | undefined
  #engine: Bound
  #generation: number
  #refs: string[] | undefined

  constructor(runtime: Runtime, bytes: Uint8Array) {
    this.#runtime = runtime
    this.#bytes = bytes
    this.#engine = runtime.open(bytes)
    this.#generation = runtime.generation
  }

  pack(messages: Message[], options: PackOptions = {}): Pack {
    return this.#call((engine) => engine.pack(messages, options.budget))
  }

  explain(messages: Message[], options: PackOptions = {}): Explanation {
    return this.#call((engine) => engine.explain(messages, options.budget))
  }

  rank(messages: Message[], options: { limit?: number } = {}): Hit[] {
    return this.#call((engine) => engine.rank(messages, options.limit ?? 10))
  }

  section(id: number): Section | undefined {
    return this.#call((engine) => engine.section(id))
  }

  get stats(): Stats {
    return this.#call((engine) => engine.stats)
  }

  get refs(): readonly string[] {
    const { sections } = this.stats
    this.#refs ??= this.#call((engine) => Array.from({ length: sections }, (_, id) => engine.reference(id)))
    return this.#refs
  }

  close(): void {
    if (this.#bytes && this.#generation === this.#runtime.generation) this.#engine.free()
    this.#bytes = undefined
  }

  #call<T>(verb: (engine: Bound) => T): T {
    if (!this.#bytes) throw new PinpackError('closed', 'this knowledge base is closed\nopen it again')
    if (this.#generation !== this.#runtime.generation) {
      this.#engine = this.#runtime.open(this.#bytes)
      this.#generation = this.#runtime.generation
    }
    return this.#runtime.guard(() => verb(this.#engine))
  }
}

/** The first 12 hex digits of the sha-256 of each engine that this JavaScript was bundled with; absent in unbundled sources. */
declare const __PINPACK_WASM__: string | undefined
const ENGINES = typeof __PINPACK_WASM__ === 'string' ? __PINPACK_WASM__.split(' ') : ['']

async function openFolder(folder: URL, options: OpenOptions): Promise<KnowledgeBase> {
  const manifest = await loadManifest(folder)
  // A cached script must not start a newer build's engine: then its own, next to it, is the right one.
  const own = ENGINES.some((digest) => manifest.wasm.includes(digest)) ? new URL(manifest.wasm, folder) : undefined
  const [runtime, bytes] = await Promise.all([
    startEngine(options.wasm ?? own),
    loadBlob(new URL(manifest.blob, folder)),
  ])
  const opened = await openBlob(runtime, bytes, options, own)
  const { hash } = opened.stats
  if (hash === manifest.hash) return opened
  opened.close()
  throw new PinpackError(
    'hash-mismatch',
    `${folder}pinpack.json names knowledge ${manifest.hash}, but ${manifest.blob} holds ${hash}\n` +
      'run `npx pinpack build` again and upload the whole folder',
  )
}

async function loadManifest(folder: URL): Promise<Manifest> {
  const url = new URL('pinpack.json', folder)
  const text = new TextDecoder().decode(await loadBytes(url, { cache: 'no-cache' }))
  const manifest = parse(text) as Partial<Manifest> | undefined
  if (manifest?.hash && manifest.blob && manifest.wasm) return manifest as Manifest
  throw new PinpackError(
    'manifest-invalid',
    `${url} does not name a hash, a blob and a wasm file\nrun \`npx pinpack build\` again and upload the whole folder`,
  )
}

async function loadBlob(source: BytesSource): Promise<Uint8Array> {
  const bytes = await loadBytes(source)
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes) : bytes
}

/** Once: what is gzipped twice is not a blob, and opening it says so. */
async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    const stream = new Response(bytes).body?.pipeThrough(new DecompressionStream('gzip'))
    return new Uint8Array(await new Response(stream ?? null).arrayBuffer())
  } catch (cause) {
    throw new PinpackError('blob-damaged', 'the knowledge file is gzipped and damaged\nupload it again', { cause })
  }
}

/** The folder's URL, when `source` names one: by its last `/`, or in Node by what is on the disk. */
async function asFolder(source: BytesSource): Promise<URL | undefined> {
  if (typeof source !== 'string' && !isUrl(source)) return undefined
  const url = locate(source)
  if (url.pathname.endsWith('/')) return url
  const found =
    url.protocol === 'file:'
      ? await fileSystem()
          ?.stat(url)
          .catch(() => undefined)
      : undefined
  return found?.isDirectory() ? new URL(`${url.href}/`) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
