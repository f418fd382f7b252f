//! Pinned, best and floor into a token budget: the one function that packs, and the receipt that says what it did.

use std::collections::BinaryHeap;

use pinpack_index::Posting;
use serde::Serialize;

use crate::coverage::{Coverage, coverage};
use crate::query::QueryTerm;
use crate::score::Hit;
use crate::{Message, PackError, Pinpack, Store, score};

/// Most passages of one prompt: numbers up to here are one token, as they are counted.
const MAX_PASSAGES: usize = 999;
/// Most left-out sections that a pack names; an explanation names all.
const LEFT_OUT: usize = 20;
/// So many of the best matches bring the other pieces of their heading.
const WHOLE: usize = 3;

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
    /// Sent: it is a piece of what stands under the heading of one of the best matches.
    Neighbor,
    /// Left out: its text is nearly that of one that is sent.
    Repeat,
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
    /// Score; 0 for pinned and floor.
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
    /// What of it the title gives.
    pub title: f32,
}

/// What one request sends: the receipt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pack {
    /// The sections in the order sent: pinned in file order, scored best first, each of the best followed by its neighbors, floor in file
    /// order.
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
    let mut filling =
        Filling { kb, budget, sent: Vec::new(), left: Vec::new(), tokens: 0, said: Vec::new(), all_fit: false };
    filling.fill(&kb.scores(&terms), explain)?;
    let Filling { mut sent, mut left, tokens, .. } = filling;
    kb.add_parts(&terms, &mut sent, &mut left);
    let coverage = coverage(&terms, kb.ranked, sent.iter().map(|entry| &entry.parts[..]));
    Ok(Pack { sections: sent, tokens, budget, coverage, left, terms })
}

/// A pack under way.
struct Filling<'k, S> {
    kb: &'k Pinpack<S>,
    budget: u32,
    sent: Vec<Entry>,
    left: Vec<Entry>,
    tokens: u32,
    /// The first sections of those that are alike and of which one is sent.
    said: Vec<u32>,
    /// All sections fit: repeats are sent too.
    all_fit: bool,
}

impl<S: Store> Filling<'_, S> {
    /// Pinned; then matches by score, passing over what does not fit and what was said, the best with the other pieces of their
    /// heading; then sections in file order until the floor, or until the end when the whole site fits.
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
        self.all_fit = all <= u64::from(self.budget);
        let mut matches = BinaryHeap::from(matches);
        let mut sent = vec![false; scores.len()];
        let mut bringing = WHOLE;
        while let Some(hit) = matches.pop() {
            if sent[hit.id as usize] {
                continue;
            }
            let why = self.verdict(hit.id, Why::Scored);
            if why == Why::Scored {
                self.send(hit, why);
                if bringing > 0 {
                    bringing -= 1;
                    self.send_pieces(hit.id, scores, &mut sent);
                }
            } else if explain || self.left.len() < LEFT_OUT {
                self.left.push(self.entry(hit, why));
            } else if self.budget - self.tokens < self.kb.smallest {
                break;
            }
        }
        let floor = if self.all_fit { self.budget } else { blob.floor().min(self.budget) };
        for (id, &score) in (0u32..).zip(scores) {
            if score > 0.0 || blob.is_pinned(id) || sent[id as usize] {
                continue;
            }
            if self.tokens < floor && self.verdict(id, Why::Floor) == Why::Floor {
                self.send(Hit { id, score }, Why::Floor);
            } else if explain {
                self.left.push(self.entry(Hit { id, score }, Why::NoMatch));
            } else if self.tokens >= floor {
                break;
            }
        }
        Ok(())
    }

    /// Sends the pieces before and after one that was sent, in order, when together they take no more than half of what is left.
    #[cold]
    fn send_pieces(&mut self, id: u32, scores: &[f32], sent: &mut [bool]) {
        let blob = &self.kb.blob;
        let (mut first, mut end, mut tokens) = (id, id + 1, 0u32);
        while first > 0 && blob.are_pieces(first - 1, id) {
            first -= 1;
            tokens = tokens.saturating_add(blob.tokens(first));
        }
        while blob.are_pieces(end, id) {
            tokens = tokens.saturating_add(blob.tokens(end));
            end += 1;
        }
        sent[id as usize] = true;
        if tokens > (self.budget - self.tokens) / 2 {
            return;
        }
        for piece in first..end {
            let taken = &mut sent[piece as usize];
            if !*taken && !blob.is_pinned(piece) && self.verdict(piece, Why::Neighbor) == Why::Neighbor {
                *taken = true;
                self.send(Hit { id: piece, score: scores[piece as usize] }, Why::Neighbor);
            }
        }
    }

    /// `why`, when a section can be sent; else why not.
    fn verdict(&self, id: u32, why: Why) -> Why {
        let blob = &self.kb.blob;
        if self.sent.len() >= MAX_PASSAGES || blob.tokens(id) > self.budget - self.tokens {
            Why::TooLarge
        } else if !self.all_fit && blob.repeated(id).is_some_and(|first| self.said.contains(&first)) {
            Why::Repeat
        } else {
            why
        }
    }

    fn send(&mut self, hit: Hit, why: Why) {
        let entry = self.entry(hit, why);
        self.said.extend(self.kb.blob.repeated(hit.id));
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
        let mut entries: Vec<&mut Entry> = sent.iter_mut().chain(left).collect();
        let mut places = vec![usize::MAX; self.norms.len()];
        for (place, entry) in entries.iter().enumerate() {
            places[entry.id as usize] = place;
        }
        let mut at = 0u32;
        for slot in score::slots(terms) {
            // Which alternative counts where; a term alone counts everywhere.
            let which = if slot.len() > 1 { self.best_of(slot).1 } else { Vec::new() };
            for (term, query) in (at..).zip(slot) {
                let mut titled = Vec::new();
                self.each_part(query, &mut |Posting { section, tf, in_title }, score| {
                    if in_title {
                        titled.push(section);
                    }
                    if which.get(section as usize).is_none_or(|which| *which == query.alternative)
                        && let Some(entry) = entries.get_mut(places[section as usize])
                    {
                        entry.parts.push(ScorePart { term, tf, score, title: 0.0 });
                    }
                });
                let title = self.title_part(query, titled.len());
                for section in titled {
                    let entry = entries.get_mut(places[section as usize]);
                    if let Some(part) = entry.and_then(|entry| entry.parts.last_mut()).filter(|part| part.term == term)
                    {
                        (part.title, part.score) = (title, part.score + title);
                    }
                }
            }
            at += slot.len() as u32;
        }
    }
}
