/** How two runs over the same questions differ: each measure with its interval, and the questions that changed. Pure. */

import type { Asked } from './asking.ts'
import {
  type Difference,
  isPacked,
  type Judged,
  MEASURE_NAMES,
  pairedBootstrap,
  placeOf,
  type Quality,
  values,
} from './metrics.ts'

/** One question's outcome, as it is compared and kept in a baseline. */
export interface Answered {
  question: string
  /** Earlier messages; absent when there are none. */
  history?: string[]
  /** Place of the first relevant section, 1 to 10; 0 beyond. */
  place: number
  /** Whether a relevant section is in the pack. */
  packed: boolean
  measures: Record<keyof Quality, number>
}

/** A question of which the outcome changed. */
export interface Changed {
  question: string
  history?: string[]
  /** `lost`: nothing that answers is sent any more; `gained`: now it is; `fell` and `rose` in the ranking. */
  change: 'lost' | 'gained' | 'fell' | 'rose'
  before: number
  after: number
}

export interface Comparison {
  /** After less before. */
  differences: Record<keyof Quality, Difference>
  changed: Changed[]
}

/** What is kept of each question. */
export function answered(asked: Asked[]): Answered[] {
  return asked.map((one) => ({
    question: one.question.text,
    ...(one.question.history.length > 0 && { history: one.question.history }),
    place: placeOf(one),
    packed: isPacked(one),
    measures: measuresOf(one),
  }))
}

function measuresOf(one: Judged): Record<keyof Quality, number> {
  const entries = MEASURE_NAMES.map((name) => [name, Number((values([one], name)[0] ?? 0).toFixed(6))])
  return Object.fromEntries(entries) as Record<keyof Quality, number>
}

/** Compares runs over the same questions in the same order. */
export function compare(before: Answered[], after: Answered[]): Comparison {
  const of = (run: Answered[], name: keyof Quality) => run.map(({ measures }) => measures[name])
  const differences = MEASURE_NAMES.map((name) => [name, pairedBootstrap(of(before, name), of(after, name))])
  const changed = after.flatMap((now, i) => changeOf(before[i] as Answered, now))
  const order = ['lost', 'gained', 'fell', 'rose']
  return {
    differences: Object.fromEntries(differences) as Comparison['differences'],
    changed: changed.sort((a, b) => order.indexOf(a.change) - order.indexOf(b.change)),
  }
}

function changeOf(before: Answered, now: Answered): Changed[] {
  if (before.packed === now.packed && before.place === now.place) return []
  const last = (place: number) => (place === 0 ? Number.POSITIVE_INFINITY : place)
  const moved = last(now.place) > last(before.place) ? 'fell' : 'rose'
  const change = before.packed === now.packed ? moved : now.packed ? 'gained' : 'lost'
  const { question, history } = now
  return [{ question, ...(history && { history }), change, before: before.place, after: now.place }]
}
