/** Cases C22, D05, D09, D11, D15, D17 in both protocols that upstreams speak. */

import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Message } from '../../www/types.ts'
import {
  answerIn,
  type Call,
  deferred,
  EVENT_STREAM,
  errorCode,
  makeBody,
  modelFromEnv,
  PROTOCOLS,
  type Protocol,
  proxyTo,
  readParts,
  readText,
  readUntil,
  startUpstream,
  textOf,
  within,
} from './proxy-kit.ts'

const KEY_TEXT = 'Incorrect API key provided: sk-proj-abc***xyz. See https://upstream.example/account (org-77)'

let unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeEach(() => {
  unhandled = []
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe.each(Object.entries(PROTOCOLS))('%s', (name, protocol) => {
  async function behind(reply: (response: ServerResponse, call: Call) => unknown) {
    const upstream = await startUpstream(reply)
    return { upstream, ...proxyTo(upstream, { model: modelFromEnv(protocol.env(upstream.url)) }) }
  }
  const streams = (events: string[]) => behind((response) => response.writeHead(200, EVENT_STREAM).end(events.join('')))

  it.each(['\n', '\r\n', '\r'])('passes each event on when it is whole, with lines that end in %j', async (end) => {
    const gates = [deferred<void>(), deferred<void>()]
    const { ask } = await behind(async (response) => {
      const write = (events: string[]) => response.write(events.join('').replaceAll('\n', end))
      response.writeHead(200, EVENT_STREAM)
      write([...protocol.before, ...protocol.texts(['One'])])
      await gates[0]?.promise
      write(protocol.texts([' two']))
      await gates[1]?.promise
      write([...protocol.texts([' three']), ...protocol.finish('stop'), ...protocol.after])
      response.end()
    })
    const reader = readText(await ask())
    let seen = ''
    const until = async (text: string) => {
      seen = await readUntil(reader, text, seen)
    }
    await until('One')
    expect(seen).not.toContain('two')
    gates[0]?.resolve()
    await until(' two')
    expect(seen).not.toContain('three')
    gates[1]?.resolve()
    await until('[DONE]')
    expect(seen).toContain(' three')
  })

  it('logs the usage that the model reports', async () => {
    const { ask, log } = await streams(answerIn(protocol, ['Hel', 'lo']))
    expect((await readParts(await ask())).text).toBe('Hello')
    expect(log[0]?.tokens).toMatchObject({ input: 300, output: 7 })
  })

  it('keeps the text before an error in the stream, and says once what it was', async () => {
    const events = [
      ...protocol.before,
      ...protocol.texts(['With', 'in 30']),
      protocol.error('overloaded_error', KEY_TEXT),
    ]
    const { ask, log } = await streams(events)
    const { parts, raw } = await readParts(await ask())
    expect(textOf(parts)).toBe('Within 30')
    expect(errorCode(parts)).toBe('upstream-overloaded')
    expect(parts.filter(({ type }) => type === 'error' || type === 'finish').map(({ type }) => type)).toEqual(['error'])
    for (const secret of ['sk-', 'org-77', 'upstream.example']) expect(raw + JSON.stringify(log)).not.toContain(secret)
  })

  it.each([401, 403, 500])('gives away nothing of an answer of %i', async (status) => {
    const { ask, log, upstream } = await behind((response) => {
      const headers = { 'content-type': 'application/json', 'set-cookie': 'up=1', 'x-request-id': 'req-77' }
      response
        .writeHead(status, headers)
        .end(JSON.stringify({ error: { message: KEY_TEXT, type: 'authentication_error' } }))
    })
    const response = await ask()
    const { raw } = await readParts(response)
    const out = raw + JSON.stringify([...response.headers]) + JSON.stringify(log)
    for (const secret of ['sk-', 'org-77', 'upstream.example', upstream.url, 'up=1', 'req-77'])
      expect(out).not.toContain(secret)
    expect(response.headers.get('x-request-id')).toBe(log[0]?.id)
  })

  it.each([
    ['length', { type: 'finish', finishReason: 'length' }],
    ['filter', { type: 'error', errorText: 'The answer was stopped by a content filter.' }],
  ] as const)('says that an answer ended by %s', async (reason, last) => {
    const { ask } = await streams([
      ...protocol.before,
      ...protocol.texts(['Hal']),
      ...protocol.finish(reason),
      ...protocol.after,
    ])
    const { parts, text } = await readParts(await ask())
    expect(text).toBe('Hal')
    expect(parts.at(-1)).toEqual(last)
  })

  it.each([
    ['before the first text', 0],
    ['after the first text', 1],
  ])('is left at once when the visitor leaves %s, and nothing runs on', async (_, texts) => {
    const called = deferred<Call>()
    const { ask, log } = await behind((response, call) => {
      response
        .writeHead(200, EVENT_STREAM)
        .write([...protocol.before, ...protocol.texts(['Hi'].slice(0, texts))].join(''))
      called.resolve(call)
    })
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const leave = new AbortController()
    const idle = timers()
    const reader = readText(await ask(makeBody(), { signal: leave.signal }))
    await readUntil(reader, texts > 0 ? 'text-delta' : 'data-receipt')
    // The model is called when the next part is read.
    const next = reader.read().catch(() => undefined)
    const { closed } = await called.promise
    if (texts > 0) await reader.cancel()
    leave.abort()
    await within(1000, closed)
    await next
    await vi.waitFor(() => expect(log).toMatchObject([{ outcome: 'aborted' }]))
    // `within` has one timer of its own.
    await vi.waitFor(() => expect(timers()).toBeLessThanOrEqual(idle + 1))
  })

  it('accepts every trimmed conversation: from a user turn on, in turn, the last question kept', async () => {
    const { ask, upstream } = await behind((response, { body }) => {
      const wrong = complaint(protocol, body)
      if (wrong)
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { message: wrong } }))
      else response.writeHead(200, EVENT_STREAM).end(answerIn(protocol, ['Yes.']).join(''))
    })
    const turns = Array.from(
      { length: 12 },
      (_, at): Message => ({ role: at % 2 ? 'assistant' : 'user', content: `turn ${at}` }),
    )
    const chats: Message[][] = [
      [...turns, { role: 'user', content: 'last' }],
      [{ role: 'assistant', content: 'Hello!' }, ...turns, { role: 'user', content: 'last' }],
      [...turns.slice(1), { role: 'user', content: 'last' }],
      [
        ...turns,
        { role: 'assistant', content: ' ' },
        { role: 'user', content: 'one more' },
        { role: 'user', content: 'last' },
      ],
      [
        { role: 'user', content: 'x'.repeat(3999) },
        { role: 'assistant', content: 'ok' },
        { role: 'user', content: 'last' },
      ],
    ]
    for (const messages of chats) {
      for (const limits of [{ historyMessages: 5 }, { historyTokens: 60 }, { historyMessages: 1 }, {}]) {
        const proxy = proxyTo(upstream, { model: modelFromEnv(protocol.env(upstream.url)), limits })
        const { text, parts } = await readParts(await proxy.ask(makeBody({ messages })))
        expect(text, `${name} ${JSON.stringify(limits)}: ${errorCode(parts)}`).toBe('Yes.')
      }
    }
    expect((await readParts(await ask())).text).toBe('Yes.')
  })
})

/** What a strict upstream would say against a request; both adapters are held to the stricter rules of Anthropic. */
function complaint(protocol: Protocol, body: Call['body']): string | undefined {
  const textsOf = (content: unknown) =>
    typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join('')
  const turns = body.messages.filter(({ role }) => role !== 'system')
  if (protocol === PROTOCOLS.anthropic && turns.length !== body.messages.length) return 'messages: role system'
  if (turns[0]?.role !== 'user') return 'first message must use the "user" role'
  if (turns.some(({ role }, at) => role !== (at % 2 ? 'assistant' : 'user'))) return 'roles must alternate'
  if (turns.some(({ content }) => textsOf(content).trim() === '')) return 'text content blocks must be non-empty'
  return /last$|refund\?$/.test(textsOf(turns.at(-1)?.content)) ? undefined : 'the last question is gone'
}
