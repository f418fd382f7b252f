/** A streaming filter for citations: keeps the markers that name a sent passage, takes out every other. */

/** Text may come in pieces of any size, cut anywhere: the result is the same as for the whole text at once. */
export interface CitationFilter {
  /** Gives what can be sent of the text so far; the start of a marker is held back until its end is known. */
  push(piece: string): string
  /** Gives what was held back. */
  end(): string
  /** Passage numbers cited so far, in order of first citation. */
  readonly cited: ReadonlySet<number>
}

/** In order: an escaped character, a run of backticks, a marker with one space before it, plain text, any one character. */
const TOKEN = /\\.|`+|( ?)\[(\d{1,3}(?: ?[,;] ?\d{1,3}){0,15})\]|[^\\`[ \n]+|./sy
/** The end of a piece that more text could turn into another token. */
const OPEN = /(?:\\|`+| ?(?:\[[\d ,;]{0,96})?)$/y
/** Sent text that would close around a removed marker, `[` in `[[9]9]`, and make a new one: a space takes its place. */
const UNCLOSED = /\[[\d ,;]*$/
/** Longer than any marker. */
const TAIL_CHARS = 128

/**
 * Makes a filter for an answer to passages 1 to `passages`.
 *
 * A marker is `[n]` with `n` of up to three digits; a list such as `[1, 3]` becomes `[1][3]`. A marker for a number that
 * was not sent is removed, with the space before it. Inside Markdown code and after a backslash, `[n]` is text and left alone.
 */
export function createCitationFilter(passages: number): CitationFilter {
  const cited = new Set<number>()
  const code = createCodeTracker()
  let held = ''
  let sentTail = ''

  const marker = (space: string, numbers: string) => {
    const sent = numbers
      .split(/[,;]/)
      .map(Number)
      .filter((n) => n >= 1 && n <= passages)
    for (const n of sent) cited.add(n)
    if (sent.length > 0) return space + sent.map((n) => `[${n}]`).join('')
    return UNCLOSED.test(sentTail) ? ' ' : ''
  }

  const scan = (text: string, final: boolean) => {
    let out = ''
    let at = 0
    while (at < text.length) {
      OPEN.lastIndex = TOKEN.lastIndex = at
      if (!final && OPEN.test(text)) break
      const [token, space, numbers] = TOKEN.exec(text) as RegExpExecArray
      const piece = numbers !== undefined && !code.inside ? marker(space ?? '', numbers) : token
      sentTail = (sentTail + piece).slice(-TAIL_CHARS)
      out += piece
      code.see(token)
      at += token.length
    }
    held = text.slice(at)
    return out
  }

  return {
    cited,
    push: (piece) => scan(held + piece, false),
    end: () => scan(held, true),
  }
}

/** Follows Markdown code spans and fences: a run of backticks closes on a run of the same length; a span ends with its paragraph. */
function createCodeTracker() {
  let fence = 0
  let newlines = 0
  return {
    get inside() {
      return fence > 0
    },
    see(token: string) {
      newlines = token === '\n' ? newlines + 1 : 0
      if (newlines === 2 && fence < 3) fence = 0
      if (!token.startsWith('`')) return
      if (fence === 0) fence = token.length
      else if (fence === token.length) fence = 0
    },
  }
}
