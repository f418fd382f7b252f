/** axe-core in a page. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds against WCAG 2.2 AA and its best practices: rule and element. */
export async function problems(page: Page): Promise<string[]> {
  // Entrances fade in: contrast counts when they have ended.
  await page.waitForTimeout(400)
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = window as never as { axe: typeof import('axe-core') }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations } = await axe.run(document, { runOnly: tags })
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`))
  })
}
