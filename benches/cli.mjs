// Measures commands as a user runs them, from a cold start: `npm run bench -- cli [--runs N] [--json FILE]`, see docs/benchmarks.md.
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ask, at, Failure, main, must } from '../scripts/shell.mjs'
import { bigSite } from './big-site.mjs'
import { SHARED } from './harness.mjs'

const HERE = at('.cache', 'bench-cli')
const CLI = at('dist', 'cli.js')
const RECORDS = join(SHARED, 'data', 'growth', 'docs-10000')
const HELP_CENTRE = join(SHARED, 'data', 'sites', 'helpcentre-bitwarden')
/**
 * Bars, in milliseconds of processor time: what a process waits for others on a busy machine is not its own, and on a quiet one it is
 * no faster than that.
 */
const BARS = { explain: 400, build: 2000 }

async function bench() {
  const { runs, json } = options()
  await rm(HERE, { recursive: true, force: true })
  const explain = await explainCold(runs)
  const build = await buildHelpCentre(runs)
  const rows = [explain, build].filter(Boolean)
  const [{ model } = {}] = cpus()
  console.log(
    `\nCommit ${commit()}; ${model}, ${cpus().length} cores; Node ${process.versions.node}; ${runs} runs each.\n`,
  )
  const cells = ({ command, corpus, median, most, processor, bar }) => {
    const judged = bar ? `${processor <= bar ? 'met' : 'not met'}: ${bar} ms` : ''
    return `| \`${command}\` | ${corpus} | ${median.toFixed(0)} ms | ${most.toFixed(0)} ms | ${processor.toFixed(0)} ms | ${judged} |`
  }
  console.log(
    [
      '| command | corpus | wall clock, median | slowest | processor time, median | bar |',
      '| --- | --- | ---: | ---: | ---: | --- |',
      ...rows.map(cells),
    ].join('\n'),
  )
  if (json) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`)
  return 0
}

function options() {
  const string = { type: 'string' }
  const { runs = '9', json } = parseArgs({
    args: process.argv.slice(2),
    options: { runs: string, json: string },
  }).values
  if (!/^[1-9]\d*$/.test(runs)) throw new Failure('--runs takes a number of 1 or more')
  return { runs: Number(runs), json: json && resolve(json) }
}

/** A question to a built blob of 10,000 sections: those of the shared set, or made ones where it is not there. */
async function explainCold(runs) {
  const dir = join(HERE, 'records')
  await mkdir(dir, { recursive: true })
  const shared = existsSync(RECORDS)
  await writeFile(join(dir, 'corpus.jsonl'), shared ? await readFile(join(RECORDS, 'corpus.jsonl')) : madeRecords())
  const config = '[sources]\ninclude = []\njsonl = "corpus.jsonl"\n[pinned]\ninclude = []\n'
  await writeFile(join(dir, 'pinpack.toml'), config)
  const { sections } = await built(dir)
  const blob = (await readdir(join(dir, 'pinpack'))).find((name) => name.endsWith('.pinpack'))
  const args = ['explain', 'how do I configure the server', '--blob', join(dir, 'pinpack', blob), '--json']
  const corpus = `${sections.toLocaleString('en-US')} ${shared ? 'documentation sections' : 'made sections'}`
  return { command: 'pinpack explain --blob', corpus, bar: BARS.explain, ...(await timed(args, runs)) }
}

/** Builds once, for the files and the figures. */
async function built(dir) {
  await must(process.execPath, [CLI, 'build', dir])
  const { sections } = JSON.parse(await readFile(join(dir, 'knowledge.json'), 'utf8'))
  return { sections: sections.length, textBytes: sections.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) }
}

/** Two sites of 5,000 sections, a record a section. */
function madeRecords() {
  const sections = [18, 19].flatMap((seed) => Object.values(bigSite(seed)).flatMap((page) => page.split(/^(?=# )/m)))
  const lines = sections.filter(Boolean).slice(0, 10_000)
  return lines
    .map((text, i) => JSON.stringify({ _id: `s${i}`, title: text.slice(2, text.indexOf('\n')), text }))
    .join('\n')
}

/** Everything that `build` does, the folder to upload and the proxy's file included. */
async function buildHelpCentre(runs) {
  if (!existsSync(HELP_CENTRE)) {
    console.log(`no help centre in ${SHARED}: its build is not measured (PINPACK_SHARED names the folder)`)
    return undefined
  }
  const dir = join(HERE, 'help-centre')
  await copy(HELP_CENTRE, dir)
  const { sections, textBytes } = await built(dir)
  const corpus = `a help centre: ${sections.toLocaleString('en-US')} sections, ${(textBytes / 1e6).toFixed(1)} MB of text`
  return { command: 'pinpack build', corpus, bar: BARS.build, ...(await timed(['build', dir, '--json'], runs)) }
}

/** The shared folder's files have no write bit; a copy of their bytes does. */
async function copy(from, to) {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((entry) => entry.isFile())) {
    const folder = join(to, entry.parentPath.slice(from.length))
    await mkdir(folder, { recursive: true })
    await cp(join(entry.parentPath, entry.name), join(folder, entry.name), { mode: 0 })
  }
}

/** Each run is a process of its own: starting Node, loading, opening and printing are in it. */
async function timed(args, runs) {
  const [times, processor] = [[], []]
  for (let run = 0; run < runs; run++) {
    const from = performance.now()
    const said = await must(process.execPath, ['--import', PROCESSOR, CLI, ...args])
    times.push(performance.now() - from)
    processor.push(Number(/processor (\d+) µs\s*$/.exec(said)?.[1]) / 1000)
  }
  return { median: median(times), most: Math.max(...times), processor: median(processor), times }
}

/** Says at its end what time of all processors a process took: on a machine that does other work too, it is the steadier figure. */
const PROCESSOR = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    writeSync(2, 'processor ' + (user + system) + ' µs\\n')
  })`)}`

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function commit() {
  const id = ask('git', ['rev-parse', '--short', 'HEAD'])
  if (!id) return 'unknown'
  return ask('git', ['status', '--porcelain']) ? `${id} with changes` : id
}

await main(bench)
