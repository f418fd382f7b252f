//! How much of a question the knowledge base covers.

use serde::Serialize;

use crate::pack::ScorePart;
use crate::query::{Origin, QueryTerm};
use crate::score::idf;

/// The signal that says *this question is not covered*.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// How likely the sections sent hold an answer, 0 to 1: by what share of the question's weight the best of them holds, and by its
    /// score. 0 when nothing was asked.
    pub value: f32,
    /// The value in words.
    pub level: Level,
    /// The visitor's words that no section holds, and for which nothing stands.
    pub missing: Vec<String>,
}

/// [`Coverage::value`] in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// 0.6 and more.
    Covered,
    /// 0.3 and more.
    Partly,
    /// Less.
    None,
    /// Nothing was asked: a greeting, thanks, no words.
    Unasked,
}

/// Constants of [`coverage`]: the mean of two logistic fits, each on half of the English question sets (answerable against off-topic).
const START: f32 = -8.0;
const SHARE: f32 = 3.0;
const SCORE: f32 = 6.2;
/// Of a question that has function words alone, whatever holds them.
const FUNCTION_WORDS: f32 = 0.5;

/// Coverage of a question by sections, each given by the parts of its score; `ranked` is the number of sections that are ranked.
///
/// `½ + ½ · z / (1 + |z|)` with `z = START + SHARE · share + SCORE · ln(1 + best / idf₁)`: `share` is the share of the question's weight
/// that one section holds at most, `best` the highest score, `idf₁` the idf of a word that one section holds. A word weighs its idf times
/// the weight of its message, one that the knowledge base does not know the idf of a word that no section holds. Forms of one word
/// (`node.js`, `node`, `js`) count once, by the heaviest that is known; what stands for a word counts by its weight.
pub(crate) fn coverage<'p>(
    terms: &[QueryTerm],
    ranked: u32,
    sections: impl Iterator<Item = &'p [ScorePart]>,
) -> Coverage {
    let (weights, missing) = weigh(terms, idf(ranked, 0));
    let total: f32 = weights.iter().sum();
    let (mut share, mut best) = (0.0, 0.0);
    let mut covered = vec![0.0; weights.len()];
    for parts in sections {
        covered.fill(0.0);
        for part in parts {
            let term = &terms[part.term as usize];
            let group = term.group as usize;
            let own = (term.idf * term.weight).min(weights[group]);
            covered[group] = f32::max(covered[group], own);
        }
        share = f32::max(share, covered.iter().sum());
        best = f32::max(best, parts.iter().map(|part| part.score).sum());
    }
    if total == 0.0 {
        return Coverage { value: 0.0, level: Level::Unasked, missing };
    }
    let z = START + SHARE * (share / total).min(1.0) + SCORE * (1.0 + best / idf(ranked, 1)).ln();
    let value = if terms[0].found.is_empty() { 1.0 } else { FUNCTION_WORDS } * (0.5 + 0.5 * z / (1.0 + z.abs()));
    let level = match value {
        0.6.. => Level::Covered,
        0.3.. => Level::Partly,
        _ => Level::None,
    };
    Coverage { value, level, missing }
}

fn was_asked(term: &QueryTerm) -> bool {
    matches!(term.origin, Origin::Asked | Origin::Function)
}

/// The weight of each word, and the words that nothing holds or stands for.
fn weigh(terms: &[QueryTerm], unknown: f32) -> (Vec<f32>, Vec<String>) {
    let mut known = vec![false; terms.iter().map(|term| term.group as usize + 1).max().unwrap_or(0)];
    let mut held = known.clone();
    for term in terms.iter().filter(|term| term.df > 0) {
        held[term.group as usize] = true;
        known[term.group as usize] |= was_asked(term);
    }
    let mut weights = vec![0.0f32; known.len()];
    let mut missing: Vec<String> = Vec::new();
    for term in terms.iter().filter(|term| was_asked(term)) {
        let group = term.group as usize;
        if term.df > 0 || !known[group] {
            let idf = if known[group] { term.idf } else { unknown };
            weights[group] = weights[group].max(idf * term.weight);
        }
        if !held[group] && missing.last() != Some(&term.word) {
            missing.push(term.word.clone());
        }
    }
    (weights, missing)
}
