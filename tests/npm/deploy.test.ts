/** The files of docs/deploy, each run by its runtime, in a folder as an owner has it. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DIST, folderOf, ROOT } from './fixture.ts'
import {
  type Call,
  deferred,
  EVENT_STREAM,
  makeBody,
  makeKnowledge,
  ORIGIN,
  openaiEvents,
  readParts,
  readText,
  readUntil,
  replyWith,
  startUpstream,
  type Upstream,
  within,
} from './proxy-kit.ts'

/** The folder of an owner: one file of docs/deploy, the knowledge, and what npm installs. */
async function project(file: string, as = file, knowledge = 'knowledge.json'): Promise<string> {
  const dir = await folderOf({ [knowledge]: JSON.stringify(makeKnowledge()), 'package.json': '{"type":"module"}' })
  await mkdir(join(dir, 'node_modules'))
  await symlink(ROOT, join(dir, 'node_modules', 'pinpack'))
  await symlink(join(ROOT, 'node_modules', 'ioredis'), join(dir, 'node_modules', 'ioredis'))
  await mkdir(dirname(join(dir, as)), { recursive: true })
  await cp(join(ROOT, 'docs', 'deploy', file), join(dir, as))
  return dir
}

/** A runtime that npm installs. Where its install script was not allowed to run, or there is none for this platform, it does not start. */
function runtime(name: string, skip: (why: string) => void): string {
  const path = join(ROOT, 'node_modules', '.bin', name)
  if (spawnSync(path, ['--version']).status !== 0) skip(`${name} does not start on this machine`)
  return path
}

const environment = (upstream: Upstream) => ({
  ...{ OPENAI_API_KEY: 'sk-test-secret', OPENAI_BASE_URL: upstream.url, PINPACK_MODEL: 'test-model' },
  ORIGINS: `${ORIGIN},https://other.example`,
})

type Ask = (body?: unknown, headers?: Record<string, string>, signal?: AbortSignal) => Promise<Response>

const init = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', origin: ORIGIN, ...headers },
  ...(signal && { signal }),
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** Runs a server of a project until the test ends. */
async function run(
  command: string,
  args: string[],
  cwd: string,
  upstream: Upstream,
  env: Record<string, string> = {},
): Promise<Ask> {
  const port = await freePort()
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...environment(upstream), PORT: String(port), ...env },
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await listening(child)
  return (body = makeBody(), headers = {}, signal) =>
    fetch(`http://127.0.0.1:${port}/api/chat`, init(body, headers, signal))
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const read = (text: Buffer) => {
      said += text
      if (/listening on/i.test(said)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${said}`)))
  })
}

/** The laws of a deployed proxy: it streams, refuses, limits an address, and lets the model go with the visitor. */
async function keepsTheLaws(start: (upstream: Upstream) => Promise<Ask>, { aborts = true } = {}) {
  const called = deferred<Call>()
  const half = deferred<void>()
  const upstream = await startUpstream(async (response, call) => {
    const question = JSON.stringify(call.body.messages.at(-1))
    if (question.includes('30 days')) return response.writeHead(500).end('{"error":{"message":"sk-leak"}}')
    if (!question.includes('slow')) return replyWith('In 30 days', ' [3].')(response)
    response.writeHead(200, EVENT_STREAM).write(openaiEvents(['First', 'x']).slice(0, 2).join(''))
    called.resolve(call)
    await half.promise
  })
  const ask = await start(upstream)
  const asking = (content: string) => makeBody({ messages: [{ role: 'user', content }] })

  const answer = await readParts(await ask())
  expect(answer.text).toBe('In 30 days [3].')
  expect(answer.parts.at(-1)?.type).toBe('finish')
  expect(upstream.calls[0]?.headers.authorization).toBe('Bearer sk-test-secret')
  expect((await ask(makeBody(), { origin: 'https://evil.example' })).status).toBe(403)
  expect((await ask(makeBody({ model: 'x' }))).status).toBe(400)

  const quoted = await readParts(await ask(asking('How do I ask for a refund within 30 days?')))
  expect(quoted.text).toMatch(/^The assistant cannot answer right now\.[\s\S]*> .*refund/)
  expect(quoted.raw).not.toContain('sk-')

  const leave = new AbortController()
  const reader = readText(await ask(asking('slow'), {}, leave.signal))
  let seen = ''
  seen = await readUntil(reader, 'First', seen)
  const { closed } = await called.promise
  leave.abort()
  if (aborts) await within(1000, closed)
  half.resolve()

  const spoofed = { 'x-forwarded-for': '198.51.100.9' }
  const statuses: number[] = []
  while (statuses.length < 20 && statuses.at(-1) !== 429) {
    const response = await ask(makeBody(), { ...spoofed, 'x-forwarded-for': `198.51.100.${statuses.length}` })
    statuses.push(response.status)
    await response.text()
  }
  // Ten in a minute by default; four of them were above: what has another origin is no visit.
  expect(statuses).toEqual([...Array(6).fill(200), 429])
}

describe('docs/deploy', () => {
  it('node.mjs', async () => {
    const dir = await project('node.mjs')
    await keepsTheLaws((upstream) =>
      run(process.execPath, ['node.mjs'], dir, upstream, { LOG: join(dir, 'log.jsonl') }),
    )
    const lines = (await readFile(join(dir, 'log.jsonl'), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).outcome)).toContain('aborted')
  })

  it('deno.mjs', async ({ skip }) => {
    const dir = await project('deno.mjs')
    const deno = runtime('deno', skip)
    const args = [
      'run',
      '--no-lock',
      '--node-modules-dir=manual',
      '--allow-net',
      '--allow-env',
      '--allow-read',
      '--allow-sys=hostname',
      'deno.mjs',
    ]
    await keepsTheLaws((upstream) => run(deno, args, dir, upstream, { DENO_NO_UPDATE_CHECK: '1' }))
  })

  it('bun.mjs', async ({ skip }) => {
    const dir = await project('bun.mjs')
    const bun = runtime('bun', skip)
    await keepsTheLaws((upstream) => run(bun, ['run', 'bun.mjs'], dir, upstream))
  })

  it('cloudflare.mjs, in workerd', async () => {
    const dir = await project('cloudflare.mjs')
    await keepsTheLaws(async (upstream) => {
      const worker = await startWorker(dir, upstream)
      return async (body = makeBody(), headers = {}, signal) => {
        const url = await worker.ready
        return fetch(url, init(body, { 'cf-connecting-ip': '203.0.113.5', ...headers }, signal))
      }
    })
  })

  it.each([
    ['vercel.mjs', 'api/chat.mjs', ['POST', 'GET', 'OPTIONS'], 'x-real-ip'],
    ['netlify.mjs', 'netlify/functions/chat.mjs', ['default'], 'x-nf-client-connection-ip'],
  ])('%s, as a function in Node', async (file, as, exported, header) => {
    const dir = await project(file, as)
    const upstream = await startUpstream(replyWith('In 30 days [3].'))
    const driver = `
      const module = await import(${JSON.stringify(pathToFileURL(join(dir, as)).href)})
      const request = (origin) => new Request('https://api.example/api/chat', {
        method: 'POST', body: ${JSON.stringify(JSON.stringify(makeBody()))},
        headers: { 'content-type': 'application/json', origin, ${JSON.stringify(header)}: '203.0.113.5' },
      })
      const handlers = ${JSON.stringify(exported)}.map((name) => typeof module[name])
      const handler = module[${JSON.stringify(exported[0])}]
      const closed = await handler(request('https://evil.example'))
      const open = await handler(request(${JSON.stringify(ORIGIN)}))
      console.error('RESULT' + JSON.stringify({ handlers, closed: closed.status, open: open.status, config: module.config ?? null }))
      process.exit(0)`
    // No Redis answers there: the proxy has to refuse, and not to spend.
    const env = { ...process.env, ...environment(upstream), REDIS_URL: 'redis://127.0.0.1:1' }
    const child = spawn(process.execPath, ['--input-type=module', '--eval', driver], { cwd: dir, env, stdio: 'pipe' })
    let said = ''
    child.stderr.on('data', (text) => {
      said += text
    })
    await once(child, 'exit')
    const result = JSON.parse(/RESULT(.*)/.exec(said)?.[1] ?? said)
    expect(result).toMatchObject({ handlers: exported.map(() => 'function'), closed: 403, open: 503 })
    expect(upstream.calls).toHaveLength(0)
  })
})

/** Bundles the worker as wrangler does, and runs it. */
async function startWorker(dir: string, upstream: Upstream): Promise<Miniflare> {
  const { outputFiles } = await build({
    entryPoints: [join(dir, 'cloudflare.mjs')],
    ...{ bundle: true, format: 'esm', write: false, target: 'es2022', conditions: ['workerd', 'worker', 'browser'] },
    external: ['cloudflare:*', 'node:*', '*.wasm'],
    logLevel: 'silent',
  })
  const script = outputFiles[0]?.text ?? ''
  await writeFile(join(dir, 'worker.mjs'), script)
  const miniflare = new Miniflare({
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: script },
      {
        type: 'CompiledWasm',
        path: 'pinpack/pinpack_bg.wasm',
        contents: await readFile(join(DIST, 'pinpack_bg.wasm')),
      },
    ],
    compatibilityDate: '2026-07-01',
    compatibilityFlags: ['enable_request_signal'],
    durableObjects: { COUNTERS: { className: 'Counters', useSQLite: true } },
    bindings: environment(upstream),
    host: '127.0.0.1',
    port: 0,
  })
  onTestFinished(() => miniflare.dispose())
  return miniflare
}
