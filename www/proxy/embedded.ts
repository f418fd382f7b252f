/** An answerer without a model: quotes the best sentences of the packed sections, cited and linked. */

import { type Prompt, refusalText } from '../prompt.ts'
import type { Knowledge, Passage, Quote } from '../types.ts'
import type { Answerer } from './answerer.ts'
import type { QuoteFunction } from './options.ts'
import type { Settings } from './settings.ts'
import { wordsOf } from './words.ts'

const MAX_QUOTES = 4

/**
 * Makes an answerer that needs no key and no network. A pinned section without a page is never quoted: it can be private.
 * `instead` says that it stands in for a model.
 */
export function embeddedAnswerer({ knowledge, quote = defaultQuote }: Settings, instead = false): Answerer {
  const words = wordsOf(knowledge.prompt.language || knowledge.language)
  const lead = instead ? `${words.down} ${words.instead}` : words.quoting
  const refusal = `${instead ? `${words.down} ` : ''}${refusalText(knowledge.prompt)}`
  return {
    model: 'embedded',
    async *answer(prompt, asked, signal) {
      const open = quotable(prompt, knowledge)
      const passages = open.map(({ id }, place) => passageOf(knowledge, id, place))
      const options = { language: knowledge.language, limit: MAX_QUOTES }
      const quotes = passages.length > 0 ? await quote(asked, passages, options) : []
      signal.throwIfAborted()
      for (const text of writeAnswer(lead, quotes, open) ?? [refusal]) yield { type: 'text', text }
      yield { type: 'finish', reason: 'stop' }
    },
  }
}

/** Runs the analyzer in WebAssembly; loaded on first use, so that a proxy with a model never starts it. */
const defaultQuote: QuoteFunction = async (messages, passages, options) => {
  const pinpack = await import('../index.ts')
  return pinpack.quote(messages, passages, options)
}

/** The passages that visitors may read: as the pack ranked them, then the pinned ones that have a page. */
function quotable({ passages }: Prompt, { pinned, sections }: Knowledge): Prompt['passages'] {
  const packed = passages.filter(({ id }) => !pinned.includes(id))
  return [...packed, ...passages.filter(({ id }) => pinned.includes(id) && sections[id]?.url)]
}

/** Pinned sections are not ranked: each has the first place. */
function passageOf({ sections, pinned }: Knowledge, id: number, place: number): Passage {
  const { path = [], text = '' } = sections[id] ?? {}
  return { title: path.join('\n'), text, place: pinned.includes(id) ? 0 : place }
}

function writeAnswer(lead: string, quotes: Quote[], open: Prompt['passages']): string[] | undefined {
  const lines = groupByPassage(quotes.slice(0, MAX_QUOTES)).flatMap(({ passage, text }) => {
    const n = open[passage]?.n
    return n === undefined ? [] : [`\n\n> ${inline(text)} [${n}]`]
  })
  return lines.length > 0 ? [lead, ...lines] : undefined
}

/** Best first; quotes of one passage stay together, at the place of its best one. */
function groupByPassage(quotes: Quote[]): Quote[] {
  const best = quotes.toSorted((a, b) => b.score - a.score)
  const passages = [...new Set(best.map((quote) => quote.passage))]
  return passages.flatMap((passage) => best.filter((quote) => quote.passage === passage))
}

/** One line of Markdown, in which the text's own `[1]` is not taken for a citation; in code it never is. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/`[^`]*`|\[(?=\d)/g, (match) => (match === '[' ? '\\[' : match))
}
