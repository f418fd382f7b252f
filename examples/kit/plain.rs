//! A source file without what no reader of its page sees, found line by line.

#![allow(dead_code, reason = "each example uses a part of it")]

use crate::visible::words;

/// A file without its front matter, and in its dialect module code, template tags and values, comments, the marks of directives and
/// callouts, and the names of embedded files and of blocks.
///
/// `title` is the page's where the file itself has none. `counted` takes the words that are left out.
pub fn plain(path: &str, text: &str, title: &str, counted: &mut usize) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let body = titled(&text, title);
    let is = |extension: &str| path.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case(extension));
    if is("txt") {
        return format!("~~~~~~~~~~~~\n{body}\n~~~~~~~~~~~~\n");
    }
    // Template tags, or a page that is a Vue component: its values are filled in later.
    let has_values = body.contains("{%") || body.contains("<script setup>");
    let mut out = String::new();
    for run in runs(&without(&body, "{% comment %}", "{% endcomment %}")) {
        if is_fence(run) {
            out.push_str(run);
        } else {
            shown(run, is("mdx"), has_values, &mut out);
        }
    }
    *counted += words(&body).len().saturating_sub(words(&out).len());
    out
}

/// The body of a page under its title, which it has once.
fn titled(text: &str, title: &str) -> String {
    let (head, body) = match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) {
        Some((head, body)) => (head, body.split_once('\n').map_or("", |(_, body)| body)),
        None => ("", text),
    };
    let own = head.lines().find_map(|line| line.strip_prefix("title:"));
    let title = own.unwrap_or(title).trim().trim_matches(['"', '\'']);
    let heads = |line: &str| line.starts_with('#') && line.trim_start_matches('#').trim() == title;
    let again = own.is_some() && body.lines().any(heads);
    if again || title.is_empty() { body.to_string() } else { format!("<p>{title}</p>\n\n{body}") }
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~")
}

/// The text in runs of lines: fences with what they hold, and what is between them.
fn runs(text: &str) -> Vec<&str> {
    let (mut out, mut start, mut at, mut fenced) = (Vec::new(), 0, 0, false);
    for line in text.split_inclusive('\n') {
        if is_fence(line) {
            let cut = if fenced { at + line.len() } else { at };
            out.push(&text[start..cut]);
            (start, fenced) = (cut, !fenced);
        }
        at += line.len();
    }
    out.push(&text[start..]);
    out.retain(|run| !run.is_empty());
    out
}

/// What a reader sees of lines outside fences.
fn shown(run: &str, mdx: bool, has_values: bool, out: &mut String) {
    let mut run = without(&without(run, "{%", "%}"), "[[TOC", "]]");
    if has_values {
        run = without(&run, "{{", "}}");
    }
    let mut module = false;
    for line in without(&run, "\n%%", "%%").lines() {
        let begins = line.starts_with("import ") || line.starts_with("export ");
        module = mdx && (begins || module) && !line.trim().is_empty();
        if !module {
            let line = without(&without(&without(line, "{:", "}"), "{.", "}"), "{/*", "*/}");
            out.extend([row(directive(&names(&embeds(&callout(&line))))), "\n"]);
        }
    }
}

fn without(text: &str, open: &str, close: &str) -> String {
    let (mut out, mut from) = (String::new(), 0);
    while let Some(start) = text[from..].find(open).map(|at| from + at) {
        let inside = start + open.len();
        let Some(end) = text[inside..].find(close).map(|at| inside + at) else { break };
        out.push_str(&text[from..start]);
        from = end + close.len();
    }
    out.push_str(&text[from..]);
    out
}

/// `:::tip Title` is its title.
fn directive(line: &str) -> &str {
    let mark = line.trim_start();
    if !mark.starts_with(":::") {
        return line;
    }
    let rest = mark.trim_start_matches(':').trim_start();
    &rest[rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len())..]
}

/// A row of an HTML table that is indented as code is no code.
fn row(line: &str) -> &str {
    let mark = line.trim_start();
    if ["<t", "</t"].iter().any(|tag| mark.starts_with(tag)) { mark } else { line }
}

/// The first line of a quote without the mark of a callout: `> [!note]- Title`.
fn callout(line: &str) -> String {
    let quoted = line.trim_start().trim_start_matches(['>', ' ']);
    let mark = quoted.strip_prefix("[!").and_then(|rest| rest.split_once(']')).filter(|_| line.contains('>'));
    mark.map_or(line.to_string(), |(_, title)| format!("> {}", title.trim_start_matches(['+', '-'])))
}

/// A line without the names of embedded files: `![[lamp.svg#icon]]`, `![[lamp.png|300]]`.
fn embeds(line: &str) -> String {
    let mut parts = line.split("![[");
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        let (inside, after) = part.split_once("]]").unwrap_or((part, ""));
        let (target, alias) = inside.split_once('|').unwrap_or((inside, ""));
        let is_file = target.split('#').next().is_some_and(|file| file.contains('.'));
        if is_file && alias.chars().all(|c| c.is_ascii_digit() || c == 'x') {
            out.push_str(after);
        } else {
            out.extend(["![[", part]);
        }
    }
    out
}

/// A line without comments and the names of blocks: `%%why%%`, `^refunds`.
fn names(line: &str) -> String {
    let mut out = without(line, "%%", "%%");
    while let Some(at) = out.find("#^").filter(|_| out.contains("[[")) {
        let length = out[at + 2..].find([']', '|']).unwrap_or(0) + 2;
        out.replace_range(at..at + length, "");
    }
    let name = out.rfind('^').filter(|at| *at == 0 || out[..*at].ends_with(' '));
    let is_name = |at: &usize| out[at + 1..].trim_end().chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if let Some(at) = name.filter(is_name) {
        out.truncate(at);
    }
    out
}
