//! A knowledge base to bytes.

use super::header::body_start;
use super::layout::{Body, Column, Number, Stream};
use super::{
    ALL_LANGUAGES, BLOCK, CHECKED_FROM, ContentHash, FORMAT, HEADER, MAGIC, PIECE, Posting, checksum, piece_checksum,
    plain_anchor, plain_url, predicted, text_checksum,
};
use crate::ANALYZER;
use crate::analyze::{is_known, records};
use crate::config::Query;
use crate::index::Postings;
use crate::section::{Section, SectionSet};
use crate::varint;

/// What goes into the header and the settings of the body.
pub struct Settings<'a> {
    /// BCP 47 tag.
    pub language: &'a str,
    /// Token encoding.
    pub encoding: &'a str,
    /// Name of the site.
    pub site: &'a str,
    /// What most page addresses begin with, `/` at its end.
    pub url_begin: &'a str,
    /// Folder of the files that have such an address, `/` at its end; may be empty.
    pub url_folder: &'a str,
    /// Tokens of knowledge one request may hold.
    pub budget: u32,
    /// Tokens that the floor fills up to.
    pub floor: u32,
    /// `[query]`: how a conversation becomes a question, and how sections are scored.
    pub query: &'a Query,
    /// See [`Column::Synonyms`].
    pub synonyms: &'a str,
    /// Sections whose texts are nearly the same, in groups of ascending ids.
    pub repeats: &'a [Vec<u32>],
    /// Put the text of pinned sections into the blob.
    pub publish_pinned: bool,
}

/// Encodes a knowledge base. The same input gives the same bytes on every machine.
///
/// # Panics
///
/// Never for input that fits in 4 GiB.
#[must_use]
pub fn encode(set: &SectionSet, postings: &Postings, settings: &Settings<'_>, hash: ContentHash) -> Vec<u8> {
    let mut draft = Draft::default();
    for text in [settings.language, settings.encoding, settings.site, settings.url_begin, settings.url_folder] {
        // A zero byte would end the text early.
        draft.column(Column::Settings).extend(text.bytes().filter(|byte| *byte != 0).chain([0]));
    }
    draft.add_numbers([(Number::Budget, settings.budget), (Number::Floor, settings.floor)]);
    draft.add_numbers([(Number::Terms, postings.terms.len() as u32)]);
    draft.add_query(settings);
    draft.add_pages(set, settings);
    draft.add_headings(set);
    draft.add_sections(&set.sections, postings, settings.publish_pinned);
    draft.add_index(postings);
    if !is_known(settings.language) {
        return draft.seal(hash, ANALYZER);
    }
    draft.column(Column::Settings).extend(records(settings.language).into_iter().chain([0]));
    draft.seal(hash, ANALYZER | ALL_LANGUAGES)
}

/// A blob under way.
#[derive(Default)]
struct Draft {
    numbers: [u32; Number::COUNT],
    columns: [Vec<u8>; Column::COUNT],
    streams: [Vec<u8>; Stream::COUNT],
    texts: Vec<u8>,
}

impl Draft {
    fn column(&mut self, column: Column) -> &mut Vec<u8> {
        &mut self.columns[column as usize]
    }

    fn push(&mut self, column: Column, value: u32) {
        varint::write(self.column(column), value);
    }

    fn stream(&mut self, stream: Stream) -> &mut Vec<u8> {
        &mut self.streams[stream as usize]
    }

    /// Appends a string to a stream, and its length to the column beside it.
    fn push_string(&mut self, lengths: Column, stream: Stream, text: &str) {
        self.push(lengths, text.len() as u32);
        self.stream(stream).extend_from_slice(text.as_bytes());
    }

    fn add_numbers<const N: usize>(&mut self, numbers: [(Number, u32); N]) {
        numbers.iter().for_each(|(number, value)| self.numbers[*number as usize] = *value);
    }

    #[allow(clippy::cast_sign_loss, reason = "weights are not negative, and a negative one becomes 0")]
    fn add_query(&mut self, settings: &Settings<'_>) {
        let Query { messages, k1, b, title, earlier, typos, synonyms: _ } = settings.query;
        let hundredths = |value: &f32| (value * 100.0).round() as u32;
        self.add_numbers([(Number::Messages, *messages), (Number::Typos, u32::from(*typos))]);
        self.add_numbers([(Number::K1, hundredths(k1)), (Number::B, hundredths(b))]);
        self.add_numbers([(Number::Title, hundredths(title)), (Number::Earlier, hundredths(earlier))]);
        self.column(Column::Synonyms).extend_from_slice(settings.synonyms.as_bytes());
        self.add_repeats(settings.repeats);
    }

    fn add_repeats(&mut self, groups: &[Vec<u32>]) {
        let mut rows: Vec<(u32, u32)> =
            groups.iter().flat_map(|group| group.iter().map(|id| (*id, id - group[0]))).collect();
        rows.sort_unstable();
        let mut last = 0;
        for (id, back) in rows {
            self.push(Column::Repeats, id - last);
            self.push(Column::Repeats, back);
            last = id;
        }
    }

    fn add_pages(&mut self, set: &SectionSet, settings: &Settings<'_>) {
        for page in &set.pages {
            self.push_string(Column::Files, Stream::Files, &page.file);
            let plain = plain_url(settings.url_begin, settings.url_folder, &page.file);
            let url = match page.url.as_str() {
                "" => "\0",
                url if url == plain => "",
                url => url,
            };
            self.push_string(Column::Urls, Stream::Urls, url);
            self.push_string(Column::PageTitles, Stream::PageTitles, &page.title);
        }
    }

    fn add_headings(&mut self, set: &SectionSet) {
        for (row, heading) in set.headings.iter().enumerate() {
            self.push_string(Column::Titles, Stream::Titles, &heading.title);
            let plain = plain_anchor(&heading.title).is_some_and(|plain| plain == heading.anchor);
            self.push_string(Column::Anchors, Stream::Anchors, if plain { "" } else { &heading.anchor });
            self.push(Column::Parents, heading.parent.map_or(0, |parent| (row - parent) as u32));
        }
    }

    /// The columns of the sections, and their texts.
    fn add_sections(&mut self, rows: &[Section], postings: &Postings, publish_pinned: bool) {
        let published = |row: &Section| !row.pinned || publish_pinned;
        let bytes: u64 = rows.iter().filter(|row| published(row)).map(|row| row.text.len() as u64).sum();
        let tokens: u64 = rows.iter().filter(|row| published(row)).map(|row| u64::from(row.tokens)).sum();
        let terms: u64 = postings.lengths.iter().map(|length| u64::from(*length)).sum();
        let rate = |sum: u64| u32::try_from((sum << 16) / bytes.max(1)).unwrap_or(0);
        let (token_rate, term_rate) = (rate(tokens), rate(terms));
        self.add_numbers([(Number::TokenRate, token_rate), (Number::TermRate, term_rate)]);
        let (mut page, mut heading, mut pinned) = (0, 0, 0);
        for (id, (row, length)) in rows.iter().zip(&postings.lengths).enumerate() {
            self.push(Column::Pages, (row.page - page) as u32);
            let here = row.heading.map_or(0, |heading| heading as u32 + 1);
            self.push(Column::Headings, zigzag(heading, here));
            let text = if published(row) { row.text.as_str() } else { "" };
            let bytes = text.len() as u32;
            self.push(Column::Tokens, zigzag(predicted(token_rate, bytes), row.tokens));
            self.push(Column::Lengths, zigzag(predicted(term_rate, bytes), *length));
            self.push(Column::TextLengths, bytes);
            self.texts.extend_from_slice(text.as_bytes());
            if row.pinned {
                self.push(Column::Pinned, id as u32 - pinned);
                pinned = id as u32;
            }
            (page, heading) = (row.page, here);
        }
    }

    fn add_index(&mut self, postings: &Postings) {
        for block in postings.terms.chunks(BLOCK) {
            let before = [Stream::Gaps, Stream::Tf].map(|stream| self.stream(stream).len());
            let mut last = "";
            for (term, list) in block {
                self.add_term(last, term);
                self.add_list(list);
                last = term;
            }
            let after = [Stream::Gaps, Stream::Tf].map(|stream| self.stream(stream).len());
            self.push(Column::GapBlocks, (after[0] - before[0]) as u32);
            self.push(Column::TfBlocks, (after[1] - before[1]) as u32);
        }
    }

    /// `last`: the term before it in its block, empty for the head.
    fn add_term(&mut self, last: &str, term: &str) {
        let shared = last.bytes().zip(term.bytes()).take_while(|(a, b)| a == b).count();
        // Terms are at most 96 bytes long.
        self.column(Column::LexiconLengths).extend([shared as u8, (term.len() - shared) as u8]);
        let bytes = if last.is_empty() { self.column(Column::Heads) } else { self.stream(Stream::Lexicon) };
        bytes.extend_from_slice(&term.as_bytes()[shared..]);
    }

    fn add_list(&mut self, list: &[Posting]) {
        self.push(Column::Df, list.len() as u32);
        self.push(Column::Firsts, list[0].section);
        for pair in list.windows(2) {
            varint::write(self.stream(Stream::Gaps), pair[1].section - pair[0].section - 1);
        }
        for posting in list {
            varint::write(self.stream(Stream::Tf), (posting.tf - 1) << 1 | u32::from(posting.in_title));
        }
    }

    fn seal(self, hash: ContentHash, analyzer: u32) -> Vec<u8> {
        let streams = self.streams.concat();
        let body = Body {
            numbers: self.numbers,
            text_checksum: text_checksum(&self.texts),
            piece_checksums: (0..).zip(streams.chunks(PIECE)).map(|(row, piece)| piece_checksum(row, piece)).collect(),
            columns: self.columns,
        };
        let body = rkyv::to_bytes::<rkyv::rancor::Panic>(&body).unwrap_or_else(|panic| match panic {});
        let mut out = vec![0; HEADER];
        out[..8].copy_from_slice(MAGIC);
        out[16..20].copy_from_slice(&FORMAT.to_le_bytes());
        out[20..24].copy_from_slice(&analyzer.to_le_bytes());
        out[24..28].copy_from_slice(&(body.len() as u32).to_le_bytes());
        out[28..32].copy_from_slice(&((self.texts.len() + streams.len()) as u32).to_le_bytes());
        name([&out, &*self.texts, &*streams, &*body].concat(), hash)
    }
}

/// The same blob under another content hash. It has to be one that was just encoded.
pub(crate) fn name(mut blob: Vec<u8>, hash: ContentHash) -> Vec<u8> {
    blob[32..48].copy_from_slice(&hash.0);
    let sum = checksum(checksum(0, &blob[CHECKED_FROM..HEADER]), &blob[body_start(&blob)..]).to_le_bytes();
    blob[8..CHECKED_FROM].copy_from_slice(&sum);
    blob
}

/// The way from one number to another as an unsigned number that is small when they are near.
fn zigzag(from: u32, to: u32) -> u32 {
    let way = to.wrapping_sub(from).cast_signed();
    ((way << 1) ^ (way >> 31)).cast_unsigned()
}
