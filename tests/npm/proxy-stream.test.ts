import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import {
  DefaultChatTransport,
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  uiMessageChunkSchema,
} from 'ai'
import { describe, expect, it } from 'vitest'
import {
  type Call,
  createProxy,
  DONE,
  deferred,
  EVENT_STREAM,
  errorCode,
  HASH,
  makeBody,
  makeKnowledge,
  makeRequest,
  modelFromEnv,
  ORIGIN,
  openaiEvents,
  proxyTo,
  readParts,
  readText,
  readUntil,
  replyWith,
  startUpstream,
  textOf,
  within,
} from './proxy-kit.ts'

const DELTAS = ['你好 🌍 ', '— caf', 'é, yes']
const TEXT = '你好 🌍 — café, yes'
const EVENTS = openaiEvents(DELTAS)

/** An upstream that writes `count` deltas, `ms` milliseconds apart. */
function upstreamSteady(count: number, ms: number) {
  return startUpstream(async (response) => {
    response.writeHead(200, EVENT_STREAM)
    for (const event of openaiEvents(Array(count).fill('x'))) {
      response.write(event)
      await sleep(ms)
    }
    response.end(DONE)
  })
}

function inPiecesOf(size: number, bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

describe('an answer', () => {
  it('comes as start, receipt, text, sources, finish and [DONE]', async () => {
    const upstream = await startUpstream(replyWith('Ask billing [1], within 30 days [3', ']. Not [9].'))
    const { ask, log } = proxyTo(upstream)
    const response = await ask()
    const { parts } = await readParts(response)
    expect(parts.map(({ type }) => type)).toEqual([
      'start',
      'data-receipt',
      'text-start',
      'text-delta',
      'source-url',
      'text-delta',
      'source-url',
      'text-end',
      'finish',
    ])
    expect(textOf(parts)).toBe('Ask billing [1], within 30 days [3]. Not.')
    expect(parts.filter(({ type }) => type === 'source-url')).toEqual([
      { type: 'source-url', sourceId: 'p1', url: '/rules#refund-rule', title: 'Refund rule' },
      { type: 'source-url', sourceId: 'p3', url: '/faq#refunds', title: 'Refunds' },
    ])
    expect(parts.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
    expect(log).toHaveLength(1)
    expect(log[0]).toMatchObject({ outcome: 'answered', status: 200, sections: [0, 1, 2, 3], cited: [1, 3] })
    expect(log[0]?.id).toBe(parts[0]?.messageId)
    expect(log[0]?.id).toBe(response.headers.get('x-request-id'))
  })

  it('names in its receipt what the upstream was sent, pinned first', async () => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const { parts } = await readParts(await proxyTo(upstream).ask(makeBody({ sections: [3, 2] })))
    const { sections } = makeKnowledge()
    const row = (id: number, pinned: boolean) => {
      const { ref, title, url, tokens } = sections[id] as (typeof sections)[number]
      return { id, ref, title, url, tokens, pinned }
    }
    const rows = [row(0, true), row(1, true), row(3, false), row(2, false)]
    const tokens = rows.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(parts[1]?.data).toEqual({ hash: HASH, sections: rows, tokens, budget: 3700, model: 'test-model' })
  })

  it('keeps the numbers that the model used, each opening its own section', async () => {
    const upstream = await startUpstream(replyWith('See [4] and [5], also [4].'))
    const { parts, text } = await readParts(await proxyTo(upstream).ask(makeBody({ sections: [2, 3, 4] })))
    expect(text).toBe('See [4] and [5], also [4].')
    const sources = parts.filter(({ type }) => type === 'source-url').map(({ sourceId, url }) => [sourceId, url])
    expect(sources).toEqual([
      ['p4', '/services#video'],
      ['p5', '/faq#refunds-detail'],
    ])
  })

  it('gives no source for a section without a page', async () => {
    const upstream = await startUpstream(replyWith('So it is [2].'))
    const { parts, text } = await readParts(await proxyTo(upstream).ask())
    expect(text).toBe('So it is [2].')
    expect(parts.some(({ type }) => type === 'source-url')).toBe(false)
  })

  it('is marked when it was cut at the token limit', async () => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(openaiEvents(['Half'], 'length').join('') + DONE)
    })
    const { parts, text } = await readParts(await proxyTo(upstream).ask())
    expect(text).toBe('Half')
    expect(parts.at(-1)).toEqual({ type: 'finish', finishReason: 'length' })
  })

  it('is read by the AI SDK: chat transport and message reader', async () => {
    const upstream = await startUpstream(replyWith('In 30 days [3].'))
    const { ask } = proxyTo(upstream)
    const transport = new DefaultChatTransport({
      api: 'https://api.example/chat',
      fetch: async () => ask(),
    })
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId: 'c',
      messageId: undefined,
      messages: [],
      abortSignal: undefined,
    })
    let message: UIMessage | undefined
    for await (const state of readUIMessageStream({ stream })) message = state
    expect(message?.parts.map(({ type }) => type)).toEqual(['data-receipt', 'text', 'source-url'])
    expect(message?.parts.find((part) => part.type === 'text')?.text).toBe('In 30 days [3].')
  })

  it('holds only parts of the protocol, errors included', async () => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(openaiEvents(['Half [3].'], null).join(''))
    })
    const body = (await proxyTo(upstream).ask()).body as ReadableStream<Uint8Array>
    const types: (string | undefined)[] = []
    for await (const result of parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema })) {
      types.push(result.success ? result.value.type : undefined)
    }
    expect(types).toContain('data-error')
    expect(types.at(-1)).toBe('error')
    expect(types).not.toContain(undefined)
  })
})

describe('the headers of an answer', () => {
  it('forbid buffering and name the protocol, and none of the upstream is copied', async () => {
    const upstream = await startUpstream((response) => {
      const body = gzipSync(openaiEvents(['Yes.']).join('') + DONE)
      const length = { 'content-length': String(body.length), 'content-encoding': 'gzip', 'set-cookie': 'up=1' }
      response.writeHead(200, { ...EVENT_STREAM, ...length, 'openai-organization': 'org-1' }).end(body)
    })
    const response = await proxyTo(upstream).ask()
    const headers = Object.fromEntries(response.headers)
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-vercel-ai-ui-message-stream': 'v1',
      'access-control-allow-origin': ORIGIN,
      vary: 'Origin',
    })
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'set-cookie']) {
      expect(headers).not.toHaveProperty(name)
    }
    expect(headers).not.toHaveProperty('openai-organization')
    expect((await readParts(response)).text).toBe('Yes.')
  })

  it('and the first text are there before the upstream ends', async () => {
    const held = deferred<void>()
    const upstream = await startUpstream(async (response) => {
      response.writeHead(200, EVENT_STREAM)
      for (const event of EVENTS.slice(0, 2)) response.write(event)
      await held.promise
      response.end(EVENTS.slice(2).join('') + DONE)
    })
    const reader = readText(await proxyTo(upstream).ask())
    let seen = ''
    seen = await readUntil(reader, 'text-delta', seen)
    expect(seen).toContain('你好 🌍')
    expect(seen).not.toContain('café')
    held.resolve()
    seen = await readUntil(reader, '[DONE]', seen)
  })
})

describe('an upstream stream', () => {
  it('whose connection breaks is marked as cut and keeps what came', async () => {
    const upstream = await startUpstream(async (response) => {
      response.writeHead(200, EVENT_STREAM)
      response.write(EVENTS.slice(0, 3).join(''))
      await sleep(50)
      response.socket?.resetAndDestroy()
    })
    const { parts, text } = await readParts(await proxyTo(upstream).ask())
    expect(text).toBe('你好 🌍 — caf')
    expect(errorCode(parts)).toBe('upstream-cut')
  })

  it.each([
    ['\\r\\n', (text: string) => text.replaceAll('\n', '\r\n')],
    ['\\r', (text: string) => text.replaceAll('\n', '\r')],
    ['mixed', (text: string) => text.replaceAll('\n\n', '\r\n\n')],
  ])('may end its lines in %s, and each event is passed on at once', async (_, ends) => {
    const held = deferred<void>()
    const upstream = await startUpstream(async (response) => {
      response.writeHead(200, EVENT_STREAM)
      for (const piece of inPiecesOf(1, Buffer.from(ends(EVENTS.slice(0, 3).join(''))))) response.write(piece)
      await held.promise
      response.end(ends(EVENTS.slice(3).join('') + DONE))
    })
    const response = await proxyTo(upstream).ask()
    const [early, all] = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).tee()
    let seen = ''
    for await (const text of early.pipeThrough(new TextDecoderStream())) {
      seen += text
      if (seen.includes('你好 🌍')) held.resolve()
    }
    expect((await readParts(new Response(all))).text).toBe(TEXT)
  })

  it.each(['', '\n', '\n\n'])('may end in %j after its last event', async (end) => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(EVENTS.join('').trimEnd() + end)
    })
    const { parts, text } = await readParts(await proxyTo(upstream).ask())
    expect(text).toBe(TEXT)
    expect(parts.filter(({ type }) => type === 'finish')).toEqual([{ type: 'finish', finishReason: 'stop' }])
  })

  it('may take longer than the idle time while it goes on', async () => {
    const upstream = await upstreamSteady(10, 30)
    expect((await readParts(await proxyTo(upstream, { limits: { idleMs: 150 } }).ask())).text).toBe('x'.repeat(10))
  })

  it('may hold comments and an event of 40 kB', async () => {
    const long = '长'.repeat(14_000)
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(`: hello\n\n${openaiEvents([long]).join(': ping\n\n')}${DONE}`)
    })
    expect((await readParts(await proxyTo(upstream).ask())).text).toBe(long)
  })

  it('may hold chunks without choices; the usage in them is logged', async () => {
    const upstream = await startUpstream((response) => {
      const filter = `data: ${JSON.stringify({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] })}\n\n`
      const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 321, completion_tokens: 5 } })}\n\n`
      response.writeHead(200, EVENT_STREAM).end(filter + openaiEvents(['Hel', 'lo']).join('') + usage + DONE)
    })
    const { ask, log } = proxyTo(upstream)
    expect((await readParts(await ask())).text).toBe('Hello')
    expect(log[0]?.tokens).toMatchObject({ input: 321, output: 5 })
  })
})

describe('an upstream that fails', () => {
  const KEY_TEXT = 'Incorrect API key provided: sk-proj-abc***xyz'

  it.each([
    [400, 'upstream-failed'],
    [401, 'upstream-auth'],
    [403, 'upstream-auth'],
    [404, 'upstream-failed'],
    [429, 'upstream-overloaded'],
    [500, 'upstream-failed'],
    [503, 'upstream-overloaded'],
    [529, 'upstream-overloaded'],
  ])('with status %i becomes %s, and nothing that it said gets out', async (status, code) => {
    const upstream = await startUpstream((response) => {
      const headers = { 'content-type': 'application/json', 'set-cookie': 'up=1', 'openai-organization': 'org-77' }
      response.writeHead(status, headers).end(JSON.stringify({ error: { message: KEY_TEXT, type: 'x', code: 'y' } }))
    })
    const { ask, log } = proxyTo(upstream)
    const response = await ask()
    const { parts, raw } = await readParts(response)
    expect(parts.map(({ type }) => type)).toEqual(['start', 'data-receipt', 'data-error', 'error'])
    expect(errorCode(parts)).toBe(code)
    expect(log[0]).toMatchObject({ outcome: 'failed', code })
    const out = raw + JSON.stringify([...response.headers]) + JSON.stringify(log)
    for (const secret of ['sk-', KEY_TEXT, upstream.url, 'org-77', 'up=1']) expect(out).not.toContain(secret)
  })

  it('inside its stream gets out neither', async () => {
    const upstream = await startUpstream((response) => {
      const error = `data: ${JSON.stringify({ error: { message: KEY_TEXT, type: 'invalid_request_error' } })}\n\n`
      response.writeHead(200, EVENT_STREAM).end(EVENTS.slice(0, 3).join('') + error)
    })
    const { parts, raw, text } = await readParts(await proxyTo(upstream).ask())
    expect(text).toBe('你好 🌍 — caf')
    expect(errorCode(parts)).toBe('upstream-failed')
    expect(raw).not.toContain('sk-')
  })

  it('prints nothing', async () => {
    const printed: unknown[] = []
    const { error, warn, info, log } = console
    Object.assign(
      console,
      Object.fromEntries(
        ['error', 'warn', 'info', 'log'].map((name) => [name, (...all: unknown[]) => printed.push(all)]),
      ),
    )
    try {
      const upstream = await startUpstream((response) => {
        response
          .writeHead(401, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error: { message: KEY_TEXT } }))
      })
      await readParts(await proxyTo(upstream).ask())
    } finally {
      Object.assign(console, { error, warn, info, log })
    }
    expect(printed).toEqual([])
  })

  it('after 200 with an Anthropic error event keeps the text and has no finish', async () => {
    const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
    const upstream = await startUpstream((response) => {
      const message = {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'claude-haiku-4-5',
        usage: { input_tokens: 9, output_tokens: 1 },
      }
      response
        .writeHead(200, EVENT_STREAM)
        .end(
          event('message_start', { message }) +
            event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
            event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'With' } }) +
            event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'in 30' } }) +
            event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
        )
    })
    const env = { ANTHROPIC_API_KEY: 'sk-ant', ANTHROPIC_BASE_URL: upstream.url }
    const { parts, text } = await readParts(await proxyTo(upstream, { model: modelFromEnv(env) }).ask())
    expect(text).toBe('Within 30')
    expect(errorCode(parts)).toBe('upstream-overloaded')
    expect(parts.filter(({ type }) => type === 'error' || type === 'finish')).toHaveLength(1)
    expect(upstream.calls[0]?.body.messages.map(({ role }) => role)).toEqual(['user'])
  })

  it.each([
    ['content_filter', 'content-filter', 'Hal'],
    ['stop', 'upstream-failed', ''],
    ['length', 'upstream-cut', ''],
  ])('to say anything whole (%s) becomes %s', async (reason, code, said) => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(openaiEvents([said], reason).join('') + DONE)
    })
    const { parts, text } = await readParts(await proxyTo(upstream).ask())
    expect(text).toBe(said)
    expect(errorCode(parts)).toBe(code)
  })

  it('to give any choice becomes upstream-cut', async () => {
    const upstream = await startUpstream((response) => {
      const empty = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 0 } })}\n\n`
      response.writeHead(200, EVENT_STREAM).end(empty + empty + DONE)
    })
    const { parts, text } = await readParts(await proxyTo(upstream).ask())
    expect([text, errorCode(parts)]).toEqual(['', 'upstream-cut'])
  })

  it('to be there at all becomes upstream-failed', async () => {
    const model = modelFromEnv({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', PINPACK_MODEL: 'm' })
    const { parts } = await readParts(await proxyTo({ url: '', calls: [] }, { model }).ask())
    expect(errorCode(parts)).toBe('upstream-failed')
  })

  it('once before its first byte is asked again, and not more often than allowed', async () => {
    const upstream = await startUpstream((response) => {
      if (upstream.calls.length === 1) response.writeHead(429, { 'retry-after-ms': '5' }).end('{}')
      else replyWith('Yes.')(response)
    })
    expect((await readParts(await proxyTo(upstream, { limits: { retries: 1 } }).ask())).text).toBe('Yes.')
    expect(upstream.calls).toHaveLength(2)

    const busy = await startUpstream((response) => response.writeHead(529, { 'retry-after-ms': '5' }).end('{}'))
    const { parts } = await readParts(await proxyTo(busy, { limits: { retries: 2 } }).ask())
    expect(errorCode(parts)).toBe('upstream-overloaded')
    expect(busy.calls).toHaveLength(3)
  })

  it('after its first byte is not asked again', async () => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, EVENT_STREAM).end(EVENTS.slice(0, 2).join(''))
    })
    await readParts(await proxyTo(upstream, { limits: { retries: 3 } }).ask())
    expect(upstream.calls).toHaveLength(1)
  })

  it.each([
    ['never answers', 0, 'upstream-failed'],
    ['stops half-way', 2, 'upstream-cut'],
  ])('because it %s is left after the idle time', async (_, events, code) => {
    const upstream = await startUpstream((response) => {
      if (events > 0) response.writeHead(200, EVENT_STREAM).write(EVENTS.slice(0, events).join(''))
    })
    const { parts } = await within(
      2000,
      proxyTo(upstream, { limits: { idleMs: 80 } })
        .ask()
        .then(readParts),
    )
    expect(errorCode(parts)).toBe(code)
    await within(500, (upstream.calls[0] as { closed: Promise<void> }).closed)
  })

  it('to come to an end is left after the total time', async () => {
    const upstream = await startUpstream(async (response) => {
      response.writeHead(200, EVENT_STREAM)
      while (!response.destroyed) {
        response.write(EVENTS[1])
        await sleep(20)
      }
    })
    const { parts } = await within(
      2000,
      proxyTo(upstream, { limits: { totalMs: 200 } })
        .ask()
        .then(readParts),
    )
    expect(errorCode(parts)).toBe('upstream-cut')
  })
})

describe('a visitor who leaves', () => {
  it('before the first text aborts the upstream', async () => {
    const called = deferred<Call>()
    const upstream = await startUpstream((_response, call) => called.resolve(call))
    const { ask, log } = proxyTo(upstream)
    const leave = new AbortController()
    const response = await ask(makeBody(), { signal: leave.signal })
    const reading = response.text().catch(() => 'gone')
    const { closed } = await called.promise
    leave.abort()
    await within(1000, closed)
    await within(1000, reading)
    expect(log).toMatchObject([{ outcome: 'aborted' }])
  })

  it('after the first text aborts the upstream', async () => {
    const called = deferred<Call>()
    const upstream = await startUpstream((response, call) => {
      response.writeHead(200, EVENT_STREAM).write(EVENTS.slice(0, 2).join(''))
      called.resolve(call)
    })
    const { ask, log } = proxyTo(upstream)
    const reader = readText(await ask())
    let seen = ''
    seen = await readUntil(reader, 'text-delta', seen)
    const { closed } = await called.promise
    await reader.cancel()
    await within(1000, closed)
    expect(log).toMatchObject([{ outcome: 'aborted' }])
  })

  it('before asking costs nothing', async () => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const proxy = createProxy({
      knowledge: makeKnowledge(),
      model: modelFromEnv({ OPENAI_BASE_URL: upstream.url, PINPACK_MODEL: 'm' }),
      origins: [ORIGIN],
    })
    const request = makeRequest(makeBody(), { signal: AbortSignal.abort() })
    await proxy(request)
      .then((response) => response.text())
      .catch(() => {})
    expect(upstream.calls).toHaveLength(0)
  })
})
