/** An answer as server-sent events, for as long as somebody reads it. */

import { createUIMessageStreamResponse, type UIMessageChunk } from 'ai'
import type { Prompt } from '../prompt.ts'
import type { Knowledge, Message, ProxyErrorBody, Receipt } from '../types.ts'
import type { Answerer } from './answerer.ts'
import type { Usage } from './counters.ts'
import type { Limits } from './limits.ts'
import type { Exchange } from './log.ts'
import { answerChunks } from './parts.ts'

/** A part of the stream: see `docs/proxy.md`. */
export type Chunk = UIMessageChunk<unknown, { receipt: Receipt; error: ProxyErrorBody; notice: ProxyErrorBody }>

/** Everything that one answer is made from. */
export interface AnswerJob {
  knowledge: Knowledge
  prompt: Prompt
  asked: Message[]
  answerer: Answerer
  /** Answers when `answerer` fails before its first text. */
  standIn?: Answerer | undefined
  /** Why `answerer` is not the model: said before the answer. */
  notice?: ProxyErrorBody | undefined
  /** Whether an answer that recites the prompt is stopped. */
  canary: boolean
  exchange: Exchange
  limits: Limits
  /** Aborts when the visitor is gone. */
  signal: AbortSignal
  /** Told once that the answer is over, with the tokens spent where they are known. Never rejects. */
  settle: (usage?: Usage) => Promise<void>
  /** What a usage costs, where prices are known. */
  cost: ((usage: Usage) => number) | undefined
}

/**
 * How often a comment is sent while nothing else is, 17 bytes. Proxies keep the connection open; and Cloudflare's runtime
 * notices that a visitor has left only when it writes, so that this is how long a model then writes for nobody.
 */
const KEEP_ALIVE_MS = 500
/** How long after its total time an answer is given up though nobody reads it. */
const STALLED_MS = 1000

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
      if (!done) return controller.enqueue(value as UIMessageChunk)
      clearTimeout(overdue)
      controller.close()
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
