/** `pinpack suggest-pins` and `suggest-synonyms`. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reads, sentencesOf, strength } from '../../www/cli/suggest/sentences.ts'
import { type Proposal, proposalText, propose } from '../../www/cli/suggest/synonyms.ts'
import { CONFIG, DIST, folderOf, node } from './fixture.ts'

const pinpack = (args: string[], cwd: string) => node([join(DIST, 'cli.js'), ...args], { cwd })

describe('a sentence reads like', () => {
  it.each([
    ['rule', 'en', 'Never promise a refund.'],
    ['rule', 'en', 'Bookings must be made in writing.'],
    ['rule', 'en', 'Dogs are not allowed in the studio.'],
    ['rule', 'en', "Don't send passwords by mail."],
    ['rule', 'de', 'Hunde dürfen nicht ins Studio.'],
    ['rule', 'fr', 'Les chiens sont interdits.'],
    ['rule', 'es', 'Nunca prometa un reembolso.'],
    ['rule', 'ja', '犬の入室は禁止です。'],
    ['rule', 'zh', '禁止带狗进入。'],
    ['rule', 'ru', 'Собак приводить нельзя.'],
    ['price', 'en', 'An hour of editing is $95.'],
    ['price', 'de', 'Eine Stunde kostet 1.450 €.'],
    ['price', 'ja', '一時間は1,500円です。'],
    ['contact', 'en', 'Write to desk@ferry.example.'],
    ['contact', 'en', 'Call +1 555 555 0142 at night.'],
    ['date', 'en', 'Answers come within 2 working days.'],
    ['date', 'en', 'The offer ends on March 3, 2026.'],
    [undefined, 'en', 'The harbor is quiet in the evening.'],
    [undefined, 'en', 'The stamp reads +0000 2015 in the log.'],
    [undefined, 'en', 'We planned for October and it rained.'],
  ] as const)('%s (%s): %s', (kind, language, sentence) => expect(reads(sentence, language)).toBe(kind))

  it('puts what binds somebody before what describes', () => {
    const binding = 'You must never fly over a crowd.'
    const describing = 'The lamps do not hum.'
    expect(strength(binding)).toBeGreaterThan(strength(describing))
  })

  it('is found whole, over line breaks and in items, and not in code', () => {
    const text =
      'First one ends\nhere. Never\npromise [a boat](/boat/?x=1).\n\n- An item of $5.\n- Another.\n\n| Boat | $9 |\n| --- | --- |\n| Oar | $2 |\n\n```\nmust not be read\n```\n'
    expect(sentencesOf(text, 'en')).toEqual([
      'First one ends here.',
      'Never promise a boat.',
      'An item of $5.',
      'Another.',
      '| Boat | $9 |',
      '| Oar | $2 |',
    ])
  })
})

describe('suggest-pins', () => {
  const SITE = {
    'pinpack.toml': CONFIG,
    'content/boats.md':
      '# Boats\n\nThe boats are old. You must never board alone.\n\n## Prices {.pinned}\n\nA boat is $40 an hour.\n',
    'content/hours.md': '# Hours\n\nA tour is $12. Never promise a refund.\n',
    'rules/refunds.md': '# Refunds\n\nNever promise a refund.\n',
  }

  it('lists what is not pinned, by kind, with its section', async () => {
    const { code, stdout, stderr } = await pinpack(['suggest-pins', '--json'], await folderOf(SITE))
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const { suggestions, pinnedTokens, budget } = JSON.parse(stdout)
    // The price of a boat is pinned, and so is the sentence on refunds, elsewhere.
    expect(suggestions.map(({ kind, sentence, ref }: Record<string, string>) => [kind, sentence, ref])).toEqual([
      ['rule', 'You must never board alone.', 'content/boats.md#boats'],
      ['price', 'A tour is $12.', 'content/hours.md#hours'],
    ])
    expect(pinnedTokens).toBeGreaterThan(0)
    expect(budget).toBe(3700)
  })

  it('prints them, some kinds alone, or that there are none', async () => {
    const dir = await folderOf(SITE)
    expect((await pinpack(['suggest-pins'], dir)).stdout).toMatch(
      /^rules: 1 sentence\n {3}1 {2}You must never board alone\./m,
    )
    const prices = await pinpack(['suggest-pins', '--kind', 'price'], dir)
    expect(prices.stdout).toContain('A tour is $12.')
    expect(prices.stdout).not.toContain('board alone')
    expect((await pinpack(['suggest-pins', '--kind', 'date'], dir)).stdout).toContain('left unpinned')
    expect((await pinpack(['suggest-pins', '--kind', 'songs'], dir)).code).toBe(2)
  })
})

describe('suggest-pins --choose', () => {
  const SITE = {
    'pinpack.toml': CONFIG,
    'content/a.md': '# A\n\nA tour is $12.\n\nYou must never board alone.\n\nDogs are not allowed on deck.\n',
  }
  const suggestions = async (dir: string) =>
    JSON.parse((await pinpack(['suggest-pins', '--json'], dir)).stdout).suggestions

  it('copies sentences into a file of rules, where they are pinned from then on', async () => {
    const dir = await folderOf(SITE)
    const before = await suggestions(dir)
    expect(before.map(({ number, sentence }: { number: number; sentence: string }) => [number, sentence])).toEqual([
      // What binds somebody comes first.
      [1, 'You must never board alone.'],
      [2, 'Dogs are not allowed on deck.'],
      [3, 'A tour is $12.'],
    ])
    const { code, stdout } = await pinpack(['suggest-pins', '--choose', '1,3'], dir)
    expect(code).toBe(0)
    expect(stdout).toContain('rules/accepted.md')
    const file = join(dir, 'rules/accepted.md')
    expect(await readFile(file, 'utf8')).toBe('# Rules and facts\n\n- You must never board alone.\n- A tour is $12.\n')
    expect((await suggestions(dir)).map(({ sentence }: { sentence: string }) => sentence)).toEqual([
      'Dogs are not allowed on deck.',
    ])
    await pinpack(['suggest-pins', '--choose', '1'], dir)
    expect(await readFile(file, 'utf8')).toMatch(/\$12\.\n- Dogs are not allowed on deck\.\n$/)
    const { pinnedSections } = JSON.parse((await pinpack(['build', '--json'], dir)).stdout)
    expect(pinnedSections).toBe(1)
  })

  it('puts them beside the rules that there are', async () => {
    const config = '[sources]\ninclude = ["content/**/*.md"]\n[pinned]\ninclude = ["_rules/**/*.md"]\n'
    const dir = await folderOf({ ...SITE, 'pinpack.toml': config, '_rules/mine.md': '# Mine\n\nNever lie.\n' })
    expect((await pinpack(['suggest-pins', '--choose', '1'], dir)).stdout).toContain(join('_rules', 'accepted.md'))
    expect(JSON.parse((await pinpack(['build', '--json'], dir)).stdout).pinnedSections).toBe(2)
  })

  it('adds a list to a file that is there', async () => {
    const dir = await folderOf({ ...SITE, 'rules/mine.md': '# Mine\n\nNever lie.\n' })
    await pinpack(['suggest-pins', '--choose', '1', '--to', 'rules/mine.md'], dir)
    expect(await readFile(join(dir, 'rules/mine.md'), 'utf8')).toBe(
      '# Mine\n\nNever lie.\n\n- You must never board alone.\n',
    )
  })

  it.each([['0'], ['4'], ['2-1'], ['x'], ['1,,2'], ['']])('refuses the numbers "%s"', async (numbers) => {
    const dir = await folderOf(SITE)
    const { code, stderr } = await pinpack(['suggest-pins', `--choose=${numbers}`], dir)
    expect(code).toBe(2)
    expect(stderr).toMatch(/error\[usage\]/)
    expect(await readdir(dir)).not.toContain('rules')
  })
})

describe('synonyms are proposed', () => {
  const words = [
    { word: 'internet', sections: new Map([[0, 5]]) },
    {
      word: 'venue',
      sections: new Map([
        [0, 5],
        [1, 1],
        [2, 1],
      ]),
    },
    { word: 'enough', sections: new Map([[0, 6]]) },
    { word: 'boat', sections: new Map([[3, 4]]) },
  ]
  const site = { words, sections: 4, isSearched: (word: string) => word !== 'enough' }
  const word = (word: string, df: number) => ({ word, term: word, df, idf: 1 })

  it('from words that no section holds to those that mark what answers, by occurrences and rarity', () => {
    const asked = [{ text: 'slow wifi', words: [word('slow', 1), word('wifi', 0)], expected: [0], packed: true }]
    // internet: 5 · ln 4 = 6.93; venue: 5 · ln(4/3) = 1.44; a function word is none.
    expect(propose(asked, site)).toEqual([{ from: 'wifi', to: ['internet', 'venue'], questions: ['slow wifi'] }])
  })

  it('from words that other sections hold, when nothing that answers is sent', () => {
    const asked = { text: 'boat wifi', words: [word('boat', 1)], expected: [0], packed: false }
    expect(propose([asked], site)).toMatchObject([{ from: 'boat', to: ['internet', 'venue'] }])
    expect(propose([{ ...asked, packed: true }], site)).toEqual([])
    expect(propose([{ ...asked, words: [word('venue', 3)] }], site)).toEqual([])
  })

  it('never to a word of the question itself, and those of more questions first', () => {
    const one = { text: 'a', words: [word('ahoy', 0)], expected: [3], packed: true }
    const two = { text: 'b', words: [word('wifi', 0), word('internet', 1)], expected: [0], packed: true }
    const three = { ...two, text: 'c', words: [word('wifi', 0)] }
    expect(propose([one, two, three], site)).toEqual([
      { from: 'wifi', to: ['venue'], questions: ['b', 'c'] },
      { from: 'ahoy', to: ['boat'], questions: ['a'] },
    ])
  })

  it('as entries of TOML, with what visitors asked as comments', () => {
    const proposal: Proposal = { from: 'wi"fi', to: ['internet', 'line'], questions: ['slow\nwifi'] }
    expect(proposalText(proposal)).toBe('# slow wifi\n[[synonym]]\nfrom = ["wi\\"fi"]\nto = ["internet", "line"]')
    expect(proposalText({ ...proposal, to: [] })).not.toMatch(/^\[\[/m)
  })

  it('by the command, from the questions of a site', async () => {
    const dir = await folderOf({
      'pinpack.toml': CONFIG,
      'content/a.md': '# Is the internet fast enough\n\nThe internet at the harbor is slow.\n',
      'content/b.md': '# Boats\n\nBoats leave at nine.\n',
      'questions.yaml':
        '- question: is there wifi?\n  expect: content/a.md#is-the-internet-fast-enough\n- question: pizza\n  unanswerable: true\n',
    })
    const { code, stdout } = await pinpack(['suggest-synonyms'], dir)
    expect(code).toBe(0)
    expect(stdout).toContain('# is there wifi?\n[[synonym]]\nfrom = ["wifi"]\nto = ["internet"')
    // What nothing answers needs no synonym.
    expect(stdout).not.toContain('pizza')
    const { proposals, questions, passedOver } = JSON.parse((await pinpack(['suggest-synonyms', '--json'], dir)).stdout)
    expect({ questions, passedOver, from: proposals[0].from }).toEqual({ questions: 1, passedOver: 1, from: 'wifi' })
    expect((await pinpack(['suggest-synonyms', 'nowhere.yaml'], dir)).stderr).toContain('error[read-failed]')
  })
})
