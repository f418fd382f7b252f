/** What can be done with an answer in Chromium: look at what it cites, copy it, say what it was worth. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { answer, ask, hostSite, openChat, RECEIPT, refuse, send, shown, page as sitePage } from './widget-kit.ts'

const { site, arrive, arriveAndOpen } = hostSite()

const chip = (page: Page) => page.locator('pinpack-chat .chip').first()
const card = (page: Page) => page.locator('pinpack-chat [part="card"]')
const announced = (page: Page) => page.locator('pinpack-chat [role="status"]').textContent()

/** A cited answer; the passage with the quotation is section 4. */
async function cited(page: Page): Promise<void> {
  site.proxy = (_, response) => send(response, answer('You can ask for a refund within 30 days [2].'))
  await ask(page, 'Can I get a refund?')
  await page.locator('pinpack-chat [id^="quote-"]').waitFor({ state: 'attached' })
}

test('shows the passage of a citation to the pointer, which may go to it, and puts it away after', async () => {
  const { page } = await arriveAndOpen()
  await cited(page)
  expect(await card(page).count()).toBe(0)
  await chip(page).hover()
  expect(await shown(card(page).locator('blockquote'))).toBe('You can ask for a refund within 30 days.')
  expect(await shown(card(page))).toContain('Refund policy')
  await card(page).hover()
  await page.waitForTimeout(400)
  expect(await card(page).count()).toBe(1)
  const [inside, panel] = [await card(page).boundingBox(), await page.locator('pinpack-chat dialog').boundingBox()]
  expect(inside && panel && inside.x >= panel.x && inside.x + inside.width <= panel.x + panel.width).toBe(true)
  await page.mouse.move(0, 0)
  await card(page).waitFor({ state: 'detached' })
})

test('shows the passage to the keyboard; Escape puts it away and leaves the chat open', async () => {
  const { page } = await arriveAndOpen()
  await cited(page)
  await chip(page).focus()
  await card(page).waitFor()
  await page.keyboard.press('Escape')
  expect(await card(page).count()).toBe(0)
  expect(await page.locator('pinpack-chat').getAttribute('open')).toBe('')
  await page.keyboard.press('Escape')
  expect(await page.locator('pinpack-chat').getAttribute('open')).toBe(null)
})

test('describes a citation by its passage to a screen reader', async () => {
  const { page } = await arriveAndOpen()
  await cited(page)
  const described = await chip(page).evaluate((node) => {
    const id = node.getAttribute('aria-describedby') ?? ''
    return (node.getRootNode() as ShadowRoot).getElementById(id)?.textContent
  })
  expect(described).toBe('You can ask for a refund within 30 days.')
  expect(await chip(page).getAttribute('aria-label')).toBe('Source 2: Refund policy')
})

test('shows the passage at the first touch, and follows the link at the second', async () => {
  const { page } = await arriveAndOpen({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
  await cited(page)
  await chip(page).tap()
  await card(page).waitFor()
  await page.waitForTimeout(400)
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await card(page).count()).toBe(1)
  await chip(page).tap()
  await page.waitForURL('**/refunds#policy')
})

test('keeps the passages with the conversation', async () => {
  const { page } = await arriveAndOpen()
  await cited(page)
  await page.reload()
  await openChat(page)
  await chip(page).hover()
  expect(await shown(card(page).locator('blockquote'))).toBe('You can ask for a refund within 30 days.')
})

test('has no quotation for a rule whose text is not public', async () => {
  const { page } = await arriveAndOpen()
  site.proxy = (_, response) => {
    const [rule, ...others] = RECEIPT.sections
    const receipt = { ...RECEIPT, sections: [{ ...(rule as (typeof RECEIPT.sections)[0]), url: '/rules' }, ...others] }
    return send(response, answer('Billing decides [1].', { receipt }))
  }
  await ask(page, 'Can I get a refund?')
  await chip(page).hover()
  await card(page).waitFor()
  expect(await card(page).locator('blockquote').count()).toBe(0)
})

test('marks the words of the question that were found in quotations, and no others', async () => {
  site.proxy = (_, response) => refuse(response, 503, { code: 'unavailable', message: 'x' })
  const { page } = await arriveAndOpen()
  await ask(page, 'A refund within some days?')
  const marks = page.locator('pinpack-chat blockquote').first().locator('mark')
  expect(await marks.allTextContents()).toEqual(['refund', 'within', 'days'])
})

test.each([true, false])('copies code and whole answers (clipboard API: %s)', async (api) => {
  const { page } = await arriveAndOpen()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin })
  await page.evaluate((keep) => {
    const { clipboard } = navigator
    Object.assign(window, { readClipboard: () => clipboard.readText() })
    if (!keep) Object.defineProperty(navigator, 'clipboard', { value: undefined })
  }, api)
  const pasted = () => page.evaluate(() => (window as never as { readClipboard(): Promise<string> }).readClipboard())
  site.proxy = (_, response) => send(response, answer('Run [2]:\n\n```sh\nnpm ci --ignore-scripts\n```'))
  await ask(page, 'How?')
  await page.locator('pinpack-chat .code .copy').click()
  await expect.poll(() => announced(page)).toBe('Copied')
  expect(await pasted()).toBe('npm ci --ignore-scripts')
  await page.locator('pinpack-chat [aria-label="Copy answer"]').click()
  await expect
    .poll(pasted)
    .toBe(`Run [2]:\n\n\`\`\`sh\nnpm ci --ignore-scripts\n\`\`\`\n\n[2] Refund policy: ${site.origin}/refunds#policy`)
})

/** Counts what the page is told, and what is posted to `/api/feedback`. */
async function listen(page: Page): Promise<() => Promise<unknown[]>> {
  await page.evaluate(() => {
    const told: unknown[] = []
    Object.assign(window, { told })
    addEventListener('pinpack-feedback', (event) => told.push((event as CustomEvent).detail.feedback))
  })
  return () => page.evaluate(() => (window as never as { told: unknown[] }).told)
}
const FEEDBACK_TAG =
  '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-feedback="/api/feedback"></script>'
const named = () => answer('Yes [2].').map((part) => (part.type === 'start' ? { ...part, messageId: 'r-1' } : part))

test('tells the page and the log that an answer was good, without a word of the conversation', async () => {
  sitePage(site, { tag: FEEDBACK_TAG })
  site.proxy = (_, response) => send(response, named())
  const { page } = await arriveAndOpen()
  const told = await listen(page)
  await ask(page, 'Can I get a refund?')
  const good = page.locator('pinpack-chat [aria-label="Good answer"]')
  const posted = page.waitForRequest('**/api/feedback')
  await good.click()
  expect((await posted).postDataJSON()).toEqual({ id: 'r-1', value: 'up' })
  expect(await good.getAttribute('aria-pressed')).toBe('true')
  expect(await told()).toEqual([{ value: 'up' }])
  expect(await announced(page)).toBe('Thank you for the feedback.')
})

test('asks what was wrong before it tells of a bad answer', async () => {
  sitePage(site, { tag: FEEDBACK_TAG })
  site.proxy = (_, response) => send(response, named())
  const { page } = await arriveAndOpen()
  const told = await listen(page)
  await ask(page, 'Can I get a refund?')
  await page.locator('pinpack-chat [aria-label="Bad answer"]').click()
  expect(await told()).toEqual([])
  await page.getByRole('radio', { name: 'Out of date' }).check({ force: true })
  await page.getByRole('textbox', { name: 'Say more (optional)' }).fill('It is 14 days now.')
  const posted = page.waitForRequest('**/api/feedback')
  await page.getByRole('button', { name: 'Send feedback' }).click()
  const feedback = { value: 'down', reason: 'reasonOutdated', comment: 'It is 14 days now.' }
  expect((await posted).postDataJSON()).toEqual({ id: 'r-1', ...feedback })
  expect(await told()).toEqual([feedback])
  expect(await page.locator('pinpack-chat .reasons').count()).toBe(0)

  await page.reload()
  await openChat(page)
  expect(await page.locator('pinpack-chat [aria-label="Bad answer"]').getAttribute('aria-pressed')).toBe('true')
})

test('posts no rating without an address for it, and takes one back at a second press', async () => {
  const { page } = await arriveAndOpen()
  const told = await listen(page)
  site.proxy = (_, response) => send(response, named())
  await ask(page, 'Can I get a refund?')
  const good = page.locator('pinpack-chat [aria-label="Good answer"]')
  await good.click()
  await good.click()
  expect(await good.getAttribute('aria-pressed')).toBe('false')
  expect(await told()).toEqual([{ value: 'up' }])
  await page.waitForTimeout(200)
  expect(site.paths.filter((path) => path.includes('feedback'))).toEqual([])
})

test('answers the last question again when asked to, in place of the answer', async () => {
  const { page } = await arriveAndOpen()
  await cited(page)
  site.proxy = (_, response) => send(response, answer('Another answer.'))
  await page.locator('pinpack-chat .actions [aria-label="Try again"]').click()
  await page.locator('pinpack-chat .markdown', { hasText: 'Another answer.' }).waitFor()
  expect(await page.locator('pinpack-chat .entry').count()).toBe(2)
  expect(site.asked[1]).toEqual(site.asked[0])
})

test('says where to ask when the site holds no answer, and can be told that it should', async () => {
  sitePage(site, {
    tag: '<script type="module" src="/pinpack/pinpack.js" data-contact="https://help.example/us"></script>',
  })
  const { page } = await arrive()
  await openChat(page)
  await ask(page, 'Xylophone?')
  const nothing = page.locator('pinpack-chat [part="nothing"]')
  expect(await shown(nothing)).toContain('I found nothing about that on this site.')
  expect(await nothing.locator('a').getAttribute('href')).toBe('https://help.example/us')
  expect(await page.locator('pinpack-chat [aria-label="Bad answer"]').count()).toBe(1)
  expect(await page.locator('pinpack-chat [aria-label="Copy answer"]').count()).toBe(0)
})

test('keeps a question whose answer was left, marked as cut', async () => {
  site.proxy = (_, response) => send(response, answer('Half', { finish: false }), { end: false })
  const { page } = await arriveAndOpen()
  await page.locator('pinpack-chat textarea').fill('What?')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [data-status="streaming"]').waitFor()
  await page.reload()
  await openChat(page)
  expect(await shown(page.locator('pinpack-chat [part="question"]'))).toBe('What?')
  expect(await page.locator('pinpack-chat [data-role="assistant"]').getAttribute('data-status')).toBe('cut')
  expect(await page.locator('pinpack-chat .retry').count()).toBe(1)
})

test('a spent budget is answered with the site’s own words, and says why', async () => {
  site.proxy = (_, response) => refuse(response, 429, { code: 'budget-spent', message: 'x', retryAfter: 3600 })
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-chat [data-kind="quotes"] blockquote').count()).toBeGreaterThan(0)
  expect(await shown(page.locator('pinpack-chat .note'))).toMatch(/all it can for today.*word for word/)
})

test('says why when the proxy’s own quotes stand in for its model', async () => {
  const [start, receipt, ...rest] = answer('> You can ask for a refund. [2]')
  const notice = { type: 'data-notice', data: { code: 'upstream-overloaded', message: 'x' } }
  site.proxy = (_, response) => send(response, [start, receipt, notice, ...rest] as never)
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  expect(await shown(page.locator('pinpack-chat .note'))).toMatch(/not available/)
  expect(await page.locator('pinpack-chat [data-role="assistant"]').getAttribute('data-status')).toBe('done')
  expect(await page.locator('pinpack-chat blockquote .chip').count()).toBe(1)
})

test('a later receipt takes the place of the first', async () => {
  const [first] = RECEIPT.sections
  const parts = answer('Yes [1] [2] [3].')
  const late = { type: 'data-receipt', data: { ...RECEIPT, sections: [{ ...first, title: 'Only', url: '/only' }] } }
  const at = parts.findIndex(({ type }) => type === 'text-start')
  site.proxy = (_, response) => send(response, [...parts.slice(0, at), late, ...parts.slice(at)] as never)
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-chat .chip').evaluateAll((all) => all.map((one) => one.textContent))).toEqual([
    '1',
  ])
})

test('names the contact under a model’s answer to what the site does not hold', async () => {
  sitePage(site, {
    tag: '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-contact="help@shop.example"></script>',
  })
  site.proxy = (_, response) => send(response, answer('I could not find that here.'))
  const { page } = await arriveAndOpen()
  await ask(page, 'Xylophone?')
  expect(await page.locator('pinpack-chat .contact a').getAttribute('href')).toBe('mailto:help@shop.example')
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-chat [data-role="assistant"]').last().locator('.contact').count()).toBe(0)
})

test('a citation stays on the line of the word that it supports, however wide the panel is', async () => {
  const { page } = await arriveAndOpen()
  site.proxy = (_, response) =>
    send(response, answer('Some words of different lengths end here. [2] And more of them follow there [2].'))
  await ask(page, 'Can I get a refund?')
  const torn = await page.evaluate(() => {
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    const text = root.querySelector<HTMLElement>('.markdown') as HTMLElement
    const widths = Array.from({ length: 150 }, (_, step) => 120 + 2 * step)
    return widths.filter((width) => {
      text.style.inlineSize = `${width}px`
      return [...text.querySelectorAll('.chip')].some((chip) => {
        const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
        let before: Text | undefined
        for (
          let node = walker.nextNode() as Text | null;
          node && !chip.contains(node);
          node = walker.nextNode() as Text | null
        )
          if (node.data.trim() && !node.parentElement?.matches('.chip')) before = node
        const range = document.createRange()
        range.setStart(before as Text, (before as Text).data.trimEnd().length - 1)
        range.setEnd(before as Text, (before as Text).data.trimEnd().length)
        return Math.abs(range.getBoundingClientRect().bottom - chip.getBoundingClientRect().bottom) > 12
      })
    })
  })
  expect(torn).toEqual([])
})
