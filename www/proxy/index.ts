/** The proxy: a public endpoint that takes section ids and messages, and puts in the text from its own knowledge base. */

import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { buildPrompt, type Prompt, renderPassage } from '../prompt.ts'
import type { Knowledge } from '../types.ts'
import type { Answerer } from './answerer.ts'
import { embeddedAnswerer } from './embedded.ts'
import { RequestError } from './errors.ts'
import { type Exchange, startExchange } from './log.ts'
import { checkOptions, type LimitedCall, type LimiterVerdict, type ProxyOptions, type Settings } from './options.ts'
import { type Ask, parseAsk, readBody, resolveSections } from './request.ts'
import { streamAnswer } from './stream.ts'
import { modelAnswerer } from './upstream.ts'

export type { LogEntry } from './log.ts'
export { type ModelEnv, type ModelOptions, modelFromEnv } from './model.ts'
export type { LimitedCall, Limiter, LimiterVerdict, Limits, ProxyOptions, QuoteFunction } from './options.ts'

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
  const answerer = settings.model ? modelAnswerer(settings.model, settings) : embeddedAnswerer(settings)
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
  app.post('*', (c) => handlePost(c, settings, answerer))
  app.all('*', (c) => refuse(c, new RequestError('method', 'Only POST and GET are answered here.')))
  return async (request) => app.fetch(request)
}

async function handlePost(c: Context, settings: Settings, answerer: Answerer): Promise<Response> {
  const exchange = startExchange(answerer.model, settings.onLog)
  c.header('X-Request-Id', exchange.entry.id)
  try {
    return await answer(c, settings, answerer, exchange)
  } catch (error) {
    const refusal = error instanceof RequestError ? error : new RequestError('internal', 'The server failed.')
    exchange.end(c.req.raw.signal.aborted ? 'aborted' : 'refused', refusal.code, refusal.status)
    return refuse(c, refusal)
  }
}

/** The checks, in order, cheapest first; nothing is spent before the last one has passed. */
async function answer(c: Context, settings: Settings, answerer: Answerer, exchange: Exchange): Promise<Response> {
  const { knowledge, limits } = settings
  const request = c.req.raw
  checkContentType(request)
  const body = await readBody(request, limits.bodyBytes)
  checkOrigin(request, settings)
  const ask = parseAsk(body, limits)
  const ids = resolveSections(knowledge, ask)
  const prompt = promptFor(ask, ids, settings)
  exchange.entry.sections = prompt.passages.map(({ id }) => id)
  exchange.entry.tokens.passages = prompt.tokens
  const settle = await reserve(settings, request, prompt.tokensMax + limits.outputTokens)
  const { signal } = request
  const job = { knowledge, prompt, asked: ask.messages, answerer, exchange, limits, signal, settle }
  const response = streamAnswer(job)
  return c.newResponse(response.body, 200, Object.fromEntries(response.headers))
}

function checkContentType(request: Request) {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new RequestError('content-type', 'The content type has to be application/json.')
}

function checkOrigin(request: Request, settings: Settings) {
  const origin = request.headers.get('origin')
  if (origin === null && settings.allowMissingOrigin) return
  if (origin === null) throw new RequestError('origin', 'The request has no Origin header.')
  if (!isAllowed(origin, request.url, settings)) throw new RequestError('origin', 'This origin may not ask here.')
}

/** Origins are compared whole, as browsers send them: nothing is a prefix or a suffix of anything. */
function isAllowed(origin: string, url: string, { origins, sameOrigin }: Settings): boolean {
  return origins.has(origin) || (sameOrigin === true && origin === new URL(url).origin)
}

/** Builds the prompt and makes sure, whoever built it, that every passage is in it, whole and unchanged. */
function promptFor(ask: Ask, ids: number[], { knowledge, limits, buildPrompt: custom }: Settings): Prompt {
  const build = custom ?? buildPrompt
  const prompt = build(knowledge, ids, ask.messages, limits)
  const missing = [...knowledge.pinned, ...ids].some((id, at) => !holdsPassage(prompt, knowledge, id, at + 1))
  if (missing) throw new RequestError('internal', 'The prompt builder left out a passage.')
  return prompt
}

function holdsPassage({ system, passages }: Prompt, { sections }: Knowledge, id: number, n: number): boolean {
  const section = sections[id]
  return section !== undefined && passages[n - 1]?.id === id && system.includes(renderPassage(n, section))
}

async function reserve({ limiter, addressHeader }: Settings, request: Request, tokens: number) {
  if (!limiter) return undefined
  const address = (addressHeader && request.headers.get(addressHeader)) || undefined
  const verdict = await callLimiter(limiter, { address, tokens })
  if (verdict.allowed) return verdict.settle
  const retryAfter = Math.max(1, Math.ceil(verdict.retryAfter))
  throw new RequestError('rate-limited', 'Too many questions. Please try again later.', { retryAfter })
}

/** Fails closed: a limiter that cannot decide spends nothing. */
async function callLimiter(limiter: NonNullable<Settings['limiter']>, call: LimitedCall): Promise<LimiterVerdict> {
  try {
    return await limiter(call)
  } catch {
    throw new RequestError('unavailable', 'The assistant is not available now. Please try again later.')
  }
}

function refuse(c: Context, error: RequestError): Response {
  const { retryAfter } = error.fields
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
  if (error.code === 'method') c.header('Allow', 'POST, GET, OPTIONS')
  c.header('X-Content-Type-Options', 'nosniff')
  return c.json(error.toJSON(), error.status)
}
