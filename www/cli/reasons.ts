/** Why sections are sent or left out and where terms come from, in words. A reason that is not listed is shown as the engine names it. */

import type { QueryTerm } from '../types.ts'
import { plural } from './terminal.ts'

const SENT: Record<string, string> = {
  pinned: 'pinned',
  scored: 'scored',
  neighbor: 'beside a match',
  floor: 'floor, in file order',
}

const LEFT: Record<string, string> = {
  'too-large': 'did not fit',
  repeat: 'repeats one that is sent',
  'no-match': 'no match',
}

const ORIGINS: Record<string, string> = { typo: 'the nearest word', synonym: 'a synonym' }

export const sentWords = (why: string): string => SENT[why] ?? why
export const leftWords = (reason: string): string => LEFT[reason] ?? reason

/** The visitor's word that a term comes from; a note where it is not as it was typed just now. */
export function fromWords(term: QueryTerm): { word: string; note: string } {
  const { word, message, origin = 'asked' } = term as QueryTerm & { origin?: string }
  const notes = [
    ...(origin === 'asked' ? [] : [ORIGINS[origin] ?? origin]),
    ...(message > 0 ? [`${plural(message, 'message')} earlier`] : []),
  ]
  return { word, note: notes.join(', ') }
}

/** Tokens by reason, in the order sent; pinned, scored and floor also when they are none. */
export function tokensByWhy(sections: { why: string; tokens: number }[]): { why: string; tokens: number }[] {
  const sums = new Map(['pinned', 'scored', 'neighbor', 'floor'].map((why) => [why, 0]))
  for (const { why, tokens } of sections) sums.set(why, (sums.get(why) ?? 0) + tokens)
  const all = [...sums].map(([why, tokens]) => ({ why, tokens }))
  return all.filter(({ why, tokens }) => tokens > 0 || why !== 'neighbor')
}
