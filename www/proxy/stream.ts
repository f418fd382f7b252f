/** An answer as the parts of the AI SDK's UI message stream, in the order of `docs/proxy.md`. */

import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai'
import type { Prompt } from '../prompt.ts'
import type { Knowledge, Message, ProxyErrorBody, Receipt } from '../types.ts'
import type { Answerer, AnswerPart } from './answerer.ts'
import { type CitationFilter, createCitationFilter } from './citations.ts'
import type { Usage } from './counters.ts'
import { UpstreamError } from './errors.ts'
import type { Limits } from './limits.ts'
import type { Exchange } from './log.ts'

type Chunk = UIMessageChunk<unknown, { receipt: Receipt; error: ProxyErrorBody }>

/** Everything that one answer is made from. */
export interface AnswerJob {
  knowledge: Knowledge
  prompt: Prompt
  asked: Message[]
  answerer: Answerer
  exchange: Exchange
  limits: Limits
  /** Aborts when the visitor is gone. */
  signal: AbortSignal
  /** Told once that the answer is over, with the tokens spent where they are known. Never rejects. */
  settle: (usage?: Usage) => Promise<void>
}

/** Comments that keep idle connections open through proxies. */
const KEEP_ALIVE_MS = 15_000
/** How long after its total time an answer is given up though nobody reads it. */
const STALLED_MS = 1000
/** An upstream that asks for longer, in seconds, may be wrong. */
const MOST_RETRY_AFTER = 86_400
const TEXT_ID = 'answer'

/** Answers a job as server-sent events. When the body is cancelled, the upstream call is aborted. */
export function streamAnswer(job: AnswerJob): Response {
  const gone = new AbortController()
  const signal = AbortSignal.any([job.signal, gone.signal])
  const chunks = answerChunks({ ...job, signal })
  // Who asks and then reads nothing would hold an answer open for ever: nothing runs in it between two reads.
  const overdue = setTimeout(() => {
    gone.abort()
    void chunks.return(undefined)
  }, job.limits.totalMs + STALLED_MS)
  const stream = new ReadableStream<UIMessageChunk>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) {
        clearTimeout(overdue)
        controller.close()
      } else controller.enqueue(value as UIMessageChunk)
    },
    async cancel(reason) {
      clearTimeout(overdue)
      gone.abort(reason)
      await chunks.return(undefined)
    },
  })
  const headers = { 'cache-control': 'no-cache, no-transform', 'x-content-type-options': 'nosniff' }
  const response = createUIMessageStreamResponse({ stream, headers, keepAliveMs: KEEP_ALIVE_MS })
  response.headers.delete('connection') // belongs to the connection, not to the answer: forbidden in HTTP/2
  return response
}

/** `start`, `data-receipt`, text and sources, then `finish` or `data-error` and `error`. */
async function* answerChunks(job: AnswerJob): AsyncGenerator<Chunk, void> {
  const { exchange, prompt } = job
  const filter = createCitationFilter(prompt.passages.length)
  const text = textChunks(job, filter)
  try {
    yield { type: 'start', messageId: exchange.entry.id }
    yield { type: 'data-receipt', data: receiptOf(job) }
    for await (const part of timed(job)) {
      if (part.type === 'text') yield* text.write(filter.push(part.text))
      else yield* finish(job, part, text, filter)
    }
  } catch (error) {
    if (job.signal.aborted) return
    const failure = error instanceof UpstreamError ? error : new UpstreamError('upstream-failed', error)
    if (failure.facts.charged === false) Object.assign(exchange.entry.tokens, { input: 0, output: 0 })
    yield* text.write(filter.end())
    yield* text.end()
    exchange.end('failed', failure.code)
    yield { type: 'data-error', data: errorBody(failure) }
    yield { type: 'error', errorText: failure.message }
  } finally {
    exchange.end('aborted')
    await settle(job)
  }
}

function errorBody({ code, message, facts }: UpstreamError): ProxyErrorBody {
  const seconds = facts.waitMs === undefined ? undefined : Math.min(MOST_RETRY_AFTER, Math.ceil(facts.waitMs / 1000))
  return { code, message, ...(seconds !== undefined && { retryAfter: seconds }) }
}

async function* finish(
  job: AnswerJob,
  part: AnswerPart & { type: 'finish' },
  text: TextChunks,
  filter: CitationFilter,
) {
  Object.assign(job.exchange.entry.tokens, part.usage)
  yield* text.write(filter.end())
  if (!text.started) throw new UpstreamError(part.reason === 'length' ? 'upstream-cut' : 'upstream-failed')
  yield* text.end()
  job.exchange.end('answered')
  yield { type: 'finish', finishReason: part.reason } as const
}

interface TextChunks {
  readonly started: boolean
  write(piece: string): Generator<Chunk>
  end(): Generator<Chunk>
}

/** The text part, opened by the first text, and a source for each passage when it is first cited. */
function textChunks({ exchange, knowledge, prompt }: AnswerJob, filter: CitationFilter): TextChunks {
  let started = false
  const { cited } = exchange.entry
  return {
    get started() {
      return started
    },
    *write(piece) {
      if (piece === '') return
      exchange.firstToken()
      if (!started) yield { type: 'text-start', id: TEXT_ID }
      started = true
      yield { type: 'text-delta', id: TEXT_ID, delta: piece }
      for (const n of [...filter.cited].slice(cited.length)) {
        cited.push(n)
        yield* sourceOf(n, knowledge, prompt)
      }
    },
    *end() {
      if (started) yield { type: 'text-end', id: TEXT_ID }
    },
  }
}

function* sourceOf(n: number, knowledge: Knowledge, prompt: Prompt): Generator<Chunk> {
  const section = knowledge.sections[prompt.passages[n - 1]?.id ?? -1]
  if (section?.url) yield { type: 'source-url', sourceId: `p${n}`, url: section.url, title: section.title }
}

/** The answer's parts, or an error when the next one is too long in coming. */
async function* timed({ answerer, prompt, asked, limits, signal }: AnswerJob): AsyncGenerator<AnswerPart> {
  const late = new AbortController()
  let started = false
  const expire = () => late.abort(new UpstreamError(started ? 'upstream-cut' : 'upstream-failed'))
  const total = setTimeout(expire, limits.totalMs)
  let idle = setTimeout(expire, limits.idleMs)
  try {
    for await (const part of answerer.answer(prompt, asked, AbortSignal.any([signal, late.signal]))) {
      clearTimeout(idle)
      started = true
      yield part
      idle = setTimeout(expire, limits.idleMs)
    }
  } finally {
    clearTimeout(total)
    clearTimeout(idle)
    late.abort()
  }
}

function receiptOf({ knowledge, prompt, answerer }: AnswerJob): Receipt {
  const pinned = new Set(knowledge.pinned)
  const sections = prompt.passages.flatMap(({ id }) => {
    const section = knowledge.sections[id]
    if (!section) return []
    const { ref, title, url, tokens } = section
    return [{ id, ref, title, url, tokens, pinned: pinned.has(id) }]
  })
  const { hash, budget } = knowledge
  return { hash, sections, tokens: prompt.tokens, budget, model: answerer.model }
}

/** Without the model's own counts the most that was reserved stays spent. */
function settle({ settle: tell, exchange }: AnswerJob): Promise<void> {
  const { input, output } = exchange.entry.tokens
  return tell(input === undefined || output === undefined ? undefined : { input, output })
}
