/** From a request's body to the sections that will be sent: parsed strictly, checked against the budget. */

import * as v from 'valibot'
import type { ChatRequest, Knowledge } from '../types.ts'
import { RequestError } from './errors.ts'
import type { Limits } from './limits.ts'

/** A request as the proxy takes it: `sections` may be missing (a browser without WebAssembly). */
export type Ask = Omit<ChatRequest, 'sections' | 'coverage'> & {
  sections?: number[] | undefined
  coverage?: ChatRequest['coverage'] | undefined
}

/** `n` up to 999 is one token in every supported encoding; more passages would break the exact count. */
const MAX_PASSAGES = 999

/**
 * Parses the body. Unknown keys are refused, so that nobody can name a model, a system text, tools or settings.
 *
 * @throws RequestError `bad-request`, naming the first field that is wrong, never its value.
 */
export function parseAsk(body: string, limits: Limits): Ask {
  const result = v.safeParse(schemaFor(limits), parseJson(body))
  if (result.success) return result.output
  const path = (v.getDotPath(result.issues[0]) ?? 'body').slice(0, 80)
  throw new RequestError(
    'bad-request',
    `The field \`${path}\` is missing, unknown, of the wrong type or over its limit.`,
  )
}

/**
 * The ids to send beside the pinned ones, in the order asked for.
 *
 * @throws RequestError `stale` with the current hash, `unknown-section` (not in the knowledge base, pinned, or twice), `over-budget`.
 */
export function resolveSections(knowledge: Knowledge, ask: Ask): number[] {
  if (ask.hash !== knowledge.hash) {
    const { hash } = knowledge
    throw new RequestError('stale', `The page has another knowledge base than the server. Reload the page.`, { hash })
  }
  const ids = ask.sections ?? floorSections(knowledge)
  checkIds(knowledge, ids)
  const tokens = tokensOf(knowledge, [...knowledge.pinned, ...ids])
  const passages = knowledge.pinned.length + ids.length
  if (tokens > knowledge.budget || passages > MAX_PASSAGES) {
    const found = `${passages} sections with ${tokens} tokens, pinned included`
    throw new RequestError('over-budget', `The request names ${found}; the budget is ${knowledge.budget} tokens.`)
  }
  return ids
}

/** Everything when it fits; else sections in file order until the floor, skipping what does not fit the budget. */
export function floorSections({ sections, pinned, floor, budget }: Knowledge): number[] {
  const others = sections.filter((section) => !pinned.includes(section.id))
  const total = sections.reduce((sum, section) => sum + section.tokens, 0)
  if (total <= budget && sections.length <= MAX_PASSAGES) return others.map((section) => section.id)
  const ids: number[] = []
  let tokens = total - others.reduce((sum, section) => sum + section.tokens, 0)
  for (const section of others) {
    if (tokens >= floor || pinned.length + ids.length >= MAX_PASSAGES) break
    if (tokens + section.tokens > budget) continue
    ids.push(section.id)
    tokens += section.tokens
  }
  return ids
}

/** Made once for each proxy: making it takes longer than using it. */
function schemaFor(limits: Limits) {
  const known = schemas.get(limits) ?? askSchema(limits)
  schemas.set(limits, known)
  return known
}

const schemas = new WeakMap<Limits, ReturnType<typeof askSchema>>()

function askSchema(limits: Limits) {
  const message = v.strictObject({
    role: v.picklist(['user', 'assistant']),
    content: v.pipe(v.string(), v.maxLength(limits.messageChars)),
  })
  return v.strictObject({
    hash: v.pipe(v.string(), v.maxLength(64)),
    sections: v.optional(v.pipe(v.array(v.pipe(v.number(), v.safeInteger())), v.maxLength(MAX_PASSAGES))),
    coverage: v.optional(v.picklist(['covered', 'partly', 'none', 'unasked'])),
    messages: v.pipe(
      v.array(message),
      v.minLength(1),
      v.maxLength(limits.messages),
      v.check((messages) => messages.at(-1)?.role === 'user' && messages.at(-1)?.content.trim() !== ''),
    ),
  })
}

function checkIds(knowledge: Knowledge, ids: number[]) {
  const seen = new Set(knowledge.pinned)
  for (const id of ids) {
    if (!knowledge.sections[id] || seen.has(id)) {
      throw new RequestError('unknown-section', `Section ${id} is unknown, pinned or named twice.`)
    }
    seen.add(id)
  }
}

function tokensOf(knowledge: Knowledge, ids: number[]): number {
  return ids.reduce((sum, id) => sum + (knowledge.sections[id]?.tokens ?? 0), 0)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new RequestError('bad-request', 'The body is not JSON.')
  }
}
