/** `pinpack eval --sweep`: one build and one measurement for each value of a setting, in memory. */

import { type Builder, configure, createBuilder, type Sources } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { open } from '../index.ts'
import { ask, type Figures, measure, warnUnknown } from './asking.ts'
import type { QuestionSet } from './questions.ts'
import { clean, count, paint, plural, print, printJson, progress, size, table } from './terminal.ts'

/** Most builds of one sweep. */
const MOST = 64

/** A value for each key. */
type Settings = Record<string, string>

/** What is to be built: the settings, and the config that they give or why they give none. */
interface Run {
  settings: Settings
  config?: string
  error?: Failure
}

interface Failure {
  code: string
  message: string
}

/** One row of the table: the settings, and what came of them. */
interface Row {
  settings: Settings
  figures?: Figures & { sections: number; blobBytes: number; hash: string }
  /** Why it cannot be built so. */
  error?: Failure | undefined
}

/**
 * Builds and measures every combination of the values and prints one table. Expected refs stand for all pieces of their section,
 * since sizes differ in where they cut: a hit on `page.md#prices~2` is one on `page.md#prices`.
 *
 * # Errors
 * `usage` for an option that is no `key=values` or for more than 64 combinations; `config-key` for a key that does not exist.
 * A combination that cannot be built, or a value out of its range, is a row with its error.
 */
export async function sweep(
  sources: Sources,
  questions: QuestionSet,
  given: string[],
  { budget, json }: { budget?: number | undefined; json?: boolean | undefined },
): Promise<undefined> {
  const runs: Run[] = []
  // All of them first: a typing error must not show after minutes.
  for (const settings of grid(given.map(parse))) runs.push(await prepared(sources.config, settings))
  const whole = { ...questions, answerable: questions.answerable.map(ofWholeSections) }
  const builder = createBuilder()
  const bar = progress('sweeping')
  const rows: Row[] = []
  for (const { settings, config, error } of runs) {
    bar.update(rows.length, runs.length)
    const measured = config === undefined ? { error } : await one(builder, { ...sources, config }, whole, budget)
    rows.push({ settings, ...measured })
  }
  bar.done()
  builder.close()
  if (json) printJson({ queries: whole.answerable.length, rows: rows.map(flat) })
  else print(...lines(rows, whole.answerable.length))
}

/** `sections.target=200,350` → its key and values. A comma in quotes or brackets parts nothing. */
function parse(text: string): { key: string; values: string[] } {
  const [, key = '', list = ''] = /^\s*([\w.-]+)\s*=(.*)$/s.exec(text) ?? []
  const values = (list.match(/(?:"[^"]*"|'[^']*'|\[[^\]]*\]|[^,])+/g) ?? []).map((value) => value.trim())
  if (!key || values.length === 0 || values.some((value) => value === '')) {
    throw new PinpackError('usage', `--sweep ${clean(text)}: wanted key=value,value such as sections.target=200,350`)
  }
  return { key, values: [...new Set(values)] }
}

/** Every combination, the last key changing fastest. */
function grid(sweeps: { key: string; values: string[] }[]): Settings[] {
  const builds = sweeps.reduce((product, { values }) => product * values.length, 1)
  if (builds > MOST) {
    throw new PinpackError('usage', `--sweep: ${count(builds)} builds, wanted at most ${MOST}: give fewer values`)
  }
  return sweeps.reduce<Settings[]>(
    (rows, { key, values }) => rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value }))),
    [{}],
  )
}

async function prepared(config: string, settings: Settings): Promise<Run> {
  try {
    return { settings, config: await configure(config, settings) }
  } catch (thrown) {
    const error = PinpackError.from(thrown)
    // Values that do not go together are a row without figures.
    if (error.code !== 'config-value') throw error
    return { settings, error: { code: error.code, message: error.message } }
  }
}

/** A section's ref without the number of its piece. */
export const wholeSection = (ref: string) => ref.replace(/~\d+$/, '')

/** A question that expects whole sections. */
export function ofWholeSections(question: QuestionSet['answerable'][number]): QuestionSet['answerable'][number] {
  return { ...question, relevant: new Map([...question.relevant].map(([ref, grade]) => [wholeSection(ref), grade])) }
}

async function one(
  builder: Builder,
  { files, config, unread, others }: Sources,
  questions: QuestionSet,
  budget: number | undefined,
): Promise<Omit<Row, 'settings'>> {
  try {
    const { blob } = await builder.build(files, config, { unread, others })
    const knowledge = await open(blob)
    warnOnce(questions, knowledge.refs)
    const { sections, hash } = knowledge.stats
    const figures = measure(ask(knowledge, questions, budget, wholeSection))
    knowledge.close()
    return { figures: { ...figures, sections, blobBytes: blob.length, hash } }
  } catch (thrown) {
    const { code, message } = PinpackError.from(thrown)
    return { error: { code, message } }
  }
}

let warned = false

function warnOnce(questions: QuestionSet, refs: readonly string[]): void {
  if (!warned) warnUnknown(questions, refs.map(wholeSection))
  warned = true
}

const flat = ({ settings, figures, error }: Row) => ({ settings, ...figures, ...(error && { error }) })

const SHOWN = ['hit@1', 'hit@5', 'mrr@10', 'ndcg@10', 'recall@budget'] as const

function lines(rows: Row[], queries: number): string[] {
  const keys = Object.keys(rows[0]?.settings ?? {})
  const header = [...keys, ...SHOWN, 'sections', 'blob'].map((name) => `>${name}`)
  const best = SHOWN.map((name) => Math.max(...rows.map(({ figures }) => figures?.[name] ?? 0)))
  const cells = ({ settings, figures, error }: Row) => {
    const values = keys.map((key) => clean(settings[key] ?? ''))
    if (!figures) return [...values, `error[${error?.code}]`]
    const marked = SHOWN.map((name, i) => `${figures[name].toFixed(4)}${figures[name] === best[i] ? '*' : ' '}`)
    return [...values, ...marked, count(figures.sections), size(figures.blobBytes)]
  }
  return [
    ...table(header, rows.map(cells)),
    paint.dim(`  ${plural(queries, 'question')}; * is the best of its column; any piece of an expected section counts`),
  ]
}
