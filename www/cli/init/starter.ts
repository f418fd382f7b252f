/** The first rule and the first questions of a site: true of any site, and made to be replaced. */

import type { Knowledge, KnowledgeSection } from '../../types.ts'

/** Questions made from headings. */
const QUESTIONS = 6

/** A rule that no site regrets; its heading is `RULE_ANCHOR`. `contact` is where visitors are sent, or `''`. */
export function ruleText(contact: string): string {
  const way = contact ? `, and send the visitor to ${contact}` : ''
  return `# What not to promise

Never promise a refund, a discount, a date or a price that no page of this site states. Say that a person has to decide it${way}.
`
}

/** A file of questions about headings of the site itself, which are found; the owner's own are better. */
export function questionsText(knowledge: Knowledge, rule: string | undefined): string {
  const entries = chosen(knowledge).map(
    ({ ref, path }) => `- question: ${JSON.stringify(asked(path))}\n  expect: [${JSON.stringify(ref)}]\n`,
  )
  return `# Questions for \`npx pinpack check\` and \`npx pinpack eval questions.yaml\`.
# The first ones are headings of your pages. Replace them by what visitors really type, in their words: only those tell you anything.
# \`expect\` names the sections that answer (\`npx pinpack explain "…"\` shows the names), \`history\` holds earlier messages,
# \`pinned\` the rules that have to go along: \`check\` fails when one of them is not pinned.

${entries.join('')}
# Nothing on the site answers this; the assistant should say so.
- question: "what's the weather like today?"
  unanswerable: true
${rule ? ruled(rule) : ''}`
}

const ruled = (ref: string) => `
- question: "can you promise me that?"
  pinned: [${JSON.stringify(ref)}]
`

/** Of the heading in `ruleText`. */
export const RULE_ANCHOR = 'what-not-to-promise'

const asked = (path: string[]) => path.slice(-2).reverse().join(', ')

/** Sections of two words or more in their heading, spread over the site, one a page. */
function chosen({ sections, pinned }: Knowledge): KnowledgeSection[] {
  const pins = new Set(pinned)
  const titled = sections.filter(
    ({ id, title, ref }) => !pins.has(id) && /\p{L}\s+\p{L}/u.test(title) && !/~\d+$/.test(ref),
  )
  const pages = [...new Map(titled.map((section) => [section.ref.replace(/#.*/, ''), section])).values()]
  const candidates = pages.length > 0 ? pages : sections.filter(({ id, title }) => !pins.has(id) && title)
  const step = Math.max(1, candidates.length / QUESTIONS)
  const places = Array.from({ length: Math.min(QUESTIONS, candidates.length) }, (_, i) => Math.floor(i * step))
  return places.map((place) => candidates[place] as KnowledgeSection)
}
