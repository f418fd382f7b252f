/** The widget's Markdown, without a page: against a full parser, one character at a time, and against hostile input. */

import { marked } from 'marked'
import { expect, test } from 'vitest'
import { type Block, parseBlocks } from '../../www/widget/markdown/blocks.ts'
import type { Inline } from '../../www/widget/markdown/inlines.ts'
import { safeLink } from '../../www/widget/markdown/links.ts'
import { citedNumbers, plainText } from '../../www/widget/markdown/plain.ts'

const SAME = [
  'Here is **bold** and `code`:\n\n```js\nlet x = 1\n```\nSee [docs](https://shop.example/a).',
  '# Title\n\nText *em* and _em_ and __strong__ and ***both***.\nsecond line',
  '- a\n- b\n  - c\n  - d\n- e\n\n1. one\n2. two\n   - x\n3. three\n',
  '1. **Basic** – $5\n\n   More text here.\n\n2. **Pro** – $10\n   ```js\n   code\n   ```\n\nEnd.',
  '| a | b |\n|---|:-:|\n| 1 | `x` |\n| 2 | **y** \\| z |\n\nafter',
  '> quote\n> more\nlazy\n\n> second\n',
  'snake_case_word and 2 * 3 * 4 and a**b**c and *a*b and **bold**text, "**quoted**"',
  'Line one  \nline two\\\nline three',
  '`` a`b `` and `a  b` and ` `` ` and ``` x',
  'unclosed **bold and *em and `code and [link](http',
  '* a\n\n* b\n\n* c',
  'text\n- list right after\n- two\n\ntext\n1. x\n2. y',
  'text\n2. not a list',
  '***\n---\n- - -\n',
  '###### six ######\n####### seven\n#nospace',
  '\\*not em\\* \\[x\\] \\` 1\\. ',
  'Visit https://example.com/a_b_c?x=1&y=2. Or (https://example.com/(x)) mail me@x.co!',
  'a *b* c_d_e __f__ g__h__i',
  '*(**foo**)* **"x"** *foo*bar* **foo*bar*baz**',
  'Steps:\n1) a\n2) b',
  '- a\n    - b\n        - c\n- d',
  '[b](https://shop.example) [d](/path) <https://x.example/y>',
]

test.each(SAME)('reads as a full Markdown parser does: %j', (text) => {
  expect(normalize(blocks(parseBlocks(text)))).toBe(normalize(marked.parse(text) as string))
})

const STREAM = 'Here is **bold** and `code`:\n\n```js\nlet x = 1\n```\nSee [docs](https://shop.example/a).'
const STREAMS = [
  STREAM,
  ...SAME,
  'So [1]. And [1, 2], ![alt](https://x.example/y.png) ~~gone~~ end.',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd',
]

test.each(STREAMS)('shows no half-received marks and never loses a block: %j', (text) => {
  let count = 0
  for (let end = 1; end <= text.length; end += 1) {
    const parsed = parseBlocks(text.slice(0, end), true)
    expect(parsed.length, text.slice(0, end)).toBeGreaterThanOrEqual(count)
    count = parsed.length
  }
  expect(parseBlocks(text).length).toBeGreaterThanOrEqual(count)
})

test('shows a growing answer without its marks', () => {
  for (let end = 1; end <= STREAM.length; end += 1) {
    const shown = blocks(parseBlocks(STREAM.slice(0, end), true)).replace(/<[^>]*>/g, '')
    expect(shown, STREAM.slice(0, end)).not.toMatch(/`|\*|\]\(|https/)
  }
})

test('makes a citation of a marker as soon as it is complete', () => {
  expect(parseBlocks('It is [1', true)).toEqual([{ type: 'paragraph', inlines: [{ type: 'text', text: 'It is ' }] }])
  expect(citedNumbers('It is [1], [2, 3] and [1]; not [x], [4](/y) or `[5]`.')).toEqual([1, 2, 3])
  expect(JSON.stringify(parseBlocks('It is [1]', true))).toContain('"numbers":[1]')
})

test('says an answer in plain words', () => {
  expect(plainText('# Yes\n\n**Within** 30 days [1].\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |')).toBe(
    'Yes\nWithin 30 days .\na\nb\nx, y\n1, 2',
  )
})

const BASE = 'https://shop.example/page'
test.each([
  ['https://other.example/x', true],
  ['/refunds#policy', false],
  ['mailto:help@shop.example', false],
  ['tel:+3212345', false],
  ['//evil.example/x', true],
])('links to %s', (href, foreign) => {
  expect(safeLink(href, BASE)?.foreign).toBe(foreign)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://shop.example/x',
  'file:///etc/passwd',
  'filesystem:https://shop.example/x',
  'https://user:pass@evil.example/',
  'https://[',
  '',
])('refuses to link to %j', (href) => {
  expect(safeLink(href, BASE)).toBe(null)
})

const HOSTILE = [
  '*a '.repeat(30_000),
  '[a'.repeat(30_000),
  `${'`'.repeat(50_000)}a`,
  Array.from({ length: 300 }, (_, index) => '`'.repeat(index + 1)).join(' '),
  `${'> '.repeat(20_000)}a`,
  `${'- '.repeat(20_000)}a`,
  `${'|a'.repeat(10_000)}\n${'|-'.repeat(10_000)}\n|x`,
  '![a](b '.repeat(9000),
  `${'*_'.repeat(30_000)}a`,
  '<'.repeat(50_000),
  '[a](((((((('.repeat(6000),
  '(a@'.repeat(20_000),
  'http://'.repeat(10_000),
  'a\n'.repeat(20_000),
  `${'a.'.repeat(40_000)}@`,
  `[x](${'\\'.repeat(50_000)}`,
  `# ${' #'.repeat(30_000)}x`,
  `|${' '.repeat(50_000)}\n|-${' '.repeat(50_000)}x`,
]

test.each(HOSTILE.map((text) => [text.slice(0, 16), text]))('takes no longer for hostile text: %j', (_, text) => {
  const started = performance.now()
  parseBlocks(text, true)
  parseBlocks(text)
  expect(performance.now() - started).toBeLessThan(1500)
})

// HTML, to compare with.

const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;').replace(/'/g, '&#39;')

function inlines(all: Inline[]): string {
  return all
    .map((inline) => {
      if (inline.type === 'text') return escapeHtml(inline.text)
      if (inline.type === 'code') return `<code>${escapeHtml(inline.text)}</code>`
      if (inline.type === 'break') return '<br>'
      if (inline.type === 'cite') return escapeHtml(inline.raw)
      if (inline.type === 'link') return `<a href="${escapeHtml(inline.href)}">${inlines(inline.children)}</a>`
      return `<${inline.type}>${inlines(inline.children)}</${inline.type}>`
    })
    .join('')
}

function blocks(all: Block[]): string {
  return all.map(block).join('\n')
}

function block(found: Block): string {
  if (found.type === 'paragraph') return `<p>${inlines(found.inlines)}</p>`
  if (found.type === 'heading') return `<h${found.level}>${inlines(found.inlines)}</h${found.level}>`
  if (found.type === 'code') return `<pre><code>${escapeHtml(found.text)}</code></pre>`
  if (found.type === 'quote') return `<blockquote>${blocks(found.blocks)}</blockquote>`
  if (found.type === 'rule') return '<hr>'
  if (found.type === 'table') {
    const row = (cells: Inline[][]) => `<tr>${cells.map((cell) => `<td>${inlines(cell)}</td>`).join('')}</tr>`
    return `<table>${[found.header, ...found.rows].map(row).join('')}</table>`
  }
  const items = found.items.map((item) => `<li>${blocks(item)}</li>`).join('')
  return found.ordered ? `<ol start="${found.start}">${items}</ol>` : `<ul>${items}</ul>`
}

/** Leaves out what only the full parser writes: paragraphs in tight lists, table groups, classes, white space. */
function normalize(html: string): string {
  return html
    .replace(/<\/?(?:p|thead|tbody)>/g, '')
    .replace(/<(\/?)t[dh][^>]*>/g, '<$1td>')
    .replace(/ class="[^"]*"/g, '')
    .replace(/<ol>/g, '<ol start="1">')
    .replace(/\s*(<[^>]*>)\s*/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
