// The proxy with Bun.
//
//   bun add pinpack
//   OPENAI_API_KEY=… ORIGINS=https://example.com bun run bun.mjs
//
// knowledge.json, which `npx pinpack build` writes, lies beside this file. It holds private rules: keep it out of public folders.
// Several processes need a store that they share: `redisStore` of pinpack/proxy/redis.
import { createProxy, modelFromEnv } from 'pinpack/proxy'
import knowledge from './knowledge.json' with { type: 'json' }

const { ADDRESS_HEADER, HOST, ORIGINS, PORT, SECRET } = process.env
const addresses = new WeakMap()

const proxy = createProxy({
  knowledge,
  model: modelFromEnv(process.env),
  origins: (ORIGINS ?? 'https://example.com').split(','),
  // Behind another server the address of the connection is that server's: name its header in ADDRESS_HEADER.
  ...(ADDRESS_HEADER ? { addressHeader: ADDRESS_HEADER } : { addressOf: (request) => addresses.get(request) }),
  secret: SECRET,
  log: 'stdout',
})

const server = Bun.serve({
  port: Number(PORT ?? 8787),
  hostname: HOST ?? '127.0.0.1',
  idleTimeout: 60, // seconds; a stream says something twice a second
  fetch(request, server) {
    addresses.set(request, server.requestIP(request)?.address)
    return proxy(request)
  },
})
console.log(`listening on ${server.url}`)
