/** An answer as the parts of the AI SDK's UI message stream, in the order of `docs/proxy.md`. */

import type { ProxyErrorBody, Receipt } from '../types.ts'
import type { Answerer, AnswerPart } from './answerer.ts'
import type { Usage } from './counters.ts'
import { UpstreamError } from './errors.ts'
import type { AnswerJob, Chunk } from './stream.ts'
import { type TextChunks, textChunks } from './text.ts'
import { timed } from './timing.ts'

/** An upstream that asks for longer, in seconds, may be wrong. */
const MOST_RETRY_AFTER = 86_400
/** Failures for which quotes can stand in. What a filter stopped is not said in other words. */
const DOWN = new Set(['upstream-overloaded', 'upstream-failed', 'upstream-cut', 'upstream-auth'])

/** `start`, `data-receipt`, text and sources, then `finish` or `data-error` and `error`. */
export async function* answerChunks(job: AnswerJob): AsyncGenerator<Chunk, void> {
  const { exchange, answerer, notice, signal } = job
  const text = textChunks(job)
  try {
    yield { type: 'start', messageId: exchange.entry.id }
    yield receiptOf(job, answerer)
    if (notice) yield* noteStandIn(job, notice)
    yield* answerOrStandIn(job, text)
  } catch (error) {
    if (!signal.aborted) yield* fail(job, asFailure(error), text)
  } finally {
    exchange.end('aborted')
    await settle(job)
  }
}

/** The answer; that of the stand-in when the answerer fails before it has said anything. */
async function* answerOrStandIn(job: AnswerJob, text: TextChunks): AsyncGenerator<Chunk, void> {
  const { answerer, standIn, signal } = job
  try {
    yield* answerBy(answerer, job, text)
  } catch (error) {
    const failure = asFailure(error)
    if (!standIn || text.started || signal.aborted || !DOWN.has(failure.code)) throw error
    noteCharge(job, failure)
    yield* noteStandIn(job, errorBody(failure))
    yield receiptOf(job, standIn)
    text.discard()
    try {
      yield* answerBy(standIn, job, text)
    } catch (second) {
      throw text.started ? second : failure
    }
  }
}

async function* answerBy(answerer: Answerer, job: AnswerJob, text: TextChunks): AsyncGenerator<Chunk, void> {
  for await (const part of timed(answerer, job)) {
    if (part.type === 'text') yield* text.write(part.text)
    else yield* finish(job, part, text)
  }
}

async function* finish(job: AnswerJob, part: AnswerPart & { type: 'finish' }, text: TextChunks) {
  const { exchange } = job
  noteUsage(job, part.usage ?? {})
  const chunks = [...text.end()]
  if (!text.started) throw new UpstreamError(part.reason === 'length' ? 'upstream-cut' : 'upstream-failed')
  yield* chunks
  // A refusal for want of a model says nothing of what the site lacks.
  if (!exchange.entry.fallback) exchange.entry.unanswered ||= text.refused
  exchange.end('answered')
  yield { type: 'finish', finishReason: part.reason } as const
}

/** Says why quotes answer, for readers of the stream and for the log. */
function* noteStandIn({ exchange }: AnswerJob, data: ProxyErrorBody): Generator<Chunk> {
  exchange.entry.fallback = data.code as NonNullable<typeof exchange.entry.fallback>
  yield { type: 'data-notice', data }
}

function* fail(job: AnswerJob, failure: UpstreamError, text: TextChunks): Generator<Chunk> {
  noteCharge(job, failure)
  yield* lastOf(text)
  job.exchange.end('failed', failure.code)
  yield { type: 'data-error', data: errorBody(failure) }
  yield { type: 'error', errorText: failure.message }
}

/** What was held back still comes, unless it recites the prompt. */
function lastOf(text: TextChunks): Chunk[] {
  try {
    return [...text.end()]
  } catch {
    return text.started ? [{ type: 'text-end', id: text.id }] : []
  }
}

/** What an upstream refused costs nothing. */
function noteCharge(job: AnswerJob, { facts }: UpstreamError) {
  if (facts.charged === false) noteUsage(job, { input: 0, output: 0 })
}

function noteUsage({ exchange, cost }: AnswerJob, { input, output }: Partial<Usage>) {
  const { tokens } = exchange.entry
  if (input !== undefined) tokens.input = input
  if (output !== undefined) tokens.output = output
  if (cost && input !== undefined && output !== undefined) exchange.entry.cost = cost({ input, output })
}

function asFailure(error: unknown): UpstreamError {
  return error instanceof UpstreamError ? error : new UpstreamError('upstream-failed', error)
}

function errorBody({ code, message, facts }: UpstreamError): ProxyErrorBody {
  const seconds = facts.waitMs === undefined ? undefined : Math.min(MOST_RETRY_AFTER, Math.ceil(facts.waitMs / 1000))
  return { code, message, ...(seconds !== undefined && { retryAfter: seconds }) }
}

/** What is really sent, and who answers. A later one takes the place of the first. */
function receiptOf({ knowledge, prompt }: AnswerJob, { model }: Answerer): Chunk {
  const pinned = new Set(knowledge.pinned)
  const sections = prompt.passages.flatMap(({ id }) => {
    const section = knowledge.sections[id]
    if (!section) return []
    const { ref, title, url, tokens } = section
    return [{ id, ref, title, url, tokens, pinned: pinned.has(id) }]
  })
  const { hash, budget } = knowledge
  const data: Receipt = { hash, sections, tokens: prompt.tokens, budget, model }
  return { type: 'data-receipt', id: 'receipt', data }
}

/** Without the model's own counts the most that was reserved stays spent. */
function settle({ settle: tell, exchange }: AnswerJob): Promise<void> {
  const { input, output } = exchange.entry.tokens
  return tell(input === undefined || output === undefined ? undefined : { input, output })
}
