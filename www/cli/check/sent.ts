/** The questions of a check, each with what it sends: the owner's, those of each rule's own words, and vague openers. */

import { buildPrompt, type Prompt } from '../../prompt.ts'
import type { KnowledgeSection, Pack } from '../../types.ts'
import { conversation } from '../knowledge.ts'
import type { Subject } from './finding.ts'
import { openersOf } from './openers.ts'

/** A question with what it sends. */
export interface Sent {
  text: string
  from: 'yours' | 'made' | 'opener'
  pack: Pack
  prompt: Prompt
  /** Sections that must be pinned, by the question. */
  pinned: string[]
  /** Sections that answer; empty when the question has none. */
  expected: string[]
}

/** Asks all of them. */
export const askAll = (subject: Subject): Sent[] => [...yours(subject), ...made(subject), ...openers(subject)]

function send(
  subject: Subject,
  text: string,
  from: Sent['from'],
  more: Partial<Sent> & { history?: string[] } = {},
): Sent {
  const messages = conversation(text, more.history)
  const pack = subject.base.pack(messages)
  return {
    text,
    from,
    pack,
    prompt: buildPrompt(subject.knowledge, pack.ids, messages),
    pinned: [],
    expected: [],
    ...more,
  }
}

function yours(subject: Subject): Sent[] {
  const { answerable, unanswerable, ruled } = subject.questions
  return [...answerable, ...unanswerable, ...ruled].map(({ text, history, relevant, pinned }) =>
    send(subject, text, 'yours', { history, pinned, expected: [...relevant.keys()] }),
  )
}

/** Two questions of each rule's own words: its heading, and its rarest words. */
function made(subject: Subject): Sent[] {
  return pins(subject).flatMap((pin) => {
    const rare = [...subject.base.explain(conversation(`${pin.title} ${pin.text}`)).terms].sort((a, b) => b.idf - a.idf)
    const words = [...new Set(rare.map(({ word }) => word))].slice(0, 4)
    return [pin.title, words.join(' ')]
      .filter(Boolean)
      .map((text) => send(subject, text, 'made', { pinned: [pin.ref] }))
  })
}

const openers = (subject: Subject) => openersOf(subject.knowledge.language).map((text) => send(subject, text, 'opener'))

export const pins = ({ knowledge }: Subject) => knowledge.pinned.map((id) => knowledge.sections[id] as KnowledgeSection)
