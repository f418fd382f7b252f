/** `pinpack stats`: what the knowledge base is made of, what of it is ever sent, and what a question costs. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildResult } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { type KnowledgeBase, open } from '../index.ts'
import { buildPrompt } from '../prompt.ts'
import type { Stats } from '../types.ts'
import { buildFolder, conversation, openKnowledge, type SourceOptions } from './knowledge.ts'
import { type QuestionSet, readQuestions } from './questions.ts'
import { row } from './report-text.ts'
import { type Log, readLog } from './stats/log.ts'
import { costOf, PRICES_TEXT, type Price, readPrices } from './stats/prices.ts'
import { type Bought, bought, type Reach, reach } from './stats/reach.ts'
import { clean, count, paint, percent, plural, print, printJson, size, table, writeText } from './terminal.ts'

interface Options extends SourceOptions {
  questions?: string
  log?: string
  prices?: string
  writePrices?: string
  answer?: number
  json?: boolean
}

/** Tokens of an answer, where no log says how long answers are. */
const ANSWER_TOKENS = 200
/** UTF-8 bytes of a token of instructions, which are English prose by default: 4.6 measured on the default prompt, rounded down to be on the safe side. */
const BYTES_PER_TOKEN = 4
/** Sections that are named before the rest is only counted. */
const NAMED = 5

export async function stats(options: Options): Promise<undefined> {
  if (options.writePrices) return writePrices(options.writePrices, options)
  const prices = await readPrices(options.prices)
  const { base, built } = await openBoth(options)
  const questions = await ownQuestions(options)
  const log = options.log ? await readLog(options.log, base) : undefined
  const found = findings({ base, built, questions, log, prices, answer: options.answer })
  if (options.json) printJson(asJson(found))
  else print(...lines(found, options))
  base.close()
}

async function writePrices(file: string, { json }: Options): Promise<undefined> {
  if (await stat(file).catch(() => undefined))
    throw new PinpackError('file-exists', `${file} is there already\nedit it, or name another file`)
  await writeText(file, PRICES_TEXT)
  if (json) printJson({ written: [file] })
  else print(`wrote ${file}`, 'look the prices up, then run `npx pinpack stats --prices` with it')
}

async function openBoth(options: Options): Promise<{ base: KnowledgeBase; built?: BuildResult }> {
  if (options.blob) return { base: await openKnowledge(options) }
  const built = await buildFolder(options.dir ?? '.', options.config)
  return { base: await open(built.blob), built }
}

async function ownQuestions({ questions, dir, blob }: Options): Promise<QuestionSet | undefined> {
  const file = questions ?? join(dir ?? '.', 'questions.yaml')
  const isThere = questions !== undefined || (!blob && (await stat(file).catch(() => undefined)))
  return isThere ? readQuestions(file) : undefined
}

/** What a question sends and costs. */
interface Cost {
  /** Tokens of knowledge: the mean of the questions, or the budget without any. */
  knowledgeTokens: number
  /** Instructions and question, estimated. */
  instructionTokens: number
  answerTokens: number
  models: { model: string; perQuestion: number; perThousand: number }[]
}

interface Found {
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

function findings(from: {
  base: KnowledgeBase
  built: BuildResult | undefined
  questions: QuestionSet | undefined
  log: Log | undefined
  prices: Price[]
  answer: number | undefined
}): Found {
  const { base, built, questions, log, prices } = from
  const { stats } = base
  const all = questions ? [...questions.answerable, ...questions.unanswerable, ...questions.ruled] : []
  const reached = all.length > 0 || log ? reach(base, all, log?.sent) : undefined
  const knowledgeTokens = reached && reached.questions > 0 ? reached.meanTokens : Math.min(stats.budget, stats.tokens)
  const instructionTokens = built ? instructionsOf(built) : 0
  const answerTokens = from.answer ?? log?.outputTokens ?? ANSWER_TOKENS
  const tokens = { input: knowledgeTokens + instructionTokens, output: answerTokens }
  const models = prices.map((price) => {
    const perQuestion = costOf(price, tokens)
    return { model: price.model, perQuestion: rounded(perQuestion, 6), perThousand: rounded(1000 * perQuestion, 2) }
  })
  return {
    ...{ stats, coverage: built?.report.coverage, held: Math.min(1, stats.budget / stats.tokens) },
    wholeSiteFits: stats.tokens <= stats.budget,
    reach: reached,
    budgets: questions && questions.answerable.length > 0 ? bought(base, questions) : [],
    cost: { knowledgeTokens, instructionTokens, answerTokens, models },
    log,
  }
}

/** Tokens of everything in the prompt that is not knowledge, for a short question. */
function instructionsOf({ knowledge }: BuildResult): number {
  const { tokens, tokensMax } = buildPrompt(knowledge, [], conversation('how much is it?'))
  return Math.round((tokensMax - tokens) / BYTES_PER_TOKEN)
}

const rounded = (value: number, places: number) => Number(value.toFixed(places))

const asJson = ({ stats, log, coverage, ...rest }: Found) => ({
  ...stats,
  ...(coverage !== undefined && { coverage }),
  ...rest,
  ...(log && { log: { requests: log.requests, passedOver: log.passedOver, days: log.days } }),
})

function lines(found: Found, { prices }: Options): string[] {
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
