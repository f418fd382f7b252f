/** `npm start`, as a person uses it: build, an address, a page, an answer, Ctrl-C. */

import { type ChildProcess, spawn } from 'node:child_process'
import { open } from 'pinpack'
import { afterAll, expect, test } from 'vitest'
import { addressOf, ROOT, stopped } from './demo-kit.ts'

let child: ChildProcess | undefined
afterAll(() => {
  // The whole group, when the test did not come to its end.
  if (child?.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
})

test('prints an address, serves the demo and its chat there, and ends with Ctrl-C', async () => {
  const env = { ...process.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', PINPACK_MODEL: '' }
  const args = ['scripts/run.mjs', 'start', '--port', '0']
  child = spawn(process.execPath, args, { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await addressOf(child)

  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<script type="module" src="/pinpack/pinpack.js"')

  const knowledge = await open(`${url}/pinpack/`)
  const messages = [{ role: 'user' as const, content: 'can I get a refund?' }]
  const { sections, hash } = knowledge.pack(messages)
  const ids = sections.filter(({ why }) => why !== 'pinned').map(({ id }) => id)
  const answer = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ hash, sections: ids, messages }),
  })
  expect(answer.status).toBe(200)
  const stream = await answer.text()
  expect(stream).toMatch(/"type":"text-delta".*refund/)
  expect(stream).toContain('/refund-policy#')
  expect(stream.trimEnd()).toMatch(/data: \[DONE\]$/)

  expect(await stopped(child, 'SIGINT')).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
}, 900_000)
