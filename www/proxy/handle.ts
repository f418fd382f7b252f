/** One request through the checks, in their order, to its answer. Nothing is spent before the last check has passed. */

import type { Prompt } from '../prompt.ts'
import { visitorOf } from './address.ts'
import { admit, microsOf } from './admission.ts'
import { readBody } from './body.ts'
import { checkContentType, checkOrigin } from './checks.ts'
import { type Answerers, chooseAnswerer } from './choice.ts'
import type { Reservation, Usage } from './counters.ts'
import { checkHuman } from './human.ts'
import type { Exchange } from './log.ts'
import { promptFor } from './prompting.ts'
import { type Ask, parseAsk, resolveSections } from './request.ts'
import type { Settings } from './settings.ts'
import { streamAnswer } from './stream.ts'

/** What one request is answered with. */
export interface Handling {
  request: Request
  settings: Settings
  answerers: Answerers
  exchange: Exchange
}

/** @throws RequestError when a check refuses. */
export async function handle(handling: Handling): Promise<Response> {
  const { request, settings, exchange } = handling
  checkContentType(request)
  const body = await readBody(request, settings.limits)
  checkOrigin(request, settings)
  const address = visitorOf(request, settings)
  if (settings.logsText) exchange.entry.visitor = await settings.logHash(address)
  const place = await admit(settings, await settings.visitorKey(address))
  try {
    return await answerAdmitted(handling, body, address, place)
  } catch (error) {
    await place.settle()
    throw error
  }
}

/** `place` is held until the answer is over. */
async function answerAdmitted(handling: Handling, body: string, address: string, place: Reservation) {
  const { request, settings, answerers, exchange } = handling
  const { knowledge, limits, canary = false } = settings
  const ask = parseAsk(body, limits)
  const ids = resolveSections(knowledge, ask)
  const prompt = promptFor(ask, ids, settings)
  note(exchange, ask, prompt, settings)
  await checkHuman(settings.human, request, address)
  const { spend, ...chosen } = await chooseAnswerer(settings, answerers, prompt)
  const settle = async (usage?: Usage) => {
    await Promise.all([place.settle(), spend?.settle(usage)])
  }
  const cost = settings.prices && ((usage: Usage) => microsOf(settings, usage) / 1e6)
  const { signal } = request
  const job = { knowledge, prompt, asked: ask.messages, canary, exchange, limits, signal, settle, cost }
  return streamAnswer({ ...job, ...chosen })
}

/** Writes into the log entry what is asked and sent. */
function note({ entry }: Exchange, { coverage, messages }: Ask, prompt: Prompt, { logsText }: Settings) {
  entry.sections = prompt.passages.map(({ id }) => id)
  entry.tokens.passages = prompt.tokens
  entry.unanswered = coverage === 'none'
  if (coverage) entry.coverage = coverage
  if (!logsText) return
  const [question, before] = messages.filter(({ role }) => role === 'user').toReversed()
  if (question) entry.question = question.content
  if (before) entry.before = before.content
}
