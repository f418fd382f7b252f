/** Unanswered questions as evaluation cases, in the file that `pinpack eval` reads. */

import { appendFile, readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { PinpackError } from '../errors.ts'
import { readQuestions } from './questions.ts'
import type { Group, Unanswered } from './unanswered-groups.ts'

/**
 * The questions whose numbers `choice` names, such as `1,4-6`; all of them by default.
 *
 * # Errors
 * `usage` when a number is none, or no question has it.
 */
export function chosenQuestions(groups: Group[], choice?: string): Unanswered[] {
  const questions = groups.flatMap((group) => group.questions)
  if (choice === undefined) return questions
  const chosen = new Set(choice.split(',').flatMap((range) => numbersOf(range.trim(), questions.length)))
  return questions.filter(({ number }) => chosen.has(number))
}

function numbersOf(range: string, most: number): number[] {
  const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (first === undefined || from < 1 || to > most || from > to) {
    throw new PinpackError(
      'usage',
      `--choose: ${JSON.stringify(range)} names no question; wanted numbers from 1 to ${most}, such as 1,3-5`,
    )
  }
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/**
 * Adds cases to the end of a YAML list, whose other lines stay as they are; makes the file when there is none.
 * Gives how many were added: a question that is there already is not added again.
 *
 * # Errors
 * `usage` when the file is not YAML by its name; `questions-invalid` when what is there is no list of questions; `write-failed`.
 */
export async function addCases(file: string, questions: Unanswered[]): Promise<number> {
  if (!/\.ya?ml$/i.test(file))
    throw new PinpackError('usage', `--to: ${file} is not named as YAML\ngive a file such as questions.yaml`)
  const old = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw new PinpackError('read-failed', `cannot read ${file}: ${error.message}`, { cause: error })
  })
  const known = new Set(old.trim() === '' ? [] : await textsOf(file))
  const fresh = questions.filter(({ question }) => !known.has(question.trim()))
  if (fresh.length === 0) return 0
  const gap = old === '' || old.endsWith('\n') ? '' : '\n'
  await appendFile(file, gap + stringify(fresh.map(caseOf), { lineWidth: 0 })).catch((cause: Error) => {
    throw new PinpackError('write-failed', `cannot write ${file}: ${cause.message}`, { cause })
  })
  return fresh.length
}

async function textsOf(file: string): Promise<string[]> {
  const { answerable, unanswerable } = await readQuestions(file)
  return [...answerable, ...unanswerable].map(({ text }) => text)
}

function caseOf({ question, before }: Unanswered) {
  return { question: question.trim(), ...(before !== undefined && { history: [before] }), unanswerable: true }
}
