// The shared benchmark harness: found beside the repository, copied into .cache/bench, given our adapters.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { at, must, step } from '../scripts/shell.mjs'

/** What the peers of the comparison need; the harness's other peers are not installed. */
const NEEDED = ['esbuild', 'minisearch']

/** Adapters of ours, by the names they have in the comparison. */
const ADAPTERS = { pinpack: 'adapter.mjs', 'pinpack-engine': 'engine.mjs' }

const HERE = at('.cache', 'bench')

/** The folder that holds `bench/` and `data/`: `PINPACK_SHARED`, or `shared` beside the repository. */
export const SHARED = resolve(process.env.PINPACK_SHARED ?? at('..', 'shared'))

export const isThere = () => existsSync(join(SHARED, 'bench', 'bench.mjs'))

/** Copies the harness, installs what it needs, and puts our adapters in. */
export async function prepare() {
  await copy(join(SHARED, 'bench'), HERE)
  await install()
  for (const [name, file] of Object.entries(ADAPTERS)) await addAdapter(name, file)
  await forgetIndexes()
}

/** Runs the harness, shows what it prints, and gives its report. */
export async function measure(dirs, peers, { repeat, rounds }) {
  const file = join(HERE, 'out', 'report.json')
  await rm(file, { force: true })
  const options = { data: dirs.join(','), peers: peers.join(','), repeat, rounds, json: file }
  const args = Object.entries(options).flatMap(([key, value]) => [`--${key}`, `${value}`])
  await must(process.execPath, [join(HERE, 'bench.mjs'), ...args], { cwd: HERE, show: true })
  return JSON.parse(await readFile(file, 'utf8'))
}

/** File by file: the shared folder's files have no write bit, which a copy of them would keep. */
async function copy(from, to) {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const source = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, source))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, await readFile(source))
  }
}

async function install() {
  const manifest = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8'))
  const wanted = Object.entries(manifest.dependencies).filter(([name]) => NEEDED.includes(name))
  manifest.dependencies = Object.fromEntries(wanted)
  await writeFile(join(HERE, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  if (NEEDED.every((name) => existsSync(join(HERE, 'node_modules', name)))) return
  step('installing what the peers of the comparison need')
  await must('npm', ['install', '--no-audit', '--no-fund'], { cwd: HERE })
}

async function addAdapter(name, file) {
  const folder = join(HERE, 'adapters')
  const way = (...parts) => relative(folder, at(...parts)).replaceAll(sep, '/')
  const places = {
    "'pinpack'": `'${way('dist', 'index.js')}'`,
    "'pinpack/build'": `'${way('dist', 'build.js')}'`,
    "'pinpack/engine'": `'${way('www', 'wasm', 'query', 'pinpack.js')}'`,
    "assets: ['pinpack_bg.wasm']": `assets: [${JSON.stringify(at('dist', 'pinpack_bg.wasm'))}]`,
  }
  let source = await readFile(at('benches', file), 'utf8')
  for (const [from, to] of Object.entries(places)) source = source.replaceAll(from, to)
  await writeFile(join(folder, `${name}.mjs`), source)
}

/** The harness keeps built indexes; ours may be of an older build. */
async function forgetIndexes() {
  const folder = join(HERE, '.cache')
  const names = await readdir(folder).catch(() => [])
  const ours = names.filter((name) => Object.keys(ADAPTERS).some((peer) => name.startsWith(`${peer}--`)))
  await Promise.all(ours.map((name) => rm(join(folder, name), { force: true })))
}
