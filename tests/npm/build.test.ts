import { createHash } from 'node:crypto'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from 'pinpack'
import { build, outputFiles, PinpackError, readSources, writeOutput } from 'pinpack/build'
import { describe, expect, it } from 'vitest'
import { asking, buildFixture, CONFIG, filesOf, folderOf, PAGES, siteFolder } from './fixture.ts'

const shortHash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 12)
const failing = (code: string) => expect.objectContaining({ name: 'PinpackError', code })

describe('build', () => {
  it('gives the same bytes for the same files, in any order', async () => {
    const one = await build(filesOf(PAGES), CONFIG)
    const two = await build(filesOf(PAGES).reverse(), CONFIG)
    expect(Buffer.compare(one.blob, two.blob)).toBe(0)
    expect(two.knowledge).toEqual(one.knowledge)
  })

  it('gives another hash when a word changes', async () => {
    const changed = {
      ...PAGES,
      'content/dog.md': '# The studio dog\n\nRemo is a spaniel who sleeps under the editing desk.\n',
    }
    const one = await build(filesOf(PAGES), CONFIG)
    const two = await build(filesOf(changed), CONFIG)
    expect(two.knowledge.hash).not.toBe(one.knowledge.hash)
    expect(one.knowledge.hash).toMatch(/^[0-9a-f]{32}$/)
  })

  it('gives the proxy the text that it pins, and one hash to blob, knowledge and report', async () => {
    const { blob, knowledge, report } = await buildFixture()
    const pinned = knowledge.pinned.map((id) => knowledge.sections[id])
    expect(pinned.map((section) => section?.ref)).toEqual(['rules/refunds.md#never-promise-a-refund'])
    expect(pinned[0]?.text).toContain('Refunds are decided by billing.')
    expect((await open(blob)).stats.hash).toBe(knowledge.hash)
    expect(report.hash).toBe(knowledge.hash)
  })

  it('reports figures that add up', async () => {
    const { blob, knowledge, report } = await buildFixture()
    const tokens = knowledge.sections.reduce((sum, section) => sum + section.tokens, 0)
    const pinned = knowledge.pinned.reduce((sum, id) => sum + (knowledge.sections[id]?.tokens ?? 0), 0)
    expect(report.files.map(({ path }) => path)).toEqual(Object.keys(PAGES).sort())
    expect(report.files.reduce((sum, file) => sum + file.sections, 0)).toBe(report.sections)
    expect(report.sections).toBe(knowledge.sections.length)
    expect(report.writtenTokens).toBe(tokens)
    expect(report.pinnedTokens).toBe(pinned)
    expect(report.pinnedSections).toBe(1)
    expect(report.sendableTokens).toBe(tokens)
    expect(report.coverage).toBeCloseTo(report.sendableTokens / tokens, 6)
    expect(report.pinnedShare).toBeCloseTo(pinned / report.budget, 6)
    expect(report.blobBytes).toBe(blob.length)
    expect(report.largest.map((section) => section.tokens)).toEqual(
      knowledge.sections
        .map((section) => section.tokens)
        .sort((a, b) => b - a)
        .slice(0, report.largest.length),
    )
  })

  it('does not count as sendable what never fits beside the pinned set', async () => {
    const rule = `# Rule\n\n${'Never promise anything to anybody. '.repeat(30)}\n`
    const page = `# Page\n\n${'Whales sing under water all day long. '.repeat(20)}\n`
    const config = `${CONFIG}[budget]\ncontext = 330\nfloor = 50\n`
    const { knowledge, report } = await build(filesOf({ 'rules/rule.md': rule, 'content/page.md': page }), config)
    const [written, pinned] = [report.writtenTokens, report.pinnedTokens]
    expect(knowledge.sections.map(({ tokens }) => tokens)).toContain(pinned)
    expect(written - pinned).toBeGreaterThan(330 - pinned)
    expect(report.sendableTokens).toBe(pinned)
    expect(report.coverage).toBeCloseTo(pinned / written, 6)
    expect(report.warnings.map(({ code }) => code)).toContain('never-fits')
  })

  it('makes one section of a JSONL line, with its id as ref', async () => {
    const lines = [
      { _id: 'a/1', title: 'Dog', text: 'Remi barks.' },
      { _id: 'b 2', title: '', text: 'Rain on the shoot.' },
    ]
    const bytes = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'))
    const { blob, report } = await build([{ path: 's.jsonl', bytes }], '[sources]\ninclude = []\njsonl = "s.jsonl"\n')
    const knowledge = await open(blob)
    expect(knowledge.refs).toEqual(['a/1', 'b 2'])
    expect(knowledge.rank(asking('rain')).map(({ ref }) => ref)).toEqual(['b 2'])
    expect(report.pinnedSections).toBe(0)
  })

  it('reports progress up to the end', async () => {
    const calls: [number, number][] = []
    await build(filesOf(PAGES), CONFIG, { onProgress: (done, total) => calls.push([done, total]) })
    const [done, total] = calls.at(-1) as [number, number]
    expect(done).toBe(total)
    expect(calls.map(([step]) => step)).toEqual(calls.map(([step]) => step).sort((a, b) => a - b))
  })

  it.each([
    ['no TOML', '[site'],
    ['an unknown key', '[site]\nnmae = "x"\n'],
    ['a wrong type', '[budget]\ncontext = "many"\n'],
  ])('refuses a config with %s', async (_, config) => {
    await expect(build(filesOf(PAGES), config)).rejects.toThrowError(
      expect.objectContaining({ name: 'PinpackError', code: expect.stringMatching(/^config-/) }),
    )
  })

  it('names the pinned section that does not fit, and the numbers', async () => {
    const rule = `# Long rule\n\n${'Never promise a refund to anybody. '.repeat(40)}\n`
    const config = `${CONFIG}[budget]\ncontext = 100\nfloor = 50\n`
    const thrown = await build(filesOf({ ...PAGES, 'rules/long.md': rule }), config).catch((error) => error)
    expect(thrown).toBeInstanceOf(PinpackError)
    expect(thrown.message).toContain('rules/long.md')
    expect(thrown.message).toContain('100')
  })
})

describe('readSources', () => {
  it('reads what the config names, sorted, with forward slashes', async () => {
    const dir = await siteFolder({ 'content/b/late.md': '# Late', 'content/B.md': '# B', 'other.md': '# Other' })
    const { files, config } = await readSources(dir)
    expect(config).toBe(CONFIG)
    expect(files.map(({ path }) => path)).toEqual([
      'content/B.md',
      'content/b/late.md',
      'content/dog.md',
      'content/refunds.md',
      'rules/refunds.md',
    ])
    expect(Buffer.from(files[0]?.bytes ?? []).toString()).toBe('# B')
  })

  it('leaves out dependencies, dot folders, dist and the output folder', async () => {
    const dir = await folderOf({
      'pinpack.toml': '[sources]\ninclude = ["**/*.md"]\n',
      'kept.md': '# Kept',
      'node_modules/x/readme.md': '# No',
      '.git/no.md': '# No',
      'sub/.cache/no.md': '# No',
      'dist/no.md': '# No',
      'out/no.md': '# No',
    })
    const { files } = await readSources(dir, { skip: [join(dir, 'out')] })
    expect(files.map(({ path }) => path)).toEqual(['kept.md'])
  })

  it('follows links, ends in a loop of them, and passes by a dead one', async () => {
    const dir = await siteFolder()
    const elsewhere = await folderOf({ 'linked.md': '# Linked' })
    await symlink(elsewhere, join(dir, 'content/elsewhere'))
    await symlink(dir, join(dir, 'content/loop'))
    await symlink(join(dir, 'nothing.md'), join(dir, 'content/dead.md'))
    const { files } = await readSources(dir)
    expect(files.map(({ path }) => path)).toEqual([
      'content/dog.md',
      'content/elsewhere/linked.md',
      'content/refunds.md',
      'rules/refunds.md',
    ])
  })

  it('says which folder or config cannot be read', async () => {
    await expect(readSources('/nowhere/site')).rejects.toThrowError(failing('read-failed'))
    const dir = await siteFolder()
    await expect(readSources(dir, { config: join(dir, 'none.toml') })).rejects.toThrowError(/none\.toml/)
  })
})

describe('writeOutput', () => {
  it('names wasm and blob by their content, and the manifest names them', async () => {
    const result = await buildFixture()
    const dir = await folderOf({})
    const written = await writeOutput(result, join(dir, 'up'), join(dir, 'knowledge.json'))
    const manifest = JSON.parse(await readFile(join(dir, 'up/pinpack.json'), 'utf8'))
    const wasm = await readFile(new URL('../../dist/pinpack_bg.wasm', import.meta.url))
    expect(manifest).toMatchObject({
      hash: result.knowledge.hash,
      blob: `knowledge-${shortHash(result.blob)}.pinpack`,
      wasm: `pinpack-${shortHash(wasm)}.wasm`,
      site: 'Harbor Films',
      language: 'en',
    })
    const names = await readdir(join(dir, 'up'))
    expect(names).toEqual(
      expect.arrayContaining(['pinpack.js', 'pinpack.json', manifest.blob, manifest.wasm, manifest.widget]),
    )
    expect(written.map((path) => path.replace(`${dir}/`, '')).sort()).toEqual(
      [...names.map((name) => `up/${name}`), 'knowledge.json'].sort(),
    )
    expect(Buffer.compare(await readFile(join(dir, 'up', manifest.blob)), result.blob)).toBe(0)
    expect(JSON.parse(await readFile(join(dir, 'knowledge.json'), 'utf8'))).toEqual(result.knowledge)
  })

  it('puts no private rule into the folder to upload', async () => {
    const files = await outputFiles(await buildFixture())
    for (const [name, bytes] of files) {
      expect(Buffer.from(bytes).includes('decided by billing'), name).toBe(false)
    }
  })

  it('refuses to write the private file into the folder to upload', async () => {
    const result = await buildFixture()
    const dir = await folderOf({})
    for (const file of ['up/knowledge.json', 'up/deep/knowledge.json']) {
      await expect(writeOutput(result, join(dir, 'up'), join(dir, file))).rejects.toThrowError(
        failing('output-private'),
      )
    }
    expect(await readdir(dir)).toEqual([])
    await writeOutput(result, join(dir, 'up'), join(dir, '..up.json'))
  })

  it('removes nothing', async () => {
    const result = await buildFixture()
    const dir = await folderOf({ 'up/mine.txt': 'mine', 'up/knowledge-000000000000.pinpack': 'older' })
    await writeOutput(result, join(dir, 'up'), join(dir, 'knowledge.json'))
    expect(await readFile(join(dir, 'up/mine.txt'), 'utf8')).toBe('mine')
    expect(await readFile(join(dir, 'up/knowledge-000000000000.pinpack'), 'utf8')).toBe('older')
  })

  it('says which file cannot be written', async () => {
    const dir = await folderOf({})
    await writeFile(join(dir, 'up'), 'a file')
    await expect(writeOutput(await buildFixture(), join(dir, 'up'), join(dir, 'k.json'))).rejects.toThrowError(
      failing('write-failed'),
    )
  })
})
