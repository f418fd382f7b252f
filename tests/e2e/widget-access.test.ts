/** axe-core on every state of the widget, in both color schemes. */

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { problems } from './axe.ts'
import { answer, ask, hostSite, openChat, refuse, send, page as sitePage } from './widget-kit.ts'

const LONG =
  'Yes, within **30 days** [2].\n\n1. One\n2. Two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x\n```\n\n> Quoted [docs](/a)'

const { site, arrive } = hostSite()

// axe is not a script of the page.
beforeEach(() => {
  site.csp = ''
})

const STATES: Record<string, (page: Page) => Promise<void>> = {
  closed: async () => {},
  empty: (page) => openChat(page),
  answered: async (page) => {
    site.proxy = (_, response) => send(response, answer(LONG))
    await openChat(page)
    await ask(page, 'Can I get a refund?')
  },
  streaming: async (page) => {
    site.proxy = (_, response) => send(response, answer('Half **of', { finish: false }), { end: false })
    await openChat(page)
    await page.locator('pinpack-chat textarea').fill('What?')
    await page.keyboard.press('Enter')
    await page.locator('pinpack-chat [data-status="streaming"]').waitFor()
  },
  'showing a citation': async (page) => {
    await STATES.answered?.(page)
    await page.locator('pinpack-chat .chip').first().focus()
    await page.locator('pinpack-chat [part="card"]').waitFor()
  },
  'asking what was wrong': async (page) => {
    await STATES.answered?.(page)
    await page.locator('pinpack-chat [aria-label="Bad answer"]').click()
    await page.locator('pinpack-chat [part="reasons"]').waitFor()
  },
  cut: async (page) => {
    site.proxy = (_, response) => send(response, answer('Half', { finish: false }))
    await openChat(page)
    await ask(page, 'What?')
  },
  'not covered': async (page) => {
    site.proxy = (_, response) => refuse(response, 503, { code: 'unavailable', message: 'x' })
    await openChat(page)
    await ask(page, 'Xylophone?')
  },
  failed: async (page) => {
    site.proxy = (_, response) => refuse(response, 429, { code: 'rate-limited', message: 'x', retryAfter: 9 })
    await openChat(page)
    await ask(page, 'What?')
  },
  quoted: async (page) => {
    site.proxy = (_, response) => refuse(response, 503, { code: 'unavailable', message: 'x' })
    await openChat(page)
    await ask(page, 'Can I get a refund?')
  },
}

const tag =
  '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-contact="help@shop.example" data-questions="Can I get a refund?|Hours?"></script>'

describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
  test.each(Object.keys(STATES))('axe finds nothing when %s', async (state) => {
    sitePage(site, { tag })
    const { page } = await arrive({ colorScheme })
    await STATES[state]?.(page)
    expect(await problems(page)).toEqual([])
  })

  test('axe finds nothing on a phone, in Arabic', async () => {
    sitePage(site, { tag, lang: 'ar' })
    const { page } = await arrive({
      colorScheme,
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    })
    await STATES.answered?.(page)
    expect(await problems(page)).toEqual([])
  })

  test('axe finds nothing in the developer panel', async () => {
    sitePage(site, { tag: tag.replace('data-questions', 'data-inspect data-questions') })
    const { page } = await arrive({ colorScheme })
    await STATES.answered?.(page)
    await page.locator('pinpack-inspector [data-part="sent"]').first().waitFor()
    expect(await problems(page)).toEqual([])
  })
})
