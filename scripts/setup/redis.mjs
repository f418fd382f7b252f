// A Redis server for the tests of the proxy's shared limits. Optional: without one those tests say that they were skipped.
import { ask, run, step } from '../shell.mjs'

export async function redis() {
  if (ask('redis-server', ['--version']) || process.getuid?.() !== 0 || !ask('apt-get', ['--version'])) return
  step('installing redis-server with apt-get')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env })
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], { env })
}
