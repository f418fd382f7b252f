/** Law: native and wasm are one. The same folder gives the same bytes, and the same blob the same packs, score for score. */

import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { open } from 'pinpack'
import { build, readSources } from 'pinpack/build'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asking, filesOf, folderOf, ROOT } from './fixture.ts'

/** Greetings, one word, follow-ups without a subject, names, other scripts, and questions of the demo's own subjects. */
const QUESTIONS = [
  'can I get a refund?',
  'hi, can you help me?',
  'who is the dog?',
  'how much is video streaming?',
  'what about that one?',
  'do you film with drones',
  'when are you open on Sunday?',
  'Can I cancel my booking two days before, and what happens to the deposit?',
  'podcast',
  'PODCASTS with video, please!',
  'zoetrope workshop for children',
  'which formats do I get: MP4, ProRes or 4K?',
  'delay delay delay delay',
  'the ferry film in Brackwater',
  'asdfgh',
  '???',
  '退款',
  'Kann ich mein Geld zurück haben?',
  'wi-fi, wifi, WiFi; the venue’s internet',
  'What does it cost to stream a memorial, how long before must I book, and who sees it?',
]

/** Language, page, questions that find something in it by another form of a word. */
const SITES: [string, string, string[]][] = [
  [
    'de',
    '# Rücksendungen\n\nDie Maskenpflicht gilt.\n\n# Größe\n\nMüller misst die Maske nach der Pflicht.',
    ['Rücksendung', 'mueller', 'Pflicht'],
  ],
  ['fr', "# Livraisons\n\nL'école est payée.\n\n# Prix\n\nDix euros.", ['une livraison', 'ecole', 'payé']],
  ['ru', '# Возврат\n\nВозврат посылки бесплатный.\n\n# Цены\n\nДесять рублей.', ['посылка', 'цена']],
  ['zh', '# 退款\n\n本店提供三十天退款服务。\n\n# 时间\n\n上午九点。', ['退款', '茶九']],
  ['ko', '# 환불\n\n환불은 삼십 일 안에 됩니다.\n\n# 시간\n\n아홉 시.', ['환불이', '시']],
]

const SHARED = join(process.env.PINPACK_SHARED ?? join(ROOT, '../shared'), 'data/sites')
const FOLDERS = [
  join(ROOT, 'www/demo'),
  join(ROOT, 'tests/blobs/site'),
  ...(existsSync(SHARED) ? readdirSync(SHARED).map((name) => join(SHARED, name)) : []),
]

let out: string
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'pinpack-parity-'))
  // With all features, as `cargo test` in the same run: what is compiled already is used.
  await cargo('build', '--quiet', '--all-features', '--example', 'build_folder', '--example', 'pack')
}, 900_000)
afterAll(() => rm(out, { recursive: true, force: true }))

const cargo = (...args: string[]) => promisify(execFile)('cargo', args, { cwd: ROOT, maxBuffer: 1e8 })
const example = (name: string, ...args: string[]) =>
  cargo('run', '--quiet', '--all-features', '--example', name, '--', ...args)

/** The native builder's blob and proxy's file, as they lie on the disk. */
async function native(folder: string) {
  const [blob, knowledge] = [join(out, 'native.pinpack'), join(out, 'native.json')]
  await example('build_folder', folder, blob, knowledge)
  return { blob: await readFile(blob), knowledge: await readFile(knowledge, 'utf8') }
}

describe('native and wasm', () => {
  it.each(FOLDERS.map((folder) => [relative(ROOT, folder), folder] as const))(
    'build the same bytes of %s',
    async (_, folder) => {
      const { files, config } = await readSources(folder)
      const wasm = await build(files, config)
      const { blob, knowledge } = await native(folder)
      expect(Buffer.compare(Buffer.from(wasm.blob), blob)).toBe(0)
      expect(JSON.stringify(wasm.knowledge)).toBe(knowledge)
    },
    120_000,
  )

  if (!existsSync(SHARED)) it.skip(`build the same bytes of the sites in ${SHARED}, which is not there`)

  it.each(SITES)('build and pack the same in %s', async (language, page, questions) => {
    const config = `[site]\nlanguage = "${language}"\n`
    const folder = await folderOf({ 'pinpack.toml': config, 'page.md': page })
    const { blob } = await native(folder)
    expect(Buffer.compare(Buffer.from((await build(filesOf({ 'page.md': page }), config)).blob), blob)).toBe(0)
    const { stdout } = await example('pack', join(out, 'native.pinpack'), ...questions)
    const packed = stdout.trim().split('\n')
    const knowledge = await open(new Uint8Array(blob))
    for (const [at, question] of questions.entries()) {
      const { ids, tokens, sections } = knowledge.pack(asking(question))
      const scores = sections.map(({ score }) => score)
      expect(Math.max(...scores), question).toBeGreaterThan(0)
      expect({ question, ids, tokens, scores }).toEqual(JSON.parse(packed[at] as string))
    }
    knowledge.close()
  })

  it('pack the same for each of 20 questions, scores to the last bit', async () => {
    const folder = join(ROOT, 'www/demo')
    const { blob } = await native(folder)
    const { stdout } = await example('pack', join(out, 'native.pinpack'), ...QUESTIONS)
    const packed = stdout.trim().split('\n')
    expect(packed).toHaveLength(QUESTIONS.length)
    const knowledge = await open(new Uint8Array(blob))
    const scored = QUESTIONS.map((question, at) => {
      const { ids, tokens, sections } = knowledge.pack(asking(question))
      const scores = sections.map(({ score }) => score)
      expect({ question, ids, tokens, scores }).toEqual(JSON.parse(packed[at] as string))
      return scores.some((score) => score > 0)
    })
    // A greeting, nonsense and foreign words match nothing; most questions do.
    expect(scored.filter(Boolean).length).toBeGreaterThan(12)
    knowledge.close()
  })
})
