//! Text to terms: the only code that does it, at build time and at query time.
//!
//! A *word* is a run of letters and digits of any script, with the connectors that hold names, versions, prices and
//! addresses together. A word of several parts (`node.js`, `snake_case`, `camelCase`, `e-mail`, `info@shop.example`)
//! gives its whole form and its parts, so that either finds the other. Letters are folded (case, accents, full width)
//! by a table of our own, so that every browser and every build gives the same terms; then words are stemmed.
//! Scripts that are written without spaces give overlapping pairs of characters.
//!
//! Case and accent folding happens before stemming, of words and of the endings that a stemmer looks for: who types no accents finds what
//! is written with them. [`ANALYZER`] stands for all of this: a blob built with another
//! number is refused.

#[cfg(feature = "languages")]
mod canonical;
#[cfg(not(feature = "languages"))]
mod english;
mod fold;
mod fold_table;
#[cfg(feature = "languages")]
mod language;
#[cfg(feature = "languages")]
mod languages;
#[cfg(feature = "languages")]
mod snowball;
mod stop;
mod words;

#[cfg(not(feature = "languages"))]
pub use english::Analyzer;
#[cfg(feature = "build")]
pub(crate) use language::{is_known, records};
#[cfg(feature = "languages")]
pub use languages::Analyzer;
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
