/** Makes a wasm file whose one exported function traps, to see what happens then. */

const EXPORTS = 7
const IMPORTS = 2
const CODE = 10
const FUNCTION = 0

/** A copy of `wasm` in which the body of the function exported as `name` is `unreachable`. */
export function withTrap(wasm: Uint8Array, name: string): Uint8Array {
  const sections = [...sectionsOf(wasm)]
  const find = (id: number) => sections.find((section) => section.id === id)
  const index =
    exportedIndex(reader(wasm, find(EXPORTS)?.start ?? 0), name) - importedFunctions(wasm, find(IMPORTS)?.start)
  const body = functionBody(reader(wasm, find(CODE)?.start ?? 0), index)
  const copy = wasm.slice()
  // No locals, `unreachable`, and `nop` up to the body's `end`.
  copy.fill(0x01, body.start, body.end - 1)
  copy.set([0x00, 0x00], body.start)
  return copy
}

function* sectionsOf(wasm: Uint8Array) {
  const read = reader(wasm, 8)
  while (read.at < wasm.length) {
    const id = read.byte()
    const size = read.number()
    yield { id, start: read.at }
    read.at += size
  }
}

function exportedIndex(read: Reader, name: string): number {
  for (let left = read.number(); left > 0; left--) {
    const found = read.text()
    const kind = read.byte()
    const index = read.number()
    if (kind === FUNCTION && found === name) return index
  }
  throw new Error(`no exported function ${name}`)
}

/** Imported functions come first in the numbering. wasm-bindgen imports functions only. */
function importedFunctions(wasm: Uint8Array, start: number | undefined): number {
  if (start === undefined) return 0
  const read = reader(wasm, start)
  const imports = read.number()
  for (let left = imports; left > 0; left--) {
    read.text()
    read.text()
    if (read.byte() !== FUNCTION) throw new Error('an import that is no function')
    read.number()
  }
  return imports
}

function functionBody(read: Reader, index: number): { start: number; end: number } {
  read.number()
  for (let at = 0; ; at++) {
    const size = read.number()
    if (at === index) return { start: read.at, end: read.at + size }
    read.at += size
  }
}

type Reader = ReturnType<typeof reader>

function reader(bytes: Uint8Array, at: number) {
  return {
    at,
    byte(): number {
      return bytes[this.at++] as number
    },
    /** An unsigned LEB128. */
    number(): number {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = this.byte()
        value += (byte & 0x7f) * 2 ** shift
        if (byte < 0x80) return value
      }
    },
    text(): string {
      const length = this.number()
      this.at += length
      return new TextDecoder().decode(bytes.subarray(this.at - length, this.at))
    },
  }
}
