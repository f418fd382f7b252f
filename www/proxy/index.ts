/** The proxy: a public endpoint that takes section ids and messages, and puts in the text from its own knowledge base. */

import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { visitorOf } from './address.ts'
import { admit } from './admission.ts'
import { checkContentType, checkOrigin, isAllowed } from './checks.ts'
import { type Answerers, answerersOf, chooseAnswerer } from './choice.ts'
import type { Reservation, Usage } from './counters.ts'
import { RequestError } from './errors.ts'
import { type Exchange, startExchange } from './log.ts'
import { checkOptions, type ProxyOptions, type Settings } from './options.ts'
import { promptFor } from './prompting.ts'
import { parseAsk, readBody, resolveSections } from './request.ts'
import { streamAnswer } from './stream.ts'

export type { Limits } from './limits.ts'
export type { LogEntry } from './log.ts'
export { type ModelEnv, type ModelOptions, modelFromEnv } from './model.ts'
export type { Prices, ProxyOptions, QuoteFunction } from './options.ts'
export { memoryStore, type Store } from './store.ts'

const PREFLIGHT_SECONDS = 86_400

/**
 * Makes the handler of a chat endpoint: `(request) => Promise<Response>`, web standards only, to be mounted at any path.
 *
 * `POST` answers as server-sent events, `GET` says that the endpoint is alive. The wire contract is in `docs/proxy.md`.
 *
 * @throws PinpackError `proxy-options` when an option or the knowledge base is not valid.
 */
export function createProxy(options: ProxyOptions): (request: Request) => Promise<Response> {
  const settings = checkOptions(options)
  const answerers = answerersOf(settings)
  const app = new Hono()
  app.use(
    cors({
      origin: (origin, c) => (isAllowed(origin, c.req.url, settings) ? origin : null),
      allowMethods: ['POST', 'GET'],
      allowHeaders: ['Content-Type'],
      exposeHeaders: ['Retry-After', 'X-Request-Id'],
      maxAge: PREFLIGHT_SECONDS,
    }),
  )
  app.get('*', (c) => c.json({ ok: true, hash: settings.knowledge.hash }))
  app.post('*', (c) => handlePost(c, settings, answerers))
  app.all('*', (c) => refuse(c, new RequestError('method', 'Only POST and GET are answered here.')))
  return async (request) => app.fetch(request)
}

async function handlePost(c: Context, settings: Settings, answerers: Answerers): Promise<Response> {
  const exchange = startExchange(answerers.first.model, settings.onLog)
  c.header('X-Request-Id', exchange.entry.id)
  try {
    const response = await answer(c.req.raw, settings, answerers, exchange)
    return c.newResponse(response.body, 200, Object.fromEntries(response.headers))
  } catch (error) {
    const refusal = error instanceof RequestError ? error : new RequestError('internal', 'The server failed.')
    exchange.end(c.req.raw.signal.aborted ? 'aborted' : 'refused', refusal.code, refusal.status)
    return refuse(c, refusal)
  }
}

/** The checks, in order; nothing is spent before the last one has passed. */
async function answer(request: Request, settings: Settings, answerers: Answerers, exchange: Exchange) {
  checkContentType(request)
  const body = await readBody(request, settings.limits)
  checkOrigin(request, settings)
  const place = await admit(settings, await settings.visitorKey(visitorOf(request, settings)))
  try {
    return await answerAdmitted(request, body, settings, answerers, exchange, place)
  } catch (error) {
    await place.settle()
    throw error
  }
}

/** `place` is held until the answer is over. */
async function answerAdmitted(
  { signal }: Request,
  body: string,
  settings: Settings,
  answerers: Answerers,
  exchange: Exchange,
  place: Reservation,
) {
  const { knowledge, limits, canary = false } = settings
  const ask = parseAsk(body, limits)
  const ids = resolveSections(knowledge, ask)
  const prompt = promptFor(ask, ids, settings)
  const { entry } = exchange
  Object.assign(entry, { sections: prompt.passages.map(({ id }) => id), unanswered: ask.coverage === 'none' })
  entry.tokens.passages = prompt.tokens
  const { spend, ...chosen } = await chooseAnswerer(settings, answerers, prompt)
  const settle = async (usage?: Usage) => {
    await Promise.all([place.settle(), spend?.settle(usage)])
  }
  return streamAnswer({ knowledge, prompt, asked: ask.messages, ...chosen, canary, exchange, limits, signal, settle })
}

function refuse(c: Context, error: RequestError): Response {
  const { retryAfter } = error.fields
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
  if (error.code === 'method') c.header('Allow', 'POST, GET, OPTIONS')
  c.header('X-Content-Type-Options', 'nosniff')
  return c.json(error.toJSON(), error.status)
}
