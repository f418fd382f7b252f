/**
 * A conversation with the site: questions, answers, and the steps from one to the other. It knows neither the page nor
 * the element; `changed` is called after every step.
 */

import { PinpackError } from '../errors.ts'
import type { Message, Pack, Receipt } from '../types.ts'
import { readParts, type StreamPart } from './events.ts'
import { citedNumbers, plainText } from './markdown/plain.ts'
import type { QuotedPassage, Retrieval } from './retrieval.ts'
import { type Ask, openStream, type Transport, TransportError } from './transport.ts'

export interface Question {
  role: 'user'
  content: string
}
/**
 * `waiting`: nothing has come; `streaming`: text is coming; `done`; `stopped`: by the visitor; `cut`: the stream ended
 * before its end; `failed`: an error instead of, or after a part of, the answer.
 */
export type AnswerStatus = 'waiting' | 'streaming' | 'done' | 'stopped' | 'cut' | 'failed'
export interface Source {
  number: number
  url: string
  title: string
  /** A rule without a page: its number is not shown, for it may be private. */
  hidden?: boolean
  /** Its section's id in the knowledge base. */
  section?: number
  /** The words of the passage that say what the answer says. */
  quote?: string
}
/** What the visitor thought of an answer. `reason` is a key of the widget's words, such as `reasonWrong`. */
export interface Feedback {
  value: 'up' | 'down'
  reason?: string
  comment?: string
}
export interface Answer {
  role: 'assistant'
  /** Markdown; markers `[n]` name `sources`. */
  content: string
  status: AnswerStatus
  /** `model`: the proxy answered. `quotes`: the page quoted the site. `nothing`: the site holds no answer. */
  kind: 'model' | 'quotes' | 'nothing'
  /** Passage number → where it stands. */
  sources: Record<number, Source>
  pack?: Pack
  receipt?: Receipt
  /** The proxy's own name for this answer: its log has the same. */
  id?: string
  feedback?: Feedback
  /** Words to mark in quotations. */
  words?: string[]
  /** The model was asked what the search found nothing about, and cited nothing: the visitor is told where else to ask. */
  uncovered?: boolean
  /** Why the page answered by itself, or why there is no answer; `why` is the code of the failure behind it. */
  error?: { code: string; message: string; retryAfter?: number; why?: string }
}
export type Entry = Question | Answer

/** Gives the parts of an answer. */
export type Answerer = (messages: Message[], signal: AbortSignal) => AsyncIterable<StreamPart>

export interface ConversationOptions {
  endpoint: () => string
  /** The browser's own model, when the owner turned it on and the browser has one. */
  builtin: () => Promise<Answerer | undefined>
  retrieval: () => Retrieval
  transport: () => Transport
  changed: (answer?: Answer) => void
}

/** The proxy passes on the last 12 messages and refuses any over 4,000 code units (its defaults). */
const SENT_MESSAGES = 12
export const MESSAGE_CHARS = 4000

export class Conversation {
  entries: Entry[] = []
  #abort: AbortController | undefined

  constructor(readonly options: ConversationOptions) {}

  get busy(): boolean {
    return this.#abort !== undefined
  }

  /** The answer that is last, if one is. */
  get last(): Answer | undefined {
    const entry = this.entries.at(-1)
    return entry?.role === 'assistant' ? entry : undefined
  }

  /** Asks a question. Resolves when the answer is complete, stopped or failed; never rejects. */
  async ask(content: string): Promise<void> {
    const question = content.trim()
    if (question === '' || this.busy) return
    this.entries.push({ role: 'user', content: question })
    await this.#answer()
  }

  /** Asks the last question again, in place of its answer. */
  async retry(): Promise<void> {
    if (this.busy || !this.last) return
    this.entries.pop()
    await this.#answer()
  }

  stop(): void {
    this.#end('stopped')
  }

  /** Marks a running answer as cut: the page was frozen or the connection is gone. */
  cut(): void {
    this.#end('cut')
  }

  clear(): void {
    this.stop()
    this.entries = []
    this.options.changed()
  }

  /** The last messages, as they are searched and sent. */
  messages(): Message[] {
    const said = this.entries.filter((entry) => entry.content !== '')
    return said.slice(-SENT_MESSAGES).map(({ role, content }) => ({ role, content: content.slice(0, MESSAGE_CHARS) }))
  }

  /** Ends a running answer now, whatever its stream still does. */
  #end(status: 'stopped' | 'cut'): void {
    const abort = this.#abort
    this.#abort = undefined
    if (!abort || !this.last) return
    this.last.status = status
    abort.abort()
    this.options.changed(this.last)
  }

  async #answer(): Promise<void> {
    const messages = this.messages()
    const answer: Answer = { role: 'assistant', content: '', status: 'waiting', kind: 'model', sources: {} }
    const abort = new AbortController()
    this.#abort = abort
    this.entries.push(answer)
    this.options.changed(answer)
    try {
      await this.#byModel(answer, messages, abort.signal)
    } catch (thrown) {
      if (!abort.signal.aborted) await this.#recover(answer, messages, thrown, abort.signal)
    }
    if (this.#abort !== abort) return
    this.#abort = undefined
    this.options.changed(answer)
  }

  async #byModel(answer: Answer, messages: Message[], signal: AbortSignal): Promise<void> {
    const endpoint = this.options.endpoint()
    if (!endpoint) throw new TransportError('no-endpoint', 'No endpoint is set.', 0)
    await this.#take(answer, readParts(await this.#openAnswer(answer, messages, endpoint, signal)), signal)
  }

  /** Asks the browser's own model. Gives false when there is none, or when it failed before its first word. */
  async #byBrowser(answer: Answer, messages: Message[], signal: AbortSignal): Promise<boolean> {
    const ask = await this.options.builtin()
    if (!ask) return false
    try {
      const pack = (await this.options.retrieval().open())?.pack(messages)
      if (pack) answer.pack = pack
      await this.#take(answer, ask(messages, signal), signal)
    } catch (thrown) {
      signal.throwIfAborted()
      console.warn(`pinpack: [${PinpackError.from(thrown).code}] ${PinpackError.from(thrown).message}`)
      if (answer.content === '') return false
      answer.status = 'cut'
    }
    return true
  }

  async #take(answer: Answer, parts: AsyncIterable<StreamPart>, signal: AbortSignal): Promise<void> {
    for await (const part of parts) {
      signal.throwIfAborted()
      apply(answer, part)
      this.options.changed(answer)
    }
    signal.throwIfAborted()
    if (answer.status === 'waiting' || answer.status === 'streaming') answer.status = 'cut'
    const none = answer.kind === 'model' && answer.pack?.coverage.level === 'none'
    if (none && citedNumbers(answer.content).length === 0) answer.uncovered = true
  }

  /** Posts the pack. When the proxy has a newer knowledge base, loads it and posts once more. */
  async #openAnswer(answer: Answer, messages: Message[], endpoint: string, signal: AbortSignal) {
    const retrieval = this.options.retrieval()
    const send = async () => {
      const ask = await this.#pack(answer, messages)
      signal.throwIfAborted()
      return openStream(this.options.transport(), endpoint, ask, signal)
    }
    try {
      return await send()
    } catch (thrown) {
      if (!(thrown instanceof TransportError) || thrown.code !== 'stale') throw thrown
      await retrieval.reload()
      return await send()
    }
  }

  async #pack(answer: Answer, messages: Message[]): Promise<Ask> {
    const retrieval = this.options.retrieval()
    const knowledge = await retrieval.open()
    if (!knowledge) return { hash: await retrieval.manifestHash(), messages }
    const pack = knowledge.pack(messages)
    answer.pack = pack
    const sections = pack.sections.filter(({ why }) => why !== 'pinned').map(({ id }) => id)
    return { hash: pack.hash, sections, messages, coverage: pack.coverage.level }
  }

  /** Without a proxy, the browser's model answers, or the page with the site's own words; any other failure is shown. */
  async #recover(answer: Answer, messages: Message[], thrown: unknown, signal: AbortSignal): Promise<void> {
    const down = thrown instanceof TransportError && thrown.isDown && answer.content === ''
    try {
      if (down && (await this.#byBrowser(answer, messages, signal))) return
    } catch {
      return
    }
    const error = PinpackError.from(thrown)
    const retryAfter = thrown instanceof TransportError ? thrown.retryAfter : undefined
    const { code, message } = error
    answer.error = retryAfter === undefined ? { code, message } : { code, message, retryAfter }
    answer.status = answer.content === '' ? 'failed' : 'cut'
    if (down) await this.#quote(answer, messages, signal)
  }

  async #quote(answer: Answer, messages: Message[], signal: AbortSignal): Promise<void> {
    const code = answer.error?.code
    const retrieval = this.options.retrieval()
    const { passages, words } = await retrieval.quote(messages).catch(() => ({ passages: [], words: [] }))
    if (signal.aborted) return
    if (retrieval.error) {
      const { code: why, message } = retrieval.error
      if (code === 'no-endpoint') answer.error = { code: 'search-off', message, why }
      return
    }
    answer.status = 'done'
    answer.kind = passages.length > 0 ? 'quotes' : 'nothing'
    answer.words = words
    quoteInto(answer, passages)
  }
}

/** Adds one part of the stream to the answer. */
function apply(answer: Answer, part: StreamPart): void {
  switch (part.type) {
    case 'start':
      if (typeof part.messageId === 'string') answer.id = part.messageId
      break
    case 'data-receipt':
      addReceipt(answer, part.data)
      break
    case 'text-start':
      if (answer.content !== '') answer.content += '\n\n'
      break
    case 'text-delta':
      answer.content += part.delta
      answer.status = 'streaming'
      break
    case 'source-url':
      addSource(answer, Number(part.sourceId.replace(/^p/, '')), part.url, part.title ?? part.url)
      break
    case 'data-notice':
      answer.kind = 'quotes'
      answer.error = part.data
      break
    case 'data-error':
      answer.status = 'failed'
      answer.error = part.data
      break
    case 'error':
      answer.status = 'failed'
      answer.error ??= { code: 'upstream-failed', message: part.errorText }
      break
    case 'abort':
      answer.status = 'cut'
      break
    case 'finish':
      if (answer.status === 'waiting' || answer.status === 'streaming') answer.status = 'done'
      break
  }
}

function addReceipt(answer: Answer, receipt: Receipt): void {
  answer.receipt = receipt
  answer.sources = {}
  for (const [index, { id, url, title, pinned }] of receipt.sections.entries()) {
    const source = { number: index + 1, url, title, section: id }
    answer.sources[index + 1] = pinned && url === '' ? { ...source, hidden: true } : source
  }
}

function addSource(answer: Answer, number: number, url: string, title: string): void {
  if (Number.isSafeInteger(number) && number > 0)
    answer.sources[number] = { ...answer.sources[number], number, url, title }
}

/** Writes the passages as quotations, each with the number of its source. */
function quoteInto(answer: Answer, passages: QuotedPassage[]): void {
  const numbers = new Map<number, number>()
  const lines = passages.map(({ text, section }) => {
    const number = numbers.get(section.id) ?? numbers.size + 1
    numbers.set(section.id, number)
    const { url, title, id } = section
    answer.sources[number] ??= { number, url, title, section: id, quote: plainText(text) }
    return `> ${text.trim().replace(/\n/g, '\n> ')} [${number}]`
  })
  answer.content = lines.join('\n\n')
}
