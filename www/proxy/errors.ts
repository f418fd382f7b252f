/** The proxy's two kinds of error: a request that is refused before the stream, and an upstream that fails in it. */

import { PinpackError } from '../errors.ts'
import type { ProxyErrorBody } from '../types.ts'

/** HTTP status of each code that is sent before the stream. */
export const STATUS = {
  'bad-request': 400,
  'unknown-section': 400,
  'over-budget': 400,
  origin: 403,
  human: 403,
  method: 405,
  'body-slow': 408,
  stale: 409,
  'body-too-large': 413,
  'content-type': 415,
  'rate-limited': 429,
  'budget-spent': 429,
  internal: 500,
  unavailable: 503,
} as const

export type RequestCode = keyof typeof STATUS

/** Fixed text of each code that is sent in the stream. Nothing of what the upstream said is in them. */
export const UPSTREAM_TEXT = {
  'upstream-overloaded': 'The assistant is busy. Please try again in a moment.',
  'upstream-failed': 'The assistant could not answer. Please try again.',
  'upstream-cut': 'The answer was cut off before its end. Please try again.',
  'upstream-auth': 'The assistant is not set up correctly. The owner of this site has to look at it.',
  'content-filter': 'The answer was stopped by a content filter.',
  'answer-withheld': 'The answer was stopped because it repeated instructions that are not for visitors.',
} as const

export type UpstreamCode = keyof typeof UPSTREAM_TEXT

/** A request that is refused: becomes a JSON `{ code, message, retryAfter? }` with a status. */
export class RequestError extends PinpackError {
  constructor(
    override readonly code: RequestCode,
    message: string,
    /** Fields beside code and message: `retryAfter` in seconds, `hash` of the current knowledge base. */
    readonly fields: { retryAfter?: number; hash?: string } = {},
  ) {
    super(code, message)
  }

  get status(): (typeof STATUS)[RequestCode] {
    return STATUS[this.code]
  }

  toJSON(): ProxyErrorBody & { hash?: string } {
    return { code: this.code, message: this.message, ...this.fields }
  }
}

/** What is known of a failure beside its code. */
export interface UpstreamFacts {
  /** Whether the call can have cost something. Default true. */
  charged?: boolean
  /** Whether the same call can be made again: nothing of an answer was sent, and the upstream was only busy. */
  retryable?: boolean
  /** How long the upstream asks to wait, in milliseconds. */
  waitMs?: number
}

/** An upstream that failed: becomes a typed `error` part. `cause` is the upstream's own error and never leaves the process. */
export class UpstreamError extends PinpackError {
  constructor(
    override readonly code: UpstreamCode,
    cause?: unknown,
    readonly facts: UpstreamFacts = {},
  ) {
    super(code, UPSTREAM_TEXT[code], { cause })
  }
}
