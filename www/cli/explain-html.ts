/** One question as a web page: what it sends, what it leaves out, every score in parts, and what the old way would send. */

import type { ExplainedLeft, ExplainedSection, Explanation } from '../types.ts'
import type { OldWay } from './old-way.ts'
import { code, figure, figureList, html, page, section, table } from './page.ts'
import { fromWords, leftWords, tokensByWhy } from './reasons.ts'
import { count, percent, plural } from './terminal.ts'

/** The page. It looks the same for the same explanation. */
export function explainPage(messages: string[], explanation: Explanation, old: OldWay): string {
  const question = messages.at(-1) ?? ''
  const earlier = messages.slice(0, -1)
  const history = earlier.length > 0 ? ` After: ${earlier.map((text) => `<q>${html(text)}</q>`).join(', ')}.` : ''
  return page({
    title: `pinpack explain: ${question}`,
    heading: question,
    intro: `${html(plural(explanation.sections.length, 'section'))} would be sent.${history} Build <code>${html(explanation.hash)}</code>.`,
    parts: [
      figures(explanation),
      section('sent', 'Sent', `${bar(explanation)}${sentTable(explanation.sections)}`),
      section('terms', 'Terms', terms(explanation)),
      section('old-way', 'The first characters of the file instead', oldWayText(old)),
      section('left-out', 'Left out', leftTable(explanation.leftOut)),
    ],
    footer: 'Made by <code>pinpack explain --html</code>. It names private rules: do not upload it with the site.',
  })
}

function figures({ tokens, budget, coverage, sections, leftOut }: Explanation): string {
  const pinned = sections.filter(({ why }) => why === 'pinned').length
  return figureList([
    ['Tokens', count(tokens), `${percent(tokens / budget)} of ${count(budget)}`],
    ['Coverage', coverage.value.toFixed(2), coverage.level],
    ['Sections', count(sections.length), `${count(pinned)} pinned`],
    [
      'Left out',
      count(leftOut.length),
      `${count(leftOut.filter(({ reason }) => reason !== 'no-match').length)} of them match`,
    ],
    ['Found nowhere', count(coverage.missing.length), coverage.missing.join(', ') || 'every word is in some section'],
  ])
}

const WIDTH = 720

/** The request as a bar: pinned, scored, floor, free. */
function bar({ sections, budget }: Explanation): string {
  const sums = tokensByWhy(sections)
  let x = 0
  const rects = sums.map(({ why, tokens }) => {
    const width = (tokens / budget) * WIDTH
    const rect = `<rect class="${html(why)}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="36"/>`
    x += width
    return rect
  })
  const said = sums.map(({ why, tokens }) => `${html(why)} ${count(tokens)}`).join(', ')
  const legend = sums.map(
    ({ why, tokens }) => `<li><i class="${html(why)}"></i><strong>${html(why)}</strong> ${count(tokens)} tokens</li>`,
  )
  return `<svg class="budget" role="img" aria-label="Budget of ${count(budget)} tokens: ${said}" viewBox="0 0 ${WIDTH} 36" preserveAspectRatio="none"><rect class="free" x="0" y="0" width="${WIDTH}" height="36"/>${rects.join('')}</svg>
<ul class="legend">${legend.join('')}</ul>`
}

function sentTable(sections: ExplainedSection[]): string {
  const most = Math.max(1, ...sections.map(({ score }) => score))
  const rows = sections.map((one) => [
    `<td class="short">${html(one.why)}</td>`,
    scoreCell(one, most),
    figure(one.tokens),
    named(one),
    `<td>${parts(one)}</td>`,
  ])
  return table('In the order sent', ['Why', '>Score', '>Tokens', 'Section', 'Score in parts'], rows)
}

function leftTable(left: ExplainedLeft[]): string {
  if (left.length === 0) return '<p>Nothing: the whole site is sent.</p>'
  const most = Math.max(1, ...left.map(({ score }) => score))
  const rows = left.map((one) => [
    `<td class="short">${html(leftWords(one.reason))}</td>`,
    scoreCell(one, most),
    figure(one.tokens),
    named(one),
    `<td>${parts(one)}</td>`,
  ])
  return table('Best first', ['Why', '>Score', '>Tokens', 'Section', 'Score in parts'], rows)
}

const scoreCell = ({ score }: { score: number }, most: number) =>
  `<td class="number bar"><span>${score > 0 ? score.toFixed(2) : ''}</span><i style="width:${((score / most) * 100).toFixed(1)}%"></i></td>`

const named = ({ title, ref }: { title: string; ref: string }) => `<th scope="row">${html(title)}<br>${code(ref)}</th>`

const parts = ({ parts }: { parts: { term: string; tf: number; score: number }[] }) =>
  parts.map(({ term, tf, score }) => `${html(term)}&nbsp;×${tf}&nbsp;${score.toFixed(2)}`).join(', ')

function terms({ terms }: Explanation): string {
  if (terms.length === 0) return '<p>The question holds no word that is searched for.</p>'
  const rows = terms.map((one) => {
    const { word, note } = fromWords(one)
    return [
      `<th scope="row">${code(one.term)}</th>`,
      `<td>${html(word)}${note ? ` (${html(note)})` : ''}</td>`,
      `<td class="number">${one.weight.toFixed(2)}</td>`,
      `<td class="number">${one.idf.toFixed(2)}</td>`,
      figure(one.df),
    ]
  })
  return table('What is searched for', ['Term', 'From', '>Weight', '>Rarity (idf)', '>Sections'], rows)
}

function oldWayText({ characters, of, sections, cutIn, pinned, matching }: OldWay): string {
  const cut = cutIn === undefined ? 'That is all of it.' : `It ends in ${code(cutIn)}.`
  const lost = [...pinned.missing.map((ref) => ['pinned', ref]), ...matching.missing.map((ref) => ['matching', ref])]
  const rows = lost.map(([why = '', ref = '']) => [`<td>${why}</td>`, `<th scope="row">${code(ref)}</th>`])
  return `<p>A site that sends the first ${count(characters)} of ${count(of)} characters, for about the same tokens, sends ${html(plural(sections, 'section'))}, whatever is asked. ${cut}
Of the sections above it sends ${count(matching.sent)} of ${count(matching.of)} that match and ${count(pinned.sent)} of ${count(pinned.of)} that are pinned.</p>
${rows.length > 0 ? table('What the model would not see', ['Why it matters', 'Section'], rows) : ''}`
}
