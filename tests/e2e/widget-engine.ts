/** A search engine for the widget's tests: eight sections, a count of shared words for a score. Runs in the page. */

import type { Explanation, Message, Pack, PackedSection, Stats, Why } from '../../www/types.ts'
import type { Engine, OpenKnowledge } from '../../www/widget/retrieval.ts'

const HASH = '0123456789abcdef0123456789abcdef'
const BUDGET = 1000
const FLOOR = 700

type Text = [title: string, url: string, tokens: number, pinned: boolean, text: string]
const TEXTS: Text[] = [
  ['Never promise a refund', '', 30, true, 'Never promise a refund. Billing decides.'],
  ['Prices', '/prices', 120, true, 'The basic plan costs 12 EUR a month.'],
  ['Contact', 'https://help.example/contact', 90, false, 'Write to help@shop.example.'],
  ['Opening hours', '/hours', 60, false, 'We are open from nine to five.'],
  [
    'Refund policy',
    '/refunds#policy',
    220,
    false,
    'You can ask for a refund within 30 days. Send us the order number.',
  ],
  ['Shipping', '/shipping', 180, false, 'We ship within two days.'],
  ['Repairs', '/repairs', 240, false, 'Repairs take a week. A refund of a repair is not possible.'],
  ['Warranty and its many long conditions', '/warranty', 760, false, 'The warranty lasts two years. No refund.'],
]

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]{3,}/g) ?? []

function explain(messages: Message[]): Explanation {
  const query = wordsOf(messages.findLast(({ role }) => role === 'user')?.content ?? '')
  const all = TEXTS.map(([title, url, tokens, pinned, text], id) => {
    const words = wordsOf(`${title} ${text}`)
    const terms = [...new Set(query)].filter((word) => words.includes(word))
    const parts = terms.map((term) => ({ term, tf: 1, score: 1.3, title: 0 }))
    const section = {
      id,
      ref: `${id}.md`,
      title,
      path: [title],
      url,
      tokens,
      score: pinned ? 0 : terms.length * 1.3,
      terms,
      parts,
    }
    return { pinned, section: pinned && !state.publishes ? section : { ...section, text } }
  })
  const sections: Explanation['sections'] = []
  const add = (why: Why) => (item: (typeof all)[number]) => sections.push({ ...item.section, why })
  const tokens = () => sections.reduce((sum, section) => sum + section.tokens, 0)
  all.filter(({ pinned }) => pinned).forEach(add('pinned'))
  const others = all.filter(({ pinned }) => !pinned).sort((a, b) => b.section.score - a.section.score)
  const leftOut: Explanation['leftOut'] = []
  for (const item of others) {
    const { text, ...section } = item.section as PackedSection & (typeof item)['section']
    if (tokens() + section.tokens > BUDGET) leftOut.push({ ...section, reason: 'too-large' })
    else if (section.score > 0) add('scored')(item)
    else if (tokens() < FLOOR) add('floor')(item)
    else leftOut.push({ ...section, reason: 'no-match' })
  }
  const covered = sections.some(({ why }) => why === 'scored')
  const terms = query.map((term) => ({
    term,
    word: term,
    weight: 1,
    idf: 1.2,
    df: covered ? 2 : 0,
    message: 0,
    origin: 'asked' as const,
  }))
  const coverage = {
    value: covered ? 0.82 : 0,
    level: covered ? 'covered' : 'none',
    missing: covered ? [] : query,
  } as const
  return {
    ids: sections.map(({ id }) => id),
    sections,
    tokens: tokens(),
    budget: BUDGET,
    floor: FLOOR,
    coverage,
    leftOut,
    hash: HASH,
    terms,
  } as Explanation
}

const knowledge: OpenKnowledge = {
  pack: (messages) => explain(messages) as Pack,
  explain,
  stats: { hash: HASH, language: 'en', site: 'Shop' } as Stats,
  close() {},
}

/** `publishes`: the pinned texts are public. */
const state = { opened: 0, publishes: false, fails: undefined as { code: string; message: string } | undefined }

const engine: Engine = {
  open: async () => {
    state.opened += 1
    if (state.fails) throw Object.assign(new Error(state.fails.message), state.fails)
    return knowledge
  },
  quote: async (messages, passages) => {
    const query = wordsOf(messages.at(-1)?.content ?? '')
    const score = (text: string) => wordsOf(text).filter((word) => query.includes(word)).length
    const quotes = passages.map(({ text }, passage) => ({
      passage,
      text: `${text.split('.')[0]}.`,
      score: score(text),
    }))
    return quotes.filter((quote) => quote.score > 0)
  },
}

Object.assign(window, { standIn: state })
if (!document.querySelector('pinpack-chat')) document.body.append(document.createElement('pinpack-chat'))
for (const chat of document.querySelectorAll('pinpack-chat')) Object.assign(chat, { engine: async () => engine })
