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

/** Quality over `judged`, which is not empty. */
export function quality(judged: Judged[]): Quality {
  const mean = (measure: (one: Judged) => number) =>
    round(judged.reduce((sum, one) => sum + measure(one), 0) / judged.length)
  return {
    'hit@1': mean((one) => hit(one, 1)),
    'hit@5': mean((one) => hit(one, 5)),
    'mrr@10': mean(reciprocalRank),
    'ndcg@10': mean(ndcg),
    'recall@10': mean((one) => recall(one.ranked.slice(0, 10), one.relevant)),
    'recall@budget': mean((one) => recall(one.packed, one.relevant)),
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

function reciprocalRank({ ranked, relevant }: Judged): number {
  const place = ranked.slice(0, 10).findIndex((ref) => relevant.has(ref))
  return place < 0 ? 0 : 1 / (place + 1)
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
