/** Tells when a folder has changed and is quiet again. */

import { resolve, sep } from 'node:path'
import { watch } from 'chokidar'
import { printError } from './terminal.ts'

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
