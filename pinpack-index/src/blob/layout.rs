//! The archived layout of the body.
//!
//! A *column* is a byte string with one varint for each row, in row order: small after compression, read in one pass. Columns are in one
//! array, and named here, because one loop then checks them all: fields of their own would make the reader a kilobyte larger.

#![allow(missing_docs, reason = "rkyv's derive generates undocumented items; the fields themselves are documented")]

use rkyv::{Archive, Serialize};

// Without the builder only the archived twin is used.
#[cfg_attr(not(feature = "build"), allow(dead_code))]
/// The body of the blob: what opening it reads.
#[derive(Archive, Serialize)]
pub(crate) struct Body {
    /// By [`Number`].
    pub numbers: [u32; Number::COUNT],
    /// Checksum of all texts.
    pub text_checksum: u64,
    /// Checksums of the pieces of the streams, low 32 bits.
    pub piece_checksums: Vec<u32>,
    /// By [`Column`].
    pub columns: [Vec<u8>; Column::COUNT],
}

/// Places in [`Body::numbers`].
#[derive(Clone, Copy)]
pub(crate) enum Number {
    /// Tokens of knowledge one request may hold.
    Budget,
    /// Tokens that the floor fills up to.
    Floor,
    /// Visitor messages that make the query.
    Messages,
    /// Tokens per 65,536 bytes of text: the prediction that [`Column::Tokens`] corrects.
    TokenRate,
    /// Terms per 65,536 bytes of text, likewise for [`Column::Lengths`].
    TermRate,
    /// Number of terms.
    Terms,
    /// Hundredths: how soon more occurrences of a term stop to count, `k1` of BM25.
    K1,
    /// Hundredths: how much length counts, `b` of BM25.
    B,
    /// Hundredths: weight of a term in the title.
    Title,
    /// Hundredths: weight of the message before the last.
    Earlier,
    /// 1: a word that no section holds stands for the term nearest to it.
    Typos,
}

impl Number {
    pub const COUNT: usize = 11;
}

/// Places in [`Body::columns`].
#[derive(Clone, Copy)]
pub(crate) enum Column {
    /// BCP 47 tag of the analyzer's language; token encoding of all token counts, such as `o200k_base`; name of the site; what most
    /// addresses begin with; the folder of the files that have it; where the header says that English alone will not do, what is known of
    /// the languages (see `analyze/language.rs`). Not a column: each closed by a zero byte.
    Settings,
    /// Section: its page row, as the difference to the section before (pages only go up).
    Pages,
    /// Section: 0 without heading, else 1 + heading row, as zigzag difference to the section before.
    Headings,
    /// Section: tokens as rendered into the prompt, as the zigzag difference to what the text's length predicts.
    Tokens,
    /// Section: length in terms as the index counts them, likewise. 0 for pinned sections: they are not indexed.
    Lengths,
    /// Ids of the pinned sections, as differences to the one before.
    Pinned,
    /// Section: bytes of its text. 0 for pinned sections that are not published.
    TextLengths,
    /// Heading: 0 for a top heading, else the distance back to the parent row.
    Parents,
    /// Bytes of each string of [`Stream::Titles`].
    Titles,
    /// Bytes of each string of [`Stream::Anchors`].
    Anchors,
    /// Bytes of each string of [`Stream::Files`].
    Files,
    /// Bytes of each string of [`Stream::Urls`].
    Urls,
    /// Bytes of each string of [`Stream::PageTitles`].
    PageTitles,
    /// Not a column: the first term of each block, whole.
    Heads,
    /// Not a column: two bytes a term. How many bytes it shares with the term before (0 for a head), how many the rest has.
    LexiconLengths,
    /// Term: sections that hold it.
    Df,
    /// Term: the first section that holds it.
    Firsts,
    /// Block: bytes that it takes of [`Stream::Gaps`].
    GapBlocks,
    /// Block: bytes that it takes of [`Stream::Tf`].
    TfBlocks,
    /// Not a column: a line for each synonym: the terms of the words that it stands for with blanks between, a tab, its own terms likewise,
    /// a tab, its weight in hundredths.
    Synonyms,
    /// Two numbers for each section whose text is nearly that of another, by ascending id: its id, as the difference to the one before;
    /// how far back the first of those that are alike is.
    Repeats,
}

impl Column {
    pub const COUNT: usize = 21;
}

/// What stands between the texts and the body, in this order: byte strings that a question reads parts of. They are checked piece by piece,
/// when they are read.
#[derive(Clone, Copy)]
pub(crate) enum Stream {
    /// Of the headings (a row is a heading that has sections, or sub-headings with sections).
    Titles,
    /// Of the headings; empty where the anchor follows from the title.
    Anchors,
    /// Paths of the source files relative to the configuration (a row is a page: a file or, for ready-made sections, a url). Empty: refs
    /// are the anchors alone (JSONL).
    Files,
    /// Addresses of the pages without anchor. Empty: it follows from the file. One zero byte: the page is not public.
    Urls,
    /// Titles from front matter; empty when the headings say it.
    PageTitles,
    /// Terms in byte order, front-coded: the bytes after those that it shares with the term before; nothing for heads.
    Lexicon,
    /// Postings after the first of each term: difference of the section id to the one before, minus 1, as varints.
    Gaps,
    /// Postings, as varints: twice the occurrences of the term in the section minus 1; 1 more when its title holds the term.
    Tf,
}

impl Stream {
    pub const COUNT: usize = 8;
}
