//! BM25 the slow and obvious way: everything is counted by hand, in 64 bits. Native and wasm tests share it.

use std::collections::{BTreeMap, BTreeSet};

use pinpack_index::{Analyzer, Role};

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Occurrences of each content word and how many there are in all, per section; `None` for a pinned one.
pub struct Slow(Vec<Option<(BTreeMap<String, f64>, f64)>>);

impl Slow {
    /// A scorer of English sections, each given by its headings and its text; `None` for a pinned one.
    pub fn new<'t>(sections: impl IntoIterator<Item = Option<Vec<&'t str>>>) -> Self {
        let count = |texts: Vec<&str>| {
            let mut counts = BTreeMap::new();
            texts.into_iter().flat_map(terms).for_each(|term| *counts.entry(term).or_default() += 1.0);
            let length = counts.values().sum();
            (counts, length)
        };
        Self(sections.into_iter().map(|texts| texts.map(count)).collect())
    }

    /// `Σ ln(1 + (N − df + ½)/(df + ½)) · tf·(k1 + 1) / (tf + k1·(1 − b + b·dl/avgdl))` over the question's terms, per section.
    pub fn scores(&self, question: &str) -> Vec<f64> {
        let ranked: Vec<_> = self.0.iter().flatten().collect();
        let n = ranked.len() as f64;
        let average = ranked.iter().map(|(_, dl)| dl).sum::<f64>() / n;
        let mut scores = vec![0.0; self.0.len()];
        for term in terms(question).into_iter().collect::<BTreeSet<_>>() {
            let df = ranked.iter().filter(|(counts, _)| counts.contains_key(&term)).count() as f64;
            let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
            for (score, section) in scores.iter_mut().zip(&self.0) {
                let Some((counts, dl)) = section else { continue };
                let Some(tf) = counts.get(&term) else { continue };
                *score += idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * dl / average));
            }
        }
        scores
    }
}

/// Whether an engine's score is the slow one, but for what 32 bits round away.
pub fn close(score: f32, slow: f64) -> bool {
    (f64::from(score) - slow).abs() <= 1e-4 * slow.abs().max(1.0)
}

/// The content words of an English text.
fn terms(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    Analyzer::new("en").each_term(text, &mut |term| {
        if term.role == Role::Content {
            out.push(term.text.to_string());
        }
    });
    out
}
