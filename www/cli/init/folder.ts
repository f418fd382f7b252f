/** A folder as `pinpack init` looks at it: its names, some of its pages, the settings of its generator. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles } from '../../sources.ts'

/** Pages of which the beginning is read; of a larger site every so many. */
const SAMPLED = 120
/** Characters of a page that are read. */
const HEAD = 6000

/** What `look` found. */
export interface Folder {
  dir: string
  /** Relative paths of all files, sorted, without hidden ones and dependencies. */
  files: string[]
  /** Names in the folder itself, hidden ones too. */
  names: Set<string>
  /** Names in `dependencies` and `devDependencies` of its package.json. */
  packages: Set<string>
  /** The beginnings of some Markdown and HTML pages. */
  pages: Page[]
  /** A file's text; `''` when there is none. */
  text(path: string): Promise<string>
}

export interface Page {
  path: string
  head: string
}

/**
 * Looks at a folder.
 *
 * # Errors
 * `read-failed` when it cannot be read.
 */
export async function look(dir: string): Promise<Folder> {
  const files = [...(await listFiles(dir)).files.keys()].sort()
  const text = (path: string) => readFile(join(dir, path), 'utf8').catch(() => '')
  const some = sample(files.filter((path) => PAGE.test(path)))
  return {
    dir,
    files,
    names: new Set(await readdir(dir)),
    packages: packagesOf(await text('package.json')),
    pages: await Promise.all(some.map(async (path) => ({ path, head: (await text(path)).slice(0, HEAD) }))),
    text,
  }
}

/** What a page is by its name. */
export const PAGE = /\.(md|mdx|markdown|html?)$/i

/** The first path that exists of some. */
export const firstOf = ({ files, names }: Folder, ...paths: string[]) =>
  paths.find((path) => names.has(path) || files.includes(path))

/** Whether any file lies below a folder. */
export const holds = ({ files }: Folder, folder: string) => files.some((path) => path.startsWith(`${folder}/`))

function sample(paths: string[]): string[] {
  const step = Math.max(1, paths.length / SAMPLED)
  return Array.from({ length: Math.min(paths.length, SAMPLED) }, (_, i) => paths[Math.floor(i * step)] as string)
}

function packagesOf(text: string): Set<string> {
  try {
    const { dependencies, devDependencies } = JSON.parse(text)
    return new Set(Object.keys({ ...dependencies, ...devDependencies }))
  } catch {
    return new Set()
  }
}
