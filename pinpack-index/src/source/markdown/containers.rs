//! Containers to paragraphs: directives (`:::note`), admonitions (`!!! note`), callouts (`> [!note]`), highlight tags.
//!
//! Their marks go, their titles become lines of their own, their contents become ordinary Markdown.

use super::lines::{Fences, Line, lines};
use crate::source::draft::Edit;

/// The edits that leave a text without container marks. Lines of code are not touched.
pub(super) fn edits(text: &str) -> Vec<Edit> {
    const MARKS: [&str; 9] = ["::", "!!! ", "??? ", "???+ ", "=== ", "===! ", "[!", "{%", "toc"];
    if !MARKS.iter().any(|mark| text.contains(mark)) && !text.contains("TOC") {
        return Vec::new();
    }
    let last_endhighlight = text.rfind("{% endhighlight");
    let mut containers = Containers { text, last_endhighlight, ..Containers::default() };
    for line in lines(text) {
        containers.line(&line);
    }
    containers.edits
}

#[derive(Default)]
struct Containers<'t> {
    text: &'t str,
    edits: Vec<Edit>,
    fences: Fences,
    /// Columns at which the contents of each open admonition begin.
    admonitions: Vec<usize>,
    /// Quote marks of the line before.
    quotes: usize,
    in_highlight: bool,
    last_endhighlight: Option<usize>,
}

impl Containers<'_> {
    fn line(&mut self, line: &Line<'_>) {
        let before = std::mem::replace(&mut self.quotes, line.prefix.matches('>').count());
        let dedent = self.dedent(line);
        if dedent > 0 {
            self.edits.push(Edit::new(line.at..line.at + dedent, ""));
        }
        if self.highlight(line) || self.fences.holds(line) {
            return;
        }
        let prefix = &line.prefix[dedent..];
        let rest = line.rest.trim_end();
        let title = directive(rest).or_else(|| self.admonition(line, rest)).or_else(|| contents_mark(rest));
        if let Some(title) = title {
            self.replace(line, prefix, &title);
        } else if self.quotes > before {
            self.callout(line, prefix);
        }
    }

    /// Bytes of blanks that the open admonitions add to a line.
    fn dedent(&mut self, line: &Line<'_>) -> usize {
        if line.is_blank() {
            return 0;
        }
        let indent = line.indent();
        while self.admonitions.last().is_some_and(|columns| indent < *columns) {
            self.admonitions.pop();
        }
        line.blanks(4 * self.admonitions.len())
    }

    /// A marker line becomes its title between blank lines.
    fn replace(&mut self, line: &Line<'_>, prefix: &str, title: &str) {
        let with = if title.is_empty() { String::new() } else { format!("\n{prefix}{title}\n{prefix}") };
        self.edits.push(Edit::new(line.start()..line.end(), with));
    }

    /// `{% highlight ruby %}` to `{% endhighlight %}` is a fence. Is the line a part of one?
    fn highlight(&mut self, line: &Line<'_>) -> bool {
        let rest = line.rest.trim_end();
        let tag = rest.strip_prefix("{%").and_then(|tag| tag.strip_suffix("%}"));
        let tag = tag.map(|tag| tag.trim_matches(['-', ' ']));
        let fence = match tag {
            Some("endhighlight") if self.in_highlight => Some("~~~~~~".to_string()),
            Some(tag) if !self.in_highlight => tag.strip_prefix("highlight ").map(|rest| {
                let language = rest.split_whitespace().next().unwrap_or("");
                format!("~~~~~~{language}")
            }),
            _ => None,
        };
        let was = self.in_highlight;
        if let Some(fence) = fence {
            if !was && self.last_endhighlight.is_none_or(|last| last < line.end()) {
                return false;
            }
            self.in_highlight = !was;
            self.edits.push(Edit::new(line.start()..line.end(), fence));
            return true;
        }
        was
    }

    /// The title of `!!! note "Title"`, `??? note`, `=== "Tab"` before lines that are indented.
    fn admonition(&mut self, line: &Line<'_>, rest: &str) -> Option<String> {
        let (mark, after) = rest.split_once(' ')?;
        let tab = matches!(mark, "===" | "===!" | "===+");
        if !tab && !matches!(mark, "!!!" | "???" | "???+") {
            return None;
        }
        let (names, title) = match after.split_once('"') {
            Some((names, title)) => (names, title.strip_suffix('"')?),
            None => (after, ""),
        };
        let plain = names.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let columns = line.indent() + 4;
        let next = lines(&self.text[line.end()..]).skip(1).find(|line| !line.is_blank());
        let indented = next.is_some_and(|next| next.indent() >= columns);
        (plain && indented && tab == names.trim().is_empty()).then(|| {
            self.admonitions.push(columns);
            title.to_string()
        })
    }

    /// `> [!tip]- Title` leaves its title as a paragraph of the quote.
    fn callout(&mut self, line: &Line<'_>, prefix: &str) {
        let Some((kind, after)) = line.rest.strip_prefix("[!").and_then(|rest| rest.split_once(']')) else { return };
        let name = kind.split('|').next().unwrap_or("");
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ')) {
            return;
        }
        let title = after.strip_prefix(['-', '+']).unwrap_or(after).trim();
        let with = if title.is_empty() { String::new() } else { format!("{title}\n{prefix}") };
        self.edits.push(Edit::new(line.start()..line.end(), with));
    }
}

/// The title of a directive's line, which may be empty; `None` for other lines.
fn directive(rest: &str) -> Option<String> {
    let colons = rest.len() - rest.trim_start_matches(':').len();
    let after = rest[colons..].trim_start();
    if colons >= 3 && after.is_empty() {
        return Some(String::new());
    }
    let len = after.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(after.len());
    let tail = &after[len..];
    let named = after.starts_with(char::is_alphabetic);
    let leaf = colons == 2
        && rest.as_bytes().get(2) != Some(&b' ')
        && tail.starts_with(['[', '{'])
        && tail.ends_with([']', '}']);
    let container = colons >= 3 && (tail.is_empty() || tail.starts_with([' ', '\t', '[', '{']));
    (named && (leaf || container)).then(|| directive_title(tail))
}

/// `[Title]`, `Title`, `{title="Title"}`, and what is beside them.
fn directive_title(tail: &str) -> String {
    let (label, rest) = match tail.strip_prefix('[').and_then(|label| label.rsplit_once(']')) {
        Some((label, rest)) if !rest.contains('[') => (label, rest),
        _ => ("", tail),
    };
    let (plain, attributes) = match rest.split_once('{') {
        Some((plain, attributes)) if attributes.ends_with('}') => (plain, attributes),
        _ => (rest, ""),
    };
    let quoted = ["title=", "label="].iter().find_map(|key| {
        let value = &attributes[attributes.find(key)? + key.len()..];
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value[1..].split_once(quote).map(|(title, _)| title)
    });
    let parts = [label.trim(), plain.trim(), quoted.unwrap_or("").trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A line that stands for the page's table of contents.
fn contents_mark(rest: &str) -> Option<String> {
    let mark = rest.to_ascii_lowercase();
    matches!(&*mark, "[[toc]]" | "[toc]" | "[[_toc_]]" | "${toc}" | "{:toc}").then(String::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::draft::Draft;

    fn edited(text: &str) -> String {
        Draft::new(text).edited(edits(text)).text.into_owned()
    }

    #[test]
    fn titles_old_and_new_become_lines() {
        for (source, title) in [
            (":::note Read this", "Read this"),
            (":::note[Read *this*]", "Read *this*"),
            (":::note{title=\"Read this\"}", "Read this"),
            ("::::tip[A] {.b}", "A"),
            ("::: details Click me {open}", "Click me"),
            ("::: code-group", ""),
            (":::", ""),
            ("::::", ""),
            ("::youtube{#abc}", ""),
            ("::button[Press]{href=x}", "Press"),
        ] {
            assert_eq!(directive(source).as_deref(), Some(title), "{source}");
        }
        for text in ["std::vector", "::std", ":: x", ":a", "a ::: b", ":::?", "text"] {
            assert_eq!(directive(text), None, "{text}");
        }
    }

    #[test]
    fn indented_contents_are_moved_to_the_margin() {
        let source = "!!! note \"Mind\"\n    One.\n\n        code\n\n    ??? tip\n        Two.\n\nThree.\n";
        assert_eq!(edited(source), "\nMind\n\nOne.\n\n    code\n\n\nTwo.\n\nThree.\n");
        let tabs = "=== \"npm\"\n\n    ```sh\n    npm i\n    ```\n";
        assert_eq!(edited(tabs), "\nnpm\n\n\n```sh\nnpm i\n```\n");
    }

    #[test]
    fn marks_in_code_and_prose_stay() {
        for text in [
            "```\n:::note\n:::\n```\n",
            "> ```\n> [!x]\n> ```\n",
            "!!! wow that is\nnot indented\n",
            "Title\n===\n\ntext ::",
        ] {
            assert_eq!(edited(text), text);
        }
    }

    #[test]
    fn callouts_keep_their_title() {
        assert_eq!(edited("> [!tip]- Mind *this*\n> text"), "> Mind *this*\n> \n> text");
        assert_eq!(edited("> [!NOTE]\n> text"), "> \n> text");
        assert_eq!(edited("> text\n> [!note] no callout"), "> text\n> [!note] no callout");
    }
}
