//! What else a question may mean: synonyms, and the nearest term for a word that no section holds.

use pinpack_index::parted;

use super::{Origin, QueryTerm};
use crate::{Pinpack, Store};

/// Weight of what the owner says means the same.
const SYNONYM: f32 = 0.8;
/// Weight of a term that is one edit away from what the visitor wrote; two edits weigh three quarters of it.
const TYPO: f32 = 0.7;

impl<S: Store> Pinpack<S> {
    /// Adds to each term what may stand for it, in its slot.
    #[cold]
    pub(super) fn add_alternatives(&self, terms: &mut Vec<QueryTerm>) {
        for line in parted(self.blob.synonyms(), b'\n') {
            if let [from, to, ..] = parted(line, b'\t')[..] {
                self.add_synonym(terms, &parted(from, b' '), &parted(to, b' '));
            }
        }
        if self.blob.corrects_typos() {
            self.add_nearest(terms);
        }
    }

    /// Adds the terms of `to` wherever the terms of `from` were asked in a row, unless all of them were asked too.
    fn add_synonym(&self, terms: &mut Vec<QueryTerm>, from: &[&str], to: &[&str]) {
        let is_asked = |text: &&str| terms.iter().any(|term| term.term == *text && term.origin == Origin::Asked);
        if to.iter().all(is_asked) {
            return;
        }
        let mut start = 0;
        while start < terms.len() {
            if let Some((place, idf)) = asked(&terms[start..], from) {
                self.add_phrase(terms, start + place, to, idf);
            }
            start += 1;
        }
    }

    /// Adds a phrase as an alternative to the term at a place. Its terms together weigh what one of that idf weighs.
    fn add_phrase(&self, terms: &mut Vec<QueryTerm>, place: usize, phrase: &[&str], idf: f32) {
        let slot = terms[place].slot;
        let mut end = place;
        while terms.get(end).is_some_and(|term| term.slot == slot) {
            end += 1;
        }
        let (first, alternative, mut sum) = (end, terms[end - 1].alternative + 1, 0.0);
        for text in phrase {
            let new = self.alternative(&terms[place], text, SYNONYM, Origin::Synonym, alternative);
            sum += new.idf;
            terms.insert(end, new);
            end += 1;
        }
        let share = idf / sum;
        terms[first..end].iter_mut().for_each(|term| term.weight *= share);
    }

    /// Gives each word that nothing holds and nothing stands for its nearest term.
    #[cold]
    fn add_nearest(&self, terms: &mut Vec<QueryTerm>) {
        let mut at = 0;
        while at < terms.len() {
            let asked = &terms[at];
            at += 1;
            let is_held = |term: &QueryTerm| term.df > 0 && (term.group == asked.group || term.slot == asked.slot);
            if terms.iter().any(is_held) {
                continue;
            }
            if let Some(near) = self.blob.near(&asked.term) {
                let weight = TYPO * (1.0 - near.quarters.saturating_sub(4) as f32 / 16.0);
                let new = self.alternative(asked, &near.term, weight, Origin::Typo, asked.alternative + 1);
                terms.insert(at, new);
                at += 1;
            }
        }
    }

    fn alternative(&self, asked: &QueryTerm, text: &str, weight: f32, origin: Origin, alternative: u32) -> QueryTerm {
        let mut new = QueryTerm::new(text, &asked.word, asked.weight * weight);
        (new.message, new.group, new.slot) = (asked.message, asked.group, asked.slot);
        (new.origin, new.alternative) = (origin, alternative);
        self.look_up(&mut new);
        new
    }
}

/// When the terms that were asked begin with those of a synonym: the place of the rarest, in whose slot it stands, and the idf of all.
fn asked(terms: &[QueryTerm], from: &[&str]) -> Option<(usize, f32)> {
    let (mut place, mut rarest, mut most, mut sum) = (0, 0, 0.0, 0.0);
    for text in from {
        // Alternatives may stand between, but not before.
        while place > 0 && terms.get(place)?.origin != Origin::Asked {
            place += 1;
        }
        let term = terms.get(place)?;
        if term.term != *text || term.origin != Origin::Asked || term.message != terms[0].message {
            return None;
        }
        if term.idf > most {
            (rarest, most) = (place, term.idf);
        }
        sum += term.idf;
        place += 1;
    }
    Some((rarest, sum))
}
