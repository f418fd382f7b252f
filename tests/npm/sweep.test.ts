/** `pinpack eval --sweep`: one build for each value, one table. */

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONFIG, DIST, folderOf, node, PAGES } from './fixture.ts'

/** A page of one heading with many sentences; only the last speaks of whales. */
const LONG = `# Animals\n\n${Array.from({ length: 60 }, (_, i) => `The harbor was quiet on evening number ${i} and the boats stayed in.`).join(' ')}\n\nAt last the whales came.\n`
const QUESTIONS = `
- question: who is Remi?
  expect: content/dog.md#the-studio-dog
- question: when did the whales come?
  expect: content/long.md#animals
`

const site = (questions = QUESTIONS) =>
  folderOf({ ...PAGES, 'content/long.md': LONG, 'pinpack.toml': `# mine\n${CONFIG}`, 'q.yaml': questions })
const sweep = (args: string[], cwd: string) => node([join(DIST, 'cli.js'), 'eval', ...args], { cwd })

describe('eval --sweep', () => {
  it('builds and measures each value', async () => {
    const { code, stdout, stderr } = await sweep(
      ['q.yaml', '--sweep', 'sections.target=64,2000', '--sweep', 'sections.max=100,3000', '--json'],
      await site(),
    )
    expect(stderr).toBe('')
    expect(code).toBe(0)
    const { queries, rows } = JSON.parse(stdout)
    expect(queries).toBe(2)
    expect(rows.map(({ settings }: { settings: Record<string, string> }) => Object.values(settings))).toEqual([
      ['64', '100'],
      ['64', '3000'],
      ['2000', '100'],
      ['2000', '3000'],
    ])
    // A target over the maximum is no build.
    expect(rows[2].error.code).toBe('config-value')
    // In pieces, and whole: the page about the dog, the two of the refunds and the rule are the other four sections.
    expect(rows[0].sections).toBeGreaterThan(8)
    expect(rows[3].sections).toBe(5)
    // The last piece is `animals~N`: it counts for the section that it is a piece of.
    expect(rows[0]).toMatchObject({ 'hit@1': 1, 'recall@budget': 1 })
    expect(rows[3]).toMatchObject({ 'hit@1': 1, 'mrr@10': 1, 'ndcg@10': 1 })
    expect(rows[0].blobBytes).toBeGreaterThan(0)
  })

  it('prints one table', async () => {
    const { code, stdout } = await sweep(['q.yaml', '--sweep', 'budget.encoding=o200k_base,cl100k_base'], await site())
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/budget\.encoding +hit@1 +hit@5 +mrr@10 +ndcg@10 +recall@budget +sections +blob/)
    expect(lines[1]).toMatch(/o200k_base +1\.0000\* +1\.0000\* .* \d+ +[\d.]+ kB/)
    expect(lines[2]).toContain('cl100k_base')
    expect(lines).toHaveLength(4)
  })

  it.each([
    ['an unknown key', 'sections.targt=200', 1, 'error[config-key]', 'targt'],
    ['an unknown table', 'sectoins.target=200', 1, 'error[config-key]', 'sectoins'],
    ['another kind of value', 'sections.target=many', 1, 'error[config-key]', 'sections.target'],
    ['no value', 'sections.target=', 2, 'error[usage]', 'key=value'],
    ['no key', '200,300', 2, 'error[usage]', 'key=value'],
    ['too many builds', `sections.target=${Array.from({ length: 65 }, (_, i) => i + 100)}`, 2, 'error[usage]', '64'],
  ])('refuses %s', async (_, option, exit, code, named) => {
    const run = await sweep(['q.yaml', '--sweep', option], await site())
    expect(run.code).toBe(exit)
    expect(run.stderr).toContain(code)
    expect(run.stderr).toContain(named)
    expect(run.stdout).toBe('')
  })

  it('says once which refs are no section of any size', async () => {
    const questions = `${QUESTIONS}- question: gone\n  expect: content/gone.md#x\n`
    const { stderr } = await sweep(['q.yaml', '--sweep', 'sections.target=64,200'], await site(questions))
    expect(stderr.match(/warning\[ref-unknown\]/g)).toHaveLength(1)
  })

  it('is not for a built blob', async () => {
    const { code, stderr } = await sweep(
      ['q.yaml', '--sweep', 'sections.target=64', '--blob', 'x.pinpack'],
      await site(),
    )
    expect(code).toBe(2)
    expect(stderr).toContain('--blob')
  })
})
