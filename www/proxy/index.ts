/** The proxy: a public endpoint that takes section ids and messages, and puts in the text from its own knowledge base. */

import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { isAllowed } from './checks.ts'
import { type Answerers, answerersOf } from './choice.ts'
import { RequestError } from './errors.ts'
import { handle } from './handle.ts'
import { startExchange } from './log.ts'
import type { ProxyOptions } from './options.ts'
import { checkOptions, type Settings } from './settings.ts'

export type { HumanCheck } from './human.ts'
export type { LogEntry } from './log.ts'
export { type ModelEnv, type ModelOptions, modelFromEnv } from './model.ts'
export type { Prices, ProxyOptions, QuoteFunction } from './options.ts'
export type { LogSink } from './sink.ts'
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
      allowHeaders: ['Content-Type', ...(settings.human ? [settings.human.header] : [])],
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
  const exchange = startExchange(answerers.first.model, settings.knowledge.hash, settings.writeLog)
  c.header('X-Request-Id', exchange.entry.id)
  const request = c.req.raw
  try {
    const response = await handle({ request, settings, answerers, exchange })
    return c.newResponse(response.body, 200, Object.fromEntries(response.headers))
  } catch (error) {
    const refusal = error instanceof RequestError ? error : new RequestError('internal', 'The server failed.')
    exchange.end(request.signal.aborted ? 'aborted' : 'refused', refusal.code, refusal.status)
    return refuse(c, refusal)
  }
}

function refuse(c: Context, error: RequestError): Response {
  const { retryAfter } = error.fields
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
  if (error.code === 'method') c.header('Allow', 'POST, GET, OPTIONS')
  c.header('X-Content-Type-Options', 'nosniff')
  return c.json(error.toJSON(), error.status)
}
