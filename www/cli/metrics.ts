/** Retrieval quality over judged questions, as trec_eval defines it (linear gain in nDCG). Pure. */

/** One question's outcome. */
export interface Judged {
  /** Refs, best first. */
  ranked: string[]
  /** Refs in the pack. */
  packed: string[]
  /** Relevant refs with their grades, each over 0. */
  relevant: ReadonlyMap<string, number>
}

/** Means over the questions, each 0 to 1, rounded to four places. */
export interface Quality {
  /** Share of questions with a relevant section in first place. */
  'hit@1': number
  'hit@5': number
  /** 1 / the place of the first relevant section; 0 when it is not among ten. */
  'mrr@10': number
  'ndcg@10': number
  /** Share of the relevant sections among the first ten. */
  'recall@10': number
  /** Share of the relevant sections in the pack. */
  'recall@budget': number
}

/** The measures of one question, each 0 to 1. */
const MEASURES: Record<keyof Quality, (one: Judged) => number> = {
  'hit@1': (one) => hit(one, 1),
  'hit@5': (one) => hit(one, 5),
  'mrr@10': reciprocalRank,
  'ndcg@10': ndcg,
  'recall@10': (one) => recall(one.ranked.slice(0, 10), one.relevant),
  'recall@budget': (one) => recall(one.packed, one.relevant),
}

/** Names of the measures, in the order they are printed. */
export const MEASURE_NAMES = Object.keys(MEASURES) as (keyof Quality)[]

/** Quality over `judged`, which is not empty. */
export function quality(judged: Judged[]): Quality {
  const entries = MEASURE_NAMES.map((name) => [name, round(mean(values(judged, name)))])
  return Object.fromEntries(entries) as unknown as Quality
}

/** One measure of each question. */
export const values = (judged: Judged[], name: keyof Quality): number[] => judged.map(MEASURES[name])

/** The place of the first relevant section among the first ten, from 1; 0 beyond. */
export const placeOf = ({ ranked, relevant }: Judged): number =>
  ranked.slice(0, 10).findIndex((ref) => relevant.has(ref)) + 1

/** Whether a relevant section is in the pack. */
export const isPacked = ({ packed, relevant }: Judged): boolean => packed.some((ref) => relevant.has(ref))

/** How two systems differ on the same questions. */
export interface Difference {
  /** Mean of `b - a`. */
  mean: number
  /** 95% interval of that mean. When it does not hold 0, it is no chance of these questions. */
  low: number
  high: number
}

/** Draws of the bootstrap: the bounds then move by less than their last printed place from seed to seed. */
const DRAWS = 10_000

/**
 * Mean difference of paired values with its 95% interval, by the percentile bootstrap over questions (Efron 1979; Smucker, Allan and
 * Carterette 2007 compare it with other tests in retrieval). The same values give the same interval: draws come from a fixed seed.
 */
export function pairedBootstrap(a: number[], b: number[], draws = DRAWS): Difference {
  const differences = a.map((value, i) => (b[i] ?? 0) - value)
  const random = generator(20_070_611)
  const means = Array.from({ length: draws }, () => {
    let sum = 0
    for (let i = 0; i < differences.length; i++) sum += differences[Math.floor(random() * differences.length)] ?? 0
    return sum / differences.length
  }).sort((x, y) => x - y)
  const at = (share: number) => round(means[Math.min(draws - 1, Math.floor(share * draws))] ?? 0)
  return { mean: round(mean(differences)), low: at(0.025), high: at(0.975) }
}

const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length

/** Numbers from 0 to below 1: mulberry32. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Area under the ROC curve: the chance that a value of `positives` is over one of `negatives`, ties counted as half.
 * 0.5 is a coin. By rank sum (Mann and Whitney 1947), tied values sharing their mean rank.
 */
export function auroc(positives: number[], negatives: number[]): number {
  const all = [
    ...positives.map((value) => ({ value, positive: 1 })),
    ...negatives.map((value) => ({ value, positive: 0 })),
  ].sort((a, b) => a.value - b.value)
  let rankSum = 0
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && all[to]?.value === all[from]?.value) to++
    const meanRank = (from + 1 + to) / 2
    for (const one of all.slice(from, to)) rankSum += one.positive * meanRank
  }
  const pairs = positives.length * negatives.length
  return round((rankSum - (positives.length * (positives.length + 1)) / 2) / pairs)
}

/** The value below which a share `p` of `values` lies; `p` 0.5 gives the upper median. */
export function quantile(values: number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? 0
}

const hit = ({ ranked, relevant }: Judged, k: number) => (ranked.slice(0, k).some((ref) => relevant.has(ref)) ? 1 : 0)

function reciprocalRank(one: Judged): number {
  const place = placeOf(one)
  return place === 0 ? 0 : 1 / place
}

/** Σ grade / log2(place + 1) over the first ten, divided by the same sum for the best possible order. */
function ndcg({ ranked, relevant }: Judged): number {
  const ideal = [...relevant.values()].sort((a, b) => b - a)
  return gain(ranked.map((ref) => relevant.get(ref) ?? 0)) / gain(ideal)
}

const gain = (grades: number[]) => grades.slice(0, 10).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0)

const recall = (found: string[], relevant: ReadonlyMap<string, number>) =>
  found.filter((ref) => relevant.has(ref)).length / relevant.size

const round = (value: number) => Number(value.toFixed(4))
