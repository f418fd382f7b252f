/** What a command says: text with color where it is wanted, JSON, progress, errors. */

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { Presets, SingleBar } from 'cli-progress'
import picocolors from 'picocolors'
import { PinpackError } from '../errors.ts'

/** Colors for standard output; plain when it is piped or `NO_COLOR` is set. */
export const paint = colorsFor(process.stdout)
const alarm = colorsFor(process.stderr)

/** Prints a line, or several. */
export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Prints one JSON document. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** Prints `warning[code]: message` on standard error, the lines after the first indented. */
export function printWarning(code: string, message: string): void {
  process.stderr.write(`${alarm.yellow(`warning[${code}]`)}: ${indented(message)}\n`)
}

/** Prints `error[code]: message` with its remedy; for `--json` also `{"error": {code, message}}` on standard output. */
export function printError(thrown: unknown, json: boolean): void {
  const { code, message: said } = PinpackError.from(thrown)
  const message = said.includes('\n') ? said : `${said}\n${REMEDIES[code] ?? 'see docs/errors.md'}`
  process.stderr.write(`${alarm.red(`error[${code}]`)}: ${indented(message)}\n`)
  if (json) printJson({ error: { code, message } })
  if (code === 'internal' && process.env.PINPACK_DEBUG) console.error(thrown)
}

/**
 * Writes a text file, and its folder.
 *
 * # Errors
 * `write-failed`.
 */
export async function writeText(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (cause) {
    throw new PinpackError('write-failed', `cannot write ${file}: ${(cause as Error).message}\ncheck path and rights`, {
      cause,
    })
  }
}

/** What to do, for errors that do not say it themselves. */
const REMEDIES: Record<string, string> = {
  'config-encoding': 'give one of those that can be counted',
  'config-key': 'mend the key',
  'config-syntax': 'mend that line; `npx pinpack init` in an empty folder writes a config to compare with',
  'config-value': 'change the setting',
  internal: 'please report it, with what PINPACK_DEBUG=1 prints',
  'no-sections': 'name the pages under [sources] include, or run it in the folder of the site',
  'questions-invalid': 'mend that entry',
  'read-failed': 'check the path, and that it may be read',
  'site-failed': 'mend site.mjs, or move it away',
  'source-jsonl': 'mend that line: {"_id", "title", "text"}',
  usage: 'run it with --help to see what it takes',
  'write-failed': 'check the path, and that it may be written',
}

/** Rows in columns. A column whose header starts with `>` is set to the right; the last one is not padded. */
export function table(header: string[], rows: string[][]): string[] {
  const right = header.map((name) => name.startsWith('>'))
  const all = [header.map((name) => name.replace('>', '')), ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))))
  const pad = (text: string, column: number) => {
    const space = ' '.repeat((widths[column] ?? 0) - width(text))
    return right[column] ? space + text : text + space
  }
  const lines = all.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd())
  return [paint.dim(lines[0] ?? ''), ...lines.slice(1)]
}

/** Columns that a text takes in a terminal: colors take none, wide letters and emoji two. */
function width(text: string): number {
  const plain = stripVTControlCharacters(text)
  return [...plain].length + (plain.match(WIDE)?.length ?? 0)
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu

/** A bar on standard error, in a terminal, once the work has taken 300 ms. `done` removes it. */
export function progress(label: string): { update(done: number, total: number): void; done(): void } {
  if (!process.stderr.isTTY) return { update() {}, done() {} }
  const from = performance.now()
  let bar: SingleBar | undefined
  return {
    update(done, total) {
      if (bar) return bar.update(done)
      if (performance.now() - from < 300) return
      const format = `${label} {bar} {value}/{total}`
      // `linewrap`: nothing is switched off that Ctrl-C would leave so.
      bar = new SingleBar({ stream: process.stderr, format, clearOnComplete: true, linewrap: true }, Presets.rect)
      bar.start(total, done)
    },
    done: () => bar?.stop(),
  }
}

/** `12345` as `12,345`. */
export const count = (value: number) => value.toLocaleString('en-US')

/** `0.3412` as `34.1%`. */
export const percent = (share: number) => `${(share * 100).toFixed(1)}%`

/** Bytes as `1.2 kB` or `3.4 MB`. */
export const size = (bytes: number) =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

/** `1 file`, `2 files`. */
export const plural = (value: number, noun: string) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`

/** Text from a source file, safe to print: no control characters, so nothing in it steers the terminal. */
export const clean = (text: string) => text.replace(/\p{Cc}+/gu, ' ')

const indented = (message: string) => message.replaceAll('\n', '\n  ')

function colorsFor(stream: NodeJS.WriteStream) {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  const wanted = FORCE_COLOR ? FORCE_COLOR !== '0' : stream.isTTY && TERM !== 'dumb'
  return picocolors.createColors(Boolean(wanted) && !NO_COLOR)
}
