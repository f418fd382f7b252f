/** What `pinpack explain` shows is what the browser sends and the proxy says it has sent: the same ids and tokens, in order. */

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrompt } from '../../www/prompt.ts'
import type { Knowledge } from '../../www/types.ts'
import { DEMO, explain, type Server, startDev, type Visitor, visitor } from './demo-kit.ts'
import { launch } from './widget-kit.ts'

let browser: Browser
let server: Server
let visit: Visitor

beforeAll(async () => {
  ;[browser, server] = await Promise.all([launch(), startDev(DEMO)])
  visit = await visitor(browser, server.url)
  await visit.open()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const CASES: [question: string, history: string[]][] = [
  ['can I get a refund?', []],
  ['hi, can you help me?', []],
  ['how much is it?', ['do you do video streaming?']],
  ['and who holds the microphone?', ['hello', 'can you film our choir in a church?']],
  ['can we have a birthday party at your place?', []],
  ['Wie groß ist das Studio? 🎬', []],
  ['what does it cost if you come to Corrin', []],
  ['RTMP or SRT, which ports?', []],
  ['xylophone quantum blockchain', []],
  ['refund refund refund, deposit, captions, drone, dog, price, stream, camera, interview, music, fog', []],
]

test.each(CASES)('%s %j', async (question, history) => {
  if (visit.loaded.some((url) => url.endsWith('/api/chat'))) await visit.startOver()
  for (const message of history) await visit.ask(message)
  const { receipt, sent } = await visit.ask(question)
  const explained = await explain(DEMO, question, history)
  const line = ({ id, tokens }: { id: number; tokens: number }) => `${id}: ${tokens}`
  expect(receipt.sections.map(line)).toEqual(explained.sections.map(line))
  expect(receipt.tokens).toBe(explained.tokens)
  expect(receipt.tokens).toBe(receipt.sections.reduce((sum, { tokens }) => sum + tokens, 0))
  expect(receipt.hash).toBe(explained.hash)
  expect(sent.sections).toEqual(explained.sections.filter(({ why }) => why !== 'pinned').map(({ id }) => id))
  expect(visit.problems).toEqual([])
})

test('the developer panel shows the very prompt that the proxy makes, once it is looked at', async () => {
  const visit = await visitor(browser, server.url)
  await visit.open()
  await visit.ask('can I get a refund?')
  expect(visit.loaded.filter((url) => url.endsWith('/api/knowledge.json'))).toEqual([])
  await visit.page.locator('pinpack-inspector [data-part="prompt"] summary').click()
  const shown = visit.page.locator('pinpack-inspector [data-part="prompt"] pre')
  await expect.poll(() => shown.textContent()).not.toBe('')
  const knowledge = (await (await fetch(`${server.url}/api/knowledge.json`)).json()) as Knowledge
  const { sections } = (await visit.ask('can I get a refund?')).sent
  await expect.poll(() => shown.textContent()).toContain('[assistant]')
  const { system } = buildPrompt(knowledge, sections, [{ role: 'user', content: 'can I get a refund?' }])
  expect(await shown.textContent()).toContain(system)
  await visit.page.close()
})
