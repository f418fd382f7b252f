/** Sentences that read like rules, prices or verified facts. Pure. */

import { linesOutsideCode, segmenter } from './segments.ts'

/** Why a sentence should perhaps be pinned. */
export type Reads = 'rule' | 'price' | 'contact' | 'date'

/** Words of prohibition and obligation, by language. They count anywhere in a sentence of the language. */
const RULES: Record<string, RegExp> = {
  en: /\b(never|always|must( not)?|mustn't|do not|don't|may not|cannot be|can't be|only (?:by|with|if|after|in|the)|not allowed|(?:is|are) (?:not permitted|prohibited|forbidden|required|final|non-refundable|not refundable)|under no circumstances|without exception)\b/iu,
  de: /\b(niemals|nie|immer|muss|müssen|darf nicht|dürfen nicht|nur (?:mit|nach|wenn|durch)|verboten|nicht erlaubt|ausnahmslos|verpflichtend)\b/iu,
  fr: /\b(jamais|toujours|doit|doivent|ne (?:doit|doivent|peut|peuvent) pas|uniquement|interdite?s?|obligatoires?|sans exception)\b/iu,
  es: /\b(nunca|siempre|debe|deben|no se (?:puede|permite)|solo (?:con|si|después)|prohibid[oa]s?|obligatori[oa]s?|sin excepción)\b/iu,
  it: /\b(mai|sempre|deve|devono|non (?:è|sono) (?:consentit|permess)\w+|solo (?:con|se|dopo)|vietat\w+|obbligatori\w+)\b/iu,
  pt: /\b(nunca|sempre|deve|devem|não é permitid\w+|apenas (?:com|se|após)|proibid\w+|obrigatóri\w+)\b/iu,
  nl: /\b(nooit|altijd|moet|moeten|mag niet|mogen niet|alleen (?:met|na|als)|verboden|verplicht)\b/iu,
  ja: /(決して|必ず|禁止|してはいけません|しないでください|してはならない|しなければなりません)/u,
  zh: /(绝不|禁止|必须|不得|不允许|严禁|務必|务必)/u,
  ru: /(?<!\p{L})(никогда|всегда|должн\p{L}+|нельзя|запрещ\p{L}+|только (?:с|после|если)|обязательно)(?!\p{L})/iu,
}

const PRICE =
  /(?:(?:US\$|[$€£¥₹₽])\s?\d)|\d\s?(?:[€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|kr|euros?|dollars?)\b|円|元|원)/iu
const CONTACT = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}|(?<![\w.])\+[1-9][\d ()/-]{7,}\d/u
const DATE =
  /\b(?:(?:19|20)\d\d-\d\d-\d\d|\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d\d|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}(?:st|nd|rd|th)?\b(?:,? (?:19|20)\d\d)?|(?:within|binnen|innerhalb von|sous|en) \d+ (?:\w+ )?(?:days?|hours?|weeks?|Tagen|Stunden|jours|días))\b/iu

/** What a sentence reads like; nothing when it is plain prose. A rule that names a price is a rule. */
export function reads(sentence: string, language: string): Reads | undefined {
  const [primary = ''] = language.toLowerCase().split('-')
  if ((RULES[primary] ?? RULES.en)?.test(sentence)) return 'rule'
  if (PRICE.test(sentence)) return 'price'
  if (CONTACT.test(sentence)) return 'contact'
  return DATE.test(sentence) ? 'date' : undefined
}

/** Words that bind, more than they describe; and those that speak of who is bound. English, as far as it goes. */
const BINDING =
  /\b(never|must|may not|not allowed|prohibited|forbidden|required|final|(?:non|not )-?refundable|only after|cannot be|without exception)\b/iu
const PARTIES = /\b(we|you|your|our|visitors?|customers?|clients?|guests?|members?|users?)\b/iu
const IMPERATIVE = /^(never|always|do not|don't|only)\b/iu

/** How surely a sentence binds somebody, 0 to 5; only for putting the surest first. */
export function strength(sentence: string): number {
  const says = (pattern: RegExp, worth: number) => (pattern.test(sentence) ? worth : 0)
  return says(BINDING, 2) + says(IMPERATIVE, 1) + says(PARTIES, 1) + says(/\d/, 1)
}

/** The sentences of a section's text: prose and list items, without code. A row of a table counts as one. */
export function sentencesOf(text: string, language: string): string[] {
  const segments = segmenter(language, 'sentence')
  return blocksOf(text).flatMap((block) => {
    if (block.startsWith('|')) return [block]
    const sentences = [...segments.segment(block)].map(({ segment }) => segment.trim())
    return sentences.filter((sentence) => /\p{L}/u.test(sentence))
  })
}

/** Paragraphs, items and rows, each on one line and without targets of links. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let open = false
  for (const raw of linesOutsideCode(text)) {
    const line = withoutLinks(raw)
    const plain = line.replace(/^\s*(?:[-*+>]|\d+[.)]|#{1,6})\s+/, '').trim()
    if (/^\|?[\s|:-]*$/.test(plain)) open = false
    else if (open && plain === line.trim() && !plain.startsWith('|')) blocks.push(`${blocks.pop()} ${plain}`)
    else open = blocks.push(plain) > 0 && !plain.startsWith('|')
  }
  return blocks
}

/** Links as their texts; what is longer than any label stays as it is. */
export const withoutLinks = (line: string) => line.replace(/!?\[([^[\]\n]{0,300})\]\([^()\n]{0,2000}\)/g, '$1')
