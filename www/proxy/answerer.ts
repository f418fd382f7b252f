/** What writes an answer: a model or the embedded answerer. Both feed the same stream. */

import type { Prompt } from '../prompt.ts'
import type { Message } from '../types.ts'

/** A piece of an answer. `finish` comes once, last; `length` means that the answer was cut at its token limit. */
export type AnswerPart =
  | { type: 'text'; text: string }
  | { type: 'finish'; reason: 'stop' | 'length'; usage?: { input?: number; output?: number } }

export interface Answerer {
  /** The model's id, or `embedded`. */
  readonly model: string
  /**
   * Writes the answer. Stops when `signal` aborts.
   *
   * @throws UpstreamError, after the pieces that came before the failure.
   */
  answer(prompt: Prompt, asked: Message[], signal: AbortSignal): AsyncIterable<AnswerPart>
}
