/** What a citation shows: the words of its passage that say what the answer says there. */

import type { Answer, Source } from './conversation.ts'
import { claimsOf } from './markdown/plain.ts'
import type { Retrieval } from './retrieval.ts'
import { nextTask } from './yield.ts'

/**
 * Adds to each cited source the quotation that fits best. Private passages have none: their text is not on the page.
 * Gives the new sources, or `undefined` when nothing was found. Each quotation is looked for in a task of its own.
 */
export async function findEvidence(answer: Answer, retrieval: Retrieval): Promise<Answer['sources'] | undefined> {
  const claims = claimsOf(answer.content)
  const found: Source[] = []
  for (const source of Object.values(answer.sources)) {
    const section = source.section === undefined ? undefined : textOf(answer, source.section)
    const claim = claims.get(source.number)
    const wanted = section?.text && claim !== undefined && !source.quote
    const quote = wanted ? await nextTask().then(() => retrieval.excerpt(claim, section)) : ''
    found.push(quote ? { ...source, quote } : source)
  }
  if (!found.some(({ quote }) => quote)) return undefined
  return Object.fromEntries(found.map((source) => [source.number, source]))
}

/** The section as the page packed it, when it is of the build that the answer was made from. */
function textOf({ pack, receipt }: Answer, id: number) {
  if (receipt && pack?.hash !== receipt.hash) return undefined
  return pack?.sections.find((section) => section.id === id)
}
