/** What `pinpack stats` found, as lines for a person. */

import type { Stats } from '../../types.ts'
import { row } from '../report-text.ts'
import { clean, count, paint, percent, plural, size, table } from '../terminal.ts'
import type { Log } from './log.ts'
import type { Bought, Reach } from './reach.ts'

/** Sections that are named before the rest is only counted. */
const NAMED = 5

/** What a question sends and costs. */
export interface Cost {
  /** Tokens of knowledge: the mean of the questions, or the budget without any. */
  knowledgeTokens: number
  /** Instructions and question, estimated. */
  instructionTokens: number
  answerTokens: number
  models: { model: string; perQuestion: number; perThousand: number }[]
}

export interface Found {
  stats: Stats
  /** Share of what is written that can ever be sent; absent for a blob. */
  coverage: number | undefined
  /** Share of what is written that one request holds. */
  held: number
  wholeSiteFits: boolean
  reach: Reach | undefined
  budgets: Bought[]
  cost: Cost
  log: Log | undefined
}

/** `prices`: the file of prices, when there is one. */
export function statsLines(found: Found, prices: string | undefined): string[] {
  const { stats, coverage, held, wholeSiteFits } = found
  const sendable = coverage === undefined ? '' : `${percent(coverage)} of what is written can be sent; `
  return [
    row('site', clean(stats.site)),
    row('sections', `${count(stats.sections)}, ${count(stats.pinned)} pinned`),
    row('tokens', `${count(stats.tokens)} written, ${count(stats.pinnedTokens)} pinned (${stats.encoding})`),
    row('budget', `${count(stats.budget)} tokens, floor ${count(stats.floor)}`),
    row('coverage', `${sendable}one request holds ${percent(held)} of it`),
    ...(wholeSiteFits
      ? [row('', paint.green('your whole site fits into one request: retrieval is not needed yet'))]
      : []),
    row('pinned', `${percent(stats.pinnedTokens / stats.budget)} of the budget`),
    row('terms', `${count(stats.terms)}, language ${stats.language}`),
    row('blob', `${size(stats.bytes)}, format ${stats.format}, analyzer ${stats.analyzer}, hash ${stats.hash}`),
    ...reachLines(found),
    ...logLines(found),
    ...costLines(found, prices),
    ...budgetLines(found),
  ]
}

function reachLines({ reach, stats, log }: Found): string[] {
  if (!reach) return []
  const from = [
    ...(reach.questions > 0 ? [plural(reach.questions, 'question')] : []),
    ...(log ? [plural(log.requests, 'logged request')] : []),
  ].join(' and ')
  return [
    '',
    row(
      'reach',
      `${from} bring ${count(reach.reached)} of ${count(stats.sections)} sections because they are pinned or match`,
    ),
    row(
      '',
      `${count(reach.sentTokens)} of ${count(reach.writtenTokens)} tokens written are ever sent, ${percent(reach.sentTokens / reach.writtenTokens)}`,
    ),
    ...refLines(`only by the floor: ${count(reach.floorOnly.length)}`, reach.floorOnly),
    ...refLines(`never: ${count(reach.never.length)}`, reach.never),
  ]
}

function refLines(title: string, refs: string[]): string[] {
  const more = refs.length - NAMED
  return [
    row('', title),
    ...refs.slice(0, NAMED).map((ref) => row('', paint.dim(`  ${clean(ref)}`))),
    ...(more > 0 ? [row('', paint.dim(`  and ${count(more)} more, all with --json`))] : []),
  ]
}

function logLines({ log }: Found): string[] {
  if (!log) return []
  const rows = log.days.map(({ day, requests, passageTokens, pinnedShare, inputTokens, outputTokens }) => [
    day,
    ...[requests, passageTokens].map(count),
    percent(pinnedShare),
    ...[inputTokens, outputTokens].map((tokens) => (tokens === undefined ? '' : count(tokens))),
  ])
  const over =
    log.passedOver > 0 ? `, ${plural(log.passedOver, 'line')} passed over (not answered, or of another build)` : ''
  return [
    '',
    row('log', `${plural(log.requests, 'request')}${over}`),
    ...table(['day', '>requests', '>tokens', '>pinned', '>input', '>output'], rows),
  ]
}

function costLines({ cost, reach }: Found, prices: string | undefined): string[] {
  const mean = reach && reach.questions > 0 ? 'of knowledge, the mean of your questions' : 'of knowledge at most'
  const instructions = cost.instructionTokens > 0 ? `, about ${count(cost.instructionTokens)} of instructions` : ''
  const rows = cost.models.map(({ model, perQuestion, perThousand }) => [
    clean(model),
    perQuestion.toFixed(5),
    perThousand.toFixed(2),
  ])
  return [
    '',
    row(
      'cost',
      `a question sends ${count(cost.knowledgeTokens)} tokens ${mean}${instructions}; an answer has ${count(cost.answerTokens)}`,
    ),
    ...table(['model', '>a question', '>1,000 questions'], rows),
    ...(prices === undefined
      ? [paint.dim('  prices of 2025, in dollars: write your own with --write-prices prices.yaml')]
      : []),
  ]
}

function budgetLines({ budgets, stats }: Found): string[] {
  if (budgets.length === 0) return []
  const rows = budgets.map(({ budget, answered, questions, meanTokens }) => [
    `${count(budget)}${budget === stats.budget ? '*' : ' '}`,
    `${count(answered)} of ${count(questions)}`,
    count(meanTokens),
  ])
  return [
    '',
    row('budgets', 'what other budgets would buy (* is yours)'),
    ...table(['>tokens', '>questions with an answer sent', '>tokens a question'], rows),
  ]
}
