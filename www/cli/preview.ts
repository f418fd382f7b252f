/** Pages of `pinpack dev` where there is no built site: the texts of the sections at an address, so that citations lead somewhere. */

import type { Knowledge, KnowledgeSection } from '../types.ts'
import { html } from './page.ts'

/** The page at a path of the site, as HTML; `undefined` when no section has it. Private rules have no address. */
export function previewPage({ sections, site, language }: Knowledge, path: string): string | undefined {
  const found = sections.filter(({ url }) => url !== '' && samePath(pathOf(url), path))
  const [first] = found
  if (!first) return undefined
  const title = first.path[0] ?? first.title
  return `<!doctype html>
<html lang="${html(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${html(title)}${site ? ` · ${html(site)}` : ''}</title>
<style>
body { font: 1.0625rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere }
div { white-space: pre-wrap }
:target { background: Highlight; color: HighlightText }
.note { color: #5a5c66; font-size: .875rem }
</style>
</head>
<body>
<main>
<p class="note" data-pinpack-ignore>A preview of what the assistant knows of this page: no built site was found.</p>
${found.map(part).join('\n')}
</main>
<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-inspect></script>
</body>
</html>
`
}

/** A section; the first one's heading is the page's. */
function part({ title, url, text }: KnowledgeSection, i: number): string {
  const anchor = decoded(url.split('#')[1] ?? '')
  const heading = i === 0 ? 'h1' : 'h2'
  return `<${heading}${anchor ? ` id="${html(anchor)}"` : ''}>${html(title)}</${heading}>\n<div>${lines(text)}</div>`
}

/** Text of several lines. */
const lines = (text: string) => text.split('\n').map(html).join('\n')

const pathOf = (url: string) => url.replace(/^\w+:\/\/[^/]*/, '').replace(/#.*/, '') || '/'
const samePath = (a: string, b: string) => bare(a) === bare(b)
const bare = (path: string) => decoded(path).replace(/\/+$/, '')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
