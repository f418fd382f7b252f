/** Who may ask now, and what may be spent: the limits over time, as counters. */

import { type Counter, type Reservation, take, type Usage, type Verdict } from './counters.ts'
import { RequestError } from './errors.ts'
import type { Settings } from './settings.ts'

const MINUTE = { sliceMs: 20_000, slices: 3 }
const DAY = { sliceMs: 86_400_000, slices: 0 }

/**
 * Lets a visitor in, or not: so often in a minute and a day, and so many answers open at once. Comes before the body is
 * looked at, so what is malformed counts too.
 *
 * @throws RequestError `rate-limited` with `retryAfter`; `unavailable` when the store is down.
 */
export async function admit(settings: Settings, visitor: string): Promise<Reservation> {
  const { addressMinute, addressDay, addressOpen, open, totalMs, bodyMs } = settings.limits
  // An answer is over after `totalMs`: what a process that died did not give back is forgotten after two such slices.
  const lasting = { sliceMs: totalMs + bodyMs, slices: 1, amount: 1, after: 'release' as const }
  const verdict = await count(settings, [
    { key: `minute:${visitor}`, limit: addressMinute, amount: 1, after: 'keep', ...MINUTE },
    { key: `day:${visitor}`, limit: addressDay, amount: 1, after: 'keep', ...DAY },
    { key: `open:${visitor}`, limit: addressOpen, ...lasting },
    { key: 'open', limit: open, ...lasting },
  ])
  if ('taken' in verdict) return verdict.taken
  const { counter, waitMs } = verdict.full
  // An answer that is open ends sooner than its slice.
  const retryAfter = seconds(counter.after === 'release' ? Math.min(waitMs, OPEN_RETRY_MS) : waitMs)
  throw new RequestError('rate-limited', 'Too many questions. Please try again later.', { retryAfter })
}

const OPEN_RETRY_MS = 5000

/**
 * Reserves the most that a call can cost before it is made.
 *
 * @throws RequestError `rate-limited` when the minute's tokens are spoken for, `budget-spent` when the day's are,
 * `over-budget` when the call alone is more than any minute allows; `unavailable` when the store is down.
 */
export async function reserveSpend(settings: Settings, most: Usage): Promise<Reservation> {
  const { dayCalls, dayTokens, minuteTokens, dayMicros } = settings.limits
  const { prices } = settings
  const tokens = most.input + most.output
  if (tokens > minuteTokens) {
    throw new RequestError('over-budget', `The request needs up to ${tokens} tokens; ${minuteTokens} are allowed.`)
  }
  const sum = { amount: tokens, after: (usage: Usage) => usage.input + usage.output }
  const cost = (usage: Usage) => microsOf(settings, usage)
  const verdict = await count(settings, [
    { key: 'day-calls', limit: dayCalls, amount: 1, after: 'keep', ...DAY },
    { key: 'day-tokens', limit: dayTokens, ...sum, ...DAY },
    ...(prices ? [{ key: 'day-micros', limit: dayMicros, amount: cost(most), after: cost, ...DAY }] : []),
    { key: 'minute-tokens', limit: minuteTokens, ...sum, ...MINUTE },
  ])
  if ('taken' in verdict) return verdict.taken
  const retryAfter = seconds(verdict.full.waitMs)
  if (verdict.full.counter.sliceMs === DAY.sliceMs) {
    throw new RequestError('budget-spent', 'The assistant has answered all that it may today.', { retryAfter })
  }
  throw new RequestError('rate-limited', 'The assistant is busy. Please try again later.', { retryAfter })
}

/** What a usage costs, in millionths of the currency of `prices`, rounded up; 0 without prices. */
export function microsOf({ prices }: Settings, { input, output }: Usage): number {
  return prices ? Math.ceil(input * prices.input + output * prices.output) : 0
}

/** Fails closed: when the store cannot say, nothing is spent. */
async function count({ store }: Settings, counters: Counter[]): Promise<Verdict> {
  try {
    return await take(store, counters)
  } catch {
    throw new RequestError('unavailable', 'The assistant is not available now. Please try again later.')
  }
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))
