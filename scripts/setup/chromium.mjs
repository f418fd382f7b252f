// A Chromium and a chromedriver of its version: the machine's, or else downloaded into .tools/browsers.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ask, Failure, must, run, step, TOOLS, WINDOWS } from '../shell.mjs'

const BROWSERS = join(TOOLS, 'browsers')
const REMEDY =
  'install Chromium and chromedriver yourself, and set PINPACK_CHROMIUM and PINPACK_CHROMEDRIVER to their paths'

/** Resolves to `{ chromium, chromedriver }`, two paths. */
export async function chromium() {
  if (!findChromium() || !findDriver()) await installOnDebian()
  const chromium = findChromium() ?? (await download('chrome', 'stable'))
  const chromedriver = findDriver(chromium) ?? (await download('chromedriver', majorVersion(chromium)))
  return { chromium, chromedriver }
}

function findChromium() {
  const named = process.env.PINPACK_CHROMIUM
  if (named && !existsSync(named)) throw new Failure(`PINPACK_CHROMIUM is ${named}, which does not exist`, REMEDY)
  const windows = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
    .filter((key) => process.env[key])
    .map((key) => join(process.env[key], 'Google', 'Chrome', 'Application', 'chrome.exe'))
  const places = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...windows,
  ]
  return (
    named || onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') || places.find(existsSync)
  )
}

function findDriver(chromium) {
  const beside = chromium && join(dirname(chromium), WINDOWS ? 'chromedriver.exe' : 'chromedriver')
  return process.env.PINPACK_CHROMEDRIVER || (beside && existsSync(beside) ? beside : onPath('chromedriver'))
}

async function installOnDebian() {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return
  step('installing chromium and chromium-driver with apt-get')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env })
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'chromium-driver'], { env })
}

/** Downloads Chrome for Testing, or its driver, once for each version, and remembers where it is. */
async function download(what, version) {
  const note = join(BROWSERS, `${what}-${version}.path`)
  if (existsSync(note)) return readFileSync(note, 'utf8')
  step(`downloading ${what} ${version} into .tools/browsers`)
  const args = [
    '--yes',
    '@puppeteer/browsers@3',
    'install',
    `${what}@${version}`,
    '--path',
    BROWSERS,
    '--format',
    '{{path}}',
  ]
  const output = await must('npx', args, { remedy: REMEDY })
  const path = output.trim().split('\n').findLast(existsSync)
  if (!path) throw new Failure(`cannot find the ${what} that was downloaded`, REMEDY)
  writeFileSync(note, path)
  return path
}

/** The driver must have the browser's major version. */
function majorVersion(chromium) {
  const printed = WINDOWS ? undefined : ask(chromium, ['--version'])
  return /(\d+)\.\d+\.\d+/.exec(printed ?? '')?.[1] ?? 'stable'
}

function onPath(...names) {
  const finder = WINDOWS ? 'where' : 'which'
  for (const name of names) {
    const found = ask(finder, [name])
    if (found) return found.split(/\r?\n/)[0]
  }
  return undefined
}
