/** The measures, against numbers worked out by hand. */

import { describe, expect, it } from 'vitest'
import { auroc, quality, quantile } from '../../www/cli/metrics.ts'

const grades = (relevant: Record<string, number>) => new Map(Object.entries(relevant))

describe('quality', () => {
  it('is 1 in everything for a perfect ranking', () => {
    const perfect = { ranked: ['a', 'b'], packed: ['b', 'a'], relevant: grades({ a: 2, b: 1 }) }
    expect(quality([perfect])).toEqual({
      'hit@1': 1,
      'hit@5': 1,
      'mrr@10': 1,
      'ndcg@10': 1,
      'recall@10': 1,
      'recall@budget': 1,
    })
  })

  it('is 0 in everything when nothing comes back', () => {
    const nothing = { ranked: [], packed: [], relevant: grades({ a: 1 }) }
    expect(Object.values(quality([nothing]))).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('takes the mean over questions, with linear gain', () => {
    // a in second place of two: 1/log2(3) = 0.63093; first place 1/2.
    const one = { ranked: ['x', 'a'], packed: ['a'], relevant: grades({ a: 1 }) }
    // c then b: 1 + 3/log2(3) = 2.89279; best b, d, c: 3 + 2/log2(3) + 1/2 = 4.76186; 2.89279 / 4.76186 = 0.60749.
    const two = { ranked: ['c', 'b'], packed: ['b', 'd', 'z'], relevant: grades({ b: 3, c: 1, d: 2 }) }
    expect(quality([one, two])).toEqual({
      'hit@1': 0.5,
      'hit@5': 1,
      'mrr@10': 0.75,
      // (0.63093 + 0.60749) / 2
      'ndcg@10': 0.6192,
      // (1 + 2/3) / 2
      'recall@10': 0.8333,
      'recall@budget': 0.8333,
    })
  })

  it('looks at ten places only', () => {
    const ten = Array.from({ length: 10 }, (_, i) => `x${i}`)
    const late = { ranked: [...ten, 'a'], packed: [], relevant: grades({ a: 1 }) }
    expect(Object.values(quality([late]))).toEqual([0, 0, 0, 0, 0, 0])
    const sixth = { ranked: [...ten.slice(0, 5), 'a'], packed: [], relevant: grades({ a: 1 }) }
    // 1/6, and 1/log2(7) = 0.35621
    expect(quality([sixth])).toMatchObject({ 'hit@5': 0, 'mrr@10': 0.1667, 'ndcg@10': 0.3562, 'recall@10': 1 })
  })

  it('measures against ten relevant sections at most in nDCG, and against all in recall', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, 1]))
    const full = { ranked: Object.keys(many).slice(0, 10), packed: [], relevant: grades(many) }
    expect(quality([full])).toMatchObject({ 'ndcg@10': 1, 'recall@10': 0.5 })
  })
})

describe('auroc', () => {
  it('counts the pairs in order, ties as half', () => {
    // 0.9 over both, 0.5 over 0.1 and level with 0.5: 3.5 of 4 pairs.
    expect(auroc([0.9, 0.5], [0.5, 0.1])).toBe(0.875)
    expect(auroc([1, 1], [0])).toBe(1)
    expect(auroc([0], [1])).toBe(0)
    expect(auroc([0.3, 0.3, 0.3], [0.3, 0.3])).toBe(0.5)
  })

  it('equals a count of all pairs', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 16807) % 2147483647
      return (seed % 12) / 12
    }
    const [ups, downs] = [Array.from({ length: 60 }, random), Array.from({ length: 45 }, random)]
    const pairs = ups.flatMap((up) => downs.map((down) => (up > down ? 1 : up === down ? 0.5 : 0)))
    expect(auroc(ups, downs)).toBeCloseTo(pairs.reduce((sum: number, pair) => sum + pair, 0) / pairs.length, 4)
  })
})

it('quantile takes a value of the list', () => {
  expect(quantile([5, 1, 3], 0.5)).toBe(3)
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(3)
  expect(
    quantile(
      Array.from({ length: 200 }, (_, i) => i),
      0.99,
    ),
  ).toBe(198)
  expect(quantile([8], 0.99)).toBe(8)
})
