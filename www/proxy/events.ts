/** Event streams of upstreams, written as every parser reads them: lines that end in LF, and a blank line at the end. */

const LF = 10
const CR = 13

/**
 * Fetch for event streams of any form. The AI SDK's parser drops a last event that has no blank line after it, and holds
 * back an event whose lines end in CR until it has seen what follows.
 */
export const eventFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (!response.body || !response.headers.get('content-type')?.includes('text/event-stream')) return response
  return new Response(response.body.pipeThrough(evenLines()).pipeThrough(closeLastEvent()), response)
}

/** Makes LF of CR and CRLF, whole or cut. In UTF-8 neither byte is ever a part of another character. */
function evenLines(): TransformStream<Uint8Array, Uint8Array> {
  let afterCr = false
  return new TransformStream({
    transform(chunk, controller) {
      if (chunk.length === 0) return
      const bytes = afterCr && chunk[0] === LF ? chunk.subarray(1) : chunk
      afterCr = chunk.at(-1) === CR
      controller.enqueue(bytes.includes(CR) ? withLf(bytes) : bytes)
    },
  })
}

function withLf(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== LF || bytes[at - 1] !== CR).map((byte) => (byte === CR ? LF : byte))
}

/** Adds a blank line after a last event that is whole, so that half an event stays undelivered. */
function closeLastEvent(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let line = ''
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      line += decoder.decode(chunk, { stream: true })
      line = line.slice(line.lastIndexOf('\n') + 1)
    },
    flush(controller) {
      if (line === '' || isWholeEvent(line)) controller.enqueue(new TextEncoder().encode('\n\n'))
    },
  })
}

function isWholeEvent(line: string): boolean {
  try {
    return typeof JSON.parse(line.replace(/^data:/, '')) === 'object'
  } catch {
    return false
  }
}
