//! Files to documents: what a reader hands to the cutter.

mod draft;
mod encoding;
mod front_matter;
mod html;
mod jsonl;
mod markdown;
mod text;

use std::ops::Range;

pub(crate) use encoding::decode;
pub(crate) use jsonl::{Record, read_jsonl};

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// `CommonMark` with the GitHub extensions; MDX by its Markdown.
    Markdown,
    /// The content of a page, without what surrounds it.
    Html,
    /// Paragraphs between blank lines.
    Text,
    /// One ready-made section a line: `{"_id", "title", "text"}`.
    Jsonl,
}

impl Kind {
    /// The reader for a file, by its extension; `None` when there is none.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let extension = path.rsplit_once('.')?.1.to_ascii_lowercase();
        match extension.as_str() {
            "md" | "mdx" | "markdown" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "txt" => Some(Self::Text),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            _ => None,
        }
    }
}

/// A document: its blocks in order, and what its front matter says.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// Title from front matter, or of a page that has no heading of the first level, or else a file name that is written as one; empty
    /// without one.
    pub title: String,
    /// Address from front matter (`url`, `permalink` or `slug`), or a page's canonical link.
    pub url: Option<String>,
    /// `pinned: true` in front matter.
    pub pinned: bool,
    /// `draft: true` or `published: false` in front matter.
    pub draft: bool,
    /// Front matter keys that have text which the configuration does not want.
    pub unread: Vec<String>,
    pub blocks: Vec<Block>,
    /// Where its links inside the site lead, as written; absolute and mail addresses are not among them.
    pub links: Vec<String>,
    /// What a reader of the page sees and the blocks leave out, in words by reason.
    pub left_out: Vec<LeftOut>,
}

/// Words of a document that are in no block, such as those of its navigation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Why, as the report says it: `navigation`, `footer`, `ignored`, `hidden`.
    pub reason: &'static str,
    /// How many.
    pub words: usize,
}

/// One block of a document.
#[derive(Debug)]
pub(crate) struct Block {
    pub kind: BlockKind,
    /// What is sent: Markdown without link targets of the site itself, images and markup that nobody sees.
    pub text: String,
    /// Bytes of the source that the block was made from.
    pub span: Range<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Level 1 to 6; the block's text is the heading's text.
    Heading { level: u8, id: Option<String>, pinned: bool },
    /// A table: header row, delimiter row, rows, one a line.
    Table,
    /// A fenced or indented code block.
    Code,
    /// Items, each beginning a line with `- ` or `1. `; what belongs to an item is indented.
    List,
    /// A block quote: every line begins with `>`.
    Quote,
    /// Anything else.
    Prose,
}

/// Reads a text file that is not JSONL.
pub(crate) fn read(path: &str, kind: Kind, text: &str, front_matter: &[String]) -> Document {
    let mut document = match kind {
        Kind::Html => return html::read_html(text),
        Kind::Text => text::read_text(text),
        _ => markdown::read_markdown(text, path.to_ascii_lowercase().ends_with(".mdx"), front_matter),
    };
    let titled = |block: &Block| matches!(block.kind, BlockKind::Heading { level: 1, .. });
    if document.title.is_empty() && !document.blocks.iter().any(titled) {
        document.title = file_title(path).unwrap_or_default().to_string();
    }
    document
}

/// A file's name where it is written for people, as the notes of a vault have it: `Set up sync.md`, `Canvas.md`, `料金.md`.
fn file_title(path: &str) -> Option<&str> {
    let file = path.rsplit('/').next()?;
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name).trim();
    let is_general = ["index", "readme"].iter().any(|general| name.eq_ignore_ascii_case(general));
    let begins_large = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    let is_foreign = |c: char| !c.is_ascii() && c.is_alphabetic();
    (!is_general && (begins_large || name.contains(' ') || name.contains(is_foreign))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_a_title_has_that_of_its_file() {
        let title = |path: &str, text: &str| read(path, Kind::of(path).unwrap(), text, &[]).title;
        for (path, wanted) in [
            ("Vault/Set up sync.md", "Set up sync"),
            ("Canvas.md", "Canvas"),
            ("ja/料金.md", "料金"),
            ("Opening hours.txt", "Opening hours"),
            ("quick-start.md", ""),
            ("README.md", ""),
            ("Readme.md", ""),
            ("Index.mdx", ""),
            ("Site notes/faq.md", ""),
        ] {
            assert_eq!(title(path, "## Part\n\nText.\n"), wanted, "{path}");
        }
        assert_eq!(title("Canvas.md", "Text.\n\n# Boards\n\nMore.\n"), "");
        assert_eq!(title("Canvas.md", "---\ntitle: Boards\n---\nText.\n"), "Boards");
    }
}
