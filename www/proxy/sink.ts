/** Where log entries go. A log that cannot be written never breaks an answer. */

import type { LogEntry } from './log.ts'

/** `stdout` and a file get one JSON document a line; a function gets the entry. A file is for Node, Deno and Bun. */
export type LogSink = 'stdout' | { file: string } | ((entry: LogEntry) => void | Promise<void>)

/** Makes the function that writes an entry. Without a sink it says one thing, once: that the key does not work. */
export function openSink(sink: LogSink | undefined): (entry: LogEntry) => void {
  const write = writerOf(sink)
  let silent = false
  const complain = () => {
    if (!silent) console.error('pinpack: the log of the proxy cannot be written')
    silent = true
  }
  return (entry) => {
    try {
      void Promise.resolve(write(entry)).catch(complain)
    } catch {
      complain()
    }
  }
}

function writerOf(sink: LogSink | undefined): (entry: LogEntry) => void | Promise<void> {
  if (sink === undefined) return tellOfKey()
  if (typeof sink === 'function') return sink
  if (sink === 'stdout') return (entry) => console.log(JSON.stringify(entry))
  return appendTo(sink.file)
}

/** Quotes stand in for a model whose key is refused, so nothing else would tell its owner. */
function tellOfKey() {
  let told = false
  return ({ fallback, code }: LogEntry) => {
    if (told || (fallback ?? code) !== 'upstream-auth') return
    told = true
    console.error("pinpack: the model's provider refuses the key [upstream-auth]")
  }
}

/** Lines are written one after the other, each in one piece. */
function appendTo(file: string) {
  let last: Promise<void> = Promise.resolve()
  const append = async (line: string) => {
    const { appendFile } = await import('node:fs/promises')
    await appendFile(file, line)
  }
  return (entry: LogEntry) => {
    const line = `${JSON.stringify(entry)}\n`
    const written = last.then(() => append(line))
    last = written.catch(() => {})
    return written
  }
}
