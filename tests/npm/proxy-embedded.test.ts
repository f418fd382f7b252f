import { describe, expect, it, vi } from 'vitest'
import type { QuoteFunction } from '../../www/proxy/index.ts'
import type { Quote } from '../../www/types.ts'
import { createProxy, errorCode, makeBody, makeKnowledge, makeRequest, ORIGIN, readParts } from './proxy-kit.ts'

function answerWith(quote: QuoteFunction, knowledge = makeKnowledge()) {
  const proxy = createProxy({ knowledge, origins: [ORIGIN], quote })
  return async (body: unknown = makeBody({ sections: [2, 3, 4] })) => readParts(await proxy(makeRequest(body)))
}

describe('the embedded answerer', () => {
  it('quotes best first, the quotes of a passage together, each cited and linked', async () => {
    const quotes: Quote[] = [
      { passage: 2, text: 'A refund goes to the card that paid.', score: 0.7 },
      { passage: 0, text: 'You can ask for a refund\nwithin 30 days.', score: 0.9 },
      { passage: 0, text: 'Billing answers in two days.', score: 0.3 },
    ]
    const { text, parts } = await answerWith(async () => quotes)()
    expect(text).toBe(
      [
        'From this site:',
        '> You can ask for a refund within 30 days. [3]',
        '> Billing answers in two days. [3]',
        '> A refund goes to the card that paid. [5]',
      ].join('\n\n'),
    )
    expect(parts.filter(({ type }) => type === 'source-url')).toEqual([
      { type: 'source-url', sourceId: 'p3', url: '/faq#refunds', title: 'Refunds' },
      { type: 'source-url', sourceId: 'p5', url: '/faq#refunds-detail', title: 'Refunds in detail' },
    ])
    expect(parts[1]?.data).toMatchObject({ model: 'embedded' })
    expect(parts.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' })
  })

  it('is given what has a page, never a private rule', async () => {
    const quote = vi.fn<QuoteFunction>(async () => [])
    await answerWith(quote)(makeBody({ sections: [5, 2] }))
    const { sections } = makeKnowledge()
    const [messages, passages, options] = quote.mock.calls[0] ?? []
    expect(messages).toEqual([{ role: 'user', content: 'Can I get a refund?' }])
    expect(passages).toEqual([
      { title: 'Dog', text: sections[5]?.text, place: 0 },
      { title: 'Refunds', text: sections[2]?.text, place: 1 },
      // Pinned, and not ranked: it has a page.
      { title: 'Refund rule', text: sections[0]?.text, place: 0 },
    ])
    expect(options).toEqual({ language: 'en', limit: 4 })
  })

  it('says plainly that it has no answer, and where to ask', async () => {
    const prompt = { assistant: '', contact: 'help@shop.example', refusal: 'Not in our notes.', language: '' }
    const { text, parts } = await answerWith(async () => [], makeKnowledge({ prompt }))()
    expect(text).toBe('Not in our notes. You can ask here: help@shop.example')
    expect(parts.at(-1)?.type).toBe('finish')
  })

  it('does not take brackets of the text for citations', async () => {
    const { text, parts } = await answerWith(async () => [{ passage: 0, text: 'See note [4] and `a[1]`.', score: 1 }])()
    expect(text).toContain('See note \\[4] and `a[1]`.')
    expect(parts.filter(({ type }) => type === 'source-url')).toHaveLength(1)
  })

  it('ignores quotes of passages that were not sent', async () => {
    const { text } = await answerWith(async () => [{ passage: 9, text: 'Never.', score: 1 }])()
    expect(text).toBe('I could not find an answer to that in the notes of this site.')
  })

  it('that fails says so without details', async () => {
    const { parts, raw } = await answerWith(async () => {
      throw new Error('/srv/secret/path')
    })()
    expect(errorCode(parts)).toBe('upstream-failed')
    expect(raw).not.toContain('secret')
  })
})
