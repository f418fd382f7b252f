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
    flat: bool,
    /// Elements that hold a heading.
    headed: HashSet<Id>,
    /// Abbreviations that were written out.
    explained: HashSet<(String, String)>,
    nesting: usize,
    depth: usize,
    pinned: usize,
    /// Level of the last heading, and of described objects inside each other.
    level: u8,
    objects: u8,
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

    fn text(&mut self, text: &str, id: Id) {
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

    fn is_checkbox(&self, id: Id) -> bool {
        self.tree.name(id) == "input"
            && self.tree.attr(id, "type") == Some("checkbox")
            && self.tree.ancestors(id).take(4).any(|id| self.tree.name(id) == "li")
    }

    /// The texts below a node, without structure.
    fn read_deep(&mut self, top: Id) {
        let tree = self.tree;
        for id in tree.descend(top, |id| !names::is_unseen(tree.name(id))) {
            match tree.text(id) {
                Some(text) => self.text(text, id),
                None if names::is_block(tree.name(id)) => self.run.space(),
                None => {}
            }
        }
    }

    fn element(&mut self, id: Id) {
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

    fn level_by_role(&self, id: Id) -> Option<u8> {
        let level = self.tree.attr(id, "aria-level")?.parse().ok()?;
        (self.tree.attr(id, "role") == Some("heading")).then_some(u8::clamp(level, 1, 6))
    }

    fn is_list(&self, id: Id) -> bool {
        !self.flat && self.nesting < MAX_NESTING && !self.is_headed(id) && !self.holds_objects(id)
    }

    fn parts_words(&self, id: Id) -> bool {
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
    fn title(&mut self, id: Id) -> String {
        self.on_one_line(id, Run::take_unmarked)
    }

    fn on_one_line(&mut self, id: Id, take: impl FnOnce(&mut Run) -> String) -> String {
        let (flat, run) = (std::mem::replace(&mut self.flat, true), std::mem::take(&mut self.run));
        self.children(id);
        self.flat = flat;
        take(&mut std::mem::replace(&mut self.run, run)).replace('\n', " ")
    }

    /// The text of an element, with nothing else left out than what nobody sees.
    fn plain(&mut self, id: Id) -> String {
        let tree = self.tree;
        tree.descend(id, |id| !names::is_unseen(tree.name(id))).filter_map(|id| tree.text(id)).collect()
    }

    /// Adds a word or more that stands apart from its neighbors.
    fn apart(&mut self, text: &str, id: Id) {
        self.arrive(id);
        self.run.space();
        self.run.push(text, self.tree.place(id));
        self.run.space();
    }

    fn heading(&mut self, id: Id, level: u8) {
        self.flush();
        let text = self.title(id);
        let pinned = self.pinned > 0;
        self.level = level;
        let kind = BlockKind::Heading { level, id: self.anchor(id), pinned };
        self.push(kind, text, self.span(id));
    }

    /// A described function, class or option of a reference: a heading below the last.
    fn object(&mut self, id: Id) {
        self.flush();
        let text = self.title(id);
        let level = (self.level + self.objects).clamp(1, 6);
        let anchor = self.tree.attr(id, "id").map(str::to_string);
        self.push(BlockKind::Heading { level, id: anchor, pinned: self.pinned > 0 }, text, self.span(id));
    }

    fn is_object(&self, id: Id) -> bool {
        !self.flat
            && self.nesting == 0
            && self.tree.attr(id, "id").is_some()
            && self.tree.has_class(id, &["sig", "sig-object"])
    }

    fn holds_objects(&self, id: Id) -> bool {
        self.nesting == 0 && self.tree.name(id) == "dl" && self.tree.children(id).any(|child| self.is_object(child))
    }

    fn descriptions(&mut self, id: Id) {
        let objects = u8::from(self.holds_objects(id));
        self.objects = (self.objects + objects).min(6);
        self.container(id);
        self.objects -= objects.min(self.objects);
    }

    /// The anchor of a heading: its own id, that of a link inside or just before, or of the section that it begins.
    fn anchor(&self, id: Id) -> Option<String> {
        let tree = self.tree;
        let named = |id: Id| tree.attr(id, "id").or_else(|| (tree.name(id) == "a").then(|| tree.attr(id, "name"))?);
        let filled = |id: &&str| !id.is_empty();
        let is_blank = |id: &Id| tree.text(*id).is_none_or(|text| text.trim().is_empty());
        if let Some(own) = tree.descend(id, |_| true).take(30).find_map(|id| named(id).filter(filled)) {
            return Some(own.into());
        }
        let mut top = id;
        for above in tree.ancestors(id).take(3) {
            let mut before = tree.before(top).filter(|id| !(tree.name(*id).is_empty() && is_blank(id)));
            let first = before.all(|id| tree.name(id) == "span" || tree.name(id) == "a");
            let is_section = tree.name(above) == "section" || tree.has_class(above, &["section", "document"]);
            if is_section && first {
                return tree.attr(above, "id").filter(filled).map(Into::into);
            }
            if !first {
                break;
            }
            top = above;
        }
        let before = tree.before(id).find(|id| !tree.name(*id).is_empty() || !is_blank(id))?;
        let empty = !tree.descend(before, |_| true).any(|id| !is_blank(&id));
        named(before).filter(|id| empty && filled(id)).map(Into::into)
    }

    fn line_break(&mut self) {
        if self.flat {
            self.run.space();
        } else if self.run.line_break() {
            self.flush();
        }
    }

    fn within(&mut self, mark: Mark, id: Id) {
        let opened = self.run.open(mark);
        self.children(id);
        self.run.close(opened);
    }

    fn link(&mut self, id: Id) {
        let Some(href) = self.tree.attr(id, "href") else { return self.children(id) };
        let lower = href.get(..8.min(href.len())).unwrap_or_default().to_ascii_lowercase();
        if ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| lower.starts_with(scheme)) {
            let target = href.replace([' ', '\n', '\t', '\r'], "%20").replace('(', "%28").replace(')', "%29");
            return self.within(Mark::Link(target), id);
        }
        self.note_link(href);
        self.children(id);
    }

    fn note_link(&mut self, target: &str) {
        let is_scheme = target.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
        if !target.is_empty() && !is_scheme && !target.starts_with("//") {
            self.links.push(target.to_string());
        }
    }

    /// An element of the site's generator: what its attributes say, then what is in it.
    fn component(&mut self, id: Id) {
        let tree = self.tree;
        let target = tree.attr(id, "href").or_else(|| tree.attr(id, "to"));
        target.into_iter().for_each(|target| self.note_link(target));
        // A value in braces is code.
        let shown = tree.attrs(id).filter(|(name, value)| names::SHOWN.contains(name) && !value.starts_with('{'));
        shown.for_each(|(_, text)| self.apart(text, id));
        self.children(id);
    }

    fn image(&mut self, id: Id) {
        let attr = |name| self.tree.attr(id, name).filter(|text| !text.is_empty());
        let text = match (attr("alt"), attr("title")) {
            (Some(alt), Some(title)) if alt != title => format!("{alt} ({title})"),
            (Some(text), _) | (None, Some(text)) => text.to_string(),
            (None, None) => return,
        };
        self.apart(&text, id);
    }

    fn abbreviation(&mut self, id: Id) {
        self.children(id);
        let Some(title) = self.tree.attr(id, "title").filter(|title| !title.is_empty()) else { return };
        let short = self.plain(id);
        if short.trim() != title && self.explained.insert((short, title.to_string())) {
            let place = self.tree.place(id);
            self.run.space();
            self.run.push(&format!("({title})"), place);
        }
    }

    fn quotation(&mut self, id: Id) {
        let place = self.tree.place(id);
        self.run.push("“", place.clone());
        self.children(id);
        self.run.push("”", place);
    }

    /// A number above the line stays one: 10⁶ is not 106. The mark of a note stands in brackets.
    fn superscript(&mut self, id: Id) {
        let text = self.plain(id);
        let text = text.trim();
        let is_note = self.tree.descend(id, |_| true).any(|id| self.tree.name(id) == "a");
        let place = self.tree.place(id);
        let digits = |c: char| "0123456789+-−".chars().position(|digit| digit == c);
        if is_note && !text.is_empty() && text.chars().all(char::is_alphanumeric) {
            self.run.push("[", place.clone());
            self.children(id);
            self.run.push("]", place);
        } else if !text.is_empty() && text.chars().all(|c| digits(c).is_some()) {
            let raised = text.chars().filter_map(digits).filter_map(|at| "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻".chars().nth(at));
            self.arrive(id);
            self.run.push(&raised.collect::<String>(), place);
        } else {
            self.children(id);
        }
    }

    /// Characters, then how they are said in brackets.
    fn ruby(&mut self, id: Id) {
        let tree = self.tree;
        let is_said = |id: Id| matches!(tree.name(id), "rt" | "rtc");
        let skip = |id: Id| !matches!(tree.name(id), "rp");
        for base in tree.children(id).filter(|id| skip(*id) && !is_said(*id)) {
            self.read(base);
        }
        let place = tree.place(id);
        let mut said = tree.children(id).filter(|id| is_said(*id)).peekable();
        if said.peek().is_some() {
            self.run.push("(", place.clone());
            for part in said {
                self.children(part);
            }
            self.run.push(")", place);
        }
    }

    /// A formula: as its author wrote it where the page says so, else its signs one by one.
    fn math(&mut self, id: Id) {
        let tree = self.tree;
        let written = tree
            .descend(id, |_| true)
            .find(|id| {
                tree.name(*id) == "annotation" && tree.attr(*id, "encoding").is_some_and(|kind| kind.contains("tex"))
            })
            .map(|id| self.plain(id));
        let signs = || tree.descend(id, |id| !tree.name(id).starts_with("annotation")).filter_map(|id| tree.text(id));
        let text = written
            .or_else(|| tree.attr(id, "alttext").map(Into::into))
            .unwrap_or_else(|| signs().map(str::trim).filter(|sign| !sign.is_empty()).collect::<Vec<_>>().join(" "));
        self.apart(&text, id);
    }
}
