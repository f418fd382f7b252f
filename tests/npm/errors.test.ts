/** `docs/errors.md` holds every code that the sources raise, and none besides. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './fixture.ts'

const CODE = /^[a-z]+(?:-[a-z]+)*$/

/** Files under `folder` whose names end so, as `[path, text]`. */
async function sources(folder: string, end: string): Promise<[string, string][]> {
  const names = await readdir(join(ROOT, folder), { recursive: true })
  const chosen = names.filter((name) => name.endsWith(end) && !/^(?:wasm|demo)\/|tests/.test(name))
  return Promise.all(
    chosen.map(
      async (name) => [`${folder}/${name}`, await readFile(join(ROOT, folder, name), 'utf8')] as [string, string],
    ),
  )
}

const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found]) => found as string)

/** The texts in quotation marks of an argument: of a choice `a ? 'x' : 'y'`, the two that can come out. */
const quoted = (argument: string) => all(argument.split(' ? ').at(-1) as string, /'([^']+)'/g)

function codesOfTypeScript(text: string): string[] {
  const thrown = all(text, /\b(?:Pinpack|Request|Upstream|Transport)Error\(\s*([^,)]+)/g)
  const named = all(text, /\bcode: ('[^']+')/g)
  const chosen = all(text, /\bconst code = ([^\n]+)/g).filter((line) => line.includes('?'))
  const fallback = all(text, /\bPinpackError\.from\(\w+, ('[^']+')\)/g)
  const warned = all(text, /\bprintWarning\(\s*('[^']+')/g)
  const tables = all(text, /export const (?:STATUS|UPSTREAM_TEXT) = \{([^}]+)\}/g)
  const keys = tables.flatMap((table) => all(table, /^\s*'?([a-z-]+)'?:/gm))
  const codes = [...thrown, ...named, ...chosen, ...fallback, ...warned].flatMap(quoted)
  return [...codes, ...keys].filter((code) => CODE.test(code))
}

function codesOfRust(text: string): string[] {
  const functions = all(text, /fn code\(&self\) -> &'static str \{([\s\S]*?)\n {4,8}\}\n/g)
  const matched = functions.flatMap((body) => all(body, /=> "([^"]+)"/g))
  return [...matched, ...all(text, /\bcoded\("([^"]+)"/g), ...all(text, /\.push\(\s*"([a-z-]+)",\s*format!/g)]
}

async function raised(): Promise<Map<string, string>> {
  const [typescript, engine, builder] = await Promise.all([
    sources('www', '.ts'),
    sources('src', '.rs'),
    sources('pinpack-index/src', '.rs'),
  ])
  return new Map([
    ...typescript.flatMap(([path, text]) => codesOfTypeScript(text).map((code) => [code, path] as const)),
    ...[...engine, ...builder].flatMap(([path, text]) => codesOfRust(text).map((code) => [code, path] as const)),
  ])
}

async function documented(): Promise<string[][]> {
  const text = await readFile(join(ROOT, 'docs/errors.md'), 'utf8')
  return text.split('\n## ').map((part) => all(part, /^\| `([^`]+)` \|/gm))
}

it('is searched for in the ways that codes are written', async () => {
  const codes = await raised()
  // One of each kind: thrown, in a choice, by a table, a fallback, a warning; by Rust's match, binding and report.
  for (const code of ['closed', 'offline', 'upstream-auth', 'wasm-failed', 'ref-unknown', 'search-off']) {
    expect(codes.get(code), code).toMatch(/^www\//)
  }
  for (const code of ['blob-magic', 'budget-too-small', 'config-value', 'files-invalid', 'never-fits']) {
    expect(codes.get(code), code).toMatch(/\.rs$/)
  }
})

it('lists every code that is raised', async () => {
  const listed = new Set((await documented()).flat())
  const missing = [...(await raised())].filter(([code]) => !listed.has(code))
  expect(missing).toEqual([])
})

it('lists none that is not raised, in order, each once', async () => {
  const codes = await raised()
  // The widget makes these from an answer's status.
  const derived = ['http-<status>', 'cut', 'stopped']
  for (const table of await documented()) {
    expect(table).toEqual([...new Set(table)].sort())
    expect(table.filter((code) => !codes.has(code) && !derived.includes(code))).toEqual([])
  }
})
