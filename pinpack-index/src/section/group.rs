//! Documents to the blocks under each heading.

use std::ops::Range;

use super::slug::Slugger;
use super::{Heading, SectionSet};
use crate::config::AnchorStyle;
use crate::source::{Block, BlockKind};

/// The blocks under one heading.
pub(super) struct Group {
    /// Its row.
    pub heading: Option<usize>,
    pub pinned: bool,
    pub blocks: Vec<Block>,
    /// From its heading to its last block.
    pub span: Range<usize>,
    /// Holds nothing but the words of headings that have neither text nor headings below them.
    bare: bool,
}

impl Group {
    fn push(&mut self, block: Block) {
        self.span.end = self.span.end.max(block.span.end);
        self.blocks.push(block);
    }
}

/// A heading that is open: what follows is below it.
struct Open {
    level: u8,
    row: usize,
    pinned: bool,
}

/// Groups the blocks of one page, in order, and adds its headings to the set.
///
/// A heading without text of its own stays in the path of those below it. One that has none below it either is text: a line under the
/// heading above, together with neighbors of its kind, cited by the first one's anchor.
pub(super) fn groups(set: &mut SectionSet, blocks: Vec<Block>, pinned: bool, style: AnchorStyle) -> Vec<Group> {
    let own = |block: &Block| match &block.kind {
        BlockKind::Heading { id, .. } => id.clone(),
        _ => None,
    };
    let own: Vec<String> = blocks.iter().filter_map(own).collect();
    let slugger = Slugger::new(style, own.iter().map(String::as_str));
    let mut grouping = Grouping { set, slugger, style, pinned, open: Vec::new(), groups: Vec::new(), last: None };
    for block in blocks {
        grouping.add(block);
    }
    grouping.end_heading(None);
    grouping.groups
}

struct Grouping<'g> {
    set: &'g mut SectionSet,
    slugger: Slugger,
    style: AnchorStyle,
    /// The whole page is pinned.
    pinned: bool,
    open: Vec<Open>,
    groups: Vec<Group>,
    /// The heading that nothing has followed yet.
    last: Option<Block>,
}

impl Grouping<'_> {
    fn add(&mut self, block: Block) {
        let BlockKind::Heading { level, id, pinned } = &block.kind else {
            return self.text(block);
        };
        self.end_heading(Some(*level));
        while self.open.last().is_some_and(|above| above.level >= *level) {
            self.open.pop();
        }
        let above = self.open.last();
        let anchor = self.slugger.slug(id.as_deref(), &block.text);
        let anchor = match (self.style, id) {
            (AnchorStyle::None, None) => ["\0", &anchor].concat(),
            _ => anchor,
        };
        let parent = above.map(|above| above.row);
        let pinned = *pinned || above.is_some_and(|above| above.pinned);
        self.open.push(Open { level: *level, row: self.set.headings.len(), pinned });
        self.set.headings.push(Heading { title: block.text.clone(), anchor, parent });
        self.last = Some(block);
    }

    /// A block under the heading that is open.
    fn text(&mut self, block: Block) {
        let heading = self.open.last().map(|above| above.row);
        let pinned = self.pinned || self.open.last().is_some_and(|above| above.pinned);
        let titled = self.last.take().map(|heading| heading.span);
        let joins = |group: &&mut Group| !group.bare && group.heading == heading && titled.is_none();
        if let Some(group) = self.groups.last_mut().filter(joins) {
            return group.push(block);
        }
        // What front matter says stands below the first heading, and before it in the file.
        let titled = titled.unwrap_or(block.span.clone());
        let span = titled.start.min(block.span.start)..titled.end.max(block.span.end);
        self.groups.push(Group { heading, pinned, blocks: vec![block], span, bare: false });
    }

    /// Called when a heading of level `next` follows, or nothing: what stands bare becomes text.
    fn end_heading(&mut self, next: Option<u8>) {
        let (Some(above), Some(_)) = (self.open.last(), &self.last) else { return };
        if next.is_some_and(|next| next > above.level) {
            self.last = None;
            return;
        }
        let Some(heading) = self.last.take().filter(|heading| !heading.text.trim().is_empty()) else { return };
        let (row, pinned) = (above.row, self.pinned || above.pinned);
        let parent = self.set.headings[row].parent;
        let span = heading.span.clone();
        let line = Block { kind: BlockKind::Prose, ..heading };
        let set = &*self.set;
        let joins = |group: &Group| {
            let here = if group.bare { group.heading.and_then(|row| set.headings[row].parent) } else { group.heading };
            group.pinned == pinned && here == parent && (group.bare || parent.is_some())
        };
        if let Some(group) = self.groups.last_mut().filter(|group| joins(group)) {
            return group.push(line);
        }
        // Its words are the text now, not the path's; its anchor is where the text is.
        self.set.headings[row].title = String::new();
        self.groups.push(Group { heading: Some(row), pinned, blocks: vec![line], span, bare: true });
    }
}
