/** Sliding counters over a store: taken all or none, and put right when a call is over. */

import type { Store } from './store.ts'

/** Tokens that a call was charged for, or could be. */
export interface Usage {
  input: number
  output: number
}

/** One limit that a call takes from. */
export interface Counter {
  /** Names the counter in the store; counters of different visitors have different keys. */
  key: string
  /** A whole number, ≥ 0. */
  amount: number
  /** Most of all amounts in a window. */
  limit: number
  /**
   * Length of a slice in milliseconds. A window is the current slice and the `slices` before it, so at least
   * `slices · sliceMs` are looked at and never less; 0 makes a window that begins anew with each slice.
   */
  sliceMs: number
  slices: number
  /** What the amount turns into when the call is over: nothing of it is given back, all of it, or what the usage leaves. */
  after: 'keep' | 'release' | ((usage: Usage) => number)
}

/** What was taken from counters. Each method counts once, whichever is first; neither rejects: what is not given back stays taken. */
export interface Reservation {
  /** The call is over. Without a usage the amounts that depend on it stay as they are. */
  settle(usage?: Usage): Promise<void>
  /** The call is not made: everything is given back. */
  cancel(): Promise<void>
}

/** A counter that is full: its key, and when it will have room for the amount, in milliseconds. */
export interface Full {
  counter: Counter
  waitMs: number
}

export type Verdict = { taken: Reservation } | { full: Full }

const STORE_TIMEOUT_MS = 2000

/**
 * Takes from every counter, or from none when one is full. Each takes first and looks afterwards, so of any number of
 * calls at once never one too many gets through.
 *
 * Rejects when the store fails or is too slow; what was taken until then is given back.
 */
export async function take(store: Store, counters: Counter[], nowMs = Date.now()): Promise<Verdict> {
  const taken = counters.map((counter) => ({ counter, slice: Math.floor(nowMs / counter.sliceMs) }))
  const sums = await Promise.allSettled(taken.map((each) => inTime(sum(store, each))))
  // What became of a call to the store that failed is not known: giving that back could let one too many through.
  const reservation = reserve(
    store,
    taken.filter((_, at) => sums[at]?.status === 'fulfilled'),
  )
  const failed = sums.find((each) => each.status === 'rejected')
  const full = sums.flatMap((each, at) => {
    const counter = counters[at] as Counter
    const values = each.status === 'fulfilled' ? each.value : []
    return total(values) > counter.limit ? [{ counter, waitMs: waitFor(counter, values, nowMs) }] : []
  })
  if (!failed && full.length === 0) return { taken: reservation }
  await reservation.cancel()
  if (failed) throw failed.reason
  return { full: full.reduce((longest, each) => (each.waitMs > longest.waitMs ? each : longest)) }
}

interface Taken {
  counter: Counter
  slice: number
}

const keyOf = ({ key }: Counter, slice: number) => `${key}:${slice}`
/** A slice is looked at until its window has passed, and given back to a while longer. */
const ttlOf = ({ sliceMs, slices }: Counter) => Math.ceil(((slices + 2) * sliceMs) / 1000)
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

/** The values of the window's slices, the current one first. */
function sum(store: Store, { counter, slice }: Taken): Promise<number[]> {
  const slices = Array.from({ length: counter.slices + 1 }, (_, back) => slice - back)
  return Promise.all(
    slices.map((each) => store.add(keyOf(counter, each), each === slice ? counter.amount : 0, ttlOf(counter))),
  )
}

function reserve(store: Store, taken: Taken[]): Reservation {
  let open = true
  const giveBack = async (amountOf: (counter: Counter) => number) => {
    if (!open) return
    open = false
    const backs = taken.map(async ({ counter, slice }) => {
      const change = amountOf(counter) - counter.amount
      if (change !== 0) await inTime(store.add(keyOf(counter, slice), change, ttlOf(counter)))
    })
    await Promise.allSettled(backs)
  }
  return {
    settle: (usage) => giveBack((counter) => remaining(counter, usage)),
    cancel: () => giveBack(() => 0),
  }
}

function remaining({ amount, after }: Counter, usage: Usage | undefined): number {
  if (after === 'release') return 0
  return after === 'keep' || !usage ? amount : Math.max(0, Math.round(after(usage)))
}

/** How long until enough of the oldest slices have left the window. */
function waitFor({ limit, sliceMs, slices }: Counter, values: number[], nowMs: number): number {
  const toNextSlice = sliceMs - (nowMs % sliceMs)
  let left = total(values)
  for (let back = slices; back >= 0; back--) {
    left -= values[back] ?? 0
    if (left <= limit) return toNextSlice + (slices - back) * sliceMs
  }
  return toNextSlice + slices * sliceMs
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the store is too slow')), STORE_TIMEOUT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
