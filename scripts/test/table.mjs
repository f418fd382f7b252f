// How a test run is told: a table of steps, and one line for all of it.
import { paint } from '../shell.mjs'

export function printTable(rows) {
  const cells = rows.map(({ name, passed, failed, skipped, ms, note = '' }) => [
    name,
    `${passed}`,
    `${failed}`,
    `${skipped}`,
    `${(ms / 1000).toFixed(1)} s`,
    note,
  ])
  console.log()
  for (const line of align([['step', 'passed', 'failed', 'skipped', 'time', ''], ...cells], (row) => row[2] !== '0'))
    console.log(line)
  console.log()
}

/** Lines of a table: the first and last column to the left, numbers to the right; rows that are `bad` are red. */
export function align(rows, bad) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const cell = (text, column) =>
    column === 0 || column === widths.length - 1 ? text.padEnd(widths[column]) : text.padStart(widths[column])
  return rows.map((row, index) => {
    const line = row.map(cell).join('  ').trimEnd()
    if (index === 0) return paint.dim(line)
    return bad(row) ? paint.red(line) : line
  })
}

export function total(rows) {
  const sum = (key) => rows.reduce((all, row) => all + row[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

export const summary = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
