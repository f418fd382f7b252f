import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Served, type ServeOptions, serve } from '../../www/proxy/node.ts'
import {
  type Call,
  deferred,
  EVENT_STREAM,
  makeBody,
  makeKnowledge,
  modelFromEnv,
  ORIGIN,
  openaiEvents,
  readParts,
  replyWith,
  startUpstream,
  type Upstream,
  within,
} from './proxy-kit.ts'

let server: Served | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(upstream: Upstream, options: Partial<ServeOptions> = {}): Promise<string> {
  const model = modelFromEnv({ OPENAI_BASE_URL: upstream.url, PINPACK_MODEL: 'm' })
  server = await serve({ port: 0, knowledge: makeKnowledge(), origins: [ORIGIN], model, ...options })
  return server.url
}

const post = (body: unknown = makeBody()): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', origin: ORIGIN },
})

describe('serve', () => {
  it('answers on the address that it gives', async () => {
    const url = await start(await startUpstream(replyWith('In 30 days [3].')))
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await readParts(await fetch(`${url}/api/chat`, post()))).text).toBe('In 30 days [3].')
    const health = await fetch(url)
    expect([health.status, await health.json()]).toEqual([200, { ok: true, hash: makeKnowledge().hash }])
  })

  it.each([
    ['before the first text', 0],
    ['after the first text', 2],
  ])('aborts the upstream when the client closes the connection %s', async (_, events) => {
    const called = deferred<Call>()
    const upstream = await startUpstream((response, call) => {
      if (events > 0) response.writeHead(200, EVENT_STREAM).write(openaiEvents(['Hi', '!']).slice(0, events).join(''))
      called.resolve(call)
    })
    const url = await start(upstream)
    const leave = new AbortController()
    const response = await fetch(url, { ...post(), signal: leave.signal })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const { closed } = await called.promise
    leave.abort()
    await within(500, closed)
  })

  it('answers 413 to a body without Content-Length before it has ended', async () => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const url = new URL(await start(upstream))
    const headers = { 'content-type': 'application/json', origin: ORIGIN, 'transfer-encoding': 'chunked' }
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const upload = request({ port: url.port, host: url.hostname, method: 'POST', headers }, (response) => {
        resolve(response.statusCode)
        upload.destroy()
      })
      upload.on('error', reject)
      upload.write(' '.repeat(70_000))
    })
    expect(status).toBe(413)
    expect(upstream.calls).toHaveLength(0)
  })

  it('says so when the port is taken', async () => {
    const upstream = await startUpstream(replyWith('Yes.'))
    const { port } = new URL(await start(upstream))
    const again = serve({ port: Number(port), knowledge: makeKnowledge(), origins: [ORIGIN] })
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('ends open answers when it is closed', async () => {
    const called = deferred<Call>()
    const upstream = await startUpstream((_response, call) => called.resolve(call))
    const url = await start(upstream)
    const reading = fetch(url, post()).then((response) => response.text())
    reading.catch(() => {})
    const { closed } = await called.promise
    await within(1000, (server as Served).close())
    server = undefined
    await within(500, closed)
    await expect(within(500, reading)).rejects.toThrow()
  })
})
