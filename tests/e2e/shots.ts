/** Pictures of every state of the widget: `npm run shots [NAME…]` writes them to target/shots, to be looked at. */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { ChatRequest } from '../../www/types.ts'
import {
  type Answerer,
  answer,
  ask,
  createSite,
  launch,
  openChat,
  RECEIPT,
  refuse,
  send,
  page as sitePage,
  visit,
} from './widget-site.ts'

const OUT = fileURLToPath(new URL('../../target/shots/', import.meta.url))

interface Shot {
  act?: (page: Page) => Promise<void>
  proxy?: Answerer
  /** Attributes of the tag. */
  tag?: string
  lang?: string
  /** `wide` shows the developer panel whole. */
  frame?: 'desktop' | 'phone' | 'wide' | 'short'
  options?: BrowserContextOptions
  body?: string
}

const LONG = `Yes. You can ask for a refund **within 30 days** of the purchase [5]. The decision is made by *billing*, not by the assistant [1].

Here is what to do:

1. Find your **order number**.
2. Write to [our help desk](https://help.example/contact) with it.
3. Wait for an answer, which takes one or two days [3].

| Plan | Price | Refund |
|---|--:|---|
| Basic | 12 EUR | 30 days |
| Pro | 40 EUR | 30 days |

\`\`\`sh
curl -X POST https://shop.example/refunds -d order=4711
\`\`\`
`
const SHORT = 'Yes, **within 30 days** of the purchase [3]. Send us the order number, and billing decides [1][4].'

const NAMES = ['Never promise a refund', 'Prices', 'Contact', 'Opening hours', 'Refund policy', 'Shipping', 'Repairs']
const TOKENS = [30, 120, 90, 60, 220, 180, 240]

/** An answer from the sections that were sent. */
const says =
  (text: string, options = {}, end = true): Answerer =>
  (asked: ChatRequest, response) => {
    const sections = [0, 1, ...asked.sections].map((id) => {
      const title = NAMES[id] ?? `Section ${id}`
      const url =
        id === 0 ? '' : id === 2 ? 'https://help.example/contact' : `/${title.toLowerCase().replace(' ', '-')}`
      return { id, ref: `${id}.md`, title, url, tokens: TOKENS[id] ?? 0, pinned: id < 2 }
    })
    const tokens = sections.reduce((sum, section) => sum + section.tokens, 0)
    return send(response, answer(text, { receipt: { ...RECEIPT, sections, tokens }, ...options }), { end })
  }
const refuses =
  (status: number, code: string, more = {}): Answerer =>
  (_, response) =>
    refuse(response, status, { code, message: 'x', ...more })

const unloaded = async (page: Page) => {
  await page.route('**/pinpack-widget-*', (route) => route.abort())
  await page.locator('pinpack-chat .launcher').click()
  await page.locator('pinpack-chat .unloaded').waitFor()
}
const opened = (page: Page) => openChat(page)
const asked =
  (question = 'Can I get a refund?') =>
  async (page: Page) => {
    await openChat(page)
    await ask(page, question)
    await page.waitForTimeout(150)
  }
const started = async (page: Page) => {
  await openChat(page)
  await page.locator('pinpack-chat textarea').fill('Can I get a refund?')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(500)
}
const hovering = async (page: Page) => {
  await asked()(page)
  await page.locator('pinpack-chat .chip').first().hover()
}
const wronged = async (page: Page) => {
  await asked()(page)
  await page.locator('pinpack-chat [aria-label="Bad answer"]').click()
  await page.getByRole('radio', { name: 'Out of date' }).check({ force: true })
}
const typed = async (page: Page) => {
  await asked()(page)
  await page.locator('pinpack-inspector [data-part="sent"]').first().waitFor()
}

const CONTACT = 'data-contact="help@shop.example"'
const INLINE = '<main><h1>Questions</h1><pinpack-chat mode="inline"></pinpack-chat></main>'
const SHOTS: Record<string, Shot> = {
  closed: {},
  failed: { act: unloaded },
  empty: { act: opened },
  waiting: { act: started, proxy: () => {} },
  streaming: { act: started, proxy: says(LONG.slice(0, 230), { finish: false }, false) },
  answered: { act: asked(), proxy: says(SHORT) },
  long: { act: asked('Can I get a refund for my order from last week?'), proxy: says(LONG) },
  card: { act: hovering, proxy: says(SHORT) },
  feedback: { act: wronged, proxy: says(SHORT) },
  'not-covered': { act: asked('Xylophone?'), tag: CONTACT, proxy: refuses(503, 'unavailable') },
  'no-model': { act: asked(), proxy: refuses(503, 'unavailable') },
  cut: { act: asked(), proxy: says('You can ask for a refund within', { finish: false }) },
  'error-limited': { act: asked(), proxy: refuses(429, 'rate-limited', { retryAfter: 30 }) },
  'error-budget': { act: asked(), proxy: refuses(429, 'budget-spent') },
  'error-setup': { act: asked(), proxy: refuses(403, 'origin') },
  'error-stale': { act: asked(), proxy: refuses(409, 'stale') },
  'error-busy': { act: asked(), proxy: says('', { finish: false }) },
  inspector: { act: typed, proxy: says(SHORT), tag: 'data-inspect', frame: 'wide' },
  inline: { proxy: says(SHORT), body: INLINE, frame: 'wide', act: (page) => ask(page, 'Can I get a refund?') },
  'inline-empty': { body: INLINE, frame: 'wide', act: (page) => page.locator('pinpack-chat .empty').waitFor() },
  page: {
    proxy: says(LONG),
    body: '<pinpack-chat mode="page"></pinpack-chat>',
    frame: 'wide',
    act: (page) => ask(page, 'Can I get a refund?'),
  },
  'phone-closed': { frame: 'phone' },
  'phone-empty': { frame: 'phone', act: opened },
  'phone-answered': { frame: 'phone', act: asked(), proxy: says(LONG) },
  'phone-not-covered': { frame: 'phone', act: asked('Xylophone?'), tag: CONTACT, proxy: refuses(503, 'unavailable') },
  zoomed: { frame: 'short', act: asked(), proxy: says(SHORT) },
  'arabic-empty': { lang: 'ar', act: opened },
  arabic: {
    lang: 'ar',
    act: asked('هل يمكنني refund؟'),
    proxy: says('نعم، خلال **30 يومًا** من الشراء [3]. القرار لقسم الفواتير [1].'),
  },
  'arabic-phone': {
    lang: 'ar',
    frame: 'phone',
    act: asked('هل يمكنني refund؟'),
    proxy: says('نعم، خلال **30 يومًا** [3].'),
  },
  'japanese-empty': { lang: 'ja', act: opened },
  japanese: {
    lang: 'ja',
    act: asked('refund はできますか'),
    proxy: says('はい、購入から**30日以内**であれば返金できます [3]。最終的な判断は請求担当が行います [1]。'),
  },
  german: { lang: 'de', act: opened },
}

const CSS = `body{font:17px/1.6 Georgia,serif;margin:0;background:#f7f4ee;color:#24211c}
@media(prefers-color-scheme:dark){body{background:#101114;color:#ddd}}main{max-width:680px;margin:60px auto;padding:0 24px}`
const BODY = `<main><h1>Widget Shop</h1>${'<p>We repair and sell widgets of every kind, with care, since 1998. Our workshop is open to visitors on weekdays.</p>'.repeat(5)}</main>`
const FRAMES = {
  desktop: { viewport: { width: 1000, height: 760 }, deviceScaleFactor: 1.5 },
  wide: { viewport: { width: 1240, height: 780 }, deviceScaleFactor: 1.5 },
  phone: { viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  short: { viewport: { width: 320, height: 256 }, deviceScaleFactor: 3 },
}
const QUESTIONS = 'data-questions="Can I get a refund?|How long does a repair take?|What does the basic plan cost?"'

const browser = await launch()
const site = createSite()
await site.start()
site.csp = ''
site.files.set('/host.css', { type: 'text/css', body: CSS })
await mkdir(OUT, { recursive: true })
const wanted = process.argv.slice(2)

for (const [name, shot] of Object.entries(SHOTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const colorScheme of ['light', 'dark'] as const) await take(name, shot, colorScheme)
}
await contactSheet()
await browser.close()
await site.close()

async function take(name: string, shot: Shot, colorScheme: 'light' | 'dark'): Promise<void> {
  const { lang = 'en', frame = 'desktop', tag = '', body = BODY } = shot
  site.proxy = shot.proxy ?? says(SHORT)
  sitePage(site, {
    head: '<link rel="stylesheet" href="/host.css">',
    ...{ body, lang },
    tag: `<script type="module" src="/pinpack/pinpack.js" data-endpoint="/api/chat" data-name="Widget Shop" ${QUESTIONS} ${tag}></script>`,
  })
  const found = await visit(browser, site, { ...FRAMES[frame], colorScheme, ...shot.options })
  const { page } = found
  if (lang === 'ar') await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await page.locator('pinpack-chat .launcher, pinpack-chat textarea').first().waitFor({ state: 'attached' })
  await shot.act?.(page)
  await page.waitForTimeout(450)
  await writeFile(`${OUT}${name}-${colorScheme}.png`, await page.screenshot())
  if (found.errors.length > 0) console.error(name, found.errors)
  await page.context().close()
}

/** All of them on one page, to be seen at a glance: of a desktop, the side where the panel is. */
async function contactSheet(): Promise<void> {
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1800, height: 900 } })
    const names = Object.keys(SHOTS).filter((name) => wanted.length === 0 || wanted.includes(name))
    const figures = await Promise.all(
      names.map(async (name) => {
        const png = (await readFile(`${OUT}${name}-${colorScheme}.png`)).toString('base64')
        const { frame = 'desktop', lang } = SHOTS[name] as Shot
        const side = frame === 'desktop' ? `crop ${lang === 'ar' ? 'left' : ''}` : ''
        return `<figure><div class="${side}"><img src="data:image/png;base64,${png}"></div><figcaption>${name}</figcaption></figure>`
      }),
    )
    await page.setContent(`<style>body{display:flex;flex-wrap:wrap;gap:10px;font:13px sans-serif;background:#888}
figure{margin:0}img{height:600px;display:block}.crop{width:345px;overflow:hidden;display:flex;justify-content:flex-end}
.crop.left{justify-content:flex-start}</style>${figures.join('')}`)
    await writeFile(`${OUT}sheet-${colorScheme}.png`, await page.screenshot({ fullPage: true }))
    await page.close()
  }
}
