//! Terms to their postings.

use std::cmp::Ordering;
use std::ops::Range;

use super::columns::{block_starts, lexicon_starts, starts};
use super::layout::{Column, Number, Stream};
use super::open::Tables;
use super::{BLOCK, Blob, Store};
use crate::varint;

/// One section that holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// Section id.
    pub section: u32,
    /// Occurrences in its heading path and its text, ≥ 1.
    pub tf: u32,
    /// Is the term in its title: the last heading of its path?
    pub in_title: bool,
}

/// Where everything of a term is found. Starts are per block of terms, with the end as one more.
pub(super) struct Index {
    pub terms: usize,
    pub heads: Range<usize>,
    pub lengths: Range<usize>,
    df: Range<usize>,
    firsts: Range<usize>,
    pub head_starts: Vec<u32>,
    df_starts: Vec<u32>,
    first_starts: Vec<u32>,
    pub lexicon_starts: Vec<u32>,
    pub gap_starts: Vec<u32>,
    pub tf_starts: Vec<u32>,
}

impl Index {
    /// The index of a body; `None` when its columns do not agree.
    pub fn new(tables: &Tables<'_>) -> Option<Self> {
        let lengths = tables.column(Column::LexiconLengths);
        let terms = lengths.len() / 2;
        let (head_starts, lexicon_starts) = lexicon_starts(lengths);
        let (df_starts, df) = block_starts(tables.column(Column::Df));
        let (first_starts, firsts) = block_starts(tables.column(Column::Firsts));
        let index = Self {
            terms,
            heads: tables.range(Column::Heads),
            lengths: tables.range(Column::LexiconLengths),
            df: tables.range(Column::Df),
            firsts: tables.range(Column::Firsts),
            head_starts,
            df_starts,
            first_starts,
            lexicon_starts,
            gap_starts: starts(tables.column(Column::GapBlocks)),
            tf_starts: starts(tables.column(Column::TfBlocks)),
        };
        let blocks = terms.div_ceil(BLOCK) + 1;
        let whole = tables.number(Number::Terms) as usize == terms
            && [2 * df, 2 * firsts] == [lengths.len(); 2]
            && [&index.gap_starts, &index.tf_starts].iter().all(|starts| starts.len() == blocks)
            && index.head_starts.last() == Some(&(index.heads.len() as u32));
        whole.then_some(index)
    }

    /// The end of each stream: their lengths.
    pub fn ends(&self) -> [u32; 3] {
        [&self.lexicon_starts, &self.gap_starts, &self.tf_starts].map(|starts| *starts.last().unwrap_or(&0))
    }
}

impl<S: Store> Blob<S> {
    /// The number of a term in the lexicon; `None` when no section holds it.
    #[must_use]
    pub fn term(&self, term: &str) -> Option<u32> {
        let (wanted, index) = (term.as_bytes(), &self.index);
        let [heads, lengths] = [&index.heads, &index.lengths].map(|range| self.in_body(range));
        let block = self.block_of(wanted).checked_sub(1)?;
        let (first, head) = (block * BLOCK, slice(heads, &index.head_starts, block));
        if head == wanted {
            return Some(first as u32);
        }
        let rests = self.read(Stream::Lexicon, &index.lexicon_starts, block);
        let mut rests = &rests[..];
        // Bytes that the term shares with the last term seen: a later term that shares fewer with that one is past it.
        let mut common = same(head, wanted);
        for number in first + 1..(first + BLOCK).min(index.terms) {
            let (shared, length) = (usize::from(*lengths.get(2 * number)?), *lengths.get(2 * number + 1)?);
            let (rest, others) = rests.split_at_checked(usize::from(length))?;
            rests = others;
            match shared.cmp(&common) {
                Ordering::Greater => continue,
                Ordering::Less => return None,
                Ordering::Equal => {}
            }
            let left = wanted.get(common..)?;
            let more = same(rest, left);
            if more == left.len() {
                return (more == rest.len()).then_some(number as u32);
            }
            common += more;
        }
        None
    }

    /// How many blocks have a head that is not after the term.
    pub(super) fn block_of(&self, term: &[u8]) -> usize {
        let (heads, starts) = (self.in_body(&self.index.heads), &self.index.head_starts);
        let (mut low, mut high) = (0, starts.len() - 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            if slice(heads, starts, middle) > term {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }

    /// Sections that hold a term, and those that hold the terms before it in its block.
    fn df_before(&self, term: u32) -> (u32, usize) {
        let (number, df) = (term as usize, self.in_body(&self.index.df));
        let Some(&start) = self.index.df_starts.get(number / BLOCK).filter(|_| number < self.index.terms) else {
            return (0, 0);
        };
        let (mut at, mut before) = (start as usize, 0);
        for _ in 0..number % BLOCK {
            before += varint::read(df, &mut at) as usize;
        }
        (varint::read(df, &mut at), before)
    }

    /// Number of sections that hold a term.
    #[must_use]
    pub fn df(&self, term: u32) -> u32 {
        self.df_before(term).0
    }

    /// Calls `each` for every section that holds the term, by ascending id.
    pub fn each_posting(&self, term: u32, each: &mut dyn FnMut(Posting)) {
        let index = &self.index;
        let (block, place) = (term as usize / BLOCK, term as usize % BLOCK);
        let (df, before) = self.df_before(term);
        let firsts = self.in_body(&index.firsts);
        let start = index.first_starts.get(block).map_or(usize::MAX, |start| *start as usize);
        let mut section = varint::read(firsts, &mut varint::skip(firsts, start, place));
        let gaps = self.read(Stream::Gaps, &index.gap_starts, block);
        let tfs = self.read(Stream::Tf, &index.tf_starts, block);
        let mut at = varint::skip(&gaps, 0, before.saturating_sub(place));
        let mut tf_at = varint::skip(&tfs, 0, before);
        for left in (0..df).rev() {
            if section as usize >= self.sections() {
                return;
            }
            let tf = varint::read(&tfs, &mut tf_at);
            each(Posting { section, tf: (tf >> 1) + 1, in_title: tf & 1 == 1 });
            if left > 0 {
                section = section.saturating_add(varint::read(&gaps, &mut at)).saturating_add(1);
            }
        }
    }
}

/// How many bytes are the same at the head of both.
fn same(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// One row of strings that stand one after the other.
pub(super) fn slice<'b>(bytes: &'b [u8], starts: &[u32], row: usize) -> &'b [u8] {
    let at = |row: usize| starts.get(row).map_or(0, |start| *start as usize);
    bytes.get(at(row)..at(row + 1)).unwrap_or(&[])
}
