/** What a screen reader is told when an answer has ended: all of it, once. */

import type { Answer } from './conversation.ts'
import { plainText } from './markdown/plain.ts'
import type { Strings } from './strings/en.ts'
import { errorWords } from './strings/errors.ts'

export function announce(answer: Answer, strings: Strings, language: string): string {
  const nothing = answer.kind === 'nothing' ? strings.notCovered : ''
  return [plainText(answer.content), nothing, ending(answer, strings, language)].filter(Boolean).join('\n')
}

function ending({ status, error }: Answer, strings: Strings, language: string): string {
  if (status === 'failed' && error) return errorWords(error, strings, language)
  return status === 'cut' || status === 'stopped' ? strings[status] : ''
}
