/** The commands, run as a user runs them. */

import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { open } from 'pinpack'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asking, buildFixture, CONFIG, DIST, folderOf, node, PAGES, siteFolder } from './fixture.ts'

const CLI = join(DIST, 'cli.js')
const pinpack = (args: string[], cwd?: string, env: Record<string, string> = {}) =>
  node([CLI, ...args], { ...(cwd && { cwd }), env: { NO_COLOR: '', FORCE_COLOR: '', ...env } })

const COMMANDS = [
  'init',
  'build',
  'check',
  'dev',
  'explain',
  'eval',
  'stats',
  'suggest-pins',
  'suggest-synonyms',
]
// biome-ignore lint/suspicious/noControlCharactersInRegex: looks for terminal escapes
const ESCAPE = /\u001b/

describe('every command', () => {
  it.each(COMMANDS)('%s has --help with an example, and --json', async (command) => {
    const { code, stdout } = await pinpack([command, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`$ npx pinpack ${command}`)
    expect(stdout).toContain('--json')
  })

  it.each([
    ['no command', []],
    ['an unknown command', ['bulid']],
    ['an unknown option', ['build', '--owt', 'x']],
    ['a missing argument', ['explain']],
    ['an option without its value', ['build', '--out']],
    ['a number that is none', ['dev', '--port', '80x']],
    ['a number out of range', ['dev', '--port', '70000']],
    ['a budget of nothing', ['explain', 'x', '--budget', '0']],
    ['options that exclude each other', ['stats', '--blob', 'a', '--dir', 'b']],
    ['half a BEIR set', ['eval', '--queries', 'q.jsonl']],
    ['nothing to evaluate', ['eval']],
  ])('exits with 2 for %s', async (_, args) => {
    const { code, stdout, stderr } = await pinpack(args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).not.toBe('')
  })

  it('exits with 1 and prints code and remedy when its work fails', async () => {
    const dir = await siteFolder()
    await writeFile(join(dir, 'pinpack.toml'), '[site')
    for (const args of [['build'], ['stats'], ['explain', 'x']]) {
      const { code, stdout, stderr } = await pinpack(args, dir)
      expect(code).toBe(1)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^error\[config-[a-z]+\]: .+/)
    }
  })

  it('prints the failure as JSON too with --json', async () => {
    const { code, stdout } = await pinpack(['stats', '--blob', '/nowhere.pinpack', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout).error.code).toBe('read-failed')
  })

  it('has colors only when asked, since its output is piped here', async () => {
    const dir = await siteFolder()
    expect((await pinpack(['stats'], dir)).stdout).not.toMatch(ESCAPE)
    expect((await pinpack(['stats'], dir, { CI: '1' })).stdout).not.toMatch(ESCAPE)
    expect((await pinpack(['stats'], dir, { FORCE_COLOR: '1' })).stdout).toMatch(ESCAPE)
    expect((await pinpack(['stats'], dir, { FORCE_COLOR: '1', NO_COLOR: '1' })).stdout).not.toMatch(ESCAPE)
  })

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile(join(DIST, '../package.json'), 'utf8'))
    expect((await pinpack(['--version'])).stdout).toBe(`${version}\n`)
  })
})

describe('init', () => {
  it('writes a config that builds as no config does, and keeps one that is there', async () => {
    const dir = await folderOf({ 'dog.md': PAGES['content/dog.md'] as string })
    const before = JSON.parse((await pinpack(['stats', '--json'], dir)).stdout)
    expect((await pinpack(['init', '--no-rules'], dir)).code).toBe(0)
    expect(JSON.parse((await pinpack(['stats', '--json'], dir)).stdout)).toEqual(before)
    const again = await pinpack(['init'], dir)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('error[file-exists]')
    expect((await pinpack(['init', '--force'], dir)).code).toBe(0)
  })

  it('shows defaults that are the defaults', async () => {
    const dir = await folderOf({ 'dog.md': PAGES['content/dog.md'] as string })
    const before = JSON.parse((await pinpack(['stats', '--json'], dir)).stdout)
    await pinpack(['init', '--no-rules'], dir)
    const file = join(dir, 'pinpack.toml')
    const config = await readFile(file, 'utf8')
    const live = config.replace(/^# (?=\w+ = )/gm, '').replace(/^(jsonl|items) = .*/gm, '')
    expect(live).toContain('\ncontext = 3700')
    await writeFile(file, live)
    const { code, stdout, stderr } = await pinpack(['stats', '--json'], dir)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(before)
  })
})

describe('build', () => {
  it('writes the folder and the file, and prints the report', async () => {
    const dir = await siteFolder()
    const { code, stdout } = await pinpack(['build', '--out', 'up', '--knowledge', 'private/knowledge.json'], dir)
    expect(code).toBe(0)
    const { report } = await buildFixture()
    expect(stdout).toContain('3 read')
    expect(stdout).toContain(`${report.sections}, 1 pinned`)
    expect(stdout).toContain(report.hash)
    expect(await readdir(join(dir, 'up'))).toContain('pinpack.json')
    expect(JSON.parse(await readFile(join(dir, 'private/knowledge.json'), 'utf8')).hash).toBe(report.hash)
  })

  it('prints the same report as JSON', async () => {
    const dir = await siteFolder()
    const { stdout, stderr } = await pinpack(['build', '--json'], dir)
    const { written, ...report } = JSON.parse(stdout)
    expect(report).toEqual((await buildFixture()).report)
    expect(written).toContain('knowledge.json')
    expect(stderr).toBe('')
  })

  it('gives the same blob the second time, with its own output beside the sources', async () => {
    const dir = await siteFolder()
    const hash = async () => JSON.parse((await pinpack(['build', '--json'], dir)).stdout).hash
    expect(await hash()).toBe(await hash())
    const blobs = (await readdir(join(dir, 'pinpack'))).filter((name) => name.endsWith('.pinpack'))
    expect(blobs).toHaveLength(1)
  })

  it('says a warning, and with --strict fails and writes nothing', async () => {
    const rule = `# Long rule\n\n${'Never promise a refund to anybody. '.repeat(8)}\n`
    const config = `${CONFIG}[budget]\ncontext = 220\nfloor = 50\n`
    const dir = await folderOf({ ...PAGES, 'rules/long.md': rule, 'pinpack.toml': config })
    const strict = await pinpack(['build', '--strict'], dir)
    expect(strict.code).toBe(1)
    expect(strict.stderr).toMatch(/warning\[/)
    expect(strict.stderr).toContain('error[strict]')
    expect(await readdir(dir)).not.toContain('pinpack')
    const lenient = await pinpack(['build'], dir)
    expect(lenient.code).toBe(0)
    expect(lenient.stderr).toMatch(/warning\[/)
  })

  it('reads another config with --config', async () => {
    const dir = await siteFolder({ 'other.toml': '[sources]\ninclude = ["content/dog.md"]\n[pinned]\ninclude = []\n' })
    const { stdout } = await pinpack(['build', '--config', join(dir, 'other.toml'), '--json'], dir)
    expect(JSON.parse(stdout).files.map(({ path }: { path: string }) => path)).toEqual(['content/dog.md'])
  })
})

describe('explain', () => {
  it('says in JSON what the library packs', async () => {
    const dir = await siteFolder()
    const { stdout } = await pinpack(['explain', 'can I get a refund?', '--json'], dir)
    const knowledge = await open((await buildFixture()).blob)
    const { oldWay: _, ...explanation } = JSON.parse(stdout)
    expect(explanation).toEqual(JSON.parse(JSON.stringify(knowledge.explain(asking('can I get a refund?')))))
  })

  it('prints sections with score, tokens and reason, those left out, and the total', async () => {
    const dir = await siteFolder()
    const knowledge = await open((await buildFixture()).blob)
    const budget = knowledge.stats.pinnedTokens + 40
    const pack = knowledge.explain(asking('refund deposit'), { budget })
    const { stdout } = await pinpack(['explain', 'refund deposit', '--budget', String(budget)], dir)
    for (const { title, ref, tokens } of pack.sections) {
      expect(stdout).toMatch(new RegExp(`${tokens}.*${title}.*${ref}`))
    }
    expect(stdout).toContain('pinned')
    expect(stdout).toContain(`left out: ${pack.leftOut.length} section`)
    expect(stdout).toContain(`${pack.tokens} of ${budget} tokens`)
    expect(stdout).toContain(pack.coverage.value.toFixed(2))
  })

  it('takes earlier messages, earliest first, and a ready blob', async () => {
    const dir = await siteFolder()
    await pinpack(['build'], dir)
    const blob = (await readdir(join(dir, 'pinpack'))).find((name) => name.endsWith('.pinpack')) as string
    const args = [
      'explain',
      'how old?',
      '--history',
      'hello',
      '--history',
      'who is Remi?',
      '--blob',
      join('pinpack', blob),
      '--json',
    ]
    const explanation = JSON.parse((await pinpack(args, dir)).stdout)
    const word = explanation.terms.find(({ word }: { word: string }) => word.toLowerCase() === 'remi')
    expect(word.message).toBe(1)
  })

  it('prints nothing of a title that steers the terminal', async () => {
    const dir = await siteFolder({ 'content/evil.md': '# Refund \u001b[2J\u0007 title\n\nText of it.\n' })
    expect((await pinpack(['explain', 'refund'], dir)).stdout).not.toMatch(ESCAPE)
  })
})

describe('dev', () => {
  /** Starts the server in a folder; gives its address and what it prints from then on. */
  async function serve(dir: string, args: string[] = []) {
    const env = { ...process.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '' }
    const child = spawn(process.execPath, [CLI, 'dev', '--json', '--port', '0', ...args], { cwd: dir, env })
    onTestFinished(() => void child.kill('SIGKILL'))
    let [stdout, stderr] = ['', '']
    child.stderr.on('data', (text) => {
      stderr += text
    })
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        stdout += text
        if (stdout.endsWith('}\n')) resolve()
      })
      child.on('exit', () => reject(new Error(stderr)))
    })
    return { child, url: JSON.parse(stdout).url as string, stderr: () => stderr }
  }

  it('serves a page with the tag, the built files and a chat that answers', async () => {
    const dir = await siteFolder()
    const { url } = await serve(dir)
    const page = await (await fetch(url)).text()
    expect(page).toContain('<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat"')
    const knowledge = await open(`${url}/pinpack/`)
    expect(knowledge.stats.hash).toBe((await buildFixture()).report.hash)
    const messages = asking('who is Remi?')
    const sections = knowledge.pack(messages).ids.filter((id) => knowledge.section(id)?.text !== undefined)
    const reply = await fetch(`${url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ hash: knowledge.stats.hash, sections, messages }),
    })
    expect(reply.status).toBe(200)
    expect(await reply.text()).toContain('Remi is a spaniel')
  })

  it("serves the folder's own pages, and none of its hidden files", async () => {
    const dir = await siteFolder({ 'index.html': '<h1>Mine</h1>', '.env': 'OPENAI_API_KEY=secret' })
    const { url } = await serve(dir)
    expect(await (await fetch(url)).text()).toBe('<h1>Mine</h1>')
    expect((await fetch(`${url}/.env`)).status).toBe(404)
    expect((await fetch(`${url}/%2eenv`)).status).toBe(404)
  })

  it('builds again when a source changes, and stays with the last good build when that fails', async () => {
    const dir = await siteFolder()
    const { url, stderr } = await serve(dir)
    const hash = async () => (await (await fetch(`${url}/pinpack/pinpack.json`)).json()).hash
    const before = await hash()
    await writeFile(join(dir, 'content/new.md'), '# New page\n\nSomething about whales.\n')
    await expect.poll(hash, { timeout: 10_000 }).not.toBe(before)
    const after = await hash()
    await writeFile(join(dir, 'pinpack.toml'), '[site')
    await expect.poll(stderr, { timeout: 10_000 }).toMatch(/error\[config-/)
    expect(await hash()).toBe(after)
  })

  it('stops cleanly on Ctrl-C', async () => {
    const { child, url, stderr } = await serve(await siteFolder())
    const gone = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })))
    child.kill('SIGINT')
    expect(await gone).toEqual({ code: 0, signal: null })
    expect(stderr()).toBe('')
    await expect(fetch(url)).rejects.toThrow()
  })

  it('says that a port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as { port: number }
    const { code, stderr } = await pinpack(['dev', '--port', String(port)], await siteFolder())
    expect(code).toBe(1)
    expect(stderr).toContain('error[port-taken]')
    expect(stderr).toContain(String(port))
  })
})
