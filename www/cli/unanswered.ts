/** `pinpack unanswered`: what visitors asked in vain, by the words that the site lacks, and where to answer it. */

import { writeFile } from 'node:fs/promises'
import { PinpackError } from '../errors.ts'
import { openKnowledge, type SourceOptions } from './knowledge.ts'
import { clean, count, paint, plural, print, printJson, printWarning } from './terminal.ts'
import { addCases, chosenQuestions } from './unanswered-cases.ts'
import { type Group, groupUnanswered, type Unanswered } from './unanswered-groups.ts'
import { unansweredPage } from './unanswered-html.ts'
import { readLog } from './unanswered-log.ts'
import { groupTitle, placeWords, sentWords } from './unanswered-words.ts'

interface Options extends SourceOptions {
  html?: string
  to?: string
  choose?: string
  json?: boolean
}

/** Questions of a group that are printed; the rest is counted. */
const SHOWN = 5

export async function unanswered(log: string, options: Options): Promise<undefined> {
  if (options.choose && !options.to)
    throw new PinpackError('usage', '--choose says which questions go --to a file: give one')
  const { entries, unread } = await readLog(log)
  if (unread > 0)
    printWarning('log-lines', `${log}: ${plural(unread, 'line')} cannot be read as entries of the proxy's log`)
  const knowledge = await openKnowledge(options)
  const groups = groupUnanswered(entries, knowledge)
  const { site } = knowledge.stats
  if (options.html) await write(options.html, unansweredPage(groups, { site, asked: entries.length }))
  const added = options.to ? await addCases(options.to, chosenQuestions(groups, options.choose)) : undefined
  if (options.json) printJson({ requests: entries.length, groups, ...(added !== undefined && { added }) })
  else print(...lines(groups, entries.length), ...writtenLines(options, added))
}

function lines(groups: Group[], requests: number): string[] {
  const times = groups.reduce((sum, group) => sum + group.times, 0)
  const head = `${count(times)} of ${plural(requests, 'request')} got no answer`
  if (groups.length === 0) return [head]
  return [head, ...groups.flatMap(groupLines)]
}

function groupLines(group: Group): string[] {
  const { times, questions, place } = group
  const more = questions.length - SHOWN
  return [
    '',
    `${paint.bold(groupTitle(group))} ${paint.dim(`(${plural(times, 'request')})`)}`,
    ...questions.slice(0, SHOWN).flatMap(questionLines),
    ...(more > 0 ? [paint.dim(`  and ${plural(more, 'more question')}`)] : []),
    `  ${paint.green('write it')} ${placeWords(place)}`,
  ]
}

function questionLines({ number, question, before, times, level, sent }: Unanswered): string[] {
  const asked = times > 1 ? paint.dim(` ×${count(times)}`) : ''
  const now = level === 'covered' ? paint.green(' covered by now') : ''
  return [
    `  ${paint.dim(`#${number}`)} ${clean(question)}${asked}${now}`,
    ...(before ? [paint.dim(`     after: ${clean(before)}`)] : []),
    paint.dim(`     sent: ${sentWords(sent)}`),
  ]
}

function writtenLines({ html, to }: Options, added: number | undefined): string[] {
  const page = html ? [`wrote ${html}`] : []
  const cases = to
    ? [
        `added ${plural(added ?? 0, 'question')} to ${to}: put \`expect\` in place of \`unanswerable\` once it is answered`,
      ]
    : []
  return page.length + cases.length > 0 ? ['', ...page, ...cases] : []
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((cause: Error) => {
    throw new PinpackError('write-failed', `cannot write ${file}: ${cause.message}`, { cause })
  })
}
