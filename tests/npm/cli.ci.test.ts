/** The example for GitHub Actions does what it says: its commands are run on the demo. */

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { DIST, node, ROOT } from './fixture.ts'

const EXAMPLE = join(ROOT, 'examples/ci/pinpack.yml')

async function demo(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'pinpack-ci-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  for (const name of ['content', 'rules', 'pinpack.toml', 'questions.yaml'])
    await cp(join(ROOT, 'www/demo', name), join(dir, name), { recursive: true })
  return dir
}

/** `npx pinpack …` lines, as arguments. */
const commands = (text: string) =>
  [...text.matchAll(/^.*npx pinpack (.+)$/gm)].map(([, words]) => (words as string).trim().split(' '))

const run = (args: string[], cwd: string) =>
  node([join(DIST, 'cli.js'), ...args], { cwd, env: { GITHUB_ACTIONS: 'true' } })

it('passes on the demo, writes what it uploads, and fails with annotations when a rule is gone', async () => {
  const text = await readFile(EXAMPLE, 'utf8')
  const { jobs, on, permissions } = parse(text)
  expect(Object.keys(on)).toEqual(['pull_request'])
  expect(permissions).toEqual({ contents: 'read' })
  const steps: { run?: string; uses?: string; with?: { path?: string } }[] = jobs.assistant.steps
  const [keep = []] = commands(text)
  const inSteps = commands(steps.flatMap(({ run }) => run ?? []).join('\n'))
  expect(inSteps.map(([name]) => name)).toEqual(['check', 'eval'])

  const dir = await demo()
  expect((await run(keep, dir)).code).toBe(0)
  for (const args of inSteps) {
    const { code, stdout, stderr } = await run(args, dir)
    expect(code, stdout + stderr).toBe(0)
    expect(stderr).toBe('')
  }
  const uploaded = steps.at(-1)?.with?.path?.trim().split('\n') as string[]
  for (const file of uploaded) expect((await readFile(join(dir, file), 'utf8')).length).toBeGreaterThan(100)

  const faq = join(dir, 'content/refund-policy.md')
  await writeFile(faq, '# Refund policy\n\nAsk us.\n')
  await rm(join(dir, 'rules/refunds.md'))
  const codes = await Promise.all(inSteps.map((args) => run(args, dir)))
  expect(codes.map(({ code }) => code)).toEqual([1, 1])
  expect(codes[0]?.stderr).toMatch(/^::error title=pinpack pinned-missing::rules\/refunds\.md/m)
})
