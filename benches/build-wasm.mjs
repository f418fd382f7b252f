// The build wasm on one folder: `node benches/build-wasm.mjs FOLDER ROUNDS` prints as JSON what the example build_speed does.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { at } from '../scripts/shell.mjs'
import * as glue from '../www/wasm/build/pinpack.js'

// The builder's clock. On a machine that does other things too, a thread's own processor time says more than the wall's.
if (process.threadCpuUsage) {
  performance.now = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
}

const [folder, rounds] = process.argv.slice(2)
glue.initSync({ module: readFileSync(at('www', 'wasm', 'build', 'pinpack_bg.wasm')) })
const config = readFileSync(join(folder, 'pinpack.toml'), 'utf8')
const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
const paths = entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
const files = glue.select(paths, config).map((path) => ({ path, bytes: readFileSync(join(folder, path)) }))
const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
console.log(JSON.stringify({ bytes, rounds: Array.from({ length: Number(rounds) }, round) }))

/** One build from nothing. */
function round() {
  const builder = glue.Builder.timed()
  const start = performance.now()
  const { report } = builder.build(files, config, undefined)
  const total = performance.now() - start
  const times = builder.times()
  builder.free()
  return { ...times, total, sections: report.sections }
}
