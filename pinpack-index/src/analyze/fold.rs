//! One character to its folded form and its class, by the table of `fold_table.rs`.

use super::fold_table::{RANGES, REPLACEMENTS};
use crate::varint;

/// What a character does in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Ends a word.
    Break,
    /// Part of a word.
    Letter,
    /// Part of a word or number, folded to `0` to `9`.
    Digit,
    /// Of a script written without spaces.
    NoSpace,
    /// Neither seen nor ending a word: combining accents, soft hyphens, joiners.
    Drop,
}

/// A folded character.
pub(super) struct Folded {
    pub class: Class,
    pub case: Case,
}

/// Which case a character had.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Case {
    /// It is not known: of a letter with an accent, or before the first.
    #[default]
    None,
    Lower,
    Upper,
    Digit,
}

const SHIFT: u8 = 1;
const ALTERNATE: u8 = 2;
const DIGIT: u8 = 3;
const DROP: u8 = 4;
const NO_SPACE: u8 = 5;
const MAP: u8 = 6;
const NO_SPACE_MAP: u8 = 7;

struct Range {
    start: u32,
    end: u32,
    op: u8,
    /// `SHIFT`: added to the code point.
    delta: i32,
    /// `MAP`: byte offset of the first replacement.
    first: usize,
}

/// The folding table, unpacked.
pub(super) struct Folding {
    ranges: Vec<Range>,
}

impl Folding {
    pub fn new() -> Self {
        let (mut ranges, mut at, mut next, mut map) = (Vec::with_capacity(700), 0, 0, 0);
        while at < RANGES.len() {
            let start = next + varint::read(RANGES, &mut at);
            let packed = varint::read(RANGES, &mut at);
            let (len, op) = (packed >> 3, (packed & 7) as u8);
            let (mut delta, first) = (0, map);
            if op == SHIFT {
                let zigzag = varint::read(RANGES, &mut at).cast_signed();
                delta = (zigzag >> 1) ^ -(zigzag & 1);
            } else if op == MAP || op == NO_SPACE_MAP {
                for _ in 0..=len {
                    map += replacement(map).1;
                }
            }
            ranges.push(Range { start, end: start + len, op, delta, first });
            next = start + len + 1;
        }
        Self { ranges }
    }

    /// Appends the folded form of `c` to `out` and says what `c` is.
    pub fn fold(&self, c: char, out: &mut String) -> Folded {
        if c.is_ascii() {
            return fold_ascii(c, out);
        }
        let Some(range) = self.range(c) else { return Folded { class: Class::Break, case: Case::None } };
        let offset = c as u32 - range.start;
        let class = match range.op {
            DIGIT => Class::Digit,
            DROP => Class::Drop,
            NO_SPACE | NO_SPACE_MAP => Class::NoSpace,
            _ => Class::Letter,
        };
        let mut case = Case::Lower;
        match range.op {
            DIGIT => {
                case = Case::Digit;
                out.push((b'0' + offset as u8 % 10) as char);
            }
            DROP => {}
            SHIFT | ALTERNATE => {
                let upper = range.op == SHIFT || offset.is_multiple_of(2);
                if upper {
                    case = Case::Upper;
                }
                let delta = if range.op == SHIFT { range.delta } else { i32::from(upper) };
                out.push(char::from_u32((c as u32).wrapping_add_signed(delta)).unwrap_or(c));
            }
            MAP | NO_SPACE_MAP => {
                case = Case::None;
                let mut at = range.first;
                for _ in 0..offset {
                    at += replacement(at).1;
                }
                out.push_str(replacement(at).0);
            }
            _ => out.push(c),
        }
        Folded { class, case }
    }

    /// The class of `c` alone.
    pub fn class(&self, c: char) -> Class {
        if c.is_ascii_alphabetic() {
            return Class::Letter;
        }
        if c.is_ascii() {
            return if c.is_ascii_digit() { Class::Digit } else { Class::Break };
        }
        match self.range(c).map(|range| range.op) {
            None => Class::Break,
            Some(DIGIT) => Class::Digit,
            Some(DROP) => Class::Drop,
            Some(NO_SPACE | NO_SPACE_MAP) => Class::NoSpace,
            Some(_) => Class::Letter,
        }
    }

    fn range(&self, c: char) -> Option<&Range> {
        let c = c as u32;
        let after = self.ranges.partition_point(|range| range.start <= c);
        self.ranges.get(after.checked_sub(1)?).filter(|range| c <= range.end)
    }
}

fn fold_ascii(c: char, out: &mut String) -> Folded {
    let (class, case) = match c {
        'a'..='z' => (Class::Letter, Case::Lower),
        'A'..='Z' => (Class::Letter, Case::Upper),
        '0'..='9' => (Class::Digit, Case::Digit),
        _ => return Folded { class: Class::Break, case: Case::None },
    };
    out.push(c.to_ascii_lowercase());
    Folded { class, case }
}

/// The replacement that starts at a byte offset, and the bytes it takes in the table.
fn replacement(at: usize) -> (&'static str, usize) {
    let table = REPLACEMENTS.as_bytes();
    // A control character n announces n characters.
    let announced = table.get(at).copied().filter(|first| *first < 9);
    let start = at + usize::from(announced.is_some());
    let mut end = start;
    for _ in 0..announced.unwrap_or(1) {
        end += 1;
        while table.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
            end += 1;
        }
    }
    (REPLACEMENTS.get(start..end).unwrap_or(""), end - at)
}
