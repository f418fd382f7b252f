/** How the engine starts and stops. It starts once a process, so each case runs in one of its own. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outputFiles } from 'pinpack/build'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildFixture, DIST, inFreshProcess, serverOf } from './fixture.ts'
import { withTrap } from './trap.ts'

const WASM = join(DIST, 'pinpack_bg.wasm')
let folder: string
let blob: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pinpack-test-'))
  blob = join(folder, 'fixture.pinpack')
  await writeFile(blob, (await buildFixture()).blob)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Code that opens the fixture with `options` and tells the first hit's ref, or the error. */
const opening = (options: string) => `
  import { readFile } from 'node:fs/promises'
  import { open } from 'pinpack'
  const compiled = []
  for (const name of ['compile', 'compileStreaming', 'instantiate', 'Module']) {
    const real = WebAssembly[name]
    if (name !== 'Module') WebAssembly[name] = (...args) => { compiled.push(name); return real(...args) }
  }
  const wasm = await readFile(${JSON.stringify(WASM)})
  try {
    const knowledge = await open(${JSON.stringify(blob)}, ${options})
    tell({ ref: knowledge.rank([{ role: 'user', content: 'who is Remi?' }])[0].ref, compiled })
  } catch ({ name, code, message }) {
    tell({ name, code, message, compiled })
  }`

interface Told {
  ref?: string
  name?: string
  code?: string
  message?: string
  compiled: string[]
}
const opened = (options: string) => inFreshProcess<Told>(opening(options))
const FOUND = 'content/dog.md#the-studio-dog'

describe('the engine starts from', () => {
  it.each([
    ['the file of the package', '{}'],
    ['bytes', '{ wasm }'],
    ['an ArrayBuffer', '{ wasm: new Uint8Array(wasm).buffer }'],
    ['a module', '{ wasm: new WebAssembly.Module(wasm) }'],
    ['a Response', '{ wasm: new Response(wasm) }'],
    ['a promise of a Response', '{ wasm: Promise.resolve(new Response(wasm)) }'],
    ['a path', `{ wasm: ${JSON.stringify(WASM)} }`],
  ])('%s', async (_, options) => {
    expect((await opened(options)).ref).toBe(FOUND)
  })

  it.each(['application/wasm', 'application/octet-stream', 'application/wasm; charset=utf-8', 'text/html'])(
    'a URL served as %s',
    async (type) => {
      const wasm = await readFile(WASM)
      const address = await serverOf((_, reply) => reply.writeHead(200, { 'content-type': type }).end(wasm))
      const told = await opened(`{ wasm: '${address}/pinpack.wasm' }`)
      expect(told.ref).toBe(FOUND)
      expect(told.compiled.includes('compileStreaming')).toBe(type === 'application/wasm')
    },
  )
})

describe("a folder's engine", () => {
  /** Opens a served folder whose manifest names the wasm `rename` gives; tells what was asked for. */
  async function openFolder(rename: (name: string) => string) {
    const files = await outputFiles(await buildFixture())
    const manifest = JSON.parse(Buffer.from(files.get('pinpack.json') ?? []).toString())
    const named = { ...manifest, wasm: rename(manifest.wasm) }
    const asked: string[] = []
    const address = await serverOf((request, reply) => {
      const name = (request.url ?? '').replace('/pinpack/', '')
      asked.push(name)
      reply.end(name === 'pinpack.json' ? JSON.stringify(named) : files.get(name))
    })
    const code = `
      import { open } from 'pinpack'
      tell((await open('${address}/pinpack/')).rank([{ role: 'user', content: 'who is Remi?' }])[0].ref)`
    return { ref: await inFreshProcess(code), asked, named }
  }

  it('is used when it is the one that this package was built with', async () => {
    const { ref, asked, named } = await openFolder((name) => name)
    expect(ref).toBe(FOUND)
    expect(asked).toEqual(expect.arrayContaining(['pinpack.json', named.blob, named.wasm]))
  })

  it('is left alone when it is of another build: the package starts its own', async () => {
    const { ref, asked, named } = await openFolder(() => 'pinpack-000000000000.wasm')
    expect(ref).toBe(FOUND)
    expect(asked.sort()).toEqual(['pinpack.json', named.blob].sort())
  })
})

describe('the engine does not start from', () => {
  it('HTML, which is never compiled', async () => {
    const address = await serverOf((_, reply) =>
      reply.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
    )
    const told = await opened(`{ wasm: '${address}/pinpack.wasm' }`)
    expect(told).toMatchObject({ name: 'PinpackError', code: 'got-html', compiled: [] })
    expect(told.message).toContain(`${address}/pinpack.wasm`)
    expect(told.message).toContain('200')
  })

  it('a file that is not there', async () => {
    const address = await serverOf((_, reply) => reply.writeHead(404).end())
    const told = await opened(`{ wasm: '${address}/pinpack.wasm' }`)
    expect(told).toMatchObject({ name: 'PinpackError', code: 'fetch-failed', compiled: [] })
    expect(told.message).toContain('404')
  })

  it('a damaged file', async () => {
    expect(await opened('{ wasm: wasm.subarray(0, wasm.length - 10) }')).toMatchObject({ code: 'wasm-failed' })
  })

  it('a page that forbids wasm', async () => {
    const refusal = "Refused to compile WebAssembly module because 'unsafe-eval' is not an allowed source of script"
    const forbidding = `
      const refuse = () => { throw new WebAssembly.CompileError(${JSON.stringify(refusal)}) }
      Object.assign(WebAssembly, { Module: function () { refuse() }, compile: async () => refuse() });`
    const told = await inFreshProcess<Told>(opening('{ wasm }').replace('const wasm', `${forbidding} const wasm`))
    expect(told.code).toBe('wasm-blocked')
    expect(told.message).toContain('wasm-unsafe-eval')
  })

  it('a browser without WebAssembly', async () => {
    const code = `
      delete globalThis.WebAssembly
      const { open } = await import('pinpack')
      await open(new Uint8Array()).catch(({ code }) => tell({ code }))`
    expect(await inFreshProcess(code)).toEqual({ code: 'wasm-blocked' })
  })

  it('one source, and then starts from another', async () => {
    const code = `
      import { open } from 'pinpack'
      const first = await open(${JSON.stringify(blob)}, { wasm: '/nowhere.wasm' }).catch(({ code }) => code)
      tell([first, (await open(${JSON.stringify(blob)})).stats.sections > 0])`
    expect(await inFreshProcess(code)).toEqual(['read-failed', true])
  })
})

it('importing starts nothing', async () => {
  const code = `
    const touched = []
    for (const name of ['compile', 'compileStreaming', 'instantiate']) WebAssembly[name] = () => touched.push(name)
    globalThis.fetch = () => touched.push('fetch')
    const names = Object.keys(await import('pinpack')).sort()
    await new Promise((later) => setTimeout(later, 50))
    tell({ names, touched, globals: ['window', 'document', 'customElements'].filter((name) => name in globalThis) })`
  expect(await inFreshProcess(code)).toEqual({ names: ['PinpackError', 'open', 'quote'], touched: [], globals: [] })
})

describe('after a trap', () => {
  it('the engine is started again once, then stays off, with typed errors', async () => {
    const trapping = join(folder, 'trapping.wasm')
    await writeFile(trapping, withTrap(await readFile(WASM), 'engine_pack'))
    const code = `
      import { open } from 'pinpack'
      const printed = []
      console.error = (error) => printed.push(error.name)
      const knowledge = await open(${JSON.stringify(blob)}, { wasm: ${JSON.stringify(trapping)} })
      const messages = [{ role: 'user', content: 'who is Remi?' }]
      const outcome = (call) => { try { return call() } catch (error) { return error.code } }
      const rank = () => knowledge.rank(messages)[0].ref
      const pack = () => knowledge.pack(messages)
      const outcomes = [rank, pack, rank, rank, pack, rank, pack].map(outcome)
      tell({ outcomes, printed, late: await open(${JSON.stringify(blob)}).catch(({ code }) => code) })`
    expect(await inFreshProcess(code)).toEqual({
      outcomes: [FOUND, 'engine-trapped', FOUND, FOUND, 'engine-failed', 'engine-failed', 'engine-failed'],
      printed: ['RuntimeError', 'RuntimeError'],
      late: 'engine-failed',
    })
  })
})
