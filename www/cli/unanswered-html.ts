/** The unanswered questions as one web page: no script, nothing from elsewhere, every visitor's word escaped. */

import { html } from './report-html.ts'
import { PAGE_STYLE } from './report-style.ts'
import { count, plural } from './terminal.ts'
import type { Group, Unanswered } from './unanswered-groups.ts'
import { groupTitle, placeWords, sentWords } from './unanswered-words.ts'

/** What the page says besides its groups. */
export interface UnansweredContext {
  /** Name of the site, or `''`. */
  site: string
  /** Requests in the log. */
  asked: number
}

/** The page. It looks the same for the same groups. */
export function unansweredPage(groups: Group[], { site, asked }: UnansweredContext): string {
  const times = groups.reduce((sum, group) => sum + group.times, 0)
  const title = `${site ? `${site}: ` : ''}unanswered questions`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${html(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body data-pinpack-ignore>
<header>
<h1>${html(title)}</h1>
<p>${count(times)} of ${html(plural(asked, 'request'))} got no answer.</p>
</header>
<main>
${groups.map(groupSection).join('\n')}
</main>
<footer><p>Made by <code>pinpack unanswered --html</code>. It holds what visitors wrote: do not upload it with the site.</p></footer>
</body>
</html>
`
}

function groupSection(group: Group, at: number): string {
  const { times, questions, place } = group
  const title = html(groupTitle(group).replace(/^./, (letter) => letter.toUpperCase()))
  return `<section aria-labelledby="group-${at}">
<h2 id="group-${at}">${title} <span class="count">${count(times)}</span></h2>
<p>Write it ${html(placeWords(place))}.</p>
<div class="scroll"><table>
<thead><tr><th>Question</th><th>Not in any section</th><th>What was sent</th><th>Last asked</th><th class="number">Times</th></tr></thead>
<tbody>
${questions.map(row).join('\n')}
</tbody>
</table></div>
</section>`
}

function row({ question, before, times, last, missing, level, sent }: Unanswered): string {
  const after = before ? `<br><small>after: ${html(before)}</small>` : ''
  const now = level === 'covered' ? '<br><small>covered by now</small>' : ''
  const cells = [
    html(missing.join(', ')),
    html(sentWords(sent)),
    `<time style="white-space: nowrap">${html(last.slice(0, 10))}</time>`,
  ]
  return `<tr><th scope="row">${html(question)}${after}${now}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}<td class="number">${count(times)}</td></tr>`
}
