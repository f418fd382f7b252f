//! Preformatted text to fenced code.

use super::names;
use super::reader::Reader;
use super::tree::{Id, Tree};
use crate::source::BlockKind;

impl Reader<'_> {
    /// Text as it stands, in a fence longer than any inside.
    pub fn code(&mut self, id: Id) {
        self.flush();
        let mut text = String::new();
        self.verbatim(id, &mut text);
        let text = text.trim_end();
        let text = text.strip_prefix('\n').unwrap_or(text);
        if text.trim().is_empty() {
            return;
        }
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(3.max(longest + 1));
        let language = language(self.tree, id).unwrap_or_default();
        let block = format!("{fence}{language}\n{text}\n{fence}");
        self.push(BlockKind::Code, block, self.span(id));
    }

    /// Adds the characters below a node; elements that begin and end a line do so.
    fn verbatim(&mut self, id: Id, out: &mut String) {
        for child in self.tree.children(id) {
            if let Some(text) = self.tree.text(child) {
                self.arrive(child);
                out.extend(text.chars().filter(|c| !is_invisible(*c)).map(plain_space));
                continue;
            }
            let name = self.tree.name(child);
            let parts = names::is_block(name) && name != "br";
            if parts {
                begin_line(out);
            }
            match self.seen.out(child) {
                Some(why) => self.leave_out(child, why),
                None if name == "br" => out.push('\n'),
                None => self.deeper(child, |reader| reader.verbatim(child, out)),
            }
            if parts {
                begin_line(out);
            }
        }
    }
}

fn begin_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

fn plain_space(c: char) -> char {
    if c == '\u{a0}' { ' ' } else { c }
}

/// The language that classes or data name, on the code, what is directly inside it, or around it.
fn language(tree: &Tree, id: Id) -> Option<String> {
    let inside = tree.children(id).filter(|id| !tree.name(*id).is_empty()).take(1);
    let around = tree.ancestors(id).take(3);
    let found = std::iter::once(id).chain(inside).chain(around).find_map(|id| {
        let data = tree.attr(id, "data-language").or_else(|| tree.attr(id, "data-lang"));
        data.or_else(|| tree.classes(id).find_map(class_language)).filter(|name| is_language(name))
    })?;
    Some(found.to_ascii_lowercase()).filter(|name| !matches!(name.as_str(), "default" | "none" | "plaintext" | "text"))
}

fn class_language(class: &str) -> Option<&str> {
    ["language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "brush:", "sourceCode-"]
        .iter()
        .find_map(|prefix| class.strip_prefix(prefix))
}

fn is_language(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '#' | '_' | '.');
    !name.is_empty() && name.len() <= 20 && name.chars().all(fits)
}
