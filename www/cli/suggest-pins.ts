/** `pinpack suggest-pins`: sentences of the pages that read like rules, prices or facts and that are not pinned. */

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuildResult } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { buildFolder } from './knowledge.ts'
import { type Reads, reads, sentencesOf, strength } from './suggest/sentences.ts'
import { clean, count, paint, plural, print, printJson, writeText } from './terminal.ts'

interface Options {
  dir?: string
  config?: string
  kind?: Reads[]
  limit?: number
  choose?: string
  to?: string
  json?: boolean
}

/** A sentence that might be pinned. */
interface Suggestion {
  /** Counted from 1, in the order printed: what `--choose` takes. */
  number: number
  kind: Reads
  sentence: string
  ref: string
  /** Tokens of its section: what pinning all of it would cost in every request. */
  sectionTokens: number
}

/** Sentences of one kind that are shown. */
const SHOWN = 12
const KINDS: Record<Reads, string> = {
  rule: 'rules',
  price: 'prices',
  contact: 'contacts',
  date: 'dates and deadlines',
}
const KIND_NAMES = Object.keys(KINDS) as Reads[]

export async function suggestPins(folder = '.', options: Options): Promise<undefined> {
  if (options.to && options.choose === undefined)
    throw new PinpackError('usage', '--to needs --choose: which suggestions?')
  const built = await buildFolder(folder, options.config)
  const suggestions = suggestionsOf(built, options.kind)
  const { pinnedTokens, budget } = built.report
  const file = options.to ?? join(folder, rulesFolder(built), 'accepted.md')
  const chosen = options.choose === undefined ? [] : numbersOf(options.choose, suggestions)
  if (chosen.length > 0) await accept(file, chosen)
  if (options.json)
    printJson({
      pinnedTokens,
      budget,
      suggestions,
      ...(chosen.length > 0 && { written: file, chosen: chosen.map(({ number }) => number) }),
    })
  else if (chosen.length > 0)
    print(
      `wrote ${plural(chosen.length, 'sentence')} into ${clean(file)}`,
      ...chosen.map(({ sentence }) => `  ${clean(short(sentence))}`),
    )
  else print(...lines(suggestions, options.limit ?? SHOWN, { pinnedTokens, budget }))
}

/** Where the rules lie: beside a pinned section without an address, such as `_rules` in a Jekyll site. */
function rulesFolder({ knowledge: { pinned, sections } }: BuildResult): string {
  const rule = pinned.map((id) => sections[id]).find((section) => section?.url === '')
  return rule ? dirname(rule.ref.replace(/#.*/, '')) : 'rules'
}

function suggestionsOf({ knowledge }: BuildResult, kinds: Reads[] = []): Suggestion[] {
  const { sections, language } = knowledge
  const pinned = new Set(knowledge.pinned)
  const said = pinnedWords(sections.filter(({ id }) => pinned.has(id)).map(({ text }) => text))
  const wanted = new Set<Reads>(kinds.length > 0 ? kinds : KIND_NAMES)
  const found = sections
    .filter(({ id }) => !pinned.has(id))
    .flatMap(({ text, ref, tokens }) =>
      sentencesOf(text, language).flatMap((sentence) => {
        const kind = reads(sentence, language)
        return kind && wanted.has(kind) && !said.has(normal(sentence))
          ? [{ kind, sentence, ref, sectionTokens: tokens }]
          : []
      }),
    )
  const order = (one: { kind: Reads; sentence: string }) => (one.kind === 'rule' ? -strength(one.sentence) : 0)
  return KIND_NAMES.flatMap((kind) => found.filter((one) => one.kind === kind).sort((a, b) => order(a) - order(b))).map(
    (one, i) => ({ number: i + 1, ...one }),
  )
}

/** `1,4-6` → those suggestions, in their order. */
function numbersOf(text: string, suggestions: Suggestion[]): Suggestion[] {
  const numbers = new Set<number>()
  for (const part of text.split(',')) {
    const [, from = '', to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? []
    const [first, last] = [Number(from), Number(to)]
    if (from === '' || first < 1 || last < first || last > suggestions.length)
      throw new PinpackError(
        'usage',
        `--choose ${clean(text)}: wanted numbers from 1 to ${suggestions.length}, such as 1,4-6`,
      )
    for (let number = first; number <= last; number++) numbers.add(number)
  }
  return suggestions.filter(({ number }) => numbers.has(number))
}

/** Adds sentences to a file of rules as a list, and begins it when there is none. */
async function accept(file: string, chosen: Suggestion[]): Promise<void> {
  const before = (await readFile(file, 'utf8').catch(() => '# Rules and facts')).trimEnd()
  const items = chosen.map(({ sentence }) => `- ${sentence.replace(/\s+/g, ' ')}\n`)
  const isInList = /\n- [^\n]*$/.test(before)
  await writeText(file, `${before}\n${isInList ? '' : '\n'}${items.join('')}`)
}

/** Sentences that are pinned already, wherever else they stand. */
const pinnedWords = (texts: string[]) => new Set(texts.flatMap((text) => sentencesOf(text, 'en').map(normal)))

const normal = (sentence: string) => sentence.toLowerCase().replace(/\s+/g, ' ')

function lines(
  suggestions: Suggestion[],
  limit: number,
  { pinnedTokens, budget }: { pinnedTokens: number; budget: number },
): string[] {
  if (suggestions.length === 0) return ['nothing that reads like a rule, a price or a fact is left unpinned']
  const groups = KIND_NAMES.flatMap((kind) => {
    const same = suggestions.filter((one) => one.kind === kind)
    return same.length > 0 ? [...groupLines(KINDS[kind], same, limit), ''] : []
  })
  return [
    ...groups,
    'Pin what the assistant must never get wrong: --choose 1,4-6 copies these sentences into rules/accepted.md; or write {.pinned}',
    'behind the heading of a section.',
    `Pinned now: ${count(pinnedTokens)} of ${count(budget)} tokens; a third is a good target, above a half is a warning.`,
  ]
}

function groupLines(title: string, same: Suggestion[], limit: number): string[] {
  const more = same.length - limit
  return [
    paint.bold(`${title}: ${plural(same.length, 'sentence')}`),
    ...same
      .slice(0, limit)
      .flatMap(({ number, sentence, ref, sectionTokens }) => [
        `${String(number).padStart(4)}  ${clean(short(sentence))}`,
        paint.dim(`      ${clean(ref)}, ${plural(sectionTokens, 'token')}`),
      ]),
    ...(more > 0 ? [paint.dim(`  and ${count(more)} more: --limit ${same.length}, or --json`)] : []),
  ]
}

const short = (sentence: string) => (sentence.length > 160 ? `${[...sentence].slice(0, 159).join('')}…` : sentence)
