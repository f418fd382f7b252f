/** What a deployed proxy has to do: one request each, and what its answer has to be. */

import type { Answered, Sent } from './probe-http.ts'

/** What is known of the endpoint. */
export interface Target {
  origin: string
  /** The knowledge base's hash, from `GET`. */
  hash: string
}

/** One check. `judge` says what is wrong, or nothing. */
export interface Check {
  name: string
  sent: Sent
  judge: (answer: Answered) => string | undefined
  /** Longest wait for the answer, in milliseconds. Default 20,000. */
  timeoutMs?: number
}

const QUESTION = { role: 'user', content: 'Is this endpoint safe?' }

/** The checks, those that count as a visitor's questions last. None of them reaches the model. */
export function checksFor(target: Target): Check[] {
  return [...headChecks(target), ...bodyChecks(target), ...originChecks(target), ...shapeChecks(target)]
}

function post({ origin }: Target, body: Sent['body'], headers: Record<string, string> = {}): Sent {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    ...(body !== undefined && { body }),
  }
}

function good({ hash }: Target, change: Record<string, unknown> = {}): string {
  return JSON.stringify({ hash, sections: [], messages: [QUESTION], ...change })
}

/** The answer has to be a refusal in JSON with this status, readable by the page. */
function refused(target: Target, status: number, code?: string): Check['judge'] {
  return (answer) => {
    if (answer.status !== status) return `status ${answer.status} instead of ${status}`
    if (code && codeOf(answer) !== code) return `code ${codeOf(answer) ?? 'missing'} instead of ${code}`
    return readable(target, answer)
  }
}

function readable({ origin }: Target, { headers }: Answered): string | undefined {
  if (headers['access-control-allow-origin'] !== origin)
    return 'no Access-Control-Allow-Origin: the page cannot read it'
  return /\borigin\b/i.test(headers.vary ?? '') ? undefined : 'no Vary: Origin: a cache can give it to another site'
}

export function codeOf({ body }: Answered): string | undefined {
  try {
    return (JSON.parse(body) as { code?: string }).code
  } catch {
    return undefined
  }
}

function headChecks(target: Target): Check[] {
  const preflight = (origin: string): Sent => ({
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })
  return [
    {
      name: 'answers a preflight of the page, for some time',
      sent: preflight(target.origin),
      judge: (answer) => {
        const { headers, status } = answer
        if (status !== 204 && status !== 200) return `status ${status}`
        if (!/POST/.test(headers['access-control-allow-methods'] ?? '')) return 'POST is not allowed'
        if (!/content-type/i.test(headers['access-control-allow-headers'] ?? '')) return 'Content-Type is not allowed'
        if (!(Number(headers['access-control-max-age']) > 0)) return 'no Access-Control-Max-Age'
        return readable(target, answer)
      },
    },
    { name: 'lets no preflight of another site pass', sent: preflight('https://evil.example'), judge: closedTo },
    {
      name: 'refuses other methods',
      sent: { ...post(target, good(target)), method: 'PUT' },
      judge: refused(target, 405),
    },
    {
      name: 'refuses other content types, which a page can send without a preflight',
      sent: post(target, good(target), { 'content-type': 'text/plain' }),
      judge: refused(target, 415),
    },
  ]
}

const closedTo = ({ headers }: Answered) =>
  headers['access-control-allow-origin'] === undefined
    ? undefined
    : `it allows ${headers['access-control-allow-origin']}`

function bodyChecks(target: Target): Check[] {
  return [
    {
      name: 'refuses a body of 10 MB without Content-Length, and does not take it',
      sent: post(target, pieces(640)),
      judge: (answer) => {
        const wrong = refused(target, 413)(answer)
        return wrong ?? (answer.sentBytes > 9_000_000 ? 'it took the whole body' : undefined)
      },
    },
    {
      name: 'does not wait for a body that does not come',
      sent: { ...post(target, '{'), unfinished: true },
      judge: ({ status }) => (status === 408 || status === 400 ? undefined : `status ${status} instead of 408`),
      timeoutMs: 25_000,
    },
  ]
}

/** So many pieces of 16 kB of white space, which JSON allows. */
function* pieces(count: number): Generator<Uint8Array> {
  for (let at = 0; at < count; at++) yield new Uint8Array(16_384).fill(0x20)
}

function originChecks(target: Target): Check[] {
  const { protocol, host, hostname } = new URL(target.origin)
  const foreign = [
    'null',
    `${protocol}//${host}.evil.example`,
    `${protocol}//evil-${host}`,
    `${protocol}//evil.${hostname}`,
    `${protocol}//${hostname}:4711`,
    `${protocol === 'https:' ? 'http:' : 'https:'}//${host}`,
    `${target.origin}/`,
    `${target.origin}@evil.example`,
  ]
  const closed: Check['judge'] = (answer) =>
    answer.status === 403 ? closedTo(answer) : `status ${answer.status} instead of 403`
  const { origin: _, ...bare } = post(target, good(target)).headers
  return [
    {
      name: 'refuses a request without an origin',
      sent: { ...post(target, good(target)), headers: bare },
      judge: closed,
    },
    ...foreign.map((origin) => ({
      name: `refuses the origin ${origin}`,
      sent: post(target, good(target), { origin }),
      judge: closed,
    })),
  ]
}

function shapeChecks(target: Target): Check[] {
  const bad: [string, string][] = [
    ['a model of the visitor’s choice', good(target, { model: 'gpt-5-pro' })],
    ['a system text', good(target, { system: 'You are a coding bot' })],
    ['tools', good(target, { tools: [] })],
    ['a number of tokens', good(target, { max_tokens: 100_000 })],
    ['a message in the role of the system', good(target, { messages: [{ role: 'system', content: 'x' }, QUESTION] })],
    ['__proto__', good(target).replace('{', '{"__proto__":{"model":"x"},')],
    ['1,000 messages', good(target, { messages: Array(1000).fill(QUESTION) })],
    ['what is no JSON', '{"hash":'],
  ]
  return [
    ...bad.map(([what, body]) => ({
      name: `refuses ${what}`,
      sent: post(target, body),
      judge: refused(target, 400, 'bad-request'),
    })),
    {
      name: 'refuses sections that are not there',
      sent: post(target, good(target, { sections: [999_999] })),
      judge: refused(target, 400, 'unknown-section'),
    },
    {
      name: 'refuses another hash, and says its own',
      sent: post(target, good(target, { hash: 'f'.repeat(32) })),
      judge: (answer) =>
        refused(target, 409, 'stale')(answer) ??
        (answer.body.includes(target.hash) ? undefined : 'the answer does not name its hash'),
    },
  ]
}
