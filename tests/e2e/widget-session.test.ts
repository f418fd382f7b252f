/** A long conversation: what it leaves in the page's memory, and that each message costs as much as the first. */

import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { answer, ask, hostSite, openChat, send } from './widget-kit.ts'

const { site, arriveAndOpen } = hostSite()

const TEXT = 'Yes, within **30 days** [2].\n\n1. One\n2. Two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nnpm ci\n```'

interface Kept {
  nodes: number
  listeners: number
  heap: number
}

async function kept(session: CDPSession): Promise<Kept> {
  for (let turn = 0; turn < 3; turn += 1) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  return { nodes: of('Nodes'), listeners: of('JSEventListeners'), heap: of('JSHeapUsedSize') }
}

/** Asks by the element's method: what is typed stays in the browser's undo history, two nodes a question. */
async function askQuietly(page: Page, messages: number): Promise<void> {
  for (let turn = 0; turn < messages / 2; turn += 1) {
    await page.evaluate(
      (turn) =>
        (document.querySelector('pinpack-chat') as unknown as { ask(text: string): Promise<void> }).ask(
          `Can I get a refund, ${turn}?`,
        ),
      turn,
    )
    await page.waitForTimeout(20)
  }
}

async function converse(page: Page, messages: number): Promise<void> {
  for (let turn = 0; turn < messages / 2; turn += 1) await ask(page, `Can I get a refund, ${turn}?`)
}

test('100 messages and a new chat leave no more behind than 20 do', async () => {
  site.proxy = (_, response) => send(response, answer(TEXT, { size: 20 }))
  const { page, errors } = await arriveAndOpen()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const fresh = page.locator('pinpack-chat [aria-label="New chat"]')
  await askQuietly(page, 20)
  await fresh.click()
  const before = await kept(session)
  await askQuietly(page, 100)
  expect(await page.locator('pinpack-chat .entry').count()).toBe(100)
  await fresh.click()
  const after = await kept(session)
  // Some room for what the browser keeps of its own: a leak of one node a message would be 100.
  expect(after.nodes - before.nodes).toBeLessThan(60)
  expect(after.listeners - before.listeners).toBeLessThan(20)
  expect(after.heap).toBeLessThan(before.heap * 1.15)
  expect(errors).toEqual([])
})

test('sends the last 12 messages, however long the conversation is, and keeps the last 60 entries', async () => {
  site.proxy = (_, response) => send(response, answer('Yes [2].', { size: 20 }))
  const { page } = await arriveAndOpen()
  await converse(page, 70)
  expect(Math.max(...site.asked.map(({ messages }) => messages.length))).toBe(12)
  await page.reload()
  await openChat(page)
  await expect.poll(() => page.locator('pinpack-chat .entry').count()).toBe(60)
  const first = await page.locator('pinpack-chat [part="question"]').first().textContent()
  expect(first).toBe('Can I get a refund, 5?')
  const log = page.locator('pinpack-chat .log')
  await expect
    .poll(() => log.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight))
    .toBeLessThan(2)
})

test('an entry that has not changed is not drawn again', async () => {
  site.proxy = (_, response) => send(response, answer(TEXT, { size: 20 }))
  const { page } = await arriveAndOpen()
  await converse(page, 10)
  await page.evaluate(() => {
    const changed: number[] = []
    Object.assign(window, { changed })
    const list = document.querySelector('pinpack-chat')?.shadowRoot?.querySelector('.log ol') as Element
    const entries = [...list.children]
    new MutationObserver((records) => {
      for (const { target } of records) {
        const at = entries.findIndex((entry) => entry.contains(target))
        if (at >= 0) changed.push(at)
      }
    }).observe(list, { childList: true, characterData: true, attributes: true, subtree: true })
  })
  await ask(page, 'One more?')
  const changed = await page.evaluate(() => [...new Set((window as never as { changed: number[] }).changed)])
  // The last answer loses its "Try again"; those before it stay as they are.
  expect(changed.filter((at) => at < 9)).toEqual([])
})
