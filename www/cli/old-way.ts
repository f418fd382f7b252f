/** What a site without retrieval sends: the first N characters of all that is written. Beside what the pack sends. */

import type { KnowledgeBase } from '../index.ts'
import type { Explanation } from '../types.ts'

/** The first characters of the knowledge, as one text in file order. */
export interface OldWay {
  /** Characters sent (UTF-16 code units), and of how many. */
  characters: number
  of: number
  /** Sections that are in it whole. */
  sections: number
  /** The section in which it is cut off; absent when all of it is sent. */
  cutIn?: string
  /** Pinned sections that are in it whole, and how many there are. */
  pinned: { sent: number; of: number; missing: string[] }
  /** Of the sections that the pack sends because they match: those in it whole. */
  matching: { sent: number; of: number; missing: string[] }
}

/**
 * Cuts off after `characters`; by default after as many tokens as the pack may hold, so that both cost the same. A section whose
 * text the blob does not hold (a private rule) counts by its tokens, four characters each.
 */
export function oldWay(base: KnowledgeBase, explanation: Explanation, characters?: number): OldWay {
  const all = base.refs.map((ref, id) => {
    const section = base.section(id)
    const tokens = section?.tokens ?? 0
    return { id, ref, tokens, length: section?.text?.length ?? 4 * tokens }
  })
  const limit = characters ?? charactersOf(all, explanation.budget)
  const whole = new Set<number>()
  let [at, cutIn] = [0, undefined as string | undefined]
  for (const { id, ref, length } of all) {
    at += length
    if (at <= limit) whole.add(id)
    else cutIn ??= ref
  }
  const share = (why: 'pinned' | 'scored') => {
    const wanted = explanation.sections.filter((section) => section.why === why)
    const missing = wanted.filter(({ id }) => !whole.has(id)).map(({ ref }) => ref)
    return { sent: wanted.length - missing.length, of: wanted.length, missing }
  }
  return {
    ...{ characters: Math.min(limit, at), of: at, sections: whole.size },
    ...(cutIn !== undefined && { cutIn }),
    ...{ pinned: share('pinned'), matching: share('scored') },
  }
}

/** Characters from the start that hold so many tokens. */
function charactersOf(all: { tokens: number; length: number }[], budget: number): number {
  let [tokens, characters] = [0, 0]
  for (const one of all) {
    if (tokens + one.tokens > budget) return characters + Math.floor((one.length * (budget - tokens)) / one.tokens)
    tokens += one.tokens
    characters += one.length
  }
  return characters
}
