// `fuzz [TARGET…] [--minutes 10] [--seeds FOLDER…] [--address]`: libFuzzer on the targets of tests/fuzz, one after the other.
import { mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { rust } from '../setup/rust.mjs'
import { ask, at, Failure, handOver, must, step } from '../shell.mjs'

/** What cargo-fuzz asks of the compiler; stable Rust takes these too. Checks of addresses need nightly and cargo-fuzz itself. */
const COVERAGE = [
  '--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4',
  '-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table',
  '-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1',
].join(' ')
const PROJECT = at('tests', 'fuzz')

export default async function fuzz(args) {
  const { targets, minutes, seeds, address } = await parse(args)
  await rust()
  const host = /host: (.*)/.exec(ask('rustc', ['-vV']) ?? '')?.[1]
  await (address ? buildWithCargoFuzz(host) : buildWithCoverage(host))
  const programs = at('target', 'fuzz', host, 'release')
  const codes = []
  for (const target of targets) codes.push(await run({ target, programs, minutes, seeds }))
  return codes.some((code) => code !== 0) ? 1 : 0
}

async function parse(args) {
  const options = {
    minutes: { type: 'string', default: '10' },
    seeds: { type: 'string', multiple: true, default: [] },
    address: { type: 'boolean', default: false },
  }
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const known = (await readdir(at('tests', 'fuzz', 'targets'))).map((file) => basename(file, '.rs'))
  const unknown = positionals.filter((target) => !known.includes(target))
  const minutes = Number(values.minutes)
  if (unknown.length > 0) throw new Failure(`no target ${unknown.join(', ')}`, `the targets are ${known.join(', ')}`)
  if (!(minutes > 0)) throw new Failure(`--minutes ${values.minutes} is no time`, 'give a number above 0')
  return { ...values, minutes, targets: positionals.length > 0 ? positionals : known }
}

/** On stable Rust, without a sanitizer: the crates of this repository have no unsafe code. Needs a C++ compiler. */
async function buildWithCoverage(host) {
  step('building the fuzz targets')
  const args = ['build', '--release', '--bins', '--target', host, '--manifest-path', at('tests', 'fuzz', 'Cargo.toml')]
  const remedy = 'libFuzzer is compiled with the targets: install a C++ compiler (c++)'
  await must('cargo', [...args, '--target-dir', at('target', 'fuzz')], { env: { RUSTFLAGS: COVERAGE }, remedy })
}

async function buildWithCargoFuzz(host) {
  step('building the fuzz targets with the address sanitizer')
  const remedy = 'rustup toolchain install nightly; cargo install cargo-fuzz'
  const args = ['+nightly', 'fuzz', 'build', '--fuzz-dir', PROJECT, '--target-dir', at('target', 'fuzz')]
  await must('cargo', [...args, '--target', host, '--debug-assertions'], { remedy })
}

/** Fuzzes one target: what is found new goes to target/fuzz/corpus, what fails to target/fuzz/artifacts. */
async function run({ target, programs, minutes, seeds }) {
  const [corpus, artifacts] = ['corpus', 'artifacts'].map((folder) => at('target', 'fuzz', folder, target))
  for (const folder of [corpus, artifacts]) await mkdir(folder, { recursive: true })
  step(`${target}, ${minutes} min`)
  const limits = [`-max_total_time=${Math.ceil(minutes * 60)}`, '-timeout=20', '-rss_limit_mb=4096', '-max_len=4096']
  const flags = [...limits, '-len_control=20', '-print_final_stats=1', `-artifact_prefix=${artifacts}/`]
  return await handOver(join(programs, target), [...flags, corpus, at('tests', 'fuzz', 'corpus', target), ...seeds])
}
