/** The pictures of the report page: SVG in the page's own colors, each with its text alternative. */

import type { Report } from '../types.ts'
import { count, percent, plural } from './terminal.ts'

/** Units of the drawings; they scale to the width of the page. */
const WIDTH = 720

/** One request's budget as a bar: what is pinned, what the floor fills up to, what only matches fill. */
export function budgetBar({ budget, floor, pinnedTokens }: Report): string {
  const upToFloor = Math.max(0, Math.min(floor, budget) - pinnedTokens)
  const parts: [name: string, tokens: number, css: string, note: string][] = [
    ['Pinned', pinnedTokens, 'pinned', 'in every request'],
    ['Up to the floor', upToFloor, 'floor', 'matches, or sections in file order'],
    ['Above the floor', budget - pinnedTokens - upToFloor, 'free', 'matches only'],
  ]
  let x = 0
  const bars = parts.map(([, tokens, css]) => {
    const width = (tokens / budget) * WIDTH
    const bar = `<rect class="${css}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="36"/>`
    x += width
    return bar
  })
  const said = parts.map(([name, tokens]) => `${name.toLowerCase()} ${count(tokens)}`).join(', ')
  const legend = parts
    .map(
      ([name, tokens, css, note]) =>
        `<li><i class="${css}"></i><strong>${name}</strong> ${count(tokens)} tokens, ${percent(tokens / budget)}: ${note}</li>`,
    )
    .join('')
  const label = `Budget of ${count(budget)} tokens: ${said}`
  return `<svg class="budget" role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} 36" preserveAspectRatio="none">${bars.join('')}</svg>
<ul class="legend">${legend}</ul>`
}

/** How many sections have how many tokens. */
export function sizeHistogram({ width, counts, median }: Report['sizes']): string {
  // Room for the larger figures on a phone.
  const [height, left, bottom] = [200, 72, 30]
  const most = Math.max(1, ...counts)
  const step = (WIDTH - left) / Math.max(1, counts.length)
  const x = (bar: number) => left + bar * step
  const y = (sections: number) => height - (sections / most) * (height - 24)
  const bars = counts.map((sections, bar) => {
    const range = `${count(bar * width)} to ${count((bar + 1) * width - 1)} tokens: ${plural(sections, 'section')}`
    const shape = `x="${(x(bar) + 1).toFixed(1)}" y="${y(sections).toFixed(1)}" width="${Math.max(1, step - 2).toFixed(1)}" height="${(height - y(sections)).toFixed(1)}"`
    return `<rect class="bar" ${shape}><title>${range}</title></rect>`
  })
  const every = Math.ceil(counts.length / 5)
  const ticks = counts.flatMap((_, bar) =>
    bar % every === 0
      ? [`<text x="${x(bar).toFixed(1)}" y="${height + 22}" text-anchor="middle">${count(bar * width)}</text>`]
      : [],
  )
  const lines = [most, Math.round(most / 2)].map(
    (sections) =>
      `<line x1="${left}" x2="${WIDTH}" y1="${y(sections).toFixed(1)}" y2="${y(sections).toFixed(1)}"/><text x="${left - 6}" y="${(y(sections) + 4).toFixed(1)}" text-anchor="end">${count(sections)}</text>`,
  )
  const middle = left + (median / width) * step
  const mark = `<line class="median" x1="${middle.toFixed(1)}" x2="${middle.toFixed(1)}" y1="6" y2="${height}"/>`
  const label = `Histogram of section sizes, ${count(width)} tokens a bar, up to ${count(most)} sections in one; the median section has ${count(median)} tokens`
  return `<figure><svg class="histogram" role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${height + bottom}">${lines.join('')}${bars.join('')}${mark}<line class="axis" x1="${left}" x2="${WIDTH}" y1="${height}" y2="${height}"/>${ticks.join('')}</svg>
<figcaption>Sections (up) by their tokens (across), ${count(width)} a bar. Half have at most ${count(median)} tokens (dashed line).</figcaption></figure>`
}
