/** Reads evaluation questions: the owner's YAML or JSONL, and BEIR files. */

import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { parse as parseYaml } from 'yaml'
import { PinpackError } from '../errors.ts'

/** A question with what should be found for it. */
export interface Question {
  id: string
  text: string
  /** Earlier messages of the visitor, earliest first. */
  history: string[]
  /** Relevant refs with their grades; empty for an unanswerable question. */
  relevant: ReadonlyMap<string, number>
  /** Refs of rules that have to go along: sections that must be pinned. */
  pinned: string[]
}

/** Questions that the knowledge base answers, and some that it does not. */
export interface QuestionSet {
  answerable: Question[]
  unanswerable: Question[]
  /** Those that only say which rules have to go along; `eval` leaves them out. */
  ruled: Question[]
}

const Texts = v.union([
  v.pipe(
    v.string(),
    v.transform((text) => [text]),
  ),
  v.array(v.string()),
])
const OwnQuestion = v.strictObject({
  question: v.pipe(v.string(), v.trim(), v.nonEmpty()),
  expect: v.optional(Texts, []),
  history: v.optional(Texts, []),
  pinned: v.optional(Texts, []),
  unanswerable: v.optional(v.boolean(), false),
})
const Id = v.pipe(v.union([v.string(), v.number()]), v.transform(String))
const BeirQuery = v.object({ _id: Id, text: v.string(), history: v.optional(v.array(v.string()), []) })

/**
 * Reads the owner's questions: a YAML or JSON list, or JSONL, of
 * `{ question, expect: [refs], history?: [messages], pinned?: [refs], unanswerable?: true }`.
 *
 * # Errors
 * `questions-invalid` names the entry and the key; `read-failed`.
 */
export async function readQuestions(file: string): Promise<QuestionSet> {
  const entries = file.endsWith('.jsonl') ? await readJsonl(file) : await readYaml(file)
  const questions = entries.map((entry, i) =>
    ownQuestion(check(OwnQuestion, entry, `${file}, question ${i + 1}`), i, file),
  )
  return {
    answerable: questions.filter(({ relevant }) => relevant.size > 0),
    unanswerable: questions.filter(({ relevant }, i) => relevant.size === 0 && isUnanswerable(entries[i])),
    ruled: questions.filter(({ relevant }, i) => relevant.size === 0 && !isUnanswerable(entries[i])),
  }
}

/** Reads `queries.jsonl` (`{_id, text, history?}`), the judgements of `qrels.tsv`, and, when given, unanswerable queries. */
export async function readBeir(files: { queries: string; qrels: string; unanswerable?: string }): Promise<QuestionSet> {
  const qrels = await readQrels(files.qrels)
  const answerable = (await readQueries(files.queries)).map((query) => ({
    ...query,
    relevant: qrels.get(query.id) ?? NONE,
  }))
  return {
    answerable: answerable.filter(({ relevant }) => relevant.size > 0),
    unanswerable: files.unanswerable ? await readQueries(files.unanswerable) : [],
    ruled: [],
  }
}

/** Reads `{_id, text, history?}` lines. */
export async function readQueries(file: string): Promise<Question[]> {
  const entries = await readJsonl(file)
  return entries.map((entry, i) => {
    const { _id, text, history } = check(BeirQuery, entry, `${file}, line ${i + 1}`)
    return { id: _id, text, history, relevant: NONE, pinned: [] }
  })
}

const isUnanswerable = (entry: unknown) => (entry as { unanswerable?: boolean }).unanswerable === true

const NONE: ReadonlyMap<string, number> = new Map()

function ownQuestion(entry: v.InferOutput<typeof OwnQuestion>, i: number, file: string): Question {
  const { question, expect, history, pinned, unanswerable } = entry
  if (unanswerable ? expect.length > 0 : expect.length + pinned.length === 0) {
    throw invalid(
      `${file}, question ${i + 1}: ${JSON.stringify(question)} needs either \`expect\` or \`unanswerable: true\`, or \`pinned\``,
    )
  }
  return { id: String(i + 1), text: question, history, relevant: new Map(expect.map((ref) => [ref, 1])), pinned }
}

/** `query-id <tab> corpus-id <tab> score` after one header line; a score of 0 or less is not relevant. */
async function readQrels(file: string): Promise<Map<string, Map<string, number>>> {
  const qrels = new Map<string, Map<string, number>>()
  const lines = (await read(file)).split('\n').slice(1)
  lines.forEach((line, i) => {
    if (!line.trim()) return
    const [query = '', ref = '', score] = line.trimEnd().split('\t')
    const grade = Number(score)
    if (!ref || Number.isNaN(grade))
      throw invalid(`${file}, line ${i + 2}: expected query-id, corpus-id and score, split by tabs`)
    if (grade <= 0) return
    if (!qrels.has(query)) qrels.set(query, new Map())
    qrels.get(query)?.set(ref, grade)
  })
  return qrels
}

async function readYaml(file: string): Promise<unknown[]> {
  const text = await read(file)
  let entries: unknown
  try {
    entries = parseYaml(text)
  } catch (cause) {
    throw invalid(`${file}: ${(cause as Error).message}`, cause)
  }
  if (Array.isArray(entries)) return entries
  throw invalid(`${file}: expected a list of questions, each starting with \`- question:\``)
}

async function readJsonl(file: string): Promise<unknown[]> {
  const lines = (await read(file)).split('\n')
  return lines.flatMap((line, i) => (line.trim() ? [parseLine(line, `${file}, line ${i + 1}`)] : []))
}

function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw invalid(`${place}: ${(cause as Error).message}`, cause)
  }
}

function check<S extends v.GenericSchema>(schema: S, entry: unknown, place: string): v.InferOutput<S> {
  const result = v.safeParse(schema, entry)
  if (result.success) return result.output
  const [issue] = result.issues
  throw invalid(`${place}: ${v.getDotPath(issue) ?? 'entry'}: ${issue.message}`)
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new PinpackError('read-failed', `cannot read ${file}: ${(cause as Error).message}`, { cause })
  }
}

const invalid = (message: string, cause?: unknown) => new PinpackError('questions-invalid', message, { cause })
