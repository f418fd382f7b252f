/** Two checks of more than one request: a real question, and a flood. */

import { codeOf, type Target } from './probe-checks.ts'
import { type Answered, send } from './probe-http.ts'
import { leak, type Outcome } from './probe-outcome.ts'

const TIMEOUT_MS = 130_000
/** A limit that lets more through in a minute protects nobody. */
const MOST_IN_A_MINUTE = 120

/** Asks one question, and looks whether the answer is a whole stream. */
export async function askCheck(url: URL, { origin, hash }: Target, question: string): Promise<Outcome> {
  const name = 'answers a question as a stream of the AI SDK'
  const body = JSON.stringify({ hash, messages: [{ role: 'user', content: question }] })
  try {
    const answer = await send(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', origin }, body },
      TIMEOUT_MS,
    )
    return { name, problem: judgeStream(answer) ?? leak(answer) }
  } catch (error) {
    return { name, problem: (error as Error).message }
  }
}

function judgeStream({ status, headers, body }: Answered): string | undefined {
  if (status !== 200) return `status ${status}`
  if (!headers['content-type']?.startsWith('text/event-stream')) return `content type ${headers['content-type']}`
  if (!/no-transform/.test(headers['cache-control'] ?? ''))
    return 'no Cache-Control: no-transform: a server between may hold it back'
  if (headers['content-encoding']) return `it is compressed (${headers['content-encoding']}), which holds it back`
  const types = Array.from(body.matchAll(/^data: \{"type":"([\w-]+)"/gm), ([, type]) => type)
  if (types[0] !== 'start' || types[1] !== 'data-receipt') return 'it does not begin with start and data-receipt'
  if (types.includes('error')) return `it ends in an error: ${/"code":"([\w-]+)"/.exec(body)?.[1]}`
  if (types.at(-1) !== 'finish' || !body.trimEnd().endsWith('data: [DONE]')) return 'it has no end'
  return types.includes('text-delta') ? undefined : 'it has no text'
}

/** Sends what is malformed, and so costs nothing, until it is too much; then with other addresses in headers. */
export async function floodCheck(url: URL, { origin }: Target): Promise<Outcome> {
  const name = 'lets an address ask only so often, whatever address it claims'
  const once = (claimed: Record<string, string> = {}) =>
    send(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', origin, ...claimed }, body: '{}' },
      TIMEOUT_MS,
    )
  try {
    let answer = await once()
    for (let sent = 1; answer.status !== 429; sent++) {
      if (sent >= MOST_IN_A_MINUTE) return { name, problem: `${sent} requests in a row were all taken` }
      answer = await once()
    }
    if (codeOf(answer) !== 'rate-limited' || !(Number(answer.headers['retry-after']) > 0)) {
      return { name, problem: 'the refusal has no Retry-After' }
    }
    return { name, problem: await spoof(once) }
  } catch (error) {
    return { name, problem: (error as Error).message }
  }
}

const ADDRESS_HEADERS = [
  'x-forwarded-for',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-client-ip',
  'forwarded',
]

async function spoof(once: (claimed: Record<string, string>) => Promise<Answered>): Promise<string | undefined> {
  for (const [at, header] of ADDRESS_HEADERS.entries()) {
    const { status } = await once({ [header]: `${header === 'forwarded' ? 'for=' : ''}198.51.100.${at + 1}` })
    if (status !== 429) return `an invented ${header} gets around the limit`
  }
  return undefined
}
