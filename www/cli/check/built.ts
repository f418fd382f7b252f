/** The checks against what lies on the disk: is the build that is served the one of these sources, and is nothing private public? */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Knowledge, Manifest } from '../../types.ts'
import { type Finding, fileOf, type Outcome, outcome, type Subject, skipped } from './finding.ts'

const REBUILD = 'run `npx pinpack build` and deploy both its folder and its file'

/** Does the build on the disk hold what the sources say now? */
export async function staleness(subject: Subject): Promise<Outcome> {
  const about = 'the build on the disk is of these sources'
  const { built, knowledge } = subject
  const manifest = await json<Manifest>(join(built.out, 'pinpack.json'))
  const proxy = await json<Knowledge>(built.knowledge)
  if (!manifest && !proxy) return skipped('build', about, `no build in ${shown(built.out, subject)}`)
  const findings = [
    ...(manifest ? await folderFindings(subject, manifest) : []),
    ...(proxy && proxy.hash !== knowledge.hash ? [stale(subject, built.knowledge, proxy.hash)] : []),
    ...(proxy ? lostPins(subject, proxy) : []),
  ]
  return outcome('build', about, `hash ${knowledge.hash}`, findings)
}

async function folderFindings(subject: Subject, { hash, blob, wasm }: Manifest): Promise<Finding[]> {
  const { out } = subject.built
  const names = new Set(await readdir(out))
  const gone = [blob, wasm].filter((name) => !names.has(name))
  return [
    ...(hash === subject.knowledge.hash ? [] : [stale(subject, out, hash)]),
    ...gone.map(
      (name): Finding => ({
        ...{ code: 'build-incomplete', level: 'error' },
        message: `${shown(out, subject)}/pinpack.json names ${name}, which is not there`,
        remedy: REBUILD,
      }),
    ),
  ]
}

const stale = (subject: Subject, path: string, hash: string): Finding => ({
  ...{ code: 'build-stale', level: 'error' },
  message: `${shown(path, subject)} holds ${hash}, these sources give ${subject.knowledge.hash}`,
  remedy: REBUILD,
})

/** What was pinned when it was built and is not pinned now: a rule that has silently gone. */
function lostPins(subject: Subject, before: Knowledge): Finding[] {
  const { pinned, sections } = subject.knowledge
  const now = new Set(pinned.map((id) => sections[id]?.ref))
  const still = new Set(sections.map(({ ref }) => ref))
  const lost = before.pinned.flatMap((id) => before.sections[id]?.ref ?? []).filter((ref) => !now.has(ref))
  return lost.map((ref) => ({
    ...{ code: 'pin-gone', level: 'warning', ...fileOf(ref, subject) },
    message: `${ref} was pinned in the build on the disk and ${still.has(ref) ? 'is pinned no more' : 'is no section any more'}`,
    remedy: 'pin it again, or build, so that this is what you want',
  }))
}

/** Names under which the published site must not have the proxy's file. */
export async function privacy(subject: Subject): Promise<Outcome> {
  const about = 'nothing private is published'
  const { site, built, dir } = subject
  const folders = [built.out, ...(site && site !== dir ? [site] : [])]
  const found = (
    await Promise.all(
      folders.map((folder) =>
        json<Knowledge>(join(folder, 'knowledge.json')).then((k) => (k?.sections ? [folder] : [])),
      ),
    )
  ).flat()
  const leaks = found.map(
    (folder): Finding => ({
      ...{ code: 'knowledge-public', level: 'error' },
      message: `${shown(folder, subject)}/knowledge.json holds the text of private rules, and the folder is published`,
      remedy: 'name a file outside it with `npx pinpack build --knowledge`',
    }),
  )
  const pages = site && site !== dir ? await publishedRules(subject, site) : []
  return outcome(
    'privacy',
    about,
    `${folders.length} published ${folders.length === 1 ? 'folder' : 'folders'} looked at`,
    [...leaks, ...pages],
  )
}

/** Rules without an address that the generator made a page of all the same. */
async function publishedRules(subject: Subject, site: string): Promise<Finding[]> {
  const { pinned, sections } = subject.knowledge
  const files = new Set(
    pinned.flatMap((id) => (sections[id]?.url === '' ? (fileOf(sections[id]?.ref ?? '', subject).file ?? []) : [])),
  )
  const findings: Finding[] = []
  for (const file of files) {
    const stem = file.replace(/\.\w+$/, '')
    const page = await firstFile(site, [file, `${stem}.html`, `${stem}/index.html`])
    if (page)
      findings.push({
        ...{ code: 'rule-public', level: 'error', file },
        message: `${file} is private, and the site publishes it as ${page}`,
        remedy: "exclude the folder of the rules in the settings of the site's generator",
      })
  }
  return findings
}

export async function firstFile(folder: string, paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    const found = await stat(join(folder, path)).catch(() => undefined)
    if (found?.isFile()) return path
  }
  return undefined
}

const shown = (path: string, { dir }: Subject) => relative(dir, path) || '.'

/** A JSON file; `undefined` when there is none, or something else. */
async function json<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch {
    return undefined
  }
}
