/** The knowledge base that a command works on: built in memory from a folder, or a ready blob. */

import { resolve } from 'node:path'
import { type BuildResult, build, readSources } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { type KnowledgeBase, open } from '../index.ts'
import { progress } from './terminal.ts'

/** Options that say where the knowledge base is. */
export interface SourceOptions {
  dir?: string
  config?: string
  blob?: string
}

/** Reads and builds a folder, with a progress bar. `out` is left out of the sources. */
export async function buildFolder(dir: string, config?: string, out?: string): Promise<BuildResult> {
  const options = { ...(config && { config }), ...(out && { skip: [out] }) }
  const sources = await readSources(resolve(dir), options)
  return buildWithProgress(sources.files, sources.config)
}

/** `build`, with a progress bar. */
export async function buildWithProgress(...[files, config]: Parameters<typeof build>): Promise<BuildResult> {
  const bar = progress('building')
  try {
    return await build(files, config, { onProgress: bar.update })
  } finally {
    bar.done()
  }
}

/** Opens what the options name. */
export async function openKnowledge(options: SourceOptions): Promise<KnowledgeBase> {
  if (options.blob && (options.dir || options.config)) {
    throw new PinpackError('usage', '--blob is a built knowledge base: it takes no --dir and no --config')
  }
  if (options.blob) return open(resolve(options.blob))
  const { blob } = await buildFolder(options.dir ?? '.', options.config)
  return open(blob)
}

/** The visitor's messages as a conversation, earliest first. */
export function conversation(question: string, history: string[] = []) {
  return [...history, question].map((content) => ({ role: 'user' as const, content }))
}
