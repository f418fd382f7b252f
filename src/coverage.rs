//! How much of a question the knowledge base covers.

use serde::Serialize;

use crate::pack::ScorePart;
use crate::query::QueryTerm;

/// The signal that says *this question is not covered*.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Share of the question's weight that the best of the sections sent holds, 0 to 1. 1 when nothing was asked.
    pub value: f32,
    /// The value in words.
    pub level: Level,
    /// The visitor's words that no section holds.
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
}

/// Coverage of a question by sections, each given by the parts of its score.
///
/// A word weighs its idf times the weight of its message; a word that the knowledge base does not know weighs as one that no section
/// holds. Forms of one word (`node.js`, `node`, `js`) count once, by the heaviest that the knowledge base knows.
pub(crate) fn coverage<'p>(terms: &[QueryTerm], sections: impl Iterator<Item = &'p [ScorePart]>) -> Coverage {
    let mut known = vec![false; terms.last().map_or(0, |term| term.group as usize + 1)];
    terms.iter().for_each(|term| known[term.group as usize] |= term.df > 0);
    // The heaviest form of each word, and the words that nothing holds.
    let mut weights = vec![0.0f32; known.len()];
    let mut missing: Vec<String> = Vec::new();
    for term in terms {
        let group = term.group as usize;
        if term.df > 0 || !known[group] {
            weights[group] = weights[group].max(term.idf * term.weight);
        }
        if !known[group] && missing.last() != Some(&term.word) {
            missing.push(term.word.clone());
        }
    }
    let total: f32 = weights.iter().sum();
    let mut best = 0.0;
    let mut covered = vec![0.0; weights.len()];
    for parts in sections {
        covered.fill(0.0);
        for part in parts {
            let term = &terms[part.term as usize];
            let covered = &mut covered[term.group as usize];
            *covered = f32::max(*covered, term.idf * term.weight);
        }
        best = f32::max(best, covered.iter().sum());
    }
    let value = if total > 0.0 { (best / total).min(1.0) } else { 1.0 };
    let level = if value >= 0.6 {
        Level::Covered
    } else if value >= 0.3 {
        Level::Partly
    } else {
        Level::None
    };
    Coverage { value, level, missing }
}
