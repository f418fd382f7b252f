/** Which sections the owner's questions bring, and which none ever does; and how many questions other budgets would answer. */

import type { KnowledgeBase } from '../../index.ts'
import { conversation } from '../knowledge.ts'
import type { Question, QuestionSet } from '../questions.ts'

/** What the questions bring. */
export interface Reach {
  questions: number
  /** Sections that are pinned, or that a question brings because they match. */
  reached: number
  /** Sections that only the floor ever brings: they are sent, and answer nothing that is asked. */
  floorOnly: string[]
  /** Sections that no question brings. */
  never: string[]
  /** Tokens of the sections that are ever sent, the floor's included, and of all. */
  sentTokens: number
  writtenTokens: number
  /** Mean tokens of knowledge that a question sends. */
  meanTokens: number
}

/** Asks each question. `logged` are ids that requests of visitors have sent. */
export function reach(base: KnowledgeBase, questions: Question[], logged: Iterable<number> = []): Reach {
  const [matched, floor] = [new Set<number>(logged), new Set<number>()]
  let tokens = 0
  for (const { text, history } of questions) {
    const pack = base.pack(conversation(text, history))
    tokens += pack.tokens
    for (const { id, why } of pack.sections) (why === 'floor' ? floor : matched).add(id)
  }
  const sum = (wanted: (id: number) => boolean) =>
    base.refs.reduce((sum, _, id) => sum + (wanted(id) ? (base.section(id)?.tokens ?? 0) : 0), 0)
  const named = (wanted: (id: number) => boolean) => base.refs.filter((_, id) => wanted(id))
  return {
    questions: questions.length,
    reached: matched.size,
    floorOnly: named((id) => !matched.has(id) && floor.has(id)),
    never: named((id) => !matched.has(id) && !floor.has(id)),
    sentTokens: sum((id) => matched.has(id) || floor.has(id)),
    writtenTokens: base.stats.tokens,
    meanTokens: questions.length > 0 ? Math.round(tokens / questions.length) : 0,
  }
}

/** What a budget buys. */
export interface Bought {
  budget: number
  /** Questions of which an expected section is sent. */
  answered: number
  questions: number
  meanTokens: number
}

/** Shares of the budget that are tried. */
const SHARES = [0.25, 0.5, 0.75, 1, 1.5, 2]

/** Tries smaller and larger budgets on the questions that have an expected section. */
export function bought(base: KnowledgeBase, { answerable }: QuestionSet): Bought[] {
  const { budget, pinnedTokens } = base.stats
  const budgets = SHARES.map((share) => Math.round(budget * share)).filter((tokens) => tokens >= pinnedTokens)
  return budgets.map((tokens) => {
    const packs = answerable.map(({ text, history, relevant }) => {
      const pack = base.pack(conversation(text, history), { budget: tokens })
      return { tokens: pack.tokens, answers: pack.sections.some(({ ref }) => relevant.has(ref)) }
    })
    return {
      budget: tokens,
      answered: packs.filter(({ answers }) => answers).length,
      questions: packs.length,
      meanTokens: Math.round(packs.reduce((sum, pack) => sum + pack.tokens, 0) / Math.max(1, packs.length)),
    }
  })
}
