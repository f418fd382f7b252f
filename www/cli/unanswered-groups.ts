/** Entries of a log to groups of the questions that got no answer. */

import type { Coverage, KnowledgeBase } from '../index.ts'
import { conversation } from './knowledge.ts'
import type { Entry } from './unanswered-log.ts'

/** A question that got no answer, asked once or more. */
export interface Unanswered {
  /** Counts from 1 over all groups. */
  number: number
  question: string
  /** The visitor's message before it, when it was always the same. */
  before?: string
  times: number
  /** When it was last asked, ISO 8601. */
  last: string
  /** Words of it that no section holds now. */
  missing: string[]
  /** How much of it is covered now. */
  level: Coverage['level']
  /** Refs that were sent, without the pinned ones; undefined when they were of another build. */
  sent: string[] | undefined
  /** Refs of the sections nearest to it now, best first. */
  nearest: string[]
}

/** Questions that miss the same word; or that miss none, and are nearest to the same page. */
export interface Group {
  /** The word; `''` when every word is in some section. */
  word: string
  times: number
  questions: Unanswered[]
  /** Where an answer could be written. */
  place: Place
}

/** In the page of a section that is near, or on a new page. */
export interface Place {
  /** Ref of the nearest section, or undefined for a new page. */
  ref: string | undefined
  /** Words for its heading. */
  heading: string
}

const NEAREST = 3

/** The groups, the one with most questions first. What visitors asked in the same words is one question. */
export function groupUnanswered(entries: Entry[], knowledge: KnowledgeBase): Group[] {
  const asked = distinct(entries.filter(({ unanswered, question }) => unanswered && question?.trim()))
  const questions = asked.map((same) => describe(same, knowledge))
  const weights = new Map<string, number>()
  for (const { missing, times } of questions) {
    for (const word of new Set(missing)) weights.set(word, (weights.get(word) ?? 0) + times)
  }
  const groups = groupBy(questions, (question) => heaviest(question.missing, weights) || pageOf(question))
  const made = [...groups.values()].map((members) => groupOf(heaviest(members[0]?.missing ?? [], weights), members))
  made.sort((a, b) => b.times - a.times || (sortKey(a) < sortKey(b) ? -1 : 1))
  for (const [at, question] of made.flatMap(({ questions }) => questions).entries()) question.number = at + 1
  return made
}

/** Entries by their questions, without regard to case and spaces. */
function distinct(entries: Entry[]): Entry[][] {
  const plain = ({ question = '' }: Entry) => question.replace(/\s+/g, ' ').trim().toLowerCase()
  return [...groupBy(entries, plain).values()]
}

function describe(same: Entry[], knowledge: KnowledgeBase): Unanswered {
  const last = same.reduce((a, b) => (b.time > a.time ? b : a))
  const { question = '', before } = last
  const kept = same.every((entry) => entry.before === before) ? before : undefined
  const messages = conversation(question, kept === undefined ? [] : [kept])
  const { coverage } = knowledge.pack(messages)
  return {
    number: 0,
    question,
    ...(kept !== undefined && { before: kept }),
    times: same.length,
    last: last.time,
    missing: coverage.missing,
    level: coverage.level,
    sent: sentRefs(last, knowledge),
    nearest: knowledge.rank(messages, { limit: NEAREST }).map(({ ref }) => ref),
  }
}

/** Ids mean something only in their own build. */
function sentRefs({ hash, sections }: Entry, knowledge: KnowledgeBase): string[] | undefined {
  if (hash !== knowledge.stats.hash) return undefined
  const { refs } = knowledge
  return sections.slice(knowledge.stats.pinned).flatMap((id) => (refs[id] === undefined ? [] : [refs[id]]))
}

/** Of the words that a question misses, the one that most visitors used. */
function heaviest(missing: string[], weights: Map<string, number>): string {
  const ordered = missing.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0) || (a < b ? -1 : 1))
  return ordered[0] ?? ''
}

/** The file of the nearest section, in a form that no word has. */
const pageOf = ({ nearest }: Unanswered) => ` ${nearest[0]?.split('#')[0] ?? ''}`
const sortKey = ({ word, place, questions }: Group) => word || ` ${place.ref ?? ''} ${questions[0]?.question ?? ''}`

function groupOf(word: string, questions: Unanswered[]): Group {
  questions.sort((a, b) => b.times - a.times || (a.question < b.question ? -1 : 1))
  const times = questions.reduce((sum, question) => sum + question.times, 0)
  return { word, times, questions, place: placeFor(word, questions) }
}

/** The section that is nearest to most of the group; a new page where nothing is near. */
function placeFor(word: string, questions: Unanswered[]): Place {
  const votes = new Map<string, number>()
  for (const { nearest, times, level } of questions) {
    const [ref] = nearest
    if (ref !== undefined && level !== 'none') votes.set(ref, (votes.get(ref) ?? 0) + times)
  }
  const [best] = [...votes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  const heading = questions[0]?.question.replace(/\s+/g, ' ').trim() ?? word
  return { ref: best?.[0], heading }
}

function groupBy<T>(all: T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return groups
}
