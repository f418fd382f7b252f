/** axe-core on the page that `build --report` writes, with every part that it can have, and that it fits a phone. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DIST, node, siteFolder } from '../npm/fixture.ts'
import { problems } from './axe.ts'
import { launch } from './widget-kit.ts'

const TWICE = 'Our founder sailed along the coast of the northern sea and filmed all that she saw there for a year.\n'

/** Duplicates, broken links, an item over the maximum, words left out, a draft, a file that is no text, a page without any. */
const SITE = {
  'content/a.md': `# A\n\n${TWICE}\n[gone](refunds.md#no-such-heading) [lost](nowhere.md)\n`,
  'content/b.md': `# B\n\n${TWICE}`,
  'content/draft.md': '---\ndraft: true\n---\n# Soon\n\nNot yet.\n',
  'content/empty.md': '',
  'content/odd.md': '\0\u0001\u0002',
  'content/shown.md':
    '# Shown\n\n<div data-pinpack-ignore>Not for the model.</div>\n\n<nav><a href="/">Home</a></nav>\n\nText.\n',
  'rules/history.md': `# History\n\n${'She filmed the harbor and its boats through the winter. '.repeat(100)}\n`,
}

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

async function report(options: { width: number; colorScheme: 'light' | 'dark' }) {
  const dir = await siteFolder(SITE)
  const { code, stderr } = await node([join(DIST, 'cli.js'), 'build', '--report', 'report.html'], { cwd: dir })
  expect(code, stderr).toBe(0)
  const { width, colorScheme } = options
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(pathToFileURL(join(dir, 'report.html')).href)
  return page
}

describe.each(['light', 'dark'] as const)('the report in the %s scheme', (colorScheme) => {
  test.each([390, 1200])('has nothing that axe finds, and nothing that sticks out, at %i px', async (width) => {
    const page = await report({ width, colorScheme })
    for (const id of ['warnings', 'repeated', 'links', 'left-out', 'pinned']) {
      expect(await page.locator(`section[aria-labelledby="${id}"] :is(td, li)`).count(), id).toBeGreaterThan(0)
    }
    expect(await problems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await page.locator('.histogram').evaluate(cutOff)).toEqual([])
  })
})

/** Texts of a drawing that reach over its edge. */
function cutOff(drawing: SVGElement | HTMLElement): string[] {
  const { width, height } = (drawing as SVGSVGElement).viewBox.baseVal
  const isCut = (text: SVGTextElement) => {
    const box = text.getBBox()
    return box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height
  }
  return [...drawing.querySelectorAll('text')].filter(isCut).map((text) => text.textContent ?? '')
}
