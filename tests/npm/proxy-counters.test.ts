import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Counter, take } from '../../www/proxy/counters.ts'
import { redisStore } from '../../www/proxy/redis.ts'
import { memoryStore, type Store } from '../../www/proxy/store.ts'

const minute = (limit: number, amount = 1, key = 'k'): Counter => ({
  ...{ key, limit, amount, sliceMs: 20_000, slices: 3, after: 'keep' },
})
const taken = async (store: Store, counters: Counter[], nowMs: number) =>
  'taken' in (await take(store, counters, nowMs))

describe('counters', () => {
  it('let no more through in any window than their limit, whatever comes when, and wait no longer than told', async () => {
    const calls = fc.array(fc.record({ gapMs: fc.nat(30_000), amount: fc.integer({ min: 1, max: 4 }) }), {
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(calls, async (calls) => {
        const store = memoryStore()
        const passed: { at: number; amount: number }[] = []
        let now = 1_000_000
        for (const { gapMs, amount } of calls) {
          now += gapMs
          const verdict = await take(store, [minute(7, amount)], now)
          if ('taken' in verdict) passed.push({ at: now, amount })
          else expect(await taken(store, [{ ...minute(7, amount) }], now + verdict.full.waitMs)).toBe(true)
          if ('full' in verdict) passed.push({ at: now + verdict.full.waitMs, amount })
          if ('full' in verdict) now += verdict.full.waitMs
        }
        for (const { at } of passed) {
          const window = passed.filter((other) => other.at > at - 60_000 && other.at <= at)
          expect(window.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(7)
        }
      }),
    )
  })

  it('are taken all or none', async () => {
    const store = memoryStore()
    const both = [minute(10, 1, 'wide'), minute(1, 1, 'narrow')]
    expect(await taken(store, both, 0)).toBe(true)
    for (let call = 0; call < 20; call++) expect(await taken(store, both, 0)).toBe(false)
    expect(await store.add('wide:0', 0, 60)).toBe(1)
    expect(await store.add('narrow:0', 0, 60)).toBe(1)
  })

  it('give nothing back of which it is not known whether it was taken', async () => {
    const store = memoryStore()
    await store.add('k:0', 5, 60)
    const flaky: Store = {
      add: async (key, amount, ttl) => {
        if (key.startsWith('lost')) throw new Error('no connection')
        return store.add(key, amount, ttl)
      },
    }
    await expect(take(flaky, [minute(10), minute(10, 3, 'lost')], 0)).rejects.toThrow('no connection')
    expect(await store.add('k:0', 0, 60)).toBe(5)
    expect(await store.add('lost:0', 0, 60)).toBe(0)
    const cut: Store = {
      add: async (key, amount, ttl) => {
        const sum = await store.add(key, amount, ttl)
        if (key.startsWith('cut') && amount > 0) throw new Error('the answer was lost')
        return sum
      },
    }
    await expect(take(cut, [minute(10, 3, 'cut')], 0)).rejects.toThrow('the answer was lost')
    expect(await store.add('cut:0', 0, 60)).toBe(3)
  })

  it('are put right in the window in which they were taken', async () => {
    const store = memoryStore()
    const day: Counter = { ...minute(100, 90), sliceMs: 86_400_000, slices: 0, after: ({ input }) => input }
    const late = await take(store, [day], 86_399_999)
    if (!('taken' in late)) throw new Error('not taken')
    await late.taken.settle({ input: 30, output: 0 })
    await late.taken.settle({ input: 0, output: 0 })
    await late.taken.cancel()
    expect(await store.add('k:0', 0, 1)).toBe(30)
    expect(await store.add('k:1', 0, 1)).toBe(0)
  })

  it('forget the oldest of too many, never one that is in use', async () => {
    const store = memoryStore()
    await store.add('in use', 5, 60)
    for (let key = 0; key < 150_000; key++) await store.add(`only looked at ${key}`, 0, 60)
    expect(await store.add('in use', 0, 60)).toBe(5)
    for (let key = 0; key < 150_000; key++) {
      await store.add(`visitor ${key}`, 1, 60)
      if (key % 1000 === 0) await store.add('in use', 0, 60)
    }
    expect(await store.add('in use', 0, 60)).toBe(5)
    expect(await store.add('visitor 0', 0, 60)).toBe(0)
    expect(await store.add('visitor 149999', 0, 60)).toBe(1)
  })
})

/** The law of a store: of 200 calls at once exactly as many get through as may. */
async function race(store: Store) {
  const verdicts = await Promise.all(Array.from({ length: 200 }, () => take(store, [minute(17), minute(500, 3, 'b')])))
  expect(verdicts.filter((verdict) => 'taken' in verdict)).toHaveLength(17)
  expect(await taken(store, [minute(17)], Date.now())).toBe(false)
  // What the refused took from the other counter is back.
  expect(await taken(store, [minute(500, 500 - 17 * 3, 'b')], Date.now())).toBe(true)
}

describe('two hundred calls at once', () => {
  it('on the store in memory', () => race(memoryStore()))

  describe('on Redis', () => {
    const redis = startRedis()
    it('by one client', async ({ skip }) => {
      if (!redis.port) skip('redis-server is not installed')
      await race(redisStore(redis.client(), { prefix: 'one' }))
    })

    it('by ten clients', async ({ skip }) => {
      if (!redis.port) skip('redis-server is not installed')
      const stores = Array.from({ length: 10 }, () => redisStore(redis.client(), { prefix: 'ten' }))
      let next = 0
      await race({ add: (...call) => (stores[next++ % stores.length] as Store).add(...call) })
    })

    it('by a client of node-redis', async ({ skip }) => {
      if (!redis.port) skip('redis-server is not installed')
      const client = await createClient({ url: `redis://127.0.0.1:${redis.port}` }).connect()
      onTestFinished(() => client.destroy())
      await race(redisStore(client, { prefix: 'node-redis' }))
    })

    it('by a client that is still connecting', async ({ skip }) => {
      if (!redis.port) skip('redis-server is not installed')
      expect(await taken(redisStore(redis.fresh(), { prefix: 'cold' }), [minute(1)], 0)).toBe(true)
    })

    it.each([
      ['at once', () => null],
      ['and tries again and again', () => 50],
    ])('that is gone, when its client gives up %s', async (_, retryStrategy) => {
      const client = new Redis({ port: 1, lazyConnect: true, retryStrategy })
      client.on('error', () => {})
      onTestFinished(() => client.disconnect())
      await expect(take(redisStore(client), [minute(1)])).rejects.toThrow()
    })
  })
})

/** A Redis of this test's own, without files; `port` is 0 where none is installed. */
function startRedis() {
  const redis = { port: 0, client: () => connect(redis.port), fresh: () => connect(redis.port) }
  const clients: Redis[] = []
  const connect = (port: number) => {
    const client = new Redis({ port, maxRetriesPerRequest: 1 })
    clients.push(client)
    return client
  }
  let server: ReturnType<typeof spawn> | undefined
  beforeAll(async () => {
    const port = await freePort()
    server = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], { stdio: 'pipe' })
    const started = await new Promise<boolean>((resolve) => {
      server?.once('error', () => resolve(false))
      server?.stdout?.on('data', (text) => /Ready to accept/.test(String(text)) && resolve(true))
    })
    redis.port = started ? port : 0
    if (started) await Promise.all(Array.from({ length: 11 }, () => once(connect(port), 'ready')))
    const ready = clients.slice()
    if (started) redis.client = () => ready.pop() as Redis
  })
  afterAll(() => {
    for (const client of clients) client.disconnect()
    server?.kill()
  })
  return redis
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
