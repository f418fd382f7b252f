/** Walks a folder: the relative paths of its files, with forward slashes. Node only. */

import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PinpackError } from './errors.ts'

/** Never sources: dependencies and what build tools write. Dot folders are left out too. */
const SKIPPED = new Set(['node_modules', 'dist'])

/**
 * Lists the files under `dir`. Symbolic links are followed, each real folder once; links that lead nowhere are left out.
 *
 * # Errors
 * `read-failed` names the folder.
 */
export async function listFiles(dir: string, skip: string[] = []): Promise<string[]> {
  const walk: Walk = { root: dir, skip: new Set(skip.map((path) => resolve(path))), seen: new Set(), found: [] }
  await visit(walk, '')
  return walk.found
}

interface Walk {
  root: string
  skip: Set<string>
  /** Real paths of the folders visited: a link that leads back ends here. */
  seen: Set<string>
  found: string[]
}

async function visit(walk: Walk, folder: string): Promise<void> {
  const names = await enter(walk, join(walk.root, folder))
  // Sorted, so that a folder with several ways to it has the same path on every machine.
  for (const name of names.sort()) {
    const path = folder ? `${folder}/${name}` : name
    const kind = await stat(join(walk.root, path)).catch(() => undefined)
    if (kind?.isFile()) walk.found.push(path)
    if (kind?.isDirectory() && !SKIPPED.has(name) && !name.startsWith('.')) await visit(walk, path)
  }
}

/** The names in a folder; none when it is to be skipped or was seen. */
async function enter(walk: Walk, folder: string): Promise<string[]> {
  if (walk.skip.has(resolve(folder))) return []
  try {
    const real = await realpath(folder)
    if (walk.seen.has(real)) return []
    walk.seen.add(real)
    return await readdir(folder)
  } catch (cause) {
    throw new PinpackError('read-failed', `cannot read the folder ${folder}: ${(cause as Error).message}`, { cause })
  }
}
