/** Gives names to what crosses into the wasm: text and typed arrays, laid out as `src/wasm.rs` says. */

import { PinpackError } from './errors.ts'
import type {
  Coverage,
  ExplainedLeft,
  ExplainedSection,
  Explanation,
  Hit,
  Message,
  Pack,
  PackedSection,
  QueryTerm,
  ScorePart,
  Stats,
} from './types.ts'
import type { Engine } from './wasm/query/pinpack.js'

/** One section, as it is stored. `text` is absent for a pinned section that is not published. */
export type Section = Pick<PackedSection, 'id' | 'ref' | 'title' | 'path' | 'url' | 'tokens' | 'text'>

/** In the order of the Rust enums. */
const REASONS = ['pinned', 'scored', 'floor', 'too-large', 'no-match', 'neighbor', 'repeat'] as const
const LEVELS = ['covered', 'partly', 'none', 'unasked'] as const
const ORIGINS = ['asked', 'typo', 'synonym', 'function'] as const
const PARTED = '\0'

/**
 * A conversation as one text: `u` or `a`, the content, and a zero character between messages.
 *
 * # Errors
 * `messages-invalid` when it is not a list of messages.
 */
export function conversation(messages: Message[]): string {
  const wrong = () =>
    new PinpackError('messages-invalid', 'messages: wanted a list of { role: "user" | "assistant", content: string }')
  if (!Array.isArray(messages)) throw wrong()
  const lines = messages.map((message) => {
    if (typeof message?.content !== 'string' || typeof message.role !== 'string') throw wrong()
    return (message.role === 'user' ? 'u' : 'a') + parted(message.content)
  })
  return lines.join(PARTED)
}

/** Texts parted by zero characters. */
export const joinParted = (texts: string[]): string => texts.map(parted).join(PARTED)

/** A text without the character that parts texts. */
const parted = (text: string) => (text.includes(PARTED) ? text.replaceAll(PARTED, ' ') : text)

/** An open blob inside the engine, by names. */
export class Bound {
  #engine: Engine
  /** The whole blob: the engine reads parts of it, and no texts. */
  #bytes: Uint8Array
  #checked = false
  #stats: Stats | undefined
  #refs: string[] = []

  constructor(engine: Engine, bytes: Uint8Array) {
    this.#engine = engine
    this.#bytes = bytes
  }

  get stats(): Stats {
    this.#stats ??= readStats(this.#engine)
    return this.#stats
  }

  reference(id: number): string {
    this.#refs[id] ??= this.#whole(this.#engine.reference(id))
    return this.#refs[id]
  }

  rank(messages: Message[], limit: number): Hit[] {
    const pairs = this.#whole(this.#engine.rank(conversation(messages), limit))
    return Array.from({ length: pairs.length / 2 }, (_, i) => {
      const id = pairs[2 * i] as number
      return { id, ref: this.reference(id), score: pairs[2 * i + 1] as number }
    })
  }

  section(id: number): Section | undefined {
    const { sections } = this.stats
    if (!Number.isInteger(id) || id < 0 || id >= sections) return undefined
    const [, , tokens = 0, pinned] = this.#engine.place(id)
    const text = this.#text(id)
    const { ref, title, url, path } = this.#meta(id)
    const hidden = text === '' && pinned === 1
    return { id, ref, title, path, url, tokens, ...(hidden ? {} : { text }) }
  }

  explain(messages: Message[], budget?: number): Explanation {
    return this.#read(messages, budget, true)
  }

  pack(messages: Message[], budget?: number): Pack {
    const { terms: _, sections, leftOut, ...rest } = this.#read(messages, budget, false)
    return { ...rest, sections: sections.map(withoutParts), leftOut: leftOut.map(withoutParts) }
  }

  free(): void {
    this.#engine.free()
  }

  /** What the engine said, when all that it has read was sound. */
  #whole<T>(said: T): T {
    if (this.#engine.whole()) return said
    throw damaged('postings or titles')
  }

  /** Texts are checked once, when the first is read: ranking alone needs none. */
  #text(id: number): string {
    if (!this.#checked && !this.#engine.checks()) throw damaged('texts')
    this.#checked = true
    const [start, end] = this.#engine.place(id)
    return decoder.decode(this.#bytes.subarray(start, end))
  }

  #meta(id: number): Pick<PackedSection, 'ref' | 'title' | 'url' | 'path'> {
    const [ref = '', title = '', url = '', ...path] = this.#whole(this.#engine.meta(id)).split(PARTED)
    return { ref, title, url, path: path.slice(0, -1) }
  }

  #read(messages: Message[], budget: number | undefined, explain: boolean): Explanation {
    const packed = this.#engine.pack(conversation(messages), budget, explain) as [Float64Array, string]
    const [numbers, text] = this.#whole(packed)
    const next = reader(numbers)
    const lines = text.split('\n')
    const [tokens, limit, value, level] = [next(), next(), next(), next()]
    const [termCount, sentCount, leftCount] = [next(), next(), next()]
    const terms = times(termCount, (i): QueryTerm => {
      const [term = '', word = ''] = (lines[i] ?? '').split('\t')
      const [weight, idf, df, message] = [next(), next(), next(), next()]
      return { term, word, weight, idf, df, message, origin: ORIGINS[next()] ?? 'asked' }
    })
    const sections = times(sentCount, () => this.#sent(next, terms))
    const leftOut = times(leftCount, () => this.#left(next, terms))
    const missing = lines.slice(termCount, -1)
    const coverage: Coverage = { value, level: LEVELS[level] ?? 'none', missing }
    const { hash, floor } = this.stats
    const ids = sections.map((section) => section.id)
    return { ids, sections, tokens, budget: limit, floor, coverage, leftOut, hash, terms }
  }

  #sent(next: Next, terms: QueryTerm[]): ExplainedSection {
    const { why, ...entry } = this.#entry(next, terms)
    const text = this.#text(entry.id)
    const hidden = text === '' && why === 'pinned'
    return { ...entry, why: why as ExplainedSection['why'], ...(hidden ? {} : { text }) }
  }

  #left(next: Next, terms: QueryTerm[]): ExplainedLeft {
    const { why, ...entry } = this.#entry(next, terms)
    return { ...entry, reason: why as ExplainedLeft['reason'] }
  }

  #entry(next: Next, terms: QueryTerm[]) {
    const [id, tokens, why, score, count] = [next(), next(), next(), next(), next()]
    const parts = times(count, (): ScorePart => {
      const term = terms[next()]?.term ?? ''
      return { term, tf: next(), score: next(), title: next() }
    })
    const meta = this.#meta(id)
    return { id, ...meta, tokens, why: REASONS[why], score, terms: parts.map((part) => part.term), parts }
  }
}

const decoder = new TextDecoder()

function damaged(part: string): PinpackError {
  return new PinpackError('blob-damaged', `the knowledge file is damaged (${part})\nupload it or download it again`)
}

type Next = () => number

/** Gives one number after the other. */
function reader(numbers: Float64Array): Next {
  let at = 0
  return () => numbers[at++] as number
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function withoutParts<T extends { parts: ScorePart[] }>({ parts: _, ...rest }: T): Omit<T, 'parts'> {
  return rest
}

function readStats(engine: Engine): Stats {
  const [hash = '', language = '', encoding = '', site = ''] = engine.texts().split('\n')
  const next = reader(Float64Array.from(engine.numbers()))
  const [format, analyzer] = [next(), next()]
  const [sections, pinned, terms, bytes] = [next(), next(), next(), next()]
  const [tokens, pinnedTokens, budget, floor] = [next(), next(), next(), next()]
  return {
    ...{ hash, format, analyzer, language, encoding, site, sections, pinned, terms },
    ...{ tokens, pinnedTokens, budget, floor, bytes },
  }
}
