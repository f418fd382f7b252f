//! Okapi BM25.

use std::cmp::Ordering;

use crate::query::QueryTerm;
use crate::{Pinpack, Store};

/// Term saturation of BM25: how soon more occurrences stop to count.
pub const K1: f32 = 1.2;
/// Length normalization of BM25: 0 none, 1 full.
pub const B: f32 = 0.75;

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
pub(crate) fn norms(lengths: &[u32], ranked: u32) -> Vec<f32> {
    let total: u64 = lengths.iter().map(|length| u64::from(*length)).sum();
    let average = (total as f32 / ranked.max(1) as f32).max(1.0);
    lengths.iter().map(|length| K1 * (1.0 - B + B * *length as f32 / average)).collect()
}

/// One term's part of a section's score: `idf · tf · (k1 + 1) / (tf + norm)`.
///
/// `tf` is the term's occurrences in the section, `norm` the section's entry of [`norms`], `weight` the idf times the term's weight.
pub(crate) fn part(weight: f32, tf: u32, norm: f32) -> f32 {
    let tf = tf as f32;
    weight * tf * (K1 + 1.0) / (tf + norm)
}

impl<S: Store> Pinpack<S> {
    /// The score of every section; 0 where no term is held.
    pub(crate) fn scores(&self, terms: &[QueryTerm]) -> Vec<f32> {
        let mut scores = vec![0.0; self.norms.len()];
        for term in terms {
            self.each_part(term, &mut |id, _, score| scores[id] += score);
        }
        scores
    }
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
