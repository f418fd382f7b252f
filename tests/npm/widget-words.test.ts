/** The widget's words: every language has all of them, with the same places to fill. */

import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { marksOf, wordsAsked } from '../../www/widget/markdown/marks.ts'
import { claimsOf } from '../../www/widget/markdown/plain.ts'
import { en, type Strings } from '../../www/widget/strings/en.ts'
import { duration, errorWords } from '../../www/widget/strings/errors.ts'
import { directionOf, loadStrings, supported } from '../../www/widget/strings/index.ts'

const FOLDER = new URL('../../www/widget/strings/', import.meta.url)
const LANGUAGES = (await readdir(FOLDER)).flatMap((name) => /^words-(\w+)\.ts$/.exec(name)?.[1] ?? [])
/** A language may say it without the site's name, where the name would have to be inflected. */
const OPTIONAL = /\{name\}/g
const places = (text: string) => [...text.replace(OPTIONAL, '').matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

test('there are 18 languages', () => {
  expect(LANGUAGES).toHaveLength(17)
})

test.each(LANGUAGES)('%s has every word, and no English left', async (language) => {
  const strings = await loadStrings(language)
  expect(Object.keys(strings)).toEqual(Object.keys(en))
  for (const [key, text] of Object.entries(strings)) {
    expect(text.trim(), key).not.toBe('')
    expect(places(text), key).toEqual(places(en[key as keyof Strings]))
  }
  const same = Object.entries(strings).filter(([key, text]) => text === en[key as keyof Strings] && text.length > 12)
  expect(same).toEqual([])
})

test('the button says in every language what the panel calls it', async () => {
  const launcher = await import('../../www/widget/launcher.ts')
  for (const language of LANGUAGES) {
    expect(launcher.openLabel(language), language).toBe((await loadStrings(language)).open)
    expect(launcher.openLabel(`${language}-XX`), language).toBe((await loadStrings(language)).open)
  }
  expect(launcher.openLabel('en-GB')).toBe(en.open)
  expect(launcher.openLabel('xx')).toBe(en.open)
})

test.each([
  ['de-AT', 'de'],
  ['PT-br', 'pt'],
  ['zh_Hant_TW', 'zh'],
  ['iw', 'he'],
  ['in-ID', 'id'],
  ['sv', 'en'],
  ['constructor', 'en'],
  ['__proto__', 'en'],
  ['', 'en'],
])('%s is spoken to in %s', (asked, spoken) => {
  expect(supported(asked)).toBe(spoken)
})

test('Arabic and Hebrew run from right to left', () => {
  expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar', 'he'])
})

test.each([
  [1, 'en', '1 second'],
  [30, 'en', '30 seconds'],
  [600, 'en', '10 minutes'],
  [7200, 'en', '2 hours'],
  [2, 'ru', '2 секунды'],
  [5, 'ru', '5 секунд'],
  [30, 'ja', '30 秒'],
])('%i seconds in %s are %s', (seconds, language, words) => {
  expect(duration(seconds, language)).toBe(words)
})

test('an error without words of ours is told in those of the proxy', () => {
  expect(errorWords({ code: 'teapot', message: 'I am a teapot.' }, en, 'en')).toBe('I am a teapot.')
  expect(errorWords({ code: 'http-502', message: 'x' }, en, 'en')).toBe(en.errorUnreachable)
  expect(errorWords({ code: 'toString', message: 'x' }, en, 'en')).toBe('x')
  expect(errorWords({ code: 'search-off', message: 'x', why: 'wasm-blocked' }, en, 'en')).toBe(en.errorBlocked)
  expect(errorWords({ code: 'rate-limited', message: 'x', retryAfter: 30 }, en, 'en')).toContain('30 seconds')
})

const marked = (words: string[], text: string) => text.split(marksOf(words) ?? '\0').filter((_, at) => at % 2 === 1)
test.each([
  [['refunds'], 'A refund, two Refunds, refunded; prerefund no.', ['refund', 'Refunds', 'refunded']],
  [['cat'], 'A cat in a category of cats.', ['cat']],
  [['返金'], '返金できます。', ['返金']],
  [['c++', 'a.b'], 'c++ and a.b, not aXb', ['c++', 'a.b']],
  [['straße'], 'Die STRASSE, die Straße', ['Straße']],
  [[], 'Nothing', []],
])('the words %j are marked in %j', (words, text, found) => {
  expect(marked(words, text)).toEqual(found)
})

test.each([
  ['Can I get refunds for the Gebühren?', ['refund', 'gebuhr'], 'en', ['refunds', 'Gebühren']],
  ['can I a cancel', ['appl', 'cancel'], 'en', ['cancel']],
  ['返金はできますか', ['返金'], 'ja', ['返金']],
  ['What is it?', [], 'en', []],
  ['refund', ['refund'], 'no such language', ['refund']],
] as const)('of %j, the words behind %j are marked', (question, terms, language, words) => {
  expect(wordsAsked(question, [...terms], language)).toEqual(words)
})

test('a citation stands for the paragraphs, items and cells that it ends', () => {
  const claims = claimsOf(
    'One thing [1]. Another.\n\n- An item [2, 1]\n- No claim\n\n| a | b |\n|---|---|\n| cell [3] | x |',
  )
  expect([...claims]).toEqual([
    [1, 'One thing . Another. An item'],
    [2, 'An item'],
    [3, 'cell'],
  ])
})
