//! The sentences of passages that answer a question best: an answer without any model.

use pinpack_index::{Analyzer, Role as WordRole, sentences};
use serde::Serialize;

use crate::query::{Message, Role};
use crate::score::idf;

/// A sentence shorter than this many bytes is quoted together with the one after it.
const SHORT: usize = 60;
/// Visitor messages that make the question.
const MESSAGES: usize = 2;
/// Weight of the words of an earlier message.
const EARLIER: f32 = 0.3;

/// One sentence that answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quote {
    /// Index of the passage.
    pub passage: usize,
    /// The sentence as it stands there.
    pub text: String,
    /// Share of the question's weight that it holds, 0 to 1.
    pub score: f32,
}

struct Sentence {
    passage: usize,
    span: (usize, usize),
    /// Indexes of the question's terms that it holds.
    held: Vec<usize>,
}

/// The best `limit` sentences of `passages` for a conversation, best first, ties by place; none when no word matches.
///
/// A word weighs its idf over the sentences given, those of an earlier message less. Headings, table delimiters and code are not
/// quoted. Cost: linear in the text.
#[must_use]
pub fn quote(messages: &[Message<'_>], passages: &[&str], language: &str, limit: usize) -> Vec<Quote> {
    let analyzer = Analyzer::new(language);
    let terms = question(&analyzer, messages);
    let sentences = collect(&analyzer, passages, &terms);
    let total = sentences.len() as u32;
    let weight = |index: usize| {
        let df = sentences.iter().filter(|sentence| sentence.held.contains(&index)).count() as u32;
        idf(total, df) * terms[index].1
    };
    let weights: Vec<f32> = (0..terms.len()).map(weight).collect();
    let all: f32 = weights.iter().sum();
    let mut best: Vec<(f32, usize)> = Vec::new();
    for (index, sentence) in sentences.iter().enumerate() {
        let score: f32 = sentence.held.iter().map(|term| weights[*term]).sum();
        if score > 0.0 {
            let place = best.iter().position(|(other, _)| *other < score).unwrap_or(best.len());
            best.insert(place, (score, index));
            best.truncate(limit);
        }
    }
    let quoted = best.into_iter().map(|(score, index)| {
        let Sentence { passage, span, .. } = sentences[index];
        Quote { passage, text: extended(passages[passage], span), score: score / all }
    });
    quoted.collect()
}

/// The question's content terms with their weights.
fn question(analyzer: &Analyzer, messages: &[Message<'_>]) -> Vec<(String, f32)> {
    let mut terms: Vec<(String, f32)> = Vec::new();
    let visitor = messages.iter().rev().filter(|message| message.role == Role::User);
    for (age, message) in visitor.take(MESSAGES).enumerate() {
        analyzer.each_term(message.content, &mut |term| {
            if term.role == WordRole::Content && terms.iter().all(|(known, _)| known != term.text) {
                terms.push((term.text.to_string(), if age == 0 { 1.0 } else { EARLIER }));
            }
        });
    }
    terms
}

fn collect(analyzer: &Analyzer, passages: &[&str], terms: &[(String, f32)]) -> Vec<Sentence> {
    let mut out = Vec::new();
    for (passage, text) in passages.iter().enumerate() {
        let mut code = false;
        for span in sentences(text) {
            let sentence = text[span.0..span.1].trim();
            if sentence.starts_with("```") || sentence.starts_with("~~~") {
                code = !code;
            }
            if code || !is_quotable(sentence) {
                continue;
            }
            let mut held = Vec::new();
            analyzer.each_term(sentence, &mut |term| {
                if let Some(index) = terms.iter().position(|(known, _)| known == term.text)
                    && !held.contains(&index)
                {
                    held.push(index);
                }
            });
            out.push(Sentence { passage, span, held });
        }
    }
    out
}

fn is_quotable(sentence: &str) -> bool {
    !sentence.starts_with(['#', '`', '~']) && sentence.chars().any(char::is_alphanumeric)
}

/// The sentence, with the next of the same paragraph when it is short.
fn extended(text: &str, (start, end): (usize, usize)) -> String {
    let sentence = text[start..end].trim();
    let rest = &text[end..];
    let next = sentences(rest).first().map_or("", |(_, next)| &rest[..*next]);
    if sentence.len() >= SHORT || text[start..end].ends_with('\n') || next.starts_with(['\n', '\r']) || next.trim().is_empty() {
        return sentence.to_string();
    }
    text[start..end + next.len()].trim().to_string()
}
