/** The text of an answer on its way out: markers taken out, citations checked, recitals stopped. */

import { refusalText, UNANSWERED } from '../prompt.ts'
import { createCitationFilter } from './citations.ts'
import { UpstreamError } from './errors.ts'
import type { AnswerJob, Chunk } from './stream.ts'
import { createMarkerFilter, createRecitalGuard } from './watch.ts'

const TEXT_ID = 'answer'

export interface TextChunks {
  /** Id of the text part. */
  readonly id: string
  /** Whether anything was sent. */
  readonly started: boolean
  /** Whether the answer was the permitted refusal. */
  readonly refused: boolean
  /** @throws UpstreamError `answer-withheld` when the text recites the prompt. */
  write(piece: string): Generator<Chunk>
  /** Sends what was held back, and closes the text. */
  end(): Generator<Chunk>
  /** Forgets what was held back: another answerer begins. */
  discard(): void
}

/** The text part, opened by the first text, and a source for each passage when it is first cited. */
export function textChunks(job: AnswerJob): TextChunks {
  const { exchange, knowledge, prompt } = job
  const open = () => [createCitationFilter(prompt.passages.length), createMarkerFilter(UNANSWERED)] as const
  let [filter, marker] = open()
  const guard = job.canary ? createRecitalGuard(framesOf(job)) : undefined
  const refusal = refusalText(knowledge.prompt)
  const { cited } = exchange.entry
  let sent = ''
  let refused = false

  function* send(piece: string): Generator<Chunk> {
    const delta = sent === '' ? piece.trimStart() : piece
    if (delta === '') return
    if (guard?.recites(delta)) throw new UpstreamError('answer-withheld')
    exchange.firstToken()
    if (sent === '') yield { type: 'text-start', id: TEXT_ID }
    sent = (sent + delta).slice(-2 * refusal.length - 1)
    refused ||= sent.includes(refusal)
    yield { type: 'text-delta', id: TEXT_ID, delta }
    for (const n of [...filter.cited].slice(cited.length)) {
      cited.push(n)
      yield* sourceOf(n, job)
    }
  }
  return {
    id: TEXT_ID,
    get started() {
      return sent !== ''
    },
    get refused() {
      return refused || marker.found
    },
    write: (piece) => send(filter.push(marker.push(piece))),
    *end() {
      yield* send(filter.push(marker.end()) + filter.end())
      if (sent === '' && marker.found) yield* send(refusal)
      if (sent !== '') yield { type: 'text-end', id: TEXT_ID }
    },
    discard() {
      ;[filter, marker] = open()
    },
  }
}

function* sourceOf(n: number, { knowledge, prompt }: AnswerJob): Generator<Chunk> {
  const section = knowledge.sections[prompt.passages[n - 1]?.id ?? -1]
  if (section?.url) yield { type: 'source-url', sourceId: `p${n}`, url: section.url, title: section.title }
}

/** What stands around the passages: nobody answers a question with it. The refusal is there to be said. */
function framesOf({ prompt, knowledge }: AnswerJob): string[] {
  return prompt.system
    .split(/<passage id="\d+" title="[^"]*">\n.*?\n<\/passage>\n/s)
    .flatMap((frame) => frame.split(refusalText(knowledge.prompt)))
}
