/** Compares what the page packed with what the proxy says it sent: they must name the same sections and tokens. */

import type { Receipt } from '../types.ts'
import type { Answer } from './conversation.ts'

export interface Comparison {
  state: 'match' | 'mismatch' | 'none'
  /** One line for each difference. */
  problems: string[]
  receipt: Receipt | undefined
}

export function compareReceipt({ pack, receipt }: Pick<Answer, 'pack' | 'receipt'>): Comparison {
  if (!receipt) return { state: 'none', problems: [], receipt }
  const problems = pack
    ? [...compareTotals(pack, receipt), ...compareSections(pack, receipt)]
    : ['the page had no pack: search was off']
  return { state: problems.length > 0 ? 'mismatch' : 'match', problems, receipt }
}

type Sent = Pick<Receipt, 'hash' | 'tokens' | 'budget'> & { sections: { id: number; tokens: number }[] }

function compareTotals(pack: Sent, receipt: Sent): string[] {
  const keys = ['hash', 'tokens', 'budget'] as const
  return keys
    .filter((key) => pack[key] !== receipt[key])
    .map((key) => `${key}: ${pack[key]} packed, ${receipt[key]} sent`)
}

function compareSections(pack: Sent, receipt: Sent): string[] {
  const length = Math.max(pack.sections.length, receipt.sections.length)
  return Array.from({ length }, (_, index) => {
    const [packed, sent] = [pack.sections[index], receipt.sections[index]]
    if (packed?.id !== sent?.id)
      return `passage ${index + 1}: section ${packed?.id ?? 'none'} packed, ${sent?.id ?? 'none'} sent`
    return packed?.tokens === sent?.tokens
      ? ''
      : `section ${packed?.id}: ${packed?.tokens} tokens packed, ${sent?.tokens} sent`
  }).filter(Boolean)
}
