//! How much of a question each of some sentences holds: what an answer without a model quotes by.

use pinpack_index::{Analyzer, Role as WordRole};

use crate::query::{Message, Role};
use crate::score::idf;

/// Visitor messages that make the question.
const MESSAGES: usize = 2;
/// Weight of the words of an earlier message.
const EARLIER: f32 = 0.3;

/// Terms of the question that are looked for: the first 64, of the last message before those of the earlier one.
const TERMS: usize = 64;

/// For each sentence the share of the conversation's question that it holds, 0 to 1; all 0 when nothing was asked.
///
/// A word weighs its idf over the sentences given, those of the visitor's earlier message 0.3 of that. Cost: linear in the text.
#[must_use]
#[cold]
pub fn weigh(messages: &[Message<'_>], sentences: &[&str], language: &str) -> Vec<f32> {
    weigh_by(messages, sentences, &Analyzer::new(language))
}

/// The same, by the words that an analyzer gives.
pub(crate) fn weigh_by(messages: &[Message<'_>], sentences: &[&str], analyzer: &Analyzer) -> Vec<f32> {
    let mut terms: Vec<(String, f32)> = Vec::new();
    let visitor = messages.iter().rev().filter(|message| message.role == Role::User);
    for (age, message) in visitor.take(MESSAGES).enumerate() {
        analyzer.each_term(message.content, &mut |term| {
            let new = terms.len() < TERMS && terms.iter().all(|(known, _)| known != term.text);
            if term.role == WordRole::Content && new {
                terms.push((term.text.to_string(), if age == 0 { 1.0 } else { EARLIER }));
            }
        });
    }
    // One bit a term.
    let mut held = vec![0u64; sentences.len()];
    for (held, sentence) in held.iter_mut().zip(sentences) {
        analyzer.each_term(sentence, &mut |term| {
            if let Some(index) = terms.iter().position(|(known, _)| known == term.text) {
                *held |= 1 << index;
            }
        });
    }
    let mut total = 0.0;
    for (index, (_, weight)) in terms.iter_mut().enumerate() {
        let df: u32 = held.iter().map(|held| (held >> index & 1) as u32).sum();
        *weight *= idf(sentences.len() as u32, df);
        total += *weight;
    }
    let share = |held: &u64| {
        let mut sum = 0.0;
        for (index, (_, weight)) in terms.iter().enumerate() {
            if held >> index & 1 == 1 {
                sum += weight / total;
            }
        }
        sum
    };
    held.iter().map(share).collect()
}
