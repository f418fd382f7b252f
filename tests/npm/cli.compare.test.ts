/** `pinpack eval` with `--compare`, `--baseline` and `--html`, and the statistics behind them. */

import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { paired, regressions } from '../../www/cli/baseline.ts'
import { type Answered, compare } from '../../www/cli/compare.ts'
import { pairedBootstrap } from '../../www/cli/metrics.ts'
import { CONFIG, DIST, folderOf, node, PAGES, ROOT } from './fixture.ts'

const evaluate = (args: string[], cwd = ROOT) => node([join(DIST, 'cli.js'), 'eval', ...args], { cwd })

const QUESTIONS = `
- question: who is Remi?
  expect: content/dog.md#the-studio-dog
- question: can I get a refund?
  expect: content/refunds.md#refunds
- question: what about a deposit?
  history: hello
  expect: content/refunds.md#deposits
- question: what is the weather like?
  unanswerable: true
`
/** A budget in which the dog does not fit beside the rule. */
const SMALL = `${CONFIG}[budget]\ncontext = 100\nfloor = 50\n`
const DOG = `${PAGES['content/dog.md']}${'He sleeps there in the morning and in the afternoon. '.repeat(12)}\n`
const site = (more: Record<string, string> = {}) =>
  folderOf({ ...PAGES, 'content/dog.md': DOG, 'pinpack.toml': CONFIG, 'q.yaml': QUESTIONS, ...more })

/** An outcome of which all measures are `value`. */
const outcome = (question: string, place: number, packed: boolean, value = 0): Answered => ({
  question,
  place,
  packed,
  measures: {
    'hit@1': value,
    'hit@5': value,
    'mrr@10': value,
    'ndcg@10': value,
    'recall@10': value,
    'recall@budget': value,
  },
})

describe('the paired bootstrap', () => {
  it('has no width where every question differs by the same', () => {
    expect(pairedBootstrap([0.2, 0.4, 0.9], [0.3, 0.5, 1])).toEqual({ mean: 0.1, low: 0.1, high: 0.1 })
  })

  it('is the interval of a slow and obvious count', () => {
    // One of two questions gains 1: the mean of two draws is 0, 1/2 or 1 with chances 1/4, 1/2, 1/4.
    expect(pairedBootstrap([0, 0], [0, 1])).toEqual({ mean: 0.5, low: 0, high: 1 })
    // 100 questions, 50 of which gain 1: the mean is binomial, its standard error 0.05, so that 95% lie within 0.098.
    const gains = Array.from({ length: 100 }, (_, i) => i % 2)
    const { mean, low, high } = pairedBootstrap(new Array(100).fill(0), gains)
    expect(mean).toBe(0.5)
    expect(Math.abs(low - 0.402)).toBeLessThan(0.015)
    expect(Math.abs(high - 0.598)).toBeLessThan(0.015)
  })

  it('changes its sign with the order, and is the same each time', () => {
    const [a, b] = [
      [0, 1, 0.5, 0.25, 1],
      [1, 1, 0.25, 0.5, 0],
    ]
    const there = pairedBootstrap(a as number[], b as number[])
    const back = pairedBootstrap(b as number[], a as number[])
    expect(pairedBootstrap(a as number[], b as number[])).toEqual(there)
    expect(back.mean).toBeCloseTo(-there.mean, 10)
  })
})

describe('what changed', () => {
  it('is told from places and packs, the worst first', () => {
    const before = [
      outcome('a', 1, true),
      outcome('b', 0, false),
      outcome('c', 2, true),
      outcome('d', 0, true),
      outcome('e', 3, true),
    ]
    const after = [
      outcome('a', 1, true),
      outcome('b', 4, true),
      outcome('c', 0, true),
      outcome('d', 9, true),
      outcome('e', 1, false),
    ]
    expect(compare(before, after).changed).toEqual([
      { question: 'e', change: 'lost', before: 3, after: 1 },
      { question: 'b', change: 'gained', before: 0, after: 4 },
      { question: 'c', change: 'fell', before: 2, after: 0 },
      { question: 'd', change: 'rose', before: 0, after: 9 },
    ])
  })

  it('is a regression when a question is lost, or a mean is surely lower', () => {
    const many = (value: number) => Array.from({ length: 30 }, (_, i) => outcome(`${i}`, 1, true, value))
    expect(regressions(compare(many(0.5), many(0.5)))).toEqual({ questions: 0, measures: [] })
    expect(regressions(compare(many(0.5), many(0.4))).measures).toContain('ndcg@10')
    expect(regressions(compare(many(0.4), many(0.5)))).toEqual({ questions: 0, measures: [] })
    expect(regressions(compare([outcome('a', 1, true)], [outcome('a', 1, false)])).questions).toBe(1)
  })

  it('is looked for in the questions that both runs have', () => {
    const [a, b, c] = [outcome('a', 1, true), outcome('b', 2, true), outcome('c', 3, true)]
    const again = { ...b, place: 7 }
    const other = { ...a, history: ['before'] }
    expect(paired([a, b], [again, c, other])).toEqual({ before: [b], after: [again], added: 2, removed: 1 })
  })
})

describe('eval --compare', () => {
  it('measures both configs on the same questions', async () => {
    const dir = await site({ 'small.toml': SMALL })
    const { code, stdout, stderr } = await evaluate(['q.yaml', '--compare', 'small.toml', '--json'], dir)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const { before, after, differences, changed } = JSON.parse(stdout)
    expect(before['recall@budget']).toBe(1)
    // The ranking is the same, and less of it is sent.
    expect(after['hit@5']).toBe(before['hit@5'])
    expect(after['recall@budget']).toBeLessThan(1)
    expect(differences['recall@budget'].mean).toBeCloseTo(after['recall@budget'] - 1, 3)
    const lost = Math.round((1 - after['recall@budget']) * 3)
    expect(changed.map(({ change }: { change: string }) => change)).toEqual(new Array(lost).fill('lost'))
  })

  it('prints a table and the questions', async () => {
    const { stdout } = await evaluate(['q.yaml', '--compare', 'small.toml'], await site({ 'small.toml': SMALL }))
    expect(stdout).toMatch(/^ +pinpack\.toml +small\.toml +difference +95% interval$/m)
    expect(stdout).toMatch(/^ +recall@budget +1\.0000 +0\.\d{4} +-0\.\d{4} +-\d\.\d{4} to /m)
    expect(stdout).toMatch(/questions? changed: \d+ lost, 0 gained, 0 fell, 0 rose/)
  })

  it('says once which refs are no section, and names configs of one name by their paths', async () => {
    const dir = await site({
      'other/pinpack.toml': CONFIG,
      'gone.yaml': `${QUESTIONS}- question: x\n  expect: content/gone.md#x\n`,
    })
    const { stdout, stderr } = await evaluate(['gone.yaml', '--compare', 'other/pinpack.toml'], dir)
    expect(stderr.match(/warning\[ref-unknown\]/g)).toHaveLength(1)
    expect(stdout).toMatch(/^ +pinpack\.toml +other\/pinpack\.toml +difference/m)
  })

  it('changes nothing when the configs are the same', async () => {
    const { stdout } = await evaluate(['q.yaml', '--compare', 'same.toml'], await site({ 'same.toml': CONFIG }))
    expect(stdout).toContain('no question changed')
  })

  it.each([
    [['q.yaml', '--compare', 'a.toml', '--baseline', 'b.json'], 2, 'usage'],
    [['q.yaml', '--compare', 'a.toml', '--sweep', 'sections.target=64'], 2, 'usage'],
    [['q.yaml', '--compare', 'a.toml', '--blob', 'x.pinpack'], 2, 'usage'],
    [['q.yaml', '--update-baseline'], 2, 'usage'],
    [['q.yaml', '--sweep', 'sections.target=64', '--html', 'x.html'], 2, 'usage'],
    [['q.yaml', '--compare', 'nowhere.toml'], 1, 'read-failed'],
    [['q.yaml', '--baseline', 'nowhere.json'], 1, 'read-failed'],
    [['q.yaml', '--baseline', 'pinpack.toml'], 1, 'baseline-invalid'],
  ])('refuses %j', async (args, exit, code) => {
    const run = await evaluate(args, await site())
    expect(run.stderr).toContain(`error[${code}]`)
    expect(run.code).toBe(exit)
    expect(run.stdout).toBe('')
  })

  const shared = resolve(process.env.PINPACK_SHARED ?? join(ROOT, '../shared'), 'data/questions/hint3-curekart')
  it.skipIf(!existsSync(shared))('gives on a real set what each config gives alone', async () => {
    const files = ['corpus.jsonl', 'queries.jsonl', 'qrels.tsv'].map((name) => join(shared, name))
    const set = ['--corpus', files[0], '--queries', files[1], '--qrels', files[2]] as string[]
    const dir = await folderOf({
      'a.toml': '[budget]\ncontext = 400\nfloor = 100\n',
      'b.toml': '[budget]\ncontext = 800\nfloor = 100\n',
    })
    const alone = async (config: string) => {
      const { latencyMs: _, ...figures } = JSON.parse(
        (await evaluate([...set, '--config', config, '--json'], dir)).stdout,
      )
      return figures
    }
    const { stdout } = await evaluate([...set, '--config', 'a.toml', '--compare', 'b.toml', '--json'], dir)
    const { before, after } = JSON.parse(stdout)
    expect(before).toMatchObject(await alone('a.toml'))
    expect(after).toMatchObject(await alone('b.toml'))
    expect(after['recall@budget']).toBeGreaterThan(before['recall@budget'])
  })
})

describe('eval --baseline', () => {
  it('keeps a run, passes while it is as good, and fails when a question is lost', async () => {
    const dir = await site({ 'small.toml': SMALL })
    const kept = await evaluate(['q.yaml', '--baseline', 'ci/base.json', '--update-baseline'], dir)
    expect(kept.code).toBe(0)
    const file = await readFile(join(dir, 'ci/base.json'), 'utf8')
    expect(JSON.parse(file).questions).toHaveLength(3)
    // A line a question.
    expect(file.match(/^ {4}\{"question".*$/gm)).toHaveLength(3)
    const same = await evaluate(['q.yaml', '--baseline', 'ci/base.json'], dir)
    expect(same.stdout).toContain('no worse than the baseline')
    expect(same.code).toBe(0)
    const worse = await evaluate(['q.yaml', '--baseline', 'ci/base.json', '--config', 'small.toml'], dir)
    expect(worse.stdout).toMatch(/worse than the baseline: \d questions? lost/)
    expect(worse.code).toBe(1)
    const json = await evaluate(['q.yaml', '--baseline', 'ci/base.json', '--config', 'small.toml', '--json'], dir)
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout).regressions.questions).toBeGreaterThan(0)
  })

  it('says how many questions are new', async () => {
    const dir = await site()
    await evaluate(['q.yaml', '--baseline', 'base.json', '--update-baseline'], dir)
    await writeFile(join(dir, 'q.yaml'), `${QUESTIONS}- question: spaniel\n  expect: content/dog.md#the-studio-dog\n`)
    const { code, stdout } = await evaluate(['q.yaml', '--baseline', 'base.json'], dir)
    expect(code).toBe(0)
    expect(stdout).toContain('1 new question')
  })
})

describe('eval --html', () => {
  it('is one page, the same for the same run, with what changed', async () => {
    const dir = await site({ 'small.toml': SMALL })
    const page = async () => {
      const { code } = await evaluate(['q.yaml', '--compare', 'small.toml', '--html', 'r.html'], dir)
      expect(code).toBe(0)
      return readFile(join(dir, 'r.html'), 'utf8')
    }
    const html = await page()
    expect(await page()).toBe(html)
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|(?:src|href)="(?!#)/)
    for (const id of ['compared', 'changed', 'missed', 'all']) expect(html).toContain(`<h2 id="${id}">`)
    expect(html).toContain('<td class="short">lost</td>')
    expect(html).toContain('hello<br>what about a deposit?')
    await evaluate(['q.yaml', '--html', 'alone.html'], dir)
    const alone = await readFile(join(dir, 'alone.html'), 'utf8')
    expect(alone).not.toContain('<h2 id="compared">')
    expect(alone).toContain('For no question.')
  })
})
