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

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
