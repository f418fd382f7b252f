/**
 * The proxy's stream → its parts: server-sent events in the AI SDK's UI message stream protocol, one JSON object each.
 * Bytes may come in pieces of any size; parts that this widget does not know are left out.
 */

import { createParser } from 'eventsource-parser'
import type { ProxyErrorBody, Receipt } from '../types.ts'

export type StreamPart =
  | { type: 'start'; messageId?: string }
  | { type: 'data-receipt'; data: Receipt }
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  /** Quotes stand in for the model: why. */
  | { type: 'data-notice'; data: ProxyErrorBody }
  | { type: 'data-error'; data: ProxyErrorBody }
  | { type: 'error'; errorText: string }
  | { type: 'abort' }
  | { type: 'finish' }

/** Yields the parts of a response in order, and ends after `[DONE]` or the last byte. */
export async function* readParts(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamPart> {
  let ready: StreamPart[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      const part = parsePart(data)
      if (part) ready.push(part)
    },
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (let done = false; !done; ) {
      const read = await reader.read()
      done = read.done
      // A last event without its blank line still counts.
      parser.feed(read.value ? decoder.decode(read.value, { stream: true }) : '\n\n')
      yield* ready
      ready = []
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

/** `[DONE]`, keep-alives and what is not JSON give nothing. */
function parsePart(data: string): StreamPart | undefined {
  try {
    const part: unknown = JSON.parse(data)
    return part !== null && typeof part === 'object' && 'type' in part ? (part as StreamPart) : undefined
  } catch {
    return undefined
  }
}
