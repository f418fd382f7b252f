//! Marks inside lines that no reader sees: template tags, attribute lists, highlights, comments, block ids, text directives.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::render::OPTIONS;
use super::script::Fuel;
use super::tag::TagMark;
use crate::source::draft::Edit;

/// A mark is closed within this many bytes, or it is text.
const MAX_MARK_BYTES: usize = 2000;

const ENDCOMMENT: &str = "{% endcomment %}";

/// What a text is left with.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub edits: Vec<Edit>,
    /// Words of comments and of expressions.
    pub comments: usize,
    pub expressions: usize,
}

/// The edits that leave a text without such marks. Code is not touched.
pub(super) fn read(text: &str) -> Found {
    let found = Marks::new(text, &[]).find();
    if found.edits.is_empty() {
        return found;
    }
    Marks::new(text, &code(text)).find()
}

/// Bytes of a text that are code.
fn code(text: &str) -> Vec<Range<usize>> {
    let events = Parser::new_ext(text, OPTIONS).into_offset_iter();
    let code = events.filter(|(event, _)| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))));
    code.map(|(_, range)| range).collect()
}

struct Marks<'t, 'c> {
    text: &'t str,
    code: &'c [Range<usize>],
    edits: Vec<Edit>,
    /// Words of comments, and of values that the site's generator fills in.
    comments: usize,
    expressions: usize,
    /// The file has template tags, so `{{ … }}` is one of their values.
    is_liquid: bool,
    /// Where the last `-->`, `>` and `%%` begin: what opens behind them is not closed.
    last_arrow: Option<usize>,
    last_bracket: Option<usize>,
    last_percents: Option<usize>,
    last_endcomment: Option<usize>,
    /// Bytes that may be looked through for closing marks.
    fuel: usize,
}

impl<'t, 'c> Marks<'t, 'c> {
    fn new(text: &'t str, code: &'c [Range<usize>]) -> Self {
        Self {
            text,
            code,
            edits: Vec::new(),
            comments: 0,
            expressions: 0,
            is_liquid: text.contains("{%"),
            last_arrow: text.rfind("-->"),
            last_bracket: text.rfind('>'),
            last_percents: text.rfind("%%"),
            last_endcomment: text.rfind(ENDCOMMENT),
            fuel: 64 * text.len() + MAX_MARK_BYTES,
        }
    }

    fn find(mut self) -> Found {
        let (mut at, mut code) = (0, 0);
        while let Some(found) = self.text[at..].find(['{', '%', '=', '^', ':', '[', '<', '$', '\\']) {
            at += found;
            while self.code.get(code).is_some_and(|range| range.end <= at) {
                code += 1;
            }
            if let Some(range) = self.code.get(code).filter(|range| range.start <= at) {
                at = range.end;
                continue;
            }
            // A code range that the mark would run into keeps it from being one.
            let stop = self.code.get(code).map_or(self.text.len(), |range| range.start);
            at = self.mark(at, stop).unwrap_or(at + 1).max(at + 1).min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at += 1;
            }
        }
        Found { edits: self.edits, comments: self.comments, expressions: self.expressions }
    }

    /// Reads the mark at `at`, and gives where to go on.
    fn mark(&mut self, at: usize, stop: usize) -> Option<usize> {
        let rest = &self.text[at..];
        match rest.as_bytes()[0] {
            b'\\' => Some(at + 2),
            b'{' => self.braces(at),
            b'%' => self.percents(at),
            b'=' => self.highlight(at, stop),
            b'^' => self.block_id(at),
            b':' => self.text_directive(at, stop),
            b'[' => self.brackets(at),
            b'$' => self.price(at),
            _ => self.line_break(at).or_else(|| self.comment(at)).or_else(|| self.declaration(at)),
        }
    }

    /// `$3 or $4` is two prices and no formula: what ends a formula stands before no digit.
    fn price(&mut self, at: usize) -> Option<usize> {
        let after = &self.text[at + 1..];
        let opens = after.starts_with(|c: char| c.is_ascii_digit()) && !self.text[..at].ends_with('$');
        let window = opens.then(|| self.window(at + 1))?;
        let close = window.find('$')?;
        let is_price = window[close + 1..].starts_with(|c: char| c.is_ascii_digit());
        if is_price { self.cut(at..at + 1, "&#36;") } else { Some(at + close + 2) }
    }

    /// A `<br>` alone after a blank line only adds room. For the parser it would make HTML of the Markdown after it.
    fn line_break(&mut self, at: usize) -> Option<usize> {
        let len = ["<br>", "<br/>", "<br />"].iter().find(|tag| self.text[at..].starts_with(*tag))?.len();
        let ends = self.text[at + len..].trim_start_matches(' ').chars().next().is_none_or(|c| c == '\n');
        let before = &self.text[..at];
        let begins = before.is_empty() || before.ends_with("\n\n");
        if begins && ends { self.cut(at..at + len, "") } else { None }
    }

    /// Replaces a mark; gives where to go on, as its readers do.
    #[expect(clippy::unnecessary_wraps, reason = "the readers of marks end with it")]
    fn cut(&mut self, range: Range<usize>, with: impl Into<String>) -> Option<usize> {
        let end = range.end;
        self.edits.push(Edit::new(range, with));
        Some(end)
    }

    /// Text from `at` in which a mark must be closed.
    fn window(&mut self, at: usize) -> &'t str {
        let mut end = (at + MAX_MARK_BYTES.min(self.fuel)).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        self.fuel -= end - at;
        let window = &self.text[at..end];
        window.split("\n\n").next().unwrap_or(window)
    }

    /// `{% tag %}`, `{{< tag >}}`, `{{% tag %}}`, `{: .class }`, `{ .class }`, and `{{ base }}` in a link's target.
    fn braces(&mut self, at: usize) -> Option<usize> {
        let window = self.window(at);
        for (open, close) in [("{%", "%}"), ("{{<", ">}}"), ("{{%", "%}}")] {
            if let Some(inside) = window.strip_prefix(open) {
                let end = at + open.len() + inside.find(close)? + close.len();
                return self.template_tag(at..end, open.len(), close.len());
            }
        }
        if window.starts_with("{{") {
            let end = at + window.find("}}")? + 2;
            if self.is_liquid {
                self.expressions += words(&self.text[at..end]);
            }
            let cut = self.is_liquid || self.text[..at].ends_with("](");
            return if cut { self.cut(at..end, "") } else { Some(end) };
        }
        let close = window.find('}')?;
        let inside = &window[1..close];
        let list = inside.strip_prefix(':').is_some_and(|list| !list.contains('\n'));
        if (list || is_attributes(inside)) && !self.on_heading(at) {
            return self.cut(at..at + close + 1, "");
        }
        None
    }

    fn template_tag(&mut self, range: Range<usize>, open: usize, close: usize) -> Option<usize> {
        let inside = self.text[range.start + open..range.end - close].trim_matches(['-', ' ', '/']);
        if inside == "comment" {
            let closed = self.last_endcomment.is_some_and(|last| last >= range.end);
            let end = closed.then(|| self.text[range.end..].find(ENDCOMMENT)).flatten();
            if let Some(end) = end.map(|end| range.end + end) {
                self.comments += words(&self.text[range.end..end]);
                return self.cut(range.start..end + ENDCOMMENT.len(), "");
            }
        }
        if let Some(texts) = quoted_arguments(inside) {
            let in_target = ["](", "=\"", "='"].iter().any(|mark| self.text[..range.start].ends_with(mark));
            let shown = texts.last().filter(|text| !text.contains(['/', '.']));
            let with = if in_target {
                texts[0].replace(' ', "%20")
            } else {
                shown.map(|text| escaped(text)).unwrap_or_default()
            };
            return self.cut(range, with);
        }
        let as_tag = format!("<x-{inside}>");
        let seen = TagMark::read(&as_tag, &mut Fuel::new(as_tag.len())).map(|tag| tag.seen().join(" "));
        let Some(seen) = seen.filter(|seen| !seen.is_empty()) else {
            let end = range.end;
            let around = self.around(range);
            self.cut(around, "");
            return Some(end);
        };
        self.cut(range, format!("{}\n\n", escaped(&seen)))
    }

    /// A mark with the blank before it and the brackets around it that nothing would stand in without it: `the {% icon gear %} menu`.
    fn around(&self, mark: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = mark;
        let free = self.edits.last().map_or(0, |edit| edit.range.end);
        if self.text[free.min(start)..start].ends_with('(') && self.text[end..].starts_with(')') {
            (start, end) = (start - 1, end + 1);
        }
        let blank = self.text[free.min(start)..start].ends_with(' ');
        let parted = self.text[end..].starts_with([' ', '.', ',', ';', ':', '!', '?', ')', '\n']);
        if blank && parted { start - 1..end } else { start..end }
    }

    /// Heading attributes are the parser's: they name an anchor.
    fn on_heading(&mut self, at: usize) -> bool {
        let bytes = &self.text.as_bytes()[at.saturating_sub(MAX_MARK_BYTES)..at];
        let start = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(found) => at - bytes.len() + found + 1,
            None if bytes.len() == at => 0,
            None => return false,
        };
        let mut after = self.window(at).split('\n').skip(1);
        let underline = after.next().is_some_and(|line| {
            let line = line.trim();
            !line.is_empty() && (line.bytes().all(|b| b == b'=') || line.bytes().all(|b| b == b'-'))
        });
        underline || self.text[start..at].trim_start_matches([' ', '>']).starts_with('#')
    }

    /// `%%comment%%`, in a line or over lines.
    fn percents(&mut self, at: usize) -> Option<usize> {
        let opens = self.text[at..].starts_with("%%")
            && (at == 0 || self.text[..at].ends_with(char::is_whitespace))
            && self.last_percents.is_some_and(|last| last >= at + 2);
        let body = opens.then(|| &self.text[at + 2..])?;
        let close = body.find("%%")?;
        let after = body[close + 2..].chars().next();
        if after.is_some_and(|c| c.is_alphanumeric() || c == '%') {
            return Some(at + 2);
        }
        self.comments += words(&body[..close]);
        self.cut(at..at + close + 4, "")
    }

    /// `==highlight==` loses its marks.
    fn highlight(&mut self, at: usize, stop: usize) -> Option<usize> {
        let run = self.text[at..].bytes().take_while(|byte| *byte == b'=').count();
        let before = self.text[..at].chars().next_back();
        if run != 2 || before.is_some_and(|c| c.is_ascii_alphanumeric()) {
            return Some(at + run);
        }
        let window = self.window(at + 2);
        let close = window.find("==").filter(|close| *close > 0 && at + 2 + close < stop);
        let close = close.filter(|close| !window[close + 2..].starts_with('='))?;
        let inside = &window[..close];
        if inside.starts_with(char::is_whitespace) || inside.ends_with(char::is_whitespace) {
            return Some(at + 2);
        }
        self.cut(at..at + 2, "");
        let inner = at + 2 + close;
        self.cut(inner..inner + 2, "")
    }

    /// ` ^abc123` at the end of a line.
    fn block_id(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at + 1..];
        let id = rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next()?;
        let after = rest[id.len()..].trim_start_matches([' ', '\t']);
        let alone = at == 0 || self.text[..at].ends_with('\n');
        let ends = after.is_empty() || after.starts_with('\n');
        if id.len() < 4 || !ends || !(alone || self.text[..at].ends_with([' ', '\t'])) {
            return None;
        }
        self.cut(at..at + 1 + id.len(), "")
    }

    /// `:abbr[HTML]{title="…"}` leaves its label.
    fn text_directive(&mut self, at: usize, stop: usize) -> Option<usize> {
        let rest = &self.text[at + 1..];
        let len = rest.bytes().take(64).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count();
        let before = self.text[..at].chars().next_back();
        let begins = rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest[len..].starts_with('[');
        if !begins || before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ':' | '_' | '/')) {
            return Some(at + 1 + len);
        }
        let label = at + 2 + len;
        let window = self.window(label);
        let close = label + window.find(']').filter(|close| label + close < stop)?;
        let attributes = self.text[close + 1..]
            .starts_with('{')
            .then(|| self.window(close + 2))
            .and_then(|tail| tail.find('}').filter(|end| !tail[..*end].contains('\n')));
        self.cut(at..label, "");
        self.cut(close..close + 1 + attributes.map_or(0, |end| end + 2), "")
    }

    /// `[[text]](url)` is a link whose text has brackets, not a wiki link.
    fn brackets(&mut self, at: usize) -> Option<usize> {
        let window = self.text[at..].starts_with("[[").then(|| self.window(at))?;
        let close = window.find("]]").filter(|close| window[close + 2..].starts_with('('))?;
        self.cut(at + 1..at + 1, "\\");
        self.cut(at + close..at + close, "\\")
    }

    /// A comment that is never closed hides nothing: only its mark goes.
    fn comment(&mut self, at: usize) -> Option<usize> {
        self.text[at..].starts_with("<!--").then_some(())?;
        if self.last_arrow.is_some_and(|last| last > at) {
            return self.text[at..].find("-->").map(|end| at + end + 3);
        }
        self.cut(at..at + 4, "")
    }

    /// Nor does a declaration (`<!DOCTYPE`, `<![CDATA[`) or an instruction (`<?php`), which the parser would read to the end: it is text.
    fn declaration(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at + 1..];
        let named = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic()) || rest.starts_with("[CDATA[");
        let opens = rest.starts_with('?') || rest.strip_prefix('!').is_some_and(named);
        let closed = self.last_bracket.is_some_and(|last| last > at);
        if opens && !closed { self.cut(at..at, "\\") } else { None }
    }
}

/// The texts of a tag that has nothing but texts: `channel "alumni" "the alumni channel"`. The last is what it shows.
fn quoted_arguments(tag: &str) -> Option<Vec<&str>> {
    let (name, rest) = tag.split_once(' ')?;
    if matches!(name, "include" | "render" | "extends" | "block" | "layout" | "import" | "if" | "case" | "when") {
        return None;
    }
    let parts: Vec<&str> = rest.trim().split('"').collect();
    let between = parts.iter().step_by(2).all(|part| part.trim().is_empty());
    (between && parts.len() >= 3 && parts.len() % 2 == 1).then(|| parts.into_iter().skip(1).step_by(2).collect())
}

/// `.class`, `#id` and `key="value"` alone.
fn is_attributes(inside: &str) -> bool {
    let mut parts = inside.split_whitespace().peekable();
    let names = |part: &str| {
        let name = part.strip_prefix(['.', '#']).unwrap_or("");
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':'))
    };
    let first = parts.peek().is_some_and(|part| names(part));
    first && parts.all(|part| names(part) || part.contains('='))
}

/// Text that Markdown, and HTML inside it, read as it stands: marks are character references. Those of the text are left to the parser.
pub(super) fn escaped(text: &str) -> String {
    use std::fmt::Write;

    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let begins = text[..at].trim_end().is_empty();
        match c {
            '\n' => out.push(' '),
            '-' | '+' | '.' | ')' if !begins && !text[..at].bytes().all(|b| b.is_ascii_digit()) => out.push(c),
            '&' | ';' | ',' | '?' | '\'' | '"' | '(' | '/' => out.push(c),
            c if c.is_ascii_punctuation() => write!(out, "&#{};", u32::from(c)).unwrap_or_default(),
            c => out.push(c),
        }
    }
    out
}

/// Runs of letters and digits.
pub(super) fn words(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::draft::Draft;

    fn edited(text: &str) -> String {
        Draft::new(text).edited(read(text).edits).text.into_owned()
    }

    #[test]
    fn marks_go_and_words_stay() {
        for (source, left) in [
            ("{% note %}Keep.{% endnote %} {:.big}", "Keep. "),
            ("a {% comment %}b{% endcomment %}c", "a c"),
            ("{{< figure caption=\"A *lamp*\" >}}", "A &#42;lamp&#42;\n\n"),
            ("[x]({{ site.url }}/y) {{ v }}", "[x](/y) {{ v }}"),
            ("{% a %}{{ v }} b", " b"),
            ("the {% icon fa-cog %} **Settings** tab", "the **Settings** tab"),
            ("$3<br>or $4, $5", "&#36;3<br>or &#36;4, $5"),
            ("$2x$ and $3 y$", "$2x$ and $3 y$"),
            (
                "[x]({% page \"a/b c\" %}) on {% channel \"a\" \"the a\" %} {% image \"a.png\" %}",
                "[x](a/b%20c) on the a ",
            ),
            ("{% if a == \"b\" %}c", "c"),
            ("{%} a", "{%} a"),
            ("{{%}} a", "{{%}} a"),
            ("[b](c){ .md-button #x }", "[b](c)"),
            ("an ==important== word, a == b == c, x==y", "an important word, a == b == c, x==y"),
            ("a %%hidden%% b", "a  b"),
            ("100%% sure %%d", "100%% sure %%d"),
            ("Text. ^abc123\nnext", "Text. \nnext"),
            ("x ^2", "x ^2"),
            ("An :abbr[HTML]{title=\"x\"} and :smile: and a:b[c]", "An HTML and :smile: and a:b[c]"),
            ("See [[1]](https://a.example)", "See [\\[1\\]](https://a.example)"),
            ("a <!-- b --> c <!-- d", "a <!-- b --> c  d"),
            ("a\n\n<br>\n*b*<br>\n<br>\nc", "a\n\n\n*b*<br>\n<br>\nc"),
            ("# A {#b .pinned}", "# A {#b .pinned}"),
            ("\\{% a %} {a} {a b}", "\\{% a %} {a} {a b}"),
        ] {
            assert_eq!(edited(source), left, "{source}");
        }
    }

    #[test]
    fn marks_in_code_stay() {
        for text in ["`{% if %}` and `==a==`", "```\n{% a %} %%b%%\n```\n{:x", "    ==a==", "`a ^abcd`\n"] {
            assert_eq!(edited(text), text);
        }
        assert_eq!(edited("`%%` a %%b%% c"), "`%%` a  c");
    }
}
