/** A run that is kept in a file, so that a site's CI fails when a later one is worse. */

import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { PinpackError } from '../errors.ts'
import type { Answered, Comparison } from './compare.ts'
import { MEASURE_NAMES, type Quality } from './metrics.ts'
import { writeText } from './terminal.ts'

const Measures = v.object(Object.fromEntries(MEASURE_NAMES.map((name) => [name, v.number()])))
const File = v.object({
  version: v.literal(1),
  questions: v.array(
    v.object({
      question: v.string(),
      history: v.optional(v.array(v.string())),
      place: v.number(),
      packed: v.boolean(),
      measures: Measures,
    }),
  ),
})

/** Keeps a run: a line a question, so that a change of it is read as one. */
export async function writeBaseline(file: string, run: Answered[]): Promise<void> {
  const lines = run.map((one) => `    ${JSON.stringify(one)}`)
  await writeText(file, `{\n  "version": 1,\n  "questions": [\n${lines.join(',\n')}\n  ]\n}\n`)
}

/**
 * Reads a run.
 *
 * # Errors
 * `baseline-invalid`; `read-failed`.
 */
export async function readBaseline(file: string): Promise<Answered[]> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    const remedy = 'write it first with --update-baseline'
    throw new PinpackError('read-failed', `cannot read ${file}: ${cause.message}\n${remedy}`, { cause })
  })
  try {
    return v.parse(File, JSON.parse(text)).questions as Answered[]
  } catch (cause) {
    throw new PinpackError(
      'baseline-invalid',
      `${file} is no baseline: ${(cause as Error).message}\nwrite it again with --update-baseline`,
      { cause },
    )
  }
}

/** The questions that both runs have, in the order of the later one, and how many only one of them has. */
export function paired(before: Answered[], after: Answered[]) {
  const key = ({ question, history = [] }: Answered) => JSON.stringify([...history, question])
  const known = new Map(before.map((one) => [key(one), one]))
  const both = after.flatMap((now) => {
    const then = known.get(key(now))
    return then ? [{ then, now }] : []
  })
  return {
    before: both.map(({ then }) => then),
    after: both.map(({ now }) => now),
    added: after.length - both.length,
    removed: before.length - both.length,
  }
}

/** What is worse than it was: each question whose answer is not sent any more, and each mean whose whole interval is below 0. */
export function regressions({ differences, changed }: Comparison): { questions: number; measures: (keyof Quality)[] } {
  return {
    questions: changed.filter(({ change }) => change === 'lost').length,
    measures: MEASURE_NAMES.filter((name) => differences[name].high < 0),
  }
}
