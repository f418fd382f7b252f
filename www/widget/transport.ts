/** One request to the proxy: posts the ids and the messages, and gives the stream or a typed error. */

import { PinpackError } from '../errors.ts'
import type { ChatRequest } from '../types.ts'

/** What is posted. `sections` is missing when the page could not search: the proxy then chooses. */
export type Ask = Omit<ChatRequest, 'sections'> & { sections?: number[] }
/** Sends one request. Injectable, so that a host can add headers or a test can answer. */
export type Transport = (endpoint: string, ask: Ask, signal: AbortSignal) => Promise<Response>

/** An error of the proxy or the way to it. `status` is 0 when no answer came. */
export class TransportError extends PinpackError {
  constructor(
    code: string,
    message: string,
    readonly status: number,
    readonly retryAfter?: number,
  ) {
    super(code, message)
  }

  /** Nobody is there to answer, or nobody who can or may: the page may answer by itself. */
  get isDown(): boolean {
    if (this.code === 'budget-spent') return true
    return this.status === 0 || this.status === 404 || this.status === 405 || this.status >= 500
  }
}

export const post: Transport = (endpoint, ask, signal) =>
  fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(ask),
    signal,
  })

/**
 * Opens the stream of an answer.
 *
 * @throws TransportError `offline`, `unreachable`, `not-a-proxy`, or the code that the proxy sent. An abort passes through.
 */
export async function openStream(
  transport: Transport,
  endpoint: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await transport(endpoint, ask, signal).catch((cause) => {
    if (signal.aborted) throw cause
    const code = navigator.onLine ? 'unreachable' : 'offline'
    throw new TransportError(code, `no answer from ${endpoint}: ${cause}`, 0)
  })
  if (!response.ok) throw await refusal(response)
  const type = response.headers.get('content-type') ?? ''
  if (response.body && type.startsWith('text/event-stream')) return response.body
  throw new TransportError('not-a-proxy', `${endpoint} answered ${type || 'nothing'} instead of text/event-stream`, 404)
}

async function refusal(response: Response): Promise<TransportError> {
  const body = await response.json().catch(() => ({}))
  const code = typeof body?.code === 'string' ? body.code : `http-${response.status}`
  const message = typeof body?.message === 'string' ? body.message : `The server answered ${response.status}.`
  const seconds = Number(body?.retryAfter ?? response.headers.get('retry-after'))
  return new TransportError(code, message, response.status, seconds > 0 ? Math.ceil(seconds) : undefined)
}
