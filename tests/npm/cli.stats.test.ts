/** `pinpack stats`: what is ever sent, what it costs, what another budget would buy. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DIST, folderOf, node, siteFolder } from './fixture.ts'

const stats = (args: string[], cwd: string) => node([join(DIST, 'cli.js'), 'stats', ...args], { cwd })
const json = async (dir: string, args: string[] = []) => {
  const { code, stdout, stderr } = await stats([...args, '--json'], dir)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

/** Thirty pages of one size, of which the floor reaches the first few; one word is each page's own. */
const names = Array.from({ length: 30 }, (_, i) => `animal${String.fromCharCode(97 + (i % 26))}${i}`)
const page = (name: string) =>
  `# Page of ${name}\n\nHere ${name} lives beside the quiet harbor, the whole year round.\n`
const SITE = {
  'pinpack.toml': '[sources]\ninclude = ["content/**/*.md"]\n[budget]\ncontext = 200\nfloor = 120\n',
  ...Object.fromEntries(names.map((name, i) => [`content/p${i + 10}.md`, page(name)])),
  'rules/harbor.md': '# Harbor\n\nNever promise a boat.\n',
}
const ref = (i: number) => `content/p${i + 10}.md#page-of-${names[i]}`
const ask = (i: number) => `- question: where does ${names[i]} live?\n  expect: ${ref(i)}\n`

describe('what questions reach', () => {
  it('is told from those that match, those of the floor, and the rest', async () => {
    // Asked for its own name alone, a page is the one match; the floor then adds pages from the first file on.
    const only = (i: number) => `- question: ${names[i]}\n  expect: ${ref(i)}\n`
    const dir = await folderOf({ ...SITE, 'questions.yaml': only(20) + only(25) })
    const { reach, sections } = await json(dir)
    expect(sections).toBe(31)
    expect(reach.questions).toBe(2)
    // Two pages and the rule.
    expect(reach.reached).toBe(3)
    expect(reach.floorOnly.length).toBeGreaterThan(0)
    expect(reach.floorOnly).toEqual(names.slice(0, reach.floorOnly.length).map((_, i) => ref(i)))
    expect(reach.reached + reach.floorOnly.length + reach.never.length).toBe(sections)
    // The coverage figure: every page and its tokens once.
    const built = JSON.parse((await node([join(DIST, 'cli.js'), 'build', '--json'], { cwd: dir })).stdout)
    const unsent = built.files.filter(({ path }: { path: string }) =>
      reach.never.some((one: string) => one.startsWith(path)),
    )
    const never = unsent.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0)
    expect(reach.writtenTokens).toBe(built.writtenTokens)
    expect(reach.sentTokens).toBe(built.writtenTokens - never)
    expect(reach.never).not.toContain(ref(20))
    expect(reach.never).toContain(ref(29))
  })

  it('counts what visitors were sent, from the log', async () => {
    const dir = await folderOf(SITE)
    await node([join(DIST, 'cli.js'), 'build'], { cwd: dir })
    const knowledge = JSON.parse(await readFile(join(dir, 'knowledge.json'), 'utf8'))
    const [pin] = knowledge.pinned
    const id = (i: number) => knowledge.sections.findIndex((section: { ref: string }) => section.ref === ref(i))
    const tokens = (ids: number[]) => ids.reduce((sum, id) => sum + (knowledge.sections[id]?.tokens ?? 0), 0)
    const entry = (time: string, ids: number[], more = {}) =>
      `${JSON.stringify({ time, outcome: 'answered', sections: ids, tokens: { passages: tokens(ids), input: 300, output: 50 }, ...more })}\n`
    const log = [
      entry('2026-03-02T09:00:00.000Z', [pin, id(3)]),
      entry('2026-03-01T09:00:00.000Z', [pin, id(3), id(4)]),
      entry('2026-03-02T23:00:00.000Z', [pin, id(5), id(6), id(7)], {
        tokens: { passages: tokens([pin, id(5), id(6), id(7)]) },
      }),
      // Passed over: refused, of another build by its hash or by an id, no date, no JSON.
      entry('2026-03-02T09:00:00.000Z', [pin], { outcome: 'refused' }),
      entry('2026-03-02T09:00:00.000Z', [pin, id(8)], { hash: '0'.repeat(32) }),
      entry('2026-03-02T09:00:00.000Z', [pin, 31]),
      entry('yesterday', [pin]),
      'oops\n',
    ].join('')
    await writeFile(join(dir, 'log.jsonl'), log)
    const { reach, log: read, cost } = await json(dir, ['--log', 'log.jsonl'])
    expect(read).toMatchObject({ requests: 3, passedOver: 5 })
    const second = tokens([pin, id(3)]) + tokens([pin, id(5), id(6), id(7)])
    expect(read.days).toEqual([
      {
        ...{
          day: '2026-03-01',
          requests: 1,
          passageTokens: tokens([pin, id(3), id(4)]),
          inputTokens: 300,
          outputTokens: 50,
        },
        pinnedShare: Number((tokens([pin]) / tokens([pin, id(3), id(4)])).toFixed(4)),
      },
      {
        ...{
          day: '2026-03-02',
          requests: 2,
          passageTokens: Math.round(second / 2),
          inputTokens: 300,
          outputTokens: 50,
        },
        pinnedShare: Number(((2 * tokens([pin])) / second).toFixed(4)),
      },
    ])
    // The rule and five pages.
    expect(reach.reached).toBe(6)
    expect(cost.answerTokens).toBe(50)
  })
})

describe('what a question costs', () => {
  it('is by the prices of a file', async () => {
    const dir = await siteFolder({ 'prices.yaml': 'cheap: { input: 1, output: 2 }\nfree: { input: 0, output: 0 }\n' })
    const { cost } = await json(dir, ['--prices', 'prices.yaml', '--answer', '100'])
    const input = cost.knowledgeTokens + cost.instructionTokens
    expect(cost.models).toEqual([
      {
        model: 'cheap',
        perQuestion: Number(((input + 200) / 1e6).toFixed(6)),
        perThousand: Number(((input + 200) / 1e3).toFixed(2)),
      },
      { model: 'free', perQuestion: 0, perThousand: 0 },
    ])
    expect((await stats(['--prices', 'prices.yaml'], dir)).stdout).toMatch(/^ +cheap +0\.\d{5} +\d\.\d\d$/m)
  })

  it('starts from a table that can be edited, and is never replaced', async () => {
    const dir = await siteFolder()
    expect((await stats(['--write-prices', 'p.yaml'], dir)).code).toBe(0)
    const { cost } = await json(dir, ['--prices', 'p.yaml'])
    expect(cost).toEqual((await json(dir)).cost)
    const again = await stats(['--write-prices', 'p.yaml'], dir)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('error[file-exists]')
  })

  it.each([
    ['a: { input: -1, output: 2 }', 'prices-invalid'],
    ['a: { input: 1 }', 'prices-invalid'],
    ['- a', 'prices-invalid'],
    ['a: [', 'prices-invalid'],
  ])('refuses a table such as %s', async (text, code) => {
    const run = await stats(['--prices', 'p.yaml'], await siteFolder({ 'p.yaml': text }))
    expect(run.stderr).toContain(`error[${code}]`)
    expect(run.code).toBe(1)
  })
})

describe('what a budget buys', () => {
  it('is the questions that it would answer', async () => {
    const dir = await folderOf({ ...SITE, 'questions.yaml': [20, 21, 22, 23].map(ask).join('') })
    const { budgets } = await json(dir)
    expect(budgets.map(({ budget }: { budget: number }) => budget)).toEqual([50, 100, 150, 200, 300, 400])
    for (const { budget, meanTokens, answered, questions } of budgets) {
      expect(meanTokens).toBeLessThanOrEqual(budget)
      expect(questions).toBe(4)
      // The page of the name is first; it fits wherever there is room for one page beside the rule.
      expect(answered).toBe(budget < 75 ? 0 : 4)
    }
    expect((await stats([], dir)).stdout).toMatch(/^ +200\* +4 of 4 +\d+$/m)
  })

  it('is the whole site, when that fits: retrieval is not needed yet', async () => {
    const small = await siteFolder()
    expect((await json(small)).wholeSiteFits).toBe(true)
    expect((await stats([], small)).stdout).toContain('your whole site fits into one request')
    const large = await folderOf(SITE)
    expect((await json(large)).wholeSiteFits).toBe(false)
    expect((await stats([], large)).stdout).not.toContain('your whole site fits')
  })
})
