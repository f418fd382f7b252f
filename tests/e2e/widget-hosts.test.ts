/** Kinds of pages that the chat has to live in: strict policies, routers, the browser's page cache, no connection, forced colors. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { answer, ask, CSP, ended, hostSite, openChat, send, shown, page as sitePage, TAG } from './widget-kit.ts'

const { site, arrive, arriveAndOpen } = hostSite()

const chats = (page: Page) => page.locator('pinpack-chat').count()
const launchers = (page: Page) => page.locator('pinpack-chat .launcher').count()

test('keeps within Trusted Types: only the policy lit-html is made', async () => {
  site.csp = `${CSP}; require-trusted-types-for 'script'; trusted-types lit-html`
  const { page, errors, violations } = await arriveAndOpen()
  site.proxy = (_, response) => send(response, answer('**Yes** [2].\n\n```js\nlet x\n```\n\n| a |\n|---|\n| b |'))
  await ask(page, 'Can I get a refund?')
  await page.locator('pinpack-chat .chip').hover()
  await page.locator('pinpack-chat [part="card"]').waitFor()
  await page.keyboard.press('Escape')
  expect(errors).toEqual([])
  expect(await violations()).toEqual([])
})

test('works in a page of the strictest policy that lets its own files in', async () => {
  site.csp =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  const { page, errors, violations } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  await page.locator('pinpack-chat [aria-label="Bad answer"]').click()
  await page.getByRole('button', { name: 'Send feedback' }).click()
  expect(errors).toEqual([])
  // The browser asks for the page's icon by itself.
  expect((await violations()).filter((line) => !line.includes('favicon'))).toEqual([])
})

/** What a router does to the page, for each of those that sites use. */
const ROUTERS: Record<string, () => Promise<void> | void> = {
  'Turbo, which puts another body in place': () => {
    const body = document.createElement('body')
    body.innerHTML = '<main><h1>Next</h1></main>'
    document.documentElement.replaceChild(body, document.body)
  },
  'htmx, which swaps what the body holds': () => {
    document.body.innerHTML = '<main><h1>Next</h1></main>'
  },
  'a view transition, which swaps all children at once': async () => {
    const swap = () =>
      document.body.replaceChildren(Object.assign(document.createElement('h1'), { textContent: 'Next' }))
    await (
      document as never as { startViewTransition(act: () => void): { finished: Promise<void> } }
    ).startViewTransition(swap).finished
  },
  'Astro, which replaces the root element’s children': () => {
    const next = new DOMParser().parseFromString('<body><h1>Next</h1></body>', 'text/html')
    document.body.replaceWith(next.body)
  },
}

test.each(Object.entries(ROUTERS))('stays, open and with its conversation, through %s', async (_, swap) => {
  sitePage(site, { engine: false })
  const { page, errors } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  for (let turn = 0; turn < 3; turn += 1) {
    await page.evaluate(swap)
    await page.locator('pinpack-chat textarea').waitFor()
    expect([await chats(page), await launchers(page)]).toEqual([1, 1])
  }
  expect(await page.locator('pinpack-chat .entry').count()).toBe(2)
  await ask(page, 'And again?')
  expect(await page.locator('pinpack-chat .entry').count()).toBe(4)
  expect(errors).toEqual([])
})

test('a script that runs again after a swap is no second chat', async () => {
  sitePage(site, { engine: false })
  const { page, errors } = await arrive()
  for (let turn = 0; turn < 3; turn += 1) {
    await page.evaluate((turn) => {
      document.body.innerHTML = '<h1>Next</h1>'
      const script = document.createElement('script')
      Object.assign(script, { type: 'module', src: `/pinpack/pinpack.js?${turn}` })
      script.dataset.endpoint = '/api/chat'
      document.body.append(script)
    }, turn)
    await page.waitForTimeout(150)
  }
  expect([await chats(page), await launchers(page)]).toEqual([1, 1])
  await openChat(page)
  await ask(page, 'Can I get a refund?')
  expect(site.asked).toHaveLength(1)
  expect(errors).toEqual([])
})

test('an element of the page’s own comes again with the next page, and has its button and options', async () => {
  sitePage(site, { body: '<main></main><pinpack-chat name="Own"></pinpack-chat>', tag: TAG, engine: false })
  const { page, errors } = await arrive()
  for (let turn = 0; turn < 2; turn += 1) {
    await page.evaluate(() => {
      document.body.innerHTML = '<main><div><pinpack-chat name="Next"></pinpack-chat></div></main>'
    })
    await page.locator('pinpack-chat .launcher').waitFor()
    expect([await chats(page), await launchers(page)]).toEqual([1, 1])
    expect(await page.locator('pinpack-chat').getAttribute('endpoint')).toBe('/api/chat')
    await openChat(page)
    await ask(page, 'Can I get a refund?')
    expect(await page.locator('pinpack-chat h2').textContent()).toBe('Ask Next')
  }
  expect(site.asked).toHaveLength(2)
  expect(errors).toEqual([])
})

test('an async script that runs before the page’s own element is read makes no second one', async () => {
  // The page stops in its middle, for as long as the other script is on its way.
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  site.files.set('/slow.js', { type: 'text/javascript', body: 'void 0', until: held })
  const head = '<script async src="/pinpack/pinpack.js" data-endpoint="/api/chat"></script>'
  sitePage(site, {
    head,
    body: '<main></main><script src="/slow.js"></script><pinpack-chat name="Own"></pinpack-chat>',
    tag: '',
    engine: false,
  })
  setTimeout(go, 700)
  const { page } = await arrive()
  await page.waitForTimeout(300)
  expect([await chats(page), await launchers(page)]).toEqual([1, 1])
  expect(await page.locator('pinpack-chat').getAttribute('name')).toBe('Own')
})

test('a tag that is put in later reads its options from itself', async () => {
  sitePage(site, { tag: '', engine: false })
  site.files.set('/manager.js', {
    type: 'text/javascript',
    body: `const s = document.createElement('script'); s.async = true; s.src = '/pinpack/pinpack.js'
s.dataset.endpoint = '/api/chat'; s.dataset.name = 'Later'; document.head.append(s)`,
  })
  sitePage(site, { tag: '<script src="/manager.js"></script>', engine: false })
  const { page } = await arrive()
  const chat = page.locator('pinpack-chat')
  expect([await chat.getAttribute('endpoint'), await chat.getAttribute('name')]).toEqual(['/api/chat', 'Later'])
  expect(await chat.getAttribute('base')).toBe(`${site.origin}/pinpack/`)
})

test('a page may go into the browser’s cache, and comes back usable', async () => {
  site.files.set('/next', { type: 'text/html', body: '<!doctype html><title>Next</title><h1>Next</h1>' })
  site.proxy = (_, response) => send(response, answer('Half', { finish: false }), { end: false })
  const { page, errors } = await arriveAndOpen()
  const before = await page.evaluate(() => {
    const counted: string[] = []
    for (const type of ['unload', 'beforeunload'])
      if (`on${type}` in window && (window as never)[`on${type}`]) counted.push(type)
    return counted
  })
  expect(before).toEqual([])
  await page.locator('pinpack-chat textarea').fill('What?')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [data-status="streaming"]').waitFor()
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await ended(page)
  expect(await page.locator('pinpack-chat [data-role="assistant"]').getAttribute('data-status')).toBe('cut')
  site.proxy = (_, response) => send(response, answer('Whole.'))
  await page.locator('pinpack-chat .retry').click()
  await page.locator('pinpack-chat .markdown', { hasText: 'Whole.' }).waitFor()
  await page.goto(`${site.origin}/next`)
  await page.goBack()
  await page.locator('pinpack-chat .launcher').waitFor({ state: 'attached' })
  expect(errors).toEqual([])
})

test('adds no listener that keeps a page out of the browser’s cache', async () => {
  const { page } = await arrive()
  await page.addInitScript(() => {
    const added: string[] = []
    Object.assign(window, { added })
    const add = window.addEventListener
    window.addEventListener = function (this: Window, type: string, ...rest: never[]) {
      added.push(type)
      return Reflect.apply(add, this, [type, ...rest])
    } as typeof add
  })
  await page.reload()
  await openChat(page)
  await ask(page, 'Can I get a refund?')
  const added = await page.evaluate(() => (window as never as { added: string[] }).added)
  expect(added).toContain('pageshow')
  expect(added.filter((type) => /unload/.test(type))).toEqual([])
})

test('offline, it answers with the site’s own words when it has them, and says so when not', async () => {
  const { page, errors } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  await page.context().setOffline(true)
  await ask(page, 'Can I get a refund?')
  const last = page.locator('pinpack-chat [data-role="assistant"]').last()
  expect(await last.getAttribute('data-kind')).toBe('quotes')

  await page.evaluate(() => {
    const { standIn } = window as never as { standIn: object }
    Object.assign(standIn, { fails: { code: 'fetch-failed', message: 'no' } })
    const chat = document.querySelector('pinpack-chat') as HTMLElement
    chat.setAttribute('base', '/elsewhere/')
  })
  await ask(page, 'Can I get a refund?')
  expect(await last.locator('[part="notice"]').getAttribute('data-code')).toBe('offline')
  expect(await shown(last.locator('[part="notice"]'))).toMatch(/You are offline/)
  await page.context().setOffline(false)
  await last.locator('.retry').click()
  await expect.poll(() => last.getAttribute('data-status')).toBe('done')
  expect(errors).toEqual([])
})

test('says once that no endpoint is set, and works', async () => {
  sitePage(site, { tag: '<script type="module" src="/pinpack/pinpack.js"></script>' })
  const { page, console: said } = await arriveAndOpen()
  await ask(page, 'Can I get a refund?')
  await ask(page, 'And again?')
  expect(said.filter((line) => line.includes('no endpoint is set'))).toHaveLength(1)
})

test('says in words that the page’s policy stops the search', async () => {
  sitePage(site, { tag: '<script type="module" src="/pinpack/pinpack.js"></script>' })
  const { page } = await arrive()
  const fails = { code: 'wasm-blocked', message: 'no' }
  await page.evaluate(
    (value) => Object.assign((window as never as { standIn: object }).standIn, { fails: value }),
    fails,
  )
  await openChat(page)
  await ask(page, 'Can I get a refund?')
  expect(await shown(page.locator('pinpack-chat [part="notice"]'))).toMatch(/does not allow search to run/)
})

test('is read in forced colors, without motion where the visitor wants none', async () => {
  const { page } = await arriveAndOpen({ forcedColors: 'active', reducedMotion: 'reduce' })
  await ask(page, 'Can I get a refund?')
  const look = await page.evaluate(() => {
    const root = document.querySelector('pinpack-chat')?.shadowRoot as ShadowRoot
    const styleOf = (selector: string) => getComputedStyle(root.querySelector(selector) as Element)
    return {
      border: styleOf('.panel').borderTopStyle,
      chip: styleOf('.chip').borderTopStyle,
      motion: styleOf('.panel').animationDuration,
    }
  })
  expect(look).toEqual({ border: 'solid', chip: 'solid', motion: '0.001s' })
})

test('does not take the page’s scrolling, and gives its own none', async () => {
  site.files.set('/long.css', { type: 'text/css', body: 'main{block-size:4000px}' })
  sitePage(site, { head: '<link rel="stylesheet" href="/long.css">', tag: TAG })
  const { page } = await arriveAndOpen()
  await page.mouse.move(100, 300)
  await page.mouse.wheel(0, 500)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(500)
  site.proxy = (_, response) => send(response, answer(Array.from({ length: 80 }, (_, n) => `Line ${n}.`).join('\n\n')))
  await ask(page, 'Tell me')
  await page.locator('pinpack-chat .log').hover()
  await page.mouse.wheel(0, 5000)
  await page.waitForTimeout(300)
  expect(await page.evaluate(() => scrollY)).toBe(500)
})
