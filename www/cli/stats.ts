/** `pinpack stats`: what the knowledge base is made of. */

import { openKnowledge, type SourceOptions } from './knowledge.ts'
import { clean, count, paint, percent, print, printJson, size } from './terminal.ts'

export async function stats(options: SourceOptions & { json?: boolean }): Promise<undefined> {
  const { stats } = await openKnowledge(options)
  if (options.json) return printJson(stats) as undefined
  const held = Math.min(1, stats.budget / stats.tokens)
  const rows: [string, string][] = [
    ['site', clean(stats.site)],
    ['sections', `${count(stats.sections)}, ${count(stats.pinned)} pinned`],
    ['tokens', `${count(stats.tokens)} written, ${count(stats.pinnedTokens)} pinned (${stats.encoding})`],
    ['budget', `${count(stats.budget)} tokens, floor ${count(stats.floor)}`],
    ['request', `holds ${percent(held)} of what is written`],
    ['pinned', `${percent(stats.pinnedTokens / stats.budget)} of the budget`],
    ['terms', `${count(stats.terms)}, language ${stats.language}`],
    ['blob', `${size(stats.bytes)}, format ${stats.format}, analyzer ${stats.analyzer}, hash ${stats.hash}`],
  ]
  print(...rows.map(([name, text]) => `${paint.bold(name.padEnd(9))} ${text}`))
}
