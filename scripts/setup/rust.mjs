// Rust with the wasm target, and the two cargo tools, in the versions that belong to this source.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask, at, Failure, must, run, step, TOOLS } from '../shell.mjs'

const TARGET = 'wasm32-unknown-unknown'
const WASM_PACK = '0.15.1'

/** The toolchain of rust-toolchain.toml: cargo, rustfmt, clippy and the wasm target. */
export async function rust() {
  if (!ask('cargo', ['--version']) && !ask('rustup', ['--version']))
    throw new Failure('Rust is not installed', 'get it from https://rustup.rs, open a new terminal, and run this again')
  const sysroot = ask('rustc', ['--print', 'sysroot'])
  const missing = sysroot === undefined ? ['the toolchain'] : missingParts(sysroot)
  if (missing.length === 0) return
  step(`adding to Rust: ${missing.join(', ')}`)
  const remedy = `this Rust is not managed by rustup: add ${missing.join(', ')} with your package manager, or use https://rustup.rs`
  if (sysroot === undefined) return await must('rustup', ['toolchain', 'install'], { remedy })
  if (missing.includes(TARGET)) await must('rustup', ['target', 'add', TARGET], { remedy })
  const components = missing.filter((part) => part !== TARGET)
  if (components.length > 0) await must('rustup', ['component', 'add', ...components], { remedy })
}

function missingParts(sysroot) {
  const has = (...path) => existsSync(join(sysroot, ...path)) || existsSync(`${join(sysroot, ...path)}.exe`)
  return [
    has('lib', 'rustlib', TARGET, 'lib') ? [] : TARGET,
    has('bin', 'rustfmt') ? [] : 'rustfmt',
    has('bin', 'cargo-clippy') ? [] : 'clippy',
  ].flat()
}

/** wasm-bindgen's program and crate must be of one version: the lock's. */
export async function wasmBindgen() {
  const lock = await readFile(at('Cargo.lock'), 'utf8')
  const version = /name = "wasm-bindgen"\r?\nversion = "([^"]+)"/.exec(lock)?.[1]
  if (!version) throw new Failure('Cargo.lock does not name wasm-bindgen', 'restore it: git checkout Cargo.lock')
  await install('wasm-bindgen', 'wasm-bindgen-cli', version)
}

/** Runs the Rust tests in a browser. */
export const wasmPack = () => install('wasm-pack', 'wasm-pack', WASM_PACK)

async function install(program, crate, version) {
  if (ask(program, ['--version'])?.split(' ')[1] === version) return
  step(`compiling ${crate} ${version} into .tools, once; this takes some minutes`)
  const args = ['install', '--root', TOOLS, '--force', '--version', version, crate]
  // These tools run for a moment: they are compiled to be ready soon, not to be fast.
  const env = { CARGO_PROFILE_RELEASE_OPT_LEVEL: '1' }
  const { code } = await run('cargo', [...args, '--locked'], { env })
  // A registry mirror can lack a version that the crate's own lock names; its requirements still hold then.
  if (code !== 0)
    await must('cargo', args, { env, remedy: `check the network, then: cargo install ${crate}@${version}` })
}
