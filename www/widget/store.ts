/** Keeps a conversation for the tab's lifetime, so that following a source to its page does not lose it. */

import type { Answer, Entry } from './conversation.ts'
import { citedNumbers } from './markdown/plain.ts'

const MAX_ENTRIES = 60

export class ConversationStore {
  constructor(readonly key: string) {}

  /** What was kept; an answer that was still arriving is cut. Nothing when storage is off or holds something else. */
  load(): Entry[] {
    try {
      const kept: unknown = JSON.parse(sessionStorage.getItem(this.key) ?? '[]')
      return Array.isArray(kept) ? kept.filter(isEntry).map(settle) : []
    } catch {
      return []
    }
  }

  save(entries: Entry[]): void {
    try {
      if (entries.length === 0) sessionStorage.removeItem(this.key)
      else sessionStorage.setItem(this.key, JSON.stringify(entries.slice(-MAX_ENTRIES).map(slim)))
    } catch {
      // Storage is full or forbidden: the conversation lives as long as the page.
    }
  }
}

const STATUSES = ['waiting', 'streaming', 'done', 'stopped', 'cut', 'failed']
const KINDS = ['model', 'quotes', 'nothing']

/** Any script of the page's origin can write there, an older version of this one too: only what can be drawn is taken. */
function isEntry(value: unknown): value is Entry {
  const entry = value as Partial<Answer> | null
  if (typeof entry?.content !== 'string') return false
  if ((entry.role as string) === 'user') return true
  const { role, status = '', kind = '', sources, error } = entry
  const sound = role === 'assistant' && STATUSES.includes(status) && KINDS.includes(kind)
  return sound && isRecord(sources) && Object.values(sources).every(isSource) && isError(error)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function isSource(value: unknown): boolean {
  const { number, url, title, quote = '' } = isRecord(value) ? value : {}
  return typeof number === 'number' && [url, title, quote].every((text) => typeof text === 'string')
}

function isError(value: unknown): boolean {
  return value === undefined || (isRecord(value) && typeof value.code === 'string' && typeof value.message === 'string')
}

function settle(entry: Entry): Entry {
  const running = entry.role === 'assistant' && (entry.status === 'waiting' || entry.status === 'streaming')
  return running ? { ...entry, status: 'cut' } : entry
}

/** Without what only the developer panel reads, and without sources that are not cited. */
function slim(entry: Entry): Entry {
  if (entry.role === 'user') return entry
  const { pack, receipt, sources, ...rest } = entry
  const cited = citedNumbers(entry.content).flatMap((number) => sources[number] ?? [])
  return { ...rest, sources: Object.fromEntries(cited.map((source) => [source.number, source])) }
}
