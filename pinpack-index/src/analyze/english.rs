//! English alone: what a visitor of an English site downloads.

use frostem::{Algorithm, Stemmer};

use super::{Role, Term, cut, fold, stop, words};

/// Turns text into terms for one language.
///
/// ```
/// let analyzer = pinpack_index::Analyzer::new("en");
/// let mut terms = Vec::new();
/// analyzer.each_term("Running node.js", &mut |term| terms.push(term.text.to_string()));
/// assert_eq!(terms, ["run", "node.js", "node", "js"]);
/// ```
pub struct Analyzer {
    folding: fold::Folding,
    english: Option<Stemmer>,
}

impl Analyzer {
    /// The analyzer of a language, named by its BCP 47 tag (`en`, `en-US`, `de`).
    ///
    /// English has stemming and stop words; any other language has neither and is searched by folded words. The feature `languages` is
    /// for those.
    #[must_use]
    pub fn new(language: &str) -> Self {
        let english = language == "en" || language.starts_with("en-");
        Self { folding: fold::Folding::new(), english: english.then(|| Stemmer::new(Algorithm::English)) }
    }

    /// Calls `emit` for every term of `text`, in order.
    ///
    /// Link targets of inline Markdown links are passed over. Cost: linear in the text. Any text is accepted.
    pub fn each_term(&self, text: &str, emit: &mut dyn FnMut(Term<'_>)) {
        words::scan(text, &self.folding, &mut |word, span, kind| self.term(word, span, kind, emit));
    }

    fn term(&self, word: &str, span: (usize, usize), kind: words::Kind, emit: &mut dyn FnMut(Term<'_>)) {
        let word = cut(word);
        let (Some(stemmer), words::Kind::Word) = (&self.english, kind) else {
            return emit(Term { text: word, role: Role::Content, span });
        };
        match stop::role(word) {
            Role::Content => emit(Term { text: &stemmer.stem(word), role: Role::Content, span }),
            role => emit(Term { text: word, role, span }),
        }
    }
}
