//! A conversation to weighted terms.

use pinpack_index::Role as WordRole;
use serde::Serialize;

use crate::{Pinpack, Store, score};

/// Weight of an earlier message when the last one leaves the subject open.
const FOLLOW_UP: f32 = 0.6;
/// Weight of an earlier message when the last one has words enough of its own.
const NEW_SUBJECT: f32 = 0.25;
/// Up to this many words that the knowledge base knows, a message is taken for a follow-up.
const FEW_WORDS: usize = 2;

/// Who wrote a message. Only visitors are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The visitor.
    User,
    /// The model.
    Assistant,
}

/// One turn of a conversation.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m> {
    /// Who wrote it.
    pub role: Role,
    /// What.
    pub content: &'m str,
}

impl<'m> Message<'m> {
    /// A visitor's message.
    #[must_use]
    pub fn user(content: &'m str) -> Self {
        Self { role: Role::User, content }
    }
}

/// One term of the question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryTerm {
    /// As it stands in the index.
    pub term: String,
    /// The visitor's word that it came from, in lower case.
    pub word: String,
    /// Multiplies the term's score: 1 for the last message, less for earlier ones.
    pub weight: f32,
    /// Inverse document frequency, see [`crate::score`].
    pub idf: f32,
    /// Sections that hold the term.
    pub df: u32,
    /// 0: the last visitor message, 1: the one before, and so on.
    pub message: u32,
    /// Number in the lexicon.
    #[serde(skip)]
    pub(crate) number: Option<u32>,
    /// Terms of one word share it: they are forms of the same thing.
    #[serde(skip)]
    pub(crate) group: u32,
}

impl<S: Store> Pinpack<S> {
    /// The weighted terms of a conversation.
    ///
    /// The last visitor message weighs 1. Earlier ones, as many as the blob says, join by what the last one leaves open: in full when it
    /// has no word of its own (*what about that one?*), by 0.6 when it has one or two (*how much is delivery?*), else by 0.25. A
    /// greeting asks nothing.
    pub(crate) fn terms(&self, messages: &[Message<'_>]) -> Vec<QueryTerm> {
        let mut out = Vec::new();
        let mut weight = 1.0;
        let visitor = messages.iter().rev().filter(|message| message.role == Role::User);
        for (age, message) in (0u32..self.blob.messages()).zip(visitor) {
            let asks = self.add_words(&mut out, message.content, age, weight);
            if age > 0 {
                continue;
            }
            if !asks {
                break;
            }
            weight = match known_words(&out) {
                0 => 1.0,
                1..=FEW_WORDS => FOLLOW_UP,
                _ => NEW_SUBJECT,
            };
        }
        out
    }

    /// Adds the content words of a message that are not there yet. False when it asks nothing: no content word, and no function word
    /// or a greeting beside it.
    fn add_words(&self, out: &mut Vec<QueryTerm>, text: &str, message: u32, weight: f32) -> bool {
        let (mut content, mut function, mut small_talk) = (false, false, false);
        let mut word_start = usize::MAX;
        let mut group = out.last().map_or(0, |term| term.group + 1);
        self.analyzer.each_term(text, &mut |term| {
            match term.role {
                WordRole::Content => content = true,
                WordRole::Function => return function = true,
                WordRole::SmallTalk => return small_talk = true,
            }
            if out.iter().any(|known| known.term == term.text) {
                return;
            }
            if word_start != term.span.0 && out.last().is_some_and(|last| last.group == group) {
                group += 1;
            }
            word_start = term.span.0;
            let number = self.blob.term(term.text);
            let df = number.map_or(0, |number| self.blob.df(number));
            // For people to read: ASCII in lower case, the rest as it was typed.
            let word = text.get(term.span.0..term.span.1).unwrap_or("").to_ascii_lowercase();
            let (term, idf) = (term.text.to_string(), score::idf(self.ranked, df));
            out.push(QueryTerm { term, word, weight, idf, df, message, number, group });
        });
        content || function && !small_talk
    }
}

/// Words of which the knowledge base knows a form.
fn known_words(terms: &[QueryTerm]) -> usize {
    let mut last = u32::MAX;
    let mut count = 0;
    for term in terms.iter().filter(|term| term.df > 0) {
        count += usize::from(term.group != last);
        last = term.group;
    }
    count
}
