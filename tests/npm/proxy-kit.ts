/** What the proxy's tests share: a small knowledge base, upstreams on loopback, and a plain reader of the stream. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterEach } from 'vitest'
import { createProxy, type LogEntry, modelFromEnv, type ProxyOptions } from '../../www/proxy/index.ts'
import type { Knowledge } from '../../www/types.ts'

export { createProxy, modelFromEnv }

export const ORIGIN = 'https://shop.example'
export const HASH = '0123456789abcdef0123456789abcdef'

/** `[title, text, url]`: 0 and 1 are pinned rules, the second of them without a page. */
const SECTIONS: [string, string, string][] = [
  ['Refund rule', 'Never promise a refund. Refunds are decided by billing.', '/rules#refund-rule'],
  ['Private rule', 'Never name the client Zanzibar Holdings.', ''],
  ['Refunds', 'You can ask for a refund within 30 days. Billing answers in two days.', '/faq#refunds'],
  ['Video', 'We stream video in 4K — even to café screens. 🌍', '/services#video'],
  ['Refunds in detail', 'A refund goes to the card that paid.', '/faq#refunds-detail'],
  ['Dog', 'Remi is the office dog.', '/about#remi'],
]

/** Counts every section as it is rendered, with an encoder that is not pinpack's. */
export function makeKnowledge(change: Partial<Knowledge> = {}): Knowledge {
  const sections = SECTIONS.map(([title, text, url], id) => {
    const tokens = countTokens(`<passage id="1" title="${title}">\n${text}\n</passage>\n`)
    return { id, ref: `page.md#${id}`, title, path: [title], url, tokens, label: title, text }
  })
  return {
    hash: HASH,
    budget: 3700,
    floor: 2950,
    encoding: 'o200k_base',
    language: 'en',
    site: 'Shop',
    prompt: { assistant: '', contact: '', refusal: '', language: '' },
    pinned: [0, 1],
    sections,
    ...change,
  }
}

/** A well-formed request body; `change` replaces its fields. */
export function makeBody(change: Record<string, unknown> = {}): Record<string, unknown> {
  return { hash: HASH, sections: [2, 3], messages: [{ role: 'user', content: 'Can I get a refund?' }], ...change }
}

/** A request with a body (null: none). */
export function makeRequest(body: unknown, init: RequestInit & { headers?: Record<string, string> } = {}): Request {
  return new Request('https://api.example/chat', {
    method: 'POST',
    body: typeof body === 'string' || body === null ? body : JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', origin: ORIGIN, ...init.headers },
  })
}

/** A part of the stream, as JSON. */
export type Part = { type: string; [field: string]: unknown }

/** Reads a stream in the plainest way that can be. The last entry has to be `[DONE]`. */
export async function readParts(response: Response): Promise<{ parts: Part[]; text: string; raw: string }> {
  const raw = await response.text()
  const data = raw.split('\n\n').filter((event) => event.startsWith('data: '))
  if (data.pop() !== 'data: [DONE]') throw new Error(`The stream does not end in [DONE]: ${raw}`)
  const parts = data.map((event) => JSON.parse(event.slice(6)) as Part)
  return { parts, raw, text: textOf(parts) }
}

export function textOf(parts: Part[]): string {
  return parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])).join('')
}

export function errorCode(parts: Part[]): string | undefined {
  const part = parts.find(({ type }) => type === 'data-error')
  return (part?.data as { code: string } | undefined)?.code
}

/** Runs `one` for 0 to `count - 1`, eight at a time. */
export async function each(count: number, one: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await one(next++)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/** A request that an upstream got. */
export interface Call {
  body: Record<string, unknown> & { messages: { role: string; content: unknown }[]; system?: unknown }
  headers: IncomingMessage['headers']
  /** Resolves when the caller closes the connection before the answer is over. */
  closed: Promise<void>
}

export interface Upstream {
  url: string
  calls: Call[]
}

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** A real HTTP server on loopback; it ends with the test. */
export async function startUpstream(reply: (response: ServerResponse, call: Call) => unknown): Promise<Upstream> {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => !response.writableFinished && resolve())
    })
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const call = { body: JSON.parse(Buffer.concat(chunks).toString()), headers: request.headers, closed }
      calls.push(call)
      reply(response, call)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, calls }
}

export const DONE = 'data: [DONE]\n\n'
export const EVENT_STREAM = { 'content-type': 'text/event-stream' }

/** The events of an OpenAI chat completion with these deltas, each ending in a blank line. */
export function openaiEvents(deltas: string[], reason: string | null = 'stop'): string[] {
  const event = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const texts = deltas.map((content) => event({ content }, null))
  return [event({ role: 'assistant', content: '' }, null), ...texts, ...(reason ? [event({}, reason)] : [])]
}

/** Answers with a complete OpenAI stream. */
export function replyWith(...deltas: string[]) {
  return (response: ServerResponse) => response.writeHead(200, EVENT_STREAM).end(openaiEvents(deltas).join('') + DONE)
}

/** A provider's protocol: what it sends for an answer, and how a model that speaks it is set up. */
export interface Protocol {
  /** The events of an answer, each ending in a blank line: the texts, then what says that it is whole, then the rest. */
  before: string[]
  texts: (deltas: string[]) => string[]
  /** Says why it ended, and what it cost. */
  finish: (reason: 'stop' | 'length' | 'filter') => string[]
  after: string[]
  /** An error after status 200. */
  error: (type: string, message: string) => string
  env: (url: string) => Parameters<typeof modelFromEnv>[0]
}

const anthropicEvent = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const openaiChoice = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`

export const PROTOCOLS: Record<'openai' | 'anthropic', Protocol> = {
  openai: {
    before: [openaiChoice({ role: 'assistant', content: '' })],
    texts: (deltas) => deltas.map((content) => openaiChoice({ content })),
    finish: (reason) => [openaiChoice({}, { stop: 'stop', length: 'length', filter: 'content_filter' }[reason])],
    after: [`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 300, completion_tokens: 7 } })}\n\n`, DONE],
    error: (type, message) => `data: ${JSON.stringify({ error: { message, type } })}\n\n`,
    env: (url) => ({ OPENAI_API_KEY: 'sk-test-secret', OPENAI_BASE_URL: url, PINPACK_MODEL: 'm' }),
  },
  anthropic: {
    before: [
      anthropicEvent('message_start', {
        message: {
          ...{ id: 'm', type: 'message', role: 'assistant', content: [], model: 'c' },
          usage: { input_tokens: 300, output_tokens: 1 },
        },
      }),
      anthropicEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ],
    texts: (deltas) =>
      deltas.map((text) => anthropicEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    finish: (reason) => [
      anthropicEvent('content_block_stop', { index: 0 }),
      anthropicEvent('message_delta', {
        delta: { stop_reason: { stop: 'end_turn', length: 'max_tokens', filter: 'refusal' }[reason] },
        usage: { output_tokens: 7 },
      }),
      anthropicEvent('message_stop'),
    ],
    after: [],
    error: (type, message) => anthropicEvent('error', { error: { type, message } }),
    env: (url) => ({ ANTHROPIC_API_KEY: 'sk-ant-test-secret', ANTHROPIC_BASE_URL: url, PINPACK_MODEL: 'claude-x' }),
  },
}

/** All of an answer's events in a protocol. */
export const answerIn = ({ before, texts, finish, after }: Protocol, deltas: string[]) => [
  ...[...before, ...texts(deltas)],
  ...[...finish('stop'), ...after],
]

/** For tests that ask more often than a visitor may. */
export const UNLIMITED = {
  ...{ addressMinute: 1e6, addressDay: 1e6, addressOpen: 1e6, open: 1e6 },
  ...{ dayCalls: 1e9, dayTokens: 1e9, minuteTokens: 1e9 },
}

/** A proxy in front of an upstream that speaks the OpenAI protocol, and its log. */
export function proxyTo(upstream: Upstream, options: Partial<ProxyOptions> = {}, model = 'test-model') {
  const log: LogEntry[] = []
  const env = { OPENAI_API_KEY: 'sk-test-secret', OPENAI_BASE_URL: upstream.url, PINPACK_MODEL: model }
  const proxy = createProxy({
    knowledge: makeKnowledge(),
    model: modelFromEnv(env),
    origins: [ORIGIN],
    fallback: false,
    log: (entry) => void log.push(entry),
    ...options,
    limits: { ...UNLIMITED, retries: 0, ...options.limits },
  })
  return { log, ask: (body: unknown = makeBody(), init = {}) => proxy(makeRequest(body, init)) }
}

/** Waits, but not for ever. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<T>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** A reader of a response's text as it comes. */
export function readText(response: Response): ReadableStreamDefaultReader<string> {
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>
  return (response.body as ReadableStream<Uint8Array>).pipeThrough(decoder).getReader()
}

/** Reads on until `text` was seen, five seconds at most, and gives all that was. */
export async function readUntil(reader: ReadableStreamDefaultReader<string>, text: string, seen = ''): Promise<string> {
  let all = seen
  const end = Date.now() + 5000
  while (!all.includes(text)) {
    const { done, value } = await within(5000, reader.read())
    if (done || Date.now() > end) throw new Error(`the stream has no ${text}: ${all}`)
    all += value
  }
  return all
}

/** A promise and the function that resolves it. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
