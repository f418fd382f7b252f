//! HTML inside Markdown: the seam to the reader of HTML, and what inline tags mean.

use std::ops::Range;

use crate::source::{Document, html};

/// Elements that stay open over blank lines, and whose lines are often indented like code.
const CONTAINERS: [&str; 11] =
    ["table", "div", "ul", "ol", "dl", "details", "section", "article", "figure", "center", "blockquote"];

/// HTML that begins at `offset`: whole elements, or tags that open or close what is written in Markdown between them.
pub(super) fn read(html: &str, offset: usize) -> Document {
    html::fragment(html, offset)
}

/// Blocks of HTML with nothing but blank lines between them: one table or list, as its author wrote it.
#[derive(Debug)]
pub(super) struct HtmlPiece {
    /// From the first block to the last.
    pub range: Range<usize>,
    /// Inside one of the blocks.
    pub is_open: bool,
    /// Without the marks of the quotes and lists around it.
    text: String,
    /// Containers opened and not closed.
    containers: usize,
}

impl HtmlPiece {
    pub fn new(range: &Range<usize>) -> Self {
        Self { range: range.clone(), is_open: true, text: String::new(), containers: 0 }
    }

    pub fn go_on(&mut self, range: &Range<usize>) {
        self.range.end = range.end;
        self.is_open = true;
        self.text.push('\n');
    }

    /// Adds lines.
    pub fn push(&mut self, html: &str) {
        for (at, _) in html.match_indices('<') {
            let tag = &html[at..];
            if tag_name(tag).is_some_and(|name| CONTAINERS.contains(&&*name)) {
                self.containers =
                    if tag.starts_with("</") { self.containers.saturating_sub(1) } else { self.containers + 1 };
            }
        }
        self.text.push_str(html);
    }

    /// Is an indented block more of this HTML? A blank line in a table or list makes code of what follows, for the parser alone.
    pub fn goes_on_as(&self, code: &str) -> bool {
        let code = code.trim_start();
        self.containers > 0 && code.starts_with('<') && tag_name(code).is_some_and(|name| html::is_block(&name))
    }

    pub fn read(&self) -> Document {
        read(&self.text, 0)
    }
}

/// Name of a tag in small letters; `None` for comments and declarations.
pub(super) fn tag_name(tag: &str) -> Option<String> {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.'))).unwrap_or(name.len());
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| name[..end].to_ascii_lowercase())
}

/// Does a tag of this name part words on the screen? Tags that HTML does not know do not.
pub(super) fn parts_words(name: &str) -> bool {
    html::is_block(name) || matches!(name, "img" | "button")
}
