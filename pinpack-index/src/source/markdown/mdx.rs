//! MDX to Markdown: imports, exports and expressions go, what components hold and show stays.
//!
//! What looks like code and does not parse to its end is prose and stays, so no line is lost to a filter.

use super::lines::{Fences, Line, without_markers};
use super::literal::{fence, is_one, reads_like_prose, unescaped};
use super::marks::{escaped, words};
use super::render::is_in_site;
use super::script::{self, Fuel};
use super::tag::TagMark;
use crate::source::draft::Edit;

/// What a text is left with as Markdown.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub edits: Vec<Edit>,
    /// Links of components inside the site.
    pub links: Vec<String>,
    /// Words of expressions that were left out.
    pub words: usize,
}

/// Is a Markdown file MDX by what it holds: an import at the margin, and a component?
pub(super) fn is_mdx(text: &str) -> bool {
    if !text.contains("import ") || !text.contains('<') {
        return false;
    }
    let (mut fuel, mut fences) = (Fuel::new(text.len()), Fences::default());
    let (mut imports, mut components) = (false, false);
    for line in super::lines::lines(text) {
        if fences.holds(&line) {
            continue;
        }
        imports |= line.prefix.is_empty()
            && line.rest.starts_with("import ")
            && script::statement(text, line.at, &mut fuel).is_some();
        let tag = line.rest.strip_prefix('<').map(|name| name.trim_start_matches('/'));
        components |= tag.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()));
    }
    imports && components
}

pub(super) fn read(text: &str) -> Found {
    let mut reader = Reader { text, fuel: Fuel::new(text.len()), may_import: true, ..Reader::new() };
    while reader.at < text.len() {
        reader.line();
    }
    reader.found
}

/// An element that is open.
struct Open<'t> {
    name: &'t str,
    /// Columns at which its tag is written.
    columns: usize,
    /// Columns that its contents lose; not known before the first line of them.
    strip: Option<usize>,
    /// Its language, where it is a box of code.
    language: &'t str,
    /// Put before its closing tag: the anchor of a heading.
    tail: String,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    found: Found,
    fuel: Fuel,
    fences: Fences,
    /// Columns that the line lost which opened the last fence.
    fence_strip: usize,
    open: Vec<Open<'t>>,
    /// The line before was blank or a statement.
    may_import: bool,
    in_math: bool,
    /// Where the paragraph ends that a code span was last looked for in.
    paragraph_end: usize,
    /// Inside a list: what is indented belongs to an item.
    in_list: bool,
}

/// The line under way.
struct Head<'t> {
    prefix: &'t str,
    columns: usize,
    is_heading: bool,
    is_row: bool,
    /// Nothing but tags so far.
    only_tags: bool,
}

impl<'t> Reader<'t> {
    fn new() -> Self {
        Self {
            text: "",
            at: 0,
            found: Found::default(),
            fuel: Fuel::new(0),
            fences: Fences::default(),
            fence_strip: 0,
            open: Vec::new(),
            may_import: true,
            in_math: false,
            paragraph_end: 0,
            in_list: false,
        }
    }

    fn line(&mut self) {
        let text = self.text;
        let end = text[self.at..].find('\n').map_or(text.len(), |end| self.at + end);
        let line = Line::new(self.at, &text[self.at..end]);
        let may_import = std::mem::replace(&mut self.may_import, line.is_blank());
        let columns = self.dedent(&line);
        let next = (end + 1).min(text.len());
        if self.fences.holds(&line) || self.math(&line) || line.is_blank() {
            self.at = next;
            return;
        }
        if may_import && line.prefix.is_empty() && self.open.is_empty() && self.statement(&line, next) {
            return;
        }
        let is_item = without_markers(line.rest).len() < line.rest.len();
        self.in_list = is_item || (self.in_list && line.indent() > 0);
        let cut = self.found.edits.last().filter(|edit| edit.range.start == line.at).map_or(0, |edit| edit.range.len());
        let mut head = Head {
            prefix: line.prefix.get(cut..).unwrap_or(""),
            columns,
            is_heading: line.rest.starts_with('#'),
            is_row: line.rest.starts_with('|'),
            only_tags: true,
        };
        self.at = line.start() + line.rest.len() - without_markers(line.rest).len();
        self.inline(&mut head);
    }

    /// An import or export, with the comments behind it.
    fn statement(&mut self, line: &Line<'_>, next: usize) -> bool {
        let code = line.rest.starts_with("import") || line.rest.starts_with("export");
        let end = if code { script::statement(self.text, line.at, &mut self.fuel) } else { None };
        let comment = line.rest.starts_with("// ") && line.at > 0 && !self.text[..line.at].ends_with("\n\n");
        let Some(end) = end.or(comment.then_some(next)) else { return false };
        self.found.edits.push(Edit::new(line.at..end, ""));
        self.at = end;
        self.may_import = true;
        true
    }

    /// Takes off what elements indent their contents by; MDX has no indented code. Gives the columns that are left.
    fn dedent(&mut self, line: &Line<'_>) -> usize {
        let indent = line.indent();
        if line.is_blank() || line.prefix.contains('>') {
            return 0;
        }
        let mut strip = 0;
        if let Some(open) = self.open.last_mut() {
            let closes = line.rest.starts_with("</");
            let found = indent.saturating_sub(open.columns);
            strip = match open.strip {
                Some(strip) => strip,
                None if closes => found,
                None => *open.strip.insert(found),
            };
        } else if self.fences.are_open() {
            strip = self.fence_strip;
        } else if indent >= 4 && !self.in_list {
            strip = indent;
        }
        if !self.fences.are_open() {
            self.fence_strip = strip;
        }
        let bytes = line.blanks(strip);
        if bytes > 0 {
            self.found.edits.push(Edit::new(line.at..line.at + bytes, ""));
        }
        indent.saturating_sub(strip)
    }

    /// Is the line part of a block of mathematics?
    fn math(&mut self, line: &Line<'_>) -> bool {
        let was = self.in_math;
        if line.rest.starts_with("$$") || (was && line.rest.trim_end().ends_with("$$")) {
            let closed = !was && line.rest.trim_end().len() > 2 && line.rest.trim_end().ends_with("$$");
            self.in_math = !was && !closed;
            return true;
        }
        was
    }

    /// Reads to the end of a line; a tag or an expression may lead to a later one.
    fn inline(&mut self, head: &mut Head<'t>) {
        let text = self.text;
        loop {
            let Some(found) = text[self.at..].find(['\n', '\\', '`', '$', '{', '<']) else {
                self.at = text.len();
                return;
            };
            head.only_tags &= text[self.at..self.at + found].trim().is_empty();
            self.at += found;
            let next = match text.as_bytes()[self.at] {
                b'\n' => {
                    self.at += 1;
                    return;
                }
                b'\\' => Some(self.at + 1 + text[self.at + 1..].chars().next().map_or(0, char::len_utf8)),
                b'`' => Some(self.code_span()),
                b'$' => self.inline_math(),
                b'{' => self.expression(head),
                _ => self.element(head),
            };
            head.only_tags &= matches!(text.as_bytes()[self.at], b'<' | b'{') && next.is_some();
            self.at = next.unwrap_or(self.at + 1);
        }
    }

    fn code_span(&mut self) -> usize {
        let rest = &self.text[self.at..];
        let run = rest.len() - rest.trim_start_matches('`').len();
        if self.paragraph_end <= self.at {
            self.paragraph_end = rest.find("\n\n").map_or(self.text.len(), |end| self.at + end);
        }
        let paragraph = (self.paragraph_end - self.at).min(self.fuel.left());
        let mut at = run;
        while let Some(found) = rest.as_bytes()[at..paragraph.max(at)].iter().position(|byte| *byte == b'`') {
            at += found;
            let other = rest[at..].len() - rest[at..].trim_start_matches('`').len();
            at += other;
            if other == run {
                return self.at + at;
            }
        }
        self.fuel.burn(paragraph);
        self.at + run
    }

    /// `$x_{1}$`: its braces are no expression.
    fn inline_math(&mut self) -> Option<usize> {
        let line = self.text.as_bytes()[self.at + 1..].iter().take(400).take_while(|byte| **byte != b'\n');
        let close = line.into_iter().position(|byte| *byte == b'$')?;
        let inside = self.text.get(self.at + 1..self.at + 1 + close)?;
        let formula = inside.contains(['\\', '^', '_']) && !inside.starts_with(' ') && !inside.ends_with(' ');
        (formula && !inside.contains("${")).then_some(self.at + close + 2)
    }

    fn expression(&mut self, head: &Head<'t>) -> Option<usize> {
        let rest = &self.text[self.at..];
        if head.is_heading && (rest.starts_with("{#") || rest.starts_with("{.")) {
            return Some(self.at + rest.bytes().take(400).position(|byte| byte == b'}')? + 1);
        }
        let end = script::balanced(self.text, self.at, &mut self.fuel)?;
        let inside = self.text[self.at + 1..end - 1].trim();
        if reads_like_prose(inside) {
            return None;
        }
        let with = self.shown(inside, head);
        self.found.edits.push(Edit::new(self.at..end, with));
        Some(end)
    }

    /// What a reader sees of an expression, as far as it is written there.
    fn shown(&mut self, inside: &str, head: &Head<'t>) -> String {
        if inside.starts_with("/*") && inside.ends_with("*/") {
            let comment = inside[2..].trim_end_matches("*/").trim();
            return if head.is_heading && comment.starts_with('#') { format!("{{{comment}}}") } else { String::new() };
        }
        let quote = inside.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let literal = quote.and_then(|quote| inside[1..].strip_suffix(quote).filter(|text| is_one(text, quote)));
        let Some(literal) = literal else {
            self.found.words += words(inside);
            return String::new();
        };
        if quote == Some('`') && literal.contains('\n') {
            let language = self.open.last().map_or("", |open| open.language);
            return fence(literal, language, head.prefix);
        }
        let blank = if literal.trim().is_empty() && !literal.is_empty() { " " } else { "" };
        if blank.is_empty() { escaped(&unescaped(literal)) } else { blank.to_string() }
    }

    fn element(&mut self, head: &Head<'t>) -> Option<usize> {
        let rest = &self.text[self.at..];
        if rest.starts_with("<!--") {
            return self.find(self.at, "-->").map(|end| end + 3);
        }
        let tag = TagMark::read(rest, &mut self.fuel)?;
        let mut end = self.at + tag.len;
        self.found.links.extend(tag.target().filter(|target| is_in_site(target)).map(str::to_string));
        if matches!(tag.name, "script" | "style") && !tag.closes && !tag.is_empty {
            let close = format!("</{}>", tag.name);
            end = self.find(end, &close).map_or(end, |found| found + close.len());
        }
        let with = if tag.closes { self.close(&tag, end, head) } else { self.begin(&tag, end, head) };
        self.found.edits.push(Edit::new(self.at..end, with));
        Some(end)
    }

    /// Where a text stands behind `from`; looked for as far as the fuel goes.
    fn find(&mut self, from: usize, wanted: &str) -> Option<usize> {
        let window = &self.text.as_bytes()[from..self.text.len().min(from.saturating_add(self.fuel.left()))];
        let found = window.windows(wanted.len()).position(|bytes| bytes == wanted.as_bytes());
        if found.is_none() {
            self.fuel.burn(window.len());
        }
        found.map(|found| from + found)
    }

    fn begin(&mut self, tag: &TagMark<'t>, end: usize, head: &Head<'t>) -> String {
        let after = self.text[end..].trim_start_matches([' ', '\t']);
        let ends_line = after.is_empty() || after.starts_with('\n');
        let level = heading_level(tag.name).filter(|_| head.only_tags && !ends_line);
        let id = level.and_then(|_| tag.attribute("id")).map(|id| format!(" {{#{id}}}"));
        if !tag.is_empty && !matches!(tag.name, "br" | "img" | "hr" | "input" | "source" | "script" | "style" | "col") {
            self.open.push(Open {
                name: tag.name,
                columns: head.columns,
                strip: (!(ends_line && head.only_tags))
                    .then(|| self.open.last().and_then(|open| open.strip).unwrap_or(0)),
                language: tag.attribute("language").or_else(|| tag.attribute("lang")).unwrap_or(""),
                tail: id.unwrap_or_default(),
            });
        }
        let mut seen: Vec<String> = tag.seen().into_iter().map(escaped).collect();
        let breaks = head.breaks();
        let shows_code = tag.is_component() && head.only_tags && !head.is_row;
        if let Some(code) = tag.attribute("code").filter(|code| shows_code && code.contains('\n')) {
            seen.push(fence(code, tag.attribute("language").unwrap_or(""), head.prefix));
        }
        match level {
            Some(level) => format!("{} ", "#".repeat(level)),
            None if tag.name == "li" && head.only_tags && !ends_line => "- ".into(),
            None if !seen.is_empty() && head.only_tags && !head.is_row => {
                format!("{}{breaks}", seen.join(&breaks))
            }
            None if !seen.is_empty() => format!(" {} ", seen.join(" ")),
            None if tag.name == "br" && !head.only_tags => "<br>".into(),
            None if super::html::parts_words(tag.name) && !head.only_tags => breaks,
            None => String::new(),
        }
    }

    fn close(&mut self, tag: &TagMark<'t>, end: usize, head: &Head<'t>) -> String {
        // Few: what is nested deeper and not closed in order is left to be closed by what is around it.
        let row = self.open.iter().rev().take(64).position(|open| open.name == tag.name);
        let mut tail = String::new();
        if let Some(row) = row {
            let from = self.open.len() - 1 - row;
            tail = std::mem::take(&mut self.open[from].tail);
            self.open.truncate(from);
        }
        let after = self.text[end..].trim_start_matches([' ', '\t']);
        let ends_line = after.is_empty() || after.starts_with('\n');
        let next_opens = after.starts_with('<') && !after.starts_with("</");
        let parts = super::html::parts_words(tag.name) || (tag.is_component() && next_opens);
        if parts && !ends_line { tail + &head.breaks() } else { tail }
    }
}

impl Head<'_> {
    /// What parts two paragraphs on this line.
    fn breaks(&self) -> String {
        if self.is_row || self.is_heading { " ".into() } else { format!("\n\n{}", self.prefix) }
    }
}

fn heading_level(name: &str) -> Option<usize> {
    let level = name.strip_prefix('h').filter(|level| level.len() == 1)?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::draft::Draft;

    fn edited(text: &str) -> String {
        Draft::new(text).edited(read(text).edits).text.into_owned()
    }

    #[test]
    fn code_goes_and_what_it_shows_stays() {
        for (source, left) in [
            ("import A from 'a'\nimport B from 'b'\n// why\n\n# T\n", "\n# T\n"),
            ("Text\nimport a from 'b'\n", "Text\nimport a from 'b'\n"),
            ("a {1 + 2} b{' '}{\"c\"} {/* d */}e", "a  b c e"),
            ("an {open brace and <5\n", "an {open brace and <5\n"),
            ("{not an expression}", "{not an expression}"),
            ("`{a}` \\{b} $x_{1}$", "`{a}` \\{b} $x_{1}$"),
            ("<Note>Refunds.</Note>", "Refunds."),
            ("<Card title=\"A\" style={{ a: '}' }}>\n  Text\n</Card>\n", "A\n\n\nText\n\n"),
            ("Go <Link to=\"/a\">there</Link>.", "Go there."),
            ("<Tab>One</Tab><Tab>Two</Tab>", "One\n\nTwo"),
            ("<h2 id=\"x\">Two</h2>\n", "## Two {#x}\n"),
            ("## Two {/* #x */}", "## Two {#x}"),
            ("<style>{`a { b }`}</style>x", "x"),
            ("```\n{a} <B>\n```\n", "```\n{a} <B>\n```\n"),
        ] {
            assert_eq!(edited(source), left, "{source}");
        }
    }

    #[test]
    fn contents_lose_the_indentation_of_their_elements() {
        let source = "<Tabs>\n  <Tab>\n    Text\n\n        more\n    ```sh\n      x\n    ```\n  </Tab>\n</Tabs>\n";
        assert_eq!(edited(source).trim(), "Text\n\n    more\n```sh\n  x\n```");
        assert_eq!(edited("1. Step\n\n   <Note>\n   Text\n   </Note>\n"), "1. Step\n\n   \n   Text\n   \n");
        for code in ["```ts\na({\n    b,\n})\n```\n\nText\n", "~~~\n\tb\n      c\n~~~\n"] {
            assert_eq!(edited(code), code);
        }
        assert_eq!(edited("     ```\n     a\n       b\n     ```\n     c\n"), "```\na\n  b\n```\nc\n");
    }

    #[test]
    fn templates_of_many_lines_are_code() {
        let source = "<CodeBlock language=\"js\">\n  {`const a = 1\n\n# not a heading`}\n</CodeBlock>\n";
        assert!(edited(source).contains("```js\nconst a = 1\n\n# not a heading\n```\n"), "{}", edited(source));
    }

    #[test]
    fn code_that_a_component_is_given_is_code() {
        let source = "<Playground\n  code={`const a = 1\n  .b('c')\n`}\n  language=\"ts\"\n/>\n\nText\n";
        assert_eq!(edited(source).trim_start(), "```ts\nconst a = 1\n  .b('c')\n```\n\n\n\n\n\nText\n");
        assert_eq!(edited("<Discount code=\"TEN\" />\n"), "\n");
    }

    #[test]
    fn markdown_with_an_import_and_a_component_is_mdx() {
        assert!(is_mdx("import A from 'a';\n\n<A />\n"));
        for text in
            ["import A from 'a';\n", "<A />\n", "```\nimport A from 'a'\n```\n<A />\n", "import duties\n<A />\n"]
        {
            assert!(!is_mdx(text), "{text}");
        }
    }
}
