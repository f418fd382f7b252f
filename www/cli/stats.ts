/** `pinpack stats`: what the knowledge base is made of, what of it is ever sent, and what a question costs. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildResult } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { type KnowledgeBase, open } from '../index.ts'
import { buildPrompt } from '../prompt.ts'
import { buildFolder, conversation, openKnowledge, type SourceOptions } from './knowledge.ts'
import { type QuestionSet, readQuestions } from './questions.ts'
import { type Found, statsLines } from './stats/lines.ts'
import { type Log, readLog } from './stats/log.ts'
import { costOf, PRICES_TEXT, type Price, readPrices } from './stats/prices.ts'
import { bought, reach } from './stats/reach.ts'
import { print, printJson, writeText } from './terminal.ts'

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

export async function stats(options: Options): Promise<undefined> {
  if (options.writePrices) return writePrices(options.writePrices, options)
  const prices = await readPrices(options.prices)
  const { base, built } = await openBoth(options)
  const questions = await ownQuestions(options)
  const log = options.log ? await readLog(options.log, base) : undefined
  const found = findings({ base, built, questions, log, prices, answer: options.answer })
  if (options.json) printJson(asJson(found))
  else print(...statsLines(found, options.prices))
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
