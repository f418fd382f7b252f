/** Time limits of an answer. */

import type { Answerer, AnswerPart } from './answerer.ts'
import { UpstreamError } from './errors.ts'
import type { AnswerJob } from './stream.ts'

/**
 * The answer's parts, until the next one is too long in coming or the whole takes too long: the answerer's signal is
 * then aborted, with `upstream-failed` before the first part and `upstream-cut` after it as its reason.
 */
export async function* timed(answerer: Answerer, job: AnswerJob): AsyncGenerator<AnswerPart> {
  const { prompt, asked, limits, signal } = job
  const late = new AbortController()
  let started = false
  const expire = () => late.abort(new UpstreamError(started ? 'upstream-cut' : 'upstream-failed'))
  const total = setTimeout(expire, limits.totalMs)
  let idle = setTimeout(expire, limits.idleMs)
  try {
    for await (const part of answerer.answer(prompt, asked, AbortSignal.any([signal, late.signal]))) {
      clearTimeout(idle)
      started = true
      yield part
      idle = setTimeout(expire, limits.idleMs)
    }
  } finally {
    clearTimeout(total)
    clearTimeout(idle)
    late.abort()
  }
}
