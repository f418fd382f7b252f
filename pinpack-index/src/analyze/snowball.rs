//! Snowball's stemmers as programs of a small machine: a third of the bytes that they take as machine code, and what a blob can
//! hold.
//!
//! `scripts/stem-table.mjs` makes the programs from the crate `frostem`, and a test holds every language to that crate. What an
//! operation does is named after Snowball's own: the *cursor* goes through the word between 0 (backward: the *floor*) and the *limit*; a
//! *slice* is what stands between *bra* and *ket*.

// A place below 0 would be one past the end: nothing is found there.
#![allow(clippy::cast_sign_loss)]

mod program;
mod table;

use program::{Among, Program, Step, op};
pub(super) use table::ENGLISH;

/// Program and texts of a row of the table.
#[cfg(feature = "stemmers")]
pub(super) fn program(row: usize) -> (&'static [u8], &'static str) {
    table::PROGRAMS.get(row).copied().unwrap_or((&[], ""))
}

/// Texts for folded words. `fold` appends the folded form of a character. Capitals of ASCII are marks that Snowball itself puts into
/// words: they stay. A text of which folding leaves nothing, or what stands beside it already, is found nowhere: of `ék` and `ek`, which
/// do different things, the plain one holds.
#[cfg(feature = "stemmers")]
pub(super) fn folded(texts: &str, fold: &dyn Fn(char, &mut String)) -> String {
    let word = |word: &str, line: &str| {
        let mut out = String::new();
        for c in word.chars() {
            if c.is_ascii() { out.push(c) } else { fold(c, &mut out) }
        }
        let stands = out != word && line.contains('|') && line.split('|').any(|other| other == out);
        if stands || out.is_empty() && !word.is_empty() { "\u{fffd}".to_string() } else { out }
    };
    let line = |line: &str| match line.strip_prefix('=') {
        Some(as_it_is) => as_it_is.to_string(),
        None => line.split('|').map(|text| word(text, line)).collect::<Vec<_>>().join("|"),
    };
    texts.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// One language's stemmer.
pub(super) struct Stemmer {
    program: Program,
}

/// The registers that the machine itself uses; places are bytes from the word's start.
mod own {
    pub const CURSOR: usize = 0;
    pub const LIMIT: usize = 1;
    pub const FLOOR: usize = 2;
    pub const BRA: usize = 3;
    pub const KET: usize = 4;
    /// Bytes from the cursor to the limit; to write it moves the cursor.
    pub const AHEAD: usize = 5;
    /// Characters of the word.
    pub const CHARACTERS: usize = 6;
    /// What the last search among endings found.
    pub const AMONG: usize = 7;
}

/// Registers below this are shared by all routines; each call has its own above.
const SHARED: usize = 32;
/// Registers of one call.
const FRAME: usize = 96;
/// Steps that one word may take. Words take some hundreds; folded texts could make a program go round for ever.
const STEPS: u32 = 20_000;

impl Stemmer {
    /// By its program and the texts that it names.
    pub fn new(program: &[u8], texts: &str) -> Self {
        Self { program: Program::load(program, texts) }
    }

    /// The stem of a word in lower case; the word itself where nothing would be left of it.
    pub fn stem(&self, word: &str) -> String {
        let mut registers = vec![0; SHARED + FRAME];
        registers[own::LIMIT] = word.len() as i32;
        let (program, word_bytes) = (&self.program, word.as_bytes().to_vec());
        let mut run = Run { program, word: word_bytes, registers, kept: Vec::new(), left: STEPS };
        run.call(self.program.routines.len().wrapping_sub(1), 0);
        let stem = String::from_utf8(run.word).ok().filter(|stem| run.left > 0 && !stem.is_empty());
        stem.unwrap_or_else(|| word.to_string())
    }
}

/// A word being stemmed.
struct Run<'p> {
    program: &'p Program,
    word: Vec<u8>,
    registers: Vec<i32>,
    /// Snowball's string variable; no program has two.
    kept: Vec<u8>,
    /// Steps that it may still take.
    left: u32,
}

impl Run<'_> {
    /// Runs a routine with its own registers at `frame`; gives the flag it ends with.
    fn call(&mut self, routine: usize, frame: usize) -> bool {
        let program = self.program;
        let Some(&start) = program.routines.get(routine) else { return false };
        let (mut at, mut flag) = (start, true);
        while let Some(step) = program.steps.get(at) {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                return false;
            }
            at += 1;
            match step.op {
                op::END => return flag,
                op::FAIL => return false,
                op::SUCCEED => return true,
                op::NOT => flag = !flag,
                op::CALL => {
                    if self.registers.len() < SHARED + frame + 2 * FRAME {
                        self.registers.resize(SHARED + frame + 2 * FRAME, 0);
                    }
                    flag = self.call(step.a.into(), frame + FRAME);
                }
                op::AMONG | op::AMONG_BACK => flag = self.among(step, frame),
                jump if jump >= op::JUMP => {
                    if jump == op::JUMP || (jump == op::JUMP_HOLDS) == flag {
                        at = step.to.into();
                    }
                }
                _ => flag = self.simple(step, frame, flag),
            }
        }
        flag
    }

    /// An operation that neither jumps nor calls; gives the flag after it.
    fn simple(&mut self, step: &Step, frame: usize, flag: bool) -> bool {
        let program = self.program;
        let (text, left, right) = (program.text(step.to).as_bytes(), self.get(step.a, frame), self.get(step.b, frame));
        match step.op {
            op::EQUALS => self.equals(text),
            op::EQUALS_BACK => self.equals_back(text),
            op::EQUALS_TEXT => {
                let kept = std::mem::take(&mut self.kept);
                let equals = self.equals_back(&kept);
                self.kept = kept;
                equals
            }
            op::IN..=op::GO_OUT_BACK => self.grouping(step.op - op::IN, program.text(step.a.into())),
            op::HOP | op::HOP_BACK => self.hop(step.a, step.op == op::HOP_BACK),
            op::LESS => left < right,
            op::LESS_EQUAL => left <= right,
            op::SAME => left == right,
            op::IS => left == i32::from(step.b),
            _ => {
                self.act(step, frame, text, left);
                flag
            }
        }
    }

    /// An operation that leaves the flag as it is.
    fn act(&mut self, step: &Step, frame: usize, text: &[u8], value: i32) {
        let cursor = self.registers[own::CURSOR];
        match step.op {
            op::NEXT => self.registers[own::CURSOR] = self.after(cursor),
            op::PREVIOUS => self.registers[own::CURSOR] = self.before(cursor),
            op::SLICE => self.slice(text),
            op::DELETE => self.slice(b""),
            op::SLICE_BY => {
                let texts = text.split(|byte| *byte == b'|');
                if let Some(text) = usize::try_from(value - 1).ok().and_then(|row| texts.into_iter().nth(row)) {
                    self.slice(text);
                }
            }
            op::KEEP => {
                let [bra, ket] = [own::BRA, own::KET].map(|register| self.registers[register] as usize);
                self.kept = self.word.get(bra..ket).unwrap_or(&[]).to_vec();
            }
            op::INSERT => self.insert(text),
            op::INSERT_TEXT => {
                let kept = std::mem::take(&mut self.kept);
                self.insert(&kept);
                self.kept = kept;
            }
            op::MOVE => self.set(step.a, frame, self.get(step.b, frame)),
            op::SET => self.set(step.a, frame, step.b.into()),
            // A byte from -128 to 127.
            _ => self.set(step.a, frame, value + i32::from(step.b.cast_signed())),
        }
    }

    fn get(&self, register: u8, frame: usize) -> i32 {
        match usize::from(register) {
            own::AHEAD => self.registers[own::LIMIT] - self.registers[own::CURSOR],
            own::CHARACTERS => self.word.iter().filter(|byte| is_start(**byte)).count() as i32,
            register => self.registers.get(place(register, frame)).copied().unwrap_or(0),
        }
    }

    fn set(&mut self, register: u8, frame: usize, value: i32) {
        if usize::from(register) == own::AHEAD {
            self.registers[own::CURSOR] = self.registers[own::LIMIT] - value;
        } else if let Some(slot) = self.registers.get_mut(place(register.into(), frame)) {
            *slot = value;
        }
    }

    /// The place of the character after `at`.
    fn after(&self, mut at: i32) -> i32 {
        at += 1;
        while self.word.get(at as usize).is_some_and(|byte| !is_start(*byte)) {
            at += 1;
        }
        at
    }

    /// The place of the character before `at`.
    fn before(&self, mut at: i32) -> i32 {
        at -= 1;
        while at > 0 && self.word.get(at as usize).is_some_and(|byte| !is_start(*byte)) {
            at -= 1;
        }
        at
    }

    fn equals(&mut self, text: &[u8]) -> bool {
        let (cursor, limit) = (self.registers[own::CURSOR], self.registers[own::LIMIT]);
        let rest = self.word.get(cursor as usize..limit as usize).unwrap_or(&[]);
        let equals = !rest.is_empty() && rest.starts_with(text);
        if equals {
            self.registers[own::CURSOR] += text.len() as i32;
        }
        equals
    }

    fn equals_back(&mut self, text: &[u8]) -> bool {
        let (cursor, floor) = (self.registers[own::CURSOR], self.registers[own::FLOOR]);
        let equals = self.word.get(floor as usize..cursor as usize).is_some_and(|before| before.ends_with(text));
        if equals {
            self.registers[own::CURSOR] -= text.len() as i32;
        }
        equals
    }

    /// Moves by a grouping of characters. `kind`: bit 0 backward, bit 1 out of it, bit 2 up to where that ends.
    fn grouping(&mut self, kind: u8, members: &str) -> bool {
        let (back, out, go) = (kind & 1 == 1, kind & 2 == 2, kind & 4 == 4);
        loop {
            let cursor = self.registers[own::CURSOR];
            let at_end = if back { cursor <= self.registers[own::FLOOR] } else { cursor >= self.registers[own::LIMIT] };
            if at_end {
                return false;
            }
            let next = if back { self.before(cursor) } else { self.after(cursor) };
            let character = self.word.get(cursor.min(next) as usize..cursor.max(next) as usize).unwrap_or(&[]);
            let member = members.as_bytes().windows(character.len().max(1)).any(|window| window == character);
            // Where it goes on by itself, the first that does not belong holds it.
            if go && member == out {
                return true;
            }
            if !go && member == out {
                return false;
            }
            self.registers[own::CURSOR] = next;
            if !go {
                return true;
            }
        }
    }

    fn hop(&mut self, count: u8, back: bool) -> bool {
        let mut cursor = self.registers[own::CURSOR];
        for _ in 0..count {
            if if back { cursor <= self.registers[own::FLOOR] } else { cursor >= self.registers[own::LIMIT] } {
                return false;
            }
            cursor = if back { self.before(cursor) } else { self.after(cursor) };
        }
        self.registers[own::CURSOR] = cursor;
        true
    }

    /// Finds the longest ending (or beginning) of a table whose routine, if it has one, holds.
    fn among(&mut self, step: &Step, frame: usize) -> bool {
        let program = self.program;
        let back = step.op == op::AMONG_BACK;
        let [cursor, limit, floor] = [own::CURSOR, own::LIMIT, own::FLOOR].map(|register| self.registers[register]);
        let table: &[Among] = program.amongs.get(usize::from(step.a)).map_or(&[], |table| table);
        let mut bound = usize::MAX;
        loop {
            let range = if back { floor..cursor } else { cursor..limit };
            let rest = self.word.get(range.start as usize..range.end as usize).unwrap_or(&[]);
            let fits = |among: &&Among| {
                let text = among.text.as_bytes();
                text.len() < bound && if back { rest.ends_with(text) } else { rest.starts_with(text) }
            };
            let Some(found) = table.iter().filter(fits).max_by_key(|among| among.text.len()) else {
                self.registers[own::AMONG] = 0;
                return false;
            };
            let way = found.text.len() as i32;
            let end = if back { cursor - way } else { cursor + way };
            self.registers[own::CURSOR] = end;
            if found.routine.is_none_or(|routine| self.routine(routine, frame)) {
                self.registers[own::CURSOR] = end;
                self.registers[own::AMONG] = found.result;
                return found.result != 0;
            }
            bound = found.text.len();
        }
    }

    fn routine(&mut self, routine: u8, frame: usize) -> bool {
        if self.registers.len() < SHARED + frame + 2 * FRAME {
            self.registers.resize(SHARED + frame + 2 * FRAME, 0);
        }
        self.call(routine.into(), frame + FRAME)
    }

    /// Puts a text for the slice.
    fn slice(&mut self, text: &[u8]) {
        let [bra, ket] = [own::BRA, own::KET].map(|register| self.registers[register]);
        if self.replace(bra, ket, text) {
            self.registers[own::KET] = bra + text.len() as i32;
        }
    }

    /// Puts a text at the cursor.
    fn insert(&mut self, text: &[u8]) {
        let cursor = self.registers[own::CURSOR];
        if self.replace(cursor, cursor, text) {
            for register in [own::BRA, own::KET] {
                if cursor <= self.registers[register] {
                    self.registers[register] += text.len() as i32;
                }
            }
        }
    }

    fn replace(&mut self, bra: i32, ket: i32, text: &[u8]) -> bool {
        let range = bra as usize..ket as usize;
        if self.word.get(range.clone()).is_none() {
            return false;
        }
        self.word.splice(range, text.iter().copied());
        let growth = text.len() as i32 - (ket - bra);
        let cursor = self.registers[own::CURSOR];
        self.registers[own::LIMIT] += growth;
        if cursor >= ket {
            self.registers[own::CURSOR] += growth;
        } else if cursor > bra {
            self.registers[own::CURSOR] = bra;
        }
        true
    }
}

/// Where a register of a call lies.
fn place(register: usize, frame: usize) -> usize {
    if register < SHARED { register } else { register + frame }
}

/// Does a byte begin a character?
fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(all(test, feature = "stemmers"))]
mod tests;
