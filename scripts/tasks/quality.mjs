// `quality`: builds, then measures retrieval on every set of the shared question data and writes docs/quality.md, beside the figures of
// other engines on the same sets. `--sets <name,name>` measures some; `--out <file>` writes elsewhere.
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../build/index.mjs'
import { setUpBuild } from '../setup/index.mjs'
import { at, Failure, must, step } from '../shell.mjs'

/** In a browser; the others are references. */
const BROWSER = [
  'sqlite-fts5',
  'wink',
  'lunr',
  'elasticlunr',
  'minisearch',
  'orama-stem',
  'flexsearch-en',
  'handrolled-inv',
]
const LUCENE = 'bm25s'
/** Sets of questions that visitors asked, or people in their own words. */
const REAL = ['hint3-curekart', 'stackfaq', 'rutube-faq-ru', 'covid-faq-de', 'quebec-faq-fr', 'mtrag']
/** The names of a measure here and in the peers' figures. */
const MEASURES = { 'hit@1': 'hit1', 'hit@5': 'hit5', 'mrr@10': 'mrr10', 'ndcg@10': 'ndcg10', 'recall@10': 'recall10' }
/** Those of which each set's cell is compared. */
const CELLS = ['hit@1', 'mrr@10', 'recall@10']
const CLI = at('dist', 'cli.js')
const TAGS = { english: 'en', german: 'de', french: 'fr', russian: 'ru', arabic: 'ar', hindi: 'hi', bigrams: 'zh' }

export default async function quality(args) {
  const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
  const shared = [process.env.PINPACK_SHARED, at('..', 'shared')].find(
    (path) => path && existsSync(join(path, 'data', 'questions')),
  )
  if (!shared) throw new Failure('no question data: PINPACK_SHARED names the folder of shared data')
  await setUpBuild()
  await build()
  const folder = join(shared, 'data', 'questions')
  const sets = option('--sets')?.split(',') ?? (await setsOf(folder))
  const peers = JSON.parse(await readFile(join(shared, 'bench', 'peers-quality.json'), 'utf8')).sets
  const scratch = await mkdtemp(join(tmpdir(), 'pinpack-quality-'))
  const rows = []
  try {
    const foreign = await offTopic(folder, scratch)
    const slips = await misspellings(folder)
    for (const name of sets) {
      step(`measuring ${name}`)
      const others = Object.entries(peers.find((set) => set.name === name)?.peers ?? {})
      const figures = Object.fromEntries(others.map(([peer, { quality }]) => [peer, quality]))
      rows.push({ name, ...(await measure(join(folder, name), { foreign, slips, scratch })), peers: figures })
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  const out = option('--out') ?? at('docs', 'quality.md')
  await writeFile(out, page(rows))
  process.stdout.write(`${summary(rows).join('\n')}\nwritten to ${out}\n`)
}

async function setsOf(folder) {
  const names = await readdir(folder)
  return names.filter((name) => existsSync(join(folder, name, 'qrels.tsv'))).sort()
}

/** Questions that no knowledge base here answers, in English, as a file. */
async function offTopic(folder, scratch) {
  const lines = (await readFile(join(folder, 'offtopic', 'queries.jsonl'), 'utf8')).split('\n').filter(Boolean)
  const english = lines.filter((line) => /^(out-of-scope|smalltalk:.*)$/.test(JSON.parse(line).kind))
  const file = join(scratch, 'offtopic.jsonl')
  await writeFile(file, english.join('\n'))
  return file
}

/** Correct English words to what people wrote in their place, but for the largest source: its slips are spelling tests of school children. */
async function misspellings(folder) {
  const words = new Map()
  for (const line of (await readFile(join(folder, 'misspellings', 'pairs.tsv'), 'utf8')).split('\n')) {
    const [wrong, right, source] = line.toLowerCase().split('\t')
    if (!source || source === 'birkbeck' || /\W/.test(`${wrong}${right}`)) continue
    words.set(right, [...(words.get(right) ?? []), wrong])
  }
  return words
}

/** The questions that hold a word of the corpus which somebody has misspelt: as they are, and with one such word misspelt. */
function misspelt(queries, slips, corpus) {
  const known = new Set(corpus.toLowerCase().match(/\w+/g))
  const pairs = queries.flatMap((query, at) => {
    const words = (query.text.match(/\w+/g) ?? []).filter(
      (word) => slips.has(word.toLowerCase()) && known.has(word.toLowerCase()),
    )
    if (words.length === 0) return []
    // Which word and which slip follows from the question's place: the same in every run.
    const word = words[at % words.length]
    const wrongs = slips.get(word.toLowerCase())
    return [{ clean: query, slipped: { ...query, text: query.text.replace(word, wrongs[at % wrongs.length]) } }]
  })
  return { clean: pairs.map(({ clean }) => clean), slipped: pairs.map(({ slipped }) => slipped) }
}

/**
 * Figures of one set: of the last message alone; with the messages before it, where there are some; with a misspelt word, in English; and of
 * questions without answer.
 */
async function measure(set, { foreign, slips, scratch }) {
  const lang = (await readFile(join(set, 'lang'), 'utf8')).trim()
  const language = TAGS[lang] ?? lang
  const queries = (await readFile(join(set, 'queries.jsonl'), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const alone = join(scratch, 'alone.jsonl')
  const single = queries.map(({ history: _, ...query }) => query)
  const write = (file, rows) => writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n'))
  await write(alone, single)
  const evaluate = async (file, unanswerable) => {
    const paths = ['--corpus', join(set, 'corpus.jsonl'), '--queries', file, '--qrels', join(set, 'qrels.tsv')]
    const more = unanswerable ? ['--unanswerable', unanswerable] : []
    const output = await must(process.execPath, [CLI, 'eval', ...paths, ...more, '--language', language, '--json'])
    return JSON.parse(output.slice(output.indexOf('{')))
  }
  const own = await evaluate(alone, language === 'en' ? foreign : undefined)
  const hard = join(set, 'unanswerable.jsonl')
  const slipped = language === 'en' && (await evaluateSlips())
  async function evaluateSlips() {
    const { clean, slipped } = misspelt(single, slips, await readFile(join(set, 'corpus.jsonl'), 'utf8'))
    const file = join(scratch, 'slips.jsonl')
    await write(file, clean)
    const before = await evaluate(file)
    await write(file, slipped)
    return { queries: clean.length, clean: before['hit@5'], slipped: (await evaluate(file))['hit@5'] }
  }
  const turns = queries.some(({ history }) => history?.length)
  return {
    language,
    own,
    ...(slipped && { slipped }),
    ...(turns && { follow: await evaluate(join(set, 'queries.jsonl')) }),
    ...(existsSync(hard) && { hard: (await evaluate(alone, hard)).coverageAuroc }),
  }
}

const best = (row, measure, peers) => Math.max(...peers.map((peer) => row.peers[peer]?.[MEASURES[measure]] ?? 0))
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
const cell = (number) => number.toFixed(3)

function summary(rows) {
  const cells = rows.flatMap((row) => CELLS.map((measure) => ({ row, measure })))
  const first = cells.filter(({ row, measure }) => row.own[measure] >= best(row, measure, BROWSER) - 0.0005)
  const behind = cells.filter(({ row, measure }) => row.own[measure] < best(row, measure, [LUCENE]) - 0.01)
  const real = rows.filter(({ name }) => REAL.includes(name))
  const lines = [
    `First or tied among engines for browsers: ${first.length} of ${cells.length} cells (hit@1, MRR@10, recall@10).`,
    `More than a point behind Lucene's BM25: ${behind.map(({ row, measure }) => `${row.name} ${measure}`).join(', ') || 'nowhere'}.`,
  ]
  if (real.length > 0) {
    const others = BROWSER.map((peer) => ({ peer, value: mean(real.map((row) => row.peers[peer]?.hit5 ?? 0)) }))
    const top = others.reduce((a, b) => (b.value > a.value ? b : a))
    const own = mean(real.map((row) => row.own['hit@5']))
    lines.push(
      `hit@5 on questions of real visitors, mean of ${real.length} sets: ${cell(own)}; best other (${top.peer}): ${cell(top.value)}.`,
    )
  }
  for (const { name, own, follow } of rows.filter(({ follow }) => follow)) {
    lines.push(
      `Follow-ups (${name}): hit@5 ${cell(own['hit@5'])} by the last message alone, ${cell(follow['hit@5'])} with the one before it.`,
    )
  }
  const slips = rows
    .filter(({ slipped }) => slipped)
    .map(({ name, slipped }) => ({ name, loss: slipped.clean - slipped.slipped }))
  if (slips.length > 0) {
    const worst = slips.reduce((a, b) => (b.loss > a.loss ? b : a))
    lines.push(
      `One misspelt word: hit@5 falls by ${cell(mean(slips.map(({ loss }) => loss)))} on the mean, at most by ${cell(worst.loss)} (${worst.name}).`,
    )
  }
  const aurocs = rows.filter(({ own }) => own.coverageAuroc !== undefined).map(({ own }) => own.coverageAuroc)
  if (aurocs.length > 0)
    lines.push(
      `Coverage, AUROC against off-topic questions: mean ${cell(mean(aurocs))}, least ${cell(Math.min(...aurocs))}.`,
    )
  return lines
}

function page(rows) {
  const names = Object.keys(MEASURES)
  const table = (head, lines) =>
    [
      `| ${head.join(' | ')} |`,
      `| ${head.map((_, i) => (i === 0 ? '---' : '--:')).join(' | ')} |`,
      ...lines.map((line) => `| ${line.join(' | ')} |`),
    ].join('\n')
  const pair = (row, measure) =>
    `${cell(row.own[measure])} / ${cell(best(row, measure, BROWSER))} / ${cell(best(row, measure, [LUCENE]))}`
  const lost = rows.flatMap((row) =>
    CELLS.filter((measure) => row.own[measure] < best(row, measure, BROWSER) - 0.0005).map((measure) => [
      row.name,
      measure,
      cell(row.own[measure]),
      cell(best(row, measure, BROWSER)),
    ]),
  )
  const signals = rows.filter(({ own, hard }) => own.coverageAuroc !== undefined || hard !== undefined)
  return `# Quality

Made by \`npm run quality\`: retrieval on question sets that others made, one default configuration for all of them, the last message alone.
Each cell is pinpack / the best of eight engines that run in a browser, cell by cell (${BROWSER.join(', ')}) / Lucene's BM25 with Snowball
(${LUCENE}, native). The measures are trec_eval's.

${table(
  ['set', ...names],
  rows.map((row) => [`${row.name} (${row.language})`, ...names.map((measure) => pair(row, measure))]),
)}

${summary(rows)
  .map((line) => `- ${line}`)
  .join('\n')}

## Where it is behind

${lost.length > 0 ? table(['set', 'measure', 'pinpack', 'best other'], lost) : 'Nowhere.'}

## Typing errors

The questions that hold a word of the corpus which people have misspelt, as they are and with one such word misspelt.

${table(
  ['set', 'questions', 'hit@5', 'misspelt'],
  rows
    .filter(({ slipped }) => slipped)
    .map(({ name, slipped }) => [name, slipped.queries, cell(slipped.clean), cell(slipped.slipped)]),
)}

## The coverage signal

AUROC of \`coverage.value\`: how well it tells questions that have an answer from off-topic ones (out of scope and small talk), and from the
sets' own questions without an answer, which use the words of the site.

${table(
  ['set', 'off-topic', 'own unanswerable'],
  signals.map(({ name, own, hard }) => [
    name,
    own.coverageAuroc === undefined ? '' : cell(own.coverageAuroc),
    hard === undefined ? '' : cell(hard),
  ]),
)}
`
}
