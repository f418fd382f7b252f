/** An answerer that calls a language model, and the one place that looks at what an upstream says when it fails. */

import { type FinishReason, type LanguageModel, RetryError, streamText, type TextStreamPart, type ToolSet } from 'ai'
import type { Answerer, AnswerPart } from './answerer.ts'
import { type UpstreamCode, UpstreamError } from './errors.ts'
import type { Settings } from './options.ts'

/** Makes an answerer of a model of the AI SDK. */
export function modelAnswerer(model: LanguageModel, { limits, temperature }: Settings): Answerer {
  return {
    model: typeof model === 'string' ? model : model.modelId,
    async *answer(prompt, _asked, signal) {
      const { stream } = streamText({
        model,
        instructions: prompt.system,
        messages: prompt.messages,
        maxOutputTokens: limits.outputTokens,
        maxRetries: limits.retries,
        abortSignal: signal,
        onError: () => {}, // the default prints the upstream's error, which can hold a key
        ...(temperature === undefined ? {} : { temperature }),
      })
      try {
        for await (const part of stream) {
          const piece = readPart(part, signal)
          if (piece) yield piece
        }
      } catch (error) {
        // Failures of the call are parts; what the stream itself throws is a broken connection.
        throw error instanceof UpstreamError || signal.aborted ? error : new UpstreamError('upstream-cut', error)
      }
    },
  }
}

function readPart(part: TextStreamPart<ToolSet>, signal: AbortSignal): AnswerPart | undefined {
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: part.text }
    case 'error':
      throw new UpstreamError(upstreamCode(part.error), part.error)
    case 'abort':
      throw signal.reason
    case 'finish':
      return { type: 'finish', reason: finishReason(part.finishReason), usage: usageOf(part.totalUsage) }
    default:
      return undefined
  }
}

function finishReason(reason: FinishReason): 'stop' | 'length' {
  if (reason === 'content-filter') throw new UpstreamError('content-filter')
  if (reason === 'error' || reason === 'interrupted') throw new UpstreamError('upstream-cut')
  return reason === 'length' ? 'length' : 'stop'
}

function usageOf(usage: { inputTokens: number | undefined; outputTokens: number | undefined }) {
  const { inputTokens, outputTokens } = usage
  return {
    ...(inputTokens === undefined ? {} : { input: inputTokens }),
    ...(outputTokens === undefined ? {} : { output: outputTokens }),
  }
}

/** The code for whatever an upstream or the AI SDK raised. Reads status, type and name only, never the text. */
export function upstreamCode(error: unknown): UpstreamCode {
  const cause = RetryError.isInstance(error) ? error.lastError : error
  const { statusCode, type, code, name } = fieldsOf(cause)
  const label = `${type ?? ''} ${code ?? ''} ${name ?? ''}`
  if (/content_?filter|content_policy/i.test(label)) return 'content-filter'
  if (statusCode === 401 || statusCode === 403 || /auth|permission|api_?key/i.test(label)) return 'upstream-auth'
  if ([429, 503, 529].includes(statusCode ?? 0) || /overloaded|rate_?limit/i.test(label)) return 'upstream-overloaded'
  if (statusCode === 200 || /InvalidResponseData|JSONParse|TypeValidation/.test(label)) return 'upstream-cut'
  return 'upstream-failed'
}

/** `code` can sit one level down: OpenAI's errors are `{ error: { type, code } }` in the AI SDK's `data`. */
function fieldsOf(error: unknown) {
  const outer = (error ?? {}) as { statusCode?: number; type?: unknown; code?: unknown; name?: unknown; data?: unknown }
  const inner = (outer.data as { error?: { type?: unknown; code?: unknown } } | undefined)?.error
  return {
    statusCode: outer.statusCode,
    name: outer.name,
    type: outer.type ?? inner?.type,
    code: outer.code ?? inner?.code,
  }
}
