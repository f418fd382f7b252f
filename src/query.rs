//! A conversation to weighted terms.

use pinpack_index::{Analyzer, Role as WordRole};
use serde::Serialize;

use crate::{Pinpack, score};

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

/// The words of one message.
struct Words {
    /// (term, word), content words only.
    content: Vec<(String, String)>,
    /// It has function words, and no greeting.
    refers_back: bool,
}

impl Pinpack {
    /// The weighted terms of a conversation.
    ///
    /// The last visitor message weighs 1. Earlier ones, as many as the blob says, join by what the last one leaves open: in full when it
    /// has no word of its own (*what about that one?*), by 0.6 when it has one or two (*how much is delivery?*), else by 0.25. A
    /// greeting asks nothing.
    pub(crate) fn terms(&self, messages: &[Message<'_>]) -> Vec<QueryTerm> {
        let visitor = messages.iter().rev().filter(|message| message.role == Role::User);
        let visitor: Vec<Words> = visitor
            .take(self.blob().messages() as usize)
            .map(|message| words(self.analyzer(), message.content))
            .collect();
        let Some(last) = visitor.first() else { return Vec::new() };
        let mut out = Vec::new();
        self.add(&mut out, last, 0, 1.0);
        let known = out.iter().filter(|term| term.df > 0).map(|term| term.group).collect::<Vec<_>>();
        let weight = match count_groups(&known) {
            0 if last.content.is_empty() && !last.refers_back => return out,
            0 => 1.0,
            known if known <= FEW_WORDS => FOLLOW_UP,
            _ => NEW_SUBJECT,
        };
        for (message, words) in visitor.iter().enumerate().skip(1) {
            self.add(&mut out, words, message as u32, weight);
        }
        out
    }

    fn add(&self, out: &mut Vec<QueryTerm>, words: &Words, message: u32, weight: f32) {
        let mut group = out.last().map_or(0, |term| term.group + 1);
        let mut last: Option<&str> = None;
        for (term, word) in &words.content {
            if last.is_some_and(|last| last != word) {
                group += 1;
            }
            last = Some(word);
            if out.iter().any(|known| known.term == *term) {
                continue;
            }
            let number = self.blob().term(term);
            let df = number.map_or(0, |number| self.blob().df(number));
            let idf = score::idf(self.ranked, df);
            out.push(QueryTerm { term: term.clone(), word: word.clone(), weight, idf, df, message, number, group });
        }
    }

    fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }
}

/// Groups in a list in which equal groups stand together.
fn count_groups(groups: &[u32]) -> usize {
    groups.iter().enumerate().filter(|(i, group)| *i == 0 || groups[i - 1] != **group).count()
}

fn words(analyzer: &Analyzer, text: &str) -> Words {
    let mut out = Words { content: Vec::new(), refers_back: false };
    let (mut function, mut small_talk) = (false, false);
    analyzer.each_term(text, &mut |term| match term.role {
        WordRole::Content => {
            out.content.push((term.text.to_string(), lower(&text[term.span.0..term.span.1])));
        }
        WordRole::Function => function = true,
        WordRole::SmallTalk => small_talk = true,
    });
    out.refers_back = function && !small_talk;
    out
}

/// A word for people to read: ASCII in lower case, the rest as it was typed.
fn lower(word: &str) -> String {
    word.to_ascii_lowercase()
}
