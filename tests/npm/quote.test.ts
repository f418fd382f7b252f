/** The choice of sentences, with a weighing that counts the question's words and no analyzer. */

import { describe, expect, it } from 'vitest'
import { bestSentences, type Weigh } from '../../www/quote.ts'

/** Share of the question's words that a text holds. */
const asking = (question: string): Weigh => {
  const words: string[] = question.toLowerCase().match(/\w+/g) ?? []
  const held = (text: string) => words.filter((word) => new RegExp(`\\b${word}\\b`, 'i').test(text))
  return (texts) => texts.map((text) => held(text).length / words.length)
}

const quoted = (question: string, passages: (string | { title: string; text: string })[], limit = 4) =>
  bestSentences(
    passages.map((passage) => (typeof passage === 'string' ? { text: passage } : passage)),
    'en',
    limit,
    asking(question),
  ).map(({ text }) => text)

const LONG = 'It is made by hand in the small workshop behind the harbor office, every week of the year.'

describe('which sentences are quoted', () => {
  it('the one that holds more of the question comes first', () => {
    const half = 'The parking behind the workshop is free for everybody who comes by on weekdays.'
    const full = 'The parking for bicycles is in the yard, where everybody can find it without a guide.'
    expect(quoted('parking bicycles', [`${half} ${LONG} ${full}`])[0]).toBe(full)
  })

  it('the answer under a heading that asks the question, though it repeats none of its words', () => {
    const asked = { title: 'Do you film weddings?', text: `No. ${LONG}` }
    const chance = { title: 'Films', text: 'We film the opening of every new shop in this town, and then some more.' }
    expect(quoted('film weddings', [asked, chance])[0]).toBe(`No. ${LONG}`)
  })

  it('none when no passage holds 30 percent of the question', () => {
    expect(
      quoted('slow wifi venue cables', ['The venue is on the other side of the street, behind the church.']),
    ).toEqual([])
    expect(quoted('anything', [])).toEqual([])
    expect(quoted('anything', ['```\nanything\n```'])).toEqual([])
  })

  it('at most two of one passage, none twice, none far behind the best', () => {
    const about = (thing: string) =>
      `The ferry carries ${thing} on every working day from early morning to late evening.`
    const text = [about('cars'), about('dogs'), about('mail'), about('cars')].join(' ')
    expect(quoted('ferry', [text])).toEqual([about('cars'), about('dogs')])
    expect(quoted('ferry', [about('mail'), about('mail')])).toEqual([about('mail')])
    const weak = 'The dogs of the harbor are known by name to all of the captains who come here.'
    expect(quoted('ferry dogs mail morning', [about('dogs and mail in the morning'), weak])).toHaveLength(1)
  })

  it('those of a better place first, of two that say the same', () => {
    const [first, second] = ['one', 'two'].map((n) => `The ferry ${n} leaves from the pier beside the old market hall.`)
    const found = (places: number[]) =>
      bestSentences(
        [first, second].map((text, at) => ({ text: text as string, place: places[at] as number })),
        'en',
        1,
        asking('ferry'),
      )
    expect(found([0, 3])[0]?.text).toBe(first)
    expect(found([3, 0])[0]?.text).toBe(second)
  })

  it('no more than the limit', () => {
    const passages = ['one', 'two', 'three'].map(
      (n) => `The ferry number ${n} leaves from the pier beside the market hall.`,
    )
    expect(quoted('ferry', passages, 2)).toHaveLength(2)
    expect(quoted('ferry', passages, 0)).toEqual([])
  })
})

describe('how they are quoted', () => {
  it('a short sentence with the one after it, or at the end of its paragraph with the one before', () => {
    expect(quoted('deposit', [`The deposit is due. ${LONG}`])).toEqual([`The deposit is due. ${LONG}`])
    expect(quoted('deposit', [`${LONG} The deposit is due.\n\nOther things.`])).toEqual([`${LONG} The deposit is due.`])
  })

  it('a name with its title in one piece', () => {
    const sentence =
      'The council has one clerk, Mr. Abernathy, whose brother J. Wood takes the minutes of the meetings.'
    expect(quoted('clerk', [`${sentence} ${LONG}`])).toEqual([sentence])
  })

  it('an item with the sentence that begins its list, which is said once', () => {
    const list =
      'We found, in this order:\n\n- a firewall that closed after a quarter of an hour\n- a firewall that had no cable\n- a dog'
    expect(quoted('firewall', [list])).toEqual([
      'We found, in this order: a firewall that closed after a quarter of an hour',
      'a firewall that had no cable',
    ])
  })

  it('a sentence that announces a list or code with what it announces', () => {
    expect(quoted('ports', ['These are the ports:\n\n```text\nTCP   443\nUDP 9000\n```\n\nMore.'])).toEqual([
      'These are the ports: `TCP 443`; `UDP 9000`',
    ])
    expect(quoted('ports', ['The ports:\n- first\n- second'])).toEqual(['The ports: first; second'])
  })

  it('a table row with the names of its columns, and never the head or the rule of a table', () => {
    const table = '| Town | Zone | Price |\n|:--|---|--:|\n| Corrin | 3 | $210 |\n| Sundale | 1 | |'
    expect(quoted('corrin', [table])).toEqual(['Town: Corrin; Zone: 3; Price: $210'])
    expect(quoted('sundale', [table])).toEqual(['Town: Sundale; Zone: 1'])
    expect(quoted('town zone price', [table]).join()).not.toMatch(/---|\|/)
  })

  it('rows whose head is in another section as they are', () => {
    expect(quoted('corrin', ['| Corrin | 3 |\n| Sundale | 1 |'])).toEqual(['Corrin; 3'])
  })

  it('a block whole where the browser cannot find sentences', () => {
    const text = 'One about the ferry. Two about the dog.'
    const found = bestSentences([{ text }], 'not a language', 1, asking('ferry'))
    expect(found.map(({ text }) => text)).toEqual([text])
  })
})
