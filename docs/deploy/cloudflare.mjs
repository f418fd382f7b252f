// The proxy as a Cloudflare Worker, with its limits in one Durable Object that all of its isolates share.
//
//   npm install pinpack wrangler
//   npx wrangler secret put OPENAI_API_KEY
//   npx wrangler deploy
//
// knowledge.json, which `npx pinpack build` writes, lies beside this file. wrangler.toml:
//
//   name = "chat"
//   main = "cloudflare.mjs"
//   compatibility_date = "2026-07-01"
//   compatibility_flags = ["enable_request_signal"]   # a visitor who leaves takes the model's call along
//   [vars]
//   ORIGINS = "https://example.com"
//   [[durable_objects.bindings]]
//   name = "COUNTERS"
//   class_name = "Counters"
//   [[migrations]]
//   tag = "v1"
//   new_sqlite_classes = ["Counters"]
import { DurableObject } from 'cloudflare:workers'
import { quote } from 'pinpack'
import wasm from 'pinpack/pinpack_bg.wasm'
import { createProxy, modelFromEnv } from 'pinpack/proxy'
import knowledge from './knowledge.json'

const HOUR_MS = 3_600_000
let proxy

export default {
  fetch(request, env) {
    proxy ??= createProxy({
      knowledge,
      model: modelFromEnv(env),
      origins: env.ORIGINS.split(','),
      addressHeader: 'cf-connecting-ip',
      secret: env.SECRET,
      store: { add: (key, amount, ttlSeconds) => env.COUNTERS.getByName('all').add(key, amount, ttlSeconds) },
      // A worker loads no file: the engine that finds quotes is part of it.
      quote: (messages, passages, options) => quote(messages, passages, { ...options, wasm }),
      log: 'stdout',
    })
    return proxy(request)
  },
}

/** Counters that forget. Between a read and its write nothing else runs here. */
export class Counters extends DurableObject {
  async add(key, amount, ttlSeconds) {
    const { storage } = this.ctx
    const now = Date.now()
    const known = await storage.get(key)
    const counter = known && known.expires > now ? known : { value: 0, expires: now + ttlSeconds * 1000 }
    counter.value += amount
    if (amount !== 0) storage.put(key, counter)
    if ((await storage.getAlarm()) === null) storage.setAlarm(now + HOUR_MS)
    return counter.value
  }

  async alarm() {
    const { storage } = this.ctx
    const now = Date.now()
    const all = await storage.list()
    const gone = [...all].filter(([, { expires }]) => expires <= now).map(([key]) => key)
    for (let at = 0; at < gone.length; at += 128) await storage.delete(gone.slice(at, at + 128))
    if (gone.length < all.size) storage.setAlarm(now + HOUR_MS)
  }
}
