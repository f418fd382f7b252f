/**
 * Search in the page: starts the engine once, packs a conversation, quotes passages. When the engine cannot run, it says
 * why and the chat goes on without it.
 */

import { PinpackError } from '../errors.ts'
import type { Explanation, Message, Pack, PackedSection, Passage, Quote, Stats } from '../types.ts'
import { wordsAsked } from './markdown/marks.ts'
import { plainText } from './markdown/plain.ts'

/** What the widget needs of an open knowledge base. */
export interface OpenKnowledge {
  pack(messages: Message[]): Pack
  explain(messages: Message[]): Explanation
  readonly stats: Stats
  close(): void
}
/** What the widget needs of the package's main module: `import('pinpack')` is one. */
export interface Engine {
  open(base: string): Promise<OpenKnowledge>
  quote(messages: Message[], passages: Passage[], options: { language?: string; limit?: number }): Promise<Quote[]>
}
export type LoadEngine = () => Promise<Engine>

/** A passage of the site that answers, with where it stands. */
export interface QuotedPassage {
  text: string
  section: PackedSection
}

/** Quotations, and the visitor's words that the site knows: they are marked in them. */
export interface Quotations {
  passages: QuotedPassage[]
  words: string[]
}

/** Most characters of a passage that a citation shows. */
const EXCERPT_CHARS = 280

/** Failures that may be gone at the next question. All others last until the page is loaded again. */
const PASSING = new Set(['fetch-failed', 'chunk-failed'])

/** How long a question waits for the search, in milliseconds. */
const PATIENCE_MS = 15_000

export class Retrieval {
  /** Why the page cannot search. */
  error: PinpackError | undefined
  #engine: Engine | undefined
  #knowledge: OpenKnowledge | undefined
  #opening: Promise<OpenKnowledge | undefined> | undefined
  #said = new Set<string>()

  constructor(
    readonly load: LoadEngine,
    readonly base: string,
  ) {}

  /** The knowledge base, or `undefined` with `error` set. Never rejects; starts the engine at the first call. */
  open(): Promise<OpenKnowledge | undefined> {
    if (this.error && PASSING.has(this.error.code)) this.#opening = undefined
    this.#opening ??= this.#open()
    return Promise.race([this.#opening, this.#giveUp()])
  }

  /** A visitor on a slow line gets an answer without search rather than none; a later question may have it. */
  async #giveUp(): Promise<undefined> {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
    if (!this.#knowledge) this.error ??= new PinpackError('search-slow', `search was not ready after ${PATIENCE_MS} ms`)
  }

  /** Opens the site's current files in place of those that turned out to be stale. */
  async reload(): Promise<OpenKnowledge | undefined> {
    const old = this.#knowledge
    this.#knowledge = undefined
    this.#opening = this.#open()
    const opened = await this.#opening
    old?.close()
    return opened
  }

  /** The hash that goes with a request when the engine cannot tell it, from `pinpack.json`; `''` when that fails too. */
  async manifestHash(): Promise<string> {
    const manifest = await fetch(new URL('pinpack.json', this.base), { cache: 'no-cache' })
      .then((response) => response.json())
      .catch(() => undefined)
    return typeof manifest?.hash === 'string' ? manifest.hash : ''
  }

  /** The sentences of the packed sections that answer best, each with its section. */
  async quote(messages: Message[], limit = 3): Promise<Quotations> {
    const knowledge = await this.open()
    if (!knowledge || !this.#engine) return { passages: [], words: [] }
    const { sections, coverage } = knowledge.pack(messages)
    if (coverage.level === 'none') return { passages: [], words: [] }
    const scored = sections.filter((section) => section.why === 'scored' && section.text)
    const passages = scored.map(({ path, text }) => ({ title: path.join('\n'), text: text as string }))
    const quotes = await this.#engine.quote(messages, passages, { language: knowledge.stats.language, limit })
    const found = quotes.flatMap(({ passage, text }) => {
      const section = scored[passage]
      return section ? [{ text, section }] : []
    })
    const question = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    const terms = scored.flatMap((section) => section.terms)
    return { passages: found, words: wordsAsked(question, terms, knowledge.stats.language) }
  }

  /** The words of a section that say what `claim` says, or its beginning. Never rejects. */
  async excerpt(claim: string, { path, text = '' }: PackedSection): Promise<string> {
    const passages = [{ title: path.join('\n'), text }]
    const options = { language: this.#knowledge?.stats.language ?? 'en', limit: 1 }
    const quotes = await this.#engine?.quote([{ role: 'user', content: claim }], passages, options).catch(() => [])
    return shorten(plainText(quotes?.[0]?.text ?? text), EXCERPT_CHARS)
  }

  async #open(): Promise<OpenKnowledge | undefined> {
    this.error = undefined
    try {
      this.#engine = await this.load().catch((cause) => {
        throw new PinpackError('chunk-failed', `the search code could not be loaded: ${cause}`, { cause })
      })
      this.#knowledge = await this.#engine.open(this.base)
      this.error = undefined
      return this.#knowledge
    } catch (thrown) {
      this.error = PinpackError.from(thrown, 'wasm-failed')
      this.#say(this.error)
      return undefined
    }
  }

  /** One console message for each kind of failure: it is for the site's owner, not for the visitor. */
  #say({ code, message }: PinpackError): void {
    if (this.#said.has(code)) return
    this.#said.add(code)
    const hint =
      code === 'wasm-blocked' ? "\nThe page's Content-Security-Policy needs script-src 'wasm-unsafe-eval'." : ''
    console.warn(`pinpack: search is off [${code}] ${message}${message.includes('wasm-unsafe-eval') ? '' : hint}`)
  }
}

/** The text up to `limit` characters, cut after a word. */
function shorten(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= limit) return line
  const cut = line.slice(0, limit)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), limit / 2)).replace(/[\s,;:–-]+$|[\uD800-\uDBFF]$/g, '')}…`
}
