/** Blocks → Lit templates. Every piece of an answer is a text or attribute binding; nothing is parsed as HTML. */

import { html, type nothing, type TemplateResult } from 'lit'
import type { Align, Block } from './blocks.ts'
import { parseBlocks } from './blocks.ts'
import type { Inline } from './inlines.ts'
import { safeLink } from './links.ts'

type View = TemplateResult | string | typeof nothing

/** What an answer is drawn with. */
export interface MarkdownView {
  /** Draws the chip of a citation, or nothing when the number names no passage that was sent. */
  cite: (number: number) => TemplateResult | null
  /** Draws the button that copies a block of code. */
  copy: (text: string) => TemplateResult
  /** What a screen reader calls code and tables, which scroll by themselves. */
  labels: { code: string; table: string }
  /** Splits text so that every second piece is marked. */
  marks?: RegExp | undefined
}

/** An answer's Markdown as templates. `open`: the answer is still arriving. */
export function renderMarkdown(text: string, view: MarkdownView, open: boolean): View[] {
  return parseBlocks(text, open).map((block) => renderBlock(block, view))
}

function renderBlock(block: Block, view: MarkdownView): View {
  const inline = (inlines: Inline[]) => renderInlines(inlines, view)
  switch (block.type) {
    case 'paragraph':
      return html`<p>${inline(block.inlines)}</p>`
    case 'heading':
      return heading(block.level, inline(block.inlines))
    case 'code':
      return code(block, view)
    case 'quote':
      return html`<blockquote>${block.blocks.map((inner) => renderBlock(inner, view))}</blockquote>`
    case 'list':
      return list(block, view)
    case 'table':
      return table(block, inline, view.labels.table)
    case 'rule':
      return html`<hr>`
  }
}

/** The panel's own heading is level 2; an answer starts at 3, whatever level the model began with. */
function heading(level: number, content: View[]): View {
  return level <= 3 ? html`<h3>${content}</h3>` : html`<h4>${content}</h4>`
}

function code({ language, text }: Extract<Block, { type: 'code' }>, { copy, labels }: MarkdownView): View {
  return html`<div class="code"><div class="caption"><span>${language}</span>${copy(text)}</div
    ><pre tabindex="0" role="region" aria-label=${labels.code} data-language=${language}><code>${text}</code></pre></div>`
}

function list(block: Extract<Block, { type: 'list' }>, view: MarkdownView): View {
  const items = block.items.map((item) => html`<li>${item.map((inner) => renderBlock(inner, view))}</li>`)
  return block.ordered ? html`<ol start=${block.start}>${items}</ol>` : html`<ul>${items}</ul>`
}

function table(block: Extract<Block, { type: 'table' }>, inline: (inlines: Inline[]) => View[], label: string): View {
  const align = (column: number): Align => block.align[column] ?? 'start'
  const header = block.header.map(
    (cell, column) => html`<th scope="col" data-align=${align(column)}>${inline(cell)}</th>`,
  )
  const rows = block.rows.map(
    (row) => html`<tr>${row.map((cell, column) => html`<td data-align=${align(column)}>${inline(cell)}</td>`)}</tr>`,
  )
  return html`<div class="table" tabindex="0" role="region" aria-label=${label}><table><thead><tr>${header}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** A chip stands close to the word that it supports: the space before it is left out. */
function renderInlines(inlines: Inline[], view: MarkdownView): View[] {
  return inlines.map((inline, index) => {
    const next = inlines[index + 1]
    const close =
      inline.type === 'text' && next?.type === 'cite' && next.numbers.some((number) => view.cite(number) !== null)
    return renderInline(close ? { ...inline, text: inline.text.trimEnd() } : inline, view)
  })
}

function renderInline(inline: Inline, view: MarkdownView): View {
  const children = () => ('children' in inline ? renderInlines(inline.children, view) : [])
  switch (inline.type) {
    case 'text':
      return marked(inline.text, view.marks)
    case 'code':
      return html`<code>${inline.text}</code>`
    case 'break':
      return html`<br>`
    case 'strong':
      return html`<strong>${children()}</strong>`
    case 'em':
      return html`<em>${children()}</em>`
    case 'del':
      return html`<del>${children()}</del>`
    case 'cite':
      return citations(inline.numbers, inline.raw, view)
    case 'link':
      return link(inline.href, children())
  }
}

function marked(text: string, marks: RegExp | undefined): View {
  if (!marks) return text
  return html`${text.split(marks).map((piece, index) => (index % 2 ? html`<mark>${piece}</mark>` : piece))}`
}

function citations(numbers: number[], raw: string, { cite }: MarkdownView): View {
  const chips = numbers.map(cite).filter((chip) => chip !== null)
  return chips.length > 0 ? html`${chips}` : raw
}

function link(href: string, content: View[]): View {
  const safe = safeLink(href)
  if (!safe) return html`${content}`
  if (!safe.foreign) return html`<a href=${safe.href}>${content}</a>`
  return html`<a href=${safe.href} target="_blank" rel="noopener noreferrer nofollow">${content}</a>`
}
