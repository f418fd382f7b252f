/**
 * Block Markdown: an answer's text → blocks. The part of GitHub's Markdown that language models write: headings,
 * paragraphs, lists, quotes, fenced code, tables, rules. Left out on purpose, because each makes earlier text change
 * its meaning when a later line arrives: setext headings, indented code, link reference definitions. Raw HTML is text.
 */

import { type Inline, parseInlines } from './inlines.ts'

export type Align = 'start' | 'center' | 'end'
export type Block =
  | { type: 'paragraph'; inlines: Inline[] }
  | { type: 'heading'; level: number; inlines: Inline[] }
  | { type: 'code'; language: string; text: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { type: 'table'; align: Align[]; header: Inline[][]; rows: Inline[][][] }
  | { type: 'rule' }

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?:( {1,4})(?=\S)|[ \t]*$| )/
/** A last line that the next character may turn into a mark: held back while the answer grows. */
const UNDECIDED = /^\s*(?:#{1,6}\s*|>|[-*+_]{1,2}|[-*+] ?|\d{1,9}[.)]? ?|`{1,2}|~{1,2}|(?:[-*_] ?){2,})$/
const MAX_DEPTH = 12

/** Parses a whole answer, or with `open` the beginning of one that is still arriving. */
export function parseBlocks(text: string, open = false): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\t/g, '    ').split('\n')
  return new Reader(lines, open, 0).read()
}

class Reader {
  #at = 0
  readonly #blocks: Block[] = []

  constructor(
    readonly lines: string[],
    readonly open: boolean,
    readonly depth: number,
  ) {}

  read(): Block[] {
    while (this.#at < this.lines.length) {
      const line = this.#line()
      if (line.trim() === '') this.#at += 1
      else this.#blocks.push(...this.#block(line))
    }
    return this.#blocks
  }

  #line(): string {
    return this.lines[this.#at] ?? ''
  }

  /** Whether nothing comes after the current line yet. */
  #isGrowing(): boolean {
    return this.open && this.#at >= this.lines.length - 1
  }

  #block(line: string): Block[] {
    const fence = FENCE.exec(line)
    if (fence) return [this.#code(fence[1] as string, fence[2] as string)]
    if (this.#isGrowing() && UNDECIDED.test(line)) return this.#skip()
    if (HEADING.test(line)) return [this.#heading(line)]
    if (RULE.test(line)) return this.#rule()
    if (this.depth < MAX_DEPTH && QUOTE.test(line)) return [this.#quote()]
    if (this.depth < MAX_DEPTH && ITEM.test(line)) return [this.#list()]
    if (this.#isTable(line)) return [this.#table()]
    return this.#paragraph()
  }

  #skip(): Block[] {
    this.#at += 1
    return []
  }

  #rule(): Block[] {
    this.#at += 1
    return [{ type: 'rule' }]
  }

  #heading(line: string): Block {
    const growing = this.#isGrowing()
    this.#at += 1
    const marks = HEADING.exec(line)?.[1] as string
    const text = line
      .trim()
      .slice(marks.length)
      .trim()
      .replace(/(^|[ \t])#+$/, '')
    return { type: 'heading', level: marks.length, inlines: parseInlines(text, growing) }
  }

  #code(fence: string, info: string): Block {
    const indent = this.#line().search(/\S/)
    const close = new RegExp(`^ {0,3}\\${fence[0]}{${fence.length},}[ \\t]*$`)
    const body: string[] = []
    this.#at += 1
    while (this.#at < this.lines.length && !close.test(this.#line())) {
      if (!(this.#isGrowing() && isMarksOnly(this.#line(), fence[0] as string)))
        body.push(unindent(this.#line(), indent))
      this.#at += 1
    }
    const closed = this.#at < this.lines.length
    this.#at += 1
    if (!closed && body.at(-1) === '') body.pop()
    return { type: 'code', language: info.trim().split(/\s/)[0] ?? '', text: body.join('\n') }
  }

  #quote(): Block {
    const inside: string[] = []
    while (this.#at < this.lines.length) {
      const line = this.#line()
      const lazy = inside.length > 0 && line.trim() !== '' && !startsBlock(line) && inside.at(-1)?.trim() !== ''
      if (!QUOTE.test(line) && !lazy) break
      inside.push(line.replace(QUOTE, ''))
      this.#at += 1
    }
    return { type: 'quote', blocks: this.#inside(inside) }
  }

  /** Blocks of a container; its end is still growing when it reaches the end of the text. */
  #inside(lines: string[]): Block[] {
    return new Reader(lines, this.open && this.#at >= this.lines.length, this.depth + 1).read()
  }

  #list(): Block {
    const first = ITEM.exec(this.#line())?.[2] as string
    const kind = first.at(-1)
    const items: Block[][] = []
    let match = ITEM.exec(this.#line())
    while (match && match[2]?.at(-1) === kind && !RULE.test(this.#line()) && !this.#isUndecidedItem(items.length)) {
      items.push(this.#item(match))
      match = ITEM.exec(this.#line())
    }
    return { type: 'list', ordered: first.length > 1, start: Number.parseInt(first, 10) || 0, items }
  }

  #isUndecidedItem(count: number): boolean {
    return count > 0 && this.#isGrowing() && UNDECIDED.test(this.#line())
  }

  #item(match: RegExpExecArray): Block[] {
    const [, lead = '', marker = '', gap = ' '] = match
    const width = lead.length + marker.length + gap.length
    const inside = [this.#line().slice(width)]
    this.#at += 1
    while (this.#at < this.lines.length && this.#continuesItem(width, inside)) {
      inside.push(unindent(this.#line(), width))
      this.#at += 1
    }
    while (inside.length > 1 && inside.at(-1)?.trim() === '') inside.pop()
    return this.#inside(inside)
  }

  /** A line belongs to the item when it is indented under it, or runs on from its last paragraph. */
  #continuesItem(width: number, inside: string[]): boolean {
    const line = this.#line()
    const next = this.lines[this.#at + 1]
    if (line.trim() === '')
      return next === undefined || indentOf(next) >= width || ITEM.test(next) || next.trim() === ''
    if (indentOf(line) >= Math.min(width, 2)) return true
    return inside.at(-1)?.trim() !== '' && !startsBlock(line) && !ITEM.test(line)
  }

  #isTable(line: string): boolean {
    const next = this.lines[this.#at + 1]
    if (!line.includes('|')) return false
    const arriving = this.open && this.#at >= this.lines.length - 2 && /^ {0,3}\|/.test(line)
    if (arriving && (next === undefined || /^[\s|:-]*$/.test(next))) return true
    return next !== undefined && isDelimiterRow(next) && cellsOf(next).length === cellsOf(line).length
  }

  #table(): Block {
    const header = cellsOf(this.#line())
    const growingHeader = this.#isGrowing()
    const align = cellsOf(this.lines[this.#at + 1] ?? '').map(alignOf)
    this.#at += 2
    const rows: Inline[][][] = []
    while (this.#at < this.lines.length && this.#line().includes('|')) {
      const growing = this.#isGrowing()
      const cells = cellsOf(this.#line())
      rows.push(header.map((_, column) => parseInlines(cells[column] ?? '', growing)))
      this.#at += 1
    }
    return { type: 'table', align, header: header.map((cell) => parseInlines(cell, growingHeader)), rows }
  }

  #paragraph(): Block[] {
    const text = [this.#line().trimStart()]
    this.#at += 1
    while (this.#at < this.lines.length && !this.#endsParagraph()) {
      text.push(this.#line().trimStart())
      this.#at += 1
    }
    const growing = this.open && this.#at >= this.lines.length
    const inlines = parseInlines(text.join('\n').trimEnd(), growing)
    return inlines.length > 0 ? [{ type: 'paragraph', inlines }] : []
  }

  #endsParagraph(): boolean {
    const line = this.#line()
    if (line.trim() === '' || startsBlock(line)) return true
    return (this.#isGrowing() && UNDECIDED.test(line)) || this.#isTable(line)
  }
}

/** Whether a line ends the paragraph before it. An ordered list does so only when it starts at 1. */
function startsBlock(line: string): boolean {
  if (FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line)) return true
  const item = ITEM.exec(line)
  return (
    item !== null && (/^[-*+]$/.test(item[2] as string) || /^1[.)]$/.test(item[2] as string)) && /\S\s+\S/.test(line)
  )
}

function isMarksOnly(line: string, mark: string): boolean {
  const marks = line.trim()
  return marks !== '' && marks === mark.repeat(marks.length)
}

function indentOf(line: string): number {
  return Math.max(0, line.search(/\S/))
}

function unindent(line: string, width: number): string {
  return line.slice(Math.min(width, line.trim() === '' ? line.length : indentOf(line)))
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, '|'))
}

function isDelimiterRow(line: string): boolean {
  return line.includes('-') && cellsOf(line).every((cell) => /^:?-+:?$/.test(cell))
}

function alignOf(cell: string): Align {
  if (cell.startsWith(':') && cell.endsWith(':') && cell.length > 1) return 'center'
  return cell.endsWith(':') ? 'end' : 'start'
}
