/** `pinpack eval`: retrieval quality on questions, the owner's or a BEIR set. */

import { basename } from 'node:path'
import { PinpackError } from '../errors.ts'
import { type Asked, ask, type Figures, measure, warnUnknown } from './asking.ts'
import { paired, readBaseline, regressions, writeBaseline } from './baseline.ts'
import { type Answered, answered, compare } from './compare.ts'
import { type EvalPage, evalPage } from './eval-html.ts'
import { type EvalSources, openAll, readAll, readSet } from './eval-sources.ts'
import { comparisonLines, figureLines, missLines } from './eval-text.ts'
import { MEASURE_NAMES, type Quality } from './metrics.ts'
import type { QuestionSet } from './questions.ts'
import { ofWholeSections, sweep, wholeSection } from './sweep.ts'
import { clean, paint, plural, print, printJson, writeText } from './terminal.ts'

interface Options extends EvalSources {
  sweep: string[]
  compare?: string
  baseline?: string
  updateBaseline?: boolean
  html?: string
  budget?: number
  json?: boolean
}

export async function evaluate(file: string | undefined, options: Options): Promise<number | undefined> {
  const questions = await readSet(file, options)
  if (questions.answerable.length === 0) {
    throw new PinpackError(
      'questions-empty',
      'no question names a section that answers it\nadd `expect: [ref]`, or qrels',
    )
  }
  refuseTogether(options)
  if (options.sweep.length > 0) return sweep(await readAll(options), questions, options.sweep, options)
  if (options.compare) return compared(questions, options.compare, options)
  const run = await measured(questions, options)
  if (options.baseline) return againstBaseline(run, options.baseline, options)
  await writePage(run, options)
  if (options.json) printJson(jsonOf(run))
  else print(...figureLines(run.figures), ...missLines(run.asked), ...wrote(options))
  return undefined
}

/** One run over the questions. */
interface Run {
  asked: Asked[]
  answered: Answered[]
  figures: Figures
  site: string
  sections: number
  hash: string
}

function refuseTogether({ sweep, compare, baseline, blob, html, updateBaseline }: Options): void {
  const ways = [sweep.length > 0 && '--sweep', compare && '--compare', baseline && '--baseline'].filter(Boolean)
  if (ways.length > 1) throw new PinpackError('usage', `${ways.join(' and ')} exclude each other`)
  if (blob && (sweep.length > 0 || compare))
    throw new PinpackError('usage', `${ways[0]} builds anew: it takes no --blob`)
  if (html && sweep.length > 0) throw new PinpackError('usage', '--sweep has no web page: it takes no --html')
  if (updateBaseline && !baseline) throw new PinpackError('usage', '--update-baseline needs --baseline FILE')
}

async function measured(questions: QuestionSet, options: Options, named = (ref: string) => ref): Promise<Run> {
  const knowledge = await openAll(options)
  warnUnknown(questions, knowledge.refs.map(named))
  const asked = ask(knowledge, questions, options.budget, named)
  const { sections, hash, site } = knowledge.stats
  knowledge.close()
  return {
    ...{ asked: asked.answerable, answered: answered(asked.answerable), figures: measure(asked) },
    ...{ sections, hash, site },
  }
}

/**
 * Two configs on the same questions. Both are judged by whole sections, since they may cut elsewhere; the sections of a corpus are
 * never cut, so its figures are those of a run alone.
 */
async function compared(questions: QuestionSet, other: string, options: Options): Promise<undefined> {
  const whole = options.corpus ? questions : { ...questions, answerable: questions.answerable.map(ofWholeSections) }
  const named = options.corpus ? undefined : wholeSection
  const here = await measured(whole, options, named)
  const there = await measured(whole, { ...options, config: other }, named)
  const comparison = compare(here.answered, there.answered)
  const paths: [string, string] = [options.config ?? 'pinpack.toml', other]
  const names: [string, string] = basename(paths[0]) === basename(other) ? paths : [basename(paths[0]), basename(other)]
  await writePage(there, options, { names, before: here.figures, after: there.figures, comparison })
  if (options.json) printJson({ before: jsonOf(here), after: jsonOf(there), ...comparison })
  else print(...comparisonLines(names, here.figures, there.figures, comparison), ...wrote(options))
  return undefined
}

/** Gives 1 when this run is worse than the one that was kept. */
async function againstBaseline(run: Run, file: string, options: Options): Promise<number> {
  if (options.updateBaseline) {
    await writeBaseline(file, run.answered)
    if (options.json) printJson({ ...jsonOf(run), written: file })
    else print(...figureLines(run.figures), '', `wrote ${file}`)
    return 0
  }
  const { before, after, added, removed } = paired(await readBaseline(file), run.answered)
  if (after.length === 0)
    throw new PinpackError(
      'baseline-invalid',
      `${file} has none of these questions\nwrite it again with --update-baseline`,
    )
  const comparison = compare(before, after)
  const worse = regressions(comparison)
  const [then, now] = [meansOf(before), meansOf(after)]
  await writePage(run, options, { names: ['baseline', 'now'], before: then, after: now, comparison })
  if (options.json) printJson({ ...jsonOf(run), baseline: then, ...comparison, added, removed, regressions: worse })
  else
    print(
      ...comparisonLines(['baseline', 'now'], then, now, comparison),
      ...(added + removed > 0
        ? [paint.dim(`  compared without ${plural(added, 'new question')} and ${plural(removed, 'removed one')}`)]
        : []),
      ...wrote(options),
      '',
      verdict(worse, file),
    )
  return worse.questions + worse.measures.length > 0 ? 1 : 0
}

function verdict({ questions, measures }: ReturnType<typeof regressions>, file: string): string {
  const parts = [
    ...(questions > 0 ? [`${plural(questions, 'question')} lost`] : []),
    ...(measures.length > 0 ? [`${measures.join(', ')} lower`] : []),
  ]
  if (parts.length === 0) return paint.green('no worse than the baseline')
  return `${paint.red(`worse than the baseline: ${parts.join('; ')}`)}\n  mend it, or keep this run as ${clean(file)} with --update-baseline`
}

function meansOf(run: Answered[]): Quality {
  const mean = (name: keyof Quality) => run.reduce((sum, { measures }) => sum + measures[name], 0) / run.length
  const entries = MEASURE_NAMES.map((name) => [name, Number(mean(name).toFixed(4))])
  return Object.fromEntries(entries) as unknown as Quality
}

const jsonOf = ({ figures, sections, hash }: Run) => ({ ...figures, sections, hash })

const wrote = ({ html }: Options) => (html ? ['', `wrote ${html}`] : [])

async function writePage(run: Run, { html }: Options, compared?: EvalPage['compared']): Promise<void> {
  if (!html) return
  const { site, hash, figures, answered } = run
  await writeText(html, evalPage({ site, hash, figures, run: answered, ...(compared && { compared }) }))
}
