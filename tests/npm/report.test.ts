/** The report of a build: its page, what is said of files that cannot be had, and what a rebuild keeps. */

import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from 'pinpack'
import { build, configure, createBuilder, readSources } from 'pinpack/build'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asking, CONFIG, DIST, filesOf, folderOf, node, PAGES, siteFolder } from './fixture.ts'

const pinpack = (args: string[], cwd: string, env: Record<string, string> = {}) =>
  node([join(DIST, 'cli.js'), ...args], { cwd, env })

const LONG = 'Our founder sailed along the coast of the northern sea and filmed what she saw there for a while. '

describe('build --report', () => {
  const page = async (dir: string) => {
    const { code, stderr } = await pinpack(['build', '--report', 'out/report.html'], dir)
    expect(stderr.replace(/^(warning.*| {2}.*)\n/gm, '')).toBe('')
    expect(code).toBe(0)
    return readFile(join(dir, 'out/report.html'), 'utf8')
  }

  it('is one page with pictures that have a text, and nothing from elsewhere', async () => {
    const html = await page(await siteFolder())
    expect(html).toMatch(/^<!doctype html>/)
    expect(html.match(/<svg [^>]*role="img" aria-label="[^"]+"/g)).toHaveLength(2)
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|(?:src|href)="(?!#)/)
    for (const id of ['budget', 'warnings', 'sizes', 'pinned', 'repeated', 'links', 'left-out', 'files']) {
      expect(html).toContain(`<section aria-labelledby="${id}">\n<h2 id="${id}">`)
    }
    for (const path of Object.keys(PAGES)) expect(html).toContain(`<th scope="row"><code>${path}</code></th>`)
    expect(html.match(/<table>/g)?.length).toBe(html.match(/<caption>/g)?.length)
  })

  it('shows no markup of a name or a title', async () => {
    const evil = '"><script>alert(1)</script>&amp;'
    const dir = await siteFolder({ [`content/${evil.replaceAll('/', '')}.md`]: `# ${evil}\n\nSome words.\n` })
    await writeFile(join(dir, 'pinpack.toml'), CONFIG.replace('Harbor Films', '<b>&\\"x'))
    const html = await page(dir)
    expect(html).not.toContain('<script')
    expect(html).not.toContain('<b>')
    expect(html).toContain('&#60;script&#62;alert(1)&#60;script&#62;&#38;amp;')
  })

  it('is the same for the same sources, and no source of the next build', async () => {
    const dir = await siteFolder()
    await writeFile(join(dir, 'pinpack.toml'), CONFIG.replace('content/**/*.md', '**/*.{md,html,txt}'))
    const first = await page(dir)
    expect(await page(dir)).toBe(first)
  })

  it('is refused in the folder to upload', async () => {
    const dir = await siteFolder()
    const { code, stderr } = await pinpack(['build', '--report', 'pinpack/report.html'], dir)
    expect(code).toBe(1)
    expect(stderr).toContain('error[output-private]')
    expect(await readdir(dir)).not.toContain('pinpack')
  })

  it('counts each size once in its histogram', async () => {
    const { report } = await build(filesOf(PAGES), CONFIG)
    expect(report.sizes.counts.reduce((sum, sections) => sum + sections, 0)).toBe(report.sections)
    expect(report.smallest.map(({ tokens }) => tokens)).toEqual(
      [...report.smallest.map(({ tokens }) => tokens)].sort((a, b) => a - b),
    )
    expect(report.largest[0]?.tokens).toBe(Math.max(...[...report.largest, ...report.smallest].map((s) => s.tokens)))
  })
})

describe('warnings', () => {
  const codes = async (pages: Record<string, string>, config = CONFIG) =>
    (await build(filesOf({ ...PAGES, ...pages }), config)).report.warnings.map(({ code }) => code)

  it('are none for a plain site', async () => {
    expect(await codes({})).toEqual([])
  })

  it.each([
    [
      'two pages with the same words',
      { 'content/a.md': `# A\n\n${LONG}`, 'content/b.md': `# B\n\n${LONG}` },
      ['duplicate'],
    ],
    [
      'a rule that stands on a page too',
      { 'content/a.md': `# A\n\n${LONG}`, 'rules/a.md': `# R\n\n${LONG}` },
      ['pinned-duplicate'],
    ],
    ['reference material that is pinned', { 'rules/a.md': `# Story\n\n${LONG.repeat(9)}` }, ['pinned-reference']],
    ['a long rule', { 'rules/a.md': `# Story\n\n${LONG.repeat(9)} Never tell it.` }, []],
    ['a rule that takes too much', { 'rules/a.md': `# Rule\n\nNever ${LONG.repeat(34)}` }, ['pinned-large']],
    ['a page with nothing in it', { 'content/a.md': '\n' }, ['no-text']],
    ['a rule that cannot be read', { 'rules/a.md': 'x\0y' }, ['pinned-skipped']],
    ['a draft', { 'content/a.md': '---\ndraft: true\n---\n# A\n\nWords.' }, []],
  ] as [string, Record<string, string>, string[]][])('say %s', async (_, pages, expected) => {
    expect(await codes(pages)).toEqual(expected)
  })
})

describe('readSources', () => {
  it('says what cannot be had, and goes on', async () => {
    const dir = await siteFolder({ 'content/empty.md': '', 'content/large.md': 'x', 'other.md': '# Other' })
    await truncate(join(dir, 'content/large.md'), 50 * 1024 ** 2 + 1)
    await symlink('nowhere.md', join(dir, 'content/dead.md'))
    await symlink('loop.md', join(dir, 'content/loop.md'))
    await symlink('..', join(dir, 'content/up'))
    await symlink('photo-of-nothing.png', join(dir, 'content/dead.png'))
    const { files, config, unread, others } = await readSources(dir)
    expect(unread).toEqual([
      { path: 'content/dead.md', unread: 'a link that leads nowhere' },
      { path: 'content/large.md', unread: 'too large: 51 MB, wanted at most 50; split it or exclude it' },
      { path: 'content/loop.md', unread: 'a link that leads back to itself' },
    ])
    expect(others).toEqual(['other.md'])
    const { report } = await build(files, config, { unread, others })
    expect(report.files).toHaveLength(3)
    expect(report.unchosen).toBe(1)
    expect(report.skipped.map(({ path, why }) => [path, why])).toEqual([
      ['content/dead.md', 'unread'],
      ['content/empty.md', 'no-text'],
      ['content/large.md', 'unread'],
      ['content/loop.md', 'unread'],
    ])
  })

  // Whoever may read everything cannot test this.
  it.skipIf(process.getuid?.() === 0)('says what it has no right to read', async () => {
    const dir = await siteFolder({ 'content/locked.md': '# Locked', 'content/vault/a.md': '# A' })
    await chmod(join(dir, 'content/locked.md'), 0)
    await chmod(join(dir, 'content/vault'), 0)
    const { unread } = await readSources(dir)
    await chmod(join(dir, 'content/vault'), 0o700)
    expect(unread).toEqual([
      { path: 'content/locked.md', unread: 'cannot be read: EACCES' },
      { path: 'content/vault/', unread: 'cannot be read: EACCES' },
    ])
  })
})

describe('createBuilder', () => {
  it('reads what changed, and gives what a clean build gives (C18)', async () => {
    const builder = createBuilder()
    const five = ['One', 'Two', 'Three', 'Four', 'Zanzibar {.pinned}']
      .map((word) => `# ${word}\n\nText of ${word.split(' ')[0]}.\n`)
      .join('\n')
    await builder.build(filesOf({ ...PAGES, 'content/long.md': five }), CONFIG)
    const files = filesOf({ ...PAGES, 'content/long.md': five.slice(0, five.indexOf('# Three')) })
    // What was written is what is looked for.
    const exact = `${CONFIG}[query]\ntypos = false\n`
    const { changes, ...again } = await builder.build(files, exact)
    expect(changes).toEqual({ added: [], changed: ['content/long.md'], removed: [], kept: 3 })
    expect(again).toEqual(await build(files, exact))
    expect(JSON.stringify(again.knowledge)).not.toContain('Zanzibar')
    const knowledge = await open(again.blob)
    expect(knowledge.rank(asking('Zanzibar Four Three'))).toEqual([])
    expect(knowledge.rank(asking('Two')).map(({ ref }) => ref)).toEqual(['content/long.md#two'])
    expect(again.knowledge.pinned.map((id) => knowledge.refs[id])).toEqual(['rules/refunds.md#never-promise-a-refund'])
    builder.close()
  })
})

describe('dev', () => {
  it('says what it read again', async () => {
    const dir = await siteFolder()
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '' }
    const child = spawn(process.execPath, [join(DIST, 'cli.js'), 'dev', '--port', '0'], { cwd: dir, env })
    onTestFinished(() => void child.kill('SIGKILL'))
    let stdout = ''
    child.stdout.on('data', (text) => {
      stdout += text
    })
    await expect.poll(() => stdout, { timeout: 20_000 }).toContain('watching for changes')
    await writeFile(join(dir, 'content/dog.md'), '# The studio dog\n\nRemi is old.\n')
    await expect
      .poll(() => stdout, { timeout: 10_000 })
      .toContain('built again: read content/dog.md (2 kept); 4 sections')
    await rm(join(dir, 'content/dog.md'))
    await expect
      .poll(() => stdout, { timeout: 10_000 })
      .toContain('built again: read -content/dog.md (2 kept); 3 sections')
  })
})

describe('configure', () => {
  it('changes keys together', async () => {
    const config = await configure(CONFIG, { 'sections.target': '1200', 'sections.max': '1500' })
    expect(config).toContain('target = 1200')
    expect(config).toContain('name = "Harbor Films"')
    await expect(configure(CONFIG, { 'sections.targt': '1' })).rejects.toThrowError(
      expect.objectContaining({ code: 'config-key', message: expect.stringContaining('targt') }),
    )
  })
})

describe('a build on another machine (F19)', () => {
  it('gives the same blob twice, and in another folder, time zone, locale, order of writing and number of threads', async () => {
    const more = {
      'content/ä.md': '# Ä\n\nÖl 1.234,5.\n',
      'content/Z.md': '# Z\n\nİstanbul.\n',
      'content/z/1.md': '# 1\n\nI.\n',
    }
    const one = await siteFolder(more)
    const other = await folderOf({
      ...Object.fromEntries(Object.entries({ ...PAGES, ...more }).reverse()),
      'pinpack.toml': CONFIG,
    })
    const deep = join(one, '..', `pinpack-test-${process.pid} moved é`)
    await rename(other, deep)
    try {
      const files = async (dir: string, env: Record<string, string>) => {
        const { code } = await pinpack(['build', '--report', 'r.html'], dir, env)
        expect(code).toBe(0)
        const blob = (await readdir(join(dir, 'pinpack'))).find((name) => name.endsWith('.pinpack')) as string
        const read = (path: string) => readFile(join(dir, path))
        return [blob, await read(`pinpack/${blob}`), await read('knowledge.json'), await read('r.html')]
      }
      const here = await files(one, { TZ: 'UTC', LANG: 'C', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' })
      const turkish = { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
      const there = await files(deep, { ...turkish, UV_THREADPOOL_SIZE: '8' })
      expect(there).toEqual(here)
      await rm(join(one, 'pinpack'), { recursive: true })
      expect(await files(one, { TZ: 'UTC', LANG: 'C', LC_ALL: 'C', UV_THREADPOOL_SIZE: '1' })).toEqual(here)
    } finally {
      await rm(deep, { recursive: true, force: true })
    }
  })

  it('reads the same folder through another path', async () => {
    const dir = await siteFolder()
    const outside = await folderOf({})
    await symlink(dir, join(outside, 'link'))
    await mkdir(join(outside, 'sub'))
    const hash = async (cwd: string, folder: string) =>
      JSON.parse((await pinpack(['build', folder, '--out', join(outside, 'o'), '--json'], cwd)).stdout).hash
    expect(await hash(join(outside, 'sub'), '../link')).toBe(await hash(dir, '.'))
  })
})
