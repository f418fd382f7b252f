/** The outcome of a check as text, as JUnit XML, and as annotations of GitHub Actions. */

import { clean, paint, plural } from '../terminal.ts'
import type { Finding, Outcome } from './finding.ts'

/** How one check came out. */
export function state({ skipped, findings }: Outcome, strict: boolean): 'passed' | 'failed' | 'warned' | 'skipped' {
  if (findings.some(({ level }) => strict || level === 'error')) return 'failed'
  if (findings.length > 0) return 'warned'
  return skipped ? 'skipped' : 'passed'
}

const MARKS = { passed: '✓', failed: '✗', warned: '!', skipped: '-' }

/** A line a check, and below it what was found. */
export function checkLines(outcomes: Outcome[], strict: boolean): string[] {
  const lines = outcomes.flatMap((one) => {
    const as = state(one, strict)
    const color = { passed: paint.green, failed: paint.red, warned: paint.yellow, skipped: paint.dim }[as]
    return [
      `${color(MARKS[as])} ${paint.bold(one.check.padEnd(9))} ${as === 'skipped' ? paint.dim(clean(one.said)) : clean(one.said)}`,
      ...one.findings.flatMap((finding) => findingLines(finding, strict)),
    ]
  })
  return [...lines, '', verdict(outcomes, strict)]
}

function findingLines({ code, level, message, remedy }: Finding, strict: boolean): string[] {
  const color = strict || level === 'error' ? paint.red : paint.yellow
  return [`            ${color(`${level}[${code}]`)} ${clean(message)}`, `              ${paint.dim(clean(remedy))}`]
}

function verdict(outcomes: Outcome[], strict: boolean): string {
  const all = outcomes.flatMap(({ findings }) => findings)
  const errors = all.filter(({ level }) => strict || level === 'error').length
  const warnings = all.length - errors
  const states = outcomes.map((one) => state(one, strict))
  const skipped = states.filter((one) => one === 'skipped').length
  const looked = `${plural(outcomes.length - skipped, 'check')}${skipped > 0 ? `, ${skipped} skipped` : ''}`
  if (all.length === 0) return paint.green(`all is well: ${looked}`)
  const text = `${plural(errors, 'error')}, ${plural(warnings, 'warning')}: ${looked}`
  return errors > 0 ? paint.red(text) : paint.yellow(text)
}

/** JUnit XML, as GitLab, Jenkins, CircleCI and others read it: a test case for each check. */
export function junit(outcomes: Outcome[], strict: boolean): string {
  const cases = outcomes.map(
    (one) =>
      `  <testcase classname="pinpack.check" name="${xml(`${one.check}: ${one.about}`)}" time="0">${body(one, strict)}</testcase>`,
  )
  const number = (wanted: string) => outcomes.filter((one) => state(one, strict) === wanted).length
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="pinpack check" tests="${outcomes.length}" failures="${number('failed')}" errors="0" skipped="${number('skipped')}" time="0">
${cases.join('\n')}
</testsuite>
`
}

function body(one: Outcome, strict: boolean): string {
  const as = state(one, strict)
  if (as === 'skipped') return `<skipped message="${xml(one.said)}"/>`
  const text = one.findings
    .map(({ code, level, message, remedy }) => `${level}[${code}] ${message}\n  ${remedy}`)
    .join('\n')
  if (as === 'failed')
    return `<failure type="${xml(one.findings[0]?.code ?? '')}" message="${xml(one.findings[0]?.message ?? '')}">${xml(text)}</failure>`
  return `<system-out>${xml(text || one.said)}</system-out>`
}

/** Text for XML 1.0, which has no control characters but line breaks and tabs, and no half of a pair. */
const xml = (text: string) =>
  text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}]|[\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** `::error file=…::message`: GitHub shows it at the file in a pull request. Paths are relative to the repository: `folder` is the site's. */
export function annotations(outcomes: Outcome[], strict: boolean, folder: string): string[] {
  return outcomes.flatMap(({ findings }) =>
    findings.map(({ code, level, message, remedy, file, line = 1 }) => {
      const place = file ? `file=${property(folder ? `${folder}/${file}` : file)},line=${line},` : ''
      const as = strict ? 'error' : level
      return `::${as} ${place}title=${property(`pinpack ${code}`)}::${escaped(`${message}\n${remedy}`)}`
    }),
  )
}

const escaped = (text: string) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
const property = (text: string) => escaped(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
