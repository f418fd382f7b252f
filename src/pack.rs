//! Pinned, best and floor into a token budget: the one function that packs, and the receipt that says what it did.

use std::collections::BinaryHeap;

use serde::Serialize;

use crate::coverage::{Coverage, coverage};
use crate::query::QueryTerm;
use crate::score::{Hit, part};
use crate::{Message, PackError, Pinpack};

/// Most left-out sections that a pack names; an explanation names all.
const LEFT_OUT: usize = 20;

/// Why a section is in the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// A rule or fact that is always sent.
    Pinned,
    /// It matches the question.
    Scored,
    /// It fills the floor, or the whole site fits.
    Floor,
}

/// Why a section is not in the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It matches, but is over what was left of the budget when its turn came.
    TooLarge,
    /// It holds no word of the question.
    NoMatch,
}

/// A section that is sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackedSection {
    /// Section id.
    pub id: u32,
    /// The owner's id.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Last heading of the path.
    pub title: String,
    /// Heading path.
    pub path: Vec<String>,
    /// Address with anchor; empty when not public.
    pub url: String,
    /// Tokens as rendered into the prompt.
    pub tokens: u32,
    /// Why it is sent.
    pub why: Why,
    /// BM25 score; 0 for pinned and floor.
    pub score: f32,
    /// The question's terms that it holds.
    pub terms: Vec<String>,
    /// Each term's share of the score; only in an explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<ScorePart>>,
    /// Its text; absent for pinned sections that are not published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A section that is not sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftSection {
    /// Section id.
    pub id: u32,
    /// The owner's id.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Last heading of the path.
    pub title: String,
    /// Heading path.
    pub path: Vec<String>,
    /// Address with anchor; empty when not public.
    pub url: String,
    /// Tokens as rendered into the prompt.
    pub tokens: u32,
    /// BM25 score; 0 without a match.
    pub score: f32,
    /// The question's terms that it holds.
    pub terms: Vec<String>,
    /// Each term's share of the score; only in an explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<ScorePart>>,
    /// Why it is not sent.
    pub reason: Reason,
}

/// One term's share of a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScorePart {
    /// As it stands in the index.
    pub term: String,
    /// Occurrences in the section.
    pub tf: u32,
    /// Share of the score.
    pub score: f32,
}

/// What one request sends: the receipt.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pack {
    /// Ids in the order sent: pinned in file order, scored best first, floor in file order.
    pub ids: Vec<u32>,
    /// The same sections in full.
    pub sections: Vec<PackedSection>,
    /// Their tokens; never over the budget.
    pub tokens: u32,
    /// Tokens of knowledge that the request may hold.
    pub budget: u32,
    /// Tokens that the floor fills up to.
    pub floor: u32,
    /// How much of the question is covered.
    pub coverage: Coverage,
    /// Sections that match but did not fit, best first, at most 20. In an explanation all of them, then those without a match in
    /// file order.
    pub left_out: Vec<LeftSection>,
    /// The question's terms; only in an explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Vec<QueryTerm>>,
    /// Content hash, 32 hex digits.
    pub hash: String,
}

/// What is sent and what is not, by id.
#[derive(Default)]
struct Filled {
    sent: Vec<(Hit, Why)>,
    left: Vec<Hit>,
    tokens: u32,
}

/// Packs; with `explain` also accounts for every section.
pub(crate) fn pack(kb: &Pinpack, messages: &[Message<'_>], budget: Option<u32>, explain: bool) -> Result<Pack, PackError> {
    let terms = kb.terms(messages);
    let scores = kb.scores(&terms);
    let mut filled = kb.fill(&scores, budget, explain)?;
    if explain {
        let mut sent = vec![false; scores.len()];
        filled.sent.iter().for_each(|(hit, _)| sent[hit.id as usize] = true);
        let unmatched = (0..scores.len() as u32).filter(|id| scores[*id as usize] <= 0.0 && !sent[*id as usize]);
        filled.left.extend(unmatched.map(|id| Hit { id, score: 0.0 }));
    }
    let mut pack = kb.receipt(&terms, filled, budget, explain);
    pack.terms = explain.then_some(terms);
    Ok(pack)
}

pub(crate) fn section(kb: &Pinpack, id: u32) -> Option<PackedSection> {
    let why = if kb.blob.is_pinned(id) { Why::Pinned } else { Why::Floor };
    ((id as usize) < kb.blob.sections()).then(|| kb.packed(Hit { id, score: 0.0 }, why, &[], false))
}

/// A section that matches, ordered so that a heap gives the best first and the lower id of equals.
#[derive(PartialEq)]
struct Candidate(Hit);

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.score.total_cmp(&other.0.score).then(other.0.id.cmp(&self.0.id))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Pinpack {
    /// Pinned; then matches by score, passing over what does not fit; then sections in file order until the floor, or until the end
    /// when the whole site fits.
    fn fill(&self, scores: &[f32], budget: Option<u32>, name_all_left: bool) -> Result<Filled, PackError> {
        let blob = &self.blob;
        let budget = budget.unwrap_or(blob.budget());
        let ids = || 0..blob.sections() as u32;
        let mut filled = Filled::default();
        for id in ids().filter(|id| blob.is_pinned(*id)) {
            filled.send(Hit { id, score: 0.0 }, Why::Pinned, blob.tokens(id));
        }
        if filled.tokens > budget {
            return Err(PackError::BudgetTooSmall { budget, pinned: filled.tokens });
        }
        let hits = scores.iter().enumerate().filter(|(_, score)| **score > 0.0);
        let mut heap: BinaryHeap<Candidate> =
            hits.map(|(id, score)| Candidate(Hit { id: id as u32, score: *score })).collect();
        while let Some(Candidate(hit)) = heap.pop() {
            let tokens = blob.tokens(hit.id);
            if tokens <= budget - filled.tokens {
                filled.send(hit, Why::Scored, tokens);
            } else if name_all_left || filled.left.len() < LEFT_OUT {
                filled.left.push(hit);
            } else if self.smallest > budget - filled.tokens {
                break;
            }
        }
        let total: u64 = ids().map(|id| u64::from(blob.tokens(id))).sum();
        let floor = if total <= u64::from(budget) { budget } else { blob.floor().min(budget) };
        for id in ids().filter(|id| !blob.is_pinned(*id) && scores[*id as usize] <= 0.0) {
            if filled.tokens >= floor {
                break;
            }
            let tokens = blob.tokens(id);
            if tokens <= budget - filled.tokens {
                filled.send(Hit { id, score: 0.0 }, Why::Floor, tokens);
            }
        }
        Ok(filled)
    }

    fn receipt(&self, terms: &[QueryTerm], filled: Filled, budget: Option<u32>, explain: bool) -> Pack {
        let hits = filled.sent.iter().map(|(hit, _)| *hit).chain(filled.left.iter().copied());
        let parts = self.parts(terms, &hits.collect::<Vec<_>>());
        let (sent_parts, left_parts) = parts.split_at(filled.sent.len());
        let held = |parts: &Vec<(usize, ScorePart)>| {
            let mut held = vec![false; terms.len()];
            parts.iter().for_each(|(index, _)| held[*index] = true);
            held
        };
        let coverage = coverage(terms, &parts.iter().map(held).collect::<Vec<_>>());
        let sections: Vec<PackedSection> =
            filled.sent.iter().zip(sent_parts).map(|((hit, why), parts)| self.packed(*hit, *why, parts, explain)).collect();
        let left_out = filled.left.iter().zip(left_parts).map(|(hit, parts)| self.left(*hit, parts, explain)).collect();
        Pack {
            ids: sections.iter().map(|section| section.id).collect(),
            sections,
            tokens: filled.tokens,
            budget: budget.unwrap_or(self.blob.budget()),
            floor: self.blob.floor(),
            coverage,
            left_out,
            terms: None,
            hash: self.blob.hash().to_hex(),
        }
    }

    /// For each hit the terms that it holds, with their index.
    fn parts(&self, terms: &[QueryTerm], hits: &[Hit]) -> Vec<Vec<(usize, ScorePart)>> {
        let mut slots = vec![usize::MAX; self.norms.len()];
        for (slot, hit) in hits.iter().enumerate() {
            slots[hit.id as usize] = slot;
        }
        let mut out = vec![Vec::new(); hits.len()];
        for (index, term) in terms.iter().enumerate() {
            let Some(number) = term.number else { continue };
            self.blob.each_posting(number, |posting| {
                let id = posting.section as usize;
                if let Some(parts) = out.get_mut(slots[id]) {
                    let score = part(term.idf * term.weight, posting.tf, self.norms[id]);
                    parts.push((index, ScorePart { term: term.term.clone(), tf: posting.tf, score }));
                }
            });
        }
        out
    }

    fn packed(&self, hit: Hit, why: Why, parts: &[(usize, ScorePart)], explain: bool) -> PackedSection {
        let meta = self.blob.meta(hit.id).unwrap_or_default();
        let text = self.blob.text(hit.id);
        let hidden = text.is_empty() && why == Why::Pinned;
        PackedSection {
            id: hit.id,
            reference: meta.reference,
            title: meta.title,
            path: meta.path,
            url: meta.url,
            tokens: self.blob.tokens(hit.id),
            why,
            score: hit.score,
            terms: names(parts),
            parts: explain.then(|| scores(parts)),
            text: (!hidden).then(|| text.into_owned()),
        }
    }

    fn left(&self, hit: Hit, parts: &[(usize, ScorePart)], explain: bool) -> LeftSection {
        let meta = self.blob.meta(hit.id).unwrap_or_default();
        LeftSection {
            id: hit.id,
            reference: meta.reference,
            title: meta.title,
            path: meta.path,
            url: meta.url,
            tokens: self.blob.tokens(hit.id),
            score: hit.score,
            terms: names(parts),
            parts: explain.then(|| scores(parts)),
            reason: if hit.score > 0.0 { Reason::TooLarge } else { Reason::NoMatch },
        }
    }
}

impl Filled {
    fn send(&mut self, hit: Hit, why: Why, tokens: u32) {
        self.sent.push((hit, why));
        self.tokens += tokens;
    }
}

fn names(parts: &[(usize, ScorePart)]) -> Vec<String> {
    parts.iter().map(|(_, part)| part.term.clone()).collect()
}

fn scores(parts: &[(usize, ScorePart)]) -> Vec<ScorePart> {
    parts.iter().map(|(_, part)| part.clone()).collect()
}
