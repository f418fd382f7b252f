/** Starts the query engine, once a page: in a browser, a worker, Node or a bundler. The only file that imports its glue. */

import { Bound, conversation, joinParted } from './binding.ts'
import { PinpackError } from './errors.ts'
import { isTrap, loadModule, type ModuleSource, needsLanguages, wasmError } from './load.ts'
import { bestSentences } from './quote.ts'
import type { Message, Passage, Quote } from './types.ts'
import * as glue from './wasm/query/pinpack.js'

/** Where the engine can come from; by default the file next to this one. */
export type EngineSource = ModuleSource | Promise<ModuleSource>

let running: Promise<Runtime> | undefined

/**
 * Gives the page's engine, and starts it at the first call. `source` counts at that call only.
 *
 * # Errors
 * `wasm-blocked`, `wasm-failed`, `fetch-failed`, `got-html`. The next call tries again.
 */
export function startEngine(source?: EngineSource): Promise<Runtime> {
  running ??= start(source).catch((thrown) => {
    running = undefined
    throw PinpackError.from(thrown)
  })
  return running
}

async function start(source?: EngineSource): Promise<Runtime> {
  const module = await loadModule((await source) ?? new URL('./pinpack_bg.wasm', import.meta.url))
  await instantiate(module)
  return new Runtime()
}

async function instantiate(module: WebAssembly.Module): Promise<void> {
  try {
    // Going by a promise would make Node load its whole `fetch` first, 30 ms.
    glue.initSync({ module })
  } catch {
    // An older browser allows no instance at once on a page.
    await glue.default({ module_or_path: module }).catch((thrown: unknown) => {
      throw wasmError(thrown)
    })
  }
}

/**
 * The running engine. A trap poisons a wasm instance, so the first one gets a new instance and whoever holds a
 * `Bound` of an older `generation` opens it again; the second is final.
 */
export class Runtime {
  /** Counts instances. A `Bound` works only in the generation that opened it. */
  generation = 0
  #traps = 0

  /**
   * # Errors
   * Those of the blob; `blob-languages` when it needs the engine with all languages and this is the small one.
   */
  open(bytes: Uint8Array): Bound {
    try {
      return this.guard(() => new Bound(glue.Engine.open(bytes), bytes))
    } catch (error) {
      // The small engine takes the mark in the header for another analyzer.
      if (needsLanguages(bytes) && PinpackError.from(error).code === 'blob-analyzer') throw withoutLanguages(error)
      throw error
    }
  }

  /**
   * Puts the engine with all languages in the place of the small one; it opens every blob. Whoever holds a `Bound` opens it again.
   * `source` is by default the file next to this one.
   */
  async addLanguages(source?: EngineSource): Promise<void> {
    const module = await loadModule((await source) ?? new URL('./pinpack_languages_bg.wasm', import.meta.url))
    try {
      glue.__wbg_use_module(module)
    } catch (thrown) {
      throw wasmError(thrown)
    }
    this.generation++
  }

  quote(messages: Message[], passages: Passage[], language: string, limit: number): Quote[] {
    const question = conversation(messages)
    const weigh = (sentences: string[]) => this.guard(() => glue.weigh(question, joinParted(sentences), language))
    return bestSentences(passages, language, limit, weigh)
  }

  /**
   * Runs one call into the engine.
   *
   * # Errors
   * The engine's own, by their codes; `engine-trapped` once, after which the engine works again; `engine-failed` from then on.
   */
  guard<T>(call: () => T): T {
    if (this.#traps > 1) throw failed()
    try {
      return call()
    } catch (thrown) {
      throw isTrap(thrown) ? this.#recover(thrown) : PinpackError.from(thrown)
    }
  }

  #recover(trap: unknown): PinpackError {
    console.error(trap)
    this.#traps++
    this.generation++
    if (this.#traps === 1 && restart()) return trapped(trap)
    this.#traps = 2
    return failed(trap)
  }
}

/** Puts a new instance of the same module behind the glue. */
function restart(): boolean {
  try {
    glue.__wbg_reset_state()
    return true
  } catch {
    return false
  }
}

function withoutLanguages(cause: unknown): PinpackError {
  return new PinpackError(
    'blob-languages',
    'the knowledge file is in a language that this engine does not know\ngive `open` the wasm file pinpack_languages_bg.wasm',
    { cause },
  )
}

function trapped(cause: unknown): PinpackError {
  return new PinpackError('engine-trapped', 'the search engine stopped on this call and was started again', { cause })
}

function failed(cause?: unknown): PinpackError {
  return new PinpackError('engine-failed', 'the search engine stopped twice and stays off\nload the page again', {
    cause,
  })
}
