/** `pinpack eval`: retrieval quality on questions, the owner's or a BEIR set. */

import { readFile } from 'node:fs/promises'
import { PinpackError } from '../errors.ts'
import { type KnowledgeBase, open } from '../index.ts'
import { buildWithProgress, conversation, openKnowledge, type SourceOptions } from './knowledge.ts'
import { auroc, type Judged, type Quality, quality, quantile } from './metrics.ts'
import { type Question, type QuestionSet, readBeir, readQueries, readQuestions } from './questions.ts'
import { clean, count, paint, plural, print, printJson, printWarning, progress } from './terminal.ts'

interface Options extends SourceOptions {
  corpus?: string
  queries?: string
  qrels?: string
  unanswerable?: string
  language?: string
  budget?: number
  json?: boolean
}

/** One question with what came back. */
interface Asked extends Judged {
  question: Question
  /** The pack's coverage, 0 to 1. */
  coverage: number
  /** Time of the ranking. */
  rankMs: number
}

/** Missed questions shown before the rest is only counted. */
const MISSES_SHOWN = 10

export async function evaluate(file: string | undefined, options: Options): Promise<undefined> {
  const questions = await readSet(file, options)
  if (questions.answerable.length === 0) {
    throw new PinpackError(
      'questions-empty',
      'no question names a section that answers it\nadd `expect: [ref]`, or qrels',
    )
  }
  const knowledge = options.corpus ? await openCorpus(options.corpus, options.language) : await openKnowledge(options)
  warnUnknown(questions, knowledge)
  const asked = ask(knowledge, questions, options.budget)
  const figures = measure(asked)
  if (options.json) printJson({ ...figures, sections: knowledge.stats.sections, hash: knowledge.stats.hash })
  else print(...figureLines(figures), ...missLines(asked.answerable))
}

async function readSet(file: string | undefined, options: Options): Promise<QuestionSet> {
  const { corpus, queries, qrels, unanswerable } = options
  if (file && !corpus && !queries && !qrels) {
    const own = await readQuestions(file)
    return unanswerable ? { ...own, unanswerable: [...own.unanswerable, ...(await readQueries(unanswerable))] } : own
  }
  if (file || !queries || !qrels) {
    throw new PinpackError(
      'usage',
      'give a file of questions, or --queries and --qrels, and --corpus where the sections are not a folder',
    )
  }
  return readBeir({ queries, qrels, ...(unanswerable && { unanswerable }) })
}

/** A BEIR corpus as a knowledge base: one section a document, its `_id` as ref, none pinned. */
async function openCorpus(corpus: string, language = 'en'): Promise<KnowledgeBase> {
  const bytes = await readFile(corpus).catch((cause) => {
    throw new PinpackError('read-failed', `cannot read ${corpus}: ${cause.message}`, { cause })
  })
  const config = `[site]\nlanguage = ${JSON.stringify(language)}\n[sources]\ninclude = []\njsonl = "corpus.jsonl"\n[pinned]\ninclude = []\n`
  const { blob } = await buildWithProgress([{ path: 'corpus.jsonl', bytes }], config)
  return open(blob)
}

/** A ref that no section has is a typing error or a section that is gone: it counts as not found, and is said. */
function warnUnknown({ answerable }: QuestionSet, { refs }: KnowledgeBase): void {
  const known = new Set(refs)
  const unknown = new Set(answerable.flatMap(({ relevant }) => [...relevant.keys()].filter((ref) => !known.has(ref))))
  if (unknown.size === 0) return
  const some = [...unknown].slice(0, 5).map(clean).join(', ')
  printWarning(
    'ref-unknown',
    `no section has ${unknown.size > 5 ? `these ${count(unknown.size)} refs, such as ` : ''}${some}`,
  )
}

function ask(knowledge: KnowledgeBase, { answerable, unanswerable }: QuestionSet, budget?: number) {
  const bar = progress('asking')
  let done = 0
  // The first call compiles: it is not a figure of ranking.
  knowledge.rank(conversation('warm up'))
  const one = (question: Question): Asked => {
    bar.update(++done, answerable.length + unanswerable.length)
    const messages = conversation(question.text, question.history)
    const from = performance.now()
    const hits = knowledge.rank(messages, { limit: 10 })
    const rankMs = performance.now() - from
    const pack = knowledge.pack(messages, budget ? { budget } : {})
    const packed = pack.sections.map(({ ref }) => ref)
    const { relevant } = question
    return { question, relevant, ranked: hits.map(({ ref }) => ref), packed, coverage: pack.coverage.value, rankMs }
  }
  const asked = { answerable: answerable.map(one), unanswerable: unanswerable.map(one) }
  bar.done()
  return asked
}

interface Figures extends Quality {
  queries: number
  /** Present when unanswerable questions were given: how well coverage tells them apart. */
  coverageAuroc?: number
  unanswerable: number
  latencyMs: { median: number; p99: number }
}

function measure({ answerable, unanswerable }: ReturnType<typeof ask>): Figures {
  const times = [...answerable, ...unanswerable].map(({ rankMs }) => rankMs)
  const coverages = (asked: Asked[]) => asked.map(({ coverage }) => coverage)
  return {
    ...quality(answerable),
    queries: answerable.length,
    unanswerable: unanswerable.length,
    ...(unanswerable.length > 0 && { coverageAuroc: auroc(coverages(answerable), coverages(unanswerable)) }),
    latencyMs: { median: rounded(quantile(times, 0.5)), p99: rounded(quantile(times, 0.99)) },
  }
}

function figureLines(figures: Figures): string[] {
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
function missLines(answerable: Asked[]): string[] {
  const missed = answerable.filter(({ packed, relevant }) => !packed.some((ref) => relevant.has(ref)))
  if (missed.length === 0) return []
  const lines = missed
    .slice(0, MISSES_SHOWN)
    .flatMap(({ question, relevant, ranked }) => [
      `  ${clean(question.text)}`,
      paint.dim(
        `    expected ${[...relevant.keys()].map(clean).join(', ')}; first was ${clean(ranked[0] ?? 'nothing')}`,
      ),
    ])
  const more = missed.length - MISSES_SHOWN
  const rest = more > 0 ? [paint.dim(`  and ${count(more)} more`)] : []
  return [
    '',
    paint.bold(`${plural(missed.length, 'question')} with no expected section in the pack`),
    ...lines,
    ...rest,
  ]
}

const row = (name: string, text: string) => `${paint.bold(name.padEnd(14))} ${text}`
const rounded = (ms: number) => Number(ms.toFixed(3))
