/**
 * Answers by the model that the browser itself brings (the Prompt API's `LanguageModel`): the same pack, prompt and receipt as the
 * proxy's, and nothing leaves the device. Loaded only where the owner turned it on.
 */

import { PinpackError } from '../errors.ts'
import type { Message, Receipt } from '../types.ts'
import type { StreamPart } from './events.ts'
import { type PromptSite, promptOf } from './prompting.ts'
import type { OpenKnowledge } from './retrieval.ts'

/** What this file uses of the API. */
interface LanguageModelApi {
  availability(options: Languages): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>
  create(
    options: Languages & { initialPrompts: { role: string; content: string }[]; signal: AbortSignal },
  ): Promise<Session>
}
interface Session {
  promptStreaming(input: string, options: { signal: AbortSignal }): ReadableStream<string>
  destroy(): void
}
type Languages = Record<'expectedInputs' | 'expectedOutputs', { type: 'text'; languages: string[] }[]>

export interface BrowserAsk extends PromptSite {
  knowledge: OpenKnowledge
  messages: Message[]
  signal: AbortSignal
}

/** Whether the browser has a model that can answer in the language now, without a download. */
export async function hasModel(language: string): Promise<boolean> {
  const api = apiOf()
  if (!api) return false
  return (await api.availability(languagesOf(language)).catch(() => 'unavailable')) === 'available'
}

/**
 * The answer as the parts that a proxy would stream.
 *
 * @throws PinpackError `builtin-rules` when a pinned section's text is not public, so that the model would not see the rule;
 * `builtin-failed` when the model fails. An abort passes through.
 */
export async function* answerInBrowser(ask: BrowserAsk): AsyncGenerator<StreamPart> {
  const pack = ask.knowledge.pack(ask.messages)
  const prompt = promptOf(pack, ask.messages, ask)
  if (!prompt) throw rulesAreHidden()
  yield { type: 'data-receipt', data: receiptOf(pack) }
  const turns = [{ role: 'system', content: prompt.system }, ...prompt.messages]
  const question = turns.pop()?.content ?? ''
  let session: Session | undefined
  try {
    session = await apiOf()?.create({ ...languagesOf(ask.language), initialPrompts: turns, signal: ask.signal })
    if (!session) throw new Error('there is no model')
    for await (const delta of read(session.promptStreaming(question, { signal: ask.signal })))
      yield { type: 'text-delta', id: 'browser', delta }
    yield { type: 'finish' }
  } catch (cause) {
    ask.signal.throwIfAborted()
    throw new PinpackError('builtin-failed', `the browser's model failed: ${cause}`, { cause })
  } finally {
    session?.destroy()
  }
}

const apiOf = () => (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel

function languagesOf(language: string): Languages {
  const languages = [language.split('-')[0] as string]
  return { expectedInputs: [{ type: 'text', languages }], expectedOutputs: [{ type: 'text', languages }] }
}

/** Not every browser that has the API can iterate over a stream. */
async function* read(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function receiptOf({ hash, sections, tokens, budget }: ReturnType<OpenKnowledge['pack']>): Receipt {
  const sent = sections.map(({ id, ref, title, url, tokens, why }) => ({
    id,
    ref,
    title,
    url,
    tokens,
    pinned: why === 'pinned',
  }))
  return { hash, sections: sent, tokens, budget, model: 'browser' }
}

function rulesAreHidden(): PinpackError {
  return new PinpackError(
    'builtin-rules',
    "the browser's model is not asked, because it would not see the pinned rules: their text is not public\n" +
      'set `[pinned] publish = true` and build again, or leave out `builtin`',
  )
}
