/** A run of `pinpack eval` as a web page: figures, what changed, and every question. */

import type { Figures } from './asking.ts'
import type { Answered, Changed, Comparison } from './compare.ts'
import { place, signed } from './eval-text.ts'
import { MEASURE_NAMES, type Quality } from './metrics.ts'
import { figureList, html, page, section, table } from './page.ts'
import { count, plural } from './terminal.ts'

/** What the page shows. */
export interface EvalPage {
  site: string
  hash: string
  figures: Figures
  run: Answered[]
  /** With `--compare` or `--baseline`. */
  compared?: { names: [before: string, after: string]; before: Quality; after: Quality; comparison: Comparison }
}

/** The page. It has no times: the same run gives the same page. */
export function evalPage({ site, hash, figures, run, compared }: EvalPage): string {
  return page({
    title: `${site ? `${site}: ` : ''}questions`,
    heading: site || 'Questions',
    intro: `${html(plural(figures.queries, 'question'))}${figures.unanswerable > 0 ? ` and ${count(figures.unanswerable)} that nothing answers` : ''}. Build <code>${html(hash)}</code>.`,
    parts: [
      figureList(figuresOf(figures)),
      compared ? section('compared', 'Compared', differences(compared)) : '',
      compared ? section('changed', 'Questions that changed', changes(compared.comparison.changed)) : '',
      section('missed', 'Nothing that answers is sent', missed(run)),
      section('all', 'Every question', all(run)),
    ],
    footer: 'Made by <code>pinpack eval --html</code>.',
  })
}

function figuresOf(figures: Figures): [string, string, string][] {
  const notes: Record<keyof Quality, string> = {
    'hit@1': 'an answer in first place',
    'hit@5': 'among the first five',
    'mrr@10': '1 / place of the first',
    'ndcg@10': 'order of the first ten',
    'recall@10': 'of the answers, in the first ten',
    'recall@budget': 'of the answers, sent',
  }
  const auroc = figures.coverageAuroc
  return [
    ...MEASURE_NAMES.map((name): [string, string, string] => [name, figures[name].toFixed(4), notes[name]]),
    ...(auroc === undefined
      ? []
      : ([['coverage AUROC', auroc.toFixed(4), 'covered told from not covered']] as [string, string, string][])),
  ]
}

function differences({ names, before, after, comparison }: NonNullable<EvalPage['compared']>): string {
  const rows = MEASURE_NAMES.map((name) => {
    const { mean, low, high } = comparison.differences[name]
    const cells = [before[name].toFixed(4), after[name].toFixed(4), signed(mean), `${signed(low)} to ${signed(high)}`]
    return [`<th scope="row">${name}</th>`, ...cells.map(number), `<td class="short">${judged(low, high)}</td>`]
  })
  return table(
    '95% intervals by the paired bootstrap over the questions',
    ['Measure', ...names.map((name) => `>${name}`), '>Difference', '>Interval', 'Says'],
    rows,
  )
}

const judged = (low: number, high: number) => (low > 0 ? 'better' : high < 0 ? 'worse' : 'no difference that is sure')

function changes(changed: Changed[]): string {
  if (changed.length === 0) return '<p>None.</p>'
  const rows = changed.map(({ question, history, change, before, after }) => [
    `<td class="short">${change}</td>`,
    number(place(before)),
    number(place(after)),
    asked(question, history),
  ])
  return table(
    'Lost and gained: whether anything that answers is sent',
    ['Change', '>Before', '>After', 'Question'],
    rows,
  )
}

function missed(run: Answered[]): string {
  const rows = run
    .filter(({ packed }) => !packed)
    .map(({ question, history, place: at }) => [number(place(at)), asked(question, history)])
  return rows.length === 0
    ? '<p>For no question.</p>'
    : table('The place is that in the ranking', ['>Place', 'Question'], rows)
}

function all(run: Answered[]): string {
  const rows = run.map(({ question, history, place: at, packed, measures }) => [
    number(place(at)),
    `<td class="short">${packed ? 'yes' : 'no'}</td>`,
    number(measures['ndcg@10'].toFixed(2)),
    asked(question, history),
  ])
  return table('In the order of the file', ['>Place', 'Sent', '>nDCG@10', 'Question'], rows)
}

const number = (text: string) => `<td class="number">${html(text)}</td>`
const asked = (question: string, history: string[] = []) =>
  `<th scope="row">${[...history, question].map(html).join('<br>')}</th>`
