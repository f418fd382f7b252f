/** An answer's Markdown as the words a screen reader should speak: no marks, no citation numbers. */

import type { Block } from './blocks.ts'
import { parseBlocks } from './blocks.ts'
import type { Inline } from './inlines.ts'

export function plainText(markdown: string): string {
  return parseBlocks(markdown).map(blockText).join('\n')
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return inlineText(block.inlines)
    case 'code':
      return block.text
    case 'quote':
      return block.blocks.map(blockText).join('\n')
    case 'list':
      return block.items.map((item) => item.map(blockText).join('\n')).join('\n')
    case 'table':
      return [block.header, ...block.rows].map((row) => row.map(inlineText).join(', ')).join('\n')
    case 'rule':
      return ''
  }
}

function inlineText(inlines: Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === 'text' || inline.type === 'code') return inline.text
      if (inline.type === 'break') return ' '
      return 'children' in inline ? inlineText(inline.children) : ''
    })
    .join('')
}

/** For each cited passage, the words that the answer says with it: those of the paragraphs, items and cells that cite it. */
export function claimsOf(markdown: string): Map<number, string> {
  const claims = new Map<number, string>()
  JSON.stringify(parseBlocks(markdown), (_, value) => {
    if (!Array.isArray(value) || !value.some((inline) => inline?.type === 'cite')) return value
    const words = inlineText(value as Inline[]).trim()
    for (const { numbers = [] } of value)
      for (const number of numbers) claims.set(number, `${claims.get(number) ?? ''} ${words}`.trim())
    return value
  })
  return claims
}

/** The passage numbers that an answer cites, in order of first citation. */
export function citedNumbers(markdown: string): number[] {
  const numbers: number[] = []
  JSON.stringify(parseBlocks(markdown), (_, value) => {
    if (value?.type === 'cite') numbers.push(...value.numbers)
    return value
  })
  return [...new Set(numbers)]
}
