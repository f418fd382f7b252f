//! One language: its stemmer, its function words, what it elides; and the record of it that a blob holds.
//!
//! The stemmers of all languages would be 40 KB of what every visitor downloads. So a blob holds the records of its own languages, at most
//! a few KB, and the engine, which knows English alone, reads them from there.

#[cfg(feature = "stemmers")]
mod table;
#[cfg(all(test, feature = "stemmers"))]
mod tests;

use super::fold::Folding;
use super::snowball::{ENGLISH, Stemmer};
use super::{Role, stop};
use crate::varint;

/// One language. One of which nothing is known has no stemmer and no lists.
#[derive(Default)]
pub(super) struct Language {
    stemmer: Option<Stemmer>,
    /// English has its words in `stop.rs`, for the small engine has no others.
    is_english: bool,
    /// Folded, sorted.
    function: Vec<String>,
    small_talk: Vec<String>,
    /// What stands before an apostrophe without being a word (`l'`, `dell'`), folded; `=` where an ending follows one (`Ankara'da`), `+`
    /// where single characters of a script without spaces are searched too, `~` where words are joined to new ones.
    elided: Vec<String>,
    /// Is it one that the small engine does not know?
    pub is_recorded: bool,
}

impl Language {
    /// What a folded, unstemmed word does in a question.
    pub fn role(&self, word: &str) -> Role {
        if self.is_english {
            return stop::role(word);
        }
        if self.function.binary_search_by(|known| known.as_str().cmp(word)).is_ok() {
            Role::Function
        } else if self.small_talk.iter().any(|known| known == word) {
            Role::SmallTalk
        } else {
            Role::Content
        }
    }

    /// The stem of a folded word.
    pub fn stem(&self, word: &str) -> String {
        self.stemmer.as_ref().map_or_else(|| word.to_string(), |stemmer| stemmer.stem(word))
    }

    /// Is a folded word none before an apostrophe?
    pub fn elides(&self, word: &str) -> bool {
        self.elided.iter().any(|elided| elided == word)
    }

    /// Is what follows an apostrophe an ending?
    pub fn ends(&self) -> bool {
        self.elides("=")
    }

    /// Are single characters searched too?
    pub fn singles(&self) -> bool {
        self.elides("+")
    }

    /// Are words joined to new ones?
    #[cfg(feature = "build")]
    pub fn joins(&self) -> bool {
        self.elides("~")
    }
}

/// What is known of some languages: for each its tag, three lists of words, the texts and the program of its stemmer. Each is a length and
/// bytes; a 0 is written as 1 1 and a 1 as 1 2, for nothing in the blob's settings may hold a zero byte.
pub(super) struct Records(Vec<u8>);

impl Records {
    pub fn read(escaped: &[u8]) -> Self {
        let mut bytes = escaped.iter().copied();
        let mut out = Vec::new();
        while let Some(byte) = bytes.next() {
            out.push(if byte == 1 { bytes.next().unwrap_or(1).saturating_sub(1) } else { byte });
        }
        Self(out)
    }

    /// A language by its tag: as it is in the records, or else as it is known here.
    pub fn language(&self, tag: &str, folding: &Folding) -> Language {
        let mut at = 0;
        while at < self.0.len() {
            let [name, words, texts, program] = std::array::from_fn(|_| self.field(&mut at));
            if name == tag.as_bytes() {
                return Self::known(text(words), text(texts), program);
            }
        }
        if is(tag, "en") {
            return Language { is_english: true, is_recorded: false, ..Self::known("", ENGLISH.1, ENGLISH.0) };
        }
        #[cfg(feature = "stemmers")]
        if let Some([words, texts, program]) = row(tag, folding) {
            return Self::known(text(&words), text(&texts), &program);
        }
        let _ = folding;
        Language::default()
    }

    fn field(&self, at: &mut usize) -> &[u8] {
        let start = *at;
        let length = varint::read(&self.0, at) as usize;
        let field = self.0.get(*at..at.saturating_add(length)).unwrap_or(&[]);
        // Damage ends it; the blob's checksum has already told.
        *at = if *at > start { at.saturating_add(length) } else { usize::MAX };
        field
    }

    fn known(words: &str, texts: &str, program: &[u8]) -> Language {
        let mut lists = words.split('|').map(|words| words.split_whitespace().map(str::to_string).collect());
        let mut list = || lists.next().unwrap_or_default();
        Language {
            stemmer: Some(Stemmer::new(program, texts)),
            is_english: false,
            is_recorded: true,
            function: list(),
            small_talk: list(),
            elided: list(),
        }
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("")
}

/// Is `de` the language of `de`, `de-AT`?
fn is(tag: &str, language: &str) -> bool {
    tag.split('-').next().is_some_and(|first| first.eq_ignore_ascii_case(language))
}

/// Whether an engine that knows English alone cannot search texts of these tags.
#[cfg(feature = "build")]
pub(crate) fn is_known(tags: &str) -> bool {
    tags.contains(',') || !is(tags, "en") && table::line(tags).is_some()
}

/// What a blob says of its languages, English aside.
#[cfg(feature = "build")]
pub(crate) fn records(tags: &str) -> Vec<u8> {
    let (folding, mut out) = (Folding::new(), Vec::new());
    for tag in tags.split(',').filter(|tag| !is(tag, "en")) {
        let Some(fields) = row(tag, &folding) else { continue };
        for field in std::iter::once(tag.as_bytes()).chain(fields.iter().map(Vec::as_slice)) {
            varint::write(&mut out, field.len() as u32);
            out.extend_from_slice(field);
        }
    }
    out.iter().flat_map(|byte| if *byte < 2 { vec![1, byte + 1] } else { vec![*byte] }).collect()
}

/// Words, texts and program of a language, folded.
#[cfg(feature = "stemmers")]
fn row(tag: &str, folding: &Folding) -> Option<[Vec<u8>; 3]> {
    let (row, words) = table::line(tag)?;
    let fold_into = |c: char, out: &mut String| {
        let _ = folding.fold(c, out);
    };
    let fold = |word: &str| {
        let mut out = String::new();
        word.chars().for_each(|c| fold_into(c, &mut out));
        if matches!(word, "=" | "+" | "~") { word.to_string() } else { out }
    };
    let list = |words: &str| {
        let mut words: Vec<String> = words.split(' ').map(fold).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        words.dedup();
        words.join(" ")
    };
    let words = words.split('|').map(list).collect::<Vec<_>>().join("|");
    let (program, texts) = super::snowball::program(row);
    let texts = super::snowball::folded(texts, &fold_into);
    Some([words.into_bytes(), texts.into_bytes(), program.to_vec()])
}
