/** `pinpack eval`, on questions whose answers are plain. */

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DIST, folderOf, node, siteFolder } from './fixture.ts'

const evaluate = (args: string[], cwd: string) => node([join(DIST, 'cli.js'), 'eval', ...args], { cwd })

const jsonl = (lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

const CORPUS = jsonl([
  { _id: 'd1', title: 'Whales', text: 'Whales sing under water.' },
  { _id: 'd2', title: 'Bread', text: 'Bread is baked in an oven.' },
  { _id: 'd3', title: 'Trains', text: 'Trains run on rails.' },
])
const QUERIES = jsonl([
  { _id: 'q1', text: 'do whales sing?' },
  { _id: 'q2', text: 'and what are they baked in', history: ['tell me about whales', 'what is bread?'] },
  { _id: 3, text: 'trains' },
  { _id: 'unjudged', text: 'rails' },
])
// q1 asks for one that is found first, 3 for two of which one is found first; grade 0 is not relevant.
const QRELS = 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td2\t2\n3\td3\t1\n3\td1\t1\n'

describe('a BEIR set', () => {
  const set = () =>
    folderOf({
      'corpus.jsonl': CORPUS,
      'queries.jsonl': QUERIES,
      'qrels.tsv': QRELS,
      'unanswerable.jsonl': jsonl([{ _id: 'u1', text: 'quantum chromodynamics' }]),
    })
  const FILES = ['--corpus', 'corpus.jsonl', '--queries', 'queries.jsonl', '--qrels', 'qrels.tsv']

  it('gives the figures as JSON', async () => {
    const { code, stdout } = await evaluate([...FILES, '--json'], await set())
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      'hit@1': 1,
      'hit@5': 1,
      'mrr@10': 1,
      // 1, 1, and 1 / (1 + 1/log2(3)) = 0.61315: the mean is 0.87105
      'ndcg@10': 0.871,
      // 1, 1, 1/2
      'recall@10': 0.8333,
      // three short sections all fit the budget
      'recall@budget': 1,
      queries: 3,
      sections: 3,
    })
  })

  it('tells covered from not covered when unanswerable questions are given', async () => {
    const { stdout } = await evaluate([...FILES, '--unanswerable', 'unanswerable.jsonl', '--json'], await set())
    expect(JSON.parse(stdout)).toMatchObject({ unanswerable: 1, coverageAuroc: 1 })
  })

  it('prints the figures as text', async () => {
    const { stdout } = await evaluate(FILES, await set())
    expect(stdout).toMatch(/^questions +3$/m)
    expect(stdout).toMatch(/^ndcg@10 +0\.8710$/m)
    expect(stdout).toMatch(/^latency +[\d.]+ ms median/m)
  })

  it('says which judged documents are not in the corpus', async () => {
    const dir = await folderOf({
      'corpus.jsonl': CORPUS,
      'queries.jsonl': QUERIES,
      'qrels.tsv': `${QRELS}q1\tgone\t1\n`,
    })
    const { code, stderr } = await evaluate(FILES, dir)
    expect(code).toBe(0)
    expect(stderr).toContain('warning[ref-unknown]')
    expect(stderr).toContain('gone')
  })

  it.each([
    ['queries.jsonl', `${QUERIES}{"_id":`, 'line 5'],
    ['queries.jsonl', `${QUERIES}{"_id":"x"}`, 'text'],
    ['qrels.tsv', `${QRELS}q1 d1 1\n`, 'line 7'],
  ])('names the place in a damaged %s', async (name, content, place) => {
    const files = { 'corpus.jsonl': CORPUS, 'queries.jsonl': QUERIES, 'qrels.tsv': QRELS, [name]: content }
    const { code, stderr } = await evaluate(FILES, await folderOf(files))
    expect(code).toBe(1)
    expect(stderr).toContain('error[questions-invalid]')
    expect(stderr).toContain(name)
    expect(stderr).toContain(place)
  })
})

describe("the owner's questions", () => {
  const QUESTIONS = `
- question: who is Remi?
  expect: [content/dog.md#the-studio-dog]
- question: is it kept when I cancel?
  history: [I paid a deposit]
  expect: content/refunds.md#deposits
- question: quantum chromodynamics
  unanswerable: true
`
  it('are read as YAML', async () => {
    const dir = await siteFolder({ 'questions.yaml': QUESTIONS })
    const { code, stdout, stderr } = await evaluate(['questions.yaml', '--json'], dir)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ 'hit@1': 1, queries: 2, unanswerable: 1, coverageAuroc: 1 })
  })

  it('are read as JSONL', async () => {
    const line = { question: 'who is Remi?', expect: ['content/dog.md#the-studio-dog'] }
    const dir = await siteFolder({ 'q.jsonl': jsonl([line]) })
    expect(JSON.parse((await evaluate(['q.jsonl', '--json'], dir)).stdout)).toMatchObject({ 'hit@1': 1, queries: 1 })
  })

  it('that miss are listed with what was expected and what came first', async () => {
    const dir = await siteFolder({
      'q.yaml': '- question: who is Remi?\n  expect: content/refunds.md#deposits\n',
    })
    const pinned = 60
    const { stdout } = await evaluate(['q.yaml', '--budget', String(pinned)], dir)
    expect(stdout).toContain('who is Remi?')
    expect(stdout).toContain('expected content/refunds.md#deposits; first was content/dog.md#the-studio-dog')
  })

  it.each([
    ['a key that is not known', '- question: x\n  expects: [a]\n', 'expects'],
    ['neither an answer nor a word that there is none', '- question: x\n', 'expect'],
    ['both', '- question: x\n  expect: [a]\n  unanswerable: true\n', 'unanswerable'],
    ['no list', 'question: x\n', 'list'],
    ['no YAML', '- question: "x\n', 'q.yaml'],
  ])('are refused with %s', async (_, text, named) => {
    const { code, stderr } = await evaluate(['q.yaml'], await siteFolder({ 'q.yaml': text }))
    expect(code).toBe(1)
    expect(stderr).toContain('error[questions-invalid]')
    expect(stderr).toContain(named)
  })

  it('fail when there is none that can be answered', async () => {
    const dir = await siteFolder({ 'q.yaml': '- question: x\n  unanswerable: true\n' })
    const { code, stderr } = await evaluate(['q.yaml'], dir)
    expect(code).toBe(1)
    expect(stderr).toContain('error[questions-empty]')
  })
})
