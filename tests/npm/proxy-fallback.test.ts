import { readUIMessageStream } from 'ai'
import { describe, expect, it, vi } from 'vitest'
import type { ProxyOptions, Store } from '../../www/proxy/index.ts'
import {
  DONE,
  EVENT_STREAM,
  errorCode,
  makeBody,
  makeKnowledge,
  openaiEvents,
  type Part,
  proxyTo,
  readParts,
  replyWith,
  startUpstream,
  within,
} from './proxy-kit.ts'

const INSTEAD = 'The assistant cannot answer right now. From this site, word for word:'
const QUOTED = `${INSTEAD}\n\n> You can ask for a refund within 30 days. [3]`

/** A proxy with the fallback on, whose quotes are known. */
function withQuotes(upstream: Parameters<typeof proxyTo>[0], options: Partial<ProxyOptions> = {}) {
  const quote = async () => [{ passage: 0, text: 'You can ask for a refund within 30 days.', score: 1 }]
  return proxyTo(upstream, { fallback: true, quote, ...options })
}

/** Counters of which only the minute's tokens are used up. */
const fullMinute = (): Store => ({ add: async (key, amount) => (key.startsWith('minute-tokens') ? 1e12 : amount) })

const receipts = (parts: Part[]) =>
  parts.filter(({ type }) => type === 'data-receipt').map(({ data }) => (data as { model: string }).model)
const notice = (parts: Part[]) => parts.find(({ type }) => type === 'data-notice')?.data

describe('quotes answer, and say so, when', () => {
  it.each([
    [401, 'upstream-auth'],
    [404, 'upstream-failed'],
    [429, 'upstream-overloaded'],
    [500, 'upstream-failed'],
    [529, 'upstream-overloaded'],
  ])('the model answers %i', async (status, code) => {
    const upstream = await startUpstream((response) => response.writeHead(status).end('{"error":{"message":"sk-1"}}'))
    const { ask, log } = withQuotes(upstream)
    const { parts, text, raw } = await readParts(await ask())
    expect(text).toBe(QUOTED)
    expect(notice(parts)).toMatchObject({ code })
    expect(receipts(parts)).toEqual(['test-model', 'embedded'])
    expect(parts.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
    expect(errorCode(parts)).toBeUndefined()
    expect(log).toMatchObject([{ outcome: 'answered', fallback: code, cited: [3], tokens: { input: 0, output: 0 } }])
    expect(raw).not.toContain('sk-1')
  })

  it('the model does not begin in time, breaks off before it has said anything, or says nothing', async () => {
    const silent = await startUpstream(() => {})
    const hasty = await startUpstream((response) => response.writeHead(200, EVENT_STREAM).end(openaiEvents([])[0]))
    const mute = await startUpstream((response) => response.writeHead(200, EVENT_STREAM).end(openaiEvents(['']) + DONE))
    // What could still become a citation or a marker was held back, and is nobody's text.
    const stammering = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(openaiEvents([' [', '3'], null).join(''))
    })
    for (const upstream of [silent, hasty, mute, stammering]) {
      const asked = withQuotes(upstream, { limits: { idleMs: 100 } }).ask()
      expect((await within(2000, asked.then(readParts))).text).toBe(QUOTED)
    }
    await within(500, silent.calls[0]?.closed ?? Promise.reject())
  })

  it("the day's budget is spent, without asking the model", async () => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const { ask, log } = withQuotes(upstream, { limits: { dayCalls: 0 } })
    const { parts, text } = await readParts(await ask())
    expect(text).toBe(QUOTED)
    expect(notice(parts)).toMatchObject({ code: 'budget-spent', retryAfter: expect.any(Number) })
    expect(receipts(parts)).toEqual(['embedded'])
    expect(upstream.calls).toHaveLength(0)
    expect(log).toMatchObject([{ outcome: 'answered', fallback: 'budget-spent' }])
  })

  it('there is nothing to quote: with the permitted refusal', async () => {
    const upstream = await startUpstream((response) => response.writeHead(500).end())
    const { ask, log } = withQuotes(upstream, { quote: async () => [] })
    expect((await readParts(await ask())).text).toBe(
      'The assistant cannot answer right now. I could not find an answer to that in the notes of this site.',
    )
    // That the model was down says nothing of what the site lacks.
    expect(log).toMatchObject([{ unanswered: false, outcome: 'answered' }])
  })

  it('the site speaks another language: in its words', async () => {
    const upstream = await startUpstream((response) => response.writeHead(500).end())
    const { ask } = withQuotes(upstream, { knowledge: makeKnowledge({ language: 'de' }) })
    expect((await readParts(await ask())).text).toMatch(/^Der Assistent kann gerade nicht antworten\. .*Wort für Wort:/)
  })

  it('read by the AI SDK, as one message whose receipt is the last one', async () => {
    const upstream = await startUpstream((response) => response.writeHead(500).end())
    const { parts } = await readParts(await withQuotes(upstream).ask())
    const stream = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
    let last: Part[] = []
    for await (const message of readUIMessageStream({ stream })) last = message.parts as unknown as Part[]
    expect(receipts(last)).toEqual(['embedded'])
  })
})

describe('quotes do not answer when', () => {
  it('the model had begun: what it said stands, marked as cut', async () => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(openaiEvents(['Half']).slice(0, 2).join(''))
    })
    const { parts, text } = await readParts(await withQuotes(upstream).ask())
    expect(text).toBe('Half')
    expect(errorCode(parts)).toBe('upstream-cut')
  })

  it.each([
    ['the counters are down', { store: { add: () => Promise.reject(new Error('down')) } }, 503, 'unavailable'],
    ['the minute is spoken for', { store: fullMinute() }, 429, 'rate-limited'],
    ['the address asked too often', { limits: { addressMinute: 0 } }, 429, 'rate-limited'],
  ])('%s', async (_, options, status, code) => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const response = await withQuotes(upstream, options).ask()
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code])
    expect(upstream.calls).toHaveLength(0)
  })

  it('a content filter stopped the model', async () => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(openaiEvents([''], 'content_filter').join('') + DONE)
    })
    const { parts, text } = await readParts(await withQuotes(upstream).ask())
    expect([text, errorCode(parts)]).toEqual(['', 'content-filter'])
  })

  it('they fail themselves: the first failure is told', async () => {
    const upstream = await startUpstream((response) => response.writeHead(529).end())
    const quote = () => Promise.reject(new Error('/srv/secret'))
    const { parts, raw } = await readParts(await withQuotes(upstream, { quote }).ask())
    expect(errorCode(parts)).toBe('upstream-overloaded')
    expect(raw).not.toContain('secret')
  })

  it('the visitor has left', async () => {
    const upstream = await startUpstream(() => {})
    const { ask, log } = withQuotes(upstream)
    const reader = (await ask()).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await vi.waitFor(() => expect(log).toMatchObject([{ outcome: 'aborted' }]))
    expect(log[0]?.fallback).toBeUndefined()
  })
})

describe('a request without sections', () => {
  it('gets the rules and the floor, from a model or in quotes', async () => {
    const upstream = await startUpstream((response) => response.writeHead(500).end())
    const { hash, messages } = makeBody()
    const { parts, text } = await readParts(await withQuotes(upstream).ask({ hash, messages }))
    expect(text).toBe(QUOTED)
    const receipt = parts.find(({ type }) => type === 'data-receipt') as { data: { sections: { id: number }[] } } & Part
    expect(receipt.data.sections.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5])
  })
})
