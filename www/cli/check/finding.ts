/** What `pinpack check` finds, and how each of its checks came out. */

import type { BuildResult, Sources } from '../../build.ts'
import type { KnowledgeBase } from '../../index.ts'
import type { Knowledge, Report } from '../../types.ts'
import type { QuestionSet } from '../questions.ts'

/** An `error` fails the check, a `warning` only with `--strict`. */
export interface Finding {
  /** Stable, in `docs/errors.md`. */
  code: string
  level: 'error' | 'warning'
  /** What was found and what was wanted, one line. */
  message: string
  /** What to do. */
  remedy: string
  /** Relative to the folder of the site, where it is about a file. */
  file?: string
  /** Line of that file, from 1, where it can be told. */
  line?: number
}

/** One of the checks. */
export interface Outcome {
  check: string
  /** What it looks at, for a report. */
  about: string
  /** What was looked at and how much of it, or why it was not looked at. */
  said: string
  skipped: boolean
  findings: Finding[]
  /** The pinned sections with the questions that are theirs: the owner's by `pinned`, and those of their own words. */
  pins?: { ref: string; tokens: number; questions: string[] }[]
}

/** What the checks look at. */
export interface Subject {
  /** Folder of the site. */
  dir: string
  sources: Sources
  knowledge: Knowledge
  report: Report
  base: KnowledgeBase
  /** The owner's questions; both lists are empty without a file. */
  questions: QuestionSet
  /** Where a build was written, if it was. */
  built: { out: string; knowledge: string }
  /** The site as it is published, when there is a folder of it. */
  site: string | undefined
  /** Whether its owner named it; else it was looked for, and may be something else. */
  isSiteGiven: boolean
}

export type { BuildResult }

export const outcome = (check: string, about: string, said: string, findings: Finding[] = []): Outcome => ({
  ...{ check, about, said, findings },
  skipped: false,
})

export const skipped = (check: string, about: string, why: string): Outcome => ({
  ...{ check, about, said: why, findings: [] },
  skipped: true,
})

/** `content/a.md#b` → `content/a.md`, when such a file was read. */
export function fileOf(ref: string, { report }: Pick<Subject, 'report'>): { file?: string } {
  const path = ref.includes('#') ? ref.slice(0, ref.lastIndexOf('#')) : ref.replace(/~\d+$/, '')
  return report.files.some((file) => file.path === path) ? { file: path } : {}
}

/** The first line of a source that holds a text, from 1; nothing when none does. */
export function lineOf({ files }: Pick<Sources, 'files'>, file: string | undefined, text: string): { line?: number } {
  const source = files.find(({ path }) => path === file)
  if (!source || text === '') return {}
  const at = new TextDecoder()
    .decode(source.bytes)
    .split('\n')
    .findIndex((line) => line.includes(text))
  return at < 0 ? {} : { line: at + 1 }
}
