//! Headings and their anchors; described functions and classes of a reference are headings too.

use super::reader::Reader;
use super::tree::Id;
use crate::source::BlockKind;

impl Reader<'_> {
    pub fn heading(&mut self, id: Id, level: u8) {
        self.flush();
        let text = self.title(id);
        let pinned = self.pinned > 0;
        self.level = level;
        let kind = BlockKind::Heading { level, id: self.anchor(id), pinned };
        self.push(kind, text, self.span(id));
    }

    /// A described function, class or option of a reference: a heading below the last.
    pub fn object(&mut self, id: Id) {
        self.flush();
        let text = self.title(id);
        let level = (self.level + self.objects).clamp(1, 6);
        let anchor = self.tree.attr(id, "id").map(str::to_string);
        self.push(BlockKind::Heading { level, id: anchor, pinned: self.pinned > 0 }, text, self.span(id));
    }

    pub fn is_object(&self, id: Id) -> bool {
        !self.flat
            && self.nesting == 0
            && self.tree.attr(id, "id").is_some()
            && self.tree.has_class(id, &["sig", "sig-object"])
    }

    pub fn holds_objects(&self, id: Id) -> bool {
        self.nesting == 0 && self.tree.name(id) == "dl" && self.tree.children(id).any(|child| self.is_object(child))
    }

    pub fn descriptions(&mut self, id: Id) {
        let objects = u8::from(self.holds_objects(id));
        self.objects = (self.objects + objects).min(6);
        self.container(id);
        self.objects -= objects.min(self.objects);
    }

    /// The anchor of a heading: its own id, that of a link inside or just before, or of the section that it begins.
    pub fn anchor(&self, id: Id) -> Option<String> {
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
}
