import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildPrompt } from '../../www/prompt.ts'
import type { ProxyOptions } from '../../www/proxy/index.ts'
import type { Store } from '../../www/proxy/store.ts'
import {
  DONE,
  deferred,
  EVENT_STREAM,
  makeBody,
  makeKnowledge,
  openaiEvents,
  proxyTo,
  readParts,
  replyWith,
  startUpstream,
  type Upstream,
} from './proxy-kit.ts'

const ADDRESS = 'x-real-ip'
const from = (address: string) => ({ headers: { [ADDRESS]: address } })
const usage = (input: number, output: number) =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } })}\n\n`

let upstream: Upstream
beforeEach(async () => {
  upstream = await startUpstream((response) => {
    response.writeHead(200, EVENT_STREAM).end(openaiEvents(['Yes.']).join('') + usage(300, 20) + DONE)
  })
})
afterEach(() => void vi.useRealTimers())

function limited(limits: ProxyOptions['limits'], more: Partial<ProxyOptions> = {}) {
  return proxyTo(upstream, { addressHeader: ADDRESS, limits, ...more })
}

/** The status of each of some requests in turn, read to their ends. */
async function statuses(ask: ReturnType<typeof limited>['ask'], addresses: string[], body: unknown = makeBody()) {
  const all: number[] = []
  for (const address of addresses) {
    const response = await ask(body, from(address))
    await response.text()
    all.push(response.status)
  }
  return all
}

async function refused(response: Response) {
  const body = (await response.json()) as { code: string; retryAfter?: number }
  const header = response.headers.get('retry-after')
  expect(header).toBe(body.retryAfter === undefined ? null : String(body.retryAfter))
  return { status: response.status, code: body.code, retryAfter: body.retryAfter }
}

/** A clock that stands still, at the given time of a day. */
function stopClock(time: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`2026-03-01T${time}Z`) })
}
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

describe('an address', () => {
  it('can ask so often in any minute, and another is not hindered', async () => {
    stopClock('10:00:19')
    const { ask } = limited({ addressMinute: 3 })
    expect(await statuses(ask, ['1.1.1.1', '1.1.1.1', '1.1.1.1'])).toEqual([200, 200, 200])
    const { code, status, retryAfter } = await refused(await ask(makeBody(), from('1.1.1.1')))
    expect([status, code]).toEqual([429, 'rate-limited'])
    // Slices of 20 s: the one from 10:00:00 counts until 10:01:20 begins, and is then out.
    expect(retryAfter).toBe(61)
    expect(await statuses(ask, ['2.2.2.2'])).toEqual([200])
    pass(60)
    expect(await statuses(ask, ['1.1.1.1'])).toEqual([429])
    pass(1)
    expect(await statuses(ask, ['1.1.1.1'])).toEqual([200])
  })

  it('can ask so often in a day, which begins at midnight UTC', async () => {
    stopClock('22:59:00')
    const { ask } = limited({ addressDay: 2 })
    expect(await statuses(ask, ['1.1.1.1', '1.1.1.1'])).toEqual([200, 200])
    expect(await refused(await ask(makeBody(), from('1.1.1.1')))).toMatchObject({ status: 429, retryAfter: 3660 })
    pass(3660)
    expect(await statuses(ask, ['1.1.1.1'])).toEqual([200])
  })

  it('is counted for what is malformed too, and not for what it was refused', async () => {
    const { ask } = limited({ addressMinute: 2 })
    expect(await statuses(ask, ['1.1.1.1'], { bad: true })).toEqual([400])
    expect(await statuses(ask, ['1.1.1.1', '1.1.1.1', '1.1.1.1'])).toEqual([200, 429, 429])
    expect(await statuses(ask, ['3.3.3.3'], { bad: true })).toEqual([400])
  })

  it('can have so many answers open at once, also after some that were refused', async () => {
    const { ask } = limited({ addressOpen: 2 })
    const held = [await ask(makeBody(), from('1.1.1.1')), await ask(makeBody(), from('1.1.1.1'))]
    expect(await refused(await ask(makeBody(), from('1.1.1.1')))).toMatchObject({ status: 429, retryAfter: 5 })
    expect(await statuses(ask, ['2.2.2.2'])).toEqual([200])
    await held[0]?.text()
    expect(await statuses(ask, ['1.1.1.1'], { bad: true })).toEqual([400])
    expect(await statuses(ask, ['1.1.1.1'])).toEqual([200])
    await held[1]?.body?.cancel()
    const again = [await ask(makeBody(), from('1.1.1.1')), await ask(makeBody(), from('1.1.1.1'))]
    expect(again.map(({ status }) => status)).toEqual([200, 200])
    await Promise.all(again.map((response) => response.text()))
  })

  it.each([
    ['the same /64 of IPv6', ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'], [200, 429]],
    ['another /64', ['2001:db8:1:2::1', '2001:db8:1:3::1'], [200, 200]],
    ['brackets, ports and zones', ['[2001:db8:1:2::1]:443', '2001:DB8:1:2::5%eth0'], [200, 429]],
    ['IPv4 inside IPv6', ['9.9.9.9', '::ffff:9.9.9.9', '9.9.9.9:1234', '::ffff:909:909'], [200, 429, 429, 429]],
    ['a list: what the last server saw', ['7.7.7.7, 1.1.1.1', '8.8.8.8, 1.1.1.1'], [200, 429]],
    ['what is no address: one visitor', ['', 'x', '999.1.1.1', '1::2::3', '<script>'], [200, 429, 429, 429, 429]],
  ])('is told by %s', async (_, addresses, expected) => {
    expect(await statuses(limited({ addressMinute: 1 }).ask, addresses)).toEqual(expected)
  })

  it('in a header that is not declared counts for nothing', async () => {
    const { ask } = proxyTo(upstream, { limits: { addressMinute: 2 } })
    const spoof = async (address: string) => {
      const headers = {
        'x-forwarded-for': address,
        'x-real-ip': address,
        'cf-connecting-ip': address,
        forwarded: address,
      }
      const response = await ask(makeBody(), { headers })
      await response.text()
      return response.status
    }
    expect([await spoof('1.1.1.1'), await spoof('2.2.2.2'), await spoof('3.3.3.3')]).toEqual([200, 200, 429])
  })

  it('never lies in the store as it is', async () => {
    const keys: string[] = []
    const store: Store = { add: async (key, amount) => amount * keys.push(key) * 0 }
    await statuses(limited({}, { store }).ask, ['203.0.113.77'])
    expect(keys.length).toBeGreaterThan(8)
    expect(keys.join()).not.toContain('203.0.113')
  })
})

describe('all visitors together', () => {
  it('can have so many answers open at once', async () => {
    const { ask } = limited({ open: 2 })
    const held = [await ask(makeBody(), from('1.1.1.1')), await ask(makeBody(), from('2.2.2.2'))]
    expect(await refused(await ask(makeBody(), from('3.3.3.3')))).toMatchObject({ status: 429, code: 'rate-limited' })
    await Promise.all(held.map((response) => response.text()))
    expect(await statuses(ask, ['3.3.3.3'])).toEqual([200])
  })

  it('can make so many model calls in a day; what is refused before is not counted', async () => {
    stopClock('23:00:00')
    const { ask } = limited({ dayCalls: 2 })
    expect(await statuses(ask, ['1.1.1.1', '1.1.1.1'], makeBody({ sections: [99] }))).toEqual([400, 400])
    expect(await statuses(ask, ['1.1.1.1', '2.2.2.2'])).toEqual([200, 200])
    const answer = await refused(await ask(makeBody(), from('3.3.3.3')))
    expect(answer).toEqual({ status: 429, code: 'budget-spent', retryAfter: 3600 })
    expect(upstream.calls).toHaveLength(2)
  })

  it('can spend so many tokens in a day: reserved before the call, put right by what the model reports', async () => {
    stopClock('10:00:00')
    // Every call reports 320 tokens; what it could have spent is more than 800, the longest answer.
    const { ask } = limited({ dayTokens: 3000 })
    const held = []
    for (let open = 0; open < 2; open++) held.push(await ask())
    expect(held.map(({ status }) => status)).toEqual([200, 429])
    await held[0]?.text()
    let answered = 1
    while ((await statuses(ask, ['1.1.1.1']))[0] === 200) answered++
    // The last that fits leaves less than one reservation: 320 · n + reserved ≤ 3000 < 320 · (n + 1) + reserved.
    const left = 3000 - 320 * answered
    expect(left).toBeGreaterThan(800 - 320)
    expect(answered).toBeGreaterThan(1)
    expect(upstream.calls).toHaveLength(answered)
  })

  it('are charged by what is sent, whatever a prompt builder of the owner says of it', async () => {
    const prompt: ProxyOptions['prompt'] = (...call) => ({ ...buildPrompt(...call), tokens: 1, tokensMax: 1 })
    const { ask } = limited({ dayTokens: 3000 }, { prompt })
    const held = [await ask(), await ask()]
    expect(held.map(({ status }) => status)).toEqual([200, 429])
    await held[0]?.text()
  })

  it('can cost so much in a day', async () => {
    // 300 in and 20 out at 1 and 5 a million are 400 millionths.
    const { ask } = limited({ dayMicros: 10_000 }, { prices: { input: 1, output: 5 } })
    let answered = 0
    while ((await statuses(ask, ['1.1.1.1']))[0] === 200) answered++
    // Less is left than one reservation, which is more than the longest answer: 800 tokens at 5.
    expect(10_000 - 400 * answered).toBeGreaterThan(4000 - 400)
    expect(answered).toBeGreaterThan(3)
  })

  it('can spend so many tokens in any minute', async () => {
    stopClock('10:00:00')
    const { ask } = limited({ minuteTokens: 4000 }, { knowledge: makeKnowledge({ budget: 400 }) })
    while ((await statuses(ask, ['1.1.1.1']))[0] === 200) pass(1)
    const sent = upstream.calls.length
    expect(sent * 320).toBeLessThanOrEqual(4000)
    expect(await refused(await ask())).toMatchObject({ code: 'rate-limited', status: 429 })
    pass(81)
    expect(await statuses(ask, ['1.1.1.1'])).toEqual([200])
  })

  it('cannot be given a minute that holds no whole request; 12,000 tokens hold several', async () => {
    expect(() => limited({ minuteTokens: 5000 })).toThrowError(
      expect.objectContaining({ code: 'proxy-options', message: expect.stringMatching(/minuteTokens`: 5000 .* 3700/) }),
    )
    expect(await statuses(limited({ minuteTokens: 12_000 }).ask, ['1.1.1.1', '1.1.1.1', '1.1.1.1'])).toEqual([
      200, 200, 200,
    ])
  })

  it('trims a conversation that is too long for a minute, and refuses a message that is', async () => {
    const long = (chars: number) => [
      { role: 'user', content: 'x'.repeat(chars) },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And now?' },
    ]
    const { ask } = limited({ minuteTokens: 4000 }, { knowledge: makeKnowledge({ budget: 400 }) })
    expect(await statuses(ask, ['1.1.1.1'], makeBody({ messages: long(3000) }))).toEqual([200])
    expect(upstream.calls[0]?.body.messages.at(-1)).toEqual({ role: 'user', content: 'And now?' })
    expect(upstream.calls[0]?.body.messages.filter(({ role }) => role === 'user')).toHaveLength(1)
    const response = await ask(makeBody({ messages: [{ role: 'user', content: 'x'.repeat(4000) }] }), from('2.2.2.2'))
    expect(await refused(response)).toMatchObject({ status: 400, code: 'over-budget' })
  })

  it.each([
    ['refused the call', 401],
    ['was overloaded', 529],
  ])('are not charged for an upstream that %s', async (_, status) => {
    const failing = await startUpstream((response) => response.writeHead(status).end('{}'))
    const { ask } = proxyTo(failing, { limits: { dayTokens: 3000 } })
    for (let call = 0; call < 5; call++) await (await ask()).text()
    expect(failing.calls).toHaveLength(5)
  })

  it.each([408, 504])(
    'are charged the most for an upstream that answers %i: it may have written for nobody',
    async (status) => {
      const failing = await startUpstream((response) => response.writeHead(status).end('{}'))
      const { ask } = proxyTo(failing, { limits: { dayTokens: 3000 } })
      await (await ask()).text()
      expect((await ask()).status).toBe(429)
    },
  )

  it('are charged the most when the model reports nothing', async () => {
    const silent = await startUpstream(replyWith('Yes.'))
    const { ask } = proxyTo(silent, { limits: { dayTokens: 3000 } })
    await (await ask()).text()
    expect((await ask()).status).toBe(429)
  })
})

describe('a store', () => {
  const broken = (add: Store['add']): Store => ({ add })

  it('that is down refuses, and nothing is spent', async () => {
    const store = broken(() => Promise.reject(new Error('redis://:password@10.0.0.1')))
    const { ask, log } = limited({}, { store })
    const response = await ask()
    expect(await response.clone().text()).not.toContain('redis')
    expect(await refused(response)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(upstream.calls).toHaveLength(0)
    expect(log).toMatchObject([{ outcome: 'refused', code: 'unavailable' }])
  })

  it('that is down only when money is counted refuses, and gives the place back', async () => {
    const open: number[] = []
    const store = broken(async (key, amount) => {
      if (key.startsWith('day-tokens')) throw new Error('down')
      if (key.startsWith('open')) open.push(amount)
      return amount
    })
    expect(await refused(await limited({}, { store }).ask())).toMatchObject({ status: 503, code: 'unavailable' })
    expect(open.reduce((sum, amount) => sum + amount, 0)).toBe(0)
    expect(upstream.calls).toHaveLength(0)
  })

  it('that never answers refuses too', async () => {
    const { ask } = limited({}, { store: broken(() => new Promise(() => {})) })
    expect(await refused(await ask())).toMatchObject({ status: 503 })
  })

  it('that fails when an answer is over leaves the most spent and the answer whole', async () => {
    let failing = false
    const values = new Map<string, number>()
    const store = broken(async (key, amount) => {
      if (failing) throw new Error('down')
      values.set(key, (values.get(key) ?? 0) + amount)
      return values.get(key) ?? 0
    })
    const held = deferred<void>()
    const slow = await startUpstream(async (response) => {
      response.writeHead(200, EVENT_STREAM).write(openaiEvents(['Yes.']).join(''))
      await held.promise
      response.end(usage(300, 20) + DONE)
    })
    const response = await proxyTo(slow, { store }).ask()
    failing = true
    held.resolve()
    expect((await readParts(response)).text).toBe('Yes.')
    const [, tokens] = [...values].find(([key]) => key.startsWith('day-tokens')) ?? []
    expect(tokens).toBeGreaterThan(800)
  })
})
