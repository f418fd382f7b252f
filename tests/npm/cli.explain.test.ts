/** `pinpack explain`: beside what the library packs, what the first characters of the file would be, and the page. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DIST, folderOf, node } from './fixture.ts'

const explain = (args: string[], cwd: string) => node([join(DIST, 'cli.js'), 'explain', ...args], { cwd })

/** Twenty pages before the one that answers; the rule comes last, in the order of the files. */
const page = (n: number) => `# Room ${n}\n\nRoom number ${n} has a window to the harbor and two chairs.\n`
const SITE = {
  'pinpack.toml': '[sources]\ninclude = ["content/**/*.md"]\n[budget]\ncontext = 300\nfloor = 200\n',
  ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`content/a${i + 10}.md`, page(i + 10)])),
  'content/z.md': '# Whales\n\nWhales come in October.\n',
  'rules/boats.md': '# Boats\n\nNever promise a boat.\n',
}

describe('the old way in explain', () => {
  const old = async (args: string[] = []) => {
    const { stdout } = await explain(['when do whales come?', '--json', ...args], await folderOf(SITE))
    return JSON.parse(stdout)
  }

  it('is the text cut off after as many tokens as the budget', async () => {
    const { oldWay, sections, budget } = await old()
    // Every room has the same number of tokens, those of the first one sent; so many of them fit.
    const room = sections.find(({ ref }: { ref: string }) => ref.startsWith('content/a')).tokens
    const fit = Math.floor(budget / room)
    expect(oldWay.sections).toBe(fit)
    expect(oldWay.cutIn).toBe(`content/a${10 + fit}.md#room-${10 + fit}`)
    expect(oldWay.matching).toEqual({ sent: 0, of: 1, missing: ['content/z.md#whales'] })
    expect(oldWay.pinned).toEqual({ sent: 0, of: 1, missing: ['rules/boats.md#boats'] })
  })

  it('can be told where to cut', async () => {
    const { oldWay } = await old(['--first', '0'])
    expect(oldWay).toMatchObject({ characters: 0, sections: 0, cutIn: 'content/a10.md#room-10' })
    const all = (await old(['--first', '100000'])).oldWay
    expect(all).toMatchObject({ sections: 22, matching: { sent: 1, of: 1 }, pinned: { sent: 1, of: 1 } })
    expect(all.characters).toBe(all.of)
    expect(all.cutIn).toBeUndefined()
    // A character less, and the last section is not whole.
    const less = (await old(['--first', String(all.of - 1)])).oldWay
    expect(less).toMatchObject({ sections: 21, cutIn: 'rules/boats.md#boats' })
  })

  it('is printed, and says when all fits', async () => {
    const dir = await folderOf(SITE)
    const { stdout } = await explain(['when do whales come?'], dir)
    expect(stdout).toMatch(/^old way +the first [\d,]+ of [\d,]+ characters/m)
    expect(stdout).toContain('0 of 1 that match, 0 of 1 that are pinned')
    expect((await explain(['whales', '--first', '99999'], dir)).stdout).toContain('retrieval is not needed yet')
  })
})

describe('explain --html', () => {
  it('is one page with every section and term, and nothing from elsewhere', async () => {
    const dir = await folderOf(SITE)
    const question = '<b>whales</b> & "October"?'
    const { code, stdout } = await explain([question, '--history', 'first <i>', '--html', 'out/x.html'], dir)
    expect(code).toBe(0)
    expect(stdout).toContain('wrote out/x.html')
    const html = await readFile(join(dir, 'out/x.html'), 'utf8')
    expect(html).toMatch(/^<!doctype html>/)
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|(?:src|href)="(?!#)|<b>|<i>/)
    expect(html).toContain('&#60;b&#62;whales&#60;/b&#62; &#38; &#34;October&#34;?')
    for (const ref of ['rules/boats.md#boats', 'content/z.md#whales', 'content/a29.md#room-29']) {
      expect(html).toContain(`<code>${ref}</code>`)
    }
    expect(html).toMatch(/<svg class="budget" role="img" aria-label="Budget of 300 tokens: pinned \d+/)
    expect(html.match(/<table>/g)?.length).toBe(html.match(/<caption>/g)?.length)
  })

  it('fails with its code where it cannot be written', async () => {
    const { code, stderr } = await explain(['x', '--html', 'pinpack.toml/x.html'], await folderOf(SITE))
    expect(code).toBe(1)
    expect(stderr).toContain('error[write-failed]')
  })
})
