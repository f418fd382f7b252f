/** What the widget's browser tests share: a site with a browser to visit it, as new before each test. */

import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createSite, launch, openChat, page, untouched, type Visit, visit } from './widget-site.ts'

export * from './widget-site.ts'

/**
 * A site for the tests of one file, with a browser to visit it. Before each test the site is as new, with its page at `/`; after it
 * every page that was visited is closed.
 */
export function hostSite() {
  const site = createSite()
  let browser: Browser
  let visits: Visit[] = []

  beforeAll(async () => {
    ;[browser] = await Promise.all([launch(), site.start()])
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })
  beforeEach(() => {
    Object.assign(site, untouched())
    page(site)
  })
  afterEach(async () => {
    await Promise.all(visits.map(({ page }) => page.context().close()))
    visits = []
  })

  /** Visits the page, and waits for the launcher, or for a panel that is a part of the page. */
  async function arrive(options: BrowserContextOptions = {}): Promise<Visit> {
    const found = await visit(browser, site, options)
    visits.push(found)
    await found.page.locator('pinpack-chat[mode], pinpack-chat .launcher').first().waitFor({ state: 'attached' })
    return found
  }

  /** Visits the page, and opens the chat. */
  async function arriveAndOpen(options: BrowserContextOptions = {}): Promise<Visit> {
    const found = await arrive(options)
    await openChat(found.page)
    return found
  }

  return { site, arrive, arriveAndOpen }
}
