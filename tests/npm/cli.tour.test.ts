/** `docs/tour.md` is a real run: its files are written, its commands are run in order, and they print what it shows. */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIST, node, ROOT } from './fixture.ts'

interface Block {
  kind: string
  /** The second word of the fence: a file to write, or `fails`. */
  word: string
  lines: string[]
}

const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, kind = '', word = '', body = '']) => ({
    ...{ kind, word },
    lines: body.split('\n').slice(0, -1),
  }))

/** The words of a command line, without a shell: two quotes hold one word together. */
const wordsOf = (line: string) => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))

/** A shown line as a pattern: `…` within it is anything. */
const pattern = (line: string) =>
  new RegExp(
    `^${line
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )

/** Shown lines stand in the output one after the other; a line of `…` alone lets others be between. */
function expectShown(shown: string[], said: string[]): void {
  let at = 0
  let free = false
  for (const line of shown) {
    if (line === '…') {
      free = true
      continue
    }
    const found = said.findIndex((one, i) => i >= at && pattern(line).test(one))
    expect(found, `${line}\nis not in\n${said.slice(at).join('\n')}`).toBeGreaterThanOrEqual(at)
    if (!free) expect(said[at], 'a line is missing in the tour').toMatch(pattern(line))
    at = found + 1
    free = false
  }
  if (!free) expect(said.slice(at).join('\n').trim()).toBe('')
}

const blocks = blocksOf(await readFile(join(ROOT, 'docs/tour.md'), 'utf8'))
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pinpack-tour-'))
  await cp(join(ROOT, 'www/demo/content'), join(dir, 'content'), { recursive: true })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

describe('the tour', () => {
  it.each(
    blocks.map(
      (block, i) => [i + 1, block.lines.findLast((line) => line.startsWith('$')) ?? block.word, block] as const,
    ),
  )('step %i: %s', async (_, __, { kind, word, lines }) => {
    if (kind !== 'sh') {
      await mkdir(dirname(join(dir, word)), { recursive: true })
      await writeFile(join(dir, word), `${lines.join('\n')}\n`)
      return
    }
    const commands = lines.filter((line) => line.startsWith('$ ')).map((line) => wordsOf(line.slice(2)))
    for (const [name, ...args] of commands) {
      if (name === 'rm') {
        await rm(join(dir, args[0] as string))
        continue
      }
      expect([name, args[0]]).toEqual(['npx', 'pinpack'])
      const { code, stdout } = await node([join(DIST, 'cli.js'), ...args.slice(1)], {
        cwd: dir,
        env: { GITHUB_ACTIONS: '' },
      })
      expect(code).toBe(word === 'fails' ? 1 : 0)
      expectShown(
        lines.filter((line) => !line.startsWith('$ ')),
        stdout.split('\n'),
      )
    }
  })

  it('uses every command that an owner needs first', () => {
    const used = new Set(
      blocks.flatMap(({ lines }) => lines.flatMap((line) => /^\$ npx pinpack (\S+)/.exec(line)?.[1] ?? [])),
    )
    expect([...used].sort()).toEqual(['build', 'check', 'eval', 'explain', 'init', 'stats', 'suggest-pins'])
  })
})
