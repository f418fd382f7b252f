/** What the demo's browser tests share: `pinpack dev` as a process, a visitor who uses the visible widget, what was sent. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page, Response } from 'playwright-core'
import type { Explanation, Receipt } from '../../www/types.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const DEMO = `${ROOT}www/demo`
const CLI = `${ROOT}dist/cli.js`
/** No model, whatever the machine has. */
const ENV = { ...process.env, OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', PINPACK_MODEL: '' }

export interface Server {
  url: string
  stop(): Promise<void>
}

/** Starts `pinpack dev` on a free port, and waits until it says its address. */
export async function startDev(dir: string): Promise<Server> {
  const child = spawn(process.execPath, [CLI, 'dev', dir, '--port', '0'], { env: ENV })
  const url = await addressOf(child)
  return { url, stop: () => stopped(child, 'SIGINT').then(() => {}) }
}

/** The first address that a process prints. */
export function addressOf(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    const listen = (text: string) => {
      said += text
      const found = /http:\/\/localhost:\d+(?=\/)/.exec(said)
      if (found) resolve(found[0])
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.on('exit', (code) => reject(new Error(`ended with ${code} before it said an address:\n${said}`)))
  })
}

/** Ends a process by a signal, and gives its exit code. */
export function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code))
    child.kill(signal)
  })
}

/** `npx pinpack explain … --json` on a folder. */
export function explain(dir: string, question: string, history: string[] = []): Promise<Explanation> {
  const earlier = history.flatMap((message) => ['--history', message])
  const args = [CLI, 'explain', question, ...earlier, '--dir', dir, '--json']
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 1e8 }, (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    )
  })
}

/** A visitor's page, with everything that it loaded and everything that went wrong. */
export class Visitor {
  /** Script errors, and console messages of the kinds error and warning. */
  readonly problems: string[] = []
  /** Addresses that were loaded, oldest first. */
  readonly loaded: string[] = []
  /** Bodies by address; the proxy's answers have the number of the question behind theirs. */
  readonly bodies = new Map<string, Promise<Buffer>>()

  constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.problems.push(String(error)))
    page.on('console', (message) => {
      if (/error|warning/.test(message.type())) this.problems.push(message.text())
    })
    page.on('response', (response) => this.#keep(response))
  }

  #keep(response: Response): void {
    const url = response.url()
    this.loaded.push(url)
    const name = url.endsWith('/api/chat') ? `${url} ${this.loaded.length}` : url
    this.bodies.set(
      name,
      response.body().catch(() => Buffer.alloc(0)),
    )
  }

  /** Opens the chat by its button. */
  async open(): Promise<void> {
    await this.page.getByRole('button', { name: 'Open chat' }).click()
    await this.page.getByRole('textbox', { name: 'Ask a question…' }).waitFor()
  }

  /** Types a question, presses the button, waits for the end of the answer; gives what the proxy was sent and said. */
  async ask(question: string): Promise<Told> {
    const answers: Response[] = []
    const collect = (response: Response) => response.url().endsWith('/api/chat') && answers.push(response)
    this.page.on('response', collect)
    await this.page.getByRole('textbox', { name: 'Ask a question…' }).fill(question)
    await this.page.getByRole('button', { name: 'Send' }).click()
    await this.answer.locator('[aria-busy="false"]').waitFor()
    this.page.off('response', collect)
    const last = answers.at(-1)
    if (!last) throw new Error('the proxy was not asked')
    const parts = partsOf(await last.text())
    const receipt = parts.find(({ type }) => type === 'data-receipt')?.data as Receipt
    return { statuses: answers.map((one) => one.status()), sent: last.request().postDataJSON(), parts, receipt }
  }

  /** Forgets the conversation. */
  async startOver(): Promise<void> {
    await this.page.getByRole('button', { name: 'New chat' }).click()
  }

  /** The last answer. */
  get answer(): Locator {
    return this.page.locator('pinpack-chat [data-role="assistant"]').last()
  }

  /** The quoted sentences of the last answer, without their numbers. */
  async quotes(): Promise<string[]> {
    const texts = await this.answer.locator('blockquote').allInnerTexts()
    return texts.map((text) => text.replace(/\s*\d+$/, ''))
  }

  /** The sections that the inspector says are sent, in its order. */
  inspected(): Promise<{ id: number; ref: string; why: string; tokens: number }[]> {
    return this.page.locator('pinpack-inspector [data-part="sent"]').evaluateAll((items) =>
      items.map((item) => {
        const { id, ref = '', why = '', tokens } = (item as HTMLElement).dataset
        return { id: Number(id), ref, why, tokens: Number(tokens) }
      }),
    )
  }
}

export interface Told {
  /** HTTP status of each request for this question. */
  statuses: number[]
  sent: { hash: string; sections: number[] }
  parts: { type: string; [field: string]: unknown }[]
  receipt: Receipt
}

export async function visitor(browser: Browser, url: string): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const found = new Visitor(await context.newPage())
  await found.page.goto(url)
  return found
}

/** The parts of a whole stream. */
function partsOf(stream: string): Told['parts'] {
  const events = stream.split('\n\n').filter((event) => event.startsWith('data: {'))
  return events.map((event) => JSON.parse(event.slice('data: '.length)))
}
