/** What an owner can set, with its ranges and defaults, checked once when the proxy is made. */

import type { LanguageModel } from 'ai'
import * as v from 'valibot'
import { PinpackError } from '../errors.ts'
import { buildPrompt, type PromptBuilder } from '../prompt.ts'
import type { Knowledge, Message, Passage, PromptConfig, Quote } from '../types.ts'
import { addressHasher } from './address.ts'
import type { HumanCheck } from './human.ts'
import { readKnowledge } from './knowledge.ts'
import { DEFAULT_LIMITS, type Limits, limitsSchema } from './limits.ts'
import type { LogEntry } from './log.ts'
import { type LogSink, openSink } from './sink.ts'
import { memoryStore, type Store } from './store.ts'

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

/** Options with every default filled in. */
export interface Settings extends Omit<ProxyOptions, 'knowledge' | 'origins' | 'limits' | 'prompt' | 'store'> {
  knowledge: Knowledge
  origins: Set<string>
  limits: Limits
  store: Store
  buildPrompt: PromptBuilder
  /** Turns an address into the name of its counters. */
  visitorKey: (address: string) => Promise<string>
  /** Turns an address into what the log says of it: another text each day. */
  logHash: (address: string) => Promise<string>
  writeLog: (entry: LogEntry) => void
  /** Whether the log is given what visitors say. */
  logsText: boolean
}

const callable = v.optional(v.function())
const price = v.pipe(v.number(), v.finite(), v.minValue(0))

const schema = v.strictObject({
  knowledge: v.union([v.string(), v.looseObject({})], 'Expected the object or the text of knowledge.json'),
  model: v.optional(v.union([v.pipe(v.string(), v.minLength(1)), v.looseObject({})])),
  origins: v.array(v.pipe(v.string(), v.check(isOrigin, 'Expected an origin such as https://example.com'))),
  sameOrigin: v.optional(v.boolean()),
  allowMissingOrigin: v.optional(v.boolean()),
  limits: v.optional(limitsSchema),
  store: v.optional(v.custom<Store>(isStore, 'Expected a store, with a function `add`')),
  prices: v.optional(v.strictObject({ input: price, output: price })),
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
  addressOf: callable,
  fallback: v.optional(v.boolean()),
  canary: v.optional(v.boolean()),
  secret: v.optional(v.pipe(v.string(), v.minLength(16))),
  human: v.optional(v.strictObject({ header: v.pipe(v.string(), v.regex(/^[\w-]+$/)), verify: v.function() })),
  log: v.optional(
    v.union(
      [v.literal('stdout'), v.function(), v.strictObject({ file: v.pipe(v.string(), v.minLength(1)) })],
      'Expected stdout, { file } or a function',
    ),
  ),
  privacy: v.optional(v.picklist(['strict', 'questions'])),
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
    limits: { ...DEFAULT_LIMITS, ...definedOf(options.limits) },
    store: options.store ?? memoryStore(),
    buildPrompt: typeof prompt === 'function' ? prompt : buildPrompt,
    visitorKey: addressHasher(options.secret ?? knowledge.hash),
    logHash: dailyHasher(options.secret),
    writeLog: openSink(options.log),
    logsText: options.log !== undefined && options.privacy !== 'strict',
  }
}

function dailyHasher(secret: string | undefined) {
  const hash = addressHasher(secret)
  return (address: string) => hash(`${new Date().toISOString().slice(0, 10)} ${address}`)
}

/** An explicit `undefined` means the default, as everywhere. */
function definedOf(limits: Partial<Limits> = {}): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

function isStore(value: unknown): boolean {
  return typeof (value as Store | null)?.add === 'function'
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
