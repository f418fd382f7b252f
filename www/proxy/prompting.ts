/** The prompt of a request, checked: whoever built it, every passage is in it, whole, and its size is known. */

import { byteLength, historySize, type Prompt, renderPassage } from '../prompt.ts'
import type { Knowledge } from '../types.ts'
import { RequestError } from './errors.ts'
import type { Ask } from './request.ts'
import type { Settings } from './settings.ts'

/**
 * Builds the prompt from the pinned sections and `ids`. The visitor's turns get what a minute's tokens leave beside
 * the passages and the answer, so that a long conversation is trimmed and not refused.
 *
 * @throws RequestError `internal` when a builder of the owner's left out a passage.
 */
export function promptFor(ask: Ask, ids: number[], settings: Settings): Prompt {
  const { knowledge, limits } = settings
  const prompt = build(ask, ids, limits.historyTokens, settings)
  const over = prompt.tokensMax + limits.outputTokens - limits.minuteTokens
  const fitting = over > 0 ? build(ask, ids, historySize(prompt.messages) - over, settings) : prompt
  const missing = [...knowledge.pinned, ...ids].some((id, at) => !holdsPassage(fitting, knowledge, id, at + 1))
  if (missing) throw new RequestError('internal', 'The prompt builder left out a passage.')
  return fitting
}

/** A builder's own figures are not believed: what is reserved depends on them. */
function build(ask: Ask, ids: number[], tokens: number, { knowledge, limits, buildPrompt }: Settings) {
  const { historyMessages } = limits
  const coverage = ask.coverage && { value: 0, level: ask.coverage, missing: [] }
  const options = { historyMessages, historyTokens: Math.max(0, tokens), ...(coverage && { coverage }) }
  const prompt = buildPrompt(knowledge, ids, ask.messages, options)
  return { ...prompt, ...sizeOf(prompt, knowledge) }
}

/** Exact tokens of the passages, and with one token a byte for everything else an upper bound of the whole. */
function sizeOf({ system, messages, passages }: Prompt, { sections }: Knowledge) {
  const sent = passages.flatMap(({ n, id }) => (sections[id] ? [{ n, section: sections[id] }] : []))
  const tokens = sent.reduce((sum, { section }) => sum + section.tokens, 0)
  const bytes = sent.reduce((sum, { n, section }) => sum + byteLength(renderPassage(n, section)), 0)
  return { tokens, tokensMax: tokens + Math.max(0, byteLength(system) - bytes) + historySize(messages) }
}

function holdsPassage({ system, passages }: Prompt, { sections }: Knowledge, id: number, n: number): boolean {
  const section = sections[id]
  return section !== undefined && passages[n - 1]?.id === id && system.includes(renderPassage(n, section))
}
