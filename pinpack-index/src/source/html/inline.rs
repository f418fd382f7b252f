//! What stands in a line: breaks, links, pictures, quotations, formulas, and what components say.

use super::names;
use super::reader::Reader;
use super::run::Mark;
use super::tree::Id;

impl Reader<'_> {
    pub fn line_break(&mut self) {
        if self.flat {
            self.run.space();
        } else if self.run.line_break() {
            self.flush();
        }
    }

    pub fn within(&mut self, mark: Mark, id: Id) {
        let opened = self.run.open(mark);
        self.children(id);
        self.run.close(opened);
    }

    pub fn link(&mut self, id: Id) {
        let Some(href) = self.tree.attr(id, "href") else { return self.children(id) };
        let lower = href.get(..8.min(href.len())).unwrap_or_default().to_ascii_lowercase();
        if ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| lower.starts_with(scheme)) {
            let target = href.replace([' ', '\n', '\t', '\r'], "%20").replace('(', "%28").replace(')', "%29");
            return self.within(Mark::Link(target), id);
        }
        self.note_link(href);
        self.children(id);
    }

    pub fn note_link(&mut self, target: &str) {
        let is_scheme = target.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
        if !target.is_empty() && !is_scheme && !target.starts_with("//") {
            self.links.push(target.to_string());
        }
    }

    /// An element of the site's generator: what its attributes say, then what is in it.
    pub fn component(&mut self, id: Id) {
        let tree = self.tree;
        let target = tree.attr(id, "href").or_else(|| tree.attr(id, "to"));
        target.into_iter().for_each(|target| self.note_link(target));
        // A value in braces is code.
        let shown = tree.attrs(id).filter(|(name, value)| names::SHOWN.contains(name) && !value.starts_with('{'));
        shown.for_each(|(_, text)| self.apart(text, id));
        self.children(id);
    }

    pub fn image(&mut self, id: Id) {
        let attr = |name| self.tree.attr(id, name).filter(|text| !text.is_empty());
        let text = match (attr("alt"), attr("title")) {
            (Some(alt), Some(title)) if alt != title => format!("{alt} ({title})"),
            (Some(text), _) | (None, Some(text)) => text.to_string(),
            (None, None) => return,
        };
        self.apart(&text, id);
    }

    pub fn abbreviation(&mut self, id: Id) {
        self.children(id);
        let Some(title) = self.tree.attr(id, "title").filter(|title| !title.is_empty()) else { return };
        let short = self.plain(id);
        if short.trim() != title && self.explained.insert((short, title.to_string())) {
            let place = self.tree.place(id);
            self.run.space();
            self.run.push(&format!("({title})"), place);
        }
    }

    pub fn quotation(&mut self, id: Id) {
        let place = self.tree.place(id);
        self.run.push("“", place.clone());
        self.children(id);
        self.run.push("”", place);
    }

    /// A number above the line stays one: 10⁶ is not 106. The mark of a note stands in brackets.
    pub fn superscript(&mut self, id: Id) {
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
    pub fn ruby(&mut self, id: Id) {
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
    pub fn math(&mut self, id: Id) {
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
