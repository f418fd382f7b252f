//! The owner's synonyms: a TOML file to lines that the blob keeps.

use serde::Deserialize;

use crate::analyze::{Analyzer, Role};
use crate::error::BuildError;

/// A file of `[[synonym]]` tables.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    synonym: Vec<Entry>,
}

/// What means the same. Words and phrases of several words alike.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Two-way: each stands for each.
    #[serde(default)]
    words: Vec<String>,
    /// One-way: a question with one of these also asks for each of `to`.
    #[serde(default)]
    from: Vec<String>,
    #[serde(default)]
    to: Vec<String>,
}

/// A line for each pair in each language, as [`crate::blob::layout::Column::Synonyms`] wants them: sorted, none twice.
///
/// # Errors
///
/// `synonyms-invalid`: not UTF-8, not TOML, an entry without words, or words that hold nothing to search.
pub(crate) fn lines(path: &str, bytes: &[u8], analyzers: &[Analyzer]) -> Result<String, BuildError> {
    let invalid = |reason: String| BuildError::Synonyms { path: path.into(), reason };
    let text = std::str::from_utf8(bytes).map_err(|error| invalid(format!("not UTF-8: {error}")))?;
    let file: File = toml::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| invalid(error.to_string()))?;
    let mut lines = Vec::new();
    let entries = || file.synonym.iter().enumerate();
    for (analyzer, (at, entry)) in analyzers.iter().flat_map(|analyzer| entries().map(move |entry| (analyzer, entry))) {
        let wrong = |reason: &str| invalid(format!("entry {}: {reason}", at + 1));
        let terms = |texts: &[String]| -> Result<Vec<String>, BuildError> {
            let nothing = |text: &String| wrong(&format!("{text:?} holds no word that is searched"));
            texts.iter().map(|text| terms(text, analyzer).ok_or_else(|| nothing(text))).collect()
        };
        let (words, from, to) = (terms(&entry.words)?, terms(&entry.from)?, terms(&entry.to)?);
        if words.len() == 1 || from.is_empty() != to.is_empty() || words.is_empty() && from.is_empty() {
            return Err(wrong("wanted `words` with two and more, or `from` and `to`"));
        }
        let pairs = words.iter().flat_map(|a| words.iter().map(move |b| (a, b)));
        let pairs = pairs.chain(from.iter().flat_map(|a| to.iter().map(move |b| (a, b))));
        lines.extend(pairs.filter(|(a, b)| a != b).map(|(a, b)| format!("{a}\t{b}\n")));
    }
    lines.sort_unstable();
    lines.dedup();
    Ok(lines.concat())
}

/// The terms of a word or phrase with blanks between; `None` where there are none.
fn terms(text: &str, analyzer: &Analyzer) -> Option<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = usize::MAX;
    analyzer.each_term(text, &mut |term| {
        // Of several forms of one word the whole one: that is what a question with it has first.
        if term.role == Role::Content && term.span.0 != word {
            out.push(term.text.into());
            word = term.span.0;
        }
    });
    (!out.is_empty()).then(|| out.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, BuildError> {
        lines("synonyms.toml", text.as_bytes(), &[Analyzer::new("en")])
    }

    #[test]
    fn one_way_and_two_way_entries_become_a_line_for_each_direction() {
        let text = "[[synonym]]\nwords = ['laptop', 'notebook computers']\n[[synonym]]\nfrom = ['NYC']\nto = ['New York City']\n";
        assert_eq!(read(text).unwrap(), "laptop\tnotebook comput\nnotebook comput\tlaptop\nnyc\tnew york citi\n");
        assert_eq!(read("").unwrap(), "");
    }

    #[test]
    fn entries_that_say_nothing_are_named() {
        let faults = [
            ("[[synonym]]\nwords = ['lamp']", "entry 1: wanted `words` with two"),
            ("[[synonym]]\nfrom = ['lamp']", "entry 1: wanted"),
            ("[[synonym]]\nwords = ['lamp', 'light']\n[[synonym]]", "entry 2: wanted"),
            ("[[synonym]]\nfrom = ['a']\nto = ['the who']", "\"a\" holds no word"),
            ("[[synonyms]]", "unknown field"),
            ("words", "TOML"),
        ];
        for (text, message) in faults {
            let error = read(text).expect_err(text);
            assert_eq!(error.code(), "synonyms-invalid");
            assert!(error.to_string().contains(message), "{error}");
        }
        assert_eq!(lines("s.toml", b"\xff", &[Analyzer::new("en")]).unwrap_err().code(), "synonyms-invalid");
    }
}
