// The proxy as a Vercel function, at /api/chat. Save it as api/chat.mjs.
//
//   npm install pinpack ioredis
//
// knowledge.json, which `npx pinpack build --knowledge knowledge.json` writes, lies at the root of the project, outside public/.
// Functions run in many processes: REDIS_URL names the Redis that counts for all of them. Set it, OPENAI_API_KEY and ORIGINS
// in the project's environment variables.
import { Redis } from 'ioredis'
import { createProxy, modelFromEnv } from 'pinpack/proxy'
import { redisStore } from 'pinpack/proxy/redis'
import knowledge from '../knowledge.json' with { type: 'json' }

const { ORIGINS, REDIS_URL, SECRET } = process.env

const proxy = createProxy({
  knowledge,
  model: modelFromEnv(process.env),
  origins: (ORIGINS ?? 'https://example.com').split(','),
  // Vercel writes this header itself, whatever the visitor sends.
  addressHeader: 'x-real-ip',
  secret: SECRET,
  store: redisStore(new Redis(REDIS_URL)),
  log: 'stdout',
})

/** Seconds: longer than `limits.totalMs`. */
export const maxDuration = 150

export { proxy as GET, proxy as OPTIONS, proxy as POST }
