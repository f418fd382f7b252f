//! Pinned, best and floor into a token budget: the one function that packs, and the receipt that says what it did.

use std::collections::BinaryHeap;

use serde::Serialize;

use crate::coverage::{Coverage, coverage};
use crate::query::QueryTerm;
use crate::score::{Hit, part};
use crate::{Message, PackError, Pinpack, Store};

/// Most passages of one prompt: numbers up to here are one token, as they are counted.
const MAX_PASSAGES: usize = 999;
/// Most left-out sections that a pack names; an explanation names all.
const LEFT_OUT: usize = 20;

/// Why a section is in the pack, or why it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// Sent: a rule or fact that is always sent.
    Pinned,
    /// Sent: it matches the question.
    Scored,
    /// Sent: it fills the floor, or the whole site fits.
    Floor,
    /// Left out: it matches, but is over what was left of the budget when its turn came.
    TooLarge,
    /// Left out: it holds no word of the question.
    NoMatch,
}

/// A section of a pack, sent or left out. Its title, path and text are in [`Pinpack::section`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Section id.
    pub id: u32,
    /// Tokens as rendered into the prompt.
    pub tokens: u32,
    /// Why it is sent, or not.
    pub why: Why,
    /// BM25 score; 0 for pinned and floor.
    pub score: f32,
    /// The question's terms that it holds, each with its share of the score.
    pub parts: Vec<ScorePart>,
}

/// One term's share of a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScorePart {
    /// Index into the pack's terms.
    pub term: u32,
    /// Occurrences in the section.
    pub tf: u32,
    /// Share of the score.
    pub score: f32,
}

/// What one request sends: the receipt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pack {
    /// The sections in the order sent: pinned in file order, scored best first, floor in file order.
    pub sections: Vec<Entry>,
    /// Their tokens; never over the budget.
    pub tokens: u32,
    /// Tokens of knowledge that the request may hold.
    pub budget: u32,
    /// How much of the question the sections that are sent cover.
    pub coverage: Coverage,
    /// Sections that match but did not fit, best first, at most 20. In an explanation all of them, then those without a match in
    /// file order.
    pub left: Vec<Entry>,
    /// The question's terms.
    pub terms: Vec<QueryTerm>,
}

impl Pack {
    /// Ids in the order sent.
    #[must_use]
    pub fn ids(&self) -> Vec<u32> {
        self.sections.iter().map(|entry| entry.id).collect()
    }
}

/// Packs; with `explain` also accounts for every section.
pub(crate) fn pack<S: Store>(
    kb: &Pinpack<S>,
    messages: &[Message<'_>],
    budget: Option<u32>,
    explain: bool,
) -> Result<Pack, PackError> {
    let terms = kb.terms(messages);
    let budget = budget.unwrap_or(kb.blob.budget());
    let mut filling = Filling { kb, budget, sent: Vec::new(), left: Vec::new(), tokens: 0 };
    filling.fill(&kb.scores(&terms), explain)?;
    let Filling { mut sent, mut left, tokens, .. } = filling;
    kb.add_parts(&terms, &mut sent, &mut left);
    let coverage = coverage(&terms, sent.iter().map(|entry| &entry.parts[..]));
    Ok(Pack { sections: sent, tokens, budget, coverage, left, terms })
}

/// A pack under way.
struct Filling<'k, S> {
    kb: &'k Pinpack<S>,
    budget: u32,
    sent: Vec<Entry>,
    left: Vec<Entry>,
    tokens: u32,
}

impl<S: Store> Filling<'_, S> {
    /// Pinned; then matches by score, passing over what does not fit; then sections in file order until the floor, or until the end
    /// when the whole site fits.
    fn fill(&mut self, scores: &[f32], explain: bool) -> Result<(), PackError> {
        let blob = &self.kb.blob;
        let (mut all, mut matches) = (0u64, Vec::with_capacity(scores.len()));
        for (id, &score) in (0u32..).zip(scores) {
            all += u64::from(blob.tokens(id));
            if blob.is_pinned(id) {
                self.send(Hit { id, score }, Why::Pinned);
            } else if score > 0.0 {
                matches.push(Hit { id, score });
            }
        }
        if self.tokens > self.budget {
            return Err(PackError::BudgetTooSmall { budget: self.budget, pinned: self.tokens });
        }
        let mut matches = BinaryHeap::from(matches);
        while let Some(hit) = matches.pop() {
            if self.fits(hit.id) {
                self.send(hit, Why::Scored);
            } else if explain || self.left.len() < LEFT_OUT {
                self.left.push(self.entry(hit, Why::TooLarge));
            } else if self.budget - self.tokens < self.kb.smallest {
                break;
            }
        }
        let floor = if all <= u64::from(self.budget) { self.budget } else { blob.floor().min(self.budget) };
        for (id, &score) in (0u32..).zip(scores) {
            if score > 0.0 || blob.is_pinned(id) {
                continue;
            }
            if self.tokens < floor && self.fits(id) {
                self.send(Hit { id, score }, Why::Floor);
            } else if explain {
                self.left.push(self.entry(Hit { id, score }, Why::NoMatch));
            } else if self.tokens >= floor {
                break;
            }
        }
        Ok(())
    }

    fn fits(&self, id: u32) -> bool {
        self.sent.len() < MAX_PASSAGES && self.kb.blob.tokens(id) <= self.budget - self.tokens
    }

    fn send(&mut self, hit: Hit, why: Why) {
        let entry = self.entry(hit, why);
        self.tokens = self.tokens.saturating_add(entry.tokens);
        self.sent.push(entry);
    }

    fn entry(&self, hit: Hit, why: Why) -> Entry {
        Entry { id: hit.id, tokens: self.kb.blob.tokens(hit.id), why, score: hit.score, parts: Vec::new() }
    }
}

impl<S: Store> Pinpack<S> {
    /// Puts into each entry the terms that it holds.
    fn add_parts(&self, terms: &[QueryTerm], sent: &mut [Entry], left: &mut [Entry]) {
        let mut slots = vec![u32::MAX; self.norms.len()];
        for (slot, entry) in (0u32..).zip(sent.iter().chain(&*left)) {
            slots[entry.id as usize] = slot;
        }
        for (term, query) in (0u32..).zip(terms) {
            self.each_part(query, &mut |id, tf, score| {
                let slot = slots[id] as usize;
                let entry = if slot < sent.len() { sent.get_mut(slot) } else { left.get_mut(slot - sent.len()) };
                if let Some(entry) = entry {
                    entry.parts.push(ScorePart { term, tf, score });
                }
            });
        }
    }

    /// Calls `each` with id, occurrences and share of the score of every section that holds the term.
    pub(crate) fn each_part(&self, term: &QueryTerm, each: &mut dyn FnMut(usize, u32, f32)) {
        let weight = term.idf * term.weight;
        let Some(number) = term.number else { return };
        self.blob.each_posting(number, &mut |posting| {
            let id = posting.section as usize;
            each(id, posting.tf, part(weight, posting.tf, self.norms[id]));
        });
    }
}
