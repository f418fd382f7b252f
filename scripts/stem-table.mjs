// Writes pinpack-index/src/analyze/snowball/table.rs from the Snowball stemmers of the crate `frostem`, as Cargo has it.
//   node scripts/stem-table.mjs > pinpack-index/src/analyze/snowball/table.rs
// Run it only together with a new ANALYZER number: the table decides which terms a text gives.
//
// Snowball's Rust is a small regular language, one statement a line: each becomes a byte or three for the machine in snowball.rs.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** In the order of the lines in language/table.rs. */
export const LANGUAGES = [
  ...[
    'arabic',
    'armenian',
    'basque',
    'catalan',
    'czech',
    'danish',
    'dutch',
    'english',
    'esperanto',
    'estonian',
    'finnish',
    'french',
  ],
  ...['german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian'],
  ...[
    'persian',
    'polish',
    'portuguese',
    'romanian',
    'russian',
    'serbian',
    'spanish',
    'swedish',
    'tamil',
    'turkish',
    'ukrainian',
  ],
]

/** Operations, by their byte; snowball.rs names them alike. */
const OPS = [
  ...['End', 'Block', 'Loop', 'Fail', 'Succeed', 'Equals', 'EqualsBack', 'EqualsText', 'Among', 'AmongBack'],
  ...['In', 'InBack', 'Out', 'OutBack', 'GoIn', 'GoInBack', 'GoOut', 'GoOutBack', 'Hop', 'HopBack', 'Next', 'Previous'],
  ...[
    'Slice',
    'SliceBy',
    'Delete',
    'Keep',
    'Insert',
    'InsertText',
    'Call',
    'Move',
    'Set',
    'Add',
    'Less',
    'LessEqual',
    'Same',
    'Is',
    'Not',
  ],
]
const OP = Object.fromEntries(OPS.map((name, code) => [name, code]))
/** From here on a byte is a jump: how many blocks to leave, times 4, and when. */
const JUMP = 0x40
const WHEN = { always: 0, fails: 1, holds: 2, again: 3 }

/** In a table of endings: the routine that has to hold, and the result, follow. */
const WITH_ROUTINE = 255

/** Before a text that stays as it is when the others are folded. */
const AS_IT_IS = '='

/** What a statement may name: registers 0 to 7 are the machine's own. */
const OWN = {
  ...{ 'env.cursor': 0, 'env.limit': 1, 'env.limit_backward': 2, 'env.bra': 3, 'env.ket': 4 },
  ...{ 'env.limit - env.cursor': 5, '(env.current.chars().count() as i32)': 6, among: 7 },
}
/** Then registers that a whole word shares, then those of one call of a routine. */
const [SHARED, LOCAL, LAST] = [8, 32, 128]

const CASE = { in: 'In', out: 'Out' }
const GROUPING = /^env\.(go_)?(in|out)_grouping(_b)?\((\w+), \d+, \d+\)$/
const PRECHECK =
  /^if \(env\.cursor( [+-] \d+)? (<=|>=) env\.limit(_backward)?( \|\| .*as_bytes\(\).*)\) \{(among_var = (-?\d+);\})?$/

class Compiler {
  /** `source`: one stemmer's Rust. */
  constructor(source) {
    this.lines = source.split('\n').map((line) => line.trim())
    this.texts = []
    this.code = []
    this.shared = new Map()
    this.groupings = [...source.matchAll(/^static (G_\w+): .*?&\[([\d, \n]+)\];/gm)].map(([, name, bits]) => ({
      ...{ name, bits: bits.split(',').map(Number) },
      min: Number(new RegExp(`\\(${name}, (\\d+), `).exec(source)?.[1] ?? -1),
    }))
    this.amongs = [...source.matchAll(/^static (A_\d+): .*?&\[\n([\s\S]*?)^\];/gm)].map(([, name, rows]) => ({
      name,
      isForward: source.includes(`env.find_among(${name}, context)`),
      rows: [...rows.matchAll(/Among\("(.*?)", -?\d+, (-?\d+), (?:None|Some\(&(\w+)\))\)/g)].map(
        ([, text, result, routine]) => ({ text: unescaped(text), result: Number(result), routine }),
      ),
    }))
    this.routines = [...source.matchAll(/^(?:pub )?fn (\w+)\(env/gm)].map(([, name]) => name)
  }

  compile() {
    this.code.push(this.groupings.length)
    for (const { bits, min } of this.groupings) this.texts.push(members(bits, min))
    this.code.push(this.amongs.length)
    for (const among of this.amongs) this.among(among)
    this.code.push(this.routines.length)
    for (const name of this.routines) this.routine(name)
    return { code: this.code, text: `${this.texts.join('\n')}\n` }
  }

  among({ rows, isForward }) {
    const texts = rows.map(({ text }) => text).join('|')
    // Going forward, a program looks for accented letters to write them otherwise.
    this.texts.push(isForward && /(?=\P{ASCII})\p{Script=Latin}/u.test(texts) ? AS_IT_IS + texts : texts)
    for (const { result, routine } of rows) {
      if (result < -1 || result >= WITH_ROUTINE - 1) throw new Error(`result ${result}`)
      if (routine) this.code.push(WITH_ROUTINE, this.index(this.routines, routine))
      this.code.push(result + 1)
    }
  }

  routine(name) {
    this.at = this.lines.findIndex((line) => line.startsWith(`fn ${name}(`) || line.startsWith(`pub fn ${name}(`)) + 1
    this.locals = new Map()
    this.open = []
    this.body()
    this.emit('End')
  }

  /** Statements up to the closing brace. */
  body() {
    for (;;) {
      const line = this.lines[this.at++]
      if (line === '}' || line === undefined) return
      if (line !== '') this.statement(line)
    }
  }

  statement(line) {
    this.#apply(line, [
      [/^let mut context = /, () => this.#skip('};')],
      [/^(let mut \w+( : \w+)?;|_ => \(\)|let \(bra, ket\) = \(env\.cursor, env\.cursor\);)$/, () => {}],
      [/^'(\w+): loop ?\{$/, (name) => this.block(name)],
      [/^'(\w+): for _ in 0\.\.1 \{$/, (name) => this.block(name, true)],
      [/^for _ in 0\.\.2 \{$/, () => this.twice()],
      [/^break '(\w+);$/, (name) => this.jump(name, WHEN.always)],
      [/^continue '(\w+);$/, (name) => this.jump(name, WHEN.again)],
      [/^return false;$/, () => this.emit('Fail')],
      [/^return true;?$/, () => this.emit('Succeed')],
      [/^return (.*?);?$/, (expression) => this.returns(expression)],
      [PRECHECK, () => this.precheck(line)],
      [/^if (!?)(.*) \{$/, (not, expression) => this.condition(expression, not === '!')],
      [/^match among_var \{$/, () => this.match()],
      [/^(.*);$/, (action) => this.action(action)],
    ])
  }

  /** Does what stands beside the first pattern that fits, with what its groups hold. */
  #apply(text, rules) {
    for (const [pattern, act] of rules) {
      const found = pattern.exec(text)
      if (found) return act(...found.slice(1))
    }
    throw new Error(`not understood: ${text}`)
  }

  #skip(line) {
    while (this.lines[this.at++] !== line);
  }

  /** What only spares a search that finds nothing is left out; one that stands for a search of single letters is one. */
  precheck(line) {
    const end = this.closing(this.at)
    if (this.lines.slice(end + 1).find((after) => after !== '') === 'env.cursor -= 1;') return this.letters(line)
    const [, , , , , assigns] = PRECHECK.exec(line)
    if (assigns) {
      if (this.lines[this.at++] !== 'else {') throw new Error(line)
      return this.body()
    }
    this.at = end + 1
  }

  letters(line) {
    const letters = [...line.matchAll(/!= (\d+) as u8/g)].map(([, byte]) => String.fromCharCode(Number(byte)))
    if (letters.length === 0 || line.includes('0x1f')) throw new Error(line)
    this.emit('Block')
    this.open.push('')
    for (const letter of letters) {
      this.emit('EqualsBack')
      this.texts.push(letter)
      this.code.push(JUMP + WHEN.holds)
    }
    this.body()
    this.open.pop()
    this.emit('End')
    this.#skip('env.cursor -= 1;')
  }

  block(name, once = false) {
    const end = this.closing(this.at)
    const last = this.lines[end - 1]
    const plain = once || last === `break '${name};`
    const loops = !plain || this.lines.slice(this.at, end).includes(`continue '${name};`)
    this.emit(loops ? 'Loop' : 'Block')
    this.open.push(name)
    this.body()
    this.open.pop()
    // The jump out right before the end is the end itself.
    if (!loops && last === `break '${name};` && this.code.at(-1) === JUMP) this.code.pop()
    this.emit('End')
  }

  /** The line of the brace that closes the block whose first line is `at`. */
  closing(at) {
    for (let depth = 1; ; at++) {
      const line = this.lines[at]
      depth += (line.match(/\{/g) ?? []).length - (line.match(/\}/g) ?? []).length
      if (depth === 0) return at
    }
  }

  twice() {
    const start = this.at
    this.body()
    this.at = start
    this.body()
  }

  returns(expression) {
    const m = /^(\S+) (<=) (\S+)$/.exec(expression)
    if (m) this.emit('LessEqual', this.register(m[1]), this.register(m[3]))
    else this.test(expression)
    // The flag stands as it is.
    this.code.push(JUMP + this.open.length * 4 + WHEN.always)
  }

  condition(expression, negated) {
    const holds = this.test(expression) !== negated
    const next = /^(?:break '(\w+);|(return false;))$/.exec(this.lines[this.at])
    if (next && this.lines[this.at + 1] === '}') {
      const depth = next[2] ? this.open.length : this.depth(next[1])
      // A routine that ends by a test that held has to fail all the same.
      if (next[2] && holds) {
        this.emit('Not')
        this.code.push(JUMP + depth * 4 + WHEN.fails)
      } else this.code.push(JUMP + depth * 4 + (holds ? WHEN.holds : WHEN.fails))
      this.at += 2
      return
    }
    // The block is entered first, so that leaving it is one jump: the test has no effect on blocks.
    this.open.push('')
    this.emit('Block')
    this.code.push(JUMP + (holds ? WHEN.fails : WHEN.holds))
    this.body()
    this.open.pop()
    this.emit('End')
    if (this.lines[this.at] === 'else {') throw new Error('else')
  }

  match() {
    const among = this.local('among_var')
    if (this.replacements(among)) return
    this.emit('Block')
    this.open.push('')
    for (;;) {
      const line = this.lines[this.at++]
      if (line === '}') break
      if (line === '_ => ()') continue
      const [, value] = /^(\d+) => \{$/.exec(line)
      this.emit('Block')
      this.open.push('')
      this.emit('Is', among, Number(value))
      this.code.push(JUMP + WHEN.fails)
      this.body()
      this.open.pop()
      this.code.push(JUMP + 4 + WHEN.always)
      this.emit('End')
    }
    this.open.pop()
    this.emit('End')
  }

  /** A match that does nothing but replace: one operation with all its texts. */
  replacements(among) {
    const arms = []
    let at = this.at
    while (this.lines[at] !== '_ => ()') {
      const text = /^env\.slice_from\("(.*)"\);$|^env\.slice_del\(\);$/.exec(this.lines[at + 1])
      if (this.lines[at] !== `${arms.length + 1} => {` || !text || this.lines[at + 2] !== '}') return false
      arms.push(unescaped(text[1] ?? ''))
      at += 3
    }
    this.at = at + 2
    this.emit('SliceBy', among)
    this.texts.push(arms.join('|'))
    return true
  }

  /** Emits what sets the flag; gives whether the flag stands for the expression (else for its contrary). */
  test(expression) {
    return this.#apply(expression, [
      [GROUPING, (go, way, back, name) => this.grouping(`${go ? 'Go' : ''}${CASE[way]}${back ? 'Back' : ''}`, name)],
      [/^env\.eq_s(_b)?\(&"(.*)"\)$/, (back, text) => this.equals(back, unescaped(text))],
      [/^env\.eq_s_b\(&context\.S_\w+\)$/, () => this.emit('EqualsText')],
      [
        /^env\.find_among(_b)?\((A_\d+), context\) (==|!=) 0$/,
        (back, name, relation) => this.search(back, name) && relation === '!=',
      ],
      [/^env\.hop(_back)?\((\d+)\)$/, (back, count) => this.emit(back ? 'HopBack' : 'Hop', Number(count))],
      [/^(r_\w+)\(env, context\)$/, (name) => this.emit('Call', this.index(this.routines, name))],
      [/^(?:context\.)?(b_\w+)$/, (name) => this.emit('Is', this.register(name), 1)],
      [/^\((\w+) - env\.cursor\) < (\d+)$/, (name, count) => this.isNear(name, Number(count))],
      [/^(.+?) (<|<=|>|>=|==|!=) (\S+)$/, (left, relation, right) => this.compare(left, relation, right)],
    ])
  }

  grouping(op, name) {
    return this.emit(
      op,
      this.index(
        this.groupings.map((grouping) => grouping.name),
        name,
      ),
    )
  }

  equals(back, text) {
    // Going forward, a program looks for accented letters to write them otherwise.
    this.texts.push(back ? text : AS_IT_IS + text)
    return this.emit(back ? 'EqualsBack' : 'Equals')
  }

  /** Is a register less than `count` bytes beyond the cursor? */
  isNear(name, count) {
    const sum = this.local('sum')
    this.emit('Move', sum, OWN['env.cursor'])
    this.emit('Add', sum, count)
    return this.emit('Less', this.register(name), sum)
  }

  compare(left, relation, right) {
    const a = this.register(left)
    const number = /^\d+$/.test(right)
    if (relation === '==' || relation === '!=') {
      if (number) this.emit('Is', a, Number(right))
      else this.emit('Same', a, this.register(right))
      return relation === '=='
    }
    const b = number ? this.constant(Number(right)) : this.register(right)
    const swapped = relation.startsWith('>')
    return this.emit(relation.endsWith('=') ? 'LessEqual' : 'Less', swapped ? b : a, swapped ? a : b)
  }

  constant(value) {
    const register = this.local(`constant ${value}`)
    this.emit('Set', register, value)
    return register
  }

  action(line) {
    this.#apply(line, [
      [
        /^(?:let mut |let )?(\S+) = env\.find_among(_b)?\((A_\d+), context\)$/,
        (target, back, name) => this.search(back, name) && this.emit('Move', this.register(target), OWN.among),
      ],
      [/^env\.slice_from\("(.*)"\)$/, (text) => this.emit('Slice') && this.texts.push(unescaped(text))],
      [/^env\.slice_del\(\)$/, () => this.emit('Delete')],
      [/^context\.S_\w+ = env\.slice_to\(\)$/, () => this.emit('Keep')],
      [/^env\.insert\(bra, ket, &context\.S_\w+\)$/, () => this.emit('InsertText')],
      [/^env\.insert\(bra, ket, "(.*)"\)$/, (text) => this.emit('Insert') && this.texts.push(unescaped(text))],
      [/^env\.next_char\(\)$/, () => this.emit('Next')],
      [/^env\.previous_char\(\)$/, () => this.emit('Previous')],
      [/^(r_\w+)\(env, context\)$/, (name) => this.emit('Call', this.index(this.routines, name))],
      [/^(\S+) \+= (\d+)$/, (target, count) => this.emit('Add', this.register(target), Number(count))],
      [/^(\S+) -= (\d+)$/, (target, count) => this.emit('Add', this.register(target), 256 - Number(count))],
      [/^(?:let mut |let )?(\S+) = (.+)$/, (target, value) => this.assignment(target, value)],
    ])
  }

  assignment(target, value) {
    const back = /^env\.limit - (v_\d+)$/.exec(value)
    if (back && target === 'env.cursor') return this.emit('Move', OWN['env.limit - env.cursor'], this.register(back[1]))
    const constant = { true: 1, false: 0 }[value] ?? (/^\d+$/.test(value) ? Number(value) : undefined)
    if (constant !== undefined) return this.emit('Set', this.register(target), constant)
    this.emit('Move', this.register(target), this.register(value))
  }

  search(back, name) {
    const names = this.amongs.map((among) => among.name)
    return this.emit(back ? 'AmongBack' : 'Among', this.index(names, name))
  }

  register(name) {
    const plain = name.replace('context.', '')
    if (plain in OWN) return OWN[plain]
    if (/^(i|b)_\w+$/.test(plain)) return place(this.shared, plain, SHARED, LOCAL)
    if (/^(v_\d+|among_var|c)$/.test(plain)) return this.local(plain)
    throw new Error(`no register: ${name}`)
  }

  local(name) {
    return place(this.locals, name, LOCAL, LAST)
  }

  depth(name) {
    const at = this.open.lastIndexOf(name)
    if (at < 0) throw new Error(`no block ${name}`)
    return this.open.length - 1 - at
  }

  jump(name, when) {
    this.code.push(JUMP + this.depth(name) * 4 + when)
  }

  index(names, name) {
    const at = names.indexOf(name)
    if (at < 0) throw new Error(`no ${name}`)
    return at
  }

  /** Gives true. */
  emit(op, ...operands) {
    if (!(op in OP) || operands.some((operand) => operand < 0 || operand > 255)) throw new Error(`${op} ${operands}`)
    this.code.push(OP[op], ...operands)
    return true
  }
}

function place(map, name, from, to) {
  if (!map.has(name)) map.set(name, from + map.size)
  if (map.get(name) >= to) throw new Error(`too many registers: ${name}`)
  return map.get(name)
}

/** The characters of a grouping. */
function members(bits, min) {
  if (min < 0) return ''
  const has = (n) => (bits[n >> 3] >> (n & 7)) & 1
  return Array.from({ length: bits.length * 8 }, (_, n) => (has(n) ? String.fromCodePoint(min + n) : '')).join('')
}

const unescaped = (text) =>
  text.replace(/\\u\{([0-9A-Fa-f]+)\}|\\(.)/g, (_, hex, char) =>
    hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : char,
  )

/** The folder of the crate. */
function crate() {
  const { packages } = JSON.parse(execFileSync('cargo', ['metadata', '--format-version=1'], { maxBuffer: 1 << 28 }))
  const found = packages.find(({ name }) => name === 'frostem')
  return { folder: dirname(found.manifest_path), version: found.version }
}

function main() {
  const { folder, version } = crate()
  const programs = LANGUAGES.map((name) => {
    try {
      return new Compiler(readFileSync(join(folder, 'src', 'algorithms', `${name}_stemmer.rs`), 'utf8')).compile()
    } catch (error) {
      error.message = `${name}: ${error.message}`
      throw error
    }
  })
  // A blank at the beginning of a continued line would be lost.
  // A blank at the beginning of a continued line would be lost.
  const escaped = (text) =>
    JSON.stringify(text)
      .replace(/^" |\\n /g, (start) => start.replace(' ', '\\x20'))
      .replace(/\\n/g, '\\n\\\n    ')
  const rows = (code) => code.map((byte, i) => `${i % 24 ? ' ' : '\n        '}${byte},`).join('')
  const literal = ({ code, text }) => `(&[${rows(code)}\n    ], ${escaped(text)})`
  const { code, text } = programs[LANGUAGES.indexOf('english')]
  const plain = text.replaceAll(`\n${AS_IT_IS}`, '\n')
  console.log(`//! Snowball's stemmers, made by \`scripts/stem-table.mjs\` from frostem ${version}. Not to be edited.

/// English: its program, and the texts that it names, in order.
#[rustfmt::skip]
pub(in crate::analyze) const ENGLISH: (&[u8], &str) = ${literal({ code, text: plain })};

/// The same for each language, in the order of \`LANGUAGES\` there. A text behind \`=\` stays as it is when the others are folded.
#[cfg(feature = "stemmers")]
#[rustfmt::skip]
#[allow(clippy::unicode_not_nfc)]
pub(super) const PROGRAMS: [(&[u8], &str); ${programs.length}] = [`)
  programs.forEach((program, i) => {
    console.log(`    // ${LANGUAGES[i]}\n    ${literal(program)},`)
  })
  console.log('];')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main()
