/** A request's body, read with a cap on its size and its time. */

import { RequestError } from './errors.ts'
import type { Limits } from './limits.ts'

/**
 * Reads the body as text, never past `bodyBytes`, whatever Content-Length says, and not longer than `bodyMs`.
 *
 * @throws RequestError `body-too-large`, `body-slow`, or `bad-request` when it is not UTF-8.
 */
export async function readBody(request: Request, { bodyBytes, bodyMs }: Limits): Promise<string> {
  const tooLarge = () => new RequestError('body-too-large', `The body is larger than ${bodyBytes} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytes) throw tooLarge()
  const reader = request.body?.getReader()
  if (!reader) return ''
  const deadline = startDeadline(bodyMs)
  try {
    return await readText(reader, bodyBytes, tooLarge, deadline.passed)
  } catch (error) {
    void reader.cancel().catch(() => {}) // whoever still sends is not waited for
    throw error
  } finally {
    deadline.clear()
  }
}

async function readText(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  tooLarge: () => RequestError,
  passed: Promise<never>,
): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), passed])
    if (done) return text + decode(decoder)
    bytes += value.length
    if (bytes > maxBytes) throw tooLarge()
    text += decode(decoder, value)
  }
}

function startDeadline(ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RequestError('body-slow', 'The body took too long to arrive.')), ms)
  })
  return { passed, clear: () => clearTimeout(timer) }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    throw new RequestError('bad-request', 'The body is not UTF-8.')
  }
}
