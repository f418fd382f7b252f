/** Tells when a folder has changed and is quiet again. */

import { resolve, sep } from 'node:path'
import { watch } from 'chokidar'
import type { Changes } from '../types.ts'
import { clean, count, printError } from './terminal.ts'

/** A running watch. */
export interface Watcher {
  /** Runs `rebuild` after each change, one at a time; a failure is printed. */
  onChange(rebuild: () => Promise<void>): void
  close(): Promise<void>
}

/** How long a folder has to be quiet. */
const QUIET_MS = 150

/**
 * Watches a folder, but not what is `made` from it, and a config elsewhere.
 * A change while nobody listens is kept for the first who does.
 */
export async function watchFolder(dir: string, made: (string | undefined)[], config?: string): Promise<Watcher> {
  const ignored = (path: string) =>
    path.startsWith(dir) &&
    (made.some((one) => one !== undefined && (path === one || path.startsWith(`${one}${sep}`))) ||
      /(^|[/\\])(node_modules|dist|\.[^/\\]+)([/\\]|$)/.test(path.slice(dir.length)))
  const watcher = watch(config ? [dir, resolve(config)] : dir, { ignored, ignoreInitial: true })
  let [changed, timer] = [false, undefined as NodeJS.Timeout | undefined]
  let work: (() => Promise<void>) | undefined
  let working = Promise.resolve()
  const start = () => {
    if (!work) return
    changed = false
    working = working.then(work).catch((thrown) => printError(thrown, false))
  }
  watcher.on('all', () => {
    changed = true
    clearTimeout(timer)
    timer = setTimeout(start, QUIET_MS)
  })
  watcher.on('error', (thrown) => printError(thrown, false))
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return {
    onChange(rebuild: () => Promise<void>) {
      work = rebuild
      if (changed) start()
    },
    async close() {
      clearTimeout(timer)
      await watcher.close()
    },
  }
}

/** Names of files that a rebuild says before it only counts. */
const NAMED = 5

/** `read content/a.md, +content/new.md, -content/old.md (12 kept)`. */
export function changedText({ added, changed, removed, kept }: Changes): string {
  const names = [...changed, ...added.map((path) => `+${path}`), ...removed.map((path) => `-${path}`)]
  if (names.length === 0) return 'no source changed'
  const more = names.length > NAMED ? ` and ${count(names.length - NAMED)} more` : ''
  return `read ${clean(names.slice(0, NAMED).join(', '))}${more} (${count(kept)} kept)`
}

/** Ends on Ctrl-C, or when the process is told to stop. */
export function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    process.once('SIGINT', () => stop())
    process.once('SIGTERM', () => stop())
  })
}
