/** `pinpack unanswered` and `pinpack prompt`, run as a user runs them. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from 'pinpack'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildPrompt } from '../../www/prompt.ts'
import { asking, buildFixture, DIST, node, siteFolder } from './fixture.ts'

const pinpack = (args: string[], cwd: string) =>
  node([join(DIST, 'cli.js'), ...args], { cwd, env: { FORCE_COLOR: '' } })
// biome-ignore lint/suspicious/noControlCharactersInRegex: looks for terminal escapes
const ESCAPE = /\u001b/

let clock = 0
/** A line of a log, as the proxy writes it. */
function entry(question: string | undefined, change: object = {}): string {
  const time = new Date(Date.UTC(2026, 2, 1, 10, clock++)).toISOString()
  const fixed = {
    id: 'x',
    outcome: 'answered',
    status: 200,
    hash: '0'.repeat(32),
    sections: [0, 1],
    tokens: { passages: 9 },
  }
  const more = { cited: [], model: 'm', unanswered: true, totalMs: 1 }
  return JSON.stringify({ ...fixed, time, ...(question !== undefined && { question }), ...more, ...change })
}

const EVIL = '<script>alert(1)</script> \u001b[31m" onload="x'

const LOG = [
  entry('Do you rent drones?'),
  entry('do you  rent DRONES?'),
  entry('What does a drone license cost?'),
  entry('Can I bring a parrot to the studio?'),
  entry('Is the deposit kept?', { unanswered: false }),
  entry(EVIL),
  'listening on port 8787',
  entry('And with a parrot?', { before: 'Can I visit?' }),
].join('\n')

interface Json {
  requests: number
  added?: number
  groups: {
    word: string
    times: number
    questions: {
      number: number
      question: string
      times: number
      missing: string[]
      sent?: string[]
      level: string
      nearest: string[]
    }[]
    place: { ref?: string; heading: string }
  }[]
}

async function unanswered(log: string, args: string[] = []) {
  const dir = await siteFolder({ 'log.jsonl': log })
  const run = (more: string[]) => pinpack(['unanswered', 'log.jsonl', ...more], dir)
  return { dir, run, json: async (more = args) => JSON.parse((await run(['--json', ...more])).stdout) as Json }
}

describe('pinpack unanswered', () => {
  it('groups questions by the word that most of them miss, the same ones as one', async () => {
    const { json } = await unanswered(LOG)
    const { groups, requests } = await json()
    expect(requests).toBe(7)
    const drones = groups.find(({ questions }) => questions.some(({ question }) => /DRONES/i.test(question)))
    expect(drones?.questions.find(({ times }) => times === 2)?.question).toMatch(/^do you {1,2}rent drones\?$/i)
    const parrots = groups.find(({ word }) => word === 'parrot')
    expect(parrots?.questions.map(({ question }) => question).sort()).toEqual([
      'And with a parrot?',
      'Can I bring a parrot to the studio?',
    ])
    expect(groups.map(({ times }) => times)).toEqual(groups.map(({ times }) => times).sort((a, b) => b - a))
    expect(groups.flatMap(({ questions }) => questions.map(({ number }) => number))).toEqual(
      groups.flatMap(({ questions }) => questions).map((_, at) => at + 1),
    )
    // Of the words of a group's name none of the fixture's pages holds one.
    for (const { word, questions } of groups)
      for (const { missing } of questions) if (word) expect(missing).toContain(word)
    expect(JSON.stringify(groups)).not.toContain('deposit kept')
  })

  it('shows what was sent, in the build that it was sent from only', async () => {
    const { knowledge } = await buildFixture()
    const ids = knowledge.sections.map(({ id }) => id).filter((id) => !knowledge.pinned.includes(id))
    const sections = [...knowledge.pinned, ...ids.slice(0, 2)]
    const { json } = await unanswered(
      [entry('Any parrots?', { hash: knowledge.hash, sections }), entry('Any whales?')].join('\n'),
    )
    const { groups } = await json()
    const sent = Object.fromEntries(
      groups.flatMap(({ questions }) => questions.map(({ question, sent }) => [question, sent])),
    )
    expect(sent).toEqual({
      'Any parrots?': ids.slice(0, 2).map((id) => knowledge.sections[id]?.ref),
      'Any whales?': undefined,
    })
  })

  it('proposes the page that is nearest, or a new one', async () => {
    const { json } = await unanswered(
      [entry('Can I cancel late and keep the deposit for parrots?'), entry('Zyx wvu?')].join('\n'),
    )
    const { groups } = await json()
    const places = groups.map(({ questions, place }) => [questions[0]?.question, place.ref?.split('#')[0]])
    expect(Object.fromEntries(places)).toEqual({
      'Can I cancel late and keep the deposit for parrots?': expect.stringMatching(/refunds\.md$/),
      'Zyx wvu?': undefined,
    })
  })

  it('puts questions that miss no word with those nearest to the same page', async () => {
    const asked = ['Is a deposit kept?', 'When is the refund?', 'Where does the spaniel sleep?', 'Is a deposit late?']
    const { json } = await unanswered(asked.map((question) => entry(question)).join('\n'))
    const { groups } = await json()
    const sets = groups.map(({ word, questions }) => [word, ...questions.map(({ question }) => question).sort()])
    expect(sets).toEqual([
      ['', 'Is a deposit kept?', 'Is a deposit late?', 'When is the refund?'],
      ['', 'Where does the spaniel sleep?'],
    ])
  })

  it('says which questions are covered by now', async () => {
    const { run } = await unanswered(entry('Where does the spaniel sleep?'))
    expect((await run([])).stdout).toContain('covered by now')
  })

  it('prints for people, nothing of which steers the terminal, and warns of other lines', async () => {
    const { run } = await unanswered(LOG)
    const { code, stdout, stderr } = await run([])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^6 of 7 requests got no answer\n/)
    expect(stdout).toContain('after: Can I visit?')
    expect(stdout).not.toMatch(ESCAPE)
    expect(stderr).toBe("warning[log-lines]: log.jsonl: 1 line cannot be read as entries of the proxy's log\n")
  })

  it('writes a page in which every visitor’s word is text', async () => {
    const { dir, run } = await unanswered(LOG)
    await run(['--html', 'page.html'])
    const page = await readFile(join(dir, 'page.html'), 'utf8')
    expect(page).toContain('&#60;script&#62;alert(1)')
    expect(page).not.toMatch(/<script|onload="/)
    expect(page).not.toMatch(ESCAPE)
    expect(page).toContain("default-src 'none'")
    const opened = Array.from(page.matchAll(/<(\w+)/g), ([, tag]) => tag)
    expect(new Set(opened)).not.toContain('img')
  })

  it('adds chosen questions to a file that eval reads, each once, and leaves the rest of it as it is', async () => {
    const { dir, run, json } = await unanswered(LOG)
    const before = '# mine\n- question: Any deposit?\n  expect: [content/refunds.md#deposits]'
    await writeFile(join(dir, 'q.yaml'), before)
    const { groups } = await json()
    const numbered = groups.flatMap(({ questions }) => questions)
    expect((await json(['--to', 'q.yaml', '--choose', '2, 4-5'])).added).toBe(3)
    expect((await json(['--to', 'q.yaml', '--choose', '2,2'])).added).toBe(0)
    const text = await readFile(join(dir, 'q.yaml'), 'utf8')
    expect(text.startsWith(`${before}\n`)).toBe(true)
    const cases = parse(text) as { question: string; unanswerable?: boolean }[]
    expect(cases.slice(1).map(({ question }) => question)).toEqual(
      [2, 4, 5].map((n) => numbered[n - 1]?.question.trim()),
    )
    expect(cases.slice(1).every(({ unanswerable }) => unanswerable)).toBe(true)
    const { code } = await run(['--to', 'all.yaml'])
    expect(code).toBe(0)
    const all = parse(await readFile(join(dir, 'all.yaml'), 'utf8')) as { question: string; history?: string[] }[]
    expect(all.map(({ question }) => question).sort()).toEqual(numbered.map(({ question }) => question.trim()).sort())
    expect(all.find(({ history }) => history)).toMatchObject({
      question: 'And with a parrot?',
      history: ['Can I visit?'],
    })
    const evaluated = await pinpack(['eval', 'q.yaml', '--json'], dir)
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ queries: 1, unanswerable: 3 })
  })

  it.each([
    ['no file', ['gone.jsonl'], 1, 'read-failed'],
    ['what is no log', ['pinpack.toml'], 1, 'log-invalid'],
    ['a number that no question has', ['log.jsonl', '--to', 'q.yaml', '--choose', '99'], 2, 'usage'],
    ['a choice for no file', ['log.jsonl', '--choose', '1'], 2, 'usage'],
    ['a file of another kind', ['log.jsonl', '--to', 'q.txt'], 2, 'usage'],
  ])('refuses %s', async (_, args, exit, error) => {
    const { dir } = await unanswered(LOG)
    const { code, stderr } = await pinpack(['unanswered', ...args], dir)
    expect([
      code,
      stderr
        .split('\n')
        .find((line) => line.startsWith('error'))
        ?.split(':')[0],
    ]).toEqual([exit, `error[${error}]`])
  })

  it('says why a log of a strict proxy has no questions', async () => {
    const { run } = await unanswered(entry(undefined))
    const { code, stderr } = await run([])
    expect(code).toBe(1)
    expect(stderr).toMatch(/log-invalid[\s\S]*strict/)
  })

  it('has nothing to say of an empty log, and of one without a gap', async () => {
    for (const log of ['', entry('Is the deposit kept?', { unanswered: false })]) {
      const { run } = await unanswered(log)
      const { code, stdout } = await run([])
      expect([code, stdout]).toEqual([0, `0 of ${log ? '1 request' : '0 requests'} got no answer\n`])
    }
  })
})

describe('pinpack prompt', () => {
  it('prints the very prompt that the proxy sends for the pack of the page', async () => {
    const dir = await siteFolder()
    const { blob, knowledge } = await buildFixture()
    const messages = asking('Can I get a refund?')
    const { ids, coverage } = (await open(blob)).pack(messages)
    const expected = buildPrompt(knowledge, ids, messages, { coverage })
    const { stdout } = await pinpack(['prompt', 'Can I get a refund?', '--json'], dir)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(expected)))
    const text = (await pinpack(['prompt', 'Can I get a refund?'], dir)).stdout
    expect(text.startsWith(`── system\n${expected.system}`)).toBe(true)
    expect(text).toContain('── user\nCan I get a refund?\n')
  })

  it('takes earlier messages and a budget', async () => {
    const dir = await siteFolder()
    const args = ['prompt', 'And the dog?', '--history', 'Can I get a refund?', '--budget', '60', '--json']
    const { messages, tokens } = JSON.parse((await pinpack(args, dir)).stdout)
    expect(messages).toEqual([{ role: 'user', content: 'Can I get a refund?\n\nAnd the dog?' }])
    expect(tokens).toBeLessThanOrEqual(60)
  })
})
