/** The panel as a part of the page, several chats on one page, and what is printed. */

import { expect, test } from 'vitest'
import { problems } from './axe.ts'
import { answer, ask, ended, hostSite, openChat, send, shown, page as sitePage } from './widget-kit.ts'

const { site, arrive } = hostSite()

const TAG = '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-name="Shop"></script>'
const inline = (body: string) => sitePage(site, { body, tag: TAG })

test('stands in the page without a button, and answers there', async () => {
  inline('<main><h1>Ask</h1><pinpack-chat mode="inline"></pinpack-chat><p id="after">After it.</p></main>')
  const { page, errors, violations } = await arrive()
  const chat = page.locator('pinpack-chat')
  await ask(page, 'Can I get a refund?')
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('Yes2.')
  expect(await page.locator('pinpack-chat .launcher').count()).toBe(0)
  expect(await page.locator('pinpack-chat dialog').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Close chat' }).count()).toBe(0)
  const [box, after] = [await chat.boundingBox(), await page.locator('#after').boundingBox()]
  expect(box?.height).toBe(640)
  expect(box && after && after.y >= box.y + box.height).toBe(true)
  await page.keyboard.press('Escape')
  expect(await page.locator('pinpack-chat textarea').isVisible()).toBe(true)
  expect(errors).toEqual([])
  expect(await violations()).toEqual([])
})

test('is loaded when it comes near, and searches when the visitor goes in', async () => {
  site.files.set('/far.css', { type: 'text/css', body: 'div{block-size:4000px}' })
  sitePage(site, {
    head: '<link rel="stylesheet" href="/far.css">',
    body: '<div></div><pinpack-chat mode="inline"></pinpack-chat>',
    tag: TAG,
  })
  const { page } = await arrive()
  await page.waitForTimeout(300)
  const loaded = () => site.paths.some((path) => path.includes('pinpack-widget'))
  expect(loaded()).toBe(false)
  await page.locator('pinpack-chat').scrollIntoViewIfNeeded()
  await expect.poll(loaded).toBe(true)
  await page.locator('pinpack-chat textarea').waitFor()
  const opened = () => page.evaluate(() => (window as never as { standIn: { opened: number } }).standIn.opened)
  expect(await opened()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await page.locator('pinpack-chat textarea').focus()
  await expect.poll(opened).toBe(1)
})

test('on a phone it stays in the page, no wider than its place', async () => {
  inline('<main><pinpack-chat mode="inline"></pinpack-chat></main>')
  const { page } = await arrive({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
  await ask(page, 'Can I get a refund?')
  const [place, panel] = [
    await page.locator('main').boundingBox(),
    await page.locator('pinpack-chat [part="panel"]').boundingBox(),
  ]
  expect(panel).toEqual({ ...place, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})

test('fills the window as a page of its own', async () => {
  inline('<pinpack-chat mode="page"></pinpack-chat>')
  site.files.set('/host.css', { type: 'text/css', body: 'body{margin:0}' })
  const { page } = await arrive({ viewport: { width: 1300, height: 700 } })
  await page.locator('pinpack-chat textarea').waitFor()
  const box = await page.locator('pinpack-chat [part="panel"]').boundingBox()
  expect(box?.height).toBe(700)
  const column = await page.locator('pinpack-chat .column').first().boundingBox()
  expect(column?.width).toBe(736)
})

test.each(['light', 'dark'] as const)('axe finds nothing in a panel of the page (%s)', async (colorScheme) => {
  site.csp = ''
  inline('<main><h1>Ask</h1><pinpack-chat mode="inline"></pinpack-chat></main>')
  const { page } = await arrive({ colorScheme })
  await ask(page, 'Can I get a refund?')
  expect(await problems(page)).toEqual([])
})

test('a page may hold several: each has its own conversation', async () => {
  inline(
    '<pinpack-chat mode="inline" id="one" base="/one/"></pinpack-chat><pinpack-chat mode="inline" id="two" base="/two/"></pinpack-chat>',
  )
  const { page, errors } = await arrive({ viewport: { width: 1200, height: 1500 } })
  for (const [id, text] of [
    ['one', 'First answer.'],
    ['two', 'Second answer.'],
  ] as const) {
    site.proxy = (_, response) => send(response, answer(text))
    const chat = page.locator(`#${id}`)
    await chat.locator('textarea').fill(`Question of ${id}`)
    await page.keyboard.press('Enter')
    await chat.locator('[data-role="assistant"] [aria-busy="false"]').waitFor()
  }
  expect(await shown(page.locator('#one .markdown'))).toBe('First answer.')
  expect(await shown(page.locator('#two .markdown'))).toBe('Second answer.')
  expect(await page.locator('#one .entry').count()).toBe(2)
  await page.reload()
  await page.locator('#two .markdown').waitFor()
  expect(await shown(page.locator('#one .markdown'))).toBe('First answer.')
  expect(errors).toEqual([])
})

test('prints the conversation of a panel of the page, whole, and nothing of a floating one', async () => {
  inline('<main><h1>Ask</h1><pinpack-chat mode="inline"></pinpack-chat></main>')
  const part = await arrive()
  site.proxy = (_, response) => send(response, answer(Array.from({ length: 60 }, (_, n) => `Line ${n}.`).join('\n\n')))
  await ask(part.page, 'Tell me')
  await part.page.emulateMedia({ media: 'print' })
  const heights = await part.page.locator('pinpack-chat .log').evaluate((log) => [log.clientHeight, log.scrollHeight])
  expect(heights[0]).toBe(heights[1])
  expect(await part.page.locator('pinpack-chat textarea').isVisible()).toBe(false)

  sitePage(site, { tag: TAG })
  const floating = await arrive()
  await openChat(floating.page)
  await floating.page.emulateMedia({ media: 'print' })
  expect(await floating.page.locator('pinpack-chat').isVisible()).toBe(false)
  await floating.page.emulateMedia({ media: 'screen' })
  await floating.page.locator('pinpack-chat textarea').fill('Still there')
  await floating.page.keyboard.press('Enter')
  await ended(floating.page)
})
