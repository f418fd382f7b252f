//! The words that a reader of a Markdown page sees, found the slow and obvious way: rendered to HTML, tags taken out.

#![allow(dead_code, reason = "each example uses a part of it")]

use std::collections::HashMap;

use pulldown_cmark::{Options, Parser, html};

/// A word, and where it stands.
pub struct Word {
    pub text: String,
    /// First of a block, line of code, table cell, or sentence by the Unicode rules.
    pub begins: bool,
    /// Number of the table row or code block that it is in; 0 for none.
    pub row: usize,
    pub code: usize,
}

/// The visible words of Markdown, in order. A word is a run of letters and digits of any script.
pub fn words(markdown: &str) -> Vec<Word> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_GFM
        | Options::ENABLE_WIKILINKS;
    let mut rendered = String::new();
    html::push_html(&mut rendered, Parser::new_ext(markdown, options));
    let mut out = Vec::new();
    for piece in pieces(&rendered) {
        for sentence in unicode_segmentation::UnicodeSegmentation::split_sentence_bounds(piece.text.as_str()) {
            let mut begins = true;
            for word in sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
                out.push(Word { text: word.to_string(), begins, row: piece.row, code: piece.code });
                begins = false;
            }
        }
    }
    out
}

/// The words of a text that is no Markdown.
pub fn plain_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Text between tags that part blocks.
#[derive(Default)]
struct Piece {
    text: String,
    row: usize,
    code: usize,
}

const INLINE: [&str; 19] = [
    "a", "b", "i", "em", "strong", "span", "code", "kbd", "sub", "sup", "small", "u", "s", "del", "ins", "mark",
    "abbr", "q", "img",
];

fn pieces(rendered: &str) -> Vec<Piece> {
    let mut out = vec![Piece::default()];
    let (mut rows, mut codes) = (0, 0);
    let (mut row, mut code) = (0, 0);
    let mut rest = rendered;
    while !rest.is_empty() {
        let at = rest.find('<').unwrap_or(rest.len());
        let text = decoded(&rest[..at]);
        let mut lines = text.split('\n');
        push(&mut out, lines.next().unwrap_or(""));
        for line in lines {
            // A line of code stands alone, one of prose runs on.
            if code > 0 {
                out.push(Piece { text: String::new(), row, code });
            } else {
                push(&mut out, " ");
            }
            push(&mut out, line);
        }
        rest = &rest[at..];
        let Some(name) = tag_name(rest) else {
            let one = rest.chars().next().map_or(0, char::len_utf8);
            push(&mut out, &rest[..one]);
            rest = &rest[one..];
            continue;
        };
        let length = tag_length(rest, &name);
        let tag = &rest[..length];
        rest = &rest[length..];
        match name.as_str() {
            "tr" => {
                rows += 1;
                row = rows;
            }
            // A heading is in no row that was left open.
            "/tr" | "/table" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => row = 0,
            "pre" => {
                codes += 1;
                code = codes;
            }
            "/pre" => code = 0,
            "img" => {
                let alt = tag.split_once("alt=\"").and_then(|(_, rest)| rest.split_once('"'));
                push(&mut out, &decoded(alt.map_or("", |(alt, _)| alt)));
            }
            _ => {}
        }
        if !INLINE.contains(&name.trim_start_matches('/')) {
            out.push(Piece { text: String::new(), row, code });
        }
    }
    out
}

fn push(out: &mut [Piece], text: &str) {
    if let Some(last) = out.last_mut() {
        last.text.push_str(text);
    }
}

/// The name of the tag at the head of a text, `/` included; `!` for comments; `None` where no tag begins.
fn tag_name(rest: &str) -> Option<String> {
    let inner = rest.strip_prefix('<')?;
    if inner.starts_with(['!', '?']) {
        return Some("!".into());
    }
    let slash = usize::from(inner.starts_with('/'));
    let end = inner[slash..]
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '.' | '_'))
        .unwrap_or(inner.len() - slash);
    let begins = inner[slash..].starts_with(|c: char| c.is_ascii_alphabetic());
    (begins || inner.starts_with("/>") || inner.starts_with('>')).then(|| inner[..slash + end].to_ascii_lowercase())
}

fn tag_length(rest: &str, name: &str) -> usize {
    let to = |mark: &str| rest.find(mark).map_or(rest.len(), |at| at + mark.len());
    match name {
        "!" if rest.starts_with("<!--") => to("-->"),
        "script" | "style" => {
            let close = rest.to_ascii_lowercase().find(&format!("</{name}")).unwrap_or(rest.len());
            rest[close..].find('>').map_or(rest.len(), |at| close + at + 1)
        }
        _ => to(">"),
    }
}

fn decoded(text: &str) -> String {
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", " "), ("&copy;", "©"), ("&amp;", "&")];
    named.into_iter().fold(text.to_string(), |text, (name, c)| text.replace(name, c))
}

/// What two lists of words have in common, in order.
pub struct Alignment {
    /// For each word found its place in the source, if it has one.
    pub places: Vec<Option<usize>>,
    /// Places of source words that are nowhere among those found.
    pub lost: Vec<usize>,
    /// Words found that the source does not have there: repeated headers, titles.
    pub added: usize,
    /// Words of the source that stand elsewhere, as footnotes do.
    pub moved: usize,
}

/// Aligns words found with those of the source, looking up to 160 words ahead where they part.
pub fn align(source: &[Word], found: &[String]) -> Alignment {
    let same = |i: usize, j: usize| match (source.get(i), found.get(j)) {
        (Some(word), Some(other)) => word.text == *other,
        (None, None) => true,
        _ => false,
    };
    let (mut i, mut j) = (0, 0);
    let mut places = vec![None; found.len()];
    let mut skipped = Vec::new();
    let mut extra: HashMap<&str, usize> = HashMap::new();
    let mut added = 0;
    while i < source.len() || j < found.len() {
        if i < source.len() && j < found.len() && same(i, j) {
            places[j] = Some(i);
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let meets = |k: usize| {
            let inside = |(a, b): &(usize, usize)| i + a <= source.len() && j + b <= found.len();
            let meet = |(a, b): &(usize, usize)| (0..3).all(|n| same(i + a + n, j + b + n) || i + a + n > source.len());
            (0..=k).map(|a| (a, k - a)).find(|way| inside(way) && meet(way))
        };
        let (a, b) = (1..160).find_map(meets).unwrap_or((source.len() - i, found.len() - j));
        skipped.extend(i..(i + a).min(source.len()));
        for word in &found[j..(j + b).min(found.len())] {
            *extra.entry(word).or_default() += 1;
            added += 1;
        }
        (i, j) = ((i + a).min(source.len()), (j + b).min(found.len()));
    }
    let before = skipped.len();
    skipped.retain(|place| match extra.get_mut(source[*place].text.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            added -= 1;
            false
        }
        _ => true,
    });
    Alignment { places, moved: before - skipped.len(), lost: skipped, added }
}

/// A source file without what no reader of the page sees: front matter, and in its dialect module code, template tags and the marks of
/// directives. `counted` takes the words of each that are left out.
pub fn plain(path: &str, text: &str, counted: &mut usize) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let body = match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) {
        Some((head, body)) => {
            let body = body.split_once('\n').map_or("", |(_, body)| body);
            // The title is on the page, once.
            let title = head.lines().find_map(|line| line.strip_prefix("title:")).unwrap_or_default();
            let title = title.trim().trim_matches(['"', '\'']);
            let again = body.lines().any(|line| line.starts_with('#') && line.trim_start_matches('#').trim() == title);
            if again || title.is_empty() { body.to_string() } else { format!("<p>{title}</p>\n\n{body}") }
        }
        None => text,
    };
    let is = |extension: &str| path.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case(extension));
    if is("txt") {
        return format!("~~~~~~~~~~~~\n{body}\n~~~~~~~~~~~~\n");
    }
    let before = words(&body).len();
    let mut fenced = false;
    let mut module = false;
    let mut out = String::new();
    for line in body.lines() {
        fenced ^= line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        let begins = line.starts_with("import ") || line.starts_with("export ");
        module = is("mdx") && !fenced && (begins || module) && !line.trim().is_empty();
        if module {
            continue;
        }
        let line = if fenced {
            line.to_string()
        } else {
            without(&without(&without(line, "{%", "%}"), "{:", "}"), "{/*", "*/}")
        };
        let mark = line.trim_start();
        if !fenced && mark.starts_with(":::") {
            let rest = mark.trim_start_matches(':').trim_start();
            let name = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            out.push_str(&rest[name..]);
        } else {
            out.push_str(&line);
        }
        out.push('\n');
    }
    *counted += before.saturating_sub(words(&out).len());
    out
}

fn without(line: &str, open: &str, close: &str) -> String {
    let mut out = line.to_string();
    while let Some(start) = out.find(open) {
        let Some(end) = out[start..].find(close) else { break };
        out.replace_range(start..start + end + close.len(), "");
    }
    out
}
