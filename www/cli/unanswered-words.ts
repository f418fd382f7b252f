/** What the list and the page of unanswered questions say in the same words. */

import { clean } from './terminal.ts'
import type { Group, Place } from './unanswered-groups.ts'

/** What was sent, in words. */
export function sentWords(sent: string[] | undefined): string {
  if (!sent) return 'sections of another build'
  return sent.length > 0 ? sent.map(clean).join(', ') : 'the pinned sections alone'
}

/** Where to write an answer, in words. */
export function placeWords({ ref, heading }: Place): string {
  const title = `under a heading such as “${clean(heading)}”`
  return ref ? `near ${clean(ref)}, ${title}` : `on a page of its own, ${title}`
}

/** What the questions of a group have in common, in words. */
export function groupTitle({ word, questions }: Group): string {
  if (word) return `“${clean(word)}” is in no section`
  const page = questions[0]?.nearest[0]?.split('#')[0]
  return page ? `no word is missing, nearest to ${clean(page)}` : 'no word is missing'
}
