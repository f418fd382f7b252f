/** An answerer that calls a language model, and asks again when it was too busy to begin. */

import {
  type FinishReason,
  type LanguageModel,
  type SystemModelMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
} from 'ai'
import type { Prompt } from '../prompt.ts'
import type { Answerer, AnswerPart } from './answerer.ts'
import { UpstreamError } from './errors.ts'
import { upstreamFailure } from './failures.ts'
import { retryWait, wait } from './retry.ts'
import type { Settings } from './settings.ts'

/** Makes an answerer of a model of the AI SDK. */
export function modelAnswerer(model: LanguageModel, settings: Settings): Answerer {
  const { retries, retryMs } = settings.limits
  return {
    model: typeof model === 'string' ? model : model.modelId,
    async *answer(prompt, _asked, signal) {
      for (let attempt = 0; ; attempt++) {
        const failure = yield* askOnce(model, prompt, settings, signal)
        if (!failure) return
        const { retryable, waitMs } = failure.facts
        const ms = retryable && attempt < retries ? retryWait(attempt, waitMs, retryMs) : undefined
        if (ms === undefined) throw failure
        await wait(ms, signal)
      }
    },
  }
}

/** One call. Gives the failure when nothing was answered, and throws it when something was. */
async function* askOnce(model: LanguageModel, prompt: Prompt, { limits, temperature }: Settings, signal: AbortSignal) {
  const { stream } = streamText({
    model,
    instructions: instructionsFor(model, prompt),
    messages: prompt.messages,
    maxOutputTokens: limits.outputTokens,
    maxRetries: 0,
    abortSignal: signal,
    onError: () => {}, // the default prints the upstream's error, which can hold a key
    ...(temperature === undefined ? {} : { temperature }),
  })
  let answered = false
  try {
    for await (const part of stream) {
      const piece = readPart(part, signal)
      if (piece instanceof UpstreamError && !answered) return piece
      if (piece instanceof UpstreamError) throw piece
      if (!piece) continue
      answered = true
      yield piece
    }
  } catch (error) {
    // Failures of the call are parts; what the stream itself throws is a broken connection.
    throw error instanceof UpstreamError || signal.aborted ? error : new UpstreamError('upstream-cut', error)
  }
  return undefined
}

/** Anthropic caches what is marked; others cache what begins the same by themselves, and some take one system text only. */
function instructionsFor(model: LanguageModel, { system, stable = 0 }: Prompt): string | SystemModelMessage[] {
  const cached = typeof model !== 'string' && model.provider.startsWith('anthropic') && stable > 0
  if (!cached) return system
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  const head: SystemModelMessage = { role: 'system', content: system.slice(0, stable), providerOptions }
  const rest = system.slice(stable)
  return rest ? [head, { role: 'system', content: rest }] : [head]
}

function readPart(part: TextStreamPart<ToolSet>, signal: AbortSignal): AnswerPart | UpstreamError | undefined {
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: part.text }
    case 'error':
      return upstreamFailure(part.error)
    case 'abort':
      throw signal.reason
    case 'finish':
      return finishOf(part.finishReason, usageOf(part.totalUsage))
    default:
      return undefined
  }
}

function finishOf(reason: FinishReason, usage: ReturnType<typeof usageOf>): AnswerPart | UpstreamError {
  if (reason === 'content-filter') return new UpstreamError('content-filter')
  if (reason === 'error' || reason === 'interrupted') return new UpstreamError('upstream-cut')
  return { type: 'finish', reason: reason === 'length' ? 'length' : 'stop', usage }
}

function usageOf(usage: { inputTokens: number | undefined; outputTokens: number | undefined }) {
  const { inputTokens, outputTokens } = usage
  return {
    ...(inputTokens === undefined ? {} : { input: inputTokens }),
    ...(outputTokens === undefined ? {} : { output: outputTokens }),
  }
}
