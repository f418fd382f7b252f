//! Okapi BM25.

use std::cmp::Ordering;

use pinpack_index::Posting;

use crate::query::QueryTerm;
use crate::{Pinpack, Store};

/// A ranked section.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Section id.
    pub id: u32,
    /// BM25 score, > 0.
    pub score: f32,
}

/// The best is the greatest: by score, then the lower id.
impl Ord for Hit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.id.cmp(&self.id))
    }
}

impl PartialOrd for Hit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Hit {}

impl PartialEq for Hit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

/// Inverse document frequency: `ln(1 + (N − df + ½)/(df + ½))`, ≥ 0.
///
/// `sections` is N, the number of ranked sections; `df` the number of those that hold the term. Robertson and Zaragoza 2009, with the
/// `1 +` that keeps a term held by most sections from going negative.
pub(crate) fn idf(sections: u32, df: u32) -> f32 {
    let (n, df) = (sections as f32, df as f32);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

/// Per section `k1 · (1 − b + b · dl/avgdl)`, with `avgdl` over the ranked sections.
pub(crate) fn norms(lengths: &[u32], ranked: u32, k1: f32, b: f32) -> Vec<f32> {
    let total: u64 = lengths.iter().map(|length| u64::from(*length)).sum();
    let average = (total as f32 / ranked.max(1) as f32).max(1.0);
    lengths.iter().map(|length| k1 * (1.0 - b + b * *length as f32 / average)).collect()
}

/// One term's part of a section's score: `idf · tf · (k1 + 1) / (tf + norm)`.
///
/// `tf` is the term's occurrences in the section, `norm` the section's entry of [`norms`], `weight` the idf times the term's weight.
fn part(weight: f32, tf: u32, norm: f32, k1: f32) -> f32 {
    let tf = tf as f32;
    weight * tf * (k1 + 1.0) / (tf + norm)
}

impl<S: Store> Pinpack<S> {
    /// The score of every section; 0 where no term is held.
    pub(crate) fn scores(&self, terms: &[QueryTerm]) -> Vec<f32> {
        let mut scores = vec![0.0; self.norms.len()];
        for slot in slots(terms) {
            if let [term] = slot {
                self.add_scores(term, &mut scores);
            } else {
                let (best, _) = self.best_of(slot);
                scores.iter_mut().zip(best).for_each(|(score, best)| *score += best);
            }
        }
        scores
    }

    /// For each section the score of the alternative of a slot that scores most there, and which it is: the first of equals.
    #[cold]
    pub(crate) fn best_of(&self, slot: &[QueryTerm]) -> (Vec<f32>, Vec<u32>) {
        let zeros = vec![0.0; self.norms.len()];
        let (mut best, mut which) = (zeros.clone(), vec![u32::MAX; zeros.len()]);
        for phrase in slot.chunk_by(|a, b| a.alternative == b.alternative) {
            let mut all = zeros.clone();
            for (place, term) in phrase.iter().enumerate() {
                let mut own = zeros.clone();
                self.add_scores(term, &mut own);
                // A phrase scores where all its terms are held.
                let both = |(sum, own): (&mut f32, f32)| {
                    *sum = if own > 0.0 && (place == 0 || *sum > 0.0) { *sum + own } else { 0.0 }
                };
                all.iter_mut().zip(own).for_each(both);
            }
            for (id, score) in all.into_iter().enumerate() {
                if score > best[id] {
                    (best[id], which[id]) = (score, phrase[0].alternative);
                }
            }
        }
        (best, which)
    }

    /// Adds a term's share to the score of each section.
    fn add_scores(&self, term: &QueryTerm, scores: &mut [f32]) {
        let mut titled = Vec::new();
        self.each_part(term, &mut |posting, score| {
            scores[posting.section as usize] += score;
            if posting.in_title {
                titled.push(posting.section);
            }
        });
        let title = self.title_part(term, titled.len());
        titled.into_iter().for_each(|section| scores[section as usize] += title);
    }

    /// Calls `each` with every section that holds the term, and the term's part of its score without the title's.
    pub(crate) fn each_part(&self, term: &QueryTerm, each: &mut dyn FnMut(Posting, f32)) {
        let weight = term.idf * term.weight;
        let mut part = |posting: Posting| {
            each(posting, part(weight, posting.tf, self.norms[posting.section as usize], self.k1));
        };
        term.found.iter().for_each(|posting| part(*posting));
        if let Some(number) = term.number {
            self.blob.each_posting(number, &mut part);
        }
    }

    /// What a title that holds a term adds: its weight times the term's idf over titles. A term that many titles hold tells no section
    /// from another, however rare it is elsewhere.
    pub(crate) fn title_part(&self, term: &QueryTerm, titles: usize) -> f32 {
        self.title * term.weight * idf(self.ranked, titles as u32)
    }
}

/// Terms that stand for the same, together.
pub(crate) fn slots(terms: &[QueryTerm]) -> impl Iterator<Item = &[QueryTerm]> {
    terms.chunk_by(|a, b| a.slot == b.slot)
}

/// The best `limit` sections with a score over 0, best first, ties by id.
pub(crate) fn top(scores: &[f32], limit: usize) -> Vec<Hit> {
    let mut top: Vec<Hit> = Vec::with_capacity(limit.min(64));
    let mut least = 0.0;
    for (id, &score) in scores.iter().enumerate() {
        if score <= least || limit == 0 {
            continue;
        }
        if top.len() == limit {
            top.pop();
        }
        let place = top.iter().rposition(|hit| hit.score >= score).map_or(0, |last| last + 1);
        top.insert(place, Hit { id: id as u32, score });
        if top.len() == limit {
            least = top[limit - 1].score;
        }
    }
    top
}
