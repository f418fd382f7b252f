//! HTML inside Markdown: the seam to the reader of HTML, and what inline tags mean.

use super::render::is_in_site;
use super::script::Fuel;
use super::tag::TagMark;
use crate::source::{Block, BlockKind};

/// The blocks of a piece of HTML that begins at `offset`.
pub(super) fn read_fragment(html: &str, offset: usize) -> Vec<Block> {
    let text = visible_text(html);
    let block = Block { kind: BlockKind::Prose, text, span: offset..offset + html.len() };
    Some(block).into_iter().filter(|block| !block.text.is_empty()).collect()
}

/// Text without tags, comments, scripts and styles; block tags part words, `alt` is text.
fn visible_text(html: &str) -> String {
    let mut out = String::new();
    let mut hidden: Option<String> = None;
    let last_comment_end = html.rfind("-->");
    let (mut fuel, mut at) = (Fuel::new(html.len()), 0);
    while let Some(found) = html[at..].find('<') {
        let start = at + found;
        push(&mut out, &html[at..start], hidden.is_some());
        let rest = &html[start..];
        if rest.starts_with("<!--") && last_comment_end.is_some_and(|end| end >= start) {
            at = start + rest.find("-->").map_or(4, |end| end + 3);
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            at = start + rest.find('>').map_or(rest.len(), |end| end + 1);
        } else if let Some(tag) = TagMark::read(rest, &mut fuel) {
            at = start + tag.len;
            let name = tag.name.to_ascii_lowercase();
            match &hidden {
                Some(open) if tag.closes && *open == name => hidden = None,
                None if !tag.closes && !tag.is_empty && matches!(&*name, "script" | "style" | "template") => {
                    hidden = Some(name.clone());
                }
                _ => {}
            }
            if hidden.is_none() {
                out.push_str(if parts_words(&name) { "\n" } else { "" });
                for text in tag.seen() {
                    out.extend([" ", text, " "]);
                }
            }
        } else {
            push(&mut out, "<", hidden.is_some());
            at = start + 1;
        }
    }
    push(&mut out, &html[at..], hidden.is_some());
    let lines = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn push(out: &mut String, text: &str, hidden: bool) {
    if !hidden {
        out.push_str(&decoded(text));
    }
}

/// Text with its character references decoded.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.as_bytes().iter().take(12).position(|byte| *byte == b';');
        let found = end.and_then(|end| Some((reference(&rest[1..end])?, end + 1)));
        let (c, len) = found.unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[len..];
    }
    out + rest
}

fn reference(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let hex = number.strip_prefix(['x', 'X']);
        let code = hex.map_or_else(|| number.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())?;
        return char::from_u32(code).filter(|c| *c != '\0');
    }
    let named = [
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", ' '),
        ("copy", '©'),
        ("reg", '®'),
        ("trade", '™'),
        ("mdash", '—'),
        ("ndash", '–'),
        ("hellip", '…'),
        ("rarr", '→'),
        ("larr", '←'),
        ("times", '×'),
        ("euro", '€'),
        ("pound", '£'),
    ];
    named.iter().find(|(other, _)| *other == name).map(|(_, c)| *c)
}

/// Where the tags of a piece of HTML link to inside the site.
pub(super) fn links(html: &str) -> Vec<String> {
    let (mut fuel, mut out, mut at) = (Fuel::new(html.len()), Vec::new(), 0);
    while let Some(found) = html[at..].find('<') {
        at += found;
        let tag = TagMark::read(&html[at..], &mut fuel);
        out.extend(tag.as_ref().and_then(TagMark::target).filter(|target| is_in_site(target)).map(str::to_string));
        at += tag.map_or(1, |tag| tag.len);
    }
    out
}

/// Name of a tag in small letters; `None` for comments and declarations.
pub(super) fn tag_name(tag: &str) -> Option<String> {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.'))).unwrap_or(name.len());
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| name[..end].to_ascii_lowercase())
}

/// What a reader sees of a tag's attributes.
pub(super) fn visible_attributes(tag: &str) -> String {
    TagMark::read(tag, &mut Fuel::new(tag.len())).map(|tag| tag.seen().join(" ")).unwrap_or_default()
}

/// Does a tag of this name part words on the screen? Tags that HTML does not know do not.
pub(super) fn parts_words(name: &str) -> bool {
    const BLOCKS: [&str; 48] = [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "br",
        "button",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "img",
        "legend",
        "li",
        "main",
        "nav",
        "ol",
        "option",
        "p",
        "pre",
        "section",
        "select",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ];
    BLOCKS.contains(&name)
}
