//! Documents to sections: cut at headings, then blocks, sentences, words, characters, in that order.

mod cut;
mod group;
mod place;
mod slug;

use std::ops::Range;

use crate::config::{Config, SectionSizes};
use crate::source::{Block, BlockKind, Document, Record};
use crate::tokens::{Counter, neutralize_fence, passage_label};

use cut::{Piece, Sizes};
use group::Group;
use place::{Lines, Places};

/// One file of the knowledge base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Path relative to the configuration, with forward slashes; empty for ready-made sections.
    pub file: String,
    /// Address without anchor; empty when the page is not public.
    pub url: String,
    /// Title from front matter; empty without one.
    pub title: String,
}

/// One heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its text.
    pub title: String,
    /// The anchor that a browser jumps to; after a zero character one that the page does not have and only references use.
    pub anchor: String,
    /// The heading above it, by row.
    pub parent: Option<usize>,
}

/// One section: what is ranked, packed and cited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its page, by row.
    pub page: usize,
    /// Its heading, by row; `None` for text before the first heading.
    pub heading: Option<usize>,
    /// What is sent, without its heading path.
    pub text: String,
    /// Sent with every request.
    pub pinned: bool,
    /// Tokens as rendered into the prompt.
    pub tokens: u32,
    /// Bytes of the source file that it was made from.
    pub span: Range<usize>,
    /// Line of the source file that it begins in, from 1.
    pub line: u32,
}

/// All sections in file order, with their pages and headings.
#[derive(Clone, Debug, Default)]
pub struct SectionSet {
    /// Files.
    pub pages: Vec<Page>,
    /// Headings of all files.
    pub headings: Vec<Heading>,
    /// Sections; the row is the id.
    pub sections: Vec<Section>,
}

impl SectionSet {
    /// Heading path of a section, page title first where it differs.
    #[must_use]
    pub fn path(&self, id: usize) -> Vec<String> {
        let section = &self.sections[id];
        self.path_of(section.page, section.heading)
    }

    /// Does each section come from whole characters of the source, none from before where the one before it begins?
    pub(crate) fn is_placed(&self, source: &str) -> bool {
        let spans = || self.sections.iter().map(|section| &section.span);
        spans().all(|span| source.get(span.clone()).is_some()) && spans().map(|span| span.start).is_sorted()
    }

    fn path_of(&self, page: usize, heading: Option<usize>) -> Vec<String> {
        let mut path: Vec<String> = Vec::new();
        let mut next = heading;
        while let Some(row) = next {
            let heading = &self.headings[row];
            if !heading.title.is_empty() {
                path.push(heading.title.clone());
            }
            next = heading.parent;
        }
        let title = &self.pages[page].title;
        if !title.is_empty() && path.last() != Some(title) {
            path.push(title.clone());
        }
        path.reverse();
        path
    }
}

/// What of a file is pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pin {
    /// What its front matter and headings say.
    Marked,
    /// All of it.
    All,
    /// All of it, each top-level list item as a section of its own.
    Items,
}

/// Cuts documents into sections and counts their tokens.
pub(crate) struct Cutter<'c> {
    pub set: SectionSet,
    config: &'c Config,
    counter: &'c Counter,
}

/// A page under way.
struct Place<'s> {
    page: usize,
    source: &'s str,
    lines: Lines<'s>,
}

impl<'c> Cutter<'c> {
    pub fn new(config: &'c Config, counter: &'c Counter) -> Self {
        Self { set: SectionSet::default(), config, counter }
    }

    /// Cuts one document; `source` is the text that its spans are of.
    pub fn add(&mut self, file: &str, url: &str, source: &str, mut document: Document, pin: Pin) {
        let page = self.set.pages.len();
        self.set.pages.push(Page { file: file.into(), url: url.into(), title: squeezed(&document.title) });
        for block in &mut document.blocks {
            block.text = sendable(&block.text);
        }
        let pinned = document.pinned || pin != Pin::Marked;
        let mut place = Place { page, source, lines: Lines::new(source) };
        for group in group::groups(&mut self.set, document.blocks, pinned, self.config.site.anchors) {
            if pin == Pin::Items {
                self.add_items(&mut place, &group);
            } else {
                self.cut(&mut place, &group);
            }
        }
    }

    /// Adds one ready-made section as it is; `line` is where it stands in its file.
    pub fn add_record(&mut self, record: &Record, span: Range<usize>, line: u32, pinned: bool) {
        let page = match self.set.pages.last() {
            Some(page) if page.file.is_empty() && page.url == record.url => self.set.pages.len() - 1,
            _ => {
                self.set.pages.push(Page { file: String::new(), url: record.url.clone(), title: String::new() });
                self.set.pages.len() - 1
            }
        };
        let heading = self.set.headings.len();
        self.set.headings.push(Heading { title: squeezed(record.title.trim()), anchor: record.id(), parent: None });
        let pinned = pinned || record.pinned;
        let text = sendable(record.text.replace('\r', "").trim());
        let tokens = self.counter.count_passage(&passage_label(&self.set.path_of(page, Some(heading))), &text);
        self.set.sections.push(Section { page, heading: Some(heading), text, pinned, tokens, span, line });
    }

    /// One section when the group fits, pieces when it does not. Pinned sections are never cut.
    fn cut(&mut self, place: &mut Place<'_>, group: &Group) {
        let label = passage_label(&self.set.path_of(place.page, group.heading));
        let SectionSizes { target, max, overlap } = self.config.sections;
        let bytes: usize = group.blocks.iter().map(|block| block.text.len()).sum();
        // A token has at most 128 bytes: what is surely too large is not counted whole.
        if group.pinned || bytes / 128 <= max as usize {
            let whole = joined(&group.blocks);
            let tokens = self.counter.count_passage(&label, &whole);
            if group.pinned || tokens <= max {
                return self.push(place, group, whole, tokens, group.span.clone());
            }
        }
        let overhead = self.counter.count_passage(&label, "");
        let room = |tokens: u32| tokens.saturating_sub(overhead).max(16);
        let sizes = Sizes { target: room(target), max: room(max), overlap };
        let count = |text: &str| self.counter.count(text);
        let whole = |text: &str| self.counter.count_passage(&label, text).saturating_sub(overhead);
        let pieces = cut::pieces(&group.blocks, sizes, &count, &whole);
        let spans = spans(place.source, group, &pieces);
        for (piece, span) in pieces.into_iter().zip(spans) {
            self.push(place, group, piece.text, piece.tokens + overhead, span);
        }
    }

    /// Each item of the group's lists, and what stands between the lists.
    fn add_items(&mut self, place: &mut Place<'_>, group: &Group) {
        let label = passage_label(&self.set.path_of(place.page, group.heading));
        let source = place.source;
        let mut push = |text: String, span: Range<usize>| {
            if !text.trim().is_empty() {
                let tokens = self.counter.count_passage(&label, &text);
                self.push(place, group, text, tokens, span);
            }
        };
        for blocks in group.blocks.chunk_by(|a, b| a.kind != BlockKind::List && b.kind != BlockKind::List) {
            if blocks[0].kind != BlockKind::List {
                push(joined(blocks), blocks[0].span.start..blocks[blocks.len() - 1].span.end);
                continue;
            }
            let items = cut::items(&blocks[0].text);
            let mut places = Places::new(source, &blocks[0].span);
            let mut passed = 0;
            let mut starts = Vec::new();
            for (at, (item, _)) in items.iter().enumerate() {
                let found = places.find(item, passed).filter(|_| at > 0);
                starts.push(found.or(starts.last().copied()).unwrap_or(blocks[0].span.start));
                passed = item.len();
            }
            starts.push(blocks[0].span.end);
            for ((_, text), ends) in items.into_iter().zip(starts.windows(2)) {
                push(text, ends[0]..ends[1]);
            }
        }
    }

    fn push(&mut self, place: &mut Place<'_>, group: &Group, text: String, tokens: u32, span: Range<usize>) {
        let line = place.lines.of(span.start);
        let (page, heading, pinned) = (place.page, group.heading, group.pinned);
        self.set.sections.push(Section { page, heading, text, pinned, tokens, span, line });
    }
}

/// A text without what would end its passage, nor more blanks in a row than anyone sees.
fn sendable(text: &str) -> String {
    neutralize_fence(&squeezed(text))
}

/// Runs of blanks are cut off at 256: a longer one shows nothing, and counting the tokens of a million takes more stack than there is.
fn squeezed(text: &str) -> String {
    const LONGEST: usize = 256;
    let mut run = 0;
    let keeps = |c: &char| {
        run = if c.is_whitespace() && *c != '\n' { run + 1 } else { 0 };
        run <= LONGEST
    };
    text.chars().filter(keeps).collect()
}

fn joined(blocks: &[Block]) -> String {
    blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// Bytes of the source of each piece: exact where the source has its words, else those of its blocks; never going back.
fn spans(source: &str, group: &Group, pieces: &[Piece]) -> Vec<Range<usize>> {
    let mut starts = vec![group.span.start];
    let mut place = (0, Places::new(source, &group.blocks[0].span));
    for pair in pieces.windows(2) {
        let [before, piece] = pair else { continue };
        let block = piece.blocks.0;
        if block != place.0 {
            place = (block, Places::new(source, &group.blocks[block].span));
        }
        let inside = (!piece.head.is_empty()).then(|| place.1.find(&piece.head, before.text.len())).flatten();
        let start = inside.unwrap_or(group.blocks[block].span.start);
        starts.push(start.max(starts[starts.len() - 1]));
    }
    let ends = pieces.iter().enumerate().map(|(at, piece)| {
        let block = &group.blocks[piece.blocks.1].span;
        // A block that goes on in the next piece ends where that begins.
        let next = pieces.get(at + 1).filter(|next| next.blocks.0 == piece.blocks.1 && !next.head.is_empty());
        next.map_or(block.end, |_| starts[at + 1]).max(starts[at])
    });
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

#[cfg(test)]
mod tests;
