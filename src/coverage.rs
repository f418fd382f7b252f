//! How much of a question the knowledge base covers.

use serde::Serialize;

use crate::query::QueryTerm;

/// The signal that says *this question is not covered*.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Coverage {
    /// Share of the question's weight that the best section holds, 0 to 1. 1 when nothing was asked.
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

/// Coverage of a question by sections, each given by which of the terms it holds.
///
/// A word weighs its idf times the weight of its message; a word that the knowledge base does not know weighs as one that a single
/// section holds not even once. Forms of one word (`node.js`, `node`, `js`) count once, by the heaviest.
pub(crate) fn coverage(terms: &[QueryTerm], held: &[Vec<bool>]) -> Coverage {
    let groups = groups(terms);
    let total: f32 = groups.iter().map(|group| heaviest(group, |_| true)).sum();
    if total <= 0.0 {
        return Coverage { value: 1.0, level: Level::Covered, missing: Vec::new() };
    }
    let covered = |held: &Vec<bool>| -> f32 {
        let of = |group: &Vec<(usize, &QueryTerm)>| heaviest(group, |index| held[index]);
        groups.iter().map(of).sum()
    };
    let best = held.iter().map(covered).fold(0.0, f32::max);
    let value = (best / total).clamp(0.0, 1.0);
    let unknown = groups.iter().filter(|group| group.iter().all(|(_, term)| term.df == 0));
    let missing = unknown.map(|group| group[0].1.word.clone()).collect();
    Coverage { value, level: level(value), missing }
}

fn level(value: f32) -> Level {
    match value {
        0.6.. => Level::Covered,
        0.3.. => Level::Partly,
        _ => Level::None,
    }
}

/// The terms of each word, with their index.
fn groups(terms: &[QueryTerm]) -> Vec<Vec<(usize, &QueryTerm)>> {
    let mut out: Vec<Vec<(usize, &QueryTerm)>> = Vec::new();
    for (index, term) in terms.iter().enumerate() {
        match out.last_mut() {
            Some(group) if group[0].1.group == term.group => group.push((index, term)),
            _ => out.push(vec![(index, term)]),
        }
    }
    out
}

/// The heaviest of a word's terms that pass; known forms count before unknown ones.
fn heaviest(group: &[(usize, &QueryTerm)], passes: impl Fn(usize) -> bool) -> f32 {
    let known = group.iter().any(|(_, term)| term.df > 0);
    let counted = group.iter().filter(|(index, term)| (term.df > 0 || !known) && passes(*index));
    counted.map(|(_, term)| term.idf * term.weight).fold(0.0, f32::max)
}
