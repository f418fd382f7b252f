//! How much of a question each of some sentences holds: what an answer without a model quotes by.

use pinpack_index::{Analyzer, Role as WordRole};

use crate::query::{Message, Role};
use crate::score::idf;

/// Visitor messages that make the question.
const MESSAGES: usize = 2;
/// Weight of the words of an earlier message.
const EARLIER: f32 = 0.3;

/// For each sentence the share of the conversation's question that it holds, 0 to 1; all 0 when nothing was asked.
///
/// A word weighs its idf over the sentences given, those of the visitor's earlier message 0.3 of that. Cost: linear in the text.
#[must_use]
pub fn weigh(messages: &[Message<'_>], sentences: &[&str], language: &str) -> Vec<f32> {
    let analyzer = Analyzer::new(language);
    let mut terms: Vec<(String, f32)> = Vec::new();
    let visitor = messages.iter().rev().filter(|message| message.role == Role::User);
    for (age, message) in visitor.take(MESSAGES).enumerate() {
        analyzer.each_term(message.content, &mut |term| {
            if term.role == WordRole::Content && terms.iter().all(|(known, _)| known != term.text) {
                terms.push((term.text.to_string(), if age == 0 { 1.0 } else { EARLIER }));
            }
        });
    }
    // Row by row, one flag a term.
    let mut held = vec![false; sentences.len() * terms.len()];
    for (row, sentence) in sentences.iter().enumerate() {
        analyzer.each_term(sentence, &mut |term| {
            if let Some(index) = terms.iter().position(|(known, _)| known == term.text) {
                held[row * terms.len() + index] = true;
            }
        });
    }
    for (index, (_, weight)) in terms.iter_mut().enumerate() {
        let df = held.iter().skip(index).step_by(held.len() / sentences.len()).filter(|held| **held).count();
        *weight *= idf(sentences.len() as u32, df as u32);
    }
    let total: f32 = terms.iter().map(|(_, weight)| weight).sum();
    let share = |row: usize| {
        let held = held.iter().skip(row * terms.len());
        held.zip(&terms).map(|(held, (_, weight))| if *held { weight / total } else { 0.0 }).sum()
    };
    (0..sentences.len()).map(share).collect()
}
