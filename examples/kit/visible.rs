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

const INLINE: [&str; 20] = [
    "a", "b", "i", "em", "strong", "span", "code", "kbd", "sub", "sup", "small", "u", "s", "del", "ins", "mark",
    "abbr", "q", "img", "!",
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
        if tag.starts_with("<sup class=\"footnote") {
            // The number of a footnote is a mark.
            rest = &rest[rest.find("</sup>").unwrap_or(0)..];
        }
        match name.as_str() {
            // Two side by side are two words, of which a style sheet mostly shows one.
            "/span" if rest.starts_with("<span") => push(&mut out, " "),
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
    let named = [
        ("&bull;", "•"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&nbsp;", " "),
        ("&copy;", "©"),
        ("&amp;", "&"),
    ];
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
