//! The archived layout of the body. Columns are byte strings of varints: small after compression, read in one pass.

#![allow(missing_docs, reason = "rkyv's derive generates undocumented items; the fields themselves are documented")]

use rkyv::{Archive, Serialize};

// Without the builder only the archived twin is used.
#[cfg_attr(not(feature = "build"), allow(dead_code))]
/// The body of the blob. Every `Vec<u8>` named `…` *column* holds one varint for each row, in row order.
#[derive(Archive, Serialize)]
pub(crate) struct Body {
    /// Three rows: BCP 47 tag of the analyzer's language; token encoding of all token counts, such as `o200k_base`; name of the site.
    pub settings: Strings,
    /// Tokens of knowledge one request may hold.
    pub budget: u32,
    /// Tokens that the floor fills up to.
    pub floor: u32,
    /// Visitor messages that make the query.
    pub messages: u32,
    pub pages: Pages,
    pub headings: Headings,
    pub sections: Sections,
    pub index: Index,
}

/// One row a source file (or, for ready-made sections, one a url).
#[derive(Archive, Serialize)]
pub(crate) struct Pages {
    /// Path of the file relative to the configuration. Empty: refs are the anchors alone (JSONL).
    pub files: Strings,
    /// Address of the page without anchor; empty when it is not public.
    pub urls: Strings,
    /// Title from front matter; empty when the headings say it.
    pub titles: Strings,
}

/// One row a heading that has sections or sub-headings with sections.
#[derive(Archive, Serialize)]
pub(crate) struct Headings {
    pub titles: Strings,
    pub anchors: Strings,
    /// Column: 0 for a top heading, else the distance back to the parent row.
    pub parents: Vec<u8>,
}

/// One row a section, in file order. The row number is the section's id.
#[derive(Archive, Serialize)]
pub(crate) struct Sections {
    /// Column: page row, as the difference to the section before (pages only go up).
    pub pages: Vec<u8>,
    /// Column: 0 without heading, else 1 + heading row, as zigzag difference to the section before.
    pub headings: Vec<u8>,
    /// Column: tokens as rendered into the prompt, times 2, plus 1 when pinned.
    pub tokens: Vec<u8>,
    /// Column: length in terms as the index counts them. 0 for pinned sections: they are not indexed.
    pub lengths: Vec<u8>,
    /// Texts, in row order. Empty for pinned sections that are not published.
    pub texts: Strings,
}

/// Term → sections. Terms in byte order.
#[derive(Archive, Serialize)]
pub(crate) struct Index {
    /// Number of terms.
    pub terms: u32,
    /// Front-coded: for each term the length shared with the term before (absent at the head of a block), the length of the rest, the rest.
    pub lexicon: Vec<u8>,
    /// Column: sections that hold the term.
    pub df: Vec<u8>,
    /// Postings: section ids, the first absolute, then the differences.
    pub gaps: Vec<u8>,
    /// Postings: occurrences of the term in the section, minus 1.
    pub tf: Vec<u8>,
    /// Column: bytes that each block takes of the lexicon.
    pub lexicon_blocks: Vec<u8>,
    /// Column: bytes that each block takes of the gaps.
    pub gap_blocks: Vec<u8>,
    /// Column: bytes that each block takes of the tf.
    pub tf_blocks: Vec<u8>,
}

/// Strings in one arena with a column of their lengths in bytes.
#[derive(Archive, Serialize, Default)]
pub(crate) struct Strings {
    pub lengths: Vec<u8>,
    pub bytes: Vec<u8>,
}

#[cfg(feature = "build")]
impl Strings {
    pub fn push(&mut self, text: &str) {
        crate::varint::write(&mut self.lengths, text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }
}
