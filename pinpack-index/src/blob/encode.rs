//! A knowledge base to bytes.

use super::layout::{Body, Headings, Index, Pages, Sections, Strings};
use super::{
    BLOCK, CHECKED_FROM, ContentHash, FORMAT, HEADER, MAGIC, checksum, plain_anchor, plain_url, predicted,
    text_checksum,
};
use crate::ANALYZER;
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
    /// Visitor messages that make the query.
    pub messages: u32,
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
    let mut texts = Strings::default();
    for text in [settings.language, settings.encoding, settings.site, settings.url_begin, settings.url_folder] {
        texts.push(text);
    }
    let (sections, section_texts) = sections(&set.sections, postings, settings.publish_pinned);
    let body = Body {
        settings: texts,
        budget: settings.budget,
        floor: settings.floor,
        messages: settings.messages,
        pages: pages(set, settings),
        headings: headings(set),
        sections,
        index: index(postings),
    };
    let body = rkyv::to_bytes::<rkyv::rancor::Panic>(&body).unwrap_or_else(|panic| match panic {});
    let mut out = vec![0; HEADER];
    out[..8].copy_from_slice(MAGIC);
    out[16..20].copy_from_slice(&FORMAT.to_le_bytes());
    out[20..24].copy_from_slice(&ANALYZER.to_le_bytes());
    out[24..28].copy_from_slice(&(body.len() as u32).to_le_bytes());
    out[28..32].copy_from_slice(&(section_texts.len() as u32).to_le_bytes());
    out[32..48].copy_from_slice(&hash.0);
    let sum = checksum(checksum(0, &out[CHECKED_FROM..]), &body).to_le_bytes();
    out[8..CHECKED_FROM].copy_from_slice(&sum);
    out.extend_from_slice(&section_texts);
    out.extend_from_slice(&body);
    out
}

fn pages(set: &SectionSet, settings: &Settings<'_>) -> Pages {
    let mut pages = Pages { files: Strings::default(), urls: Strings::default(), titles: Strings::default() };
    for page in &set.pages {
        pages.files.push(&page.file);
        let plain = plain_url(settings.url_begin, settings.url_folder, &page.file);
        pages.urls.push(match page.url.as_str() {
            "" => "\0",
            url if url == plain => "",
            url => url,
        });
        pages.titles.push(&page.title);
    }
    pages
}

fn headings(set: &SectionSet) -> Headings {
    let mut out = Headings { titles: Strings::default(), anchors: Strings::default(), parents: Vec::new() };
    for (row, heading) in set.headings.iter().enumerate() {
        out.titles.push(&heading.title);
        let plain = plain_anchor(&heading.title).is_some_and(|plain| plain == heading.anchor);
        out.anchors.push(if plain { "" } else { &heading.anchor });
        varint::write(&mut out.parents, heading.parent.map_or(0, |parent| (row - parent) as u32));
    }
    out
}

/// The columns of the sections, and their texts.
fn sections(rows: &[Section], postings: &Postings, publish_pinned: bool) -> (Sections, Vec<u8>) {
    let published = |row: &Section| !row.pinned || publish_pinned;
    let bytes: u64 = rows.iter().filter(|row| published(row)).map(|row| row.text.len() as u64).sum();
    let tokens: u64 = rows.iter().filter(|row| published(row)).map(|row| u64::from(row.tokens)).sum();
    let terms: u64 = postings.lengths.iter().map(|length| u64::from(*length)).sum();
    let rate = |sum: u64| u32::try_from((sum << 16) / bytes.max(1)).unwrap_or(0);
    let mut out = Sections {
        pages: Vec::new(),
        headings: Vec::new(),
        tokens: Vec::new(),
        lengths: Vec::new(),
        rates: [rate(tokens), rate(terms)],
        pinned: Vec::new(),
        text_lengths: Vec::new(),
        text_checksum: 0,
    };
    let mut texts = Vec::new();
    let (mut page, mut heading, mut pinned) = (0, 0, 0);
    for (id, (row, length)) in rows.iter().zip(&postings.lengths).enumerate() {
        varint::write(&mut out.pages, (row.page - page) as u32);
        let here = row.heading.map_or(0, |heading| heading as u32 + 1);
        varint::write(&mut out.headings, zigzag(heading, here));
        let text = if published(row) { row.text.as_str() } else { "" };
        let bytes = text.len() as u32;
        varint::write(&mut out.tokens, zigzag(predicted(out.rates[0], bytes), row.tokens));
        varint::write(&mut out.lengths, zigzag(predicted(out.rates[1], bytes), *length));
        varint::write(&mut out.text_lengths, bytes);
        texts.extend_from_slice(text.as_bytes());
        if row.pinned {
            varint::write(&mut out.pinned, id as u32 - pinned);
            pinned = id as u32;
        }
        (page, heading) = (row.page, here);
    }
    out.text_checksum = text_checksum(&texts);
    (out, texts)
}

/// The way from one number to another as an unsigned number that is small when they are near.
fn zigzag(from: u32, to: u32) -> u32 {
    let way = to.wrapping_sub(from).cast_signed();
    ((way << 1) ^ (way >> 31)).cast_unsigned()
}

fn index(postings: &Postings) -> Index {
    let mut out = Index {
        terms: postings.terms.len() as u32,
        lexicon: Vec::new(),
        lexicon_lengths: Vec::new(),
        df: Vec::new(),
        firsts: Vec::new(),
        gaps: Vec::new(),
        tf: Vec::new(),
        gap_blocks: Vec::new(),
        tf_blocks: Vec::new(),
    };
    for block in postings.terms.chunks(BLOCK) {
        let before = (out.gaps.len(), out.tf.len());
        let mut last = "";
        for (term, list) in block {
            push_term(&mut out, last, term);
            last = term;
            push_list(&mut out, list);
        }
        varint::write(&mut out.gap_blocks, (out.gaps.len() - before.0) as u32);
        varint::write(&mut out.tf_blocks, (out.tf.len() - before.1) as u32);
    }
    out
}

fn push_term(out: &mut Index, last: &str, term: &str) {
    let shared = last.bytes().zip(term.bytes()).take_while(|(a, b)| a == b).count();
    // Terms are at most 96 bytes long.
    out.lexicon_lengths.extend([shared as u8, (term.len() - shared) as u8]);
    out.lexicon.extend_from_slice(&term.as_bytes()[shared..]);
}

fn push_list(out: &mut Index, list: &[(u32, u32)]) {
    varint::write(&mut out.df, list.len() as u32);
    varint::write(&mut out.firsts, list[0].0);
    for pair in list.windows(2) {
        varint::write(&mut out.gaps, pair[1].0 - pair[0].0 - 1);
    }
    for (_, tf) in list {
        varint::write(&mut out.tf, tf - 1);
    }
}
