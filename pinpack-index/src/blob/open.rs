//! Bytes to a knowledge base that can be searched.

use std::borrow::Cow;
use std::ops::Range;

use rkyv::rancor::Failure;

use super::columns::{flags, near, pairs, starts, sums, walk};
use super::layout::{ArchivedBody, Column, Number, Stream};
use super::lexicon::Index;
use super::{ContentHash, HEADER, Load, Paged, Resident, Store, TEXT_PIECE, checksum, header, text_checksum};
use crate::analyze::Analyzer;
use crate::error::OpenError;
use crate::varint;

/// An opened blob. It keeps the bytes as they came and reads texts and postings in place.
pub struct Blob<S = Resident> {
    store: S,
    pub(super) hash: ContentHash,
    settings: Range<usize>,
    synonyms: Range<usize>,
    /// By [`Number`].
    numbers: [u32; Number::COUNT],
    /// Strings of the streams, by [`Stream`]: where each begins, with one end more.
    strings: [Vec<u32>; STRINGS],
    /// Per heading: the distance back to its parent's row; 0 for a top heading.
    pub(super) parents: Vec<u32>,
    pub(super) pages: Vec<u32>,
    /// 1 + heading row; 0 without.
    pub(super) headings: Vec<u32>,
    tokens: Vec<u32>,
    pinned: Vec<bool>,
    lengths: Vec<u32>,
    /// Where each text begins, counted from the header's end, with the end of all as one more.
    text_starts: Vec<u32>,
    text_checksum: u64,
    /// Where each stream begins in the file.
    streams: [usize; Stream::COUNT],
    file_len: usize,
    /// Sections that repeat another or are repeated, ascending, each with the first that says the same.
    repeats: Vec<(u32, u32)>,
    pub(super) index: Index,
}

/// How many of the streams hold strings: the first.
const STRINGS: usize = 5;

/// The body, by names; places in it are counted in the store's bytes.
pub(super) struct Tables<'b> {
    archived: &'b ArchivedBody,
    bytes: &'b [u8],
}

impl Tables<'_> {
    pub fn column(&self, column: Column) -> &[u8] {
        &self.archived.columns[column as usize]
    }

    /// Where a column lies, so that it can be found again without keeping a reference.
    pub fn range(&self, column: Column) -> Range<usize> {
        let slice = self.column(column);
        let start = (slice.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        let end = start.wrapping_add(slice.len());
        if slice.is_empty() || end > self.bytes.len() { 0..0 } else { start..end }
    }

    pub fn number(&self, number: Number) -> u32 {
        self.archived.numbers[number as usize].to_native()
    }
}

impl Blob {
    /// Opens a blob.
    ///
    /// Cost: one pass for the checksums and one over the columns; texts and postings are not copied out.
    ///
    /// # Errors
    ///
    /// `blob-magic`, `blob-truncated`, `blob-format`, `blob-analyzer`, `blob-damaged`: see [`OpenError`]. Bytes of any kind give
    /// a blob or one of these.
    pub fn open(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, OpenError> {
        let bytes = bytes.into();
        let (len, body) = (bytes.len(), header::body_start(&bytes).min(bytes.len()));
        let hash = header::check(&bytes, &bytes[body..], len)?;
        let blob = Self::with(Resident(bytes), body, hash, len)?;
        let texts = blob.store.read(HEADER..blob.streams[0]);
        if text_checksum(&texts) == blob.text_checksum { Ok(blob) } else { Err(OpenError::Damaged("texts")) }
    }

    /// Text of a section; empty for a pinned one that is not published and for an id that does not exist.
    #[must_use]
    pub fn text(&self, id: u32) -> &str {
        utf8(self.store.0.get(self.text_span(id)).unwrap_or(&[]))
    }
}

impl<L: Load> Blob<Paged<L>> {
    /// Opens a blob of which only the body is read now. `file` gives what a question needs later; `file_len` is its length in bytes.
    ///
    /// Texts stay with the caller, at [`Blob::text_span`]; [`Blob::has_whole_texts`] checks them.
    ///
    /// # Errors
    ///
    /// As [`Blob::open`], but for damage of the texts and of the streams: [`Paged::is_damaged`] tells of those.
    pub fn open_paged(file: L, file_len: usize) -> Result<Self, OpenError> {
        let head = file.load(0, HEADER);
        let body = file.load(header::body_start(&head), file_len);
        let hash = header::check(&head, &body, file_len)?;
        Self::with(Paged::new(body, file), 0, hash, file_len)
    }

    /// Are the texts those that the blob was built with? Cost: one pass over them.
    #[must_use]
    pub fn has_whole_texts(&self) -> bool {
        let (mut sum, mut at, end) = (0, HEADER, self.streams[0]);
        while at < end {
            let next = (at + TEXT_PIECE).min(end);
            sum = checksum(sum, &self.store.file().load(at, next));
            at = next;
        }
        self.text_checksum == sum
    }
}

impl<S: Store> Blob<S> {
    /// Reads the body, which begins at `start` of the store's bytes.
    fn with(store: S, start: usize, hash: ContentHash, file_len: usize) -> Result<Self, OpenError> {
        let bytes = store.body();
        let body = bytes.get(start..).unwrap_or(&[]);
        let body_len = body.len();
        let archived = rkyv::access::<ArchivedBody, Failure>(body).map_err(|_| OpenError::Damaged("body"))?;
        let tables = Tables { archived, bytes };
        let column = |name| tables.column(name);
        let text_starts = starts(column(Column::TextLengths));
        let pages = sums(column(Column::Pages));
        let strings = [Column::Titles, Column::Anchors, Column::Files, Column::Urls, Column::PageTitles]
            .map(|c| starts(column(c)));
        let index = Index::new(&tables).ok_or(OpenError::Damaged("table"))?;
        let checksums = archived.piece_checksums.iter().map(|sum| sum.to_native()).collect();
        let mut blob = Self {
            hash,
            settings: tables.range(Column::Settings),
            synonyms: tables.range(Column::Synonyms),
            numbers: archived.numbers.map(Into::into),
            parents: varint::column(column(Column::Parents), 0),
            headings: walk(column(Column::Headings)),
            tokens: near(column(Column::Tokens), tables.number(Number::TokenRate), &text_starts),
            pinned: flags(&sums(column(Column::Pinned)), pages.len()),
            lengths: near(column(Column::Lengths), tables.number(Number::TermRate), &text_starts),
            repeats: pairs(column(Column::Repeats)),
            pages,
            text_starts,
            text_checksum: archived.text_checksum.to_native(),
            streams: [0; Stream::COUNT],
            file_len,
            strings,
            index,
            store,
        };
        let whole = blob.place_streams(file_len - body_len) && blob.is_whole();
        let whole = whole && blob.store.set_streams(blob.streams[0]..file_len - body_len, checksums);
        if whole { Ok(blob) } else { Err(OpenError::Damaged("table")) }
    }

    /// Finds where each stream begins, by their lengths. False when they do not end where the body begins.
    fn place_streams(&mut self, body: usize) -> bool {
        let end = |starts: &Vec<u32>| *starts.last().unwrap_or(&0) as usize;
        let mut at = HEADER + end(&self.text_starts);
        let lengths = self.strings.iter().map(end).chain(self.index.ends().map(|end| end as usize));
        for (place, length) in self.streams.iter_mut().zip(lengths) {
            *place = at;
            at = at.saturating_add(length);
        }
        at == body
    }

    /// Do columns of one table have the same length, and do rows name rows that exist?
    fn is_whole(&self) -> bool {
        let sections = self.pages.len();
        let same = [self.headings.len(), self.tokens.len(), self.lengths.len(), self.text_starts.len() - 1];
        let [headings, anchors, pages, urls, titles] = self.strings.each_ref().map(|starts| starts.len() - 1);
        same.iter().all(|len| *len == sections)
            && [anchors, self.parents.len()] == [headings; 2]
            && [urls, titles] == [pages; 2]
            && self.pages.iter().all(|page| (*page as usize) < pages)
            && self.headings.iter().all(|heading| *heading as usize <= headings)
    }

    /// Where the text of a section lies in the file; empty for an id that does not exist.
    #[must_use]
    pub fn text_span(&self, id: u32) -> Range<usize> {
        let id = id as usize;
        let at = |row: usize| self.text_starts.get(row).map(|start| HEADER + *start as usize);
        at(id).zip(at(id + 1)).map_or(0..0, |(start, end)| start..end)
    }

    /// The bytes behind the blob.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// The content hash, from the header.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// BCP 47 tag of the language the blob was analyzed in; of several, parted by commas, the one of most text first.
    #[must_use]
    pub fn language(&self) -> &str {
        self.setting(0)
    }

    /// The analyzer that made the blob's terms.
    #[must_use]
    pub fn analyzer(&self) -> Analyzer {
        #[cfg(not(feature = "languages"))]
        return Analyzer::new(self.language());
        #[cfg(feature = "languages")]
        Analyzer::with(self.language(), self.languages())
    }

    /// What the blob says of its languages, for [`Analyzer::with`]; empty for English.
    #[cfg(feature = "languages")]
    #[must_use]
    pub fn languages(&self) -> &[u8] {
        self.in_body(&self.settings).split(|byte| *byte == 0).nth(5).unwrap_or(&[])
    }

    /// Token encoding of all counts.
    #[must_use]
    pub fn encoding(&self) -> &str {
        self.setting(1)
    }

    /// Name of the site.
    #[must_use]
    pub fn site(&self) -> &str {
        self.setting(2)
    }

    /// Tokens of knowledge one request may hold.
    #[must_use]
    pub fn budget(&self) -> u32 {
        self.numbers[Number::Budget as usize]
    }

    /// Tokens that the floor fills up to.
    #[must_use]
    pub fn floor(&self) -> u32 {
        self.numbers[Number::Floor as usize]
    }

    /// Visitor messages that make the query.
    #[must_use]
    pub fn messages(&self) -> u32 {
        self.numbers[Number::Messages as usize]
    }

    /// Should a word that no section holds stand for the term nearest to it?
    #[must_use]
    pub fn corrects_typos(&self) -> bool {
        self.numbers[Number::Typos as usize] == 1
    }

    /// `k1` and `b` of BM25, the weight of a term in the title, and that of the message before the last.
    #[must_use]
    pub fn weights(&self) -> [f32; 4] {
        [Number::K1, Number::B, Number::Title, Number::Earlier]
            .map(|number| self.numbers[number as usize] as f32 / 100.0)
    }

    /// A line for each synonym: the terms that it stands for with blanks between, a tab, its own terms likewise, a tab, its weight in
    /// hundredths.
    #[must_use]
    pub fn synonyms(&self) -> &str {
        utf8(self.in_body(&self.synonyms))
    }

    /// Number of sections, pinned ones among them. Ids are `0..sections()`.
    #[must_use]
    pub fn sections(&self) -> usize {
        self.pages.len()
    }

    /// Number of terms in the index.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.index.terms
    }

    /// Size of the blob in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.file_len
    }

    /// Tokens of a section as rendered into the prompt; 0 for an id that does not exist.
    #[must_use]
    pub fn tokens(&self, id: u32) -> u32 {
        self.tokens.get(id as usize).copied().unwrap_or(0)
    }

    /// Is the section pinned?
    #[must_use]
    pub fn is_pinned(&self, id: u32) -> bool {
        self.pinned.get(id as usize).copied().unwrap_or(false)
    }

    /// The first of the sections whose text is nearly that of this one; `None` when it is like no other.
    #[must_use]
    pub fn repeated(&self, id: u32) -> Option<u32> {
        let place = self.repeats.binary_search_by_key(&id, |row| row.0).ok()?;
        Some(self.repeats[place].1)
    }

    /// Are both sections pieces of what stands under one heading?
    #[must_use]
    pub fn are_pieces(&self, id: u32, other: u32) -> bool {
        let of = |id: u32| Some((self.pages.get(id as usize)?, self.headings.get(id as usize)?));
        of(id).is_some_and(|heading| of(other) == Some(heading))
    }

    /// Lengths of the sections in terms; 0 for pinned ones.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    pub(super) fn setting(&self, row: usize) -> &str {
        utf8(self.in_body(&self.settings).split(|byte| *byte == 0).nth(row).unwrap_or(&[]))
    }

    pub(super) fn in_body(&self, range: &Range<usize>) -> &[u8] {
        self.store.body().get(range.clone()).unwrap_or(&[])
    }

    /// The bytes from one start to the next, in a stream.
    pub(super) fn read(&self, stream: Stream, starts: &[u32], row: usize) -> Cow<'_, [u8]> {
        let (Some(&start), Some(&end)) = (starts.get(row), starts.get(row + 1)) else { return Cow::Borrowed(&[]) };
        let from = self.streams[stream as usize];
        self.store.read(from + start as usize..from + end as usize)
    }

    /// Text of a section, read from where it is; empty as [`Blob::text_span`] is.
    #[must_use]
    pub fn read_text(&self, id: u32) -> String {
        String::from_utf8(self.store.read_text(self.text_span(id)).into_owned()).unwrap_or_default()
    }

    pub(super) fn string(&self, stream: Stream, row: u32) -> String {
        let starts = self.strings.get(stream as usize).map_or(&[][..], |starts| starts);
        utf8(&self.read(stream, starts, row as usize)).to_string()
    }
}

/// Bytes as text; nothing when they are not. The checksum has already told damage from design.
fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("")
}
