/** `pinpack check`: do the rules reach the model, does the budget hold, is the build fresh? For an owner, and for a site's CI. */

import { stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { Sources } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { open } from '../index.ts'
import type { Knowledge, Report } from '../types.ts'
import { privacy, staleness } from './check/built.ts'
import { citations, findBuiltSite } from './check/citations.ts'
import { contradictions } from './check/contradictions.ts'
import { type Finding, lineOf, type Outcome, outcome, type Subject } from './check/finding.ts'
import { annotations, checkLines, junit, state } from './check/output.ts'
import { askingChecks } from './check/packs.ts'
import { buildWithProgress, readFolder } from './knowledge.ts'
import { type QuestionSet, readQuestions } from './questions.ts'
import { count, percent, plural, print, printJson, writeText } from './terminal.ts'

interface Options {
  questions?: string
  site?: string
  out?: string
  knowledge?: string
  config?: string
  junit?: string
  github?: boolean
  strict?: boolean
  json?: boolean
}

/** Gives 1 when there is an error, or with `--strict` a warning. */
export async function check(folder = '.', options: Options): Promise<number> {
  const dir = resolve(folder)
  const strict = options.strict ?? false
  const outcomes = await checkAll(dir, options)
  if (options.junit) await writeText(options.junit, junit(outcomes, strict))
  if (options.json) printJson(asJson(outcomes, strict))
  else print(...checkLines(outcomes, strict))
  // GitHub reads them from either stream; on this one they spoil no JSON.
  if (options.github ?? process.env.GITHUB_ACTIONS === 'true')
    for (const line of annotations(outcomes, strict, relative('.', dir).split(sep).join('/')))
      process.stderr.write(`${line}\n`)
  return outcomes.some((one) => state(one, strict) === 'failed') ? 1 : 0
}

async function checkAll(dir: string, options: Options): Promise<Outcome[]> {
  const built = {
    out: resolve(options.out ?? join(dir, 'pinpack')),
    knowledge: resolve(options.knowledge ?? join(dir, 'knowledge.json')),
  }
  const questions = await ownQuestions(dir, options.questions)
  // As `build` reads it, or the hash would be another.
  const sources = await readFolder(dir, options.config, [built.out, built.knowledge])
  const result = await buildWithProgress(sources).catch((thrown) => PinpackError.from(thrown))
  // What the sources or the budget do wrong is what a check is for; a wrong config is not.
  if (result instanceof PinpackError) return [buildFailed(result)]
  const base = await open(result.blob)
  const site = await builtSite(dir, options.site, result.knowledge)
  const subject: Subject = {
    dir,
    sources,
    ...result,
    base,
    questions,
    built,
    site,
    isSiteGiven: options.site !== undefined,
  }
  const outcomes = [
    ...askingChecks(subject),
    pinnedShare(result.report),
    contradictions(subject),
    await citations(subject),
    links(result.report, sources),
    await staleness(subject),
    await privacy(subject),
  ]
  base.close()
  return outcomes
}

async function builtSite(dir: string, given: string | undefined, { sections }: Knowledge): Promise<string | undefined> {
  // Pages that are written as HTML are the site themselves.
  const cited = sections.filter(({ url }) => url !== '')
  const isHtml = cited.filter(({ ref }) => /\.html?(#|~|$)/i.test(ref)).length * 2 > cited.length
  const site = await findBuiltSite(dir, given && resolve(given), isHtml)
  if (given && !site)
    throw new PinpackError(
      'read-failed',
      `${given} is no folder\nbuild the site first, and name its folder with --site`,
    )
  return site
}

async function ownQuestions(dir: string, given: string | undefined): Promise<QuestionSet> {
  const file = given ?? join(dir, 'questions.yaml')
  const isThere = given !== undefined || (await stat(file).catch(() => undefined))
  return isThere ? readQuestions(file) : { answerable: [], unanswerable: [], ruled: [] }
}

/** Failures that the sources cause; others are those of the call. */
const OF_SOURCES = new Set(['pinned-over-budget', 'source-jsonl', 'no-sections', 'too-large'])

function buildFailed(error: PinpackError): Outcome {
  if (!OF_SOURCES.has(error.code)) throw error
  const [message = '', ...remedy] = error.message.split('\n')
  return outcome('build', 'the knowledge base can be built', 'it cannot be built', [
    { code: error.code, level: 'error', message, remedy: remedy.join(' ').trim() || 'mend it and run the check again' },
  ])
}

/** Warnings of the build about what is pinned or can never be sent. */
const PINNED = [
  'pinned-share',
  'pinned-large',
  'pinned-duplicate',
  'pinned-reference',
  'pinned-skipped',
  'never-fits',
  'same-ref',
]

function pinnedShare(report: Report): Outcome {
  const said = `pinned sections take ${percent(report.pinnedShare)} of ${count(report.budget)} tokens; ${percent(report.coverage)} of what is written can be sent`
  const findings = report.warnings
    .filter(({ code }) => PINNED.includes(code))
    .map(({ code, message }): Finding => {
      const [first = '', ...rest] = message.split('\n')
      // A rule that was not read is not sent.
      const level = code === 'pinned-skipped' ? 'error' : 'warning'
      return { code, level, message: first, remedy: rest.join(' ').trim() || 'see docs/errors.md' }
    })
  return outcome('share', 'the pinned share is sound, and everything can be sent', said, findings)
}

/** Links of a page that are named one by one. */
const LINKS = 20

function links({ brokenLinks, files }: Report, sources: Sources): Outcome {
  const findings = brokenLinks.slice(0, LINKS).map(
    ({ file, target, missing }): Finding => ({
      ...{
        code: missing === 'page' ? 'broken-link' : 'broken-anchor',
        level: 'warning',
        file,
        ...lineOf(sources, file, target),
      },
      message: `${file} links to ${target}, and there is no such ${missing === 'page' ? 'page' : 'heading'}`,
      remedy: 'mend the link',
    }),
  )
  const more = brokenLinks.length - findings.length
  if (more > 0)
    findings.push({
      code: 'broken-link',
      level: 'warning',
      message: `and ${more} more`,
      remedy: '`npx pinpack build --json` lists all',
    })
  return outcome('links', 'links inside the site lead somewhere', `${plural(files.length, 'file')} read`, findings)
}

const asJson = (outcomes: Outcome[], strict: boolean) => ({
  passed: !outcomes.some((one) => state(one, strict) === 'failed'),
  checks: outcomes.map((one) => ({
    check: one.check,
    about: one.about,
    state: state(one, strict),
    said: one.said,
    findings: one.findings,
    ...(one.pins && { pins: one.pins }),
  })),
})
