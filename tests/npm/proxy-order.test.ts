/** The checks come in their order: a request that is wrong in every way is refused for the first, and so on. */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Store } from '../../www/proxy/store.ts'
import {
  deferred,
  EVENT_STREAM,
  HASH,
  makeBody,
  ORIGIN,
  openaiEvents,
  proxyTo,
  readParts,
  replyWith,
  startUpstream,
  within,
} from './proxy-kit.ts'

describe('the checks', () => {
  it('come one after the other, and the model after all of them', async () => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const broken: Store = { add: () => Promise.reject(new Error('down')) }
    const state = { admits: false, spends: false, human: false }
    const store: Store = {
      add: async (key, amount) => {
        if (!state.spends && key.startsWith('day-tokens')) return broken.add(key, amount, 1)
        return !state.admits && key.startsWith('minute:') ? 1e9 : amount
      },
    }
    const human = { header: 'x-human', verify: () => state.human }
    const { ask, log } = proxyTo(upstream, { store, human })

    const request = {
      method: 'PUT',
      type: 'text/plain',
      size: 70_000,
      origin: 'https://evil.example',
      body: { ...makeBody({ hash: 'f'.repeat(32), sections: [99] }), extra: 1 } as Record<string, unknown>,
    }
    const code = async () => {
      const text = JSON.stringify(request.body)
      const headers = { 'content-type': request.type, origin: request.origin, 'x-human': 'token' }
      const response = await ask(text + ' '.repeat(request.size), { method: request.method, headers })
      if (response.ok) return readParts(response).then(({ text }) => text)
      return ((await response.json()) as { code: string }).code
    }
    const steps: [string, () => unknown][] = [
      ['method', () => (request.method = 'POST')],
      ['content-type', () => (request.type = 'application/json')],
      ['body-too-large', () => (request.size = 0)],
      ['origin', () => (request.origin = ORIGIN)],
      ['rate-limited', () => (state.admits = true)],
      ['bad-request', () => delete request.body.extra],
      ['stale', () => (request.body.hash = HASH)],
      ['unknown-section', () => (request.body.sections = [2])],
      ['human', () => (state.human = true)],
      ['unavailable', () => (state.spends = true)],
    ]
    for (const [expected, mend] of steps) {
      expect(await code()).toBe(expected)
      expect(upstream.calls).toHaveLength(0)
      mend()
    }
    expect(await code()).toBe('Yes.')
    // What another method asks is no question, and in no log.
    expect(log.map(({ code }) => code)).toEqual([...steps.slice(1).map(([code]) => code), undefined])
  })
})

describe('an answer that nobody reads', () => {
  it('ends after its total time, gives its place back, and leaves the upstream', async () => {
    const held = deferred<void>()
    const upstream = await startUpstream(async (response) => {
      response.writeHead(200, EVENT_STREAM).write(openaiEvents(Array(50).fill('x'.repeat(2000))).join(''))
      await held.promise
    })
    const { ask, log } = proxyTo(upstream, { limits: { totalMs: 200, addressOpen: 1 } })
    const response = await ask()
    const reader = response.body?.getReader()
    await reader?.read()
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(1))
    expect((await ask()).status).toBe(429)
    await within(4000, upstream.calls[0]?.closed ?? Promise.reject())
    await vi.waitFor(() => expect(log.filter(({ outcome }) => outcome === 'aborted')).toHaveLength(1), 4000)
    await sleep(10)
    const again = await ask()
    expect(again.status).toBe(200)
    await again.body?.cancel()
    await reader?.cancel()
    held.resolve()
  })
})
