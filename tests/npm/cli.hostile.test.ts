/** Texts that nobody writes by hand: what reads them must end. A reading of quadratic time, 4·10^10 steps, runs into the test's time-out. */

import { expect, it } from 'vitest'
import { factsOf } from '../../www/cli/check/facts.ts'
import { linesOutsideCode, segmenter } from '../../www/cli/suggest/segments.ts'
import { reads, sentencesOf, strength } from '../../www/cli/suggest/sentences.ts'

const SIZE = 200_000

const HOSTILE: [string, string][] = [
  ['one long word', 'a'.repeat(SIZE)],
  ['digits', '1'.repeat(SIZE)],
  ['digits in groups', '123,'.repeat(SIZE / 4)],
  ['open brackets', '['.repeat(SIZE)],
  ['brackets and parentheses', '[a]('.repeat(SIZE / 4)],
  ['blanks', `5 ${' '.repeat(SIZE)}`],
  ['words of a mail address', `${'a.'.repeat(SIZE / 2)}`],
  ['plus signs', '+1'.repeat(SIZE / 2)],
  ['dollar signs', '$ '.repeat(SIZE / 2)],
  ['fences that are never closed', Array.from({ length: 4000 }, (_, i) => '`'.repeat(3 + (i % 40))).join('\nx\n')],
  ['pipes', '|'.repeat(SIZE)],
  ['commas', 'a,'.repeat(SIZE / 2)],
  ['amounts', '$5 a day, '.repeat(SIZE / 10)],
  ['half pairs of letters', '\ud83d'.repeat(1000)],
]

it.each(HOSTILE)('ends on %s', (_, text) => {
  const facts = factsOf(text)
  const sentences = sentencesOf(text, 'en')
  for (const sentence of sentences.slice(0, 50)) {
    reads(sentence, 'en')
    strength(sentence)
  }
  // Nothing is made up: what is found stands in the text.
  for (const { amount } of facts.slice(0, 50)) expect(text).toContain(amount)
  for (const sentence of sentences.slice(0, 50)) expect(text).toContain(sentence.split(' ')[0]?.slice(0, 20))
})

it('takes a fence that is never closed for text, and one that is for code', () => {
  expect(linesOutsideCode('a\n```\nb\n```\nc\n~~~\nd')).toEqual(['a', 'c', '~~~', 'd'])
  // A longer fence holds a shorter one.
  expect(linesOutsideCode('````\n```\nb\n````\nc')).toEqual(['c'])
})

it('cuts by English rules in a language whose tag the platform does not read', () => {
  expect(() => new Intl.Segmenter('a1-x')).toThrow()
  expect(segmenter('a1-x', 'sentence').resolvedOptions().locale).toBe('en')
})
