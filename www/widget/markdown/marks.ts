/** Which words of a quotation the visitor asked for: they are marked in it. */

/** Fewer letters than this and a word is marked only as it stands: a beginning would fit too much. */
const SHORT = 4
/** A word's other forms have at most this many letters more. */
const ENDING = 5
/** Written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Matches the words, and forms of them that share all but the last letters; `undefined` when there are none. Use it with `split`:
 * every second piece is a match.
 */
export function marksOf(words: string[]): RegExp | undefined {
  const forms = [...new Set(words)].filter(Boolean).map(formsOf)
  return forms.length > 0 ? new RegExp(`(${forms.join('|')})`, 'giu') : undefined
}

function formsOf(word: string): string {
  if (UNSPACED.test(word)) return escaped(word)
  const cut = word.length > 6 ? 2 : word.length > SHORT ? 1 : 0
  const begin = escaped(word.slice(0, word.length - cut))
  const rest = cut > 0 ? `[\\p{L}\\p{M}]{0,${ENDING}}` : ''
  return `(?<![\\p{L}\\p{N}])${begin}${rest}(?![\\p{L}\\p{N}])`
}

/** A term of the index, which is folded and stemmed, and a form of its word begin alike for so many letters. */
const ALIKE = 4

/** The words of a question that stand behind the terms that were found, as they were typed. */
export function wordsAsked(question: string, terms: string[], language: string): string[] {
  const found = [...new Set(terms)]
  const isFound = (word: string) =>
    found.some((term) =>
      UNSPACED.test(term) ? word.includes(term) || term.includes(word) : folded(word).startsWith(term.slice(0, ALIKE)),
    )
  return wordsOf(question, language).filter(isFound)
}

function wordsOf(text: string, language: string): string[] {
  try {
    const segments = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)]
    return segments.flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
  } catch {
    // An unknown tag, or a browser without segmentation.
    return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  }
}

const folded = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
