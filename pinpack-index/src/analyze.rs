//! Text to terms: the only code that does it, at build time and at query time.
//!
//! A *word* is a run of letters and digits of any script, with the connectors that hold names, versions, prices and
//! addresses together. A word of several parts (`node.js`, `snake_case`, `camelCase`, `e-mail`, `info@shop.example`)
//! gives its whole form and its parts, so that either finds the other. Letters are folded (case, accents, full width)
//! by a table of our own, so that every browser and every build gives the same terms; English words are stemmed.
//! Scripts that are written without spaces give overlapping pairs of characters.
//!
//! Case and accent folding happens before stemming. [`ANALYZER`] stands for all of this: a blob built with another
//! number is refused.

mod fold;
mod fold_table;
mod stop;
mod words;

use frostem::{Algorithm, Stemmer};
#[cfg(feature = "build")]
pub(crate) use words::Kind as Form;

/// Number of this analyzer. It changes whenever any text would give other terms.
pub const ANALYZER: u32 = 1;

/// Longest term in bytes; a longer word is cut there, at a character, on both sides alike.
pub const MAX_TERM_BYTES: usize = 96;

/// What a word does in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It carries meaning and is searched.
    Content,
    /// A function word (*the, is, who*): searched only when a question has nothing else.
    Function,
    /// Greeting or thanks (*hi, please, help*): never searched alone.
    SmallTalk,
}

/// One term with the word it came from.
#[derive(Clone, Copy, Debug)]
pub struct Term<'a> {
    /// Folded and stemmed, as it stands in the index; function words and small talk, which are not indexed, only folded.
    pub text: &'a str,
    /// What the word does in a question.
    pub role: Role,
    /// Byte span of the whole word in the text.
    pub span: (usize, usize),
}

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
    /// English has stemming and stop words; any other language has neither yet and is searched by folded words.
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

    /// Calls `emit` for every form of every word of `text`, in order, as it stands before stemming: [`Analyzer::content`] gives its term.
    #[cfg(feature = "build")]
    pub(crate) fn each_form(&self, text: &str, emit: &mut dyn FnMut(&str, Form)) {
        words::scan(text, &self.folding, &mut |word, _, kind| emit(cut(word), kind));
    }

    /// The term of a form of a content word, as [`Analyzer::each_term`] gives it.
    #[cfg(feature = "build")]
    pub(crate) fn content(&self, word: &str, form: Form) -> Option<String> {
        let mut content = None;
        self.term(word, (0, 0), form, &mut |term| {
            content = (term.role == Role::Content).then(|| term.text.to_string());
        });
        content
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

/// The first [`MAX_TERM_BYTES`] of a word, cut at a character.
fn cut(word: &str) -> &str {
    if word.len() <= MAX_TERM_BYTES {
        return word;
    }
    let mut end = MAX_TERM_BYTES;
    while !word.is_char_boundary(end) {
        end -= 1;
    }
    word.get(..end).unwrap_or(word)
}

#[cfg(test)]
mod tests;
