/** Chooses a model from environment variables. */

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { PinpackError } from '../errors.ts'
import { eventFetch } from './events.ts'

/** The variables that are read; all others are ignored. Pass `process.env`, or a worker's `env`. */
export interface ModelEnv {
  /** Key of OpenAI or of a compatible server. */
  OPENAI_API_KEY?: string | undefined
  /** Address of a compatible server, up to and with `/v1`: Ollama, Groq, vLLM. Default `https://api.openai.com/v1`. */
  OPENAI_BASE_URL?: string | undefined
  ANTHROPIC_API_KEY?: string | undefined
  /** Default `https://api.anthropic.com/v1`. */
  ANTHROPIC_BASE_URL?: string | undefined
  /** The model's id. Default `gpt-4o-mini`, or `claude-haiku-4-5`; needed with OPENAI_BASE_URL. */
  PINPACK_MODEL?: string | undefined
}

export interface ModelOptions {
  /**
   * Whether the model reasons: it then gets `max_completion_tokens`, no `max_tokens`, no temperature.
   * Default: by its name (o1, o3, o4, gpt-5 and later).
   */
  reasoning?: boolean | undefined
}

const OPENAI_URL = 'https://api.openai.com/v1'

/**
 * Gives a model for `createProxy`, or undefined when no variable names one (the embedded answerer then answers).
 *
 * OpenAI's variables go first, unless PINPACK_MODEL names a Claude model and there is a key of Anthropic.
 *
 * @throws PinpackError `proxy-options` when OPENAI_BASE_URL is not an address or comes without PINPACK_MODEL.
 */
export function modelFromEnv(env: ModelEnv, options: ModelOptions = {}): LanguageModel | undefined {
  const claude = env.PINPACK_MODEL?.startsWith('claude') ?? false
  const openai = Boolean(env.OPENAI_API_KEY || env.OPENAI_BASE_URL)
  if (env.ANTHROPIC_API_KEY && (claude || !openai)) return anthropicModel(env)
  return openai ? openaiModel(env, options) : undefined
}

function anthropicModel(env: ModelEnv): LanguageModel {
  const baseURL = env.ANTHROPIC_BASE_URL && checkUrl('ANTHROPIC_BASE_URL', env.ANTHROPIC_BASE_URL)
  const provider = createAnthropic({
    apiKey: env.ANTHROPIC_API_KEY ?? '',
    fetch: eventFetch,
    ...(baseURL ? { baseURL } : {}),
  })
  return provider(env.PINPACK_MODEL || 'claude-haiku-4-5')
}

function openaiModel(env: ModelEnv, options: ModelOptions): LanguageModel {
  if (env.OPENAI_BASE_URL && !env.PINPACK_MODEL) {
    throw new PinpackError(
      'proxy-options',
      'OPENAI_BASE_URL is set and PINPACK_MODEL is not. Set it to a model of that server.',
    )
  }
  const id = env.PINPACK_MODEL || 'gpt-4o-mini'
  const reasoning = options.reasoning ?? isReasoning(id)
  return createOpenAICompatible({
    name: 'openai',
    baseURL: checkUrl('OPENAI_BASE_URL', env.OPENAI_BASE_URL || OPENAI_URL),
    includeUsage: true,
    fetch: eventFetch,
    ...(env.OPENAI_API_KEY ? { apiKey: env.OPENAI_API_KEY } : {}),
    ...(reasoning ? { transformRequestBody: reasoningBody } : {}),
  })(id)
}

/** `o3-mini`, `gpt-5-nano`, `openai/o4-mini`; not `gpt-4o`, `gpt-oss`. */
function isReasoning(id: string): boolean {
  return /(?:^|\/)(?:o\d|gpt-(?:[5-9]|\d\d))/.test(id)
}

function reasoningBody({ max_tokens, temperature, ...body }: Record<string, unknown>) {
  return { ...body, max_completion_tokens: max_tokens }
}

function checkUrl(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text
  throw new PinpackError('proxy-options', `${name} is not an address. Wanted something like ${OPENAI_URL}.`)
}
