//! Bytes to a knowledge base that can be searched.

use std::borrow::Cow;
use std::ops::Range;

use rkyv::rancor::Failure;

use super::layout::{ArchivedBody, ArchivedStrings};
use super::{
    BLOCK, CHECKED_FROM, ContentHash, FORMAT, HEADER, MAGIC, OLDEST_FORMAT, TEXT_PIECE, checksum, plain_anchor,
    plain_url, predicted, text_checksum, word,
};
use crate::error::{OpenError, decimal};
use crate::{ANALYZER, varint};

/// An opened blob. It keeps the bytes as they came and reads texts and postings in place.
pub struct Blob {
    bytes: Cow<'static, [u8]>,
    hash: ContentHash,
    /// Language, encoding, site, what addresses begin with, folder of those files.
    settings: Strings,
    budget: u32,
    floor: u32,
    messages: u32,
    files: Strings,
    urls: Strings,
    page_titles: Strings,
    titles: Strings,
    anchors: Strings,
    /// Per heading: its parent's row.
    parents: Vec<Option<u32>>,
    pages: Vec<u32>,
    headings: Vec<Option<u32>>,
    tokens: Vec<u32>,
    pinned: Vec<bool>,
    lengths: Vec<u32>,
    /// The texts are in `bytes`, not only in the file.
    has_texts: bool,
    /// Where each text begins, counted from the header's end, with the end of all as one more.
    text_starts: Vec<u32>,
    file_len: usize,
    text_checksum: u64,
    index: Index,
}

/// What is stored of a section beside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionMeta {
    /// The owner's id: `file.md#anchor`, with `~2` and so on for the later pieces of one heading; `_id` for JSONL.
    pub reference: String,
    /// The last heading of the path; the page title or the file name where there is none.
    pub title: String,
    /// Heading path, outermost first.
    pub path: Vec<String>,
    /// Page address with anchor; empty when the page is not public.
    pub url: String,
}

/// One section that holds a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// Section id.
    pub section: u32,
    /// Occurrences, ≥ 1.
    pub tf: u32,
}

struct Index {
    stored_terms: usize,
    terms: usize,
    lexicon: Range<usize>,
    /// Two bytes a term: shared with the term before, and the rest.
    lexicon_lengths: Range<usize>,
    df: Range<usize>,
    firsts: Range<usize>,
    gaps: Range<usize>,
    tf: Range<usize>,
    /// Per block of terms: where it begins in each of the streams, with the end as one more.
    lexicon_starts: Vec<u32>,
    df_starts: Vec<u32>,
    first_starts: Vec<u32>,
    gap_starts: Vec<u32>,
    tf_starts: Vec<u32>,
}

/// Strings of the blob: byte range of the arena and where each begins, with one end more.
struct Strings {
    arena: Range<usize>,
    starts: Vec<u32>,
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
        let texts = HEADER..Self::parts(&bytes).1;
        let body = bytes.get(texts.end..).unwrap_or(&[]);
        let mut blob = Self::open_parts(&bytes, &bytes, body, bytes.len())?;
        if text_checksum(bytes.get(texts).unwrap_or(&[])) != blob.text_checksum {
            return Err(OpenError::Damaged("texts"));
        }
        blob.has_texts = true;
        blob.bytes = bytes;
        Ok(blob)
    }

    /// Opens the parts of a blob that searching needs: its header and its body, as [`Blob::parts`] tells them. `file_len` is the length
    /// of the whole file.
    ///
    /// The texts stay with the caller, at [`Blob::text_span`]; [`Blob::text_checksum_continued`] checks them.
    ///
    /// # Errors
    ///
    /// As [`Blob::open`].
    pub fn open_head(header: &[u8], body: Vec<u8>, file_len: usize) -> Result<Self, OpenError> {
        let mut blob = Self::open_parts(header, &body, &body, file_len)?;
        blob.bytes = Cow::Owned(body);
        Ok(blob)
    }

    /// Opens a body that lies within `bytes`.
    fn open_parts(header: &[u8], bytes: &[u8], body: &[u8], file_len: usize) -> Result<Self, OpenError> {
        let hash = check_header(header, body, file_len)?;
        let archived = rkyv::access::<ArchivedBody, Failure>(body).map_err(|_| OpenError::Damaged("body"))?;
        let mut blob = Self::read(bytes, archived, hash).check(word(header, 28))?;
        blob.file_len = file_len;
        Ok(blob)
    }

    /// Bytes of the header, and where the body begins, told by the header.
    #[must_use]
    pub fn parts(header: &[u8]) -> (usize, usize) {
        (HEADER, HEADER + word(header, 28) as usize)
    }

    /// Where the text of a section lies in the file; empty for an id that does not exist.
    #[must_use]
    pub fn text_span(&self, id: u32) -> Range<usize> {
        let id = id as usize;
        let at = |row: usize| self.text_starts.get(row).map(|start| HEADER + *start as usize);
        at(id).zip(at(id + 1)).map_or(0..0, |(start, end)| start..end)
    }

    /// Continues a checksum of texts (begun with 0) by the next piece of [`Blob::TEXT_PIECE`] bytes, the last one shorter.
    #[must_use]
    pub fn text_checksum_continued(sum: u64, piece: &[u8]) -> u64 {
        checksum(sum, piece)
    }

    /// Is this the checksum of the blob's texts?
    #[must_use]
    pub fn has_text_checksum(&self, sum: u64) -> bool {
        self.text_checksum == sum
    }

    /// Bytes of a piece for [`Blob::text_checksum_continued`].
    pub const TEXT_PIECE: usize = TEXT_PIECE;

    fn read(bytes: &[u8], body: &ArchivedBody, hash: ContentHash) -> Self {
        let at = Place(bytes);
        let text_starts = starts(&body.sections.text_lengths);
        let [token_rate, term_rate] = body.sections.rates.map(Into::into);
        let pages = sums(&body.sections.pages);
        let index = &body.index;
        // A damaged count must not decide how long we work: `check` compares it with the stored one.
        let terms = index.lexicon_lengths.len() / 2;
        Self {
            bytes: Cow::Borrowed(&[]),
            hash,
            settings: at.strings(&body.settings),
            budget: body.budget.to_native(),
            floor: body.floor.to_native(),
            messages: body.messages.to_native(),
            files: at.strings(&body.pages.files),
            urls: at.strings(&body.pages.urls),
            page_titles: at.strings(&body.pages.titles),
            titles: at.strings(&body.headings.titles),
            anchors: at.strings(&body.headings.anchors),
            parents: parents(&body.headings.parents),
            headings: walk(&body.sections.headings),
            tokens: near(&body.sections.tokens, token_rate, &text_starts),
            pinned: flags(&sums(&body.sections.pinned), pages.len()),
            lengths: near(&body.sections.lengths, term_rate, &text_starts),
            pages,
            has_texts: false,
            text_starts,
            file_len: 0,
            text_checksum: body.sections.text_checksum.to_native(),
            index: Index {
                stored_terms: index.terms.to_native() as usize,
                terms,
                lexicon: at.range(&index.lexicon),
                lexicon_lengths: at.range(&index.lexicon_lengths),
                df: at.range(&index.df),
                firsts: at.range(&index.firsts),
                gaps: at.range(&index.gaps),
                tf: at.range(&index.tf),
                lexicon_starts: lexicon_starts(&index.lexicon_lengths),
                df_starts: block_starts(&index.df, terms),
                first_starts: block_starts(&index.firsts, terms),
                gap_starts: starts(&index.gap_blocks),
                tf_starts: starts(&index.tf_blocks),
            },
        }
    }

    /// Checks that columns of one table have the same length and that rows name rows that exist.
    fn check(self, text_bytes: u32) -> Result<Self, OpenError> {
        let sections = self.pages.len();
        let same = [self.headings.len(), self.tokens.len(), self.lengths.len(), self.text_starts.len() - 1];
        let pages = self.files.count();
        let headings = self.titles.count();
        let arenas = [&self.settings, &self.files, &self.urls, &self.page_titles, &self.titles, &self.anchors];
        let whole = same.iter().all(|len| *len == sections)
            && [self.urls.count(), self.page_titles.count()] == [pages; 2]
            && [self.anchors.count(), self.parents.len()] == [headings; 2]
            && self.pages.iter().all(|page| (*page as usize) < pages)
            && self.headings.iter().flatten().all(|heading| (*heading as usize) < headings)
            && arenas.iter().all(|strings| strings.is_whole())
            && self.text_starts.last() == Some(&text_bytes)
            && self.index.is_whole();
        if whole { Ok(self) } else { Err(OpenError::Damaged("table")) }
    }

    /// The content hash, from the header.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        self.hash
    }

    /// BCP 47 tag of the language the blob was analyzed in.
    #[must_use]
    pub fn language(&self) -> &str {
        self.settings.get(&self.bytes, 0)
    }

    /// Token encoding of all counts.
    #[must_use]
    pub fn encoding(&self) -> &str {
        self.settings.get(&self.bytes, 1)
    }

    /// Name of the site.
    #[must_use]
    pub fn site(&self) -> &str {
        self.settings.get(&self.bytes, 2)
    }

    /// Tokens of knowledge one request may hold.
    #[must_use]
    pub fn budget(&self) -> u32 {
        self.budget
    }

    /// Tokens that the floor fills up to.
    #[must_use]
    pub fn floor(&self) -> u32 {
        self.floor
    }

    /// Visitor messages that make the query.
    #[must_use]
    pub fn messages(&self) -> u32 {
        self.messages
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

    /// Lengths of the sections in terms; 0 for pinned ones.
    #[must_use]
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// Text of a section; empty for a pinned one that is not published, for an id that does not exist, and where only the head is open.
    #[must_use]
    pub fn text(&self, id: u32) -> &str {
        if !self.has_texts {
            return "";
        }
        utf8(self.bytes.get(self.text_span(id)).unwrap_or(&[]))
    }

    /// The owner's id of a section.
    #[must_use]
    pub fn reference(&self, id: u32) -> String {
        let Some(&page) = self.pages.get(id as usize) else { return String::new() };
        let heading = self.headings[id as usize];
        let mut out = self.files.get(&self.bytes, page).to_string();
        if let Some(heading) = heading {
            if !out.is_empty() {
                out.push('#');
            }
            out.push_str(&self.anchor(heading));
        }
        let part = self.part(id, page, heading);
        if part > 1 {
            out.push('~');
            out.push_str(&decimal(part));
        }
        out
    }

    fn url(&self, page: u32, file: &str) -> String {
        let setting = |row| self.settings.get(&self.bytes, row);
        match self.urls.get(&self.bytes, page) {
            "" => plain_url(setting(3), setting(4), file),
            "\0" => String::new(),
            url => url.to_string(),
        }
    }

    fn anchor(&self, heading: u32) -> Cow<'_, str> {
        let stored = self.anchors.get(&self.bytes, heading);
        if stored.is_empty() {
            return plain_anchor(self.titles.get(&self.bytes, heading)).unwrap_or_default().into();
        }
        stored.into()
    }

    /// Which piece of its heading a section is, from 1.
    fn part(&self, id: u32, page: u32, heading: Option<u32>) -> u32 {
        let same = |id: &u32| self.pages[*id as usize] == page && self.headings[*id as usize] == heading;
        (0..id).rev().take_while(same).count() as u32 + 1
    }

    /// Everything stored of a section beside its text; `None` for an id that does not exist.
    #[must_use]
    pub fn meta(&self, id: u32) -> Option<SectionMeta> {
        let page = *self.pages.get(id as usize)?;
        let heading = self.headings[id as usize];
        let path = self.path(page, heading);
        let reference = self.reference(id);
        let file = self.files.get(&self.bytes, page);
        let fallback = || if file.is_empty() { reference.clone() } else { stem(file).to_string() };
        let title = path.last().cloned().unwrap_or_else(fallback);
        let mut url = self.url(page, file);
        let from_file = !file.is_empty();
        if let Some(heading) = heading.filter(|_| from_file && !url.is_empty()) {
            url.push('#');
            url.push_str(&self.anchor(heading));
        }
        Some(SectionMeta { reference, title, path, url })
    }

    fn path(&self, page: u32, heading: Option<u32>) -> Vec<String> {
        let mut path = Vec::new();
        let mut next = heading;
        while let Some(row) = next {
            let title = self.titles.get(&self.bytes, row);
            if !title.is_empty() {
                path.push(title.to_string());
            }
            next = self.parents[row as usize];
        }
        let title = self.page_titles.get(&self.bytes, page);
        if !title.is_empty() && path.last().is_none_or(|first| *first != title) {
            path.push(title.to_string());
        }
        path.reverse();
        path
    }

    /// The number of a term in the lexicon; `None` when no section holds it.
    #[must_use]
    pub fn term(&self, term: &str) -> Option<u32> {
        let (wanted, index) = (term.as_bytes(), &self.index);
        let [lexicon, lengths] = [&index.lexicon, &index.lexicon_lengths].map(|range| self.stream(range));
        // The bytes of a term after those that it shares with the term before, given where they begin.
        let rest = |number: usize, at: usize| {
            let length = lengths.get(2 * number + 1).map_or(0, |length| usize::from(*length));
            lexicon.get(at..at + length).unwrap_or(&[])
        };
        // The last block whose head is not after the term.
        let (mut low, mut high) = (0, index.lexicon_starts.len() - 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            if rest(middle * BLOCK, index.lexicon_starts[middle] as usize) <= wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let first = low.checked_sub(1)? * BLOCK;
        let mut at = index.lexicon_starts[low - 1] as usize;
        // Bytes that the term shares with the last term seen: a later term that shares fewer with that one is past it.
        let mut common = 0;
        for number in first..(first + BLOCK).min(index.terms) {
            let (shared, rest) = (usize::from(*lengths.get(2 * number)?), rest(number, at));
            at += rest.len();
            if shared > common {
                continue;
            }
            if shared < common {
                return None;
            }
            let left = wanted.get(common..)?;
            let same = rest.iter().zip(left).take_while(|(a, b)| a == b).count();
            if same == left.len() {
                return (same == rest.len()).then_some(number as u32);
            }
            common += same;
        }
        None
    }

    fn stream(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or(&[])
    }

    /// Sections that hold a term, and those that hold the terms before it in its block.
    fn df_before(&self, term: u32) -> (u32, usize) {
        let (number, df) = (term as usize, self.stream(&self.index.df));
        let Some(&start) = self.index.df_starts.get(number / BLOCK).filter(|_| number < self.index.terms) else {
            return (0, 0);
        };
        let (mut at, mut before) = (start as usize, 0);
        for _ in 0..number % BLOCK {
            before += varint::read(df, &mut at) as usize;
        }
        (varint::read(df, &mut at), before)
    }

    /// Number of sections that hold a term.
    #[must_use]
    pub fn df(&self, term: u32) -> u32 {
        self.df_before(term).0
    }

    /// Calls `each` for every section that holds the term, by ascending id.
    #[inline]
    pub fn each_posting(&self, term: u32, mut each: impl FnMut(Posting)) {
        let index = &self.index;
        let [firsts, gaps, tfs] = [&index.firsts, &index.gaps, &index.tf].map(|range| self.stream(range));
        let (block, place) = (term as usize / BLOCK, term as usize % BLOCK);
        let (df, before) = self.df_before(term);
        let start = |starts: &[u32]| starts.get(block).map_or(usize::MAX, |start| *start as usize);
        let mut at = varint::skip(firsts, start(&index.first_starts), place);
        let mut section = varint::read(firsts, &mut at);
        let mut at = varint::skip(gaps, start(&index.gap_starts), before.saturating_sub(place));
        let mut tf_at = varint::skip(tfs, start(&index.tf_starts), before);
        for left in (0..df).rev() {
            if section as usize >= self.pages.len() {
                return;
            }
            each(Posting { section, tf: varint::read(tfs, &mut tf_at).saturating_add(1) });
            if left > 0 {
                section = section.saturating_add(varint::read(gaps, &mut at)).saturating_add(1);
            }
        }
    }
}

/// Reads the plain header; its errors name what was found and wanted.
fn check_header(bytes: &[u8], body: &[u8], file_len: usize) -> Result<ContentHash, OpenError> {
    if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) || bytes.is_empty() {
        return Err(OpenError::Magic);
    }
    if bytes.len() < HEADER {
        return Err(OpenError::Truncated { found: bytes.len(), wanted: HEADER });
    }
    let (format, analyzer) = (word(bytes, 16), word(bytes, 20));
    if !(OLDEST_FORMAT..=FORMAT).contains(&format) {
        return Err(OpenError::Format { found: format });
    }
    if analyzer != ANALYZER {
        return Err(OpenError::Analyzer { found: analyzer });
    }
    let (texts, body_len) = (word(bytes, 28) as usize, word(bytes, 24) as usize);
    let wanted = HEADER.saturating_add(texts).saturating_add(body_len);
    if file_len != wanted || body.len() != body_len {
        return Err(OpenError::Truncated { found: file_len, wanted });
    }
    if bytes[8..CHECKED_FROM] != checksum(checksum(0, &bytes[CHECKED_FROM..HEADER]), body).to_le_bytes() {
        return Err(OpenError::Damaged("checksum"));
    }
    let mut hash = [0; 16];
    hash.copy_from_slice(&bytes[32..48]);
    Ok(ContentHash(hash))
}

/// Where slices of the archive lie in the bytes, so that they can be found again without keeping a reference.
struct Place<'b>(&'b [u8]);

impl Place<'_> {
    fn range(&self, slice: &[u8]) -> Range<usize> {
        let start = (slice.as_ptr() as usize).wrapping_sub(self.0.as_ptr() as usize);
        let end = start.wrapping_add(slice.len());
        if slice.is_empty() || end > self.0.len() { 0..0 } else { start..end }
    }

    fn strings(&self, strings: &ArchivedStrings) -> Strings {
        Strings { arena: self.range(&strings.bytes), starts: starts(&strings.lengths) }
    }
}

impl Strings {
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn is_whole(&self) -> bool {
        self.starts.last().is_some_and(|end| *end as usize == self.arena.len())
    }

    fn get<'b>(&self, bytes: &'b [u8], row: u32) -> &'b str {
        let row = row as usize;
        let (Some(&start), Some(&end)) = (self.starts.get(row), self.starts.get(row + 1)) else { return "" };
        let from = self.arena.start;
        utf8(bytes.get(from + start as usize..from + end as usize).unwrap_or(&[]))
    }
}

impl Index {
    fn is_whole(&self) -> bool {
        let blocks = self.terms.div_ceil(BLOCK);
        let ends = |starts: &[u32], range: &Range<usize>| {
            starts.len() == blocks + 1 && starts.last().is_some_and(|end| *end as usize == range.len())
        };
        self.stored_terms == self.terms
            && self.lexicon_lengths.len() == 2 * self.terms
            && ends(&self.lexicon_starts, &self.lexicon)
            && ends(&self.df_starts, &self.df)
            && ends(&self.first_starts, &self.firsts)
            && ends(&self.gap_starts, &self.gaps)
            && ends(&self.tf_starts, &self.tf)
    }
}

/// A column of lengths as offsets, with the end as one more.
#[inline(never)]
fn starts(column: &[u8]) -> Vec<u32> {
    let mut out = Vec::with_capacity(column.len() + 1);
    out.push(0);
    let (mut at, mut sum) = (0, 0u32);
    while at < column.len() {
        sum = sum.saturating_add(varint::read(column, &mut at));
        out.push(sum);
    }
    out
}

/// A column of differences as values.
fn sums(column: &[u8]) -> Vec<u32> {
    let mut out = starts(column);
    out.remove(0);
    out
}

/// A number that lies a zigzag way from another.
fn from(base: u32, zigzag: u32) -> u32 {
    base.wrapping_add_signed((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
}

/// A column of zigzag ways, each from the row before, as heading rows.
fn walk(column: &[u8]) -> Vec<Option<u32>> {
    let mut here = 0;
    let step = |zigzag| {
        here = from(here, zigzag);
        here.checked_sub(1)
    };
    varint::column(column).into_iter().map(step).collect()
}

/// A column of zigzag ways, each from what the text's length predicts.
#[inline(never)]
fn near(column: &[u8], rate: u32, text_starts: &[u32]) -> Vec<u32> {
    let mut out = varint::column(column);
    for (row, value) in out.iter_mut().enumerate() {
        let bytes = text_starts.get(row + 1).map_or(0, |end| end - text_starts[row]);
        *value = from(predicted(rate, bytes), *value);
    }
    out
}

/// Which rows a list of rows names.
fn flags(rows: &[u32], count: usize) -> Vec<bool> {
    let mut out = vec![false; count];
    for row in rows {
        if let Some(flag) = out.get_mut(*row as usize) {
            *flag = true;
        }
    }
    out
}

/// A column of distances back as parent rows.
fn parents(column: &[u8]) -> Vec<Option<u32>> {
    let distances = varint::column(column).into_iter().enumerate();
    distances.map(|(row, back)| if back == 0 { None } else { (row as u32).checked_sub(back) }).collect()
}

/// Where each block begins in the lexicon, with the end as one more.
fn lexicon_starts(lengths: &[u8]) -> Vec<u32> {
    let (mut out, mut sum) = (vec![0], 0u32);
    for block in lengths.chunks(2 * BLOCK) {
        for term in block.chunks(2) {
            sum = sum.saturating_add(term.last().map_or(0, |rest| u32::from(*rest)));
        }
        out.push(sum);
    }
    out
}

/// Where each block begins in a column of one integer a term, with the end as one more.
fn block_starts(column: &[u8], terms: usize) -> Vec<u32> {
    let (mut out, mut at) = (vec![0], 0);
    for first in (0..terms).step_by(BLOCK) {
        at = varint::skip(column, at, BLOCK.min(terms - first));
        out.push(at as u32);
    }
    out
}

/// Bytes as text; nothing when they are not. The checksum has already told damage from design.
fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("")
}

/// File name without folder and extension.
fn stem(file: &str) -> &str {
    let bytes = file.as_bytes();
    let start = bytes.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    let end = bytes.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > start).unwrap_or(bytes.len());
    file.get(start..end).unwrap_or(file)
}
