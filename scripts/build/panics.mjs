// Takes what only panics use out of a wasm file: their functions, and the source locations that they would print.
//
//   node scripts/build/panics.mjs in.wasm out.wasm
//
// A panic in the shipped engine then traps without a message. In a release build it has none to print in any case (there is no
// console hook), yet the formatting code, its tables and the paths of source files would make a third of what a visitor
// downloads. The file must still have its function names; wasm-opt removes what is no longer reached afterwards.
import { readFileSync, writeFileSync } from 'node:fs'
import binaryen from 'binaryen'

/** Functions that are only reached from a panic, and the formatting that only panics do: the engine formats nothing. */
const PANICS =
  /panicking|_fail\b|_fail_rt|unwrap_failed|expect_failed|assert_failed|rust_panic|panic_fmt|handle_error|handle_alloc_error|capacity_overflow|rust_start_panic|AccessError|core(\[[0-9a-f]+\])?::fmt::|fmt::Write|escape_debug|do_count_chars|is_printable|grapheme_extend/

/** What they would say, word for word. */
const MESSAGES = [
  ...['begin > end (', ') when slicing `', 'start byte index ', 'end byte index ', ' is out of bounds of `'],
  ...[' is not a char boundary; it is inside ', 'index out of bounds: the len is ', ' but the index is '],
  ...[
    'slice index starts at ',
    ' but ends at ',
    'range start index ',
    'range end index ',
    ' out of range for slice of length ',
  ],
  ...['assertion `left ', ' right` failed', 'insertion index (is ', 'removal index (is ', '`at` split index (is '],
  ...[') should be <= len (is ', ') should be < len (is ', 'copy_from_slice: source slice length ('],
  ...[') does not match destination slice length (', 'a Display implementation returned an error unexpectedly'],
  'a formatting trait implementation returned an error when the underlying stream did not',
  ...['LazyCell instance has previously been poisoned', 'internal error: entered unreachable code'],
  ...['RefCell already mutably borrowed', 'RefCell already borrowed', 'attempt to divide by zero'],
  ...['Tried to shrink to a larger capacity', 'assertion failed: self.is_char_boundary(at)'],
]

const [input, output] = process.argv.slice(2)
const bytes = readFileSync(input)
const blanked = blankLocations(bytes)
const module = binaryen.readBinary(bytes)
const { Features } = binaryen
module.setFeatures(
  Features.MutableGlobals |
    Features.SignExt |
    Features.BulkMemory |
    Features.BulkMemoryOpt |
    Features.NontrappingFPToInt |
    Features.Multivalue |
    Features.ReferenceTypes,
)
const removed = trapPanics()
binaryen.setDebugInfo(true)
writeFileSync(output, module.emitBinary())
if (removed < 10)
  throw new Error(`only ${removed} panic functions found in ${input}: does it still have its function names?`)
console.log(`${removed} panic functions, ${blanked} locations`)

function trapPanics() {
  let count = 0
  for (let index = 0; index < module.getNumFunctions(); index++) {
    const ref = module.getFunctionByIndex(index)
    const { name, module: imported } = binaryen.getFunctionInfo(ref)
    if (imported || !PANICS.test(name)) continue
    binaryen.Function.setBody(ref, module.unreachable())
    count++
  }
  return count
}

/** Zeroes the records (path, its length, line, column) that say where a panic is, the paths that they point to, and the messages. */
function blankLocations(wasm) {
  let count = 0
  for (const segment of dataSegments(wasm)) {
    const paths = []
    for (let at = segment.start; at + 16 <= segment.end; at += 4) {
      const path = pathOf(wasm, segment, at)
      if (!path) continue
      paths.push(path)
      wasm.fill(0, at, at + 16)
      count++
    }
    for (const { start, end } of paths) wasm.fill(0, start, end)
    for (const message of MESSAGES) blankAll(wasm, segment, message)
  }
  return count
}

/** Where the path of a record lies in the file; nothing when these 16 bytes are no such record. */
function pathOf(wasm, segment, at) {
  const [pointer, length, line, column] = [0, 4, 8, 12].map((offset) => wasm.readUInt32LE(at + offset))
  const start = segment.start + pointer - segment.address
  const end = start + length
  if (length < 6 || length > 300 || !line || line > 99_999 || !column || column > 999) return undefined
  if (start < segment.start || end > segment.end) return undefined
  // A path that an earlier record named is blank by its own time: paths are zeroed last.
  return /^[\w./-]+\.rs$/.test(wasm.toString('latin1', start, end)) ? { start, end } : undefined
}

function blankAll(wasm, segment, message) {
  for (let at = wasm.indexOf(message, segment.start); at >= 0 && at < segment.end; at = wasm.indexOf(message, at + 1)) {
    wasm.fill(0, at, at + message.length)
  }
}

/** The active data segments: where their bytes are in the file, and in memory. */
function* dataSegments(wasm) {
  let at = 8
  while (at < wasm.length) {
    const id = wasm[at++]
    const size = varint(wasm, at)
    at = size.next
    const end = at + size.value
    if (id === 11) {
      const segments = varint(wasm, at)
      at = segments.next
      for (let n = 0; n < segments.value; n++) {
        if (wasm[at] !== 0 || wasm[at + 1] !== 0x41)
          throw new Error(`data segment ${n} is not an active one at a constant address`)
        const address = varint(wasm, at + 2)
        const length = varint(wasm, address.next + 1)
        yield { start: length.next, end: length.next + length.value, address: address.value }
        at = length.next + length.value
      }
    }
    at = end
  }
}

function varint(wasm, at) {
  let value = 0
  let factor = 1
  for (let next = at; ; factor *= 128) {
    const byte = wasm[next++]
    value += (byte & 127) * factor
    if (byte < 128) return { value, next }
  }
}
