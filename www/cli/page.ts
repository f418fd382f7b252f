/** Web pages that commands write: no script, nothing from elsewhere, everything escaped. */

import { PAGE_STYLE } from './report-style.ts'
import { count } from './terminal.ts'

/** Rows of a table that are shown at once; the rest is folded away. */
const ROWS = 25

/** The parts of a page; all but `title` and `heading` are HTML. */
export interface Page {
  title: string
  heading: string
  intro: string
  parts: string[]
  footer: string
}

/** A whole page. */
export function page({ title, heading, intro, parts, footer }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${html(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body data-pinpack-ignore>
<header>
<h1>${html(heading)}</h1>
<p>${intro}</p>
</header>
<main>
${parts.filter(Boolean).join('\n')}
</main>
<footer><p>${footer}</p></footer>
</body>
</html>
`
}

/** Text that is safe between tags and in quoted attributes, without control characters. */
export function html(text: string): string {
  const safe = text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
  return safe.replace(/\p{Cc}+/gu, ' ')
}

/** A part with its heading; nothing when it has no content. */
export function section(id: string, title: string, content: string): string {
  return content && `<section aria-labelledby="${id}">\n<h2 id="${id}">${title}</h2>\n${content}\n</section>`
}

/** Large figures in a row: a name, a value and a note each, as text. */
export function figureList(items: [name: string, value: string, note: string][]): string {
  const item = ([name, value, note]: [string, string, string]) =>
    `<div><dt>${html(name)}</dt><dd><strong>${html(value)}</strong> <span>${html(note)}</span></dd></div>`
  return `<dl class="figures">${items.map(item).join('')}</dl>`
}

/** A table with a caption. Rows are cells as HTML; a column whose header starts with `>` holds numbers. */
export function table(caption: string, header: string[], rows: string[][]): string {
  const head = header
    .map(
      (text) => `<th scope="col"${text.startsWith('>') ? ' class="number"' : ''}>${html(text.replace('>', ''))}</th>`,
    )
    .join('')
  const body = (some: string[][]) => some.map((row) => `<tr>${row.join('')}</tr>`).join('\n')
  const whole = (caption: string, some: string[][]) =>
    `<div class="scroll" role="region" aria-label="${html(caption)}" tabindex="0"><table><caption>${html(caption)}</caption><thead><tr>${head}</tr></thead><tbody>\n${body(some)}\n</tbody></table></div>`
  return `${whole(caption, rows.slice(0, ROWS))}${folded(rows.slice(ROWS), (more) => whole(`${caption}, continued`, more))}`
}

/** What is too much to show at once. */
export function folded<T>(more: T[], render: (more: T[]) => string): string {
  return more.length === 0 ? '' : `<details><summary>${count(more.length)} more</summary>${render(more)}</details>`
}

export const code = (text: string) => `<code>${html(text)}</code>`
export const name = (text: string) => `<th scope="row">${code(text)}</th>`
export const figure = (value: number) => `<td class="number">${count(value)}</td>`
