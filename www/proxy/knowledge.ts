/** Reads `knowledge.json`: the proxy's own copy, checked once, so that every request can trust it. */

import * as v from 'valibot'
import { PinpackError } from '../errors.ts'
import type { Knowledge } from '../types.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const schema = v.object({
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  budget: count,
  floor: count,
  encoding: v.string(),
  language: v.string(),
  site: v.string(),
  prompt: v.object({ assistant: v.string(), contact: v.string(), refusal: v.string(), language: v.string() }),
  pinned: v.array(count),
  sections: v.array(
    v.object({
      id: count,
      ref: v.string(),
      title: v.string(),
      path: v.array(v.string()),
      url: v.string(),
      tokens: v.pipe(count, v.minValue(1)),
      label: v.pipe(v.string(), v.regex(/^[^"<\r\n]*$/)),
      text: v.string(),
    }),
  ),
})

/**
 * Gives a checked copy of a knowledge base, from the object or the text of `knowledge.json`.
 *
 * @throws PinpackError `proxy-options` when it is not what `pinpack build` writes, or when the pinned sections are over the budget.
 */
export function readKnowledge(input: Knowledge | string): Knowledge {
  const result = v.safeParse(schema, typeof input === 'string' ? parseJson(input) : input)
  if (!result.success) {
    const [issue] = result.issues
    throw invalid(
      `${v.getDotPath(issue) ?? 'the whole'} is ${issue.received}, wanted ${issue.expected ?? 'another form'}`,
    )
  }
  checkSections(result.output)
  checkPinned(result.output)
  return result.output
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('it is not JSON')
  }
}

function checkSections({ sections }: Knowledge) {
  for (const [at, section] of sections.entries()) {
    if (section.id !== at) throw invalid(`section ${at} has id ${section.id}, wanted ${at}`)
    if (/<[/ ]*passage/i.test(section.text)) throw invalid(`the text of ${section.ref} holds the passage fence`)
  }
}

function checkPinned({ pinned, sections, budget }: Knowledge) {
  if (new Set(pinned).size !== pinned.length) throw invalid('a pinned id is listed twice')
  const unknown = pinned.find((id) => !sections[id])
  if (unknown !== undefined) throw invalid(`pinned id ${unknown} is not a section`)
  const tokens = pinned.reduce((sum, id) => sum + (sections[id]?.tokens ?? 0), 0)
  if (tokens <= budget) return
  const refs = pinned.map((id) => `${sections[id]?.ref} (${sections[id]?.tokens})`).join(', ')
  throw invalid(`the pinned sections need ${tokens} tokens and the budget is ${budget}: ${refs}`)
}

function invalid(found: string): PinpackError {
  return new PinpackError(
    'proxy-options',
    `knowledge: ${found}. Run \`npx pinpack build\` again and deploy its knowledge.json.`,
  )
}
