/** Reads a proxy's log. */

import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { PinpackError } from '../errors.ts'

const Entry = v.object({
  time: v.string(),
  question: v.optional(v.string()),
  before: v.optional(v.string()),
  unanswered: v.boolean(),
  hash: v.string(),
  sections: v.array(v.pipe(v.number(), v.integer(), v.minValue(0))),
})
export type Entry = v.InferOutput<typeof Entry>

/** What a log holds. */
export interface LogFile {
  /** Entries that can be read, in their order. */
  entries: Entry[]
  /** Lines that are no entry of this version. */
  unread: number
}

/**
 * Reads a log of JSON lines. Other programs may write lines between.
 *
 * # Errors
 * `read-failed`; `log-invalid` when no line is an entry, or none has its question.
 */
export async function readLog(file: string): Promise<LogFile> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new PinpackError('read-failed', `cannot read ${file}: ${cause.message}`, { cause })
  })
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.flatMap(readEntry)
  if (lines.length > 0 && entries.length === 0) {
    throw new PinpackError(
      'log-invalid',
      `${file}: no line is an entry of the proxy's log\ngive the file that \`log\` writes`,
    )
  }
  if (entries.some(({ unanswered }) => unanswered) && entries.every(({ question }) => question === undefined)) {
    throw new PinpackError(
      'log-invalid',
      `${file}: the entries have no questions\nthe proxy leaves them out with privacy: 'strict'`,
    )
  }
  return { entries, unread: lines.length - entries.length }
}

function readEntry(line: string): Entry[] {
  try {
    const result = v.safeParse(Entry, JSON.parse(line))
    return result.success ? [result.output] : []
  } catch {
    return []
  }
}
