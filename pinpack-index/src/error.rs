//! Errors with stable codes. Each message says what was found, what was wanted and what to do.

use std::fmt;

use crate::ANALYZER;
use crate::blob::{FORMAT, OLDEST_FORMAT};

/// Why bytes are not a blob that this version can search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// `blob-magic`: the bytes do not begin as a blob does.
    Magic,
    /// `blob-truncated`: fewer or more bytes than the header says.
    Truncated {
        /// Bytes found.
        found: usize,
        /// Bytes that the header says there are.
        wanted: usize,
    },
    /// `blob-format`: written in a format that this version does not read.
    Format {
        /// The blob's format.
        found: u32,
    },
    /// `blob-analyzer`: its terms were made by another analyzer, so no question would find them.
    Analyzer {
        /// The blob's analyzer.
        found: u32,
    },
    /// `blob-damaged`: the bytes are not those that were written.
    Damaged(&'static str),
}

impl OpenError {
    /// The stable code, the same in JavaScript.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Magic => "blob-magic",
            Self::Truncated { .. } => "blob-truncated",
            Self::Format { .. } => "blob-format",
            Self::Analyzer { .. } => "blob-analyzer",
            Self::Damaged(_) => "blob-damaged",
        }
    }
}

impl OpenError {
    /// What was found, what was wanted, and after a line break what to do.
    #[must_use]
    #[cold]
    pub fn message(&self) -> String {
        const REBUILD: &str = "\nrun `npx pinpack build` again and upload all its files";
        const RELOAD: &str = "\nupload it or download it again";
        // Not by `format!`: its machinery would be a tenth of what a visitor downloads.
        match self {
            Self::Magic => "not a pinpack knowledge file\ncheck its address; `npx pinpack build` makes one".into(),
            Self::Truncated { found, wanted } => {
                let (found, wanted) = (decimal(*found as u32), decimal(*wanted as u32));
                joined(&["the knowledge file has ", &found, " bytes, its header says ", &wanted, RELOAD])
            }
            Self::Format { found } => {
                let (found, oldest, newest) = (decimal(*found), decimal(OLDEST_FORMAT), decimal(FORMAT));
                joined(&[
                    "the knowledge file is format ",
                    &found,
                    ", this pinpack reads ",
                    &oldest,
                    " to ",
                    &newest,
                    REBUILD,
                ])
            }
            Self::Analyzer { found } => {
                let (found, own) = (decimal(*found), decimal(ANALYZER));
                joined(&["the knowledge file was made by analyzer ", &found, ", this pinpack has ", &own, REBUILD])
            }
            Self::Damaged(what) => joined(&["the knowledge file is damaged (", what, ")", RELOAD]),
        }
    }
}

/// Texts in a row. (`concat` is generic, and several times as large.)
#[must_use]
pub fn joined(texts: &[&str]) -> String {
    let mut out = String::new();
    texts.iter().for_each(|text| out.push_str(text));
    out
}

/// The pieces of a text between the places where an ASCII character stands. (`split` is several times as large.)
#[must_use]
pub fn parted(text: &str, between: u8) -> Vec<&str> {
    let (mut out, mut start) = (Vec::new(), 0);
    for (at, byte) in text.bytes().chain([between]).enumerate() {
        if byte == between {
            out.push(text.get(start..at).unwrap_or(""));
            start = at + 1;
        }
    }
    out
}

/// A number in decimal digits.
#[must_use]
pub fn decimal(number: u32) -> String {
    let mut out = if number >= 10 { decimal(number / 10) } else { String::new() };
    out.push((b'0' + (number % 10) as u8) as char);
    out
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for OpenError {}

#[cfg(feature = "build")]
pub use build::BuildError;

#[cfg(feature = "build")]
mod build {
    use thiserror::Error;

    /// Why a knowledge base cannot be built.
    #[derive(Clone, Debug, PartialEq, Eq, Error)]
    #[non_exhaustive]
    pub enum BuildError {
        /// `config-syntax`: the configuration is not TOML, or has a key that does not exist.
        #[error("pinpack.toml cannot be read: {0}")]
        ConfigSyntax(String),
        /// `config-value`: a setting is out of its range.
        #[error("pinpack.toml: {key} is {found}, wanted {wanted}")]
        ConfigValue {
            /// The setting.
            key: &'static str,
            /// Its value.
            found: String,
            /// What it may be.
            wanted: &'static str,
        },
        /// `config-key`: a key to change does not exist, or takes another kind of value.
        #[error("{key} = {value}: {reason}")]
        ConfigKey {
            /// The key as it was given.
            key: String,
            /// The value as it was given.
            value: String,
            /// What is wrong.
            reason: String,
        },
        /// `config-encoding`: an encoding that cannot be counted.
        #[error("budget.encoding is {found:?}, wanted o200k_base or cl100k_base")]
        Encoding {
            /// The name.
            found: String,
        },
        /// `source-jsonl`: a line of a JSONL file is no section.
        #[error("{path}: {reason}")]
        Jsonl {
            /// The file.
            path: String,
            /// The line and what is wrong with it.
            reason: String,
        },
        /// `synonyms-missing`: there is no file where `query.synonyms` says.
        #[error("query.synonyms is {path:?}, and there is no such file beside pinpack.toml")]
        NoSynonyms {
            /// The path.
            path: String,
        },
        /// `synonyms-invalid`: the file of synonyms cannot be read.
        #[error("{path}: {reason}")]
        Synonyms {
            /// The file.
            path: String,
            /// What is wrong with it.
            reason: String,
        },
        /// `no-sections`: there is nothing to build.
        #[error("no text found in {files} files: check `include` under [sources] in pinpack.toml")]
        NoSections {
            /// Files that were given.
            files: usize,
        },
        /// `pinned-over-budget`: what is sent every time does not fit once.
        #[error(
            "the pinned sections take {pinned} tokens, the budget leaves {budget}: {pinned} > {budget}\n{}\n\
             shorten them, unpin some, or raise budget.context",
            list(.sections)
        )]
        PinnedOverBudget {
            /// Tokens of all pinned sections as rendered.
            pinned: u32,
            /// `budget.context` less `budget.answer`.
            budget: u32,
            /// The pinned sections with their tokens, largest first.
            sections: Vec<(String, u32)>,
        },
        /// `too-large`: more text than a blob can hold.
        #[error(
            "the knowledge base has {found} bytes of text, a blob holds up to {wanted}: split the site or exclude files"
        )]
        TooLarge {
            /// Bytes of text.
            found: usize,
            /// The limit in bytes.
            wanted: usize,
        },
    }

    impl BuildError {
        /// The stable code, the same in JavaScript.
        #[must_use]
        pub fn code(&self) -> &'static str {
            match self {
                Self::ConfigSyntax(_) => "config-syntax",
                Self::ConfigValue { .. } => "config-value",
                Self::ConfigKey { .. } => "config-key",
                Self::Encoding { .. } => "config-encoding",
                Self::Jsonl { .. } => "source-jsonl",
                Self::NoSynonyms { .. } => "synonyms-missing",
                Self::Synonyms { .. } => "synonyms-invalid",
                Self::NoSections { .. } => "no-sections",
                Self::PinnedOverBudget { .. } => "pinned-over-budget",
                Self::TooLarge { .. } => "too-large",
            }
        }
    }

    fn list(sections: &[(String, u32)]) -> String {
        sections.iter().map(|(reference, tokens)| format!("  {tokens:>6}  {reference}")).collect::<Vec<_>>().join("\n")
    }
}
