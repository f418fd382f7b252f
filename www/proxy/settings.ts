/** Options to settings: checked once, when the proxy is made, with every default filled in. */

import * as v from 'valibot'
import { PinpackError } from '../errors.ts'
import { buildPrompt, type PromptBuilder } from '../prompt.ts'
import type { Knowledge } from '../types.ts'
import { addressHasher } from './address.ts'
import { readKnowledge } from './knowledge.ts'
import { DEFAULT_LIMITS, type Limits, limitsSchema } from './limits.ts'
import type { LogEntry } from './log.ts'
import type { ProxyOptions } from './options.ts'
import { openSink } from './sink.ts'
import { memoryStore, type Store } from './store.ts'

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
  const limits = { ...DEFAULT_LIMITS, ...definedOf(options.limits) }
  if (options.model) checkMinute(knowledge, limits)
  return {
    ...options,
    knowledge,
    origins: new Set(options.origins),
    limits,
    store: options.store ?? memoryStore(),
    buildPrompt: typeof prompt === 'function' ? prompt : buildPrompt,
    visitorKey: addressHasher(options.secret ?? knowledge.hash),
    logHash: dailyHasher(options.secret),
    writeLog: openSink(options.log),
    logsText: options.log !== undefined && options.privacy !== 'strict',
  }
}

/** A minute has to hold one whole request, or every full pack would be refused. */
function checkMinute(knowledge: Knowledge, { minuteTokens, outputTokens }: Limits) {
  const { tokens, tokensMax } = buildPrompt(knowledge, [], [{ role: 'user', content: '?' }])
  const least = tokensMax - tokens + knowledge.budget + outputTokens
  if (minuteTokens >= least) return
  throw new PinpackError(
    'proxy-options',
    `Option \`limits.minuteTokens\`: ${minuteTokens} is less than one request can need, ${least}: a pack of ${knowledge.budget}, an ` +
      `answer of ${outputTokens}, and the prompt around them. Lower \`budget.context\` of the build or \`limits.outputTokens\`.`,
  )
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
