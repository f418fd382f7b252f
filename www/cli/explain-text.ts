/** One question as lines for a person. */

import type { ExplainedLeft, ExplainedSection, Explanation } from '../types.ts'
import type { OldWay } from './old-way.ts'
import { fromWords, leftWords, sentWords, tokensByWhy } from './reasons.ts'
import { clean, count, paint, percent, plural, table } from './terminal.ts'

/** Left-out sections shown before the rest is only counted. */
const LEFT_SHOWN = 15
/** Terms shown beside a section. */
const TERMS_SHOWN = 4
/** Sections that the old way loses, by name. */
const LOST_SHOWN = 3

export function explanationLines(explanation: Explanation, old: OldWay): string[] {
  return [
    ...sentLines(explanation.sections),
    '',
    ...leftLines(explanation.leftOut),
    '',
    ...termLines(explanation),
    '',
    ...totalLines(explanation),
    ...oldWayLines(old),
  ]
}

function sentLines(sections: ExplainedSection[]): string[] {
  const rows = sections.map((section) => [
    score(section.score),
    count(section.tokens),
    sentReason(section),
    name(section),
  ])
  return [paint.bold(`sent: ${plural(sections.length, 'section')}`), ...sectionTable(rows)]
}

function leftLines(sections: ExplainedLeft[]): string[] {
  const shown = sections.slice(0, LEFT_SHOWN)
  const rows = shown.map((section) => [score(section.score), count(section.tokens), leftReason(section), name(section)])
  const more = sections.length - shown.length
  return [
    paint.bold(`left out: ${plural(sections.length, 'section')}`),
    ...sectionTable(rows),
    ...(more > 0 ? [paint.dim(`  and ${count(more)} more`)] : []),
  ]
}

function sectionTable(rows: string[][]): string[] {
  return rows.length > 0 ? table(['>score', '>tokens', 'reason', 'section'], rows) : []
}

function termLines({ terms }: Explanation): string[] {
  if (terms.length === 0) return [paint.bold('terms: none'), '  the question holds no word that is searched for']
  const rows = terms.map((one) => {
    const { word, note } = fromWords(one)
    const { term, weight, idf, df } = one
    const from = clean(word) + (note ? paint.dim(` (${note})`) : '')
    return [clean(term), weight.toFixed(2), idf.toFixed(2), count(df), from]
  })
  return [paint.bold('terms'), ...table(['term', '>weight', '>idf', '>sections', 'from'], rows)]
}

function totalLines({ sections, tokens, budget, coverage }: Explanation): string[] {
  const parts = tokensByWhy(sections)
    .map(({ why, tokens }) => `${why} ${count(tokens)}`)
    .join(', ')
  const missing = coverage.missing.length > 0 ? `; in no section: ${coverage.missing.map(clean).join(', ')}` : ''
  return [
    `${paint.bold('total')}     ${count(tokens)} of ${count(budget)} tokens, ${percent(tokens / budget)} (${parts})`,
    `${paint.bold('coverage')}  ${coverage.value.toFixed(2)}, ${coverage.level}${missing}`,
  ]
}

/** What a site would send that cuts its text off; nothing where all of it fits. */
function oldWayLines({ characters, of, sections, cutIn, pinned, matching }: OldWay): string[] {
  if (cutIn === undefined)
    return [`${paint.bold('old way')}   all ${count(of)} characters fit: retrieval is not needed yet`]
  const lost = [...pinned.missing, ...matching.missing]
  const more = lost.length > LOST_SHOWN ? ` and ${count(lost.length - LOST_SHOWN)} more` : ''
  return [
    `${paint.bold('old way')}   the first ${count(characters)} of ${count(of)} characters, for about the same tokens: ${plural(sections, 'section')}, up to ${clean(cutIn)}`,
    `          of the sections above it sends ${count(matching.sent)} of ${count(matching.of)} that match, ${count(pinned.sent)} of ${count(pinned.of)} that are pinned`,
    ...(lost.length > 0
      ? [paint.dim(`          it loses ${lost.slice(0, LOST_SHOWN).map(clean).join(', ')}${more}`)]
      : []),
  ]
}

const COLORS: Record<string, (text: string) => string> = {
  pinned: paint.magenta,
  scored: paint.green,
  neighbor: paint.cyan,
  floor: paint.dim,
  'no-match': paint.dim,
}

const sentReason = ({ why, parts }: ExplainedSection) => reasonText(why, sentWords(why), parts)
const leftReason = ({ reason, parts }: ExplainedLeft) => reasonText(reason, leftWords(reason), parts)

/** A reason, with the terms where there are some. */
function reasonText(reason: string, words: string, parts: { term: string }[]): string {
  const colored = (COLORS[reason] ?? paint.yellow)(words)
  return parts.length > 0 && reason !== 'pinned' ? `${colored}: ${termList(parts)}` : colored
}

/** The first terms, and how many more. */
function termList(parts: { term: string }[]): string {
  const shown = parts.slice(0, TERMS_SHOWN).map(({ term }) => clean(term))
  return [...shown, ...(parts.length > TERMS_SHOWN ? [`+${parts.length - TERMS_SHOWN}`] : [])].join(' ')
}

const score = (value: number) => (value > 0 ? value.toFixed(2) : '')
const name = ({ title, ref }: { title: string; ref: string }) => `${clean(title)} ${paint.dim(clean(ref))}`
