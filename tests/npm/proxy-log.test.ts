import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { LogEntry, ProxyOptions } from '../../www/proxy/index.ts'
import { openSink } from '../../www/proxy/sink.ts'
import { folderOf, serverOf } from './fixture.ts'
import {
  createProxy,
  DONE,
  EVENT_STREAM,
  HASH,
  makeBody,
  makeKnowledge,
  makeRequest,
  modelFromEnv,
  ORIGIN,
  openaiEvents,
  proxyTo,
  readParts,
  startUpstream,
  type Upstream,
  within,
} from './proxy-kit.ts'

const QUESTION = 'My number is 555 0100.\nCan I "get" a refund? '
const ADDRESS = '203.0.113.77'
const CHAT = [
  { role: 'user', content: 'First of all.' },
  { role: 'user', content: 'Do you film?' },
  { role: 'assistant', content: 'We do.' },
  { role: 'user', content: QUESTION },
]
const HEADERS = { headers: { 'x-real-ip': ADDRESS } }

let upstream: Upstream
beforeEach(async () => {
  const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 200 } })}\n\n`
  upstream = await startUpstream((response) => {
    response.writeHead(200, EVENT_STREAM).end(openaiEvents(['In 30 days [3].']).join('') + usage + DONE)
  })
})

const logging = (options: Partial<ProxyOptions> = {}) => proxyTo(upstream, { addressHeader: 'x-real-ip', ...options })

describe('a log entry', () => {
  it('says who asked what, what was sent, what it cost and what became of it', async () => {
    const { ask, log } = logging({ prices: { input: 3, output: 15 } })
    await readParts(await ask(makeBody({ messages: CHAT, coverage: 'partly' }), HEADERS))
    const tokens = [0, 1, 2, 3].reduce((sum, id) => sum + (makeKnowledge().sections[id]?.tokens ?? 0), 0)
    expect(log).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        outcome: 'answered',
        status: 200,
        visitor: expect.stringMatching(/^[\da-f]{16}$/),
        question: QUESTION,
        before: 'Do you film?',
        hash: HASH,
        sections: [0, 1, 2, 3],
        tokens: { passages: tokens, input: 1000, output: 200 },
        // 1,000 at 3 and 200 at 15 a million.
        cost: 0.006,
        coverage: 'partly',
        cited: [3],
        model: 'test-model',
        unanswered: false,
        firstTokenMs: expect.any(Number),
        totalMs: expect.any(Number),
      },
    ])
  })

  it('holds nothing of the visitor when privacy is strict, whatever happens', async () => {
    const { ask, log } = logging({ privacy: 'strict' })
    await readParts(await ask(makeBody({ messages: CHAT }), HEADERS))
    await ask(makeBody({ messages: CHAT, extra: QUESTION }), HEADERS)
    await ask(makeBody({ messages: CHAT, [QUESTION]: 1 }), HEADERS)
    expect(log).toHaveLength(3)
    expect(Object.keys(log[0] as LogEntry)).not.toEqual(expect.arrayContaining(['question']))
    for (const text of ['refund', '555', 'film', ADDRESS, 'visitor', 'We do', 'question'])
      expect(JSON.stringify(log)).not.toContain(text)
  })

  it('never holds the address, the answer, the prompt or the key', async () => {
    const { ask, log } = logging()
    await readParts(await ask(makeBody({ messages: CHAT }), HEADERS))
    for (const text of [
      ADDRESS,
      'In 30 days',
      'Never promise',
      'Zanzibar',
      'sk-test',
      'Answer only',
      upstream.url,
      'We do',
    ])
      expect(JSON.stringify(log)).not.toContain(text)
  })

  it('knows a visitor again on the same day, and not on another', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T23:00:00Z') })
    try {
      const { ask, log } = logging()
      const askFrom = async (address: string) =>
        void (await readParts(await ask(makeBody(), { headers: { 'x-real-ip': address } })))
      await askFrom(ADDRESS)
      await askFrom(ADDRESS)
      await askFrom('203.0.113.78')
      vi.setSystemTime(new Date('2026-03-02T00:00:00Z'))
      await askFrom(ADDRESS)
      const [one, again, other, nextDay] = log.map(({ visitor }) => visitor)
      expect(again).toBe(one)
      expect(new Set([one, other, nextDay]).size).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('counts every refusal by its code', async () => {
    const { ask, log } = logging({ limits: { addressMinute: 3 } })
    const wrong: [unknown, RequestInit][] = [
      [makeBody(), { headers: { 'content-type': 'text/plain' } }],
      [' '.repeat(70_000), {}],
      [makeBody(), { headers: { origin: 'https://evil.example' } }],
      [{}, {}],
      [makeBody({ hash: 'x' }), {}],
      [makeBody({ sections: [99] }), {}],
      [makeBody(), {}],
    ]
    for (const [body, init] of wrong) await ask(body, init)
    expect(log.map(({ outcome, code, status }) => `${outcome} ${status} ${code}`)).toEqual([
      'refused 415 content-type',
      'refused 413 body-too-large',
      'refused 403 origin',
      'refused 400 bad-request',
      'refused 409 stale',
      'refused 400 unknown-section',
      'refused 429 rate-limited',
    ])
  })
})

describe('the log goes', () => {
  it('to a file, one JSON document a line, in order', async () => {
    const file = join(await folderOf({ 'log.jsonl': '{"old":true}\n' }), 'log.jsonl')
    const { ask } = logging({ log: { file } })
    for (let n = 0; n < 20; n++) {
      await readParts(await ask(makeBody({ messages: [{ role: 'user', content: `${QUESTION}\u2028${n}` }] })))
    }
    const lines = await vi.waitFor(async () => {
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
      expect(lines).toHaveLength(21)
      return lines
    })
    const asked = lines.slice(1).map((line) => (JSON.parse(line) as LogEntry).question)
    expect(asked).toEqual(Array.from({ length: 20 }, (_, n) => `${QUESTION}\u2028${n}`))
  })

  it('to a file in the order in which it was written, also when much comes at once', async () => {
    const file = join(await folderOf({}), 'log.jsonl')
    const write = openSink({ file })
    // Long and short ones in turn: written side by side, the short ones would pass the long.
    for (let n = 0; n < 100; n++) write({ id: String(n), question: 'x'.repeat(n % 2 ? 1 : 400_000) } as LogEntry)
    const lines = await vi.waitFor(
      async () => {
        const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
        expect(lines).toHaveLength(100)
        return lines
      },
      { timeout: 20_000, interval: 200 },
    )
    expect(lines.map((line) => Number((JSON.parse(line) as LogEntry).id))).toEqual(lines.map((_, n) => n))
  })

  it('to standard output', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {})
    try {
      await readParts(await logging({ log: 'stdout' }).ask())
      expect(print.mock.calls.map(([line]) => (JSON.parse(line) as LogEntry).outcome)).toEqual(['answered'])
    } finally {
      print.mockRestore()
    }
  })

  it.each<[string, ProxyOptions['log']]>([
    ['a function that throws', () => Promise.reject(new Error('disk full at /srv'))],
    ['a file that cannot be written', { file: '/nowhere/at/all/log.jsonl' }],
  ])('wrong with %s: said once, and every answer is whole', async (_, log) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
      const { ask } = logging({ log })
      for (const _ of [1, 2]) expect((await readParts(await ask())).text).toBe('In 30 days [3].')
      await vi.waitFor(() => expect(print).toHaveBeenCalled())
      expect(print.mock.calls).toEqual([['pinpack: the log of the proxy cannot be written']])
    } finally {
      print.mockRestore()
    }
  })

  it('nowhere by default; that the key is refused is said once, and nothing of what the provider said', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
      const refusing = await startUpstream((response) =>
        response.writeHead(401).end('{"error":{"message":"bad sk-1"}}'),
      )
      const env = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: refusing.url, PINPACK_MODEL: 'm' }
      const quote = async () => []
      const proxy = createProxy({ knowledge: makeKnowledge(), origins: [ORIGIN], model: modelFromEnv(env), quote })
      for (const _ of [1, 2]) await readParts(await proxy(makeRequest(makeBody())))
      expect(said.mock.calls).toEqual([["pinpack: the model's provider refuses the key [upstream-auth]"]])
    } finally {
      said.mockRestore()
    }
  })

  it('nowhere by default, and nothing is printed', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {})
    try {
      const env = { OPENAI_BASE_URL: upstream.url, PINPACK_MODEL: 'm' }
      const proxy = createProxy({ knowledge: makeKnowledge(), origins: [ORIGIN], model: modelFromEnv(env) })
      await readParts(await proxy(makeRequest(makeBody())))
      expect(print).not.toHaveBeenCalled()
    } finally {
      print.mockRestore()
    }
  })
})

describe('the check for a human', () => {
  const token = (value: string) => ({ headers: { 'x-human-token': value, 'x-real-ip': ADDRESS } })

  it('lets a good token through and refuses others, before anything is spent', async () => {
    const seen: string[][] = []
    const verify = async (value: string, address: string) => {
      seen.push([value, address])
      return value === 'good'
    }
    const { ask, log } = logging({ human: { header: 'x-human-token', verify } })
    for (const init of [HEADERS, token(''), token('bad'), token('x'.repeat(9000))]) {
      const response = await ask(makeBody(), init)
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([403, 'human'])
    }
    expect(upstream.calls).toHaveLength(0)
    expect((await readParts(await ask(makeBody(), token('good')))).text).toBe('In 30 days [3].')
    expect(seen).toEqual([
      ['bad', ADDRESS],
      ['good', ADDRESS],
    ])
    expect(log.map(({ code }) => code)).toEqual(['human', 'human', 'human', 'human', undefined])
  })

  it.each([
    ['fails', () => Promise.reject(new Error('secret key 0x4AAA'))],
    ['gives no boolean', async () => 'yes' as never],
  ])('that %s lets nobody through', async (_, verify) => {
    const { ask } = logging({ human: { header: 'x-human-token', verify } })
    const response = await ask(makeBody(), token('good'))
    expect([403, 503]).toContain(response.status)
    expect(await response.text()).not.toContain('0x4AAA')
    expect(upstream.calls).toHaveLength(0)
  })

  it('that never answers lets nobody through', async () => {
    const { ask } = logging({ human: { header: 'x-human-token', verify: () => new Promise(() => {}) } })
    expect((await within(8000, ask(makeBody(), token('good')))).status).toBe(503)
  })

  it('is made by a service over HTTP, as docs/proxy.md shows', async () => {
    const verifier = await serverOf((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () =>
        response.end(JSON.stringify({ success: new URLSearchParams(body).get('response') === 't1' })),
      )
    })
    const verify = async (response: string, remoteip: string) => {
      const body = new URLSearchParams({ secret: 's', response, remoteip })
      const reply = await fetch(verifier, { method: 'POST', body })
      return ((await reply.json()) as { success: boolean }).success
    }
    const { ask } = logging({ human: { header: 'x-human-token', verify } })
    const preflight = await ask(null, { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } })
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type,x-human-token')
    expect((await ask(makeBody(), token('t2'))).status).toBe(403)
    expect((await readParts(await ask(makeBody(), token('t1')))).text).toBe('In 30 days [3].')
  })
})
