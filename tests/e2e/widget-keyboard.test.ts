/** The chat without a pointer and without eyes: what the keyboard reaches, what the accessibility tree says, how large things are. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { answer, ask, hostSite, openChat, send, shown, page as sitePage } from './widget-kit.ts'

const { site, arrive, arriveAndOpen } = hostSite()

/** What has the focus: the accessible name, or the text. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
    return active?.getAttribute('aria-label') ?? active?.textContent?.trim() ?? ''
  })
/** Presses until the focus is on what is called so; gives the names on the way. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<string[]> {
  const passed: string[] = []
  for (let press = 0; press < 30; press += 1) {
    await page.keyboard.press(key)
    passed.push(await focused(page))
    if (passed.at(-1) === name) return passed
  }
  throw new Error(`${name} was not reached: ${passed.join(', ')}`)
}
const isOpen = (page: Page) =>
  page.locator('pinpack-chat').evaluate((chat) => (chat as HTMLElement & { open: boolean }).open)

test('everything is done with the keyboard alone', async () => {
  site.proxy = (_, response) => send(response, answer('Yes [2].\n\n```sh\nnpm ci\n```'))
  sitePage(site, { body: '<a href="#x">First</a>' })
  const { page, errors } = await arrive()
  await tabTo(page, 'Open chat')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Ask a question…')
  await page.keyboard.type('Can I get a refund?')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [aria-label="Good answer"]').waitFor()
  expect(await focused(page)).toBe('Ask a question…')

  const back = await tabTo(page, 'Close chat', 'Shift+Tab')
  expect(back).toEqual([
    ...['Try again', 'Bad answer', 'Good answer', 'Copy answer', '2Refund policy/refunds', 'Code', 'Copy'],
    ...['Source 2: Refund policy', 'Conversation', 'Close chat'],
  ])
  await tabTo(page, 'Source 2: Refund policy')
  await page.locator('pinpack-chat [part="card"]').waitFor()
  await tabTo(page, 'Bad answer')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [part="reasons"]').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  expect(await page.locator('pinpack-chat input[type="radio"]:checked').getAttribute('value')).toBe('reasonWrong')
  await page.keyboard.press('ArrowDown')
  expect(await page.locator('pinpack-chat input[type="radio"]:checked').getAttribute('value')).toBe('reasonMissed')
  await tabTo(page, 'Send feedback')
  await page.keyboard.press('Enter')
  expect(await page.locator('pinpack-chat [part="reasons"]').count()).toBe(0)
  expect(await focused(page)).toBe('Bad answer')

  await tabTo(page, 'New chat', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Ask a question…')
  await page.keyboard.press('Escape')
  expect(await isOpen(page)).toBe(false)
  expect(await focused(page)).toBe('Open chat')
  expect(errors).toEqual([])
})

test('suggested questions are asked with the keyboard, and the focus is not lost', async () => {
  sitePage(site, {
    tag: '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-questions="Can I get a refund?|Hours?"></script>',
  })
  const { page } = await arriveAndOpen()
  await page.locator('pinpack-chat .question').first().focus()
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat .markdown').waitFor()
  expect(site.asked[0]?.messages.at(-1)?.content).toBe('Can I get a refund?')
  await expect.poll(() => focused(page)).toBe('Ask a question…')
})

test('stopping, asking again and rating leave the focus in the chat', async () => {
  site.proxy = (_, response) => send(response, answer('Half', { finish: false }), { end: false })
  const { page } = await arriveAndOpen()
  await page.keyboard.type('What?')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [data-status="streaming"]').waitFor()
  await tabTo(page, 'Stop')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [data-status="stopped"]').waitFor()
  await expect.poll(() => focused(page)).not.toBe('')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('PINPACK-CHAT')
  site.proxy = (_, response) => send(response, answer('Whole.'))
  await tabTo(page, 'Try again', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [data-status="done"]').waitFor()
  await page.waitForTimeout(100)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('PINPACK-CHAT')
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement !== null)).toBe(true)
})

test('the accessibility tree says what is where', async () => {
  site.proxy = (_, response) => send(response, answer('Yes [2].\n\n| Plan | Price |\n|---|---|\n| Basic | 12 |'))
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  const tree = await page.locator('pinpack-chat').ariaSnapshot()
  for (const line of [
    '- dialog "Ask Shop":',
    '- heading "Ask Shop" [level=2]',
    '- button "New chat"',
    '- button "Close chat"',
    '- region "Conversation":',
    '- listitem: You Can I get a refund?',
    `- 'link "Source 2: Refund policy"':`,
    '- region "Table":',
    '- columnheader "Plan"',
    '- cell "Basic"',
    '- group "Sources":',
    '- button "Copy answer"',
    '- button "Good answer"',
    '- textbox "Ask a question…"',
    '- button "Send" [disabled]',
    '- status: Yes . Plan, Price Basic, 12',
  ])
    expect(tree.split('\n').map((said) => said.trim())).toContain(line)
})

test('everything that can be pressed is at least 24 pixels each way', async () => {
  site.proxy = (_, response) => send(response, answer('Yes [2][3].\n\n```sh\nnpm ci\n```'))
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  await page.locator('pinpack-chat [aria-label="Bad answer"]').click()
  await page.locator('pinpack-chat [part="reasons"]').waitFor()
  await page.waitForTimeout(300)
  const small = await page.evaluate(() => {
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    const targets = [...root.querySelectorAll<HTMLElement>('button, .source, .chip, label, input:not([type="radio"])')]
    return targets
      .filter((target) => target.checkVisibility())
      .flatMap((target) => {
        target.scrollIntoView({ block: 'center' })
        const { left, top, width, height } = target.getBoundingClientRect()
        // A chip is drawn smaller than it can be hit.
        const reach = (dx: number, dy: number) =>
          target.contains(root.elementFromPoint(left + width / 2 + dx, top + height / 2 + dy) as Node)
        const hit = [reach(0, -11.5), reach(0, 11.5), reach(-11.5, 0), reach(11.5, 0)].every(Boolean)
        return hit || (width >= 24 && height >= 24) ? [] : [`${target.className || target.tagName} ${width}×${height}`]
      })
  })
  expect(small).toEqual([])
})

test('at 400% zoom of a small screen nothing is cut off and nothing scrolls sideways', async () => {
  site.proxy = (_, response) =>
    send(
      response,
      answer('Yes, within **30 days** of the purchase [2].\n\n```sh\nnpm ci --ignore-scripts --no-audit\n```'),
    )
  const { page } = await arriveAndOpen({ viewport: { width: 320, height: 256 } })
  await ask(page, 'Can I get a refund?')
  await page.waitForTimeout(300)
  const look = await page.evaluate(() => {
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    const log = root.querySelector('.log') as HTMLElement
    const boxes = [...root.querySelectorAll('button, textarea, h2')]
      .filter((node) => node.checkVisibility() && !log.contains(node))
      .map((node) => node.getBoundingClientRect())
    return {
      sideways: [log.scrollWidth - log.clientWidth, document.documentElement.scrollWidth - innerWidth],
      outside: boxes.filter(
        ({ left, right, top, bottom }) => left < 0 || right > innerWidth || top < 0 || bottom > innerHeight,
      ).length,
      room: log.clientHeight,
    }
  })
  expect(look.sideways).toEqual([0, 0])
  expect(look.outside).toBe(0)
  expect(look.room).toBeGreaterThan(90)
})

test('a visitor’s own text spacing fits', async () => {
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }',
    )
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  })
  const clipped = await page.evaluate(() => {
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    return [...root.querySelectorAll<HTMLElement>('.markdown, .name, .actions, .bubble')]
      .filter((node) => node.scrollWidth > node.clientWidth + 1)
      .map((node) => node.className)
  })
  expect(clipped).toEqual([])
})

test('messages take the direction of their own language', async () => {
  site.proxy = (_, response) => send(response, answer('نعم، خلال 30 يومًا [2].'))
  const { page } = await arriveAndOpen()
  await ask(page, 'هل يمكنني استرداد المال؟')
  const directions = await page
    .locator('pinpack-chat [part="question"], pinpack-chat .markdown')
    .evaluateAll((all) => all.map((node) => getComputedStyle(node).direction))
  expect(directions).toEqual(['rtl', 'rtl'])
  expect(await page.locator('pinpack-chat .chat').evaluate((node) => getComputedStyle(node).direction)).toBe('ltr')
  await page.locator('pinpack-chat textarea').fill('مرحبا')
  expect(await page.locator('pinpack-chat textarea').evaluate((node) => getComputedStyle(node).direction)).toBe('rtl')
})

test('an answer drawn as it came is the same as one drawn at once', async () => {
  const text =
    'Here is **bold** and `code` [2]:\n\n```js\nlet x = 1\n```\n1. one\n2. two\n   - three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSee [docs](https://shop.example/a).'
  site.proxy = (_, response) => send(response, answer(text, { size: 1 }), { delay: 1 })
  const { page } = await arriveAndOpen()
  await ask(page, 'Tell me')
  await page.locator('pinpack-chat [id^="quote-"]').waitFor({ state: 'attached' })
  const drawn = () =>
    page
      .locator('pinpack-chat .markdown')
      .evaluate((node) => node.innerHTML.replace(/<!--[\s\S]*?-->/g, '').replace(/lit\$\d+\$/g, ''))
  const streamed = await drawn()
  await page.reload()
  await openChat(page)
  await page.locator('pinpack-chat .markdown').waitFor()
  expect(await drawn()).toBe(streamed)
  expect(await shown(page.locator('pinpack-chat .markdown h3, pinpack-chat .markdown li').first())).toContain('one')
})
