/** Walks a folder: the relative paths of its files, with forward slashes. Node only. */

import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PinpackError } from './errors.ts'

/** Never sources: dependencies and what build tools write. Dot folders are left out too. */
const SKIPPED = new Set(['node_modules', 'dist'])

/** Most bytes of one file that are read; as `MAX_FILE_BYTES` of the builder. */
export const MAX_FILE_BYTES = 50 * 1024 ** 2

/** What a folder holds. */
export interface Listing {
  /** Paths of files, with their bytes. */
  files: Map<string, number>
  /** Paths that cannot be had, and why; those of folders end in a slash. */
  failed: Map<string, string>
}

/**
 * Lists the files under `dir`. Symbolic links are followed, each real folder once. What is neither file nor folder is left out.
 *
 * # Errors
 * `read-failed` when `dir` itself cannot be read.
 */
export async function listFiles(dir: string, skip: string[] = []): Promise<Listing> {
  const found: Listing = { files: new Map(), failed: new Map() }
  const walk: Walk = { root: dir, skip: new Set(skip.map((path) => resolve(path))), seen: new Set(), found }
  const names = await enter(walk, dir).catch((cause) => {
    throw new PinpackError('read-failed', `cannot read the folder ${dir}: ${cause.message}`, { cause })
  })
  await visit(walk, '', names)
  return found
}

interface Walk {
  root: string
  skip: Set<string>
  /** Real paths of the folders visited: a link that leads back ends here. */
  seen: Set<string>
  found: Listing
}

async function visit(walk: Walk, folder: string, names: string[]): Promise<void> {
  const { files, failed } = walk.found
  // Sorted, so that a folder with several ways to it has the same path on every machine.
  for (const name of names.sort()) {
    const path = folder ? `${folder}/${name}` : name
    const full = join(walk.root, path)
    if (walk.skip.has(resolve(full))) continue
    try {
      const kind = await stat(full)
      if (kind.isFile()) files.set(path, kind.size)
      if (kind.isDirectory() && !SKIPPED.has(name) && !name.startsWith('.')) await descend(walk, path)
    } catch (error) {
      failed.set(path, unreadable(error))
    }
  }
}

async function descend(walk: Walk, folder: string): Promise<void> {
  try {
    await visit(walk, folder, await enter(walk, join(walk.root, folder)))
  } catch (error) {
    walk.found.failed.set(`${folder}/`, unreadable(error))
  }
}

/** The names in a folder; none when it was seen. */
async function enter(walk: Walk, folder: string): Promise<string[]> {
  const real = await realpath(folder)
  if (walk.seen.has(real)) return []
  walk.seen.add(real)
  return readdir(folder)
}

function unreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'a link that leads nowhere'
  if (code === 'ELOOP') return 'a link that leads back to itself'
  return `cannot be read: ${code}`
}
