/** What came of a check, and what no answer may hold. */

import type { Answered } from './probe-http.ts'

/** What came of one check: nothing, or what is wrong. */
export interface Outcome {
  name: string
  problem: string | undefined
}

/** What no answer of a proxy holds: keys, places in code, addresses of providers. */
const LEAKS = /\bsk-[\w-]{4,}|\n\s+at \S+ \(|node_modules|api\.openai\.com|api\.anthropic\.com|<\/?passage/

/** What got out that must not. */
export function leak({ headers, body }: Answered): string | undefined {
  const found = LEAKS.exec(`${JSON.stringify(headers)}\n${body}`)
  return found ? `the answer holds ${JSON.stringify(found[0].slice(0, 12))}` : undefined
}
