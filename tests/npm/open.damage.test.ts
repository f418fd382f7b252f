/** One bit of a blob is another: an error by its code, or the answers of the sound blob. Never a wrong answer, never a trap. */

import fc from 'fast-check'
import { type KnowledgeBase, open, PinpackError } from 'pinpack'
import { type BuildResult, build } from 'pinpack/build'
import { beforeAll, describe, expect, it } from 'vitest'
import { asking, buildFixture, filesOf } from './fixture.ts'

/** Bytes of the plain header, as docs/design.md says. */
const HEADER = 48

type Bytes = Uint8Array<ArrayBuffer>

function flipped(blob: Bytes, at: number, bit: number): Bytes {
  const copy = blob.slice()
  copy[at] = (copy[at] as number) ^ (1 << bit)
  return copy
}

/** Where the parts of a blob end: the public texts follow the header; it tells how long they and the streams are. */
function ends({ blob, knowledge }: BuildResult) {
  const pinned = new Set(knowledge.pinned)
  const texts = knowledge.sections.filter((_, id) => !pinned.has(id)).map(({ text }) => Buffer.byteLength(text))
  const between = new DataView(blob.buffer, blob.byteOffset).getUint32(28, true)
  return { texts: HEADER + texts.reduce((sum, bytes) => sum + bytes, 0), streams: HEADER + between, body: blob.length }
}

/** The error's code; what is no error of ours is thrown on. */
function codeOf(thrown: unknown): string {
  if (thrown instanceof PinpackError) return thrown.code
  throw thrown
}

const opening = (blob: Bytes) => open(blob).catch(codeOf)

/** What a call says, as JSON; or the code of its error. */
function said(call: () => unknown): string {
  try {
    return JSON.stringify(call()) ?? 'undefined'
  } catch (thrown) {
    return codeOf(thrown)
  }
}

/** Everything that a knowledge base answers, one after the other. */
function answers(knowledge: KnowledgeBase, questions: string[], ids: number[]): string[] {
  const calls = [
    ...questions.map((text) => () => knowledge.rank(asking(text))),
    ...questions.map((text) => () => knowledge.explain(asking(text))),
    ...questions.map((text) => () => knowledge.pack(asking(text))),
    ...ids.map((id) => () => knowledge.section(id)),
    () => knowledge.stats,
    () => knowledge.refs,
  ]
  return calls.map(said)
}

describe('a bit that flips in', () => {
  let built: BuildResult
  let blob: Bytes
  let end: ReturnType<typeof ends>
  beforeAll(async () => {
    built = await buildFixture()
    blob = new Uint8Array(built.blob)
    end = ends(built)
  })

  /** Opens the fixture with each byte from `start` to `stop` changed in one bit. */
  async function* damaged(start: number, stop: number) {
    expect(stop).toBeGreaterThan(start)
    for (let at = start; at < stop; at++) yield await opening(flipped(blob, at, at % 8))
  }

  it.each([
    ['magic', 0, 8, 'blob-magic'],
    ['checksum', 8, 16, 'blob-damaged'],
    ['format', 16, 20, 'blob-format'],
    ['analyzer', 20, 24, 'blob-analyzer'],
    ['lengths', 24, 32, 'blob-truncated'],
    ['content hash', 32, HEADER, 'blob-damaged'],
  ])('the %s of the header is told when it is opened', async (_, start, stop, code) => {
    for await (const outcome of damaged(start, stop)) expect(outcome).toBe(code)
  })

  it('the body is told when it is opened', async () => {
    for await (const outcome of damaged(end.streams, end.body)) expect(outcome).toBe('blob-damaged')
  })

  it('the texts is told before one is given out, and ranking is right without them', async () => {
    const sound = (await opening(blob)) as KnowledgeBase
    const hits = said(() => rankOf(sound))
    expect(hits).toContain('content/refunds.md#deposits')
    for await (const outcome of damaged(HEADER, end.texts)) {
      const knowledge = outcome as KnowledgeBase
      expect(said(() => rankOf(knowledge))).toBe(hits)
      for (const call of [explainOf, packOf, sectionOf]) expect(said(() => call(knowledge))).toBe('blob-damaged')
    }
  })

  it('the streams is told by the first answer that reads them, and by each after it', async () => {
    for await (const outcome of damaged(end.texts, end.streams)) {
      const knowledge = outcome as KnowledgeBase
      for (const call of [rankOf, explainOf, packOf, sectionOf, refsOf])
        expect(said(() => call(knowledge))).toBe('blob-damaged')
    }
  })

  const QUESTION = asking('can I get a refund of my deposit?')
  const rankOf = (knowledge: KnowledgeBase) => knowledge.rank(QUESTION)
  const explainOf = (knowledge: KnowledgeBase) => knowledge.explain(QUESTION)
  const packOf = (knowledge: KnowledgeBase) => knowledge.pack(QUESTION)
  const sectionOf = (knowledge: KnowledgeBase) => knowledge.section(0)
  const refsOf = (knowledge: KnowledgeBase) => knowledge.refs
})

describe('a blob of many pieces', () => {
  /** 600 pages on things with made-up names, so that titles, terms and postings fill many pieces of 8 KB. */
  const named = (number: number) => `${['kor', 'bel', 'tam', 'riv'][number % 4]}${(number * 7919).toString(36)}`
  const pages = Object.fromEntries(
    Array.from({ length: 600 }, (_, at): [string, string] => [
      `content/${named(at)}.md`,
      `# The ${named(at)} of ${named(at + 1)}\n\n${Array.from({ length: 40 }, (_, step) => named((at * 31 + step * 17) % 900)).join(' ')}.\n`,
    ]),
  )
  const questions = [5, 250, 590].map((number) => `what is the ${named(number)} of ${named(number + 1)}?`)
  const ids = [0, 100, 350, 599]

  it('gives an error or the right answers, whichever bit flips', async () => {
    const built = await build(filesOf(pages), '[sources]\ninclude = ["content/**/*.md"]\n')
    const blob = new Uint8Array(built.blob)
    const { texts, streams } = ends(built)
    expect((streams - texts) / 8192).toBeGreaterThan(5)
    const right = answers((await opening(blob)) as KnowledgeBase, questions, ids)
    expect(right.filter((answer) => answer.startsWith('blob-'))).toEqual([])

    const seen = new Set<string>()
    const everywhere = fc.nat(blob.length - 1)
    const inStreams = fc.integer({ min: texts, max: streams - 1 })
    await fc.assert(
      fc.asyncProperty(fc.oneof(everywhere, inStreams), fc.nat(7), async (at, bit) => {
        const knowledge = await opening(flipped(blob, at, bit))
        if (typeof knowledge === 'string') {
          seen.add('not opened')
          expect(knowledge).toMatch(at < 32 ? /^blob-/ : /^blob-damaged$/)
          return
        }
        const given = answers(knowledge, questions, ids)
        knowledge.close()
        for (const [call, answer] of given.entries()) {
          seen.add(answer === 'blob-damaged' ? 'refused' : 'right')
          if (answer !== 'blob-damaged') expect(answer).toBe(right[call])
        }
      }),
      { numRuns: 300 },
    )
    expect([...seen].sort()).toEqual(['not opened', 'refused', 'right'])
  })
})
