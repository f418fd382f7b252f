/** What `explain` says of reasons and of terms, those that are not in every build included. */

import { describe, expect, it } from 'vitest'
import { explainPage } from '../../www/cli/explain-html.ts'
import { explanationLines } from '../../www/cli/explain-text.ts'
import { fromWords, leftWords, sentWords, tokensByWhy } from '../../www/cli/reasons.ts'
import type { Explanation, QueryTerm } from '../../www/types.ts'

const term = (more: object) =>
  ({ term: 'refund', word: 'refund', weight: 1, idf: 1, df: 2, message: 0, ...more }) as QueryTerm

const section = (why: string, tokens: number) => ({
  ...{ id: 0, ref: `a.md#${why}`, title: why, path: [why], url: '', tokens, score: 0, terms: [] },
  ...{ why, parts: [] as { term: string; tf: number; score: number }[] },
})

const EXPLANATION = {
  ids: [0],
  sections: [section('pinned', 10), section('scored', 20), section('neighbor', 30), section('floor', 5)],
  leftOut: [
    { ...section('', 7), reason: 'repeat' },
    { ...section('', 8), reason: 'too-large' },
    { ...section('', 9), reason: 'eaten' },
  ],
  terms: [
    term({ origin: 'asked' }),
    term({ term: 'money', word: 'cash', origin: 'synonym', message: 1 }),
    term({ word: 'refnud', origin: 'typo' }),
  ],
  tokens: 65,
  budget: 100,
  floor: 50,
  coverage: { value: 0, level: 'unasked', missing: [] },
  hash: '0'.repeat(32),
} as unknown as Explanation

const OLD = {
  characters: 1,
  of: 1,
  sections: 1,
  pinned: { sent: 0, of: 0, missing: [] },
  matching: { sent: 0, of: 0, missing: [] },
}

describe('reasons', () => {
  it('are words, and those that are not known are shown as they are', () => {
    expect(['pinned', 'scored', 'neighbor', 'floor', 'luck'].map(sentWords)).toEqual([
      'pinned',
      'scored',
      'beside a match',
      'floor, in file order',
      'luck',
    ])
    expect(['too-large', 'repeat', 'no-match', 'eaten'].map(leftWords)).toEqual([
      'did not fit',
      'repeats one that is sent',
      'no match',
      'eaten',
    ])
  })

  it('say of a term where it comes from', () => {
    expect(fromWords(term({}))).toEqual({ word: 'refund', note: '' })
    expect(fromWords(term({ origin: 'asked', message: 2 })).note).toBe('2 messages earlier')
    expect(fromWords(term({ origin: 'typo' })).note).toBe('the nearest word')
    expect(fromWords(term({ origin: 'synonym', message: 1 })).note).toBe('a synonym, 1 message earlier')
  })

  it('are added up, so that all tokens are in the sum', () => {
    const sums = tokensByWhy(EXPLANATION.sections)
    expect(sums).toEqual([
      { why: 'pinned', tokens: 10 },
      { why: 'scored', tokens: 20 },
      { why: 'neighbor', tokens: 30 },
      { why: 'floor', tokens: 5 },
    ])
    expect(tokensByWhy([])).toEqual(['pinned', 'scored', 'floor'].map((why) => ({ why, tokens: 0 })))
    expect(tokensByWhy([{ why: 'luck', tokens: 3 }]).at(-1)).toEqual({ why: 'luck', tokens: 3 })
  })

  it('are printed, and stand on the page', () => {
    const text = explanationLines(EXPLANATION, OLD).join('\n')
    for (const words of [
      'beside a match',
      'repeats one that is sent',
      'eaten',
      'cash (a synonym, 1 message earlier)',
      'refnud (the nearest word)',
    ])
      expect(text).toContain(words)
    expect(text).toContain('(pinned 10, scored 20, neighbor 30, floor 5)')
    expect(text).toContain('0.00, unasked')
    const html = explainPage(['x'], EXPLANATION, OLD)
    for (const words of ['repeats one that is sent', 'cash (a synonym, 1 message earlier)', '<rect class="neighbor"'])
      expect(html).toContain(words)
  })
})
