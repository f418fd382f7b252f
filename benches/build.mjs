// Measures the build half, natively and in the build wasm: `npm run bench -- --build`, see docs/benchmarks.md.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { at, Failure, must, step } from '../scripts/shell.mjs'
import { SHARED } from './harness.mjs'

const HERE = at('.cache', 'bench-build')
const SITES = join(SHARED, 'data', 'sites')
const RECORDS = join(SHARED, 'data', 'growth', 'docs-10000', 'corpus.jsonl')

/** Least bytes of Markdown that are measured. */
const LEAST = 20e6
/** Bars of reading and cutting Markdown, in MB/s on one core. */
const BARS = { native: 20, wasm: 8 }
const STAGES = ['reading', 'cutting', 'counting', 'indexing', 'encoding', 'reporting']

/** Gives `[{ corpus, where, bytes, rounds }]`; times in milliseconds of one thread's processor time where it can be had. */
export async function measureBuild(rounds) {
  if (!existsSync(SITES)) return undefined
  const corpora = { markdown: await markdown(), jsonl: await records() }
  step('building the native example (profile bench)')
  const example = ['-p', 'pinpack-index', '--example', 'build_speed', '--features', 'build']
  await must('cargo', ['build', '--quiet', '--profile', 'bench', ...example], { show: true })
  const runs = []
  for (const [corpus, folder] of Object.entries(corpora)) {
    step(`building ${corpus}`)
    const native = await must(at('target', 'release', 'examples', 'build_speed'), [folder, rounds])
    const wasm = await must(process.execPath, [at('benches', 'build-wasm.mjs'), folder, rounds])
    runs.push({ corpus, where: 'native', ...JSON.parse(native) }, { corpus, where: 'wasm', ...JSON.parse(wasm) })
  }
  return runs
}

/** The Markdown of all sites in one folder, repeated under other names until it is enough. */
async function markdown() {
  const folder = await fresh('markdown', '[budget]\ncontext = 1000000\n')
  const entries = await readdir(SITES, { recursive: true, withFileTypes: true })
  const paths = entries.filter((e) => e.isFile() && /\.mdx?$/.test(e.name)).map((e) => join(e.parentPath, e.name))
  if (paths.length === 0) throw new Failure(`no Markdown below ${SITES}`)
  for (let copy = 0, bytes = 0; bytes < LEAST; copy++) {
    for (const path of paths.sort()) {
      const content = await readFile(path)
      const target = join(folder, `${copy}`, relative(SITES, path))
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, content)
      bytes += content.length
    }
  }
  return folder
}

async function records() {
  const folder = await fresh('jsonl', '[sources]\ninclude = []\njsonl = "corpus.jsonl"\n')
  await writeFile(join(folder, 'corpus.jsonl'), await readFile(RECORDS))
  return folder
}

async function fresh(name, config) {
  const folder = join(HERE, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'pinpack.toml'), config)
  return folder
}

/** Rows for a table; of each run the round that took least. */
export const rowsOf = (runs) => runs.map((run) => [run.corpus, run.where, ...figures(run)])
export const HEAD = ['corpus', 'where', 'MB', 'read + cut', 'count', 'tokens/s', ...STAGES, 'all but counting']

function figures({ corpus, where, bytes, rounds }) {
  const best = rounds.reduce((a, b) => (b.total < a.total ? b : a))
  const rate = (size, ms) => size / 1e6 / (ms / 1000)
  const cut = rate(bytes, best.reading + best.cutting)
  const bar = corpus === 'markdown' ? ` (bar ${BARS[where]}: ${cut >= BARS[where] ? 'met' : 'not met'})` : ''
  return [
    (bytes / 1e6).toFixed(1),
    `${cut.toFixed(1)} MB/s${bar}`,
    `${rate(best.countedBytes, best.counting).toFixed(1)} MB/s`,
    `${rate(best.countedTokens, best.counting).toFixed(1)} M`,
    ...STAGES.map((stage) => `${best[stage].toFixed(0)} ms`),
    `${rate(bytes, best.total - best.counting).toFixed(1)} MB/s`,
  ]
}
