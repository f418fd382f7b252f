// The proxy as a Node server. Run it behind a server that ends TLS, such as Caddy or nginx.
//
//   npm install pinpack ioredis
//   OPENAI_API_KEY=… ORIGINS=https://example.com ADDRESS_HEADER=x-real-ip node node.mjs
//
// knowledge.json, which `npx pinpack build` writes, lies beside this file. It holds private rules: keep it out of public folders.
// Without REDIS_URL the limits hold for this process alone, which is right when there is only one.
import { readFile } from 'node:fs/promises'
import { modelFromEnv } from 'pinpack/proxy'
import { serve } from 'pinpack/proxy/node'

const { ADDRESS_HEADER, HOST, LOG, ORIGINS, PORT, REDIS_URL, SECRET } = process.env

const { url, close } = await serve({
  knowledge: await readFile(new URL('knowledge.json', import.meta.url), 'utf8'),
  model: modelFromEnv(process.env),
  origins: (ORIGINS ?? 'https://example.com').split(','),
  port: Number(PORT ?? 8787),
  host: HOST ?? '127.0.0.1',
  // The header in which the server before this one puts the visitor's address, and which it does not take from the visitor. Without one, the
  // address of the connection counts: right when visitors connect directly, and one visitor for all when a server stands between.
  addressHeader: ADDRESS_HEADER,
  secret: SECRET,
  store: REDIS_URL ? await sharedStore(REDIS_URL) : undefined,
  log: LOG ? { file: LOG } : undefined,
})
console.log(`listening on ${url}`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => close().then(() => process.exit(0)))

async function sharedStore(address) {
  const { Redis } = await import('ioredis')
  const { redisStore } = await import('pinpack/proxy/redis')
  return redisStore(new Redis(address))
}
