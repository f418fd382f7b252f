/** axe-core on the pages that `explain --html` and `eval --html` write and on the previews of `dev`, and that they fit a phone. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'pinpack/build'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { previewPage } from '../../www/cli/preview.ts'
import { CONFIG, DIST, filesOf, node, PAGES, siteFolder } from '../npm/fixture.ts'
import { problems } from './axe.ts'
import { launch } from './widget-kit.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

const DOG = `${PAGES['content/dog.md']}${'He sleeps in the morning and in the afternoon. '.repeat(12)}\n`
const QUESTIONS = `- question: who is Remi?\n  expect: content/dog.md#the-studio-dog\n- question: deposit\n  history: hello\n  expect: content/refunds.md#deposits\n`
const LONG = 'https://example.com/a-very-long-address-without-any-place-to-break-it-that-goes-on-and-on-and-on'

/** Each page, with what it must show. */
const WRITTEN: [name: string, args: string[], shows: string][] = [
  [
    'explain',
    ['explain', `how late may I cancel? ${LONG}`, '--history', 'what about my deposit?', '--html', 'page.html'],
    '#old-way',
  ],
  ['eval', ['eval', 'q.yaml', '--compare', 'small.toml', '--html', 'page.html'], '#changed'],
]

const PAGE_KINDS = WRITTEN.flatMap(([name, args, shows]) =>
  (['light', 'dark'] as const).flatMap((scheme) => [390, 1200].map((width) => ({ name, args, shows, scheme, width }))),
)

test.each(PAGE_KINDS)(
  'the page of $name has nothing that axe finds, $scheme, $width px',
  async ({ args, shows, scheme, width }) => {
    const small = `${CONFIG}[budget]\ncontext = 100\nfloor = 50\n`
    const dir = await siteFolder({ 'content/dog.md': DOG, 'q.yaml': QUESTIONS, 'small.toml': small })
    const { code, stderr } = await node([join(DIST, 'cli.js'), ...args], { cwd: dir })
    expect(code, stderr).toBe(0)
    const page = await open(join(dir, 'page.html'), scheme, width)
    expect(await page.locator(shows).count()).toBe(1)
    expect(await problems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  },
)

test('a preview of a cited page has nothing that axe finds', async () => {
  const { knowledge } = await build(
    filesOf({ ...PAGES, 'content/refunds.md': `${PAGES['content/refunds.md']}\n${LONG}\n` }),
    CONFIG,
  )
  const dir = await siteFolder()
  const html = previewPage(knowledge, '/refunds')?.replace(/<script.*<\/script>/, '') as string
  await writeFile(join(dir, 'preview.html'), html)
  const page = await open(join(dir, 'preview.html'), 'light', 390)
  expect(await page.locator('#deposits').textContent()).toBe('Deposits')
  expect(await problems(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

async function open(file: string, colorScheme: 'light' | 'dark', width: number) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(pathToFileURL(file).href)
  return page
}
