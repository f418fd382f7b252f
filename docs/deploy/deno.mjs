// The proxy with Deno.
//
//   deno add npm:pinpack
//   OPENAI_API_KEY=… ORIGINS=https://example.com deno run --allow-net --allow-env --allow-read --allow-sys=hostname deno.mjs
//
// knowledge.json, which `npx pinpack build` writes, lies beside this file. It holds private rules: keep it out of public folders.
// Several processes need a store that they share: `redisStore` of pinpack/proxy/redis.
import { createProxy, modelFromEnv } from 'pinpack/proxy'
import knowledge from './knowledge.json' with { type: 'json' }

const env = Deno.env.toObject()
const addresses = new WeakMap()

const proxy = createProxy({
  knowledge,
  model: modelFromEnv(env),
  origins: (env.ORIGINS ?? 'https://example.com').split(','),
  // Behind another server the address of the connection is that server's: name its header in ADDRESS_HEADER.
  ...(env.ADDRESS_HEADER ? { addressHeader: env.ADDRESS_HEADER } : { addressOf: (request) => addresses.get(request) }),
  secret: env.SECRET,
  log: 'stdout',
})

Deno.serve({ port: Number(env.PORT ?? 8787), hostname: env.HOST ?? '127.0.0.1' }, (request, { remoteAddr }) => {
  addresses.set(request, remoteAddr.hostname)
  return proxy(request)
})
