//! A conversation to weighted terms.

mod alternatives;

use pinpack_index::{Posting, Role as WordRole};
use serde::Serialize;

use crate::{Pinpack, Store, score};

/// A message weighs so much of the visitor's message after it, but for the one before the last: its weight is a setting.
const FADE: f32 = 0.6;

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

/// How a term got into the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The visitor wrote it.
    Asked,
    /// No section holds what the visitor wrote: it is the term nearest to that.
    Typo,
    /// The owner says that it means the same.
    Synonym,
    /// A function word: searched in the texts, for nothing else was asked.
    Function,
}

/// One term of the question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryTerm {
    /// As it stands in the index.
    pub term: String,
    /// The visitor's word that it came from, in lower case.
    pub word: String,
    /// Multiplies the term's score: 1 for the last message, less for earlier ones and for what the visitor did not write.
    pub weight: f32,
    /// Inverse document frequency, see [`crate::score`].
    pub idf: f32,
    /// Sections that hold the term.
    pub df: u32,
    /// 0: the last visitor message, 1: the one before, and so on.
    pub message: u32,
    /// How it got into the question.
    pub origin: Origin,
    /// Number in the lexicon.
    #[serde(skip)]
    pub(crate) number: Option<u32>,
    /// Terms of one word share it: they are forms of the same thing.
    #[serde(skip)]
    pub(crate) group: u32,
    /// Terms that stand for the same share it, and lie side by side: of a section only the best of them counts.
    #[serde(skip)]
    pub(crate) slot: u32,
    /// Terms of one phrase share it, within a slot: they count where all of them are held. 0: what was asked.
    #[serde(skip)]
    pub(crate) alternative: u32,
    /// Function words are not indexed: the sections that hold this one, and how often.
    #[serde(skip)]
    pub(crate) found: Vec<Posting>,
}

/// The terms of a conversation as they come.
#[derive(Default)]
struct Words {
    terms: Vec<QueryTerm>,
    /// A number for each term: two terms with different numbers differ.
    marks: Vec<u32>,
}

impl<S: Store> Pinpack<S> {
    /// The weighted terms of a conversation, with their alternatives.
    ///
    /// The last visitor message weighs 1, the one before it 0.4 (a setting of the blob), each one before that 0.6 of the one after it.
    /// A greeting asks nothing. Function words are searched when no message has anything else.
    pub(crate) fn terms(&self, messages: &[Message<'_>]) -> Vec<QueryTerm> {
        let (mut words, mut functions) = (Words::default(), Words::default());
        let mut weight = 1.0;
        let visitor = messages.iter().rev().filter(|message| message.role == Role::User);
        for (age, message) in (0u32..self.blob.messages()).zip(visitor) {
            let functions = if age == 0 { &mut functions } else { &mut Words::default() };
            let asks = self.add_words(&mut words, functions, message.content, age, weight);
            if !asks && age == 0 {
                return Vec::new();
            }
            weight = if age == 0 { self.earlier } else { weight * FADE };
        }
        if words.terms.is_empty() {
            return self.found_in_texts(functions.terms);
        }
        self.add_alternatives(&mut words.terms);
        words.terms
    }

    /// Adds the content words of a message that are not there yet, and its function words apart. False when it asks nothing: no content word, and no function word or a greeting beside it.
    fn add_words(&self, words: &mut Words, functions: &mut Words, text: &str, message: u32, weight: f32) -> bool {
        let (mut asks, mut small_talk) = (false, false);
        let mut word_start = usize::MAX;
        let mut group = words.terms.last().map_or(0, |term| term.group + 1);
        self.analyzer.each_term(text, &mut |term| {
            match term.role {
                WordRole::SmallTalk => return small_talk = true,
                WordRole::Function => {
                    functions.add(term.text, text, term.span, weight);
                    return;
                }
                WordRole::Content => asks = true,
            }
            let is_form = word_start == term.span.0 || words.terms.last().is_none_or(|last| last.group != group);
            let Some(new) = words.add(term.text, text, term.span, weight) else { return };
            group += u32::from(!is_form);
            word_start = term.span.0;
            (new.group, new.message) = (group, message);
            self.look_up(new);
        });
        asks || !functions.terms.is_empty() && !small_talk
    }

    fn look_up(&self, term: &mut QueryTerm) {
        term.number = self.blob.term(&term.term);
        term.df = term.number.map_or(0, |number| self.blob.df(number));
        term.idf = score::idf(self.ranked, term.df);
    }

    /// Function words as one phrase, with the sections whose text holds them. Cost: one pass over all texts.
    #[cold]
    fn found_in_texts(&self, mut terms: Vec<QueryTerm>) -> Vec<QueryTerm> {
        let blob = &self.blob;
        let mut found: Vec<Vec<Posting>> = vec![Vec::new(); terms.len()];
        for id in (0..blob.sections() as u32).filter(|id| !terms.is_empty() && !blob.is_pinned(*id)) {
            let path = blob.meta(id).unwrap_or_default().path;
            for text in path.iter().chain([&blob.read_text(id)]) {
                self.analyzer.each_term(text, &mut |word| {
                    let Some(at) = terms.iter().position(|term| term.term == word.text) else { return };
                    match found[at].last_mut() {
                        Some(last) if last.section == id => last.tf += 1,
                        _ => found[at].push(Posting { section: id, tf: 1, in_title: false }),
                    }
                });
            }
        }
        for (term, found) in terms.iter_mut().zip(found) {
            (term.slot, term.df, term.origin) = (0, found.len() as u32, Origin::Function);
            term.idf = score::idf(self.ranked, term.df);
            term.found = found;
        }
        terms
    }
}

impl Words {
    /// Adds a term that is not there yet, of the word at a span of a text.
    fn add(&mut self, term: &str, text: &str, span: (usize, usize), weight: f32) -> Option<&mut QueryTerm> {
        // FNV-1a: a message of ten thousand words compares numbers, not texts.
        let mark = term.bytes().fold(0x811c_9dc5, |mark, byte| (mark ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        for (known, other) in self.terms.iter().zip(&self.marks) {
            if *other == mark && known.term == term {
                return None;
            }
        }
        // For people to read: ASCII in lower case, the rest as it was typed.
        let word = text.get(span.0..span.1).unwrap_or("").to_ascii_lowercase();
        let mut new = QueryTerm::new(term, &word, weight);
        new.slot = self.marks.len() as u32;
        self.marks.push(mark);
        self.terms.push(new);
        self.terms.last_mut()
    }
}

impl QueryTerm {
    fn new(term: &str, word: &str, weight: f32) -> Self {
        Self {
            term: term.to_string(),
            word: word.to_string(),
            weight,
            idf: 0.0,
            df: 0,
            message: 0,
            origin: Origin::Asked,
            number: None,
            group: 0,
            slot: 0,
            alternative: 0,
            found: Vec::new(),
        }
    }
}
