import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type KnowledgeBase, open, PinpackError, quote } from 'pinpack'
import { type BuildResult, outputFiles, writeOutput } from 'pinpack/build'
import { beforeAll, describe, expect, it } from 'vitest'
import { asking, buildFixture, folderOf, serverOf } from './fixture.ts'

let built: BuildResult
let blob: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  built = await buildFixture()
  blob = new Uint8Array(built.blob)
})

const QUESTION = asking('who is Remi?')

/** An opened base is the fixture when it has its hash and finds the one page about the dog. */
function expectFixture(knowledge: KnowledgeBase) {
  expect(knowledge.stats.hash).toBe(built.knowledge.hash)
  expect(knowledge.rank(QUESTION).map(({ ref }) => ref)).toEqual(['content/dog.md#the-studio-dog'])
}

async function failure(opening: Promise<unknown>): Promise<PinpackError> {
  const thrown = await opening.then(
    () => undefined,
    (error) => error,
  )
  expect(thrown).toBeInstanceOf(PinpackError)
  return thrown
}

describe('open, from memory', () => {
  it('takes a Uint8Array, an ArrayBuffer, a DataView, a Blob and a Response', async () => {
    const { buffer } = blob.slice()
    for (const source of [blob, buffer, new DataView(buffer), new Blob([blob]), new Response(blob)]) {
      expectFixture(await open(source))
    }
  })

  it('reads only the bytes that a view covers, at an odd offset with junk around it', async () => {
    const store = new Uint8Array(blob.length + 8).fill(0xff)
    store.set(blob, 1)
    expectFixture(await open(new Uint8Array(store.buffer, 1, blob.length)))
  })

  it("takes a Buffer from Node's pool", async () => {
    const pooled = Buffer.allocUnsafe(3).buffer.byteLength > 3 ? Buffer.from(blob) : Buffer.concat([blob])
    expectFixture(await open(pooled))
  })

  it('unpacks a gzipped blob', async () => {
    expectFixture(await open(gzipSync(blob)))
  })

  it('refuses a blob that is gzipped twice', async () => {
    expect((await failure(open(gzipSync(gzipSync(blob))))).code).toMatch(/^blob-/)
  })

  it('refuses a gzipped blob that is cut', async () => {
    const zipped = gzipSync(blob)
    expect((await failure(open(zipped.subarray(0, zipped.length - 20)))).code).toBe('blob-damaged')
  })

  it('refuses every cut of a blob, and a blob with a byte too many, by a code of the blob', async () => {
    for (let end = 0; end < blob.length; end += 7) {
      expect((await failure(open(blob.subarray(0, end)))).code).toMatch(/^blob-/)
    }
    expect((await failure(open(new Uint8Array([...blob, 0])))).code).toMatch(/^blob-/)
  })

  it.each([
    ['format', 16],
    ['analyzer', 20],
  ])('names both versions when the %s is another', async (name, offset) => {
    const other = blob.slice()
    new DataView(other.buffer).setUint32(offset, 4711, true)
    const { code, message } = await failure(open(other))
    expect(code).toBe(`blob-${name}`)
    expect(message).toMatch(new RegExp(`${name} 4711.* (${(await open(blob)).stats[name as 'format']})`))
  })

  it('names HTML as HTML', async () => {
    expect((await failure(open(new TextEncoder().encode('<!doctype html><title>x</title>')))).code).toMatch(
      /got-html|^blob-/,
    )
    expect((await failure(open(new Response('<!doctype html>')))).code).toBe('got-html')
  })
})

describe('open, over HTTP', () => {
  it.each([
    ['plain', {}, (bytes: Uint8Array) => bytes],
    ['a gzipped file without Content-Encoding', {}, gzipSync],
    ['a plain file with Content-Encoding: gzip', { 'content-encoding': 'gzip' }, gzipSync],
    [
      'a gzipped file with Content-Encoding: gzip',
      { 'content-encoding': 'gzip' },
      (b: Uint8Array) => gzipSync(gzipSync(b)),
    ],
  ])('loads %s', async (_, headers, encode) => {
    const address = await serverOf((_, reply) => reply.writeHead(200, headers).end(encode(blob)))
    expectFixture(await open(`${address}/knowledge.pinpack`))
  })

  it('says fetch-failed with the URL and the status', async () => {
    const address = await serverOf((_, reply) => reply.writeHead(404).end('<!doctype html>gone'))
    const { code, message } = await failure(open(`${address}/knowledge.pinpack`))
    expect(code).toBe('fetch-failed')
    expect(message).toContain(`${address}/knowledge.pinpack`)
    expect(message).toContain('404')
  })

  it('says fetch-failed when nobody answers', async () => {
    const { code, message } = await failure(open('http://127.0.0.1:1/knowledge.pinpack'))
    expect(code).toBe('fetch-failed')
    expect(message).toContain('http://127.0.0.1:1/knowledge.pinpack')
  })

  it('says got-html with the URL and the status, also after a redirect to a page', async () => {
    const address = await serverOf((request, reply) =>
      request.url === '/login'
        ? reply.writeHead(200, { 'content-type': 'text/html' }).end('\n<!DOCTYPE html><title>Log in</title>')
        : reply.writeHead(302, { location: '/login' }).end(),
    )
    const { code, message } = await failure(open(`${address}/knowledge.pinpack`))
    expect(code).toBe('got-html')
    expect(message).toContain(`${address}/login`)
    expect(message).toContain('200')
  })
})

describe('open, a folder', () => {
  /** Serves files by name, some of them replaced. */
  async function served(changes: Record<string, string | Uint8Array>): Promise<string> {
    const files = new Map<string, string | Uint8Array>([...(await outputFiles(built)), ...Object.entries(changes)])
    return serverOf((request, reply) => {
      const content = files.get((request.url ?? '').replace('/pinpack/', ''))
      reply.writeHead(content === undefined ? 404 : 200).end(content)
    })
  }

  it('opens what pinpack.json names, by URL', async () => {
    expectFixture(await open(`${await served({})}/pinpack/`))
  })

  it('opens a written folder and a blob by path and by file URL', async () => {
    const dir = await folderOf({})
    const written = await writeOutput(built, join(dir, 'up'), join(dir, 'knowledge.json'))
    const file = written.find((path) => path.endsWith('.pinpack')) as string
    const folder = join(dir, 'up')
    for (const source of [
      folder,
      `${folder}/`,
      file,
      pathToFileURL(folder),
      pathToFileURL(`${folder}/`),
      pathToFileURL(file),
    ]) {
      expectFixture(await open(source))
    }
  })

  it('says read-failed with the path of a file that is not there', async () => {
    const { code, message } = await failure(open('/nowhere/knowledge.pinpack'))
    expect(code).toBe('read-failed')
    expect(message).toContain('/nowhere/knowledge.pinpack')
  })

  it.each([
    ['no JSON', 'hello'],
    ['other JSON', '{"hash":"x"}'],
    ['null', 'null'],
  ])('refuses a manifest that is %s', async (_, text) => {
    expect((await failure(open(`${await served({ 'pinpack.json': text })}/pinpack/`))).code).toBe('manifest-invalid')
  })

  it('refuses a blob of another build than the manifest says', async () => {
    const manifest = JSON.parse(Buffer.from((await outputFiles(built)).get('pinpack.json') ?? []).toString())
    const other = JSON.stringify({ ...manifest, hash: '0'.repeat(32) })
    const { code, message } = await failure(open(`${await served({ 'pinpack.json': other })}/pinpack/`))
    expect(code).toBe('hash-mismatch')
    expect(message).toContain('0'.repeat(32))
    expect(message).toContain(built.knowledge.hash)
  })
})

describe('KnowledgeBase', () => {
  it('packs every pinned section first, and the same bytes always give the same pack', async () => {
    const [one, two] = [await open(blob), await open(blob)]
    const pack = one.pack(QUESTION)
    expect(two.pack(QUESTION)).toEqual(pack)
    const pinned = built.knowledge.pinned
    expect(pinned.length).toBe(1)
    expect(pack.ids.slice(0, pinned.length)).toEqual(pinned)
    expect(pack.sections.map(({ why }) => why).filter((why) => why === 'pinned')).toHaveLength(pinned.length)
  })

  it('explains the pack that it packs', async () => {
    const knowledge = await open(blob)
    for (const text of ['can I get a refund?', 'hello', 'Remi deposit', '']) {
      const { ids, tokens, hash } = knowledge.explain(asking(text))
      expect({ ids, tokens, hash }).toEqual(
        (({ ids, tokens, hash }) => ({ ids, tokens, hash }))(knowledge.pack(asking(text))),
      )
    }
  })

  it('keeps a smaller budget when asked', async () => {
    const knowledge = await open(blob)
    const { pinnedTokens } = knowledge.stats
    const dog = built.knowledge.sections.find(({ ref }) => ref.startsWith('content/dog.md'))
    const budget = pinnedTokens + (dog?.tokens ?? 0)
    const pack = knowledge.pack(QUESTION, { budget })
    expect(pack.budget).toBe(budget)
    expect(pack.tokens).toBe(budget)
    expect(pack.sections.map(({ ref }) => ref)).toEqual(['rules/refunds.md#never-promise-a-refund', dog?.ref])
  })

  it('ranks no more than the limit', async () => {
    const knowledge = await open(blob)
    expect(knowledge.rank(asking('refund deposit spaniel'), { limit: 2 })).toHaveLength(2)
  })

  it('gives sections and refs by id, and no text of a private rule', async () => {
    const knowledge = await open(blob)
    expect(knowledge.refs).toEqual(built.knowledge.sections.map(({ ref }) => ref))
    const [pinned] = built.knowledge.pinned
    const open_ = built.knowledge.sections.findIndex(({ ref }) => ref.startsWith('content/dog.md'))
    expect(knowledge.section(open_)?.text).toContain('Remi is a spaniel')
    expect(knowledge.section(knowledge.refs.length)).toBeUndefined()
    expect(knowledge.section(pinned as number)?.text).toBeUndefined()
    expect(Buffer.from(blob).includes('decided by billing')).toBe(false)
  })

  it('ranks on a blob whose texts are damaged, and says so before it gives one out', async () => {
    const damaged = blob.slice()
    // The texts follow the header of 48 bytes.
    damaged[48] = (damaged[48] as number) ^ 1
    const knowledge = await open(damaged)
    expect(knowledge.rank([{ role: 'user', content: 'refund' }]).length).toBeGreaterThan(0)
    expect(() => knowledge.pack([{ role: 'user', content: 'refund' }])).toThrow(
      expect.objectContaining({ code: 'blob-damaged' }),
    )
  })

  it('throws closed after close, and closes twice without complaint', async () => {
    const knowledge = await open(blob)
    knowledge.close()
    knowledge.close()
    expect(() => knowledge.pack(QUESTION)).toThrowError(expect.objectContaining({ code: 'closed' }))
    expectFixture(await open(blob))
  })
})

describe('quote', () => {
  it('finds the sentence that answers', async () => {
    const passages = ['We film weddings. Prices start at 900.', 'Bring cake. Remi is a spaniel. It rains.']
    const [best] = await quote(QUESTION, passages, { language: 'en', limit: 1 })
    expect(best?.passage).toBe(1)
    expect(best?.text).toContain('Remi is a spaniel.')
    expect(best?.text).not.toContain('cake')
  })
})

it('ships its own wasm beside it', async () => {
  const wasm = await readFile(new URL('../../dist/pinpack_bg.wasm', import.meta.url))
  expect(WebAssembly.validate(wasm)).toBe(true)
})
