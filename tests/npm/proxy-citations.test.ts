import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCitationFilter } from '../../www/proxy/citations.ts'

function filter(pieces: string[], passages = 4) {
  const citations = createCitationFilter(passages)
  const text = pieces.map((piece) => citations.push(piece)).join('') + citations.end()
  return { text, cited: [...citations.cited] }
}

describe('the citation filter', () => {
  it.each([
    ['keeps markers of sent passages as they are', 'See [2] and [4], also [2].', 'See [2] and [4], also [2].', [2, 4]],
    ['removes a marker of a passage that was not sent', 'Yes [5]. No [0].', 'Yes. No.', []],
    ['splits a list and drops what was not sent', 'So [1, 9; 3] it is.', 'So [1][3] it is.', [1, 3]],
    ['takes neighbors one by one', 'So[1][7][2].', 'So[1][2].', [1, 2]],
    ['leaves code spans alone', 'Use `args[9]` here [1].', 'Use `args[9]` here [1].', [1]],
    ['leaves fenced code alone', '```js\na[7]\n\nb[8]\n```\n[7]', '```js\na[7]\n\nb[8]\n```\n', []],
    ['ends an unclosed code span with its paragraph', 'a ` b\n\nc [9]', 'a ` b\n\nc', []],
    ['leaves escaped brackets alone', 'see \\[9] there', 'see \\[9] there', []],
    ['sees through an escaped backslash', 'see \\\\[9]', 'see \\\\', []],
    ['leaves years and words in brackets', '[2024] [sic] [1a]', '[2024] [sic] [1a]', []],
    ['gives back what only began like a marker', 'the end [1', 'the end [1', []],
  ])('%s', (_, input, text, cited) => {
    expect(filter([input])).toEqual({ text, cited })
  })

  it('gives the same text for every cut in two', () => {
    const answer = 'See [2] , [9] and `x[7]` [1, 8]; \\[3] ``a`[9]`` \n\n— 🌍 [4][5] [12'
    const whole = filter([answer])
    expect(whole.cited).toEqual([2, 1, 4])
    for (let at = 0; at <= answer.length; at++) {
      expect(filter([answer.slice(0, at), answer.slice(at)]), `cut at ${at}`).toEqual(whole)
    }
    expect(filter([...answer])).toEqual(whole)
  })

  it('gives the same text for any text and any cuts', () => {
    const piece = fc.string({
      unit: fc.constantFrom('[', ']', '1', '9', ',', ' ', '`', '\\', '\n', 'a'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(filter(pieces)).toEqual(filter([pieces.join('')]))
      }),
      { numRuns: 2000 },
    )
  })

  it('lets no marker through that was not sent, in text without code and escapes', () => {
    const unit = fc.constantFrom('[', ']', '1', '3', '9', ',', ' ', 'a', '.')
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 20 })), (pieces) => {
        const markers = [...filter(pieces, 3).text.matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n))
        expect(markers.filter((n) => n < 1 || n > 3)).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  it('holds text back only while a marker can still come of it', () => {
    const citations = createCitationFilter(4)
    expect(citations.push('A refund')).toBe('A refund')
    expect(citations.push(' [')).toBe('')
    expect(citations.push('2')).toBe('')
    expect(citations.push('] is')).toBe(' [2] is')
  })
})
