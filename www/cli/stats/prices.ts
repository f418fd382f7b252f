/** What models cost: a table that the owner edits. */

import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { parse } from 'yaml'
import { PinpackError } from '../../errors.ts'

/** US dollars, or whatever the owner writes, for a million tokens. */
export interface Price {
  model: string
  input: number
  output: number
}

/** A first table. Prices change: an owner looks them up and edits the file. */
export const PRICES_TEXT = `# What models cost, for a million tokens of input and of output. Look your provider's prices up: these were published in 2025.
gpt-4o-mini: { input: 0.15, output: 0.60 }
gpt-5-mini: { input: 0.25, output: 2.00 }
gpt-4.1-mini: { input: 0.40, output: 1.60 }
claude-haiku-4-5: { input: 1.00, output: 5.00 }
claude-sonnet-4-5: { input: 3.00, output: 15.00 }
`

const Amount = v.pipe(v.number(), v.minValue(0))
const Table = v.record(v.string(), v.strictObject({ input: Amount, output: Amount }))

/**
 * Reads a table: a model a line, `name: { input: 0.25, output: 2 }`. Without a file it is the first one.
 *
 * # Errors
 * `prices-invalid` names the model and the key; `read-failed`.
 */
export async function readPrices(file: string | undefined): Promise<Price[]> {
  const text = file === undefined ? PRICES_TEXT : await read(file)
  const result = v.safeParse(Table, tableOf(text, file))
  if (result.success) return Object.entries(result.output).map(([model, price]) => ({ model, ...price }))
  const [issue] = result.issues
  throw invalid(`${file}: ${v.getDotPath(issue) ?? 'table'}: ${issue.message}`)
}

function tableOf(text: string, file: string | undefined): unknown {
  try {
    return parse(text)
  } catch (cause) {
    throw invalid(`${file}: ${(cause as Error).message}`, cause)
  }
}

const read = (file: string) =>
  readFile(file, 'utf8').catch((cause) => {
    throw new PinpackError('read-failed', `cannot read ${file}: ${cause.message}\nwrite one with --write-prices`, {
      cause,
    })
  })

const invalid = (message: string, cause?: unknown) =>
  new PinpackError('prices-invalid', `${message}\nwanted a line a model: name: { input: 0.25, output: 2 }`, { cause })

/** Cost of one question. */
export const costOf = ({ input, output }: Price, tokens: { input: number; output: number }) =>
  (input * tokens.input + output * tokens.output) / 1e6
