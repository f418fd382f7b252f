//! A knowledge base to bytes.

use super::layout::{Body, Headings, Index, Pages, Sections, Strings};
use super::{BLOCK, CHECKED_FROM, ContentHash, FORMAT, HEADER, MAGIC, checksum};
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
    [settings.language, settings.encoding, settings.site].into_iter().for_each(|text| texts.push(text));
    let body = Body {
        settings: texts,
        budget: settings.budget,
        floor: settings.floor,
        messages: settings.messages,
        pages: pages(set),
        headings: headings(set),
        sections: sections(&set.sections, postings, settings.publish_pinned),
        index: index(postings),
    };
    let body = rkyv::to_bytes::<rkyv::rancor::Panic>(&body).unwrap_or_else(|panic| match panic {});
    let mut out = vec![0; HEADER];
    out[..8].copy_from_slice(MAGIC);
    out[16..20].copy_from_slice(&FORMAT.to_le_bytes());
    out[20..24].copy_from_slice(&ANALYZER.to_le_bytes());
    out[24..28].copy_from_slice(&(body.len() as u32).to_le_bytes());
    out[32..48].copy_from_slice(&hash.0);
    out.extend_from_slice(&body);
    let sum = checksum(&out).to_le_bytes();
    out[8..CHECKED_FROM].copy_from_slice(&sum);
    out
}

fn pages(set: &SectionSet) -> Pages {
    let mut pages = Pages { files: Strings::default(), urls: Strings::default(), titles: Strings::default() };
    for page in &set.pages {
        pages.files.push(&page.file);
        pages.urls.push(&page.url);
        pages.titles.push(&page.title);
    }
    pages
}

fn headings(set: &SectionSet) -> Headings {
    let mut out = Headings { titles: Strings::default(), anchors: Strings::default(), parents: Vec::new() };
    for (row, heading) in set.headings.iter().enumerate() {
        out.titles.push(&heading.title);
        out.anchors.push(&heading.anchor);
        varint::write(&mut out.parents, heading.parent.map_or(0, |parent| (row - parent) as u32));
    }
    out
}

fn sections(rows: &[Section], postings: &Postings, publish_pinned: bool) -> Sections {
    let mut out = Sections {
        pages: Vec::new(),
        headings: Vec::new(),
        tokens: Vec::new(),
        lengths: Vec::new(),
        texts: Strings::default(),
    };
    let (mut page, mut heading) = (0, 0i64);
    for (row, length) in rows.iter().zip(&postings.lengths) {
        varint::write(&mut out.pages, (row.page - page) as u32);
        let here = row.heading.map_or(0, |heading| heading as i64 + 1);
        let delta = here - heading;
        varint::write(&mut out.headings, ((delta << 1) ^ (delta >> 63)) as u32);
        varint::write(&mut out.tokens, row.tokens * 2 + u32::from(row.pinned));
        varint::write(&mut out.lengths, *length);
        out.texts.push(if row.pinned && !publish_pinned { "" } else { &row.text });
        (page, heading) = (row.page, here);
    }
    out
}

fn index(postings: &Postings) -> Index {
    let mut out = Index {
        terms: postings.terms.len() as u32,
        lexicon: Vec::new(),
        df: Vec::new(),
        gaps: Vec::new(),
        tf: Vec::new(),
        lexicon_blocks: Vec::new(),
        gap_blocks: Vec::new(),
        tf_blocks: Vec::new(),
    };
    for block in postings.terms.chunks(BLOCK) {
        let before = (out.lexicon.len(), out.gaps.len(), out.tf.len());
        let mut last = "";
        for (term, list) in block {
            push_term(&mut out.lexicon, last, term);
            last = term;
            varint::write(&mut out.df, list.len() as u32);
            let mut section = 0;
            for (id, tf) in list {
                varint::write(&mut out.gaps, id - section);
                varint::write(&mut out.tf, tf - 1);
                section = *id;
            }
        }
        varint::write(&mut out.lexicon_blocks, (out.lexicon.len() - before.0) as u32);
        varint::write(&mut out.gap_blocks, (out.gaps.len() - before.1) as u32);
        varint::write(&mut out.tf_blocks, (out.tf.len() - before.2) as u32);
    }
    out
}

/// Appends a term; the head of a block (`last` empty) has no shared length.
fn push_term(lexicon: &mut Vec<u8>, last: &str, term: &str) {
    let shared = last.bytes().zip(term.bytes()).take_while(|(a, b)| a == b).count();
    if !last.is_empty() {
        varint::write(lexicon, shared as u32);
    }
    varint::write(lexicon, (term.len() - shared) as u32);
    lexicon.extend_from_slice(&term.as_bytes()[shared..]);
}
