// `test`: every check and every test, one after the other, going on after a failure.
// `--only STEP[,STEP]` runs some of them; what follows goes to their runner: `npm test -- --only vitest tests/npm/open.test.ts`.
import { setUpBuild, setUpTests } from '../setup/index.mjs'
import { Failure, paint, step as say } from '../shell.mjs'
import { STEPS } from '../test/steps.mjs'
import { printTable, summary, total } from '../test/table.mjs'

export default async function test(args) {
  const { steps, rest } = choose(args)
  await setUpBuild()
  const browser = steps.some((step) => step.browser) ? await setUpTests() : undefined
  const rows = []
  for (const step of steps) rows.push(await perform(step, { browser, rest, rows }))
  printTable(rows)
  const sum = total(rows)
  console.log(summary(sum))
  return sum.failed > 0 ? 1 : 0
}

/** Runs one step. One that throws, or that needs a build which failed, is one failure. */
async function perform(step, context) {
  const built = context.rows.find(({ name }) => name === 'build')
  if (step.needsBuild && built?.failed)
    return { name: step.name, passed: 0, failed: 1, skipped: 0, ms: 0, note: 'not run: no build' }
  say(paint.bold(step.name))
  const started = performance.now()
  const counts = await step.run(context).catch((error) => {
    console.error(error instanceof Failure ? error.message : error)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  return { name: step.name, ...counts, ms: performance.now() - started }
}

function choose(args) {
  const [flag, names, ...rest] = args
  if (flag === undefined) return { steps: STEPS, rest: [] }
  const wanted = names?.split(',') ?? []
  const known = STEPS.map(({ name }) => name)
  const unknown = wanted.filter((name) => !known.includes(name))
  if (flag !== '--only' || wanted.length === 0 || unknown.length > 0)
    throw new Failure(`cannot run ${args.join(' ')}`, `use --only with some of: ${known.join(',')}`)
  const chosen = STEPS.filter(({ name }) => wanted.includes(name))
  const build = STEPS.filter(({ name }) => name === 'build' && chosen.some((step) => step.needsBuild))
  return { steps: [...new Set([...build, ...chosen])], rest }
}
