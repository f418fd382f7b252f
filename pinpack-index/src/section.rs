//! Documents to sections: cut at headings, then blocks, sentences, words, characters, in that order.

mod cut;
mod slug;

use std::ops::Range;

use crate::config::{Config, SectionSizes};
use crate::source::{BlockKind, Document, Record};
use crate::tokens::{Counter, neutralize_fence, passage_label};

use slug::Slugger;

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
    /// The anchor that a browser jumps to.
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

/// Cuts documents into sections and counts their tokens.
pub(crate) struct Cutter<'c> {
    pub set: SectionSet,
    config: &'c Config,
    counter: &'c Counter,
}

/// The blocks under one heading.
struct Group {
    heading: Option<usize>,
    pinned: bool,
    blocks: Vec<crate::source::Block>,
    span: Range<usize>,
}

impl<'c> Cutter<'c> {
    pub fn new(config: &'c Config, counter: &'c Counter) -> Self {
        Self { set: SectionSet::default(), config, counter }
    }

    /// Cuts one document. `pinned`: the whole file is pinned.
    pub fn add(&mut self, file: &str, url: &str, document: Document, pinned: bool) {
        let page = self.set.pages.len();
        self.set.pages.push(Page { file: file.into(), url: url.into(), title: document.title.clone() });
        let pinned = pinned || document.pinned;
        for group in self.groups(document, pinned) {
            self.cut(page, group);
        }
    }

    /// Adds one ready-made section as it is.
    pub fn add_record(&mut self, record: &Record, span: Range<usize>, pinned: bool) {
        let page = match self.set.pages.last() {
            Some(page) if page.file.is_empty() && page.url == record.url => self.set.pages.len() - 1,
            _ => {
                self.set.pages.push(Page { file: String::new(), url: record.url.clone(), title: String::new() });
                self.set.pages.len() - 1
            }
        };
        let heading = self.set.headings.len();
        self.set.headings.push(Heading { title: record.title.trim().into(), anchor: record.id(), parent: None });
        let pinned = pinned || record.pinned;
        let text = record.text.replace('\r', "");
        self.push(page, Some(heading), text.trim(), pinned, span);
    }

    /// Groups blocks by heading. A heading without text of its own stays in the path of its children; without children it becomes a
    /// group of its own, so that its words are not lost.
    fn groups(&mut self, document: Document, pinned: bool) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        let mut slugger = Slugger::default();
        let mut open: Vec<(u8, usize, bool)> = Vec::new();
        let mut current = Group { heading: None, pinned, blocks: Vec::new(), span: 0..0 };
        for block in document.blocks {
            let BlockKind::Heading { level, id, pinned: pin } = &block.kind else {
                current.span.end = block.span.end;
                current.blocks.push(block);
                continue;
            };
            while open.last().is_some_and(|(above, ..)| above >= level) {
                open.pop();
            }
            let nested = open.last().is_some_and(|(_, row, _)| Some(*row) == current.heading);
            let inherited = open.last().is_some_and(|(.., pinned)| *pinned);
            if !current.blocks.is_empty() || (current.heading.is_some() && !nested) {
                groups.push(current);
            }
            let row = self.set.headings.len();
            let anchor = slugger.slug(id.as_deref(), &block.text);
            let parent = open.last().map(|(_, row, _)| *row);
            self.set.headings.push(Heading { title: block.text.clone(), anchor, parent });
            let pin = *pin || inherited;
            open.push((*level, row, pin));
            current = Group { heading: Some(row), pinned: pinned || pin, blocks: Vec::new(), span: block.span.clone() };
        }
        if !current.blocks.is_empty() || current.heading.is_some() {
            groups.push(current);
        }
        groups
    }

    /// One section when the group fits, pieces when it does not. Pinned sections are never cut.
    fn cut(&mut self, page: usize, group: Group) {
        let label = passage_label(&self.set.path_of(page, group.heading));
        let SectionSizes { target, max } = self.config.sections;
        let whole = group.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n\n");
        if group.pinned || self.counter.count_passage(&label, &whole) <= max {
            return self.push(page, group.heading, &whole, group.pinned, group.span);
        }
        let overhead = self.counter.count_passage(&label, "");
        let room = |tokens: u32| tokens.saturating_sub(overhead).max(16);
        let count = |text: &str| self.counter.count(text);
        for piece in cut::pieces(&group.blocks, room(target), room(max), &count) {
            self.push(page, group.heading, &piece.text, false, piece.span);
        }
    }

    fn push(&mut self, page: usize, heading: Option<usize>, text: &str, pinned: bool, span: Range<usize>) {
        let label = passage_label(&self.set.path_of(page, heading));
        let text = neutralize_fence(text);
        let tokens = self.counter.count_passage(&label, &text);
        self.set.sections.push(Section { page, heading, text, pinned, tokens, span });
    }
}

#[cfg(test)]
mod tests;
