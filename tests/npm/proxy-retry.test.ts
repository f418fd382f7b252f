import { APICallError, simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { askedWait, retryWait } from '../../www/proxy/retry.ts'
import {
  type Call,
  deferred,
  EVENT_STREAM,
  errorCode,
  makeBody,
  openaiEvents,
  proxyTo,
  readParts,
  replyWith,
  startUpstream,
  within,
} from './proxy-kit.ts'

const NOW = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT')

describe('the wait that an upstream asks for', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '1' }, 1000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:03 GMT' }, 3000],
    [{ 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' }, Date.parse('Wed, 21 Oct 2099 07:28:00 GMT') - NOW],
    [{ 'retry-after': '7200' }, 7_200_000],
    [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': 'abc' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ])('of %j is %s ms', (headers, ms) => {
    expect(askedWait(headers, NOW)).toBe(ms)
  })

  it.each([
    [0, 1000, 5000, 0, 1000],
    [0, 1000, 5000, 1, 1500],
    [0, undefined, 5000, 0, 500],
    [0, undefined, 5000, 1, 750],
    [2, undefined, 5000, 0, 2000],
    [4, undefined, 5000, 0, undefined],
    [0, 7_200_000, 5000, 0, undefined],
    [0, 5000, 5000, 1, 5000],
  ])('at retry %i, asked for %s with at most %i and chance %i, is %s', (attempt, asked, most, chance, ms) => {
    expect(retryWait(attempt, asked, most, chance)).toBe(ms)
  })
})

describe('an upstream that is too busy to begin', () => {
  const busy = (status: number, headers: Record<string, string> = {}) =>
    startUpstream((response) => response.writeHead(status, headers).end('{}'))

  it('is asked again after the time that it named, in milliseconds of both', async () => {
    const times: number[] = []
    const upstream = await startUpstream((response) => {
      times.push(performance.now())
      if (times.length === 1) response.writeHead(429, { 'retry-after': '1' }).end('{}')
      else replyWith('Yes.')(response)
    })
    expect((await readParts(await proxyTo(upstream, { limits: { retries: 1 } }).ask())).text).toBe('Yes.')
    const [first = 0, second = 0] = times
    expect(times).toHaveLength(2)
    expect(second - first).toBeGreaterThanOrEqual(995)
  })

  it.each([429, 500, 502, 503, 504, 529])('with %i is asked as often as configured, and no more', async (status) => {
    const upstream = await busy(status, { 'retry-after-ms': '5' })
    const { parts } = await readParts(await proxyTo(upstream, { limits: { retries: 2 } }).ask())
    expect(parts.at(-1)?.type).toBe('error')
    expect(upstream.calls).toHaveLength(3)
  })

  it.each([400, 401, 403, 404, 408, 409, 413, 422])('is not what %i means: it is asked once', async (status) => {
    const upstream = await busy(status, { 'retry-after-ms': '5' })
    await readParts(await proxyTo(upstream, { limits: { retries: 3 } }).ask())
    expect(upstream.calls).toHaveLength(1)
  })

  it.each([
    ['7200', 7200],
    ['Wed, 21 Oct 2099 07:28:00 GMT', 86_400],
  ])('until %s is not waited for; the visitor is told', async (header, seconds) => {
    const upstream = await busy(429, { 'retry-after': header })
    const asked = proxyTo(upstream, { limits: { retries: 3 } }).ask()
    const { parts } = await within(2000, asked.then(readParts))
    expect(upstream.calls).toHaveLength(1)
    const error = parts.find(({ type }) => type === 'data-error')
    expect(error?.data).toMatchObject({ code: 'upstream-overloaded', retryAfter: seconds })
  })

  it.each(['-5', 'abc'])('and says %s is asked again after a wait of our own', async (header) => {
    const upstream = await startUpstream((response) => {
      if (upstream.calls.length === 1) response.writeHead(503, { 'retry-after': header }).end('{}')
      else replyWith('Yes.')(response)
    })
    expect((await readParts(await proxyTo(upstream, { limits: { retries: 1 } }).ask())).text).toBe('Yes.')
  })

  it('is not asked again when the visitor has left meanwhile', async () => {
    const called = deferred<Call>()
    const upstream = await startUpstream((response, call) => {
      response.writeHead(503, { 'retry-after-ms': '300' }).end('{}')
      called.resolve(call)
    })
    const leave = new AbortController()
    const response = await proxyTo(upstream, { limits: { retries: 3 } }).ask(makeBody(), { signal: leave.signal })
    const reading = response.text().catch(() => 'gone')
    await called.promise
    leave.abort()
    await within(250, reading)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(upstream.calls).toHaveLength(1)
  })
})

it('a stream that began is never asked for again, even when it began with nothing', async () => {
  for (const events of [1, 2]) {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(openaiEvents(['Hi']).slice(0, events).join(''))
    })
    const { parts } = await readParts(await proxyTo(upstream, { limits: { retries: 3 } }).ask())
    expect(errorCode(parts)).toBe('upstream-cut')
    expect(upstream.calls).toHaveLength(1)
  }
})

it('a model that fails like a busy one after it has begun is not asked again', async () => {
  let calls = 0
  const model = new MockLanguageModelV4({
    doStream: async () => {
      calls++
      const busy = new APICallError({ message: 'busy', url: 'x', requestBodyValues: {}, statusCode: 529 })
      const parts = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Half' },
        { type: 'error', error: busy },
      ]
      return { stream: simulateReadableStream({ chunks: parts as never[] }) }
    },
  })
  const { parts, text } = await readParts(
    await proxyTo({ url: '', calls: [] }, { model, limits: { retries: 3 } }).ask(),
  )
  expect([calls, text, errorCode(parts)]).toEqual([1, 'Half', 'upstream-overloaded'])
})
