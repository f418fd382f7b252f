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
    words_of(&rendered(markdown), false)
}

fn rendered(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_GFM
        | Options::ENABLE_WIKILINKS;
    let mut rendered = String::new();
    html::push_html(&mut rendered, Parser::new_ext(markdown, options));
    rendered
}

/// The visible words of HTML.
fn words_of(rendered: &str, of_section: bool) -> Vec<Word> {
    let mut out = Vec::new();
    for piece in pieces(rendered, of_section) {
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

/// The visible words of a section. Its character references are decoded and its tags gone, so each `&` and `<` outside of code is one.
pub fn section_words(text: &str) -> Vec<Word> {
    let escaped =
        |(fenced, part): (bool, String)| if fenced { part } else { part.replace('&', "&amp;").replace('<', "&lt;") };
    words_of(&rendered(&parts(text).into_iter().map(escaped).collect::<String>()), true)
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

const INLINE: [&str; 25] = [
    "a", "b", "i", "em", "strong", "span", "code", "kbd", "sub", "sup", "small", "u", "s", "del", "ins", "mark",
    "abbr", "q", "img", "cite", "var", "tt", "samp", "dfn", "time",
];

fn pieces(rendered: &str, of_section: bool) -> Vec<Piece> {
    let mut out = vec![Piece::default()];
    let (mut rows, mut codes) = (0, 0);
    let (mut row, mut code) = (0, 0);
    let mut lists: Vec<Option<usize>> = Vec::new();
    let mut due: Option<usize> = None;
    let mut after_code = false;
    let mut rest = rendered;
    while !rest.is_empty() {
        let at = rest.find('<').unwrap_or(rest.len());
        after_code &= at == 0;
        let text = decoded(&rest[..at]);
        if text.contains(char::is_alphanumeric)
            && let Some(number) = due.take()
        {
            push(&mut out, &format!(" {number} "));
        }
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
            // The number of an item with words is on the page, and in the text of its section.
            "ol" => lists.push(Some(attribute(tag, "start").and_then(|start| start.parse().ok()).unwrap_or(1))),
            "ul" => lists.push(None),
            // An item that begins with a number of its own and goes on below it has a word before it ends.
            "/li" => {
                if let Some(number) = due.take().filter(|_| of_section) {
                    push(&mut out, &format!(" {number} "));
                }
            }
            "/ol" | "/ul" => drop(lists.pop()),
            "li" => {
                let own = attribute(tag, "value").and_then(|value| value.parse().ok());
                if let Some(Some(next)) = lists.last_mut() {
                    let number: usize = own.unwrap_or(*next);
                    *next = number + 1;
                    due = Some(number);
                }
            }
            "img" => {
                push(&mut out, &decoded(attribute(tag, "alt").unwrap_or("")));
            }
            _ => {}
        }
        // Of code beside code one is shown and the other hidden by a style: two words.
        let beside = name == "code" && after_code;
        after_code = name == "/code" || (after_code && name != "code");
        // A comment is nothing at all.
        if beside || (name != "!" && !INLINE.contains(&name.trim_start_matches('/'))) {
            out.push(Piece { text: String::new(), row, code });
        }
    }
    out
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
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
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&nbsp;", " "),
        ("&copy;", "©"),
        ("&apos;", "'"),
        ("&bull;", "•"),
        ("&rarr;", "→"),
        ("&mdash;", "—"),
        ("&ndash;", "–"),
    ];
    let mut parts = text.split("&#");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let code = part.split_once(';').and_then(|(code, rest)| {
            let number =
                code.strip_prefix('x').map_or_else(|| code.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok());
            Some((char::from_u32(number?)?, rest))
        });
        match code {
            Some((c, rest)) => {
                out.push(c);
                out += rest;
            }
            None => out += &["&#", part].concat(),
        }
    }
    named.into_iter().fold(out, |text, (name, c)| text.replace(name, c)).replace("&amp;", "&")
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
/// directives. `counted` takes the words of each that are left out. A page of HTML is left to [`page`].
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
    if is(path, "txt") {
        return format!("~~~~~~~~~~~~\n{body}\n~~~~~~~~~~~~\n");
    }
    let before = words(&body).len();
    let mut out = String::new();
    for (fenced, part) in parts(&without(&body, "{% comment %}", "{% endcomment %}")) {
        out.push_str(&if fenced { part } else { prose(path, &part, body.contains("{%")) });
    }
    *counted += before.saturating_sub(words(&out).len());
    out
}

/// A body below the title of its page, where that is the file's name and stands nowhere in the file.
pub fn titled(title: &str, body: &str) -> String {
    let has_title =
        |line: &str| line.trim_start_matches("<p>").trim_end_matches("</p>").trim_matches(['#', ' ']) == title;
    if title.is_empty() || body.lines().any(has_title) {
        body.into()
    } else {
        ["<p>", title, "</p>\n\n", body].concat()
    }
}

fn is(path: &str, extension: &str) -> bool {
    path.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case(extension))
}

/// Runs of lines, and whether they are fenced code.
fn parts(body: &str) -> Vec<(bool, String)> {
    let mut out = vec![(false, String::new())];
    let mut open: Option<String> = None;
    for line in body.lines() {
        let mark = line.trim_start_matches([' ', '\t', '>']);
        let fence: String = ["```", "~~~"]
            .into_iter()
            .filter(|fence| mark.starts_with(fence))
            .flat_map(|fence| mark.chars().take_while(|c| fence.starts_with(*c)))
            .collect();
        let closes = open.as_ref().is_some_and(|open| fence.starts_with(open.as_str()) && mark.trim_end() == fence);
        let opens = open.is_none() && !fence.is_empty() && !mark[fence.len()..].contains('`');
        if opens {
            open = Some(fence);
            out.push((true, String::new()));
        }
        let last = out.len() - 1;
        out[last].1 += line;
        out[last].1 += "\n";
        if closes {
            open = None;
            out.push((false, String::new()));
        }
    }
    out
}

/// Lines that are no fenced code, without the marks of their dialect.
fn prose(path: &str, part: &str, is_template: bool) -> String {
    let mut part = part.to_string();
    if is(path, "mdx") {
        part = without(&without(&part, "{/*", "*/}"), "={`", "`}");
    }
    // Values that the site's generator fills in.
    part = without(&part, "{{", "}}");
    // Comments of vaults, and the choices of a form.
    part = without(&without(&part, "%%", "%%"), "<select", "</select>");
    if is_template {
        part = without_tags(&part);
    }
    let mut module = false;
    let mut out = String::new();
    for line in part.lines() {
        let begins = line.starts_with("import ") || line.starts_with("export ");
        module = is(path, "mdx") && (begins || module) && !line.trim().is_empty();
        if module {
            continue;
        }
        let line = if is_break(line) || line.eq_ignore_ascii_case("[[toc]]") {
            String::new()
        } else {
            without_lists(&without(line, "{:", "}"))
        };
        let mark = line.trim_start();
        if mark.starts_with(":::") {
            let rest = mark.trim_start_matches(':').trim_start();
            let name = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
            out.push_str(&rest[name..]);
        } else if let Some((quote, title)) = callout(&line) {
            out.extend([quote, title, "\n", quote]);
        } else {
            out.push_str(&without_names(&line));
        }
        out.push('\n');
    }
    out
}

/// Lines without template tags. One alone on a line in HTML leaves no blank line: that would make code of the lines after it.
fn without_tags(part: &str) -> String {
    let mut out = String::new();
    for line in without(part, "{%", "%}").split('\n') {
        let block = out.rsplit("\n\n").next().unwrap_or_default();
        let in_html = block.trim_start().starts_with('<');
        out += if line.trim().is_empty() && !line.is_empty() && in_html { "<!-- -->" } else { line };
        out.push('\n');
    }
    out
}

/// A line break alone on its line: for the site's generator what follows is Markdown, for this parser HTML.
fn is_break(line: &str) -> bool {
    matches!(line.trim_end(), "<br>" | "<br/>" | "<br />")
}

/// A line without `{.class}` and `^block-id`, which draw or name what they follow.
fn without_lists(line: &str) -> String {
    let line = match line.trim_end().rsplit_once('^') {
        Some((before, id))
            if id.len() > 3
                && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
                && (before.is_empty() || before.ends_with(' ')) =>
        {
            before
        }
        _ => line,
    };
    let Some((before, after)) = line.split_once("{.").filter(|_| !line.starts_with('#')) else { return line.into() };
    match after.split_once('}') {
        Some((name, after)) if !name.contains(' ') => format!("{before}{after}"),
        _ => line.into(),
    }
}

/// `> [!note]- Title`: the quote marks and the title. The kind of a callout is drawn as an icon.
fn callout(line: &str) -> Option<(&str, &str)> {
    let at = line.find("[!")?;
    let (quote, rest) = line.split_at(at);
    let (_, title) = rest.split_once(']')?;
    let is_quote = quote.contains('>') && quote.chars().all(|c| matches!(c, '>' | ' ' | '\t' | '-'));
    is_quote.then(|| (quote, title.trim_start_matches(['-', '+'])))
}

/// A line without the marks of notes and the names of embedded pictures: neither is a word of the page.
fn without_names(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['[', '!']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // A link into a note names the note, not the id of a block.
        if let Some((target, after)) = rest.strip_prefix("[[").and_then(|inner| inner.split_once("#^"))
            && !target.contains(']')
            && let Some(end) = after.find([']', '|'])
        {
            out += &["[[", target].concat();
            rest = &after[end..];
            continue;
        }
        let embedded = rest.strip_prefix("![[").and_then(|inner| inner.split_once("]]"));
        let note = rest.strip_prefix("[^").and_then(|inner| inner.split_once(']'));
        let definition = note.is_some_and(|(_, after)| after.starts_with(':'));
        rest = match (embedded, note) {
            (Some((name, after)), _) if is_picture(name) => after,
            (_, Some((_, after))) if !definition => after,
            (_, Some((_, after))) => {
                out.push('\n');
                after.trim_start_matches([':', ' '])
            }
            _ => {
                out.push_str(&rest[..1]);
                &rest[1..]
            }
        };
    }
    out + rest
}

fn is_picture(name: &str) -> bool {
    let (file, size) = name.split_once('|').unwrap_or((name, ""));
    let file = file.split('#').next().unwrap_or(file).to_ascii_lowercase();
    let known = ["png", "jpg", "jpeg", "gif", "svg", "webp", "mp3", "mp4", "ogg", "webm", "pdf", "canvas"];
    known.iter().any(|kind| file.ends_with(&format!(".{kind}"))) && size.chars().all(|c| c.is_ascii_digit() || c == 'x')
}

/// The words of a page of HTML: those in `<main>`, else in `role="main"`, else in `<body>`, without lists of links and what no reader sees.
/// `counted` takes the others.
pub fn page(text: &str, counted: &mut usize) -> Vec<Word> {
    let text = text.replace("\r\n", "\n");
    let text = ["<script", "<style"].into_iter().fold(text, |text, open| {
        let close = open.replace('<', "</");
        without(&text, open, &format!("{close}>"))
    });
    let begins =
        ["<main", "role=\"main\"", "class=\"body\"", "<body"].into_iter().find_map(|mark| text.find(mark)).unwrap_or(0);
    let begins = begins + text[begins..].find('>').map_or(0, |end| end + 1);
    let content = &text[begins..main_end(&text, begins)];
    let aids = [("<nav", "</nav>"), ("<a class=\"headerlink\"", "</a>"), ("<div class=\"prompt", "</div>")];
    let content = aids.into_iter().fold(content.to_string(), |content, (open, close)| without(&content, open, close));
    let found = words_of(&content, false);
    *counted += words_of(&text, false).len() - found.len();
    found
}

/// Where the element that was open at `begins` ends: as many closing tags as opening ones of its kind.
fn main_end(text: &str, begins: usize) -> usize {
    let name = text[..begins].rfind('<').and_then(|at| tag_name(&text[at..])).unwrap_or_default();
    let (mut depth, mut at) = (1, begins);
    while let Some(found) = text[at..].find('<') {
        at += found;
        match tag_name(&text[at..]) {
            Some(tag) if tag == name => depth += 1,
            Some(tag) if tag.strip_prefix('/') == Some(&name) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        at += 1;
    }
    text.len()
}

/// A text without what stands between two marks, in code excepted.
fn without(text: &str, open: &str, close: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let (before, inside) = rest.split_at(start);
        out += before;
        let end = inside[open.len()..].find(close).filter(|_| !before.ends_with('`'));
        let length = end.map_or(open.len(), |end| open.len() + end + close.len());
        out += if end.is_some() { "" } else { open };
        rest = &inside[length..];
    }
    out + rest
}
