/** The checks that ask questions: do the rules reach the model, does an opener bring enough, does the budget hold? */

import type { KnowledgeBase } from '../../index.ts'
import { renderPassage } from '../../prompt.ts'
import type { KnowledgeSection } from '../../types.ts'
import { conversation } from '../knowledge.ts'
import { count, plural } from '../terminal.ts'
import { type Finding, fileOf, type Outcome, outcome, type Subject, skipped } from './finding.ts'
import { askAll, pins, type Sent } from './sent.ts'

/** Runs the checks that ask. */
export function askingChecks(subject: Subject): Outcome[] {
  const sent = askAll(subject)
  return [pinnedReaches(subject, sent), answered(sent), openersBring(subject, sent), budgetHolds(subject, sent)]
}

/** Every pinned section is in every prompt, whole, before what is not pinned; and what a question calls pinned is. */
function pinnedReaches(subject: Subject, sent: Sent[]): Outcome {
  const about = 'every pinned section reaches the model, whole and first'
  const all = pins(subject)
  const lost = all.flatMap((pin) => {
    const without = sent.find((one) => !holds(one, pin, all.length))
    return without ? [notSent(subject, pin, without)] : []
  })
  const unpinned = unpinnedRefs(subject, sent)
  if (all.length === 0 && unpinned.length === 0) return outcome('pinned', about, 'nothing is pinned', [nothingPinned()])
  const own = sent.filter(({ from }) => from === 'yours').length
  const said = `${plural(all.length, 'pinned section')} in the prompts of ${plural(sent.length, 'question')}, ${own} of them yours`
  const questions = (ref: string) => sent.filter(({ pinned }) => pinned.includes(ref)).map(({ text }) => text)
  const listed = all.map(({ ref, tokens }) => ({ ref, tokens, questions: questions(ref) }))
  return { ...outcome('pinned', about, said, [...lost, ...unpinned]), pins: listed }
}

/** A pinned passage is sent when it is in the prompt as rendered, with a number among the first. */
function holds({ prompt, pack }: Sent, pin: KnowledgeSection, pinned: number): boolean {
  const place = prompt.passages.find(({ id }) => id === pin.id)?.n
  if (place === undefined || place > pinned || !pack.ids.includes(pin.id)) return false
  return prompt.system.includes(renderPassage(place, pin))
}

const notSent = (subject: Subject, { ref }: KnowledgeSection, { text }: Sent): Finding => ({
  ...{ code: 'pinned-lost', level: 'error', ...fileOf(ref, subject) },
  message: `${ref} does not reach the model whole and first for ${JSON.stringify(text)}`,
  remedy: 'this is a fault of pinpack: please report it',
})

const nothingPinned = (): Finding => ({
  ...{ code: 'nothing-pinned', level: 'warning' },
  message: 'no section is pinned, so no rule goes along with every question',
  remedy:
    'put rules into the files of `pinned.include`; `npx pinpack suggest-pins` lists sentences that read like rules',
})

/** What a question calls pinned and is not, or is no section at all. */
function unpinnedRefs(subject: Subject, sent: Sent[]): Finding[] {
  const { pinned, sections } = subject.knowledge
  const pinnedRefs = new Set(pinned.map((id) => sections[id]?.ref))
  const refs = new Set(sections.map(({ ref }) => ref))
  const wrong = new Map<string, string>()
  for (const { text, pinned } of sent)
    for (const ref of pinned) if (!pinnedRefs.has(ref) && !wrong.has(ref)) wrong.set(ref, text)
  return [...wrong].map(([ref, text]) => ({
    ...{ code: 'pinned-missing', level: 'error', ...fileOf(ref, subject) },
    message: refs.has(ref)
      ? `${ref} has to go along with ${JSON.stringify(text)} and is not pinned`
      : `${ref} has to go along with ${JSON.stringify(text)} and is no section`,
    remedy: 'pin it by its file, `pinned: true` or `{.pinned}`, or mend `pinned` of the question',
  }))
}

/** Do the owner's questions bring a section that answers? */
function answered(sent: Sent[]): Outcome {
  const about = "an expected section is sent for each of the owner's questions"
  const own = sent.filter(({ expected }) => expected.length > 0)
  if (own.length === 0)
    return skipped('questions', about, 'no question with `expect`: `npx pinpack init` writes a first questions.yaml')
  const missed = own.filter(({ expected, pack }) => !pack.sections.some(({ ref }) => expected.includes(ref)))
  const findings = missed.map(
    ({ text, expected }): Finding => ({
      ...{ code: 'question-missed', level: 'warning' },
      message: `${JSON.stringify(text)} brings none of ${expected.join(', ')}`,
      remedy: `see why: npx pinpack explain ${JSON.stringify(text)}`,
    }),
  )
  const said = `${own.length - missed.length} of ${own.length} bring a section that answers`
  return outcome('questions', about, said, findings)
}

/** A greeting asks nothing; the model still has to know what the site is about. */
function openersBring({ base, knowledge, report }: Subject, sent: Sent[]): Outcome {
  const about = 'a vague opener brings the floor'
  const own = sent.filter(({ from }) => from === 'opener')
  const { floor, budget } = knowledge
  // Filling stops at the first section that takes it over the floor, or where nothing fits any more.
  const wanted = Math.min(floor, report.sendableTokens)
  const full = ({ text, pack }: Sent) => pack.tokens >= wanted || !fitsMore(base, text, budget - pack.tokens)
  const short = own.filter((one) => !full(one))
  const bare = own.filter(
    ({ pack }) => report.sections > report.pinnedSections && pack.ids.length === report.pinnedSections,
  )
  const least = Math.min(...own.map(({ pack }) => pack.tokens))
  const findings = [
    ...short.slice(0, 1).map(
      ({ text, pack }): Finding => ({
        ...{ code: 'floor-short', level: 'error' },
        message: `${JSON.stringify(text)} brings ${pack.tokens} tokens, wanted the floor of ${wanted}`,
        remedy: 'this is a fault of pinpack: please report it',
      }),
    ),
    ...bare.slice(0, 1).map(
      ({ text }): Finding => ({
        ...{ code: 'floor-empty', level: 'error' },
        message: `${JSON.stringify(text)} brings nothing but the pinned sections (${report.pinnedTokens} tokens): budget.floor is ${floor}`,
        remedy: `raise budget.floor over the pinned tokens, to about ${Math.round(budget * 0.8)}`,
      }),
    ),
  ]
  return outcome(
    'openers',
    about,
    `${own.length} openers (${knowledge.language}) bring ${count(least)} tokens or more, floor ${count(floor)}`,
    findings,
  )
}

/** Whether a section that is left out would fit, near copies of one that is sent aside. */
function fitsMore(base: KnowledgeBase, text: string, room: number): boolean {
  const { leftOut } = base.explain(conversation(text))
  return leftOut.some(({ reason, tokens }) => (reason as string) !== 'repeat' && tokens <= room)
}

/** What is sent is never over the budget, counted again from the sections of the proxy's file. */
function budgetHolds({ knowledge }: Subject, sent: Sent[]): Outcome {
  const over = sent.filter(({ pack, prompt }) => prompt.tokens > knowledge.budget || prompt.tokens !== pack.tokens)
  const most = Math.max(...sent.map(({ prompt }) => prompt.tokens))
  const findings = over.slice(0, 1).map(
    ({ text, prompt, pack }): Finding => ({
      ...{ code: 'budget-broken', level: 'error' },
      message: `${JSON.stringify(text)} sends ${prompt.tokens} tokens, packed as ${pack.tokens}, of a budget of ${knowledge.budget}`,
      remedy: 'this is a fault of pinpack: please report it',
    }),
  )
  return outcome(
    'budget',
    'no request is over the budget',
    `at most ${count(most)} of ${count(knowledge.budget)} tokens are sent`,
    findings,
  )
}
