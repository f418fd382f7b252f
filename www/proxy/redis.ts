/** Counters in Redis or Valkey, shared by every process of a proxy. */

import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Store } from './store.ts'

/** A client of ioredis or of node-redis (connected), for Redis or Valkey. */
export type RedisClient = object

/**
 * Keeps counters in Redis, by the atomic script of rate-limiter-flexible.
 *
 * A client that is still connecting is waited for, as a function that has just been started needs it; one that cannot connect is
 * too slow in the end, and nothing is spent.
 *
 * `prefix` begins every key (default `pinpack`): give each proxy that shares a Redis its own.
 */
export function redisStore(client: RedisClient, { prefix = 'pinpack' }: { prefix?: string } = {}): Store {
  // `points` and `duration` are of no effect: the proxy sums and judges by itself, and names a duration at each call.
  const fixed = { storeClient: client, keyPrefix: prefix, points: 1, duration: 1 }
  // node-redis takes its arguments in another form, and is not told by the name of its class.
  const limiter = new RateLimiterRedis({ ...fixed, useRedisPackage: !('defineCommand' in client) })
  return {
    async add(key, amount, ttlSeconds) {
      if (amount === 0) return (await limiter.get(key))?.consumedPoints ?? 0
      return (await limiter.penalty(key, amount, { customDuration: ttlSeconds })).consumedPoints
    },
  }
}
