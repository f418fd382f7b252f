/**
 * Inline Markdown: text → a tree of inlines. CommonMark's rules for emphasis, code and links; raw HTML stays text.
 * With `open`, the text is the tail of an answer that is still arriving: what is not closed yet is closed here.
 */

import { type Bracket, joinPieces, type Piece } from './emphasis.ts'

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'em' | 'del'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] }
  | { type: 'cite'; numbers: number[]; raw: string }

const PUNCTUATION = /[\p{P}\p{S}]/u
const CITATION = /^\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*$/
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  '#39': "'",
}
const ENTITY = /&(amp|lt|gt|quot|apos|nbsp|#39);/y
const BREAK_TAG = /<br ?\/?>/iy
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/iy
const DESTINATION = /\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/y
const MAX_RUNS = 400

/** Parses one paragraph's text. Time grows linearly with the text for any input. */
export function parseInlines(text: string, open = false): Inline[] {
  return new Scanner(open ? holdBack(text) : text, open).parse()
}

/** Leaves out the end of a growing text whose meaning the next character decides. */
function holdBack(text: string): string {
  return text.replace(/(?:[*_~`\\]{1,9}|!?\[[\d,; ]{0,40}|<[a-z/ ]{0,3}|&[a-z#\d]{0,4})$/i, '')
}

class Scanner {
  #at = 0
  #literal = ''
  readonly #pieces: Piece[] = []
  readonly #brackets: number[] = []
  readonly #unclosedTicks = new Set<number>()
  #runs = 0

  constructor(
    readonly text: string,
    readonly open: boolean,
  ) {}

  parse(): Inline[] {
    while (this.#at < this.text.length) this.#step()
    this.#flush()
    if (this.open) this.#closeBracket()
    return joinPieces(this.#pieces, this.open)
  }

  #step(): void {
    const char = this.text[this.#at] as string
    if (char === '\\') this.#escape()
    else if (char === '`') this.#code()
    else if (char === '*' || char === '_' || char === '~') this.#run(char)
    else if (char === '[') this.#bracket(false)
    else if (char === '!' && this.text[this.#at + 1] === '[') this.#bracket(true)
    else if (char === ']') this.#close()
    else if (char === '<') this.#angle()
    else if (char === '&') this.#entity()
    else if (char === '\n') this.#newline()
    else this.#take(1)
  }

  #take(length: number): void {
    this.#literal += this.text.slice(this.#at, this.#at + length)
    this.#at += length
  }

  #push(piece: Piece, length: number): void {
    this.#flush()
    this.#pieces.push(piece)
    this.#at += length
  }

  #flush(): void {
    if (this.#literal) this.#pieces.push({ type: 'text', text: this.#literal })
    this.#literal = ''
  }

  #escape() {
    const next = this.text[this.#at + 1] ?? ''
    if (next === '\n') return this.#push({ type: 'break' }, 2)
    if (/[!-/:-@[-`{-~]/.test(next)) this.#at += 1
    this.#take(1)
  }

  #newline() {
    const hard = this.#literal.endsWith('  ')
    this.#literal = this.#literal.trimEnd()
    if (hard) return this.#push({ type: 'break' }, 1)
    this.#literal += ' '
    this.#at += 1
  }

  #code() {
    const length = runLength(this.text, this.#at, '`')
    const start = this.#at + length
    let end = this.#unclosedTicks.has(length) ? -1 : findTicks(this.text, start, length)
    if (end < 0) this.#unclosedTicks.add(length)
    if (end < 0 && this.open) end = this.text.length
    if (end < 0) return this.#take(length)
    const code = this.text.slice(start, end).replace(/\n/g, ' ')
    const padded = code.length > 2 && code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
    this.#push({ type: 'code', text: padded ? code.slice(1, -1) : code }, end + length - this.#at)
  }

  #run(mark: string) {
    const length = runLength(this.text, this.#at, mark)
    const before = this.text[this.#at - 1] ?? ' '
    const after = this.text[this.#at + length] ?? ' '
    this.#runs += 1
    if (this.#runs > MAX_RUNS || (mark === '~' && length !== 2)) return this.#take(length)
    const left = isLeftFlanking(before, after)
    const right = isLeftFlanking(after, before)
    const word = mark === '_'
    const opens = left && (!word || !right || PUNCTUATION.test(before))
    const closes = right && (!word || !left || PUNCTUATION.test(after))
    this.#push({ type: 'run', mark, length, opens, closes }, length)
  }

  #bracket(image: boolean): void {
    this.#flush()
    this.#brackets.push(this.#pieces.length)
    this.#push({ type: 'bracket', image }, image ? 2 : 1)
  }

  #close() {
    this.#flush()
    const opener = this.#brackets.pop()
    if (opener === undefined) return this.#take(1)
    const image = (this.#pieces[opener] as Bracket).image
    const inside = this.#pieces.slice(opener + 1)
    const raw = inside.every((piece) => piece.type === 'text') ? inside.map((piece) => piece.text).join('') : ''
    const target = matchAt(DESTINATION, this.text, this.#at + 1)
    const cites = !image && !target && CITATION.test(raw) && this.text[this.#at + 1] !== '('
    const pending = this.open && isUnfinishedTarget(this.text, this.#at + 1)
    if (cites) this.#cite(opener, raw)
    else if (target || pending) this.#link(opener, image, target, pending)
    else this.#take(1)
  }

  #link(opener: number, image: boolean, target: RegExpExecArray | null, pending: boolean): void {
    const children = joinPieces(this.#pieces.splice(opener).slice(1), false)
    const href = unescapeHref(target?.[1] ?? target?.[2] ?? '')
    const length = pending ? this.text.length - this.#at : 1 + (target?.[0].length ?? 0)
    this.#at += length
    if (image || pending) this.#pieces.push(...children)
    else this.#pieces.push({ type: 'link', href, children })
    // A link holds no other link: earlier brackets around it are text.
    if (!image) this.#brackets.length = 0
  }

  #cite(opener: number, raw: string): void {
    this.#pieces.length = opener
    const numbers = raw.split(/[,;]/).map(Number)
    this.#push({ type: 'cite', numbers, raw: `[${raw}]` }, 1)
  }

  /** Drops the bracket of a link whose label is still arriving, so that only its words show. */
  #closeBracket(): void {
    const opener = this.#brackets.pop()
    if (opener !== undefined) this.#pieces.splice(opener, 1)
  }

  #angle() {
    const tag = matchAt(BREAK_TAG, this.text, this.#at)
    if (tag) return this.#push({ type: 'break' }, tag[0].length)
    const link = matchAt(AUTOLINK, this.text, this.#at)
    if (!link) return this.#take(1)
    const href = link[1] as string
    const label = href.replace(/^mailto:/i, '')
    this.#push({ type: 'link', href, children: [{ type: 'text', text: label }] }, link[0].length)
  }

  #entity() {
    const match = matchAt(ENTITY, this.text, this.#at)
    if (!match) return this.#take(1)
    this.#literal += ENTITIES[match[1] as string]
    this.#at += match[0].length
  }
}

function isLeftFlanking(before: string, after: string): boolean {
  if (/\s/.test(after)) return false
  return !PUNCTUATION.test(after) || /\s/.test(before) || PUNCTUATION.test(before)
}

/** Whether a `]` at the end of an arriving text may still be followed by the rest of a link. */
function isUnfinishedTarget(text: string, at: number): boolean {
  return at >= text.length || (text[at] === '(' && !/[)\n]/.test(text.slice(at, at + 2000)))
}

function runLength(text: string, from: number, mark: string): number {
  let end = from
  while (text[end] === mark) end += 1
  return end - from
}

function findTicks(text: string, from: number, length: number): number {
  for (let at = text.indexOf('`', from); at >= 0; at = text.indexOf('`', at)) {
    const found = runLength(text, at, '`')
    if (found === length) return at
    at += found
  }
  return -1
}

function unescapeHref(href: string): string {
  return href.replace(/\\([!-/:-@[-`{-~])/g, '$1').replace(/&amp;/g, '&')
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
