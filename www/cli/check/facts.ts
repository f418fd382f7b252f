/** Amounts in texts, each with what it is said of; and pairs that say two amounts of one thing. Pure. */

import { linesOutsideCode } from '../suggest/segments.ts'
import { withoutLinks } from '../suggest/sentences.ts'

/** What an amount is of; only those of one kind are compared. */
export type Kind = 'money' | 'percent' | 'time'

/** An amount with the words around it. */
export interface Fact {
  kind: Kind
  /** As it is written. */
  amount: string
  /** Equal for equal amounts, however they are written. */
  value: string
  /** The clause without its amounts. */
  clause: string
  /** Where the clause begins with its amount: what the clause before says in front of its own. */
  subject: string
}

const NUMBER = String.raw`\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`
const SIGN = String.raw`US\$|CA\$|A\$|[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|INR|kr)\b`
const UNIT = String.raw`(?:(?:working|business|calendar)[ -])?(?:minutes?|hours?|days?|weeks?|months?|years?|Minuten?|Stunden?|Tagen?|Wochen?|Monaten?|Jahren?|heures?|jours?|semaines?|mois|ans?|horas?|d[ií]as?|semanas?|meses|años?)\b|分間?|時間|日間?|週間|か?月間?|年間?|天|小时|周|个月`
const AMOUNTS: [Kind, RegExp][] = [
  [
    'money',
    new RegExp(
      String.raw`(?:(${SIGN})\s?(${NUMBER}))(?![\d])|(?<![\d.,])(${NUMBER})\s?(${SIGN}|円|元|원|euros?\b|dollars?\b)`,
      'giu',
    ),
  ],
  [
    'percent',
    new RegExp(
      String.raw`(?<![\d.,])(${NUMBER})\s?(?:%|percent\b|per cent\b|Prozent\b|pour cent\b|por ciento\b|％)`,
      'giu',
    ),
  ],
  ['time', new RegExp(String.raw`(?<![\d.,$€£])(${NUMBER})[ -]?(${UNIT})`, 'giu')],
]

/** A limit, not the amount itself: "from $900" and "$1,200" are no contradiction. */
const OPEN =
  /\b(from|starts?( at)?|starting|at least|up to|over|under|more than|less than|about|around|ab|mindestens|bis zu|à partir de|desde|hasta)\s*$|\b(or more|or less|and up)\b/iu

/** A word that can name a thing. */
const NAMES = /\p{L}{3}|\p{Script=Han}/u

/**
 * The facts of a text, without its code. Sentences and rows are read one by one; a clause that begins with its amount is about what
 * the one before is. An amount that nothing is said of is none.
 */
export function factsOf(text: string): Fact[] {
  return linesOutsideCode(text).flatMap((line) =>
    withoutLinks(line)
      .replace(/`[^`\n]*`/g, ' ')
      .replace(/[*_`#>]/g, '')
      .split(/(?<=[.!?。])\s+/u)
      .flatMap(lineFacts),
  )
}

function lineFacts(line: string): Fact[] {
  const found: Fact[] = []
  let subject = ''
  for (const clause of clauses(line)) {
    const fact = clauseFact(clause, subject)
    if (fact) found.push(fact)
    const lead = leadOf(clause)
    if (NAMES.test(lead)) subject = lead
  }
  return found
}

/** What stands before the first amount of a clause. */
function leadOf(clause: string): string {
  const [first] = amountsIn(clause)
  return first ? clause.slice(0, clause.indexOf(first.text)) : ''
}

function clauseFact(clause: string, before: string): Fact | undefined {
  const amounts = amountsIn(clause)
  const [first] = amounts
  // One amount a clause: of two it is not clear which is said of what.
  if (!first || amounts.filter(({ kind }) => kind === first.kind).length > 1) return undefined
  const lead = leadOf(clause)
  const said = amounts.reduce((rest, { text }) => rest.replace(text, ' '), clause)
  const subject = NAMES.test(lead) ? '' : before
  const isSaid = NAMES.test(said) || NAMES.test(subject)
  if (!isSaid || OPEN.test(lead) || OPEN.test(said)) return undefined
  return { kind: first.kind, amount: first.text.trim(), value: first.value, clause: said, subject }
}

/** At commas outside numbers, semicolons, and `and` before an amount; a table row is one. */
const clauses = (line: string) =>
  line.includes('|')
    ? [line.replaceAll('|', ' ')]
    : line.split(/[;；、]|,(?!\d)|\b(?:and|und|et|y|e|or)\b(?=\s*[$€£]?\d)/u)

function amountsIn(clause: string): { kind: Kind; text: string; value: string }[] {
  return AMOUNTS.flatMap(([kind, pattern]) =>
    [...clause.matchAll(pattern)].map((match) => ({
      kind,
      text: match[0],
      value: amountOf(kind, match[0]),
      at: match.index,
    })),
  ).sort((a, b) => a.at - b.at || a.text.length - b.text.length)
}

function amountOf(kind: Kind, text: string): string {
  const [digits = ''] = /\d[\d.,' \u00a0\u202f]*/.exec(text) ?? []
  const unit = kind === 'time' ? text.replace(digits, '').trim().toLowerCase().replace(/s$/, '') : ''
  return `${numberOf(digits.trim())}${unit}`
}

/** `1,450`, `1.450`, `1 450` and `1450.00` are one number: a last mark with one or two digits behind it is the decimal one. */
function numberOf(digits: string): number {
  const [, whole = '', cents = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits) ?? []
  return Number(`${whole.replace(/\D/g, '')}.${cents || 0}`)
}

/** Words whose presence says nothing about which thing it is. */
const EMPTY = new Set(
  'price prices cost costs fee fees rate charge charges pay paid total amount per each is are the a an of for at in on with and we you our your it this that be will'.split(
    ' ',
  ),
)

/** The words by which the thing is told: those of the clause, or with the subject or the title where it says too little. */
export function wordsOf({ clause, subject }: Fact, title: string): Set<string> {
  const own = words(clause)
  for (const word of words(subject)) own.add(word)
  if (own.size < 2) for (const word of words(title)) own.add(word)
  return own
}

/** Plain words, folded and without the commonest endings, so that "hours" is "hour". */
function words(text: string): Set<string> {
  const all =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}'’-]*|\d+/gu) ?? []
  return new Set(all.filter((word) => !EMPTY.has(word)).map((word) => word.replace(/(?<=\p{L}{3})(ing|ed|es|s)$/u, '')))
}

/** A fact with the words by which its thing is told. */
export interface Told {
  fact: Fact
  words: Set<string>
}

/** Likeness from which on two clauses are about one thing, when they share two words or more. */
const SAME = 0.75

/** How much two facts are about one thing, 0 to 1: the Jaccard index of their words; 0 below 0.75, and for different kinds. */
export function likeness(a: Told, b: Told): number {
  if (a.fact.kind !== b.fact.kind) return 0
  const shared = [...a.words].filter((word) => b.words.has(word)).length
  const likeness = shared / (a.words.size + b.words.size - shared)
  return shared >= 2 && likeness >= SAME ? likeness : 0
}

/** Whether two facts give different amounts of one thing. */
export const contradict = (a: Told, b: Told) => a.fact.value !== b.fact.value && likeness(a, b) > 0
