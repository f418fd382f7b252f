// What a runner's own report says: `{ passed, failed, skipped }`.
import { readFile } from 'node:fs/promises'

/** A check that has no tests in it counts as one. */
export const check = (code) =>
  code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }

/** Sums the "test result:" lines that `cargo test` and wasm-bindgen-test print. */
export function rustCounts(code, output) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the color codes to remove begin with one
  const plain = output.replace(/\x1b\[[0-9;]*m/g, '')
  for (const [, passed, failed, ignored] of plain.matchAll(
    /^test result: .*?(\d+) passed; (\d+) failed; (\d+) ignored/gm,
  )) {
    counts.passed += Number(passed)
    counts.failed += Number(failed)
    counts.skipped += Number(ignored)
  }
  return honest(code, counts)
}

/** Reads vitest's JSON report. A file that could not be loaded is one failure. */
export async function vitestCounts(code, path) {
  const report = JSON.parse(await readFile(path, 'utf8').catch(() => '{"testResults":[]}'))
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return honest(code, {
    passed: report.numPassedTests ?? 0,
    failed: (report.numFailedTests ?? 0) + unloaded.length,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  })
}

/** A runner that failed without a failing test, or that ran nothing, is one failure. */
function honest(code, counts) {
  const silent = counts.failed === 0 && (code !== 0 || counts.passed + counts.skipped === 0)
  return silent ? { ...counts, failed: 1 } : counts
}
