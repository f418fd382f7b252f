//! The tree to blocks: one walk in order of the page.

use std::collections::HashSet;
use std::ops::Range;

use super::names;
use super::run::{Mark, Run};
use super::seen::{Out, Seen};
use super::tree::{Id, Tree};
use crate::source::{Block, BlockKind};

/// Lists and quotes inside each other that are written as such; what is deeper is read in line with the last.
const MAX_NESTING: usize = 8;

/// Depth of elements to which the walk follows. The parser stops before; here it is a guard of the stack.
const MAX_DEPTH: usize = 400;

/// Reads blocks.
pub(super) struct Reader<'t> {
    pub tree: &'t Tree,
    pub seen: Seen<'t>,
    pub blocks: Vec<Block>,
    pub run: Run,
    /// Targets of links inside the site.
    pub links: Vec<String>,
    /// Block boundaries are spaces: in headings and table cells.
    pub flat: bool,
    /// Elements that hold a heading.
    headed: HashSet<Id>,
    /// Abbreviations that were written out.
    pub explained: HashSet<(String, String)>,
    pub nesting: usize,
    depth: usize,
    pub pinned: usize,
    /// Level of the last heading, and of described objects inside each other.
    pub level: u8,
    pub objects: u8,
    /// End of what was read, in the source.
    read_to: usize,
}

impl<'t> Reader<'t> {
    pub fn new(tree: &'t Tree, fragment: bool) -> Self {
        let mut headed = HashSet::new();
        for id in tree.ids().filter(|id| names::heading_level(tree.name(*id)).is_some()) {
            for above in tree.ancestors(id) {
                if !headed.insert(above) {
                    break;
                }
            }
        }
        Self {
            tree,
            seen: Seen::new(tree, fragment),
            blocks: Vec::new(),
            run: Run::default(),
            links: Vec::new(),
            flat: false,
            headed,
            explained: HashSet::new(),
            nesting: 0,
            depth: 0,
            pinned: 0,
            level: 0,
            objects: 0,
            read_to: 0,
        }
    }

    /// Reads a node and what is below it.
    pub fn read(&mut self, id: Id) {
        if let Some(text) = self.tree.text(id) {
            self.text(text, id);
            return;
        }
        if let Some(out) = self.seen.out(id) {
            return self.leave_out(id, out);
        }
        let pinned = usize::from(self.tree.attr(id, "data-pinpack-pinned").is_some());
        self.pinned += pinned;
        self.deeper(id, |reader| reader.element(id));
        self.pinned -= pinned;
    }

    /// Reads an element one level down; too far down, its texts alone.
    pub fn deeper(&mut self, id: Id, read: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            return self.read_deep(id);
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    /// Notes that the source was read up to the end of a node.
    pub fn arrive(&mut self, id: Id) {
        self.read_to = self.read_to.max(self.tree.place(id).end);
    }

    pub fn children(&mut self, id: Id) {
        for child in self.tree.children(id) {
            self.read(child);
        }
    }

    /// Does an element hold a heading? Lists, tables and links that do are how the page is laid out.
    pub fn is_headed(&self, id: Id) -> bool {
        self.headed.contains(&id)
    }

    pub fn text(&mut self, text: &str, id: Id) {
        self.arrive(id);
        self.run.push(text, self.tree.place(id));
    }

    pub fn leave_out(&mut self, id: Id, out: Out) {
        if let Out::Counted(reason) = out {
            self.seen.count(id, reason);
        }
        if self.is_checkbox(id) {
            let mark = if self.tree.attr(id, "checked").is_some() { "[x]" } else { "[ ]" };
            self.apart(mark, id);
        }
        if names::is_block(self.tree.name(id)) {
            self.flush();
        }
    }

    pub fn is_checkbox(&self, id: Id) -> bool {
        self.tree.name(id) == "input"
            && self.tree.attr(id, "type") == Some("checkbox")
            && self.tree.ancestors(id).take(4).any(|id| self.tree.name(id) == "li")
    }

    /// The texts below a node, without structure.
    pub fn read_deep(&mut self, top: Id) {
        let tree = self.tree;
        for id in tree.descend(top, |id| !names::is_unseen(tree.name(id))) {
            match tree.text(id) {
                Some(text) => self.text(text, id),
                None if names::is_block(tree.name(id)) => self.run.space(),
                None => {}
            }
        }
    }

    pub fn element(&mut self, id: Id) {
        let name = self.tree.name(id);
        if !self.tree.is_html(id) && name == "math" {
            return self.math(id);
        }
        let level = names::heading_level(name).or_else(|| self.level_by_role(id));
        match name {
            _ if level.is_some() && !self.flat => self.heading(id, level.unwrap_or(6)),
            "br" => self.line_break(),
            "wbr" => {}
            "img" | "image" => self.image(id),
            "a" => self.link(id),
            "samp" => self.within(Mark::Code, id),
            "del" => self.within(Mark::Deleted, id),
            "q" => self.quotation(id),
            "sup" => self.superscript(id),
            "ruby" => self.ruby(id),
            "abbr" | "acronym" => self.abbreviation(id),
            "pre" | "listing" | "xmp" | "plaintext" if !self.flat => self.code(id),
            "ul" | "ol" | "menu" | "dir" if self.is_list(id) => self.list(id),
            "dl" if self.is_list(id) => self.definitions(id),
            "blockquote" if !self.flat && self.nesting < MAX_NESTING => self.quote(id),
            "table" if !self.flat => self.table(id),
            "dt" if self.is_object(id) => self.object(id),
            "dl" => self.descriptions(id),
            _ if self.parts_words(id) => self.container(id),
            _ if self.seen.fragment && names::is_component(name) => self.component(id),
            _ => self.children(id),
        }
    }

    pub fn level_by_role(&self, id: Id) -> Option<u8> {
        let level = self.tree.attr(id, "aria-level")?.parse().ok()?;
        (self.tree.attr(id, "role") == Some("heading")).then_some(u8::clamp(level, 1, 6))
    }

    pub fn is_list(&self, id: Id) -> bool {
        !self.flat && self.nesting < MAX_NESTING && !self.is_headed(id) && !self.holds_objects(id)
    }

    pub fn parts_words(&self, id: Id) -> bool {
        let style = self.tree.attr(id, "style").unwrap_or_default();
        names::is_block(self.tree.name(id))
            || ["block", "flex", "grid", "table"].iter().any(|shown| {
                let rule = style.split(';').filter_map(|rule| rule.split_once(':'));
                rule.into_iter().any(|(name, value)| name.trim() == "display" && value.trim() == *shown)
            })
    }

    pub fn container(&mut self, id: Id) {
        self.flush();
        self.children(id);
        self.flush();
    }

    /// Ends the block under way; within a line, parts words.
    pub fn flush(&mut self) {
        if self.flat {
            return self.run.space();
        }
        if let Some((text, span)) = self.run.take() {
            self.push(BlockKind::Prose, text, span);
        }
    }

    pub fn push(&mut self, kind: BlockKind, text: String, span: Range<usize>) {
        if !text.trim().is_empty() {
            self.blocks.push(Block { kind, text, span });
        }
    }

    /// From the start tag of an element to the end of what was read.
    pub fn span(&self, id: Id) -> Range<usize> {
        let place = self.tree.place(id);
        place.start..self.read_to.max(place.end)
    }

    /// The blocks that `read` reads, apart from those around them.
    pub fn blocks_of(&mut self, read: impl FnOnce(&mut Self)) -> Vec<Block> {
        let (blocks, run) = (std::mem::take(&mut self.blocks), std::mem::take(&mut self.run));
        self.nesting += 1;
        read(self);
        self.flush();
        self.nesting -= 1;
        self.run = run;
        std::mem::replace(&mut self.blocks, blocks)
    }

    /// The text of an element on one line.
    pub fn line(&mut self, id: Id) -> String {
        self.on_one_line(id, |run| run.take().map(|(text, _)| text).unwrap_or_default())
    }

    /// The text of a heading: without marks, as its anchor is made from it.
    pub fn title(&mut self, id: Id) -> String {
        self.on_one_line(id, Run::take_unmarked)
    }

    pub fn on_one_line(&mut self, id: Id, take: impl FnOnce(&mut Run) -> String) -> String {
        let (flat, run) = (std::mem::replace(&mut self.flat, true), std::mem::take(&mut self.run));
        self.children(id);
        self.flat = flat;
        take(&mut std::mem::replace(&mut self.run, run)).replace('\n', " ")
    }

    /// The text of an element, with nothing else left out than what nobody sees.
    pub fn plain(&mut self, id: Id) -> String {
        let tree = self.tree;
        tree.descend(id, |id| !names::is_unseen(tree.name(id))).filter_map(|id| tree.text(id)).collect()
    }

    /// Adds a word or more that stands apart from its neighbors.
    pub fn apart(&mut self, text: &str, id: Id) {
        self.arrive(id);
        self.run.space();
        self.run.push(text, self.tree.place(id));
        self.run.space();
    }
}
