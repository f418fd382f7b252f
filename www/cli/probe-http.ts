/** Requests as an attacker can make them: any header, any body, cut or slow. `fetch` would not send some of them. */

import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

export interface Sent {
  method: string
  headers: Record<string, string>
  /** The body, or its pieces as they are pulled. Without a length it goes in chunks. */
  body?: string | Iterable<Uint8Array>
  /** Whether the body never ends. */
  unfinished?: boolean
}

export interface Answered {
  status: number
  headers: Record<string, string>
  body: string
  /** Bytes of the body that were sent until the answer came. */
  sentBytes: number
}

/** Longest answer that is read: no refusal is longer, and no short answer. */
const MOST_BYTES = 1_000_000

/**
 * Sends one request, and reads the answer even when the body was not taken to its end.
 * Rejects when no answer comes within `timeoutMs`.
 */
export function send(url: URL, sent: Sent, timeoutMs: number): Promise<Answered> {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    let sentBytes = 0
    let answered = false
    const request = open(url, { method: sent.method, headers: sent.headers, agent: false, timeout: timeoutMs })
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      settle()
      request.destroy()
    }
    request.on('response', (response) => {
      answered = true
      readAnswer(response).then(
        (answer) => finish(() => resolve({ ...answer, sentBytes })),
        (error) => finish(() => reject(error)),
      )
    })
    // A server that refuses a body early may close the connection while it still comes.
    request.on('error', (error) => answered || finish(() => reject(error)))
    write(
      request,
      sent,
      () => answered,
      (bytes) => {
        sentBytes += bytes
      },
    )
  })
}

/** So many bytes at a time, and then a pause: a server that refuses a body has the time to say so before it hangs up. */
const BURST_BYTES = 131_072
const PAUSE_MS = 40

/** Writes the body until the server has answered. */
function write(
  request: ClientRequest,
  { body = '', unfinished }: Sent,
  answered: () => boolean,
  count: (bytes: number) => void,
) {
  if (typeof body === 'string') {
    if (unfinished) request.write(body)
    else request.end(body)
    return
  }
  const pieces = body[Symbol.iterator]()
  const next = () => {
    for (let burst = 0; burst < BURST_BYTES; ) {
      if (answered() || request.destroyed) return
      const { done, value } = pieces.next()
      if (done) return void (unfinished || request.end())
      count(value.length)
      burst += value.length
      request.write(value)
    }
    setTimeout(next, PAUSE_MS)
  }
  next()
}

async function readAnswer(response: IncomingMessage): Promise<Omit<Answered, 'sentBytes'>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes > MOST_BYTES) break
  }
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString(),
  }
}
