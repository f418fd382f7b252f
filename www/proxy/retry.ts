/** When a model call that failed before its first byte is made again. */

const FIRST_WAIT_MS = 500

/**
 * What an upstream asks to wait, in milliseconds, from `retry-after-ms` or `retry-after` (seconds, or a date);
 * undefined when it asks for nothing that lies ahead.
 */
export function askedWait(headers: Record<string, string> = {}, nowMs = Date.now()): number | undefined {
  const after = headers['retry-after'] ?? ''
  const ways = [
    Number.parseFloat(headers['retry-after-ms'] ?? ''),
    /^-?\d+(?:\.\d+)?$/.test(after) ? Number(after) * 1000 : Date.parse(after) - nowMs,
  ]
  return ways.find((ms) => ms > 0)
}

/**
 * How long to wait before retry number `attempt` (from 0), in milliseconds; undefined when that is longer than
 * `mostMs`, and so not at all. The wait that was asked for, or a doubling one, and up to half of it more, by chance:
 * visitors who failed together do not come back together.
 */
export function retryWait(attempt: number, asked: number | undefined, mostMs: number, random = Math.random()) {
  const least = asked ?? FIRST_WAIT_MS * 2 ** attempt
  if (least > mostMs) return undefined
  return Math.min(mostMs, Math.round(least * (1 + random / 2)))
}

/** Waits, unless `signal` aborts: then it rejects with its reason. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
