//! The archived layout of the body. Columns are byte strings of varints: small after compression, read in one pass.

#![allow(missing_docs, reason = "rkyv's derive generates undocumented items; the fields themselves are documented")]

use rkyv::{Archive, Serialize};

// Without the builder only the archived twin is used.
#[cfg_attr(not(feature = "build"), allow(dead_code))]
/// The body of the blob. Every `Vec<u8>` named `…` *column* holds one varint for each row, in row order.
#[derive(Archive, Serialize)]
pub(crate) struct Body {
    /// BCP 47 tag of the analyzer's language; token encoding of all token counts, such as `o200k_base`; name of the site; what most
    /// addresses begin with; the folder of the files that have it.
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
    /// Address of the page without anchor. Empty: it follows from the file. One zero byte: the page is not public.
    pub urls: Strings,
    /// Title from front matter; empty when the headings say it.
    pub titles: Strings,
}

/// One row a heading that has sections or sub-headings with sections.
#[derive(Archive, Serialize)]
pub(crate) struct Headings {
    pub titles: Strings,
    /// Empty where the anchor follows from the title.
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
    /// Column: tokens as rendered into the prompt, as the zigzag difference to what the text's length predicts.
    pub tokens: Vec<u8>,
    /// Column: length in terms as the index counts them, likewise. 0 for pinned sections: they are not indexed.
    pub lengths: Vec<u8>,
    /// Tokens and terms per 65,536 bytes of text: the predictions.
    pub rates: [u32; 2],
    /// Pinned sections: ids, as differences to the one before.
    pub pinned: Vec<u8>,
    /// Column: bytes of the section's text. 0 for pinned sections that are not published.
    pub text_lengths: Vec<u8>,
    /// Checksum of all texts.
    pub text_checksum: u64,
}

/// Term → sections. Terms in byte order.
#[derive(Archive, Serialize)]
pub(crate) struct Index {
    /// Number of terms.
    pub terms: u32,
    /// Terms, front-coded: for each the bytes after those that it shares with the term before; the head of a block is whole.
    pub lexicon: Vec<u8>,
    /// Two bytes a term: how many it shares with the term before (0 at the head of a block), how many the rest has.
    pub lexicon_lengths: Vec<u8>,
    /// Column: sections that hold the term.
    pub df: Vec<u8>,
    /// Column: the first section that holds the term.
    pub firsts: Vec<u8>,
    /// Postings after the first of each term: difference of the section id to the one before, minus 1.
    pub gaps: Vec<u8>,
    /// Postings: occurrences of the term in the section, minus 1.
    pub tf: Vec<u8>,
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
