/** A small knowledge base, a folder for a test's files, an HTTP server, and a fresh Node process. */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildResult, build } from 'pinpack/build'
import { onTestFinished } from 'vitest'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const DIST = join(ROOT, 'dist')

export const CONFIG = `[site]
name = "Harbor Films"
[sources]
include = ["content/**/*.md"]
[pinned]
include = ["rules/**/*.md"]
`

/** Two pages and a rule. Only the page about the dog holds the word "Remi". */
export const PAGES: Record<string, string> = {
  'content/dog.md': '# The studio dog\n\nRemi is a spaniel who sleeps under the editing desk.\n',
  'content/refunds.md':
    '# Refunds\n\nAsk for a refund within fourteen days.\n\n## Deposits\n\nA deposit is kept when you cancel late.\n',
  'rules/refunds.md': '# Never promise a refund\n\nRefunds are decided by billing.\n',
}

const encoder = new TextEncoder()

/** Files for `build`, from a path → text record. */
export function filesOf(pages: Record<string, string>) {
  return Object.entries(pages).map(([path, text]) => ({ path, bytes: encoder.encode(text) }))
}

/** The fixture's knowledge base. */
export function buildFixture(): Promise<BuildResult> {
  return build(filesOf(PAGES), CONFIG)
}

/** A conversation of one visitor message. */
export const asking = (content: string) => [{ role: 'user' as const, content }]

/** A folder with files in it, removed when the test ends. */
export async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'pinpack-test-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), content)
  }
  return dir
}

/** The fixture as a folder with its `pinpack.toml`. */
export const siteFolder = (more: Record<string, string> = {}) => folderOf({ 'pinpack.toml': CONFIG, ...PAGES, ...more })

/** A server that runs until the test ends; gives its address, without a slash at the end. */
export async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a process left behind. */
export interface Finished {
  code: number
  stdout: string
  stderr: string
}

/** Runs Node to its end, in the repository unless `cwd` says otherwise. */
export function node(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): Promise<Finished> {
  const env = { ...process.env, ...options.env }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: options.cwd ?? ROOT, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

/** Runs an ES module in a process of its own, where no engine has started; gives what it passes to `tell`. */
export async function inFreshProcess<T>(code: string): Promise<T> {
  const tell = 'const tell = (value) => process.stdout.write(JSON.stringify(value))\n'
  const { stdout, stderr } = await node(['--input-type=module', '--eval', tell + code])
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as T
}
