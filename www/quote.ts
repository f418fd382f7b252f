/** Passages to quotes: the sentences that answer a question best, without any model. */

import type { Passage, Quote } from './types.ts'

/** A sentence shorter than this, in characters, is quoted together with a neighbor. */
const SHORT = 60
/** Most characters of a list that are quoted with the sentence before it. */
const LIST_CHARS = 240
/** Quotes of one passage, at most. */
const FROM_ONE_PASSAGE = 2
/** What has less of the best quote's score than this is not quoted. */
const NEAR_THE_BEST = 0.5
/** When no passage holds this share of the question, none answers it: the engine's coverage is `none` below the same share. */
const LEAST_SHARE = 0.3

/** Says for each text what share of the question it holds, 0 to 1. */
export type Weigh = (texts: string[]) => ArrayLike<number>

/** Something that can be quoted, with what it takes to be understood. */
interface Candidate {
  passage: number
  /** What is weighed: one sentence, list item or table row. */
  text: string
  /** The text before it that it depends on: the sentence that begins its list, the head of its table. */
  lead: string
  /** As it is quoted, with the lead or without. */
  quoted: (lead: string) => string
  /** The first of its passage: the sentence that a heading speaks to. */
  first: boolean
}

/**
 * The best `limit` sentences of `passages`, by default the best passage first; none when no passage answers.
 *
 * A sentence's score is the mean of the shares of the question that it holds by itself, that it holds with its passage's
 * title (twice), and that its passage holds. So a sentence under a heading that asks the question counts. It is divided by
 * the root of the passage's place, 1 for the first: the ranking knows the whole site, and so what is a chance word.
 */
export function bestSentences(passages: Passage[], language: string, limit: number, weigh: Weigh): Quote[] {
  const found = passages.flatMap(({ text }, passage) => candidatesOf(text, passage, language))
  if (found.length === 0) return []
  const placeOf = (passage: number) => passages[passage]?.place ?? passage
  const titled = (passage: number, text: string) => `${passages[passage]?.title ?? ''}\n${text}`
  const whole = weigh(passages.map(({ text }, at) => titled(at, text)))
  if (Math.max(...Array.from(whole)) < LEAST_SHARE) return []
  const alone = weigh(found.map(({ text }) => text))
  const inContext = weigh(found.map(({ passage, lead, text }) => titled(passage, `${lead} ${text}`)))
  const scored = found.map((candidate, at) => {
    const [own, context] = [alone[at] ?? 0, inContext[at] ?? 0]
    const answers = own > 0 || (candidate.first && context > 0)
    const share = (own + 2 * context + (whole[candidate.passage] ?? 0)) / 4
    return { ...candidate, score: answers ? share / Math.sqrt(1 + placeOf(candidate.passage)) : 0 }
  })
  return choose(scored, limit)
}

function choose(scored: (Candidate & { score: number })[], limit: number): Quote[] {
  const ranked = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  const least = (ranked[0]?.score ?? 0) * NEAR_THE_BEST
  const [quotes, leads] = [[] as Quote[], new Set<string>()]
  for (const { passage, text, lead, quoted, score } of ranked) {
    if (quotes.length >= limit || score < least) break
    const same = quotes.filter((quote) => quote.passage === passage)
    if (same.length >= FROM_ONE_PASSAGE || quotes.some((quote) => quote.text.includes(text))) continue
    const full = quoted(leads.has(lead) ? '' : lead)
    quotes.push({ passage, text: same.some((quote) => full.includes(quote.text)) ? text : full, score })
    leads.add(lead)
  }
  return quotes
}

/** Sentences of prose, list items and table rows; headings, code and heads of tables are not quoted by themselves. */
function candidatesOf(text: string, passage: number, language: string): Candidate[] {
  // Of several languages, the one of most text.
  const segmenter = segmenterFor(language.split(',')[0] ?? language)
  const blocks = blocksOf(text)
  const out: Omit<Candidate, 'first'>[] = []
  let lead = ''
  for (const [at, { kind, text }] of blocks.entries()) {
    if (kind === 'prose') {
      const parts = sentencesOf(text, segmenter)
      const list = listAfter(blocks, at)
      lead = list ? (parts.at(-1) ?? '') : ''
      for (const [i, part] of parts.entries()) {
        const whole = i === parts.length - 1 && list ? `${part} ${list}` : extended(parts, i)
        out.push({ passage, text: part, lead: '', quoted: () => whole })
      }
    } else if (kind === 'item') {
      out.push({ passage, text, lead, quoted: (lead) => (lead ? `${lead} ${text}` : text) })
    } else if (kind === 'row') {
      const { head = [], cells = [] } = blocks[at] as Block
      const named = cells.map((cell, i) => (head[i] && cell ? `${head[i]}: ${cell}` : cell)).filter(Boolean)
      out.push({ passage, text, lead: head.join(' '), quoted: () => named.join('; ') })
    }
  }
  return out.map((candidate, at) => ({ ...candidate, first: at === 0 }))
}

/** A short sentence with the one after it, or, at the end of its paragraph, the one before. */
function extended(parts: string[], at: number): string {
  const part = parts[at] as string
  if (part.length >= SHORT) return part
  const next = parts[at + 1]
  return next ? `${part} ${next}` : [parts[at - 1], part].filter(Boolean).join(' ')
}

/** What the sentence that ends the block announces by its colon: the items or the code after it. */
function listAfter(blocks: Block[], at: number): string {
  if (!/[:：]$/.test((blocks[at] as Block).text)) return ''
  const end = blocks.findIndex(({ kind }, i) => i > at && kind !== 'item' && kind !== 'code')
  let list = ''
  for (const { text } of blocks.slice(at + 1, end < 0 ? undefined : end)) {
    if (list && list.length + text.length > LIST_CHARS) return `${list}; …`
    list += list ? `; ${text}` : text
  }
  return list
}

interface Block {
  kind: 'prose' | 'item' | 'row' | 'code' | 'heading'
  text: string
  /** Of a row: its cells, and those of the table's head. */
  cells?: string[]
  head?: string[]
}

/** Paragraphs and single items: what a sentence does not run over. Lines of a paragraph are joined. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let [fence, open, head] = ['', false, [] as string[]]
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    const mark = /^(?:```+|~~~+)/.exec(trimmed)?.[0] ?? ''
    const row = !fence && trimmed.startsWith('|')
    if (!row) head = []
    if (fence || mark) {
      if (!fence) fence = mark
      else if (mark.startsWith(fence)) fence = ''
      else if (trimmed && !trimmed.includes('`'))
        blocks.push({ kind: 'code', text: `\`${trimmed.replace(/\s+/g, ' ')}\`` })
      open = false
    } else if (row) {
      const cells = cellsOf(trimmed)
      const delimiter = cells.every((cell) => /^:?-*:?$/.test(cell))
      if (!delimiter) blocks.push({ kind: 'row', text: cells.join(' '), cells, head })
      else if (blocks.at(-1)?.kind === 'row' && head.length === 0) head = blocks.pop()?.cells ?? []
      open = false
    } else if (!/[\p{L}\p{N}]/u.test(trimmed) || /^#{1,6}\s/.test(trimmed)) {
      if (trimmed) blocks.push({ kind: 'heading', text: '' })
      open = false
    } else if (/^(?:[-*+]\s|\d{1,3}[.)]\s)/.test(trimmed)) {
      blocks.push({ kind: 'item', text: trimmed.replace(/^[-*+]\s+(?:\[[ xX]\]\s+)?/, '') })
      open = true
    } else if (open) {
      const last = blocks.at(-1) as Block
      last.text += ` ${trimmed.replace(/^>\s+/, '')}`
    } else {
      blocks.push({ kind: 'prose', text: trimmed.replace(/^>\s+/, '') })
      open = true
    }
  }
  return blocks
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** Ends in an initial, or in a short form that is followed by a name or a number. */
const UNFINISHED = /(?:^|[\s("'“])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|No|Nos|vs|approx|e\.g|i\.e|cf|ca|fig)\.$/u

function sentencesOf(block: string, segmenter: Segmenter): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(block)) {
    const [last, part] = [sentences.at(-1), segment.trim()]
    if (last !== undefined && UNFINISHED.test(last)) sentences[sentences.length - 1] = `${last} ${part}`
    else if (part) sentences.push(part)
  }
  return sentences
}

type Segmenter = Pick<Intl.Segmenter, 'segment'>

function segmenterFor(language: string): Segmenter {
  try {
    return new Intl.Segmenter(language, { granularity: 'sentence' })
  } catch {
    // An unknown tag, or a browser without segmentation: the whole block is quoted.
    return { segment: (block) => [{ segment: block, index: 0, input: block }] as unknown as Intl.Segments }
  }
}
