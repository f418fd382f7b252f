/** What an owner can set, with its ranges and defaults. */

import type { LanguageModel } from 'ai'
import type { PromptBuilder } from '../prompt.ts'
import type { Knowledge, Message, Passage, PromptConfig, Quote } from '../types.ts'
import type { HumanCheck } from './human.ts'
import type { Limits } from './limits.ts'
import type { LogSink } from './sink.ts'
import type { Store } from './store.ts'

/** What a million tokens cost, in any currency. */
export interface Prices {
  input: number
  output: number
}

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
  /** Caps of a request and limits over time; each has a default. */
  limits?: Partial<Limits> | undefined
  /** Where the limits over time are counted. Default: `memoryStore()`, this process alone. */
  store?: Store | undefined
  /** What the model costs: for `limits.dayMicros` and the log. Default: unknown. */
  prices?: Prices | undefined
  /** Temperature for the model, 0 to 2. Default: not sent, the model's own. */
  temperature?: number | undefined
  /** Words that replace those of the knowledge base, or a builder for the whole prompt, which must hold every passage as rendered. */
  prompt?: Partial<PromptConfig> | PromptBuilder | undefined
  /**
   * Header that your platform sets to the visitor's address (`cf-connecting-ip`). No other header is ever believed.
   * Default: none; then all visitors count as one, unless `addressOf` tells them apart.
   */
  addressHeader?: string | undefined
  /** Gives the visitor's address by other means, such as the connection; goes before `addressHeader`. */
  addressOf?: ((request: Request) => string | undefined) | undefined
  /**
   * Key for the hashes of addresses. The same text in every process, unguessable. Default: the counters use the public
   * hash of the knowledge base, the log a key made by chance for each process.
   */
  secret?: string | undefined
  /**
   * Whether quotes answer, and say that they are quotes, when the day's budget is spent or the model cannot be reached.
   * Default true; false makes these errors.
   */
  fallback?: boolean | undefined
  /** Stops an answer that begins to recite the prompt's own words, or the fence of a passage. Default false. */
  canary?: boolean | undefined
  /** Checks that a visitor is human before anything is spent. Default: no check. */
  human?: HumanCheck | undefined
  /** Where one entry a POST goes when it is over. Default: nowhere. */
  log?: LogSink | undefined
  /** `strict`: the log gets no question and no hash of an address. Default `questions`: it gets both. */
  privacy?: 'strict' | 'questions' | undefined
  /** Finds quotes for the embedded answerer. Default: `quote` of `pinpack`. */
  quote?: QuoteFunction | undefined
}
