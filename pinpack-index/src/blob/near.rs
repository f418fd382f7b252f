//! A word that the index does not know, to the term that it most likely stands for.

use super::layout::Stream;
use super::lexicon::slice;
use super::{BLOCK, Blob, Store};

/// A letter that is missing, too many or another.
const EDIT: u32 = 4;
/// Two letters in each other's place; one letter for its neighbor on the keyboard; a vowel for a vowel; a doubled letter.
const SLIP: u32 = 3;
/// Shorter words have too many neighbors, longer ones are not words.
const LETTERS: std::ops::RangeInclusive<usize> = 4..=32;
/// Words of so many letters may hold two edits.
const TWO_EDITS: usize = 6;

/// A term that is near a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// Its number in the lexicon.
    pub number: u32,
    /// The term.
    pub term: String,
    /// How far it is, in quarters of an edit: 3 to 8. A term that begins with the word is one edit away, and so is one with which the
    /// word begins, when it is most of it.
    pub quarters: u32,
}

impl<S: Store> Blob<S> {
    /// The term nearest to a word of four letters and more: one edit away, of six letters two; of several the one that most sections
    /// hold, then the first. Words with anything but letters (numbers, codes, addresses) have none.
    ///
    /// Only terms with the same first letter are looked at, and those whose first two letters are the word's in reverse. Cost: one
    /// pass over the terms with that letter, of which most end at the third.
    #[must_use]
    #[cold]
    pub fn near(&self, word: &str) -> Option<Near> {
        let letters: Vec<char> = word.chars().collect();
        let is_word = word.bytes().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii());
        let [first, second, ..] = letters[..] else { return None };
        if !is_word || !LETTERS.contains(&letters.len()) {
            return None;
        }
        let mut search = Search::new(letters);
        let mut best: Option<(Near, u32)> = None;
        let mut start = String::from(first);
        for _ in 0..2 {
            self.each_term_from(&start, &mut |number, term| {
                let Some(quarters) = search.step(term) else { return };
                let known = best.as_ref().map_or(u32::MAX, |(near, _)| near.quarters);
                let df = if quarters > known { 0 } else { self.df(number) };
                if quarters < known || best.as_ref().is_some_and(|(_, most)| df > *most && quarters == known) {
                    best = Some((Near { number, term: term.into(), quarters }, df));
                }
            });
            start.clear();
            start.extend([second, first]);
        }
        best.map(|(near, _)| near)
    }

    /// Calls `each` with every term that begins with `start`, in order.
    fn each_term_from(&self, start: &str, each: &mut dyn FnMut(u32, &str)) {
        let (index, wanted) = (&self.index, start.as_bytes());
        let [heads, lengths] = [&index.heads, &index.lengths].map(|range| self.in_body(range));
        let mut term = Vec::new();
        for block in self.block_of(wanted).saturating_sub(1)..index.head_starts.len() - 1 {
            let rests = self.read(Stream::Lexicon, &index.lexicon_starts, block);
            let mut rests = &rests[..];
            term.clear();
            term.extend_from_slice(slice(heads, &index.head_starts, block));
            for number in block * BLOCK..((block + 1) * BLOCK).min(index.terms) {
                if number > block * BLOCK {
                    let Some([shared, length]) = lengths.get(2 * number..2 * number + 2) else { return };
                    let Some((rest, others)) = rests.split_at_checked(usize::from(*length)) else { return };
                    term.truncate(usize::from(*shared));
                    term.extend_from_slice(rest);
                    rests = others;
                }
                if term.starts_with(wanted) {
                    each(number as u32, std::str::from_utf8(&term).unwrap_or(""));
                } else if *term > *wanted {
                    return;
                }
            }
        }
    }
}

/// The distances of one word to terms that come in order: what two terms begin with in common is computed once.
struct Search {
    word: Vec<char>,
    /// Letters of the last term, as far as it was looked at.
    term: Vec<char>,
    /// A row for no letters of the term, one for its first letter, its first two and so on: quarters from those to the first 0, 1, 2 …
    /// letters of the word.
    costs: Vec<u32>,
    /// Farther is too far, in quarters.
    limit: u32,
    /// The last term is too far with the letters that were looked at, whatever follows.
    is_far: bool,
}

impl Search {
    fn new(word: Vec<char>) -> Self {
        let limit = if word.len() < TWO_EDITS { EDIT } else { 2 * EDIT };
        let (mut costs, mut before) = (vec![0], None);
        for &own in &word {
            let extra = if before == Some(own) { SLIP } else { EDIT };
            costs.push(costs.last().unwrap_or(&0) + extra);
            before = Some(own);
        }
        Self { word, term: Vec::new(), costs, limit, is_far: false }
    }

    /// The distance to the next term, when it is within the limit.
    fn step(&mut self, term: &str) -> Option<u32> {
        let (width, mut depth) = (self.word.len() + 1, 0);
        let mut rest = term.chars();
        while rest.clone().next().is_some_and(|letter| self.term.get(depth) == Some(&letter)) {
            rest.next();
            depth += 1;
        }
        if !self.is_far || depth < self.term.len() {
            self.is_far = false;
            self.term.truncate(depth);
            self.costs.truncate((depth + 1) * width);
            while let Some(letter) = rest.next().filter(|_| !self.is_far) {
                self.push(letter);
            }
        }
        // One begins with the other, by the cost at the end of the shorter one; most of a word is its stem.
        let (letters, word) = (self.term.len(), self.word.len());
        let shorter = if letters * 5 >= word * 3 { letters.min(word) } else { 0 };
        let begins = shorter >= *LETTERS.start() && self.costs.get(shorter * width + shorter) == Some(&0);
        let cost = if self.is_far { u32::MAX } else { *self.costs.last()? };
        let cost = if begins { cost.min(EDIT) } else { cost };
        (cost <= self.limit).then_some(cost)
    }

    /// Damerau's distance, one row further.
    fn push(&mut self, letter: char) {
        let width = self.word.len() + 1;
        let above = self.term.len() * width;
        let last = self.term.last().copied();
        let missing = if last == Some(letter) { SLIP } else { EDIT };
        let mut cost = self.costs[above] + missing;
        let (mut cheapest, mut before) = (cost, None);
        self.costs.push(cost);
        for (at, &own) in self.word.iter().enumerate() {
            let extra = if before == Some(own) { SLIP } else { EDIT };
            cost = (cost + extra)
                .min(self.costs[above + at] + other(own, letter))
                .min(self.costs[above + at + 1] + missing);
            if before == Some(letter) && last == Some(own) {
                cost = cost.min(self.costs[above + at - 1 - width] + SLIP);
            }
            self.costs.push(cost);
            cheapest = cheapest.min(cost);
            before = Some(own);
        }
        self.term.push(letter);
        self.is_far = cheapest > self.limit;
    }
}

/// One letter in place of another.
fn other(a: char, b: char) -> u32 {
    /// Row (from 1, times 16) and place of each letter on an English keyboard.
    const KEYS: &[u8; 26] =
        b"\x21\x35\x33\x23\x13\x24\x25\x26\x18\x27\x28\x29\x37\x36\x19\x1a\x11\x14\x22\x15\x17\x34\x12\x32\x16\x31";
    let key = |letter: char| KEYS.get((letter as usize).wrapping_sub('a' as usize)).copied().unwrap_or(0);
    let is_vowel = |letter: char| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let (first, second) = (key(a), key(b));
    let beside =
        first.min(second) > 0 && (first >> 4).abs_diff(second >> 4) <= 1 && (first & 15).abs_diff(second & 15) <= 1;
    match a == b {
        true => 0,
        false if beside || is_vowel(a) && is_vowel(b) => SLIP,
        false => EDIT,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The cheapest way from one word to another, by trying every way.
    fn slow(from: &[char], to: &[char]) -> u32 {
        let doubled = |word: &[char]| if word.len() > 1 && word[0] == word[1] { SLIP } else { EDIT };
        let reverse = |word: &[char]| word.iter().rev().copied().collect::<Vec<_>>();
        let (from_end, to_end) = (reverse(from), reverse(to));
        let Some((last, rest)) = from.split_last() else {
            return to.split_last().map_or(0, |(_, others)| slow(from, others) + doubled(&to_end));
        };
        let Some((end, others)) = to.split_last() else { return slow(rest, to) + doubled(&from_end) };
        let mut cost = (slow(rest, others) + other(*last, *end))
            .min(slow(rest, to) + doubled(&from_end))
            .min(slow(from, others) + doubled(&to_end));
        if from.len() > 1 && to.len() > 1 && from_end[..2] == [to_end[1], to_end[0]] {
            cost = cost.min(slow(&from[..from.len() - 2], &to[..to.len() - 2]) + SLIP);
        }
        cost
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn distances_are_those_of_every_way_tried(word in "[abés]{4,6}", mut terms in prop::collection::vec("[abés]{1,6}", 1..8)) {
            terms.sort();
            let letters: Vec<char> = word.chars().collect();
            let mut search = Search::new(letters.clone());
            for term in &terms {
                let own: Vec<char> = term.chars().collect();
                let begins = own.len().min(letters.len()) >= 4 && own.len() * 5 >= letters.len() * 3
                    && (term.starts_with(&word) || word.starts_with(term.as_str()));
                let cost = if begins { slow(&letters, &own).min(EDIT) } else { slow(&letters, &own) };
                prop_assert_eq!(search.step(term), (cost <= search.limit).then_some(cost), "{} {}", word, term);
            }
        }
    }

    #[test]
    fn keys_that_lie_side_by_side_are_near() {
        assert!(["we", "sd", "as", "qa", "ol", "nm", "gv"].iter().all(|pair| slip(pair)), "neighbors");
        assert!(["ae", "oi", "uy"].iter().all(|pair| slip(pair)), "vowels");
        assert!(["wl", "qz", "pm", "dk", "éa", "ßs"].iter().all(|pair| !slip(pair)), "neither");
    }

    fn slip(pair: &str) -> bool {
        let letters: Vec<char> = pair.chars().collect();
        other(letters[0], letters[1]) == SLIP && other(letters[1], letters[0]) == SLIP
    }
}
