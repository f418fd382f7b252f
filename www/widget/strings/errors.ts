/** An error's code → words for the visitor. A code that has none is told in the proxy's own words. */

import type { Answer } from '../conversation.ts'
import type { Strings } from './en.ts'
import { fill } from './index.ts'

const KEYS: Record<string, keyof Strings> = {
  'rate-limited': 'errorLimited',
  'budget-spent': 'errorBudget',
  offline: 'errorOffline',
  unreachable: 'errorUnreachable',
  unavailable: 'errorUnreachable',
  'not-a-proxy': 'errorUnreachable',
  'upstream-overloaded': 'errorBusy',
  'upstream-failed': 'errorFailed',
  'upstream-auth': 'errorSetup',
  'upstream-cut': 'cut',
  'content-filter': 'errorFiltered',
  'answer-withheld': 'errorFiltered',
  stale: 'errorStale',
  'body-too-large': 'errorTooLong',
  'body-slow': 'errorUnreachable',
  origin: 'errorSetup',
  human: 'errorSetup',
  'search-off': 'errorSearchOff',
  'no-endpoint': 'errorSearchOff',
  'wasm-blocked': 'errorBlocked',
  internal: 'errorFailed',
}

export function errorWords(error: NonNullable<Answer['error']>, strings: Strings, language: string): string {
  if (error.code === 'rate-limited' && error.retryAfter) {
    return fill(strings.errorLimitedFor, { time: duration(error.retryAfter, language) })
  }
  const code = [error.why, error.code].find((code) => code !== undefined && Object.hasOwn(KEYS, code))
  if (code) return strings[KEYS[code] as keyof Strings]
  return error.code.startsWith('http-5') ? strings.errorUnreachable : error.message || strings.errorFailed
}

/** Seconds in the language's own words and plural: `30 seconds`, `2 minutes`. Over 90 seconds in minutes, over 90 minutes in hours. */
export function duration(seconds: number, language: string): string {
  const [count, unit] =
    seconds <= 90 ? [seconds, 'second'] : seconds <= 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(count))
}
