// What every script shares: where things are, how a program is run, and how an error is told.
import { spawn, spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
export const TOOLS = join(ROOT, '.tools')
export const WINDOWS = process.platform === 'win32'
const NODE_WANTED = [22, 12]
const EXE = WINDOWS ? '.exe' : ''

const inTools = (...parts) => join(TOOLS, ...parts)
/** A file of the repository, by its path from the root. */
export const at = (...parts) => join(ROOT, ...parts)

const colored = process.stdout.isTTY && !process.env.NO_COLOR
const color = (code) => (text) => (colored ? `\x1b[${code}m${text}\x1b[0m` : `${text}`)
export const paint = { bold: color(1), dim: color(2), red: color(31), green: color(32), yellow: color(33) }

/** An error to be read by a person: no stack, one remedy. */
export class Failure extends Error {
  constructor(message, remedy) {
    super(message)
    this.remedy = remedy
  }
}

/** Runs a script's body, and turns its result or error into an exit code. */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    console.error(`${paint.red('error')}: ${error.message}`)
    if (error.remedy) console.error(`  ${error.remedy}`)
    process.exitCode = 1
  }
}

/** Says that a step begins. Steps with nothing to do say nothing. */
export const step = (text) => console.log(`${paint.dim('·')} ${text}`)

/** The environment of every child: our own tools come first on PATH. */
export function environment(extra = {}) {
  const own = [dirname(process.execPath), inTools('bin'), at('node_modules', '.bin')]
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [key]: [...own, process.env[key]].join(delimiter), ...extra }
}

/** What a program prints, or undefined when it is missing or fails. */
export function ask(program, args = []) {
  const { status, stdout } = spawnSync(program, args, {
    cwd: ROOT,
    env: environment(),
    encoding: 'utf8',
    shell: needsShell(program),
  })
  return status === 0 ? stdout.trim() : undefined
}

/**
 * Runs a program and resolves to `{ code, output }`; `output` holds both streams. By default nothing is shown; with
 * `show`, it is passed on as it comes.
 */
export function run(program, args = [], { show = false, env = {}, cwd = ROOT } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: needsShell(program),
    })
    const chunks = []
    for (const name of ['stdout', 'stderr']) {
      child[name].on('data', (chunk) => {
        chunks.push(chunk)
        if (show) process[name].write(chunk)
      })
    }
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

/** Runs a program that has to succeed. When it does not, the end of what it printed is shown with the error. */
export async function must(program, args, { remedy, ...options } = {}) {
  const { code, output } = await run(program, args, options)
  if (code === 0) return output
  if (!options.show) console.error(output.split('\n').slice(-60).join('\n').trimEnd())
  throw new Failure(`\`${[program, ...args].join(' ')}\` failed with exit code ${code}`, remedy)
}

/** Gives the terminal to a program until it ends. Ctrl-C reaches it from the terminal; other signals are passed on. */
export function handOver(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env: environment(), stdio: 'inherit' })
    const forward = (signal) => child.kill(signal)
    process.on('SIGINT', (signal) => process.stdin.isTTY || forward(signal))
    process.on('SIGTERM', forward)
    process.on('SIGHUP', forward)
    const watch = process.env.npm_lifecycle_event && onOrphaned(() => forward('SIGTERM'))
    child.on('close', (code, signal) => {
      clearInterval(watch)
      resolve(signal ? 0 : (code ?? 1))
    })
  })
}

/** npm, when it is ended, does not end the script that it runs: the script has to see that its parent is gone. */
function onOrphaned(act) {
  const parent = process.ppid
  return setInterval(() => process.ppid !== parent && act(), 500)
}

/** Replaces this Node by a newer one when it is older than 22.12, which is installed into .tools the first time. */
export async function onNewNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > NODE_WANTED[0] || (major === NODE_WANTED[0] && minor >= NODE_WANTED[1])) return
  const remedy = `install Node ${NODE_WANTED.join('.')} or newer yourself (https://nodejs.org) and run this again`
  const node = inTools('node', 'node_modules', 'node', 'bin', `node${EXE}`)
  if (!ask(node, ['--version'])) {
    step(`Node ${process.versions.node} is older than ${NODE_WANTED.join('.')}: installing Node 24 into .tools/node`)
    await must('npm', ['install', '--prefix', inTools('node'), '--no-save', 'node@24'], { remedy })
    if (!ask(node, ['--version'])) throw new Failure('the Node that npm installed does not start', remedy)
  }
  process.exit(await handOver(node, process.argv.slice(1)))
}

/** On Windows, what npm installs is a shell script; programs of our own are named with their `.exe`. */
const needsShell = (program) => WINDOWS && !program.endsWith('.exe')
