/** `pinpack eval`: retrieval quality on questions, the owner's or a BEIR set. */

import { readFile } from 'node:fs/promises'
import type { Sources } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { type KnowledgeBase, open } from '../index.ts'
import { type Asked, ask, type Figures, measure, warnUnknown } from './asking.ts'
import { buildWithProgress, openKnowledge, readFolder, type SourceOptions } from './knowledge.ts'
import { type QuestionSet, readBeir, readQueries, readQuestions } from './questions.ts'
import { sweep } from './sweep.ts'
import { clean, count, paint, plural, print, printJson } from './terminal.ts'

interface Options extends SourceOptions {
  corpus?: string
  queries?: string
  qrels?: string
  unanswerable?: string
  sweep: string[]
  language?: string
  budget?: number
  json?: boolean
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
  if (options.sweep.length > 0) {
    if (options.blob) throw new PinpackError('usage', '--sweep builds anew: it takes no --blob')
    return sweep(await readAll(options), questions, options.sweep, options)
  }
  const knowledge = await openAll(options)
  warnUnknown(questions, knowledge.refs)
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

async function openAll(options: Options): Promise<KnowledgeBase> {
  if (!options.corpus) return openKnowledge(options)
  const { blob } = await buildWithProgress(await readCorpus(options.corpus, options.language))
  return open(blob)
}

function readAll({ corpus, language, dir, config }: Options): Promise<Sources> {
  return corpus ? readCorpus(corpus, language) : readFolder(dir ?? '.', config)
}

/** A BEIR corpus as sources: one section a document, its `_id` as ref, none pinned. */
async function readCorpus(corpus: string, language = 'en'): Promise<Sources> {
  const bytes = await readFile(corpus).catch((cause) => {
    throw new PinpackError('read-failed', `cannot read ${corpus}: ${cause.message}`, { cause })
  })
  const config = `[site]\nlanguage = ${JSON.stringify(language)}\n[sources]\ninclude = []\njsonl = "corpus.jsonl"\n[pinned]\ninclude = []\n`
  return { files: [{ path: 'corpus.jsonl', bytes }], config, unread: [], others: [] }
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
