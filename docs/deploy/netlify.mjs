// The proxy as a Netlify function, at /api/chat. Save it as netlify/functions/chat.mjs.
//
//   npm install pinpack ioredis
//
// knowledge.json, which `npx pinpack build --knowledge knowledge.json` writes, lies at the root of the project, outside the folder that
// is published. Functions run in many processes: REDIS_URL names the Redis that counts for all of them. Set it, OPENAI_API_KEY and ORIGINS
// in the site's environment variables.
import { Redis } from 'ioredis'
import { createProxy, modelFromEnv } from 'pinpack/proxy'
import { redisStore } from 'pinpack/proxy/redis'
import knowledge from '../../knowledge.json' with { type: 'json' }

const { ORIGINS, REDIS_URL, SECRET } = process.env

export default createProxy({
  knowledge,
  model: modelFromEnv(process.env),
  origins: (ORIGINS ?? 'https://example.com').split(','),
  // Netlify writes this header itself, whatever the visitor sends.
  addressHeader: 'x-nf-client-connection-ip',
  secret: SECRET,
  store: redisStore(new Redis(REDIS_URL)),
  log: 'stdout',
})

export const config = { path: '/api/chat' }
