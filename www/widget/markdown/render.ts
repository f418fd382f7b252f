/** Blocks → Lit templates. Every piece of an answer is a text or attribute binding; nothing is parsed as HTML. */

import { html, type nothing, type TemplateResult } from 'lit'
import type { Align, Block } from './blocks.ts'
import { parseBlocks } from './blocks.ts'
import type { Inline } from './inlines.ts'
import { safeLink } from './links.ts'

/** Draws the chip of a citation, or nothing when the number names no passage that was sent. */
export type RenderCitation = (number: number) => TemplateResult | null

type View = TemplateResult | string | typeof nothing

/** An answer's Markdown as templates. `open`: the answer is still arriving. */
export function renderMarkdown(text: string, cite: RenderCitation, open: boolean): View[] {
  return parseBlocks(text, open).map((block) => renderBlock(block, cite))
}

function renderBlock(block: Block, cite: RenderCitation): View {
  const inline = (inlines: Inline[]) => renderInlines(inlines, cite)
  switch (block.type) {
    case 'paragraph':
      return html`<p>${inline(block.inlines)}</p>`
    case 'heading':
      return heading(block.level, inline(block.inlines))
    case 'code':
      return html`<pre tabindex="0" data-language=${block.language}><code>${block.text}</code></pre>`
    case 'quote':
      return html`<blockquote>${block.blocks.map((inner) => renderBlock(inner, cite))}</blockquote>`
    case 'list':
      return list(block, cite)
    case 'table':
      return table(block, inline)
    case 'rule':
      return html`<hr>`
  }
}

/** The panel's own heading is level 2; an answer starts at 3, whatever level the model began with. */
function heading(level: number, content: View[]): View {
  return level <= 3 ? html`<h3>${content}</h3>` : html`<h4>${content}</h4>`
}

function list(block: Extract<Block, { type: 'list' }>, cite: RenderCitation): View {
  const items = block.items.map((item) => html`<li>${item.map((inner) => renderBlock(inner, cite))}</li>`)
  return block.ordered ? html`<ol start=${block.start}>${items}</ol>` : html`<ul>${items}</ul>`
}

function table(block: Extract<Block, { type: 'table' }>, inline: (inlines: Inline[]) => View[]): View {
  const align = (column: number): Align => block.align[column] ?? 'start'
  const header = block.header.map((cell, column) => html`<th data-align=${align(column)}>${inline(cell)}</th>`)
  const rows = block.rows.map(
    (row) => html`<tr>${row.map((cell, column) => html`<td data-align=${align(column)}>${inline(cell)}</td>`)}</tr>`,
  )
  return html`<div class="table" tabindex="0"><table><thead><tr>${header}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** A chip stands close to the word that it supports: the space before it is left out. */
function renderInlines(inlines: Inline[], cite: RenderCitation): View[] {
  return inlines.map((inline, index) => {
    const next = inlines[index + 1]
    const close =
      inline.type === 'text' && next?.type === 'cite' && next.numbers.some((number) => cite(number) !== null)
    return close ? inline.text.trimEnd() : renderInline(inline, cite)
  })
}

function renderInline(inline: Inline, cite: RenderCitation): View {
  const children = () => ('children' in inline ? renderInlines(inline.children, cite) : [])
  switch (inline.type) {
    case 'text':
      return inline.text
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
      return citations(inline.numbers, inline.raw, cite)
    case 'link':
      return link(inline.href, children())
  }
}

function citations(numbers: number[], raw: string, cite: RenderCitation): View {
  const chips = numbers.map(cite).filter((chip) => chip !== null)
  return chips.length > 0 ? html`${chips}` : raw
}

function link(href: string, content: View[]): View {
  const safe = safeLink(href)
  if (!safe) return html`${content}`
  if (!safe.foreign) return html`<a href=${safe.href}>${content}</a>`
  return html`<a href=${safe.href} target="_blank" rel="noopener noreferrer nofollow">${content}</a>`
}
