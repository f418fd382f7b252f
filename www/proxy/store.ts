/** Where counters live: the one thing that several processes of a proxy share. */

/**
 * Counters by key. Every limit of the proxy is made of `add` alone, so it has to be atomic: of two calls at the same
 * moment, each gets a value that the other has or has not been added to, never the same one twice.
 */
export interface Store {
  /**
   * Adds a whole number, which can be negative or 0, to a counter that begins at 0, and gives its new value.
   * A counter may be forgotten `ttlSeconds` after it was first added to, not earlier. What rejects or takes longer
   * than two seconds counts as down: nothing is spent then.
   */
  add(key: string, amount: number, ttlSeconds: number): Promise<number>
}

/** Counters kept in memory, at most: about 100 bytes each. */
const MAX_COUNTERS = 100_000

interface Counter {
  value: number
  expiresMs: number
}

/**
 * Counters in the memory of this process. Several processes (most serverless platforms) each count for themselves:
 * give those a store that they share. When 100,000 counters are kept, the one that was used longest ago goes first.
 */
export function memoryStore(): Store {
  const counters = new Map<string, Counter>()
  return {
    async add(key, amount, ttlSeconds) {
      const nowMs = Date.now()
      const known = counters.get(key)
      const alive = known && known.expiresMs > nowMs
      if (!alive && amount === 0) return 0 // to look is not to keep
      const counter = alive ? known : { value: 0, expiresMs: nowMs + ttlSeconds * 1000 }
      counter.value += amount
      counters.delete(key) // put back last: a Map keeps its keys in the order in which they came
      counters.set(key, counter)
      if (counters.size > MAX_COUNTERS) forgetOldest(counters)
      return counter.value
    },
  }
}

function forgetOldest(counters: Map<string, Counter>) {
  const oldest = counters.keys().next()
  if (!oldest.done) counters.delete(oldest.value)
}
