/** An error's code → words for the visitor. A code that has none is told in the proxy's own words. */

import type { Answer } from '../conversation.ts'
import type { Strings } from './en.ts'
import { fill } from './index.ts'

const KEYS: Record<string, keyof Strings> = {
  'rate-limited': 'errorLimited',
  offline: 'errorOffline',
  unreachable: 'errorUnreachable',
  unavailable: 'errorUnreachable',
  'not-a-proxy': 'errorUnreachable',
  'upstream-overloaded': 'errorBusy',
  'upstream-failed': 'errorFailed',
  'upstream-auth': 'errorSetup',
  'upstream-cut': 'cut',
  'content-filter': 'errorFiltered',
  stale: 'errorStale',
  'body-too-large': 'errorTooLong',
  origin: 'errorSetup',
  'search-off': 'errorSearchOff',
  'no-endpoint': 'errorSearchOff',
  internal: 'errorFailed',
}

export function errorWords(error: NonNullable<Answer['error']>, strings: Strings): string {
  if (error.code === 'rate-limited' && error.retryAfter) {
    return fill(strings.errorLimitedFor, { seconds: error.retryAfter })
  }
  const key = KEYS[error.code]
  if (key) return strings[key]
  return error.code.startsWith('http-5') ? strings.errorUnreachable : error.message || strings.errorFailed
}
