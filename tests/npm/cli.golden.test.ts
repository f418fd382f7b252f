/**
 * What every command prints, as text and as JSON, for a small site: `golden/<name>.txt` and `.json`. What depends on the machine or
 * on the ranking (times, hashes, scores, sizes of the blob) is replaced; counts of tokens, sections and questions stay, and are
 * counted again by another tokenizer below.
 */

import { spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DIST, folderOf, node, ROOT } from './fixture.ts'

const CLI = join(DIST, 'cli.js')
const GOLDEN = join(ROOT, 'tests/npm/golden')

/** A ferry's site: two rules, one of which a page contradicts, a page that is never asked for, and words that visitors say otherwise. */
const SITE = {
  'pinpack.toml': `[site]
name = "Salt Ferry"
[sources]
include = ["content/**/*.md"]
[budget]
context = 320
floor = 200
`,
  'content/dogs.md': '# Dogs on board\n\nDogs travel free of charge on every crossing.\n',
  'content/fares.md': `# Fares

A crossing costs money, and a return is cheaper than two crossings.

## Bicycles

A bicycle crossing costs $6.

## Refunds

Ask for a refund at the kiosk within fourteen days. See [the kiosk](kiosk.md).
`,
  'content/history.md': `# History of the ferry\n\n${'The first boat was built by two brothers who wanted to see the other shore. '.repeat(8)}\n`,
  'content/timetable.md':
    '# Timetable\n\nBoats leave every hour from six to nine.\n\nYou must never board without a ticket.\n',
  'rules/prices.md': '# Verified prices\n\nA bicycle crossing costs $5.\n',
  'rules/refunds.md': '# Refunds are decided by the office\n\nNever promise a refund.\n',
  'questions.yaml': `- question: can I get a refund?
  expect: content/fares.md#refunds
  pinned: rules/refunds.md#refunds-are-decided-by-the-office
- question: is my puppy free of charge?
  expect: content/dogs.md#dogs-on-board
- question: when do boats leave?
  expect: content/timetable.md#timetable
- question: who won the game?
  unanswerable: true
`,
  'prices.yaml': 'a-model: { input: 1, output: 4 }\n',
  'other.toml': '[sources]\ninclude = ["content/**/*.md"]\n[budget]\ncontext = 80\nfloor = 60\n',
}

/** Name of the files, and the call; each runs in a folder of its own after those in `before`. */
const CALLS: [name: string, args: string[], exit: number, before?: string[][]][] = [
  ['build', ['build'], 0],
  ['check', ['check'], 0],
  ['explain', ['explain', 'can I get a refund?', '--history', 'hello'], 0],
  ['eval', ['eval', 'questions.yaml'], 0],
  ['eval-compare', ['eval', 'questions.yaml', '--compare', 'other.toml'], 0],
  [
    'eval-baseline',
    ['eval', 'questions.yaml', '--baseline', 'b.json', '--config', 'other.toml'],
    1,
    [['eval', 'questions.yaml', '--baseline', 'b.json', '--update-baseline']],
  ],
  ['eval-sweep', ['eval', 'questions.yaml', '--sweep', 'budget.context=320,400'], 0],
  ['stats', ['stats', '--prices', 'prices.yaml', '--answer', '100'], 0],
  ['suggest-pins', ['suggest-pins'], 0],
  ['suggest-synonyms', ['suggest-synonyms'], 0],
  ['error', ['explain', 'refund', '--budget', '10'], 1],
]

const run = (args: string[], cwd: string) =>
  node([CLI, ...args], { cwd, env: { NO_COLOR: '1', GITHUB_ACTIONS: '', PINPACK_DEBUG: '' } })

/** Without what another machine, another version or a better ranking changes. */
function normal(text: string, dir: string): string {
  return text
    .replaceAll(dir, '<folder>')
    .replace(/\b[0-9a-f]{32}\b/g, '<hash>')
    .replace(/-[0-9a-f]{12}\.(\w+)/g, '-<hash>.$1')
    .replace(/-[\dA-Z]{8}\.js/g, '-<hash>.js')
    .replace(/localhost:\d+/g, 'localhost:<port>')
    .replace(/\b\d+(\.\d+)? ms\b/g, '<time> ms')
    .replace(/"(median|p99)": [\d.]+/g, '"$1": "<time>"')
    .replace(/\b[\d.]+ (kB|MB)\b/g, '<size>')
    .replace(/"(blobBytes|textBytes|bytes|terms|analyzer|format)": \d+/g, '"$1": "<number>"')
    .replace(/"(score|idf|value|weight|title)": -?[\d.]+(e-?\d+)?/g, '"$1": "<score>"')
    .replace(/^terms +\d+,/gm, 'terms     <number>,')
    .replace(/format \d+, analyzer \d+/g, 'format <number>, analyzer <number>')
    .replace(/^( *)\d+\.\d\d(?= +\d+ +(scored|did not fit))/gm, '$1<score>')
    .replace(/^( +\S+ +)\d\.\d\d +\d+\.\d\d/gm, '$1<score> <score>')
    .replace(/"(instructionTokens|perQuestion|perThousand)": [\d.]+/g, '"$1": "<number>"')
    .replace(/about \d+ of instructions/g, 'about <number> of instructions')
    .replace(/^( +a-model +).*$/gm, '$1<number>')
    .replace(/^ +"pinpack\/pinpack-[a-z]+(-[a-z]+)?-<hash>\.js",?\n/gm, '')
    .replace(/\(\d+ files\)$/gm, '(<number> files)')
    .replace(/^coverage +\d\.\d\d,/gm, 'coverage  <score>,')
}

describe.each(CALLS)('%s prints', (name, args, exit, before = []) => {
  it.each(['txt', 'json'])('what is in its .%s', async (kind) => {
    const dir = await folderOf(SITE)
    for (const earlier of before) expect((await run(earlier, dir)).code).toBe(0)
    const { code, stdout, stderr } = await run(kind === 'json' ? [...args, '--json'] : args, dir)
    expect(code).toBe(exit)
    if (kind === 'json') JSON.parse(stdout)
    const said = kind === 'json' ? stdout : `${stdout}${stderr ? `--- standard error\n${stderr}` : ''}`
    await expect(normal(said, dir)).toMatchFileSnapshot(join(GOLDEN, `${name}.${kind}`))
  })
})

it.each(['txt', 'json'])('init prints what is in its .%s, and writes what is in its folder', async (kind) => {
  const dir = await folderOf({ 'hugo.toml': 'title = "Salt Ferry"\n', 'content/dogs.md': SITE['content/dogs.md'] })
  const { code, stdout } = await run(
    ['init', '--contact', 'desk@ferry.example', ...(kind === 'json' ? ['--json'] : [])],
    dir,
  )
  expect(code).toBe(0)
  await expect(normal(stdout, dir)).toMatchFileSnapshot(join(GOLDEN, `init.${kind}`))
  for (const file of ['pinpack.toml', 'questions.yaml', 'rules/promises.md'])
    await expect(await readFile(join(dir, file), 'utf8')).toMatchFileSnapshot(
      join(GOLDEN, 'init', file.replace('/', '-')),
    )
})

it.each(['txt', 'json'])('dev announces what is in its .%s', async (kind) => {
  const dir = await folderOf(SITE)
  await mkdir(join(dir, 'site'))
  const env = { ...process.env, NO_COLOR: '1', OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '' }
  const child = spawn(process.execPath, [CLI, 'dev', '--port', '0', ...(kind === 'json' ? ['--json'] : [])], {
    cwd: dir,
    env,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  await expect.poll(() => said, { timeout: 20_000 }).toMatch(/Ctrl-C stops\n$|\}\n$/)
  child.kill('SIGINT')
  await new Promise((gone) => child.on('exit', gone))
  await expect(normal(said, dir)).toMatchFileSnapshot(join(GOLDEN, `dev.${kind}`))
})

describe('the figures in the golden files', () => {
  const golden = async (name: string) => JSON.parse(await readFile(join(GOLDEN, `${name}.json`), 'utf8'))
  /** Tokens of a passage as it is rendered, by another tokenizer. */
  const tokens = (label: string, text: string) =>
    encode(`<passage id="1" title="${label}">\n${text}\n</passage>\n`).length

  it('count tokens as another tokenizer does', async () => {
    const { sections } = await golden('explain')
    const of = (ref: string) => sections.find((section: { ref: string }) => section.ref === ref).tokens
    expect(of('rules/prices.md#verified-prices')).toBe(tokens('Verified prices', 'A bicycle crossing costs $5.'))
    expect(of('content/fares.md#refunds')).toBe(
      tokens('Fares › Refunds', 'Ask for a refund at the kiosk within fourteen days. See the kiosk.'),
    )
  })

  it('add up', async () => {
    const [build, explain, stats, check] = await Promise.all(['build', 'explain', 'stats', 'check'].map(golden))
    // Six files, of which fares has three sections.
    expect(build.files).toHaveLength(6)
    expect(build.sections).toBe(8)
    const sum = (list: { tokens: number }[]) => list.reduce((all, { tokens }) => all + tokens, 0)
    expect(sum(build.files)).toBe(build.writtenTokens)
    expect(sum(build.pinned)).toBe(build.pinnedTokens)
    expect(sum(explain.sections)).toBe(explain.tokens)
    expect(explain.sections.length + explain.leftOut.length).toBe(8)
    expect(sum(explain.sections) + sum(explain.leftOut)).toBe(build.writtenTokens)
    expect(stats.tokens).toBe(build.writtenTokens)
    const { reach } = stats
    expect(reach.reached + reach.floorOnly.length + reach.never.length).toBe(8)
    const codes = check.checks.flatMap(({ findings }: { findings: { code: string }[] }) =>
      findings.map(({ code }) => code),
    )
    expect(codes.sort()).toEqual(['broken-link', 'contradiction'])
  })
})
