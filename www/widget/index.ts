/** npm entry `pinpack/widget`: registers `<pinpack-chat>` in a browser, and does nothing on a server. */

import { define, type PinpackChat } from './widget.ts'

export type { Answer, AnswerStatus, Entry, Feedback, Question, Source } from './conversation.ts'
export type { Engine } from './retrieval.ts'
export type { Strings } from './strings/en.ts'
export { PinpackChat } from './widget.ts'

declare global {
  interface HTMLElementTagNameMap {
    'pinpack-chat': PinpackChat
  }
}

define()
