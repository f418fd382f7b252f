// Compares pinpack with other in-browser search engines; with --build, measures the build half: `npm run bench`, see docs/benchmarks.md.
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ask, Failure, main } from '../scripts/shell.mjs'
import { HEAD, measureBuild, rowsOf } from './build.mjs'
import { isThere, measure, prepare, SHARED } from './harness.mjs'

const FLOOR = 'floor-js'
const OURS = ['pinpack', 'pinpack-engine']
const PEERS = [...OURS, FLOOR, 'handrolled-inv', 'minisearch']
const SETS = ['docs-136', 'docs-1000', 'docs-10000']

/** Bars, as ratios to floor-js: index bytes to first answer by the number of sections, and the median of warm ranking. */
const COLD = { 136: 6, 1000: 4, 10000: 1.5 }
const WARM = 2

async function bench() {
  const { build, data, repeat, rounds, json } = options()
  if (build) return await benchBuild(rounds, json)
  if (!isThere()) {
    console.log(`no harness at ${join(SHARED, 'bench')}: the comparison is skipped (PINPACK_SHARED names its folder)`)
    return 0
  }
  await prepare()
  const measured = commit()
  const report = await measure(data, PEERS, { repeat, rounds })
  report.commit = measured
  report.ratios = report.sets.map(ratios)
  print(report)
  if (json) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
  const failed = report.sets.flatMap(({ name, peers }) =>
    Object.entries(peers).flatMap(([peer, { error }]) => (error ? [`${peer} on ${name}: ${error}`] : [])),
  )
  for (const line of failed) console.error(line)
  return failed.length > 0 ? 1 : 0
}

async function benchBuild(rounds, json) {
  const runs = await measureBuild(rounds)
  if (!runs) {
    console.log(`no sites in ${SHARED}: the build is not measured (PINPACK_SHARED names its folder)`)
    return 0
  }
  const processor = cpus()
  console.log(
    `\nCommit ${commit()}; ${processor[0]?.model}, ${processor.length} cores; Node ${process.versions.node}.\n`,
  )
  grid(HEAD, rowsOf(runs))
  if (json) await writeFile(json, `${JSON.stringify(runs, null, 2)}\n`)
  return 0
}

function options() {
  const string = { type: 'string' }
  let values
  try {
    values = parseArgs({
      options: { build: { type: 'boolean' }, data: string, repeat: string, rounds: string, json: string },
    }).values
  } catch (error) {
    throw new Failure(error.message, 'options: --build, --data DIR[,DIR], --repeat N, --rounds N, --json FILE')
  }
  const { build = false, repeat = '7', rounds = '3', json } = values
  if (![repeat, rounds].every((text) => /^[1-9]\d*$/.test(text)))
    throw new Failure('--repeat and --rounds take a number of 1 or more')
  const growth = SETS.map((name) => join(SHARED, 'data', 'growth', name))
  const data = values.data?.split(',').map((dir) => resolve(dir)) ?? growth
  return { build, data, repeat, rounds, json: json && resolve(json) }
}

/** Of each of our peers on one set: times as multiples of floor-js, quality, bytes. */
function ratios({ name, docs, peers }) {
  const floor = peers[FLOOR]
  const by = (part, key) => (peer) => peers[peer][part][key] / floor[part][key]
  const rows = OURS.filter((peer) => !peers[peer].error && !floor.error).map((peer) => ({
    peer,
    cold: by('cold', 'coldMs')(peer),
    coldBar: COLD[docs],
    warm: by('warm', 'medianMs')(peer),
    warmBar: WARM,
    p99: by('warm', 'p99Ms')(peer),
  }))
  return { set: name, docs, rows }
}

function print({ machine, options, commit, code, sets, ratios }) {
  console.log(`\n## pinpack ÷ ${FLOOR}, medians of one run\n`)
  const corpora = sets.map(({ name }) => basename(name)).join(', ')
  console.log(`Commit ${commit}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node.slice(1)}.`)
  console.log(`Corpora ${corpora}; ${options.repeat} cold starts and ${options.rounds} warm rounds of each.\n`)
  const times = ratios.flatMap(({ docs, rows }) =>
    rows.map((row) => [
      docs,
      row.peer,
      judged(row.cold, row.coldBar),
      judged(row.warm, row.warmBar),
      multiple(row.p99),
    ]),
  )
  grid(['sections', 'peer', 'bytes → first answer', 'warm median', 'warm p99'], times)
  const quality = sets.flatMap(({ docs, peers }) =>
    Object.entries(peers)
      .filter(([peer, { error }]) => !error && peer !== OURS[1])
      .map(
        ([
          peer,
          {
            quality: { hit1, mrr10, ndcg10 },
            index,
          },
        ]) => {
          const [figures, size] = [[hit1, mrr10, ndcg10].map((figure) => figure.toFixed(3)), index ?? {}]
          return [docs, peer, ...figures, ...[code[peer]?.br, size.raw, size.br].map(bytes)]
        },
      ),
  )
  console.log('')
  grid(['sections', 'peer', 'hit@1', 'MRR@10', 'nDCG@10', 'code, brotli', 'index', 'index, brotli'], quality)
}

const multiple = (ratio) => `${ratio.toFixed(2)} ×`
const bytes = (count) => count?.toLocaleString('en-US') ?? ''
const judged = (ratio, bar) =>
  bar ? `${multiple(ratio)} (bar ${bar}: ${ratio <= bar ? 'met' : 'not met'})` : multiple(ratio)

function grid(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  console.log([line(head), line(head.map((_, i) => (i < 2 ? '---' : '---:'))), ...rows.map(line)].join('\n'))
}

/** The commit, and whether the sources differ from it. */
function commit() {
  const id = ask('git', ['rev-parse', '--short', 'HEAD'])
  if (!id) return 'unknown'
  return ask('git', ['status', '--porcelain']) ? `${id} with changes` : id
}

await main(bench)
