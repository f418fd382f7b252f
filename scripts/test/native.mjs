// What the native engine packs for the questions of tests/blobs: tests/wasm.rs holds the browser's engine to it, to the bit.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { ask, at, Failure, must } from '../shell.mjs'

const BLOB = at('tests', 'blobs', 'format-1.pinpack')
// With all features, as `cargo test` in the same run: what is compiled already is used.
const PACK = ['--quiet', '--all-features', '--example', 'pack']

/** Resolves to the path of the file: a line of JSON a question. */
export async function nativePacks() {
  const { answers } = JSON.parse(await readFile(at('tests', 'blobs', 'answers.json'), 'utf8'))
  await must('cargo', ['build', ...PACK], { show: true })
  const packs = ask('cargo', ['run', ...PACK, '--', BLOB, ...answers.map(({ question }) => question)])
  if (!packs) throw new Failure(`the native engine does not pack ${BLOB}`, 'run `cargo test --test blobs`')
  const path = at('target', 'native-packs.jsonl')
  await mkdir(at('target'), { recursive: true })
  await writeFile(path, packs)
  return path
}
