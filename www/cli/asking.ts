/** Asking a knowledge base questions whose answers are known, and measuring what came back. */

import type { KnowledgeBase } from '../index.ts'
import { conversation } from './knowledge.ts'
import { auroc, type Judged, type Quality, quality, quantile } from './metrics.ts'
import type { Question, QuestionSet } from './questions.ts'
import { clean, count, printWarning, progress } from './terminal.ts'

/** Sections ranked: ten names, also when several sections share one. */
const RANKED = 40

/** One question with what came back. */
export interface Asked extends Judged {
  question: Question
  /** The pack's coverage, 0 to 1. */
  coverage: number
  /** Time of the ranking. */
  rankMs: number
}

/** Refs that were said: a comparison asks twice. */
const said = new Set<string>()

/** A ref that no section has is a typing error or a section that is gone: it counts as not found, and is said once. */
export function warnUnknown({ answerable }: QuestionSet, refs: Iterable<string>): void {
  const known = new Set(refs)
  const unknown = new Set(
    answerable.flatMap(({ relevant }) => [...relevant.keys()].filter((ref) => !known.has(ref) && !said.has(ref))),
  )
  if (unknown.size === 0) return
  for (const ref of unknown) said.add(ref)
  const some = [...unknown].slice(0, 5).map(clean).join(', ')
  printWarning(
    'ref-unknown',
    `no section has ${unknown.size > 5 ? `these ${count(unknown.size)} refs, such as ` : ''}${some}`,
  )
}

/** Asks each question. `named` gives the name under which a section is judged: by default its ref. */
export function ask(
  knowledge: KnowledgeBase,
  { answerable, unanswerable }: QuestionSet,
  budget?: number,
  named = (ref: string) => ref,
) {
  const bar = progress('asking')
  let done = 0
  // The first call compiles: it is not a figure of ranking.
  knowledge.rank(conversation('warm up'))
  const one = (question: Question): Asked => {
    bar.update(++done, answerable.length + unanswerable.length)
    const messages = conversation(question.text, question.history)
    const from = performance.now()
    const hits = knowledge.rank(messages, { limit: RANKED })
    const rankMs = performance.now() - from
    const pack = knowledge.pack(messages, budget ? { budget } : {})
    const refs = (sections: { ref: string }[]) => [...new Set(sections.map(({ ref }) => named(ref)))]
    const { relevant } = question
    const [ranked, packed] = [refs(hits).slice(0, 10), refs(pack.sections)]
    return { question, relevant, ranked, packed, coverage: pack.coverage.value, rankMs }
  }
  const asked = { answerable: answerable.map(one), unanswerable: unanswerable.map(one) }
  bar.done()
  return asked
}

/** What was measured. */
export interface Figures extends Quality {
  queries: number
  /** Present when unanswerable questions were given: how well coverage tells them apart. */
  coverageAuroc?: number
  unanswerable: number
  latencyMs: { median: number; p99: number }
}

export function measure({ answerable, unanswerable }: ReturnType<typeof ask>): Figures {
  const times = [...answerable, ...unanswerable].map(({ rankMs }) => rankMs)
  const coverages = (asked: Asked[]) => asked.map(({ coverage }) => coverage)
  return {
    ...quality(answerable),
    queries: answerable.length,
    unanswerable: unanswerable.length,
    ...(unanswerable.length > 0 && { coverageAuroc: auroc(coverages(answerable), coverages(unanswerable)) }),
    latencyMs: { median: rounded(quantile(times, 0.5)), p99: rounded(quantile(times, 0.99)) },
  }
}

const rounded = (ms: number) => Number(ms.toFixed(3))
