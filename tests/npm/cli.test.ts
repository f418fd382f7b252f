/** The commands, run as a user runs them. */

import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { open } from 'pinpack'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asking, buildFixture, CONFIG, DIST, folderOf, node, PAGES, ROOT, siteFolder } from './fixture.ts'

const CLI = join(DIST, 'cli.js')
const pinpack = (args: string[], cwd?: string, env: Record<string, string> = {}) =>
  node([CLI, ...args], { ...(cwd && { cwd }), env: { NO_COLOR: '', FORCE_COLOR: '', ...env } })

const COMMANDS = [
  'init',
  'build',
  'check',
  'dev',
  'explain',
  'prompt',
  'eval',
  'stats',
  'suggest-pins',
  'suggest-synonyms',
  'unanswered',
  'probe',
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

  it.each([
    [['build', '--config', 'nowhere.toml']],
    [['stats', '--blob', 'nowhere.pinpack']],
    [['eval', 'nowhere.yaml']],
    [['check', '--questions', 'nowhere.yaml']],
    [['explain', 'x', '--dir', 'nowhere']],
    [['suggest-synonyms']],
    [['stats', '--log', 'nowhere.jsonl']],
    [['completion', 'csh']],
    [['eval']],
  ])('says what to do when %j fails', async (args) => {
    const { code, stderr } = await pinpack(args, await siteFolder())
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(/^error\[[a-z-]+\]: .+\n {2}\S.+\n/)
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

  it.each([
    ['build'],
    ['check'],
    ['explain', 'refund'],
    ['eval', 'q.yaml', '--compare', 'pinpack.toml'],
    ['stats'],
    ['suggest-pins'],
  ])('%s prints the same words with colors as without', async (...args) => {
    const questions = '- question: who is Remi?\n  expect: content/dog.md#the-studio-dog\n'
    const dir = await siteFolder({ 'q.yaml': questions, 'content/fee.md': '# Fee\n\nA tour is $12.\n' })
    const plain = await pinpack(args, dir)
    const colored = await pinpack(args, dir, { FORCE_COLOR: '1' })
    expect(plain.stdout).not.toMatch(ESCAPE)
    expect(colored.stdout).toMatch(ESCAPE)
    // Columns too: colors take no room.
    expect(stripVTControlCharacters(colored.stdout)).toBe(plain.stdout)
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
    expect((await pinpack(['init', '--no-rules', '--no-questions'], dir)).code).toBe(0)
    expect(JSON.parse((await pinpack(['stats', '--json'], dir)).stdout)).toEqual(before)
    const again = await pinpack(['init'], dir)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('error[file-exists]')
    expect((await pinpack(['init', '--force'], dir)).code).toBe(0)
  })

  it('shows defaults that are the defaults', async () => {
    const dir = await folderOf({ 'dog.md': PAGES['content/dog.md'] as string })
    const before = JSON.parse((await pinpack(['stats', '--json'], dir)).stdout)
    await pinpack(['init', '--no-rules', '--no-questions'], dir)
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

describe('build --watch', () => {
  it('builds again on a change, says why it cannot, goes on, and stops cleanly on Ctrl-C', async () => {
    const dir = await siteFolder()
    const child = spawn(process.execPath, [CLI, 'build', '--watch', '--json'], { cwd: dir })
    onTestFinished(() => void child.kill('SIGKILL'))
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (text) => {
      stdout += text
    })
    child.stderr.on('data', (text) => {
      stderr += text
    })
    const builds = () => stdout.split('\n').filter(Boolean)
    const hash = async () => JSON.parse(await readFile(join(dir, 'pinpack/pinpack.json'), 'utf8')).hash
    await expect.poll(() => builds().length, { timeout: 10_000 }).toBe(1)
    const first = JSON.parse(builds()[0] as string)
    expect(first.hash).toBe((await buildFixture()).report.hash)
    // Time for the watch to begin.
    await expect.poll(async () => (await hash()) === first.hash, { timeout: 10_000 }).toBe(true)
    await writeFile(join(dir, 'pinpack.toml'), '[site')
    await expect.poll(() => stderr, { timeout: 10_000 }).toMatch(/error\[config-syntax\]/)
    expect(await hash()).toBe(first.hash)
    await writeFile(join(dir, 'pinpack.toml'), CONFIG)
    await writeFile(join(dir, 'content/new.md'), '# New page\n\nSomething about whales.\n')
    const last = () => JSON.parse(builds().at(-1) as string)
    await expect.poll(() => last().sections, { timeout: 10_000 }).toBe(first.sections + 1)
    expect(await hash()).toBe(last().hash)
    const count = builds().length
    await new Promise((quiet) => setTimeout(quiet, 600))
    // Its own output is no change.
    expect(builds().length).toBe(count)
    const gone = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })))
    child.kill('SIGINT')
    expect(await gone).toEqual({ code: 0, signal: null })
  })
})

describe('completion', () => {
  it.skipIf(process.platform === 'win32')('completes commands, options and their values in bash', async () => {
    const { code, stdout } = await pinpack(['completion', 'bash'])
    expect(code).toBe(0)
    const complete = async (...words: string[]) => {
      const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _pinpack; printf '%s\\n' "\${COMPREPLY[@]}"`
      const shell = spawn('bash', ['--norc', '-c', script], { cwd: join(ROOT, 'www/demo') })
      let said = ''
      shell.stdout.on('data', (text) => {
        said += text
      })
      await new Promise((done) => shell.on('close', done))
      return said.split('\n').filter(Boolean)
    }
    expect(await complete('pinpack', 'su')).toEqual(['suggest-pins', 'suggest-synonyms'])
    expect(await complete('pinpack', 'build', '--wa')).toEqual(['--watch'])
    expect(await complete('pinpack', 'init', '--url-style', 'h')).toEqual(['html'])
    expect(await complete('pinpack', 'check', '--site', 'con')).toEqual(['content'])
    expect(await complete('pinpack', 'completion', 'f')).toEqual(['fish'])
  })

  it.each(['zsh', 'fish'])('names every command and option for %s', async (shell) => {
    const { stdout } = await pinpack(['completion', shell])
    for (const command of COMMANDS) expect(stdout).toContain(command)
    for (const option of ['junit', 'baseline', 'write-prices']) expect(stdout).toContain(option)
    // A quote of a description must not end the quoted text.
    for (const line of stdout.split('\n')) expect(line.split("'").length % 2).toBe(1)
  })

  it('exits with 2 for a shell that it does not know', async () => {
    const { code, stderr } = await pinpack(['completion', 'csh'])
    expect(code).toBe(2)
    expect(stderr).toContain('bash, zsh, fish')
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

const TAG = '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-inspect></script>'

describe('dev', () => {
  /** Starts the server in a folder; gives its address and what it prints from then on. */
  async function serve(dir: string, args: string[] = [], variables: Record<string, string> = {}) {
    const env = { ...process.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', ...variables }
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

  it('says why the model did not answer, while quotes stand in', async () => {
    const model = createHttpServer((_, response) => response.writeHead(401).end('{"error":{"message":"sk-secret"}}'))
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void model.close())
    const OPENAI_BASE_URL = `http://127.0.0.1:${(model.address() as { port: number }).port}/v1`
    const { url, stderr } = await serve(await siteFolder(), [], {
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_BASE_URL,
      PINPACK_MODEL: 'm',
    })
    const { hash } = await (await fetch(`${url}/pinpack/pinpack.json`)).json()
    const reply = await fetch(`${url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ hash, messages: asking('who is Remi?') }),
    })
    expect(await reply.text()).toContain('The assistant cannot answer right now.')
    await expect.poll(stderr).toContain('warning[upstream-auth]: ')
    expect(stderr()).not.toContain('sk-')
  })

  it('answers no page that is led here under another name, which would ask at the owner’s cost', async () => {
    const { url } = await serve(await siteFolder())
    const { port } = new URL(url)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        host: `evil.example:${port}`,
        origin: `http://evil.example:${port}`,
        'content-type': 'application/json',
      }
      const sent = request({ port, host: '127.0.0.1', path: '/api/chat', method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end('{}')
    })
    expect(status).toBe(404)
  })

  it("serves the folder's own pages, and none of its hidden files", async () => {
    const tagged = '<h1>Mine</h1><script type="module" src="/pinpack/pinpack.js"></script>'
    const dir = await siteFolder({
      'index.html': '<h1>Mine</h1>',
      'tagged.html': tagged,
      '.env': 'OPENAI_API_KEY=secret',
    })
    const { url } = await serve(dir)
    // The tag is put into pages that have none yet.
    expect(await (await fetch(url)).text()).toBe(`<h1>Mine</h1>${TAG}`)
    expect(await (await fetch(`${url}/tagged.html`)).text()).toBe(tagged)
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

  it('shows what is known of a page that answers cite, where there is no built site', async () => {
    const dir = await siteFolder({ 'content/evil.md': '# <b>Evil</b> page\n\nText <script>alert(1)</script> of it.\n' })
    const { url } = await serve(dir)
    const page = await (await fetch(`${url}/refunds`)).text()
    expect(page).toContain('<h2 id="deposits">Deposits</h2>')
    expect(page).toContain('A deposit is kept when you cancel late.')
    expect(await (await fetch(`${url}/evil`)).text()).not.toMatch(/<b>|alert\(1\)<\/script>/)
    // A rule has no address.
    expect((await fetch(`${url}/rules/refunds`)).status).toBe(404)
    expect((await fetch(`${url}/nothing%`)).status).toBe(404)
  })

  it('tells open pages to load again with --reload, and puts nothing into them without it', async () => {
    const dir = await siteFolder({ 'index.html': '<h1>Mine</h1>' })
    const { url } = await serve(dir, ['--reload'])
    const page = await (await fetch(url)).text()
    const [, path] = /new EventSource\('([^']+)'\)/.exec(page) ?? []
    expect(page.startsWith(`<h1>Mine</h1>${TAG}<script>`)).toBe(true)
    const changes = await fetch(`${url}${path}`)
    const reader = changes.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
    await writeFile(join(dir, 'content/new.md'), '# New page\n\nSomething about whales.\n')
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('data: changed')
    await reader.cancel()
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
