/** The browser's own model as the answerer, by a stand-in that keeps the rules of the Prompt API. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask, ended, HASH, hostSite, openChat, refuse, shown, page as sitePage } from './widget-kit.ts'

const { site, arrive } = hostSite()

const TAG = '<script type="module" src="/pinpack/pinpack.js" data-name="Shop" data-builtin></script>'

interface StandIn {
  availability?: string
  chunks?: string[]
  /** Fails after this many chunks. */
  fails?: number
  quota?: boolean
  hangs?: boolean
}

/**
 * `LanguageModel` as the specification has it: options are checked as the browser checks them, a system prompt stands only first,
 * an abort ends creation and streams with the signal's reason, a destroyed session answers nothing.
 */
async function install(page: Page, options: StandIn): Promise<void> {
  await page.evaluate((given) => {
    const { availability = 'available', chunks = ['Yes, ', 'within 30 days [3].'], fails, quota, hangs } = given
    const log: Record<string, unknown>[] = []
    class LanguageModel extends EventTarget {
      static async availability(wanted: { expectedOutputs?: { languages?: string[] }[] }) {
        const languages = wanted.expectedOutputs?.flatMap(({ languages = [] }) => languages) ?? []
        if (languages.some((language) => !['en', 'de', 'es', 'fr', 'ja'].includes(language))) return 'unavailable'
        return availability
      }
      static async create(wanted: { initialPrompts?: { role: string; content: string }[]; signal?: AbortSignal }) {
        wanted.signal?.throwIfAborted()
        const prompts = wanted.initialPrompts ?? []
        if (prompts.some(({ role }, at) => role === 'system' && at > 0)) throw new TypeError('system prompt not first')
        if (quota) throw new DOMException('too large', 'QuotaExceededError')
        log.push({ prompts })
        return new LanguageModel()
      }
      #destroyed = false
      promptStreaming(input: string, { signal }: { signal?: AbortSignal } = {}) {
        if (this.#destroyed) throw new DOMException('destroyed', 'InvalidStateError')
        log.push({ input })
        let at = 0
        return new ReadableStream<string>({
          start: (controller) => {
            signal?.addEventListener('abort', () => {
              log.push({ aborted: true })
              controller.error(signal.reason)
            })
          },
          async pull(controller) {
            if (hangs && at > 0) return new Promise(() => {})
            if (at === fails) return controller.error(new DOMException('broken', 'UnknownError'))
            const chunk = chunks[at]
            at += 1
            await new Promise((resolve) => setTimeout(resolve, 5))
            return chunk === undefined ? controller.close() : controller.enqueue(chunk)
          },
        })
      }
      destroy() {
        this.#destroyed = true
        log.push({ destroyed: true })
      }
    }
    Object.assign(window, { LanguageModel, log })
  }, options)
}
const logOf = (page: Page) => page.evaluate(() => (window as never as { log: Record<string, never>[] }).log)

/** Visits with a model; `publishes` gives the stand-in's pinned sections their text, as `[pinned] publish = true` does. */
async function visitWith(options: StandIn, { publishes = true, tag = TAG } = {}) {
  sitePage(site, { tag })
  const visit = await arrive()
  await visit.page.evaluate((value) => Object.assign((window as never as { standIn: object }).standIn, value), {
    publishes,
  })
  await install(visit.page, options)
  await openChat(visit.page)
  return visit
}

test('answers from the same pack and prompt, with the same receipt, and asks no server', async () => {
  const { page, errors, violations } = await visitWith({})
  await ask(page, 'Can I get a refund?')
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('Yes, within 30 days3.')
  expect(await shown(page.locator('pinpack-chat .note'))).toBe('Answered on your device by your browser.')
  expect(await page.locator('pinpack-chat .source').getAttribute('href')).toBe(`${site.origin}/refunds#policy`)
  expect(site.asked).toEqual([])

  const [created, asked] = await logOf(page)
  const [system] = (created?.prompts ?? []) as { role: string; content: string }[]
  expect(system?.role).toBe('system')
  expect(system?.content).toContain(
    '<passage id="1" title="Never promise a refund">\nNever promise a refund. Billing decides.\n</passage>',
  )
  expect(system?.content).toContain('<passage id="3" title="Refund policy">\nYou can ask for a refund within 30 days.')
  expect(system?.content).toContain('Do not guess')
  expect(asked?.input).toBe('Can I get a refund?')
  const { receipt, pack } = await page.evaluate(() => {
    const { entries } = document.querySelector('pinpack-chat') as unknown as { entries: never[] }
    return JSON.parse(JSON.stringify(entries.at(-1)))
  })
  expect(receipt.hash).toBe(HASH)
  expect(receipt.model).toBe('browser')
  expect(receipt.sections.map(({ id }: { id: number }) => id)).toEqual(pack.ids)
  expect(receipt.tokens).toBe(pack.tokens)
  expect((await logOf(page)).at(-1)).toEqual({ destroyed: true })
  expect(errors).toEqual([])
  expect(await violations()).toEqual([])
})

test('gives it the turns before the question', async () => {
  const { page } = await visitWith({})
  await ask(page, 'Can I get a refund?')
  await ask(page, 'And for repairs?')
  const created = (await logOf(page)).filter(({ prompts }) => prompts).at(-1)
  expect(((created?.prompts ?? []) as { role: string }[]).map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
  ])
})

test('is not asked when it would not see the rules, and says so to the owner', async () => {
  const { page, console: said } = await visitWith({}, { publishes: false })
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-chat [data-kind="quotes"]').count()).toBe(1)
  expect(await logOf(page)).toEqual([])
  expect(said.filter((line) => line.includes('[builtin-rules]'))).toHaveLength(1)
})

test.each([
  ['needs a download', { availability: 'downloadable' }],
  ['is not there', { availability: 'unavailable' }],
  ['cannot hold the prompt', { quota: true }],
  ['fails before its first word', { fails: 0 }],
] as [string, StandIn][])('quotes the site when the model %s', async (_, options) => {
  const { page, errors } = await visitWith(options)
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-chat [data-kind="quotes"]').count()).toBe(1)
  expect(errors).toEqual([])
})

test('marks an answer as cut when the model fails in it', async () => {
  const { page } = await visitWith({ fails: 1 })
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-chat [data-role="assistant"]').getAttribute('data-status')).toBe('cut')
  expect(await shown(page.locator('pinpack-chat .markdown'))).toBe('Yes,')
})

test('stops the model when the visitor says so', async () => {
  const { page, errors } = await visitWith({ hangs: true })
  await page.locator('pinpack-chat textarea').fill('Can I get a refund?')
  await page.keyboard.press('Enter')
  await page.locator('pinpack-chat [data-status="streaming"]').waitFor()
  await page.locator('pinpack-chat [part="stop"]').click()
  await ended(page)
  await expect.poll(async () => (await logOf(page)).slice(-2)).toEqual([{ aborted: true }, { destroyed: true }])
  expect(await page.locator('pinpack-chat [data-role="assistant"]').getAttribute('data-status')).toBe('stopped')
  expect(errors).toEqual([])
})

test('stands in for a proxy that is away, and is not asked where the owner did not turn it on', async () => {
  const away = TAG.replace('data-builtin', 'data-builtin data-endpoint="/api/chat"')
  site.proxy = (_, response) => refuse(response, 503, { code: 'unavailable', message: 'x' })
  const standing = await visitWith({}, { tag: away })
  await ask(standing.page, 'Can I get a refund?')
  expect(await shown(standing.page.locator('pinpack-chat .markdown'))).toBe('Yes, within 30 days3.')

  const off = await visitWith({}, { tag: away.replace('data-builtin', '') })
  await ask(off.page, 'Can I get a refund?')
  expect(await off.page.locator('pinpack-chat [data-kind="quotes"]').count()).toBe(1)
  expect(await logOf(off.page)).toEqual([])
  expect(site.paths.filter((path) => path.includes('builtin'))).toHaveLength(1)
})

test('a refusal of the proxy is not answered by the model', async () => {
  site.proxy = (_, response) => refuse(response, 429, { code: 'rate-limited', message: 'x', retryAfter: 9 })
  const { page } = await visitWith({}, { tag: TAG.replace('data-builtin', 'data-builtin data-endpoint="/api/chat"') })
  await ask(page, 'Can I get a refund?')
  expect(await page.locator('pinpack-chat [part="notice"]').getAttribute('data-code')).toBe('rate-limited')
  expect(await logOf(page)).toEqual([])
})
