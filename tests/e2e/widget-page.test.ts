/** The widget among the things of a page: policies, other scripts, host styles, keys, focus, scrolling, screen readers. */

import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { answer, ask, ended, hostSite, openChat, refuse, send, shown, page as sitePage, TAG } from './widget-kit.ts'

const { site, arrive, arriveAndOpen } = hostSite()

const input = (page: Page) => page.locator('pinpack-chat textarea')
const styleOf = (element: Locator, name: string) =>
  element.evaluate((node, key) => getComputedStyle(node).getPropertyValue(key), name)
const focusIn = (page: Page) =>
  page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className ?? document.activeElement?.tagName)

test('loads the widget at the first intent, and nothing but the launcher before', async () => {
  sitePage(site, { engine: false })
  const { page } = await arrive()
  await page.waitForTimeout(200)
  const scripts = () => site.paths.filter((path) => path.startsWith('/pinpack/'))
  expect(scripts().map((path) => path.replace(/-[A-Z\d]{8}/, ''))).toEqual([
    '/pinpack/pinpack.js',
    '/pinpack/pinpack-launcher.js',
  ])
  await page.locator('pinpack-chat .launcher').hover()
  await expect.poll(() => scripts().some((path) => path.includes('pinpack-widget'))).toBe(true)
})

test('keeps within a strict policy: no violation from opening to closing, and the launcher keeps its place', async () => {
  const { page, violations, errors } = await arrive()
  const before = await page.locator('pinpack-chat .launcher').boundingBox()
  await openChat(page)
  await ask(page, 'Can I get a refund?')
  await page.keyboard.press('Escape')
  const launcher = page.locator('pinpack-chat .launcher')
  await launcher.waitFor()
  await page.mouse.move(0, 0)
  await page.waitForTimeout(300)
  expect(await styleOf(launcher, 'position')).toBe('fixed')
  expect(await launcher.boundingBox()).toEqual(before)
  expect(await violations()).toEqual([])
  expect(errors).toEqual([])
})

test.each([
  ['wasm-blocked', 'this page may not run WebAssembly\nadd wasm-unsafe-eval to script-src'],
  ['wasm-failed', 'the search engine did not start'],
  ['got-html', 'got HTML instead of the file'],
  ['blob-format', 'is format 3'],
])('asks without sections when the engine says %s, and tells the owner once', async (code, message) => {
  site.files.set('/pinpack/pinpack.json', {
    type: 'application/json',
    body: '{"hash":"feedfeedfeedfeedfeedfeedfeedfeed"}',
  })
  const { page, errors, console: said } = await arrive()
  await page.evaluate((fails) => Object.assign((window as never as { standIn: object }).standIn, { fails }), {
    code,
    message,
  })
  await openChat(page)
  await ask(page, 'Can I get a refund?')
  await ask(page, 'And again?')
  expect(site.asked[0]).toEqual({
    hash: 'feedfeedfeedfeedfeedfeedfeedfeed',
    messages: [{ role: 'user', content: 'Can I get a refund?' }],
  })
  expect(await shown(page.locator('pinpack-chat .markdown').last())).toBe('Yes2.')
  expect(said.filter((line) => line.includes(`[${code}]`))).toHaveLength(1)
  if (code === 'wasm-blocked') expect(said.join()).toContain('wasm-unsafe-eval')
  expect(errors).toEqual([])
})

test('says that search is off when there is no endpoint either', async () => {
  sitePage(site, { tag: '<script type="module" src="/pinpack/pinpack.js"></script>' })
  const { page } = await arrive()
  const fails = { code: 'wasm-blocked', message: 'no' }
  await page.evaluate(
    (value) => Object.assign((window as never as { standIn: object }).standIn, { fails: value }),
    fails,
  )
  await openChat(page)
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-chat [part="notice"]').getAttribute('data-code')).toBe('search-off')
  expect(await input(page).isEnabled()).toBe(true)
})

test('quotes the site without an endpoint, and says so', async () => {
  sitePage(site, { tag: '<script type="module" src="/pinpack/pinpack.js"></script>' })
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  expect(await shown(page.locator('pinpack-chat .note'))).toMatch(/word for word/)
  expect(await shown(page.locator('pinpack-chat blockquote').first())).toBe('You can ask for a refund within 30 days.1')
  expect(await page.locator('pinpack-chat .source').first().getAttribute('href')).toBe(`${site.origin}/refunds#policy`)
  expect(site.asked).toEqual([])
})

test.each([503, 500, 404])('quotes the site when the proxy answers %i', async (status) => {
  site.proxy = (_, response) => refuse(response, status, { code: 'unavailable', message: 'x' })
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  expect(await shown(page.locator('pinpack-chat .note'))).toMatch(/not available/)
  expect(await page.locator('pinpack-chat blockquote').count()).toBeGreaterThan(0)
})

test('names the contact when the site holds no answer', async () => {
  sitePage(site, { tag: '<script type="module" src="/pinpack/pinpack.js" data-contact="help@shop.example"></script>' })
  const { page } = await arriveAndOpen()
  await ask(page, 'Xylophone?')
  expect(await page.locator('pinpack-chat [data-kind="nothing"] a').getAttribute('href')).toBe(
    'mailto:help@shop.example',
  )
})

test('loads several times, classic and module, without harm, and survives a swapped body', async () => {
  const tag = '<script async src="/pinpack/pinpack.js"></script><script defer src="/pinpack/pinpack.js?2"></script>'
  sitePage(site, { tag: tag + TAG, engine: false })
  const { page, errors } = await arrive()
  await page.waitForTimeout(300)
  expect(await page.locator('pinpack-chat').count()).toBe(1)
  expect(await page.locator('pinpack-chat .launcher').count()).toBe(1)
  await openChat(page)
  await ask(page, 'Can I get a refund?')

  await page.evaluate(() => {
    const body = document.createElement('body')
    body.innerHTML = '<h1>Another page</h1>'
    document.documentElement.replaceChild(body, document.body)
  })
  await page.locator('pinpack-chat').waitFor({ state: 'attached' })
  expect(await page.locator('pinpack-chat').count()).toBe(1)
  expect(await page.locator('pinpack-chat .launcher').count()).toBe(1)
  expect(await page.locator('pinpack-chat .entry').count()).toBe(2)
  expect(errors).toEqual([])
})

test('uses the element that the page has, and reads options wherever its script stands', async () => {
  const tag =
    '<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-contact="a@b.example"></script>'
  sitePage(site, { body: '<pinpack-chat name="Mine"></pinpack-chat>', tag: '', head: tag, engine: false })
  const { page } = await arrive()
  const chat = page.locator('pinpack-chat')
  expect(await chat.count()).toBe(1)
  expect(await chat.getAttribute('name')).toBe('Mine')
  expect(await chat.getAttribute('endpoint')).toBe('/api/chat')
  expect(await chat.getAttribute('base')).toBe(`${site.origin}/pinpack/`)
})

test('sends on Enter once, not while an input method is composing, and breaks lines with Shift', async () => {
  const { page } = await arriveAndOpen()
  await input(page).fill('こんにちは')
  const key = (init: object) =>
    input(page).evaluate((node, value) => {
      const always = { key: 'Enter', bubbles: true, composed: true, cancelable: true }
      node.dispatchEvent(new KeyboardEvent('keydown', { ...always, ...JSON.parse(value) }))
    }, JSON.stringify(init))
  await key({ isComposing: true })
  await key({ keyCode: 229 })
  expect(site.asked).toHaveLength(0)
  await page.keyboard.press('Shift+Enter')
  expect(await input(page).inputValue()).toBe('こんにちは\n')
  await key({ keyCode: 13 })
  await ended(page)
  expect(site.asked.map(({ messages }) => messages.at(-1)?.content)).toEqual(['こんにちは'])
})

test('keeps typed keys from the page, and closes on Escape alone', async () => {
  const { page } = await arrive()
  await page.evaluate(() => {
    const keys: string[] = []
    Object.assign(window, { keys })
    document.addEventListener('keydown', (event) => {
      keys.push(event.key)
      if (event.key === '/') event.preventDefault()
    })
  })
  await openChat(page)
  await page.keyboard.type('/s e')
  expect(await input(page).inputValue()).toBe('/s e')
  await page.keyboard.press('Escape')
  expect(await page.locator('pinpack-chat').getAttribute('open')).toBe(null)
  expect(await page.evaluate(() => (window as never as { keys: string[] }).keys)).toEqual([])
})

test('moves the focus in and gives it back', async () => {
  sitePage(site, { body: '<button id="mine">Ask</button>' })
  const { page } = await arriveAndOpen()
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName)).toBe('TEXTAREA')
  await page.keyboard.press('Escape')
  expect(await focusIn(page)).toBe('launcher')

  const show = () => (document.querySelector('pinpack-chat') as HTMLElement & { show(): void }).show()
  await page.locator('#mine').focus()
  await page.evaluate(show)
  await input(page).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('mine')

  await page.evaluate(show)
  await input(page).waitFor()
  await page.evaluate(() => document.querySelector('#mine')?.remove())
  await page.keyboard.press('Escape')
  expect(await focusIn(page)).toBe('launcher')
})

test('keeps the focus inside the sheet of a phone, and lets it leave the panel of a desktop', async () => {
  const phone = await arriveAndOpen({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let press = 0; press < 15; press += 1) {
      await phone.page.keyboard.press(key)
      expect(await phone.page.evaluate(() => document.activeElement?.tagName)).toBe('PINPACK-CHAT')
    }
  }
  const desktop = await arriveAndOpen()
  const seen = new Set<string | undefined>()
  for (let press = 0; press < 8; press += 1) {
    await desktop.page.keyboard.press('Tab')
    seen.add(await desktop.page.evaluate(() => document.activeElement?.tagName))
  }
  expect(seen.size).toBeGreaterThan(1)
})

test.each([true, false])('the field grows with its text up to six lines (sized by the browser: %s)', async (own) => {
  const { page } = await arriveAndOpen()
  await page.evaluate((supported) => {
    if (supported) return
    const { supports } = CSS
    CSS.supports = (...given: string[]) => given[0] !== 'field-sizing' && Reflect.apply(supports, CSS, given)
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('textarea { field-sizing: fixed !important }')
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  }, own)
  const height = async (text: string) => {
    await input(page).fill(text)
    await page.waitForTimeout(50)
    return input(page).evaluate((field) => (field as HTMLElement).offsetHeight)
  }
  const one = await height('One line')
  expect(one).toBe(34)
  expect(await height('One\nTwo\nThree')).toBe(one + 48)
  expect(await height('Line\n'.repeat(30))).toBe(154)
  expect(await height('')).toBe(one)
})

test('fills a phone, with an input that iOS does not zoom', async () => {
  sitePage(site, { head: '<link rel="stylesheet" href="/host.css">' })
  site.files.set('/host.css', { type: 'text/css', body: 'html{font-size:62.5%}' })
  const { page } = await arriveAndOpen({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.waitForTimeout(400)
  expect(await styleOf(input(page), 'font-size')).toBe('16px')
  expect(await page.locator('pinpack-chat dialog').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  expect(await page.locator('meta[name="viewport"]').getAttribute('content')).not.toMatch(/maximum-scale|user-scalable/)
})

test('stays clear of a touch keyboard that lies over the page', async () => {
  const { page } = await arriveAndOpen({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.waitForTimeout(400)
  const keyboard = (height: number, offsetTop: number, scale = 1) =>
    page.evaluate(
      (seen) => {
        const viewport = visualViewport as VisualViewport
        for (const [name, value] of Object.entries(seen))
          Object.defineProperty(viewport, name, { value, configurable: true })
        viewport.dispatchEvent(new Event('resize'))
      },
      { height, offsetTop, scale },
    )
  const sheet = () => page.locator('pinpack-chat dialog').boundingBox()
  await keyboard(500, 60)
  expect(await sheet()).toEqual({ x: 0, y: 60, width: 390, height: 500 })
  const composer = await page.locator('pinpack-chat .composer').boundingBox()
  expect(composer && composer.y + composer.height).toBeLessThanOrEqual(560)
  await keyboard(422, 100, 2)
  expect(await sheet()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await keyboard(844, 0)
  expect(await sheet()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
})

test('is not touched by the styles of the page', async () => {
  sitePage(site, { head: '<link rel="stylesheet" href="/host.css">' })
  const body =
    'color:#fff;letter-spacing:4px;text-transform:uppercase;line-height:3;text-align:center;cursor:wait;visibility:hidden'
  site.files.set('/host.css', {
    type: 'text/css',
    body: `html{font-size:62.5%} body{${body}} *{box-sizing:content-box;letter-spacing:4px;color:#fff;text-transform:uppercase} button,textarea,h2{display:none;all:unset}`,
  })
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  const text = page.locator('pinpack-chat .markdown p')
  const found = await text.evaluate((node) => {
    const { fontSize, letterSpacing, textTransform, textAlign, visibility, color, cursor } = getComputedStyle(node)
    return { fontSize, letterSpacing, textTransform, textAlign, visibility, color, cursor }
  })
  expect(found).toEqual({
    fontSize: '15px',
    letterSpacing: 'normal',
    textTransform: 'none',
    textAlign: 'start',
    visibility: 'visible',
    color: 'rgb(25, 28, 36)',
    cursor: 'auto',
  })
})

test('follows the text only while the visitor is at its end', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => ({
    type: 'text-delta',
    id: '1',
    delta: `Line ${index} of it.\n\n`,
  }))
  let go = () => {}
  const wait = new Promise<void>((resolve) => {
    go = resolve
  })
  site.proxy = async (_, response) => {
    await send(response, [{ type: 'start' }, { type: 'text-start', id: '1' }, ...lines.slice(0, 50)], {
      end: false,
      delay: 2,
    })
    await wait
    await send(response, [...lines.slice(50), { type: 'finish' }], { delay: 2 })
  }
  const { page } = await arriveAndOpen()
  await input(page).fill('Tell me')
  await page.keyboard.press('Enter')
  const log = page.locator('pinpack-chat .log')
  const distance = () => log.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight)
  await page.getByText('Line 49 of it.').waitFor()
  await expect.poll(distance).toBeLessThan(2)
  const at = await log.evaluate((node) => {
    node.scrollTop -= 300
    return node.scrollTop
  })
  go()
  await page.getByText('Line 120 of it.').waitFor()
  expect(Math.abs((await log.evaluate((node) => node.scrollTop)) - at)).toBeLessThanOrEqual(1)
  await page.locator('pinpack-chat .latest').click()
  await ended(page)
  expect(await distance()).toBeLessThan(2)
  await log.evaluate((node) => {
    node.scrollTop = 0
  })
  site.proxy = (_, response) => send(response, answer('Done.'))
  await ask(page, 'More')
  expect(await distance()).toBeLessThan(2)
})

test('announces that it answers, then the whole answer once', async () => {
  const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
  site.proxy = (_, response) => send(response, answer(`**All** ${words} [2]`), { delay: 1 })
  const { page } = await arriveAndOpen()
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    const status = document.querySelector('pinpack-chat')?.shadowRoot?.querySelector('[role="status"]') as HTMLElement
    new MutationObserver(() => said.push(status.textContent ?? '')).observe(status, {
      childList: true,
      characterData: true,
      subtree: true,
    })
  })
  await ask(page, 'Tell me')
  await page.waitForTimeout(100)
  const said = await page.evaluate(() => (window as never as { said: string[] }).said)
  expect(said).toEqual(['Answering…', `All ${words} `])
  const live = await page.evaluate(() => {
    const answer = document.querySelector('pinpack-chat')?.shadowRoot?.querySelector('.markdown')
    return answer?.closest('[aria-live], [role="log"], [role="status"], [role="alert"]') ?? null
  })
  expect(live).toBe(null)
})

test.each([
  ['light', 'dark', 'rgb(255, 255, 255)'],
  ['dark', 'light', 'rgb(21, 23, 28)'],
  ['auto', 'dark', 'rgb(21, 23, 28)'],
  ['auto', 'light', 'rgb(255, 255, 255)'],
] as const)('is %s by its attribute where the system is %s', async (theme, colorScheme, background) => {
  sitePage(site, { tag: TAG.replace('data-name', `data-theme="${theme}" data-name`) })
  const { page } = await arriveAndOpen({ colorScheme })
  expect(await styleOf(page.locator('pinpack-chat [part="panel"]'), 'background-color')).toBe(background)
})

test('the button’s style sheet styles nothing of the panel, in any of its states', async () => {
  const { page } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  site.proxy = (_, response) => refuse(response, 503, { code: 'unavailable', message: 'x' })
  await ask(page, 'Can I get a refund?')
  await page.locator('pinpack-chat [aria-label="Bad answer"]').last().click()
  await page.locator('pinpack-chat [part="reasons"]').waitFor()
  const styled = await page.evaluate(() => {
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    const rulesOf = (sheet: CSSStyleSheet) => [...sheet.cssRules].filter((rule) => rule instanceof CSSStyleRule)
    const sheet = root.adoptedStyleSheets.find((one) =>
      rulesOf(one).some(({ selectorText }) => selectorText === '.launcher'),
    )
    const selectors = rulesOf(sheet as CSSStyleSheet).map(({ selectorText }) => selectorText)
    const panel = root.querySelector('dialog') as HTMLElement
    return selectors.filter((selector) => !selector.includes(':host') && panel.querySelector(selector))
  })
  expect(styled).toEqual([])
})

test('takes its looks from the page’s custom properties and parts', async () => {
  sitePage(site, { head: '<link rel="stylesheet" href="/own.css">' })
  site.files.set('/own.css', {
    type: 'text/css',
    body: `:root{--pinpack-accent:#0d6b52;--pinpack-radius:4px;--pinpack-width:360px;--pinpack-font:monospace;--pinpack-z-index:7}
pinpack-chat::part(launcher){inset-block-end:88px} pinpack-chat::part(question){font-style:italic}`,
  })
  const { page } = await arrive()
  const launcher = page.locator('pinpack-chat .launcher')
  expect(await styleOf(launcher, 'background-color')).toBe('rgb(13, 107, 82)')
  expect(await styleOf(launcher, 'bottom')).toBe('88px')
  await openChat(page)
  await ask(page, 'Can I get a refund?')
  const panel = page.locator('pinpack-chat [part="panel"]')
  expect([
    await styleOf(panel, 'border-top-left-radius'),
    await styleOf(panel, 'width'),
    await styleOf(panel, 'z-index'),
  ]).toEqual([...['4px', '360px', '7']])
  expect(await styleOf(panel, 'font-family')).toBe('monospace')
  expect(await styleOf(page.locator('pinpack-chat [part="question"]'), 'font-style')).toBe('italic')
})

test('speaks the language of the page', async () => {
  sitePage(site, { lang: 'de-AT' })
  const german = await arrive()
  expect(await german.page.locator('pinpack-chat .launcher').getAttribute('aria-label')).toBe('Chat öffnen')
  await openChat(german.page)
  await german.page.getByText('Wie kann ich helfen?').waitFor()

  sitePage(site, { lang: 'ar' })
  const arabic = await arriveAndOpen()
  await arabic.page.getByText('كيف يمكنني مساعدتك؟').waitFor()
  expect(await styleOf(arabic.page.locator('pinpack-chat .chat'), 'direction')).toBe('rtl')
})
