/** Which engine a knowledge base gets: the small one for English, the one with all languages else. One engine a process. */

import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, outputFiles } from 'pinpack/build'
import { describe, expect, it } from 'vitest'
import { buildFixture, DIST, filesOf, folderOf, inFreshProcess } from './fixture.ts'

const GERMAN = {
  'content/hilfe.md':
    '# Rücksendungen\n\nSie schicken die Ware binnen dreißig Tagen zurück.\n\n# Größen\n\nDie Größentabelle nennt alle Maße.\n',
}
const ENGLISH = {
  'content/help.md':
    '# Opening hours\n\nWe are open from nine to five, on working days only, and we answer every letter that you send us on the day when it comes, or else on the one that follows.\n',
}

/** Enough of each language to tell it. */
const BOTH = {
  ...ENGLISH,
  'content/hilfe.md':
    '# Rücksendungen\n\nSie schicken die Ware binnen dreißig Tagen nach dem Empfang zurück, und wir erstatten Ihnen den vollen Preis, auch den des Versands. Bitte verwenden Sie dafür den Karton, in dem die Ware zu Ihnen kam.\n',
}

const config = (language: string) => `[site]\nlanguage = "${language}"\n[sources]\ninclude = ["content/**/*.md"]\n`
const german = () => build(filesOf(GERMAN), config('de'))

/** Writes the blobs, and runs code in a process where `path(name)` is one of them and `first(kb, question)` the ref found first. */
async function run<T>(blobs: Record<string, Uint8Array>, code: string): Promise<T> {
  const dir = await folderOf(blobs)
  return inFreshProcess<T>(`
    import { readFile } from 'node:fs/promises'
    import { open, quote } from 'pinpack'
    const path = (name) => ${JSON.stringify(`${dir}/`)} + name
    const first = (kb, content) => kb.rank([{ role: 'user', content }])[0]?.ref
    const code = (error) => error.code
    let modules = 0
    const real = WebAssembly.Module
    WebAssembly.Module = new Proxy(real, { construct: (of, args) => (modules++, new of(...args)) })
    ${code}`)
}

describe('a blob in another language', () => {
  it('is searched by its stems, with accents, without, and by the parts of a compound', async () => {
    const told = await run<(string | undefined)[]>(
      { 'de.pinpack': (await german()).blob },
      `const kb = await open(path('de.pinpack'))
       tell(['rücksendung', 'ruecksendung', 'RUCKSENDUNG', 'Tabelle', 'wie ist das'].map((question) => first(kb, question)))`,
    )
    const [returns, sizes] = ['content/hilfe.md#rücksendungen', 'content/hilfe.md#größen']
    expect(told.slice(0, 3)).toEqual([returns, returns, returns])
    expect(told[3] ?? sizes).toBe(sizes)
  })

  it('is refused by the small engine when the caller names that', async () => {
    const wasm = JSON.stringify(join(DIST, 'pinpack_bg.wasm'))
    const blobs = { 'de.pinpack': (await german()).blob }
    expect(await run(blobs, `tell(await open(path('de.pinpack'), { wasm: ${wasm} }).catch(code))`)).toBe(
      'blob-languages',
    )
  })

  it('comes after an English one, and both go on', async () => {
    const blobs = { 'en.pinpack': (await buildFixture()).blob, 'de.pinpack': (await german()).blob }
    const told = await run(
      blobs,
      `const en = await open(path('en.pinpack'))
       const before = first(en, 'who is Remi?')
       const de = await open(path('de.pinpack'))
       tell([before, first(de, 'Rücksendung'), first(en, 'who is Remi?'), first(await open(path('en.pinpack')), 'Remi'), modules])`,
    )
    const dog = 'content/dog.md#the-studio-dog'
    expect(told).toEqual([dog, 'content/hilfe.md#rücksendungen', dog, dog, 2])
  })

  it('is quoted by its stems, once it is open', async () => {
    const told = await run<string>(
      { 'de.pinpack': (await german()).blob },
      `await open(path('de.pinpack'))
       const passages = ['Alles ist gut. Rücksendungen sind frei. Es regnet.']
       tell((await quote([{ role: 'user', content: 'eine Rücksendung' }], passages, { language: 'de', limit: 1 }))[0].text)`,
    )
    expect(told).toContain('Rücksendungen sind frei.')
  })
})

describe('the folder of a build', () => {
  const digest = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(DIST, name)))
      .digest('hex')
      .slice(0, 12)

  it.each([
    ['en', ENGLISH, 'pinpack_bg.wasm'],
    ['xx', ENGLISH, 'pinpack_bg.wasm'],
    ['de', GERMAN, 'pinpack_languages_bg.wasm'],
    ['auto', ENGLISH, 'pinpack_bg.wasm'],
    ['auto', BOTH, 'pinpack_languages_bg.wasm'],
  ])('in %s has the engine that it needs', async (language, pages, engine) => {
    const files = await outputFiles(await build(filesOf(pages), config(language)))
    const manifest = JSON.parse(new TextDecoder().decode(files.get('pinpack.json')))
    expect(manifest.wasm).toBe(`pinpack-${await digest(engine)}.wasm`)
    expect(files.get(manifest.wasm)).toBeDefined()
  })

  it('starts one engine', async () => {
    const dir = await folderOf({})
    for (const [name, bytes] of await outputFiles(await german())) await writeFile(join(dir, name), bytes)
    const told = await run(
      {},
      `const kb = await open(${JSON.stringify(`${dir}/`)})\ntell([first(kb, 'Rücksendung'), modules])`,
    )
    expect(told).toEqual(['content/hilfe.md#rücksendungen', 1])
  })
})

it('tells the language of each section, and names them in the blob', async () => {
  const { blob, knowledge } = await build(filesOf(BOTH), config('auto'))
  expect(knowledge.language.split(',').sort()).toEqual(['de', 'en'])
  const told = await run(
    { 'auto.pinpack': blob },
    `const kb = await open(path('auto.pinpack'))
     tell(['Rücksendung', 'when do you open?', 'Preise'].map((question) => first(kb, question)))`,
  )
  expect(told).toEqual([
    'content/hilfe.md#rücksendungen',
    'content/help.md#opening-hours',
    'content/hilfe.md#rücksendungen',
  ])
})
