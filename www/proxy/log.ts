/** One log entry a request. No text of the prompt, of the answer or of an upstream, no address, no key is in it. */

import type { ChatRequest } from '../types.ts'
import type { RequestCode, UpstreamCode } from './errors.ts'

export interface LogEntry {
  /** Same as the `X-Request-Id` header and the stream's message id. */
  id: string
  /** When the request came, ISO 8601. */
  time: string
  /** `answered`: to the end. `refused`: before the stream. `failed`: in the stream. `aborted`: the visitor left. */
  outcome: 'answered' | 'refused' | 'failed' | 'aborted'
  /** Why it was refused or failed. */
  code?: RequestCode | UpstreamCode
  /** HTTP status that was sent. */
  status: number
  /** Hash of the address, another each day. Not with `privacy: 'strict'`, nor of a request that was refused before it counted. */
  visitor?: string
  /** The visitor's last message. Not with `privacy: 'strict'`. */
  question?: string
  /** The visitor's message before it, which the question can lean on. Not with `privacy: 'strict'`. */
  before?: string
  /** Content hash of the knowledge base that `sections` belong to. */
  hash: string
  /** Ids of the sections sent, pinned first. */
  sections: number[]
  /** Exact tokens of the passages; the model's own count of its input and output where it reports one. */
  tokens: { passages: number; input?: number; output?: number }
  /** What the model's call cost, in the currency of `prices`; only with `prices`, and when the model counts. */
  cost?: number
  /** How much of the question the page's search covers, when the page tells. */
  coverage?: NonNullable<ChatRequest['coverage']>
  /** Passage numbers that the answer cited. */
  cited: number[]
  /** The model's id, or `embedded`. */
  model: string
  /** Whether the model used its permitted refusal, or the page says that its search covers nothing of the question. */
  unanswered: boolean
  /** Why quotes answered instead of the model. */
  fallback?: RequestCode | UpstreamCode
  /** Milliseconds from the request to the first text. */
  firstTokenMs?: number
  /** Milliseconds from the request to its end. */
  totalMs: number
}

/** A log entry in the making. */
export interface Exchange {
  readonly entry: LogEntry
  /** Marks the first text; later calls change nothing. */
  firstToken(): void
  /** Closes the entry and logs it; later calls change nothing. */
  end(outcome: LogEntry['outcome'], code?: LogEntry['code'], status?: number): void
}

/** `write` is given the entry once, when it is closed. */
export function startExchange(model: string, hash: string, write: (entry: LogEntry) => void): Exchange {
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  const entry: LogEntry = {
    id: crypto.randomUUID(),
    time: new Date().toISOString(),
    outcome: 'aborted',
    status: 200,
    hash,
    sections: [],
    tokens: { passages: 0 },
    cited: [],
    model,
    unanswered: false,
    totalMs: 0,
  }
  let ended = false
  return {
    entry,
    firstToken() {
      entry.firstTokenMs ??= since()
    },
    end(outcome, code, status = 200) {
      if (ended) return
      ended = true
      Object.assign(entry, { outcome, status, totalMs: since() }, code && { code })
      write(entry)
    },
  }
}
