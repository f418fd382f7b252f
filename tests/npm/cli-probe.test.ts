/** `pinpack probe` against a good proxy, and against some that lack one defense each: it has to notice. */

import { createServer } from 'node:http'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProxy, type ProxyOptions } from '../../www/proxy/index.ts'
import { DIST, node, serverOf } from './fixture.ts'
import { makeKnowledge, ORIGIN } from './proxy-kit.ts'

interface Report {
  passed: number
  failed: number
  checks: { name: string; problem?: string }[]
}

type Handler = (request: Request) => Promise<Response>

const LIMITS = { addressMinute: 60, addressDay: 1000, bodyMs: 500 }

function goodProxy(options: Partial<ProxyOptions> = {}): Handler {
  const quote = async () => [{ passage: 0, text: 'You can ask for a refund within 30 days.', score: 1 }]
  return createProxy({
    knowledge: makeKnowledge(),
    origins: [ORIGIN],
    quote,
    ...options,
    limits: { ...LIMITS, ...options.limits },
  })
}

async function addressOf(handler: Handler): Promise<string> {
  const server = createAdaptorServer({ fetch: handler, overrideGlobalObjects: false })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/api/chat`
}

async function probe(url: string, ...more: string[]) {
  const { code, stdout, stderr } = await node([
    join(DIST, 'cli.js'),
    'probe',
    url,
    '--origin',
    ORIGIN,
    '--json',
    ...more,
  ])
  return { code, stderr, report: JSON.parse(stdout) as Report }
}

/** The names of the checks that failed. */
async function failuresOf(handler: Handler, ...more: string[]) {
  const { code, report } = await probe(await addressOf(handler), ...more)
  const failed = report.checks.filter(({ problem }) => problem !== undefined)
  expect(code).toBe(failed.length > 0 ? 1 : 0)
  expect(report.failed).toBe(failed.length)
  return failed.map(({ name, problem }) => `${name}: ${problem}`)
}

const edited = (response: Response, edit: (headers: Headers) => void) => {
  const headers = new Headers(response.headers)
  edit(headers)
  return new Response(response.body, { status: response.status, headers })
}

describe('pinpack probe', () => {
  it('finds nothing wrong with a proxy, and asks it a question when told', async () => {
    const asked = await probe(await addressOf(goodProxy()), '--ask', 'Can I get a refund?')
    expect(asked.report.checks.filter(({ problem }) => problem)).toEqual([])
    expect(asked.code).toBe(0)
    expect(asked.report.passed).toBeGreaterThan(25)
    expect(asked.report.checks[0]?.name).toBe('answers a question as a stream of the AI SDK')
  })

  it('costs nothing unless it is told to ask', async () => {
    let answers = 0
    const quote = async () => {
      answers++
      return []
    }
    expect(await failuresOf(goodProxy({ quote }))).toEqual([])
    expect(answers).toBe(0)
  })

  it('prints a line for each check without --json', async () => {
    const url = await addressOf(goodProxy())
    const { code, stdout } = await node([join(DIST, 'cli.js'), 'probe', url, '--origin', ORIGIN])
    expect(code).toBe(0)
    expect(stdout).toContain('  passed  refuses the origin null\n')
    expect(stdout).toMatch(/\n\d+ checks passed, 0 failed\n$/)
  })

  it.each<[string, () => Handler, RegExp]>([
    [
      'any origin is let in',
      () => {
        const good = goodProxy()
        return async (request) => {
          const claimed = request.headers.get('origin') ?? ORIGIN
          const headers = new Headers(request.headers)
          headers.set('origin', ORIGIN)
          const { method, body } = request
          const changed = new Request(request.url, { method, headers, body, duplex: 'half' } as RequestInit)
          return edited(await good(changed), (out) => out.set('access-control-allow-origin', claimed))
        }
      },
      /^refuses the origin|^refuses a request without an origin|preflight of another site/,
    ],
    [
      'errors have no CORS headers',
      () => {
        const good = goodProxy()
        return async (request) => {
          const response = await good(request)
          return response.ok ? response : edited(response, (headers) => headers.delete('access-control-allow-origin'))
        }
      },
      /: no Access-Control-Allow-Origin/,
    ],
    [
      'there is no limit',
      () => goodProxy({ limits: { addressMinute: 1e6, addressDay: 1e6 } }),
      /requests in a row were all taken$/,
    ],
    [
      'an invented address is believed',
      () => goodProxy({ addressHeader: 'x-forwarded-for' }),
      /an invented x-forwarded-for gets around the limit$/,
    ],
    [
      'errors leak',
      () => {
        const good = goodProxy()
        return async (request) => {
          const response = await good(request)
          return response.status === 409
            ? new Response((await response.text()).replace('The page', 'Key sk-proj-abc123'), response)
            : response
        }
      },
      /^refuses another hash, and says its own: the answer holds "sk-proj-abc1"$/,
    ],
    [
      'unknown keys are ignored',
      () => {
        const good = goodProxy()
        return async (request) => {
          if (request.method !== 'POST' || !request.headers.has('content-length')) return good(request)
          const text = await request.text()
          const stripped = text.replace(/,"(?:model|system|tools|max_tokens)":(?:"[^"]*"|\[\]|\d+)/, '')
          const headers = Object.fromEntries(request.headers)
          return good(
            new Request(request.url, { method: 'POST', headers: { ...headers, 'content-length': '' }, body: stripped }),
          )
        }
      },
      /^refuses (?:a model|a system text|tools|a number of tokens)/,
    ],
  ])('notices that %s', async (_, make, expected) => {
    const failures = await failuresOf(make())
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.filter((failure) => !expected.test(failure))).toEqual([])
  })

  it('notices that a body of any size is read, and that a slow one is waited for', async () => {
    const good = goodProxy()
    const url = await serverOf((request, response) => {
      let bytes = 0
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      const give = async (body: string | undefined) => {
        const headers = request.headers as Record<string, string>
        const init = { method: request.method ?? 'GET', headers, ...(body !== undefined && { body }) }
        const answer = await good(new Request('http://127.0.0.1/', init))
        response
          .writeHead(bytes > 60_000 ? 413 : answer.status, Object.fromEntries(answer.headers))
          .end(await answer.text())
      }
      if (request.method === 'GET' || request.method === 'OPTIONS') void give(undefined)
      else request.on('end', () => void give(bytes > 0 && bytes < 60_000 ? '{}' : ''))
    })
    const { report } = await probe(url)
    const names = report.checks
      .filter(({ problem }) => /whole body|no answer within/.test(problem ?? ''))
      .map(({ name }) => name)
    expect(names).toEqual([
      'refuses a body of 10 MB without Content-Length, and does not take it',
      'does not wait for a body that does not come',
    ])
  }, 120_000)

  it.each([
    ['what is no address', ['localhost', '--origin', ORIGIN], 2, 'usage'],
    ['what is no origin', ['http://127.0.0.1:9/', '--origin', 'example.com'], 2, 'usage'],
    ['nobody', ['http://127.0.0.1:9/', '--origin', ORIGIN], 1, 'unreachable'],
  ])('says so of %s', async (_, args, exit, error) => {
    const { code, stderr } = await node([join(DIST, 'cli.js'), 'probe', ...args])
    expect([code, stderr.split(':')[0]]).toEqual([exit, `error[${error}]`])
  })

  it('says so of another server', async () => {
    const server = createServer((_, response) => response.end('<h1>Hello</h1>'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
    const { code, stderr } = await node([join(DIST, 'cli.js'), 'probe', url, '--origin', ORIGIN])
    expect([code, stderr.split(':')[0]]).toEqual([1, 'error[not-a-proxy]'])
  })
})
