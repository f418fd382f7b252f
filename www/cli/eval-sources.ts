/** What `pinpack eval` measures on: questions and sections, the owner's or those of a BEIR set. */

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { configure, type Sources } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { type KnowledgeBase, open } from '../index.ts'
import { buildWithProgress, openKnowledge, readFolder, type SourceOptions } from './knowledge.ts'
import { type QuestionSet, readBeir, readQueries, readQuestions } from './questions.ts'

/** Options that say what is measured on. */
export interface EvalSources extends SourceOptions {
  corpus?: string
  queries?: string
  qrels?: string
  unanswerable?: string
  language?: string
}

/** The questions: the owner's file, `questions.yaml` of the folder, or BEIR files. */
export async function readSet(given: string | undefined, options: EvalSources): Promise<QuestionSet> {
  const { corpus, queries, qrels, unanswerable } = options
  const file = given ?? (corpus || queries || qrels ? undefined : await usualFile(options))
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

/** `questions.yaml` of the folder, if it is there. */
async function usualFile({ dir, blob }: EvalSources): Promise<string | undefined> {
  const file = join(dir ?? '.', 'questions.yaml')
  return !blob && (await stat(file).catch(() => undefined)) ? file : undefined
}

/** Opens the folder, the blob, or the corpus. */
export async function openAll(options: EvalSources): Promise<KnowledgeBase> {
  if (!options.corpus) return openKnowledge(options)
  const { blob } = await buildWithProgress(await readCorpus(options.corpus, options))
  return open(blob)
}

/** What a sweep builds from. */
export function readAll(options: EvalSources): Promise<Sources> {
  return options.corpus ? readCorpus(options.corpus, options) : readFolder(options.dir ?? '.', options.config)
}

/** A BEIR corpus as sources: one section a document, its `_id` as ref, none pinned; other settings are those of a config, if given. */
async function readCorpus(corpus: string, { language, config }: EvalSources): Promise<Sources> {
  const bytes = await readFile(corpus).catch((cause) => {
    throw new PinpackError('read-failed', `cannot read ${corpus}: ${cause.message}`, { cause })
  })
  const text = config ? await readText(config) : ''
  const settings = {
    ...{ 'sources.include': '[]', 'sources.exclude': '[]', 'sources.jsonl': '"corpus.jsonl"', 'pinned.include': '[]' },
    ...(language && { 'site.language': JSON.stringify(language) }),
  }
  return { files: [{ path: 'corpus.jsonl', bytes }], config: await configure(text, settings), unread: [], others: [] }
}

const readText = (file: string) =>
  readFile(file, 'utf8').catch((cause) => {
    throw new PinpackError('read-failed', `cannot read ${file}: ${cause.message}`, { cause })
  })
