// node_modules, as package-lock.json says.
import { readFile } from 'node:fs/promises'
import { at, must, run, step } from '../shell.mjs'

export async function nodeModules() {
  const lock = await json('package-lock.json')
  const installed = await json('node_modules/.package-lock.json')
  if (lock && installed && isInstalled(lock, installed) && (await isCurrent(lock))) return
  step('installing node_modules')
  const remedy = 'look at the message above; offline, or behind a proxy, check `npm config get registry`'
  if (process.env.CI) return await must('npm', ['ci'], { remedy })
  const { code } = await run('npm', ['ci'])
  if (code !== 0) await must('npm', ['install'], { remedy })
}

/** Every package of the lock is there in its version; optional ones may be for another platform. */
const isInstalled = (lock, installed) =>
  Object.entries(lock.packages).every(
    ([path, { version, optional }]) => path === '' || optional || installed.packages[path]?.version === version,
  )

/** The lock was made for the dependencies that package.json names now. */
async function isCurrent(lock) {
  const manifest = await json('package.json')
  const root = lock.packages['']
  return ['dependencies', 'devDependencies'].every((kind) => same(manifest[kind], root[kind]))
}

const same = (a = {}, b = {}) =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([name, range]) => b[name] === range)

const json = async (path) => {
  try {
    return JSON.parse(await readFile(at(path), 'utf8'))
  } catch {
    return undefined
  }
}
