/** The figures of `pinpack eval` as lines for a person. */

import type { Asked, Figures } from './asking.ts'
import type { Changed, Comparison } from './compare.ts'
import { isPacked, MEASURE_NAMES, type Quality } from './metrics.ts'
import { clean, count, paint, plural, table } from './terminal.ts'

/** Questions of a list before the rest is only counted. */
const SHOWN = 10

export function figureLines(figures: Figures): string[] {
  const { queries, unanswerable, coverageAuroc, latencyMs, ...means } = figures
  const rows = Object.entries(means).map(([name, value]) => [name, value.toFixed(4)] as const)
  return [
    row('questions', `${count(queries)}${unanswerable > 0 ? ` and ${count(unanswerable)} unanswerable` : ''}`),
    ...rows.map(([name, value]) => row(name, value)),
    ...(coverageAuroc === undefined ? [] : [row('coverage AUROC', coverageAuroc.toFixed(4))]),
    row('latency', `${latencyMs.median} ms median, ${latencyMs.p99} ms p99 (ranking)`),
  ]
}

/** The questions that would be answered without any of their sections. */
export function missLines(answerable: Asked[]): string[] {
  const missed = answerable.filter((one) => !isPacked(one))
  if (missed.length === 0) return []
  const lines = missed
    .slice(0, SHOWN)
    .flatMap(({ question, relevant, ranked }) => [
      `  ${clean(question.text)}`,
      paint.dim(
        `    expected ${[...relevant.keys()].map(clean).join(', ')}; first was ${clean(ranked[0] ?? 'nothing')}`,
      ),
    ])
  return [
    '',
    paint.bold(`${plural(missed.length, 'question')} with no expected section in the pack`),
    ...lines,
    ...more(missed.length - SHOWN),
  ]
}

/** Each measure before and after, its difference with the interval, and the questions that changed. */
export function comparisonLines(
  names: [before: string, after: string],
  before: Quality,
  after: Quality,
  comparison: Comparison,
): string[] {
  const rows = MEASURE_NAMES.map((name) => {
    const { mean, low, high } = comparison.differences[name]
    const color = low > 0 ? paint.green : high < 0 ? paint.red : (text: string) => text
    return [
      name,
      before[name].toFixed(4),
      after[name].toFixed(4),
      color(signed(mean)),
      `${signed(low)} to ${signed(high)}`,
    ]
  })
  return [
    ...table(['', ...names.map((name) => `>${clean(name)}`), '>difference', '95% interval'], rows),
    ...changeLines(comparison.changed),
  ]
}

function changeLines(changed: Changed[]): string[] {
  if (changed.length === 0) return ['', 'no question changed']
  const sum = (change: Changed['change']) => changed.filter((one) => one.change === change).length
  return [
    '',
    paint.bold(
      `${plural(changed.length, 'question')} changed: ${sum('lost')} lost, ${sum('gained')} gained, ${sum('fell')} fell, ${sum('rose')} rose`,
    ),
    ...changed.slice(0, SHOWN).map(({ question, change, before, after }) => {
      const color = change === 'lost' || change === 'fell' ? paint.red : paint.green
      return `  ${color(change.padEnd(6))} ${place(before)} → ${place(after)}  ${clean(question)}`
    }),
    ...more(changed.length - SHOWN),
  ]
}

/** A place in the ranking; `-` beyond ten. */
export const place = (place: number) => (place === 0 ? '-' : `#${place}`)

/** `0.0123` as `+0.0123`. */
export const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(4)}`

const more = (rest: number) => (rest > 0 ? [paint.dim(`  and ${count(rest)} more`)] : [])
const row = (name: string, text: string) => `${paint.bold(name.padEnd(14))} ${text}`
