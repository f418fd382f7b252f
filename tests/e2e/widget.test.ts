/** The widget in Chromium: asking, answering, sources, errors, the ways an answer ends. */

import { beforeEach, expect, test } from 'vitest'
import {
  answer,
  ask,
  ended,
  HASH,
  hostSite,
  openChat,
  RECEIPT,
  refuse,
  send,
  shown,
  page as sitePage,
} from './widget-kit.ts'

const { site, arrive, arriveAndOpen } = hostSite()

beforeEach(() => {
  site.proxy = (_, response) => send(response, answer('Yes, within **30 days** [2]. Billing decides [1][3].'))
})

test('asks with ids, the hash and the level of coverage only, and shows a cited answer that came byte by byte', async () => {
  site.proxy = (_, response) => send(response, answer('Yes, within **30 days** [2] – naïve 日本語.'), { bytes: true })
  const { page, errors, violations } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')

  const sent = site.asked[0]
  expect(Object.keys(sent ?? {}).sort()).toEqual(['coverage', 'hash', 'messages', 'sections'])
  expect(['covered', 'partly', 'none']).toContain(sent?.coverage)
  expect(sent?.hash).toBe(HASH)
  expect(sent?.sections).toEqual([4, 6, 2])
  expect(sent?.messages).toEqual([{ role: 'user', content: 'Can I get a refund?' }])

  const text = page.locator('pinpack-chat .markdown')
  expect(await shown(text)).toBe('Yes, within 30 days2 – naïve 日本語.')
  expect(await shown(text.locator('strong'))).toBe('30 days')
  expect(await text.locator('a.chip').getAttribute('href')).toBe(`${site.origin}/refunds#policy`)
  expect(errors).toEqual([])
  expect(await violations()).toEqual([])
})

test('lists the cited sources, and hides the number of a rule without a page', async () => {
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  const sources = page.locator('pinpack-chat .source')
  expect(
    await sources.evaluateAll((all) => all.map((one) => [one.tagName, (one as HTMLElement).dataset.number])),
  ).toEqual([
    ['A', '2'],
    ['A', '3'],
  ])
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('Yes, within 30 days2. Billing decides3.')
  expect(await sources.nth(1).getAttribute('rel')).toBe('noopener noreferrer nofollow')
})

test('keeps markers that name no passage as text', async () => {
  site.proxy = (_, response) => send(response, answer('See [9] and [2].'))
  const { page } = await arriveAndOpen()
  await ask(page, 'What?')
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('See [9] and2.')
  expect(await page.locator('pinpack-chat .chip').count()).toBe(1)
})

test('sends earlier turns with the next question', async () => {
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  await ask(page, 'And for repairs?')
  expect(site.asked[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
})

test.each([
  [429, { code: 'rate-limited', message: 'x', retryAfter: 30 }, /30 seconds/],
  [403, { code: 'origin', message: 'x' }, /not set up/],
  [413, { code: 'body-too-large', message: 'x' }, /too long/],
  [418, { code: 'teapot', message: 'I am a teapot.' }, /I am a teapot\./],
])('tells a %i in words, and retries only when asked', async (status, body, words) => {
  site.proxy = (_, response) => refuse(response, status, body)
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  const notice = page.locator('pinpack-chat [part="notice"]')
  expect(await notice.getAttribute('data-code')).toBe(body.code)
  expect(await shown(notice)).toMatch(words)
  await page.waitForTimeout(300)
  expect(site.asked).toHaveLength(1)

  site.proxy = (_, response) => send(response, answer('Now it works.'))
  await page.locator('pinpack-chat .retry').click()
  await ended(page)
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('Now it works.')
  expect(await page.locator('pinpack-chat .entry').count()).toBe(2)
})

test('tells a typed error in the stream, after the text that came', async () => {
  const error = { type: 'data-error', data: { code: 'upstream-overloaded', message: 'x' } }
  const parts = [...answer('Half an', { finish: false }), error, { type: 'error', errorText: 'x' }, { type: 'finish' }]
  site.proxy = (_, response) => send(response, parts)
  const { page } = await arriveAndOpen()
  await ask(page, 'What?')
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('Half an')
  expect(await shown(page.locator('pinpack-chat [part="notice"]'))).toMatch(/busy/)
})

test('marks an answer without its end as cut', async () => {
  site.proxy = (_, response) => send(response, answer('The refund takes', { finish: false }))
  const { page } = await arriveAndOpen()
  await ask(page, 'What?')
  expect(await page.locator('pinpack-chat [data-role="assistant"]').getAttribute('data-status')).toBe('cut')
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('The refund takes')
  expect(await page.locator('pinpack-chat .retry').count()).toBe(1)
})

test('marks an answer as cut when the connection breaks or the page comes back from the cache', async () => {
  site.proxy = async (_, response) => {
    await send(response, answer('Half', { finish: false }), { end: false })
    setTimeout(() => response.destroy(), 50)
  }
  const { page, errors } = await arriveAndOpen()
  await ask(page, 'What?')
  expect(await page.locator('pinpack-chat [data-role="assistant"]').getAttribute('data-status')).toBe('cut')

  site.proxy = (_, response) => send(response, answer('Half', { finish: false }), { end: false })
  await page.locator('pinpack-chat textarea').fill('Again?')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [data-status="streaming"]').waitFor()
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await ended(page)
  expect(await page.locator('pinpack-chat [data-role="assistant"]').last().getAttribute('data-status')).toBe('cut')
  await page.locator('pinpack-chat textarea').fill('Still usable')
  expect(errors).toEqual([])
})

test('stops when the visitor says so, and keeps what came', async () => {
  site.proxy = (_, response) => send(response, answer('Half', { finish: false }), { end: false })
  const { page } = await arriveAndOpen()
  await page.locator('pinpack-chat textarea').fill('What?')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [data-status="streaming"]').waitFor()
  await page.locator('pinpack-chat [part="stop"]').click()
  await ended(page)
  expect(await shown(page.locator('pinpack-chat [part="notice"]'))).toMatch(/Stopped/)
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('Half')
})

test('reloads a stale knowledge base once and sends again; a second time it is an error', async () => {
  const stale = { code: 'stale', message: 'x', hash: 'f'.repeat(32) }
  site.proxy = (_, response) =>
    site.asked.length === 1 ? refuse(response, 409, stale) : send(response, answer('Fresh.'))
  const { page } = await arriveAndOpen()
  await ask(page, 'What?')
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('Fresh.')
  expect(site.asked).toHaveLength(2)
  expect(await page.evaluate(() => (window as never as { standIn: { opened: number } }).standIn.opened)).toBe(2)

  site.proxy = (_, response) => refuse(response, 409, stale)
  await ask(page, 'And now?')
  expect(site.asked).toHaveLength(4)
  expect(await page.locator('pinpack-chat [part="notice"]').getAttribute('data-code')).toBe('stale')
})

test('keeps the conversation for the tab, and forgets it with a new chat', async () => {
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  await page.reload()
  await openChat(page)
  expect(await page.locator('pinpack-chat .chip').count()).toBe(2)
  await page.locator('pinpack-chat [aria-label="New chat"]').click()
  expect(await page.locator('pinpack-chat .entry').count()).toBe(0)
  await page.reload()
  await openChat(page)
  expect(await page.locator('pinpack-chat .entry').count()).toBe(0)
})

test('tells the page what happens', async () => {
  const { page } = await arrive()
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    for (const name of ['open', 'question', 'answer', 'error', 'close'])
      addEventListener(`pinpack-${name}`, () => seen.push(name))
  })
  await openChat(page)
  await ask(page, 'What?')
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.evaluate(() => (window as never as { seen: string[] }).seen))
    .toEqual([...['open', 'question', 'answer', 'close']])
  await openChat(page)
  await page.evaluate(() => {
    const chat = document.querySelector('pinpack-chat') as HTMLElement & { open: boolean }
    chat.open = false
    chat.open = true
  })
  await page.waitForTimeout(200)
  const seen = await page.evaluate(() => (window as never as { seen: string[] }).seen)
  expect(seen.slice(4)).toEqual(['open'])
})

test('shows the developer panel: what is sent, and whether the receipt says the same', async () => {
  const inspected = '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-inspect></script>'
  sitePage(site, { tag: inspected })
  site.proxy = (ask, response) => send(response, answer('Yes [2].', { receipt: receiptOf(ask.sections) }))
  const { page, errors, violations } = await arriveAndOpen({ viewport: { width: 1280, height: 800 } })
  await ask(page, 'Can I get a refund?')
  const rows = page.locator('pinpack-inspector [data-part="sent"]')
  expect(await rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.id))).toEqual([
    '0',
    '1',
    '4',
    '6',
    '2',
  ])
  expect(await rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.why))).toEqual([
    'pinned',
    'pinned',
    'scored',
    'scored',
    'floor',
  ])
  expect(await page.locator('pinpack-inspector [data-segment="free"]').getAttribute('data-tokens')).toBe('300')
  expect(await page.locator('pinpack-inspector [data-part="receipt"]').getAttribute('data-state')).toBe('match')

  await rows.nth(2).locator('summary').click()
  expect(await rows.nth(2).locator('[data-part="score"] code').allTextContents()).toEqual(['can', 'refund'])
  await page.locator('pinpack-inspector [data-part="prompt"] summary').click()
  const prompt = page.locator('pinpack-inspector [data-part="prompt"] pre')
  await expect.poll(() => prompt.textContent()).not.toBe('')
  expect(await prompt.textContent()).toContain(
    '<passage id="3" title="Refund policy">\nYou can ask for a refund within 30 days.',
  )
  expect(await prompt.textContent()).toContain(
    '<passage id="1" title="Never promise a refund">\n(30 tokens: this rule is not public)',
  )
  expect(await prompt.textContent()).toMatch(/\[user\]\nCan I get a refund\?\n$/)

  site.proxy = (_, response) => send(response, answer('Yes [2].', { receipt: RECEIPT }))
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-inspector [data-part="receipt"]').getAttribute('data-state')).toBe('mismatch')
  expect(await page.locator('pinpack-inspector [data-part="receipt-problem"]').count()).toBeGreaterThan(0)
  expect(errors).toEqual([])
  expect(await violations()).toEqual([])
})

test('explains what is being typed, before it is sent', async () => {
  const inspected = '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-inspect></script>'
  sitePage(site, { tag: inspected })
  const { page } = await arriveAndOpen({ viewport: { width: 1280, height: 800 } })
  const scored = page.locator('pinpack-inspector [data-part="sent"][data-why="scored"]')
  const ids = () => scored.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.id))
  await page.locator('pinpack-chat textarea').pressSequentially('repairs')
  await expect.poll(ids).toEqual(['6'])
  await page.locator('pinpack-chat textarea').pressSequentially(' shipping')
  await expect.poll(ids).toEqual(['5', '6'])
  expect(site.asked).toEqual([])
})

const TOKENS = [30, 120, 90, 60, 220, 180, 240, 760]
function receiptOf(ids: number[]) {
  const sections = [0, 1, ...ids].map((id) => ({
    id,
    ref: `${id}.md`,
    title: `Section ${id}`,
    url: `/s${id}`,
    tokens: TOKENS[id] ?? 0,
    pinned: id < 2,
  }))
  return { ...RECEIPT, sections, tokens: sections.reduce((sum, { tokens }) => sum + tokens, 0) }
}
