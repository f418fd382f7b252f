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
  return new Response(response.body.pipeThrough(evenEvents()), response)
}

/**
 * Makes LF of CR and CRLF, whole or cut (in UTF-8 neither byte is ever a part of another character), and adds a blank line
 * after a last event that is whole, so that half an event stays undelivered. One stream for both: each costs time a word.
 */
function evenEvents(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let afterCr = false
  let line = ''
  return new TransformStream({
    transform(chunk, controller) {
      if (chunk.length === 0) return
      const bytes = afterCr && chunk[0] === LF ? chunk.subarray(1) : chunk
      afterCr = chunk.at(-1) === CR
      const even = bytes.includes(CR) ? withLf(bytes) : bytes
      controller.enqueue(even)
      line += decoder.decode(even, { stream: true })
      line = line.slice(line.lastIndexOf('\n') + 1)
    },
    flush(controller) {
      if (line === '' || isWholeEvent(line)) controller.enqueue(new TextEncoder().encode('\n\n'))
    },
  })
}

function withLf(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== LF || bytes[at - 1] !== CR).map((byte) => (byte === CR ? LF : byte))
}

function isWholeEvent(line: string): boolean {
  try {
    return typeof JSON.parse(line.replace(/^data:/, '')) === 'object'
  } catch {
    return false
  }
}
