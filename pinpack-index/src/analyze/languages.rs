//! The analyzer of any language, and of texts in several.

use super::fold::Folding;
use super::language::{Language, Records};
use super::words::{self, Emit, Kind, Rules};
use super::{Role, Term, cut};

/// Turns text into terms for one language, or for several.
///
/// ```
/// let analyzer = pinpack_index::Analyzer::new("en");
/// let mut terms = Vec::new();
/// analyzer.each_term("Running node.js", &mut |term| terms.push(term.text.to_string()));
/// assert_eq!(terms, ["run", "node.js", "node", "js"]);
/// ```
pub struct Analyzer {
    folding: Folding,
    languages: Vec<Language>,
    /// Does the blob need more than the small engine? That has to give the same terms where it does not.
    full: bool,
}

impl Analyzer {
    /// The analyzer of a language, named by its BCP 47 tag (`en`, `en-US`, `de`).
    ///
    /// English has stemming and function words, with the feature `stemmers` 33 languages have; any other has neither and is searched by
    /// folded words. Several tags parted by commas (`de,fr`) are for the questions to a text in several languages: each word is searched
    /// by its stem in each.
    #[must_use]
    pub fn new(tags: &str) -> Self {
        Self::with(tags, &[])
    }

    /// The same, with what a blob says of its languages.
    #[must_use]
    pub fn with(tags: &str, records: &[u8]) -> Self {
        let (folding, records) = (Folding::new(), Records::read(records));
        let languages: Vec<Language> = tags.split(',').map(|tag| records.language(tag, &folding)).collect();
        let full = languages.len() > 1 || languages.iter().any(|language| language.is_recorded);
        Self { folding, languages, full }
    }

    /// The analyzer of one of several languages of a blob.
    #[cfg(feature = "build")]
    pub(crate) fn one_of_several(tag: &str) -> Self {
        Self { full: true, ..Self::new(tag) }
    }

    /// Calls `emit` for every term of `text`, in order.
    ///
    /// Link targets of inline Markdown links are passed over. Cost: linear in the text. Any text is accepted.
    pub fn each_term(&self, text: &str, emit: &mut dyn FnMut(Term<'_>)) {
        let heard = self.listen(text);
        self.scan(text, &mut |word, span, kind| self.term(word, span, kind, &heard, emit));
    }

    /// Calls `emit` for every form of every word of `text`, in order, as it stands before stemming: [`Analyzer::content`] gives its term.
    #[cfg(feature = "build")]
    pub(crate) fn each_form(&self, text: &str, emit: &mut dyn FnMut(&str, Kind)) {
        self.scan(text, &mut |word, _, kind| emit(cut(word), kind));
    }

    /// The term of a form of a content word, as [`Analyzer::each_term`] gives it in one language.
    #[cfg(feature = "build")]
    pub(crate) fn content(&self, word: &str, form: Kind) -> Option<String> {
        let mut content = None;
        self.term(word, (0, 0), form, &[], &mut |term| {
            content = (term.role == Role::Content).then(|| term.text.to_string());
        });
        content
    }

    /// Are the words of the language joined to new ones without blank or hyphen?
    #[cfg(feature = "build")]
    pub(crate) fn joins_words(&self) -> bool {
        self.languages.iter().any(Language::joins)
    }

    fn scan(&self, text: &str, emit: &mut Emit<'_>) {
        words::scan(text, &self.folding, self, emit);
    }

    /// Which of several languages a text is in, by its function words: those of the others may be content there (*die*, *war*). Empty for
    /// one language.
    fn listen(&self, text: &str) -> Vec<bool> {
        if self.languages.len() < 2 {
            return Vec::new();
        }
        let mut counts = vec![0u32; self.languages.len()];
        self.scan(text, &mut |word, _, _| {
            for (count, language) in counts.iter_mut().zip(&self.languages) {
                *count += u32::from(language.role(word) == Role::Function);
            }
        });
        let most = counts.iter().max();
        counts.iter().map(|count| Some(count) == most).collect()
    }

    /// The terms of a form of a word: its stem in each language, where they differ. `heard`: see [`Analyzer::listen`].
    fn term(&self, word: &str, span: (usize, usize), kind: Kind, heard: &[bool], emit: &mut dyn FnMut(Term<'_>)) {
        let word = cut(word);
        let role = if kind == Kind::Exact { Role::Content } else { self.role(word, heard) };
        if kind == Kind::Exact || role != Role::Content {
            return emit(Term { text: word, role, span });
        }
        let mut stems: Vec<String> = Vec::new();
        for language in &self.languages {
            let stem = language.stem(word);
            if !stems.contains(&stem) {
                emit(Term { text: cut(&stem), role, span });
                stems.push(stem);
            }
        }
    }

    fn role(&self, word: &str, heard: &[bool]) -> Role {
        for (row, language) in self.languages.iter().enumerate() {
            let role = language.role(word);
            if role != Role::Content && heard.get(row).copied().unwrap_or(true) {
                return role;
            }
        }
        Role::Content
    }
}

impl Rules for Analyzer {
    fn elides(&self, word: &str) -> bool {
        self.languages.iter().any(|language| language.elides(word))
    }

    fn ends(&self) -> bool {
        self.languages.iter().all(Language::ends)
    }

    fn full(&self) -> bool {
        self.full
    }

    fn singles(&self) -> bool {
        self.languages.iter().any(Language::singles)
    }
}

#[cfg(all(test, feature = "stemmers"))]
mod tests;
