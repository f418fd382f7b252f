/** Caps of one request, and limits over time, with their ranges and defaults. */

import * as v from 'valibot'

/** Every field is an integer and has a default. */
export interface Limits {
  /** Most bytes of a request's body; the rest is not read. 1,024 to 1,048,576, default 65,536. */
  bodyBytes: number
  /** Longest time for a body to arrive, in milliseconds. 10 to 600,000, default 10,000. */
  bodyMs: number
  /** Most messages in a request; more are refused. 1 to 1,000, default 40. */
  messages: number
  /** Most UTF-16 code units of one message; longer ones are refused. 1 to 100,000, default 4,000. */
  messageChars: number
  /** Most tokens that the model may answer with. 16 to 100,000, default 800. Reasoning models need more: they think in it. */
  outputTokens: number
  /** Most messages sent to the model; older ones are dropped. 1 to 1,000, default 12. */
  historyMessages: number
  /** Most tokens of messages sent to the model, as an upper bound (UTF-8 bytes). 1 to 1,000,000, default 8,000. */
  historyTokens: number
  /** Longest wait for the next piece of an answer, in milliseconds. 10 to 600,000, default 30,000. */
  idleMs: number
  /** Longest time for a whole answer, in milliseconds. 10 to 3,600,000, default 120,000. */
  totalMs: number
  /** Retries of a model call that failed before its first byte with 429 or 5xx. 0 to 5, default 1. */
  retries: number
  /** Longest wait before a retry, in milliseconds; an upstream that asks for more is not asked again. 0 to 60,000, default 5,000. */
  retryMs: number
  /** Requests of one address in a minute. 0 to 1,000,000, default 10. */
  addressMinute: number
  /** Requests of one address in a day (UTC). 0 to 1,000,000, default 200. */
  addressDay: number
  /** Answers that one address can have open at once. 0 to 1,000,000, default 4. */
  addressOpen: number
  /** Answers that all visitors together can have open at once. 0 to 1,000,000, default 100. */
  open: number
  /** Model calls of all visitors in a day (UTC). 0 to 1,000,000,000, default 10,000. */
  dayCalls: number
  /** Tokens of all model calls in a day (UTC), in and out. 0 to 1,000,000,000, default 5,000,000. */
  dayTokens: number
  /** Tokens of all model calls in any minute: what the model's account allows. 0 to 1,000,000,000, default 100,000. */
  minuteTokens: number
  /** Cost of all model calls in a day (UTC), in millionths of the currency of `prices`. 0 to 1,000,000,000,000, default: no limit. */
  dayMicros: number
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 65_536,
  bodyMs: 10_000,
  messages: 40,
  messageChars: 4000,
  outputTokens: 800,
  historyMessages: 12,
  historyTokens: 8000,
  idleMs: 30_000,
  totalMs: 120_000,
  retries: 1,
  retryMs: 5000,
  addressMinute: 10,
  addressDay: 200,
  addressOpen: 4,
  open: 100,
  dayCalls: 10_000,
  dayTokens: 5_000_000,
  minuteTokens: 100_000,
  dayMicros: Number.MAX_SAFE_INTEGER,
}

const between = (min: number, max: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)))

export const limitsSchema = v.strictObject({
  bodyBytes: between(1024, 1_048_576),
  bodyMs: between(10, 600_000),
  messages: between(1, 1000),
  messageChars: between(1, 100_000),
  outputTokens: between(16, 100_000),
  historyMessages: between(1, 1000),
  historyTokens: between(1, 1_000_000),
  idleMs: between(10, 600_000),
  totalMs: between(10, 3_600_000),
  retries: between(0, 5),
  retryMs: between(0, 60_000),
  addressMinute: between(0, 1_000_000),
  addressDay: between(0, 1_000_000),
  addressOpen: between(0, 1_000_000),
  open: between(0, 1_000_000),
  dayCalls: between(0, 1_000_000_000),
  dayTokens: between(0, 1_000_000_000),
  minuteTokens: between(0, 1_000_000_000),
  dayMicros: between(0, 1_000_000_000_000),
} satisfies Record<keyof Limits, unknown>)
