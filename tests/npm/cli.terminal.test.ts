/** Tables in a terminal. */

import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { table } from '../../www/cli/terminal.ts'

it('sets columns by what is seen: colors take no room, wide letters and emoji two columns', () => {
  const red = (text: string) => `\u001b[31m${text}\u001b[39m`
  const lines = table(
    ['name', '>count', 'last'],
    [
      ['plain', '1', 'a'],
      [red('red'), red('12'), 'b'],
      ['日本', '3', 'c'],
      ['🐕', '4', 'd'],
    ],
  ).map(stripVTControlCharacters)
  expect(lines).toEqual([
    '  name   count  last',
    '  plain      1  a',
    '  red       12  b',
    // Two letters of two columns each, and one emoji of two.
    '  日本       3  c',
    '  🐕         4  d',
  ])
})
