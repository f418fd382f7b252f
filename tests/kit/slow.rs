//! BM25 and the titles' share the slow and obvious way: everything is counted by hand, in 64 bits. Native and wasm tests share it.

use std::collections::{BTreeMap, BTreeSet};

use pinpack_index::{Analyzer, Role};

const K1: f64 = 1.2;
const B: f64 = 0.75;

const TITLE: f64 = 0.7;

/// What a section holds.
struct Counts {
    /// Occurrences of each content word.
    tf: BTreeMap<String, f64>,
    /// Those of the title: the last heading.
    title: BTreeSet<String>,
    /// Content words in all.
    length: f64,
    /// Occurrences of each function word, which are searched when a question has nothing else.
    function: BTreeMap<String, f64>,
}

/// The sections; `None` for a pinned one.
pub struct Slow(Vec<Option<Counts>>);

impl Slow {
    /// A scorer of English sections, each given by its headings and its text; `None` for a pinned one.
    pub fn new<'t>(sections: impl IntoIterator<Item = Option<Vec<&'t str>>>) -> Self {
        let count = |texts: Vec<&str>| {
            let title = texts
                .iter()
                .rev()
                .nth(1)
                .map(|title| terms(title, Role::Content).into_iter().collect())
                .unwrap_or_default();
            let count = |role| {
                let mut counts = BTreeMap::new();
                texts
                    .iter()
                    .flat_map(|text| terms(text, role))
                    .for_each(|term| *counts.entry(term).or_default() += 1.0);
                counts
            };
            let (tf, function) = (count(Role::Content), count(Role::Function));
            let length = tf.values().sum();
            Counts { tf, title, length, function }
        };
        Self(sections.into_iter().map(|texts| texts.map(count)).collect())
    }

    /// `Σ idf(df) · tf·(k1 + 1) / (tf + k1·(1 − b + b·dl/avgdl))` over the question's terms, per section, and for those of the title
    /// `title · idf(titles that hold the term)` more. `idf(df) = ln(1 + (N − df + ½)/(df + ½))`.
    pub fn scores(&self, question: &str) -> Vec<f64> {
        let ranked: Vec<_> = self.0.iter().flatten().collect();
        let n = ranked.len() as f64;
        let average = ranked.iter().map(|section| section.length).sum::<f64>() / n;
        let idf = |holds: &dyn Fn(&Counts) -> bool| {
            let df = ranked.iter().filter(|section| holds(section)).count() as f64;
            (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
        };
        let mut scores = vec![0.0; self.0.len()];
        let asked = |role| terms(question, role).into_iter().collect::<BTreeSet<_>>();
        let content = asked(Role::Content);
        if content.is_empty() && asked(Role::SmallTalk).is_empty() {
            // All of them or nothing.
            let function = asked(Role::Function);
            for (score, section) in scores.iter_mut().zip(&self.0) {
                let Some(Counts { function: tf, length, .. }) = section else { continue };
                if function.iter().all(|term| tf.contains_key(term)) {
                    let part = |term| {
                        let (own, tf) = (idf(&|section| section.function.contains_key(term)), tf[term]);
                        own * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length / average))
                    };
                    *score = function.iter().map(part).sum();
                }
            }
        }
        for term in content {
            let own = idf(&|section| section.tf.contains_key(&term));
            let in_titles = idf(&|section| section.title.contains(&term));
            for (score, section) in scores.iter_mut().zip(&self.0) {
                let Some(Counts { tf, title, length, .. }) = section else { continue };
                let Some(tf) = tf.get(&term) else { continue };
                *score += own * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * length / average));
                *score += if title.contains(&term) { TITLE * in_titles } else { 0.0 };
            }
        }
        scores
    }
}

/// Whether an engine's score is the slow one, but for what 32 bits round away.
pub fn close(score: f32, slow: f64) -> bool {
    (f64::from(score) - slow).abs() <= 1e-4 * slow.abs().max(1.0)
}

/// The words of an English text that do one thing in it.
fn terms(text: &str, role: Role) -> Vec<String> {
    let mut out = Vec::new();
    Analyzer::new("en").each_term(text, &mut |term| {
        if term.role == role {
            out.push(term.text.to_string());
        }
    });
    out
}
