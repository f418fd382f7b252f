/** `pinpack probe`: every check of a deployed proxy, tried from outside. */

import { PinpackError } from '../errors.ts'
import { type Check, checksFor, codeOf, type Target } from './probe-checks.ts'
import { type Answered, send } from './probe-http.ts'
import { leak, type Outcome } from './probe-outcome.ts'
import { askCheck, floodCheck } from './probe-visits.ts'
import { clean, paint, plural, print, printJson, progress } from './terminal.ts'

interface Options {
  origin: string
  ask?: string
  json?: boolean
}

const TIMEOUT_MS = 20_000
/** An address may ask again after so long at most. */
const MOST_WAIT_S = 90

export async function probe(address: string, options: Options): Promise<number> {
  const url = readUrl(address)
  const target = { origin: readOrigin(options.origin), hash: await readHash(url, options.origin) }
  const outcomes = await runAll(url, target, options.ask)
  const failed = outcomes.filter(({ problem }) => problem !== undefined)
  if (options.json)
    printJson({ url: url.href, passed: outcomes.length - failed.length, failed: failed.length, checks: outcomes })
  else
    print(
      ...outcomes.map(line),
      '',
      `${plural(outcomes.length - failed.length, 'check')} passed, ${failed.length} failed`,
    )
  return failed.length > 0 ? 1 : 0
}

const line = ({ name, problem }: Outcome) =>
  problem === undefined ? `  ${paint.green('passed')}  ${name}` : `  ${paint.red('FAILED')}  ${name}: ${clean(problem)}`

/** One after the other: several at once would meet the limit of open answers. The flood comes last, since it closes the door. */
async function runAll(url: URL, target: Target, question: string | undefined): Promise<Outcome[]> {
  const checks = checksFor(target)
  const bar = progress('probing')
  const outcomes: Outcome[] = []
  const add = (outcome: Outcome) => {
    outcomes.push(outcome)
    bar.update(outcomes.length, checks.length + 2)
  }
  if (question !== undefined) add(await askCheck(url, target, question))
  for (const check of checks) add(await runCheck(url, check))
  add(await floodCheck(url, target))
  bar.done()
  return outcomes
}

async function runCheck(url: URL, check: Check): Promise<Outcome> {
  const { name, judge } = check
  try {
    const answer = await sendPatiently(url, check)
    return { name, problem: judge(answer) ?? leak(answer) }
  } catch (error) {
    return { name, problem: (error as Error).message }
  }
}

/** Requests count as a visitor's: when they were too many, the check comes again after the time that the proxy names. */
async function sendPatiently(url: URL, { sent, timeoutMs = TIMEOUT_MS }: Check): Promise<Answered> {
  const answer = await send(url, sent, timeoutMs)
  const seconds = Number(answer.headers['retry-after'])
  if (answer.status !== 429 || codeOf(answer) !== 'rate-limited' || !(seconds <= MOST_WAIT_S)) return answer
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  return send(url, sent, timeoutMs)
}

function readUrl(address: string): URL {
  if (URL.canParse(address) && /^https?:/.test(address)) return new URL(address)
  throw new PinpackError(
    'usage',
    `${address} is no address of a proxy; wanted something like https://example.com/api/chat`,
  )
}

function readOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin
  throw new PinpackError('usage', `--origin ${origin} is no origin; wanted something like https://example.com`)
}

async function readHash(url: URL, origin: string): Promise<string> {
  const answer = await send(url, { method: 'GET', headers: { origin } }, TIMEOUT_MS).catch((cause: Error) => {
    throw new PinpackError('unreachable', `no answer from ${url.href}: ${cause.message}`, { cause })
  })
  const hash = hashOf(answer.body)
  if (hash) return hash
  throw new PinpackError(
    'not-a-proxy',
    `${url.href} answered ${answer.status}, and not as a proxy of pinpack does\ngive the address that the page's data-endpoint has`,
  )
}

function hashOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { hash?: string }).hash
  } catch {
    return undefined
  }
}
