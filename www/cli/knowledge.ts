/** The knowledge base that a command works on: built in memory from a folder, or a ready blob. */

import { resolve } from 'node:path'
import { type BuildResult, build, readSources, type Sources } from '../build.ts'
import { PinpackError } from '../errors.ts'
import { type KnowledgeBase, open } from '../index.ts'
import { progress } from './terminal.ts'

/** Options that say where the knowledge base is. */
export interface SourceOptions {
  dir?: string
  config?: string
  blob?: string
}

/** Reads and builds a folder, with a progress bar. `made`: files and folders that are no sources. */
export async function buildFolder(dir: string, config?: string, made: string[] = []): Promise<BuildResult> {
  return buildWithProgress(await readFolder(dir, config, made))
}

/** The sources of a folder. */
export function readFolder(dir: string, config?: string, made: string[] = []): Promise<Sources> {
  return readSources(resolve(dir), { skip: made, ...(config && { config }) })
}

/** `build`, with a progress bar. */
export function buildWithProgress(sources: Partial<Sources> & Pick<Sources, 'files' | 'config'>): Promise<BuildResult> {
  return showing('building', (onProgress) => build(sources.files, sources.config, { ...sources, onProgress }))
}

/** Runs work with a progress bar. */
export async function showing<T>(label: string, work: (update: (done: number, total: number) => void) => Promise<T>) {
  const bar = progress(label)
  try {
    return await work(bar.update)
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
