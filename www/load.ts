/** Gets bytes and compiled modules from wherever they are: a URL, a response, a file, memory. */

import { PinpackError } from './errors.ts'

/** Where bytes can come from. A string is a URL; in Node, without a scheme, a path. */
export type BytesSource = string | URL | Response | Blob | ArrayBuffer | ArrayBufferView

/** Where a wasm module can come from. */
export type ModuleSource = BytesSource | WebAssembly.Module

/**
 * Does a blob need the engine with all languages? Its header says so: English alone is in the small one. Bytes of any kind are answered.
 */
export const needsLanguages = (blob: Uint8Array): boolean => blob[22] === 1 && blob[23] === 0

/**
 * Turns a URL or, in Node, a path into a URL.
 *
 * # Errors
 * `source-unknown` when the text is relative and there is no page, worker or file system to resolve it against.
 */
export function locate(source: string | URL): URL {
  if (typeof source !== 'string') return source
  try {
    // A scheme has two letters or more: `C:\site` is a path.
    if (/^[a-z][a-z\d+.-]+:/i.test(source)) return new URL(source)
    const base = globalThis.document?.baseURI ?? globalThis.location?.href
    if (base) return new URL(source, base)
    const node = globalThis.process?.getBuiltinModule?.('node:url')
    if (node) return node.pathToFileURL(source)
  } catch (cause) {
    throw unknownSource(source, cause)
  }
  throw unknownSource(source)
}

/** Node's file system, or `undefined` elsewhere. Asked for at run time, so that no bundler sees an import. */
export function fileSystem() {
  return globalThis.process?.getBuiltinModule?.('node:fs/promises')
}

/**
 * Loads bytes. A view gives exactly the bytes it covers, never its whole backing store.
 *
 * # Errors
 * `fetch-failed` names the URL and the status; `got-html` when a page came instead of the file; `read-failed` in Node.
 */
export async function loadBytes(source: BytesSource, init?: RequestInit): Promise<Uint8Array<ArrayBuffer>> {
  const found = await resolve(source, init)
  return found instanceof Uint8Array ? found : bytesOf(found)
}

/**
 * Compiles a wasm module: while it downloads where the server names the type, else from its bytes.
 *
 * # Errors
 * Those of `loadBytes`; `wasm-blocked` when a content security policy or the browser forbids wasm; `wasm-failed` otherwise.
 */
export async function loadModule(source: ModuleSource): Promise<WebAssembly.Module> {
  if (typeof WebAssembly === 'undefined') throw blocked()
  if (isModule(source)) return source
  const found = await resolve(source)
  if (found instanceof Uint8Array) return compile(notHtml(found, 'the bytes given'))
  if (!found.ok || found.headers.get('content-type') !== 'application/wasm') return compile(await bytesOf(found))
  const spare = found.clone()
  try {
    return await WebAssembly.compileStreaming(found)
  } catch {
    return compile(await bytesOf(spare))
  }
}

async function compile(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  try {
    // Functions are compiled when they are first called: this reads 70 KB, and going by a promise takes as long again.
    return new WebAssembly.Module(bytes)
  } catch {
    // An older browser compiles nothing at once on a page.
    return WebAssembly.compile(bytes).catch((cause: unknown) => {
      throw wasmError(cause)
    })
  }
}

/** Names what stopped a module from compiling or starting. */
export function wasmError(cause: unknown): PinpackError {
  const why = cause instanceof Error ? cause.message : String(cause)
  if (/unsafe-eval|\bCSP\b|content security policy/i.test(why)) return blocked(cause)
  return new PinpackError(
    'wasm-failed',
    `the search engine did not start: ${why}\nbuild and upload the folder again, so that script and wasm are of one version`,
    { cause },
  )
}

/** A panic traps as `RuntimeError`; a stack that overflows is a `RangeError`, in Firefox an `InternalError`. */
export function isTrap(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  return thrown.name === 'RuntimeError' || /call stack|too much recursion/i.test(thrown.message)
}

async function resolve(source: BytesSource, init?: RequestInit): Promise<Response | Uint8Array<ArrayBuffer>> {
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength)
  }
  if (isBuffer(source)) return new Uint8Array(source)
  if (typeof source === 'string' || isUrl(source)) return fetchOrRead(locate(source), init)
  if ('status' in source) return source
  return new Uint8Array(await source.arrayBuffer())
}

async function fetchOrRead(url: URL, init?: RequestInit): Promise<Response | Uint8Array<ArrayBuffer>> {
  const files = url.protocol === 'file:' ? fileSystem() : undefined
  try {
    return files ? new Uint8Array(await files.readFile(url)) : await fetch(url, init)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    if (files) throw new PinpackError('read-failed', `cannot read ${url.pathname}: ${why}`, { cause })
    throw new PinpackError(
      'fetch-failed',
      `no answer from ${url}: ${why}\ncheck the address, the connection, CORS and the page's connect-src`,
      { cause },
    )
  }
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const name = response.url || 'the response given'
  if (!response.ok) {
    throw new PinpackError('fetch-failed', `${name} answered ${response.status}\ncheck that the file was uploaded`)
  }
  try {
    return notHtml(await bodyOf(response), name, response.status)
  } catch (cause) {
    if (cause instanceof PinpackError) throw cause
    throw new PinpackError('fetch-failed', `${name} stopped while it was read (status ${response.status})`, { cause })
  }
}

/** As much as is read or copied before the page may do something else, in bytes. */
const STEP = 1 << 18

/**
 * The body, in steps that a page does not feel: a large one is otherwise read and copied in one go, which on a slow phone takes longer
 * than a frame.
 */
async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body || response.bodyUsed) return new Uint8Array(await response.arrayBuffer())
  const pieces: Uint8Array[] = []
  const reader = response.body.getReader()
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    pieces.push(read.value)
    length += read.value.length
    await rest(length, read.value.length)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
    await rest(at, piece.length)
  }
  return bytes
}

/** Lets the page go on when a step ends within the last `size` of `at` bytes. Where there is no page, nobody waits. */
function rest(at: number, size: number): Promise<void> | undefined {
  if (!globalThis.document || Math.floor(at / STEP) === Math.floor((at - size) / STEP)) return undefined
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))
}

/** No file of pinpack starts with `<`; a page that a server sends instead of a missing file does. */
function notHtml<B extends Uint8Array>(bytes: B, name: string, status?: number): B {
  const head = new TextDecoder().decode(bytes.subarray(0, 64)).trimStart()
  if (!head.startsWith('<')) return bytes
  throw new PinpackError(
    'got-html',
    `got HTML instead of the file from ${name}${status ? ` (status ${status})` : ''}\n` +
      'check that the file was uploaded, and that the address is not answered by a page',
  )
}

function blocked(cause?: unknown): PinpackError {
  return new PinpackError(
    'wasm-blocked',
    "this page may not run WebAssembly\nadd 'wasm-unsafe-eval' to script-src in its Content-Security-Policy",
    { cause },
  )
}

function unknownSource(source: string, cause?: unknown): PinpackError {
  return new PinpackError('source-unknown', `${JSON.stringify(source)} is not an address\ngive a full URL`, { cause })
}

// By tag, not `instanceof`: values from another realm (a frame, a test environment's window) are as good.
const tag = (value: unknown) => Object.prototype.toString.call(value).slice(8, -1)
const isModule = (value: unknown): value is WebAssembly.Module => tag(value) === 'WebAssembly.Module'
const isBuffer = (value: unknown): value is ArrayBuffer => tag(value) === 'ArrayBuffer'
export const isUrl = (value: object): value is URL => 'href' in value
