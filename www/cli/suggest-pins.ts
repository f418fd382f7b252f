/** `pinpack suggest-pins`: sentences of the pages that read like rules, prices or facts and that are not pinned. */

import { open } from '../index.ts'
import { buildFolder } from './knowledge.ts'
import { type Reads, reads, sentencesOf, strength } from './suggest/sentences.ts'
import { clean, count, paint, plural, print, printJson } from './terminal.ts'

interface Options {
  dir?: string
  config?: string
  kind?: Reads[]
  limit?: number
  json?: boolean
}

/** A sentence that might be pinned. */
interface Suggestion {
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

export async function suggestPins(folder = '.', options: Options): Promise<undefined> {
  const { knowledge, blob, report } = await buildFolder(folder, options.config)
  const base = await open(blob)
  const pinned = new Set(knowledge.pinned)
  const said = pinnedWords(knowledge.sections.filter(({ id }) => pinned.has(id)).map(({ text }) => text))
  const wanted = new Set<Reads>(
    options.kind && options.kind.length > 0 ? options.kind : (Object.keys(KINDS) as Reads[]),
  )
  const suggestions = knowledge.sections
    .filter(({ id }) => !pinned.has(id))
    .flatMap(({ text, ref, tokens }) =>
      sentencesOf(text, knowledge.language).flatMap((sentence): Suggestion[] => {
        const kind = reads(sentence, knowledge.language)
        return kind && wanted.has(kind) && !said.has(normal(sentence))
          ? [{ kind, sentence, ref, sectionTokens: tokens }]
          : []
      }),
    )
  base.close()
  const share = { pinnedTokens: report.pinnedTokens, budget: report.budget }
  if (options.json) printJson({ ...share, suggestions })
  else print(...lines(suggestions, options.limit ?? SHOWN, share))
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
  const groups = (Object.keys(KINDS) as Reads[]).flatMap((kind) => {
    const same = suggestions.filter((one) => one.kind === kind)
    if (kind === 'rule') same.sort((a, b) => strength(b.sentence) - strength(a.sentence))
    return same.length > 0 ? [...groupLines(KINDS[kind], same, limit), ''] : []
  })
  return [
    ...groups,
    `Pin what the assistant must never get wrong: copy the sentence into a file of \`rules/\`, or write {.pinned} behind the heading of its section.`,
    `Pinned now: ${count(pinnedTokens)} of ${count(budget)} tokens; a third is a good target, above a half is a warning.`,
  ]
}

function groupLines(title: string, same: Suggestion[], limit: number): string[] {
  const more = same.length - limit
  return [
    paint.bold(`${title}: ${plural(same.length, 'sentence')}`),
    ...same
      .slice(0, limit)
      .flatMap(({ sentence, ref, sectionTokens }) => [
        `  ${clean(short(sentence))}`,
        paint.dim(`    ${clean(ref)}, ${plural(sectionTokens, 'token')}`),
      ]),
    ...(more > 0 ? [paint.dim(`  and ${count(more)} more: --limit ${same.length}, or --json`)] : []),
  ]
}

const short = (sentence: string) => (sentence.length > 160 ? `${[...sentence].slice(0, 159).join('')}…` : sentence)
