/** Questions in a terminal, each with an answer that Enter takes. */

import { createInterface, type Interface } from 'node:readline/promises'
import { clean, paint } from '../terminal.ts'

/** Asks one after the other. */
export class Asker {
  #lines: Interface
  #output: NodeJS.WritableStream

  /** `stopped` is called on Ctrl-C. */
  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, stopped: () => void) {
    this.#output = output
    this.#lines = createInterface({ input, output })
    this.#lines.on('SIGINT', stopped)
    // Ctrl-D is the end of the answers: what is proposed stands.
    this.#lines.on('close', () => {
      this.#closed = true
    })
  }

  #closed = false

  /** The answer, or what was proposed. `-` is an empty answer. `wrong` says what is wrong with one. */
  async text(
    label: string,
    proposed: string,
    wrong: (answer: string) => string | undefined = () => undefined,
  ): Promise<string> {
    while (!this.#closed) {
      const shown = proposed ? ` ${paint.dim(`(${clean(proposed)})`)}` : ''
      const answer = (await this.#answer(`${paint.bold(label)}${shown} `)).trim()
      const value = answer === '-' ? '' : answer || proposed
      const problem = wrong(value)
      if (!problem) return value
      this.#output.write(`  ${problem}\n`)
    }
    return proposed
  }

  async #answer(question: string): Promise<string> {
    const closed = new Promise<string>((resolve) => this.#lines.once('close', () => resolve('')))
    return Promise.race([this.#lines.question(question), closed])
  }

  close(): void {
    this.#lines.close()
  }
}
