/** The proxy's log, a JSON line a request: what visitors' questions sent, day by day. */

import { readFile } from 'node:fs/promises'
import { PinpackError } from '../../errors.ts'
import type { KnowledgeBase } from '../../index.ts'
import type { LogEntry } from '../../proxy/log.ts'
import { conversation } from '../knowledge.ts'

/** One day of requests that were answered, in UTC. */
export interface Day {
  day: string
  requests: number
  /** Mean tokens of knowledge of a request, and the share of them that is pinned. */
  passageTokens: number
  pinnedShare: number
  /** Mean tokens that the model counted, where it did. */
  inputTokens?: number
  outputTokens?: number
}

export interface Log {
  requests: number
  /** Lines that are no entries of answered requests, or of another build. */
  passedOver: number
  days: Day[]
  /** Sections that were sent. */
  sent: Set<number>
  /** Mean output tokens where the model counted them. */
  outputTokens?: number
}

/**
 * Reads a log. Ids mean something only in the build that they are of: an entry that names another hash, or an id that this build
 * does not have, is passed over.
 *
 * # Errors
 * `read-failed`.
 */
export async function readLog(file: string, base: KnowledgeBase): Promise<Log> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new PinpackError('read-failed', `cannot read ${file}: ${cause.message}`, { cause })
  })
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const entries = lines.flatMap((line) => entryOf(line, base) ?? [])
  const pins = new Set(base.pack(conversation('')).sections.flatMap(({ id, why }) => (why === 'pinned' ? [id] : [])))
  const byDay = new Map<string, LogEntry[]>()
  for (const entry of entries) {
    const day = entry.time.slice(0, 10)
    byDay.set(day, [...(byDay.get(day) ?? []), entry])
  }
  const output = meanOf(entries, ({ tokens }) => tokens.output)
  return {
    requests: entries.length,
    passedOver: lines.length - entries.length,
    days: [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, entries]) => dayOf(day, entries, base, pins)),
    sent: new Set(entries.flatMap(({ sections }) => sections)),
    ...(output !== undefined && { outputTokens: output }),
  }
}

function entryOf(line: string, base: KnowledgeBase): LogEntry | undefined {
  try {
    const entry = JSON.parse(line) as LogEntry & { hash?: string }
    const { sections: count, hash } = base.stats
    const ofThis = entry.hash === undefined || entry.hash === hash
    const known =
      Array.isArray(entry.sections) && entry.sections.every((id) => Number.isInteger(id) && id >= 0 && id < count)
    const dated = /^\d{4}-\d\d-\d\dT/.test(entry.time)
    return ofThis && known && dated && entry.outcome === 'answered' && entry.tokens.passages >= 0 ? entry : undefined
  } catch {
    return undefined
  }
}

function dayOf(day: string, entries: LogEntry[], base: KnowledgeBase, pins: ReadonlySet<number>): Day {
  const pinned = (entry: LogEntry) =>
    entry.sections.reduce((sum, id) => sum + (pins.has(id) ? (base.section(id)?.tokens ?? 0) : 0), 0)
  const passages = entries.reduce((sum, { tokens }) => sum + tokens.passages, 0)
  const [input, output] = [
    meanOf(entries, ({ tokens }) => tokens.input),
    meanOf(entries, ({ tokens }) => tokens.output),
  ]
  return {
    ...{ day, requests: entries.length },
    passageTokens: Math.round(passages / entries.length),
    pinnedShare: Number((entries.reduce((sum, entry) => sum + pinned(entry), 0) / Math.max(1, passages)).toFixed(4)),
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output }),
  }
}

function meanOf(entries: LogEntry[], value: (entry: LogEntry) => number | undefined): number | undefined {
  const values = entries.map(value).filter((value) => value !== undefined)
  return values.length > 0 ? Math.round(values.reduce((sum, value) => sum + value, 0) / values.length) : undefined
}
