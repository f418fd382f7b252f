// Writes pinpack-index/src/analyze/fold_table.rs from the Unicode data of the Node that runs it.
//   node scripts/fold-table.mjs > pinpack-index/src/analyze/fold_table.rs
// Run it only together with a new ANALYZER number: the table decides which terms a text gives.

const OP = { letter: 0, shift: 1, alternate: 2, digit: 3, drop: 4, nospace: 5, map: 6, nospaceMap: 7 }
const drop =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: what is listed is the combining characters themselves
  /^[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u00AD\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\u200C\u200D\uFE00-\uFE0F\uFE20-\uFE2F]$/
const nospace =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30FC\uFF70\u3099\u309A々〆]$/u
const custom = new Map(
  Object.entries({
    ß: 'ss',
    ẞ: 'ss',
    æ: 'ae',
    Æ: 'ae',
    œ: 'oe',
    Œ: 'oe',
    ø: 'o',
    Ø: 'o',
    đ: 'd',
    Đ: 'd',
    ł: 'l',
    Ł: 'l',
    ı: 'i',
    ħ: 'h',
    Ħ: 'h',
    ŧ: 't',
    Ŧ: 't',
    þ: 'th',
    Þ: 'th',
    ð: 'd',
    Ð: 'd',
    ς: 'σ',
    ى: 'ي',
    ة: 'ه',
    ک: 'ك',
    ی: 'ي',
    й: 'й',
    Й: 'й',
    Ŀ: 'l',
    ŀ: 'l',
    ŉ: 'n',
  }),
)

/** Blocks in which a character may be replaced by others. Elsewhere (presentation forms, compatibility ideographs) it stays itself. */
const replaced = (cp) =>
  cp < 0x530 ||
  (cp >= 0x600 && cp < 0x700) ||
  (cp >= 0x1e00 && cp < 0x2000) ||
  (cp >= 0xfb00 && cp < 0xfb07) ||
  (cp >= 0xff00 && cp < 0xffa0)

/** What a character becomes: { op, text }, or null when it ends a word. */
function fold(cp) {
  const ch = String.fromCodePoint(cp)
  if (drop.test(ch)) return { op: OP.drop, text: '' }
  if (!/[\p{L}\p{N}\p{M}々]/u.test(ch)) return nospace.test(ch) ? { op: OP.nospace, text: ch } : null
  if (/\p{M}/u.test(ch)) return { op: nospace.test(ch) ? OP.nospace : OP.letter, text: ch }
  const composed = ch.normalize('NFKC')
  if (nospace.test([...composed][0])) return { op: OP.nospace, text: replaced(cp) ? composed : ch }
  if (/^[\uAC00-\uD7A3\u1100-\u11FF]$/.test(composed)) return { op: OP.letter, text: ch }
  const digit = /^\p{Nd}$/u.test(ch) ? digitOf(cp) : -1
  if (digit >= 0) return { op: OP.digit, text: String(digit) }
  const base = custom.get(ch) ?? [...ch.normalize('NFKD')].filter((c) => !drop.test(c)).join('')
  const text = [...base.toLowerCase()]
    .map((c) => custom.get(c) ?? c)
    .join('')
    .replace(/\u0307/g, '')
  if (!replaced(cp) && text !== ch.toLowerCase()) return { op: OP.letter, text: ch.toLowerCase() }
  if (!text || /[^\p{L}\p{N}\p{M}]/u.test(text) || [...text].length > 4) return null
  return { op: OP.letter, text }
}
/** Decimal digits come in runs of ten; the value is the place in the run. */
function digitOf(cp) {
  const compat = String.fromCodePoint(cp).normalize('NFKC')
  if (/^[0-9]$/.test(compat)) return Number(compat)
  let start = cp
  while (start > 0 && /^\p{Nd}$/u.test(String.fromCodePoint(start - 1))) start--
  return (cp - start) % 10
}

const ranges = []
const maps = []
const gap = (cp) => /^\p{Cn}$/u.test(String.fromCodePoint(cp))
for (let cp = 0x80; cp < 0x323b0; cp++) {
  if ((cp >= 0xd800 && cp <= 0xf8ff) || gap(cp)) continue
  const f = fold(cp)
  if (!f) continue
  const last = ranges.at(-1)
  const only = [...f.text].length === 1 ? f.text.codePointAt(0) : -1
  let entry
  if (f.op === OP.drop || f.op === OP.digit) entry = { op: f.op, arg: 0, value: f.text }
  else if (only === cp) entry = { op: f.op, arg: 0 }
  else if (
    f.op === OP.letter &&
    only > 0 &&
    Math.abs(only - cp) !== 1 &&
    Math.abs(only - cp) < 9000 &&
    isCase(cp, only)
  )
    entry = { op: OP.shift, arg: only - cp }
  else if (f.op === OP.letter && only === cp + 1 && isCase(cp, only)) entry = { op: OP.alternate, arg: 0 }
  // Rare letters whose other case is far away: a replacement each would cost more than they are worth.
  else if (cp >= 0x2c60 && cp < 0xfb00 && f.op === OP.letter) entry = { op: OP.letter, arg: 0 }
  else entry = { op: f.op === OP.nospace ? OP.nospaceMap : OP.map, arg: 0, text: f.text }
  const adjacent = last && allGap(last.end + 1, cp)
  if (last && last.op === OP.alternate && cp === last.end + 1) {
    const even = (cp - last.start) % 2 === 0
    if ((even && entry.op === OP.alternate) || (!even && entry.op === OP.letter)) {
      last.end = cp
      continue
    }
  }
  if (entry.op === OP.digit) {
    if (last?.op === OP.digit && cp === last.end + 1 && cp - last.start < 10) {
      last.end = cp
      continue
    }
    if (entry.value !== '0') {
      ranges.push({ start: cp, end: cp, op: OP.map, arg: maps.length })
      maps.push(entry.value)
      continue
    }
  } else if (entry.op === OP.map || entry.op === OP.nospaceMap) {
    if (last?.op === entry.op && cp === last.end + 1 && last.end - last.start < 63) {
      last.end = cp
      maps.push(entry.text)
      continue
    }
    ranges.push({ start: cp, end: cp, op: entry.op, arg: maps.length })
    maps.push(entry.text)
    continue
  } else if (
    last?.op === entry.op &&
    last.arg === entry.arg &&
    entry.op !== OP.alternate &&
    (entry.op === OP.shift ? cp === last.end + 1 : adjacent)
  ) {
    last.end = cp
    continue
  }
  ranges.push({ start: cp, end: cp, op: entry.op, arg: entry.arg })
}
function isCase(cp, to) {
  return String.fromCodePoint(cp).toLowerCase() === String.fromCodePoint(to)
}
function allGap(from, to) {
  for (let c = from; c < to; c++) if (!gap(c)) return false
  return true
}

// One byte stream: per range varint(gap to the previous end), varint(length - 1) with the op in the low 3 bits, and for shift a zigzag varint.
const bytes = []
const varint = (n) => {
  for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) | 128)
  bytes.push(n)
}
let at = 0
for (const r of ranges) {
  varint(r.start - at)
  varint((r.end - r.start) * 8 + r.op)
  at = r.end + 1
  if (r.op === OP.shift) varint(r.arg < 0 ? -r.arg * 2 - 1 : r.arg * 2)
}
// Replacements in order; one of n > 1 characters is announced by the control character n.
const text = maps.map((m) => ([...m].length > 1 ? String.fromCharCode([...m].length) : '') + m).join('')
const esc = (s) =>
  [...s]
    .map((c) => {
      const n = c.codePointAt(0)
      return n >= 32 && n < 127 && c !== '"' && c !== '\\' ? c : `\\u{${n.toString(16)}}`
    })
    .join('')
const wrap = (s, n) => s.match(new RegExp(`(?:\\\\u\\{[0-9a-f]+\\}|.){1,${n}}`, 'g')) ?? []
console.log(
  `//! Case, accent and word-class folding, made by \`scripts/fold-table.mjs\` from Unicode ${process.versions.unicode}. Not to be edited.

/** RANGES **/`.replace(
    '/** RANGES **/',
    `/// ${ranges.length} ranges of code points from U+0080: gap, length and operation, argument, as varints.
pub(super) const RANGES: &[u8] = &[
${bytes
  .reduce((rows, b, i) => {
    if (i % 24 === 0) rows.push([])
    rows.at(-1).push(b)
    return rows
  }, [])
  .map((r) => `    ${r.join(', ')},`)
  .join('\n')}
];

/// ${maps.length} replacements, in the order of the ranges that need one.
pub(super) const REPLACEMENTS: &str = "\\
${wrap(esc(text), 60)
  .map((l) => `    ${l}\\`)
  .join('\n')}
    ";`,
  ),
)
