/** Passages to quotes: the sentences that answer a question best, without any model. */

import type { Quote } from './types.ts'

/** A sentence shorter than this is quoted together with the one after it. */
const SHORT = 60

/** Says for each sentence what share of the question it holds, 0 to 1. */
export type Weigh = (sentences: string[]) => ArrayLike<number>

interface Sentence {
  passage: number
  text: string
  /** The sentence after it in the same paragraph. */
  next: string
}

/** The best `limit` sentences of `passages`, best first, ties by place; none where no word of the question stands. */
export function bestSentences(passages: string[], language: string, limit: number, weigh: Weigh): Quote[] {
  const sentences = passages.flatMap((text, passage) => sentencesOf(text, passage, language))
  if (sentences.length === 0) return []
  const shares = weigh(sentences.map((sentence) => sentence.text))
  const found = sentences.map((sentence, at) => ({ ...sentence, at, score: shares[at] ?? 0 }))
  return found
    .filter((sentence) => sentence.score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, limit)
    .map(({ passage, text, next, score }) => ({ passage, text: extended(text, next), score }))
}

function extended(text: string, next: string): string {
  return text.length < SHORT && next ? `${text} ${next}` : text
}

/** Sentences of prose, list items and table rows; headings, code and delimiter rows are not quoted. */
function sentencesOf(text: string, passage: number, language: string): Sentence[] {
  const segmenter = segmenterFor(language)
  return blocksOf(text).flatMap((block) => {
    const parts = Array.from(segmenter.segment(block), ({ segment }) => segment.trim()).filter(Boolean)
    return parts.map((part, i) => ({ passage, text: part, next: parts[i + 1] ?? '' }))
  })
}

/** Paragraphs and single items: what a sentence does not run over. Lines of a paragraph are joined. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let fence = ''
  let open = false
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    const mark = /^(?:```+|~~~+)/.exec(trimmed)?.[0] ?? ''
    if (fence || mark) {
      if (!fence) fence = mark
      else if (mark.startsWith(fence)) fence = ''
      open = false
    } else if (!/[\p{L}\p{N}]/u.test(trimmed) || /^#{1,6}\s/.test(trimmed)) {
      open = false
    } else if (/^(?:[-*+]\s|\d{1,3}[.)]\s|\|)/.test(trimmed) || !open) {
      blocks.push(trimmed.replace(/^(?:[-*+]|>)\s+/, ''))
      open = !trimmed.startsWith('|')
    } else {
      blocks[blocks.length - 1] += ` ${trimmed.replace(/^>\s+/, '')}`
    }
  }
  return blocks
}

function segmenterFor(language: string): Pick<Intl.Segmenter, 'segment'> {
  try {
    return new Intl.Segmenter(language, { granularity: 'sentence' })
  } catch {
    // An unknown tag, or a browser without segmentation: the whole block is quoted.
    return { segment: (block) => [{ segment: block, index: 0, input: block }] as unknown as Intl.Segments }
  }
}
