/** Cases D01, D03, D05, D07: an upstream's stream, cut in two and cut off at every byte, in both protocols and every form. */

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  answerIn,
  EVENT_STREAM,
  each,
  errorCode,
  makeBody,
  modelFromEnv,
  PROTOCOLS,
  type Protocol,
  proxyTo,
  readParts,
  startUpstream,
} from './proxy-kit.ts'

const DELTAS = ['你好 🌍', ' — café\r\n\n', 'e\u0301 [3]']
const TEXT = DELTAS.join('')

/** Ways to write the same events. */
const FORMS: [string, (events: string[]) => string][] = [
  ['ends of lines as LF', (events) => events.join('')],
  [
    'ends of lines as CRLF, with comments',
    (events) =>
      events
        .map((event) => `: ping 你\n\n${event}`)
        .join('')
        .replaceAll('\n', '\r\n'),
  ],
  ['ends of lines as CR', (events) => events.join('').replaceAll('\n', '\r')],
  [
    'comments, other fields, and no blank line at the end',
    (events) =>
      events
        .map((event) => `id: 7\n: 🌍\nretry: 9\n${event}`)
        .join('')
        .trimEnd(),
  ],
]

const GRID = Object.entries(PROTOCOLS).flatMap(([name, protocol]) =>
  FORMS.map(
    ([form, write]) => [name, form, protocol, write] as [string, string, Protocol, (events: string[]) => string],
  ),
)

/** A proxy before an upstream that answers as `reply` does; it is told the number in the visitor's question. */
async function proxyOf(protocol: Protocol, reply: (response: ServerResponse, at: number) => unknown) {
  const upstream = await startUpstream((response, { body }) => {
    response.socket?.setNoDelay(true)
    response.writeHead(200, EVENT_STREAM)
    return reply(response, Number(/number (\d+)/.exec(JSON.stringify(body.messages))?.[1]))
  })
  const { ask } = proxyTo(upstream, { model: modelFromEnv(protocol.env(upstream.url)) })
  return async (at: number) => readParts(await ask(makeBody({ messages: [{ role: 'user', content: `number ${at}` }] })))
}

describe.each(GRID)('%s with %s', (_, __, protocol, write) => {
  const bytes = Buffer.from(write(answerIn(protocol, DELTAS)))

  it('gives the same answer when it comes in two pieces, cut at any byte', async () => {
    const ask = await proxyOf(protocol, async (response, at) => {
      response.write(bytes.subarray(0, at))
      await sleep(1)
      response.end(bytes.subarray(at))
    })
    await each(bytes.length, async (at) => {
      const { text, parts } = await ask(at)
      expect(text, `cut at ${at}`).toBe(TEXT)
      expect(parts.at(-1), `cut at ${at}`).toEqual({ type: 'finish', finishReason: 'stop' })
    })
  }, 120_000)

  it('gives the same answer in pieces of every size', async () => {
    const ask = await proxyOf(protocol, async (response, size) => {
      for (let at = 0; at < bytes.length; at += size) {
        response.write(bytes.subarray(at, at + size))
        if (at % 16 === 0) await sleep(0)
      }
      response.end()
    })
    await each(24, async (at) => expect((await ask(at + 1)).text, `pieces of ${at + 1}`).toBe(TEXT))
  })

  it('that ends at any byte gives each whole event, and is marked as cut unless it had said that it ended', async () => {
    const ask = await proxyOf(protocol, (response, at) => response.end(bytes.subarray(0, at)))
    const { before, texts, finish } = protocol
    // An event is whole when its JSON is: what follows may be missing. So its end is that of its last brace.
    const endOf = (events: string[]) => Buffer.byteLength(write(events).replace(/[\r\n]+$/, ''))
    const textEnds = DELTAS.map((_, at) => endOf([...before, ...texts(DELTAS.slice(0, at + 1))]))
    const finishEnd = endOf([...before, ...texts(DELTAS), ...finish('stop')])
    await each(bytes.length + 1, async (at) => {
      const { text, parts } = await ask(at)
      expect(text, `ends at ${at}`).toBe(DELTAS.slice(0, textEnds.filter((end) => end <= at).length).join(''))
      const whole = at >= finishEnd
      expect(errorCode(parts), `ends at ${at}`).toBe(whole ? undefined : 'upstream-cut')
      expect(
        parts.filter(({ type }) => type === 'finish'),
        `ends at ${at}`,
      ).toHaveLength(whole ? 1 : 0)
      expect(parts.at(-1)?.type, `ends at ${at}`).toBe(whole ? 'finish' : 'error')
    })
  }, 120_000)
})
