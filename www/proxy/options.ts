/** What an owner can set, with its ranges and defaults, checked once when the proxy is made. */

import type { LanguageModel } from 'ai'
import * as v from 'valibot'
import { PinpackError } from '../errors.ts'
import type { PromptBuilder } from '../prompt.ts'
import type { Knowledge, Message, Passage, PromptConfig, Quote } from '../types.ts'
import { readKnowledge } from './knowledge.ts'
import type { LogEntry } from './log.ts'

/** Caps of one request. Every field is an integer and has a default. */
export interface Limits {
  /** Most bytes of a request's body; the rest is not read. 1,024 to 1,048,576, default 65,536. */
  bodyBytes: number
  /** Most messages in a request; more are refused. 1 to 1,000, default 40. */
  messages: number
  /** Most UTF-16 code units of one message; longer ones are refused. 1 to 100,000, default 4,000. */
  messageChars: number
  /** Most tokens that the model may answer with. 16 to 100,000, default 800. Reasoning models need more: they think in it. */
  outputTokens: number
  /** Most messages sent to the model; older ones are dropped. 1 to 1,000, default 12. */
  historyMessages: number
  /** Most tokens of messages sent to the model, as an upper bound (UTF-8 bytes). 1 to 1,000,000, default 8,000. */
  historyTokens: number
  /** Longest wait for the next piece of an answer, in milliseconds. 10 to 600,000, default 30,000. */
  idleMs: number
  /** Longest time for a whole answer, in milliseconds. 10 to 3,600,000, default 120,000. */
  totalMs: number
  /** Retries of a model call that failed before its first byte with 408, 409, 429 or 5xx. 0 to 5, default 1. */
  retries: number
}

/** One call that is about to spend tokens. */
export interface LimitedCall {
  /** The visitor's address from `addressHeader`; undefined when none is declared or sent. */
  address: string | undefined
  /** Upper bound of the tokens that the call can spend, the answer included. */
  tokens: number
}

/** What a limiter decides. `retryAfter` is in seconds; `settle` is told the tokens really spent (the upper bound when unknown). */
export type LimiterVerdict =
  | { allowed: true; settle?: (tokens: number) => void | Promise<void> }
  | { allowed: false; retryAfter: number }

/** Reserves the tokens of a call or refuses it. When it throws, the request is refused with 503. */
export type Limiter = (call: LimitedCall) => LimiterVerdict | Promise<LimiterVerdict>

/** Finds the sentences that answer in `passages`. The default is `quote` of `pinpack`, which runs the analyzer in WebAssembly. */
export type QuoteFunction = (
  messages: Message[],
  passages: Passage[],
  options: { language: string; limit: number },
) => Promise<Quote[]>

export interface ProxyOptions {
  /** `knowledge.json` of the build: the object or its text. */
  knowledge: Knowledge | string
  /** A language model of the AI SDK; see `modelFromEnv`. Default: none, the embedded answerer quotes the passages. */
  model?: LanguageModel | undefined
  /**
   * Origins whose pages may ask, each exactly as a browser sends it: scheme, host and port (`https://example.com`).
   * No wildcards. An empty list answers nobody, unless `sameOrigin` is set.
   */
  origins: string[]
  /** Also answers pages of the proxy's own origin. Default false. */
  sameOrigin?: boolean | undefined
  /** Also answers requests without an Origin header (scripts, other servers). Default false. */
  allowMissingOrigin?: boolean | undefined
  /** Caps; each has a default. */
  limits?: Partial<Limits> | undefined
  /** Temperature for the model, 0 to 2. Default: not sent, the model's own. */
  temperature?: number | undefined
  /** Words that replace those of the knowledge base, or a builder for the whole prompt, which must hold every passage as rendered. */
  prompt?: Partial<PromptConfig> | PromptBuilder | undefined
  /** Header that your platform sets to the visitor's address (`cf-connecting-ip`). Default: none; addresses are unknown. */
  addressHeader?: string | undefined
  /** Called before each answer. Default: no limits beyond `limits`. */
  limiter?: Limiter | undefined
  /** Called once a POST when it is over. The entry holds no text and no key. Default: no log. */
  onLog?: ((entry: LogEntry) => void) | undefined
  /** Finds quotes for the embedded answerer. Default: `quote` of `pinpack`. */
  quote?: QuoteFunction | undefined
}

/** Options with every default filled in. */
export interface Settings extends Omit<ProxyOptions, 'knowledge' | 'origins' | 'limits' | 'prompt'> {
  knowledge: Knowledge
  origins: Set<string>
  limits: Limits
  buildPrompt: PromptBuilder | undefined
}

const DEFAULT_LIMITS: Limits = {
  bodyBytes: 65_536,
  messages: 40,
  messageChars: 4000,
  outputTokens: 800,
  historyMessages: 12,
  historyTokens: 8000,
  idleMs: 30_000,
  totalMs: 120_000,
  retries: 1,
}

const between = (min: number, max: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)))
const callable = v.optional(v.function())

const schema = v.strictObject({
  knowledge: v.union([v.string(), v.looseObject({})], 'Expected the object or the text of knowledge.json'),
  model: v.optional(v.union([v.pipe(v.string(), v.minLength(1)), v.looseObject({})])),
  origins: v.array(v.pipe(v.string(), v.check(isOrigin, 'Expected an origin such as https://example.com'))),
  sameOrigin: v.optional(v.boolean()),
  allowMissingOrigin: v.optional(v.boolean()),
  limits: v.optional(
    v.strictObject({
      bodyBytes: between(1024, 1_048_576),
      messages: between(1, 1000),
      messageChars: between(1, 100_000),
      outputTokens: between(16, 100_000),
      historyMessages: between(1, 1000),
      historyTokens: between(1, 1_000_000),
      idleMs: between(10, 600_000),
      totalMs: between(10, 3_600_000),
      retries: between(0, 5),
    } satisfies Record<keyof Limits, unknown>),
  ),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  prompt: v.optional(
    v.union([
      v.function(),
      v.strictObject({
        assistant: v.optional(v.string()),
        contact: v.optional(v.string()),
        refusal: v.optional(v.string()),
        language: v.optional(v.string()),
      }),
    ]),
  ),
  addressHeader: v.optional(v.pipe(v.string(), v.regex(/^[\w-]+$/))),
  limiter: callable,
  onLog: callable,
  quote: callable,
} satisfies Record<keyof ProxyOptions, unknown>)

/**
 * Checks options and fills in the defaults.
 *
 * @throws PinpackError `proxy-options`, naming the option.
 */
export function checkOptions(options: ProxyOptions): Settings {
  const result = v.safeParse(schema, options)
  if (!result.success) {
    const [issue] = result.issues
    throw new PinpackError('proxy-options', `Option \`${v.getDotPath(issue) ?? 'options'}\`: ${issue.message}.`)
  }
  const knowledge = readKnowledge(options.knowledge)
  const { prompt } = options
  if (typeof prompt === 'object') knowledge.prompt = { ...knowledge.prompt, ...prompt }
  return {
    ...options,
    knowledge,
    origins: new Set(options.origins),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    buildPrompt: typeof prompt === 'function' ? prompt : undefined,
  }
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
