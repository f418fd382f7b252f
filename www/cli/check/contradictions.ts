/** Do pinned sections, or a pinned one and a page, say two amounts of one thing? */

import type { KnowledgeSection } from '../../types.ts'
import { plural } from '../terminal.ts'
import { contradict, factsOf, likeness, type Told, wordsOf } from './facts.ts'
import { type Finding, fileOf, lineOf, type Outcome, outcome, type Subject } from './finding.ts'

interface Stated extends Told {
  section: KnowledgeSection
}

/** From here on likeness leaves no doubt. */
const SURE = 0.8

/** Compares the amounts of pinned sections with one another and with those of pages; of pages only money. */
export function contradictions(subject: Subject): Outcome {
  const { sections, pinned } = subject.knowledge
  const pins = new Set(pinned)
  const stated = sections.flatMap((section): Stated[] =>
    factsOf(section.text).map((fact) => ({ fact, section, words: wordsOf(fact, section.title) })),
  )
  const rules = stated.filter(({ section }) => pins.has(section.id))
  const pages = stated.filter(({ section, fact }) => !pins.has(section.id) && fact.kind === 'money')
  const found = rules.flatMap((a, i) => [
    ...against(a, rules.slice(i + 1)).map((b) => finding(subject, a, b, likeness(a, b) >= SURE ? 'error' : 'warning')),
    ...against(a, pages).map((b) => finding(subject, a, b, 'warning')),
  ])
  const said = `${plural(rules.length, 'amount')} in pinned sections, ${plural(pages.length, 'price')} in pages`
  return outcome('facts', 'pinned sections do not give two amounts for one thing', said, found)
}

/**
 * The facts that contradict `a`. One in a section that also says what `a` says, and says it of a thing that is as much like, is
 * about something else: in a list of prices "recording room, half day" is not "event recording, half day".
 */
function against(a: Stated, others: Stated[]): Stated[] {
  const confirmed = new Map<number, number>()
  for (const b of others)
    if (b.fact.value === a.fact.value)
      confirmed.set(b.section.id, Math.max(confirmed.get(b.section.id) ?? 0, likeness(a, b)))
  return others.filter((b) => contradict(a, b) && likeness(a, b) > (confirmed.get(b.section.id) ?? 0))
}

function finding(subject: Subject, a: Stated, b: Stated, level: Finding['level']): Finding {
  const said = ({ fact: { amount }, section: { ref } }: Stated) => `${amount} (${ref})`
  const thing = [...a.words].filter((word) => b.words.has(word)).join(' ')
  const { file } = fileOf(b.section.ref, subject)
  return {
    ...{ code: 'contradiction', level, ...(file && { file }), ...lineOf(subject.sources, file, b.fact.amount) },
    message: `two amounts for "${thing}": ${said(a)} and ${said(b)}`,
    remedy: 'keep the one that is right, or say in words what differs',
  }
}
