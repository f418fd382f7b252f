//! Markdown to blocks: what a reader sees, without markup that nobody sees.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::{Block, BlockKind, Document, front_matter};

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_WIKILINKS);

pub(super) fn read_markdown(source: &str, mdx: bool, front_matter: &[String]) -> Document {
    let head = front_matter::read(source, front_matter);
    let mut reader = Reader { source: &source[head.len..], mdx, ..Reader::default() };
    reader.read();
    let mut blocks = reader.finish(head.len);
    if !head.text.is_empty() {
        let after_heading = blocks.first().is_some_and(|block| matches!(block.kind, BlockKind::Heading { .. }));
        blocks.insert(usize::from(after_heading), Block { kind: BlockKind::Prose, text: head.text, span: 0..head.len });
    }
    Document {
        title: head.title,
        url: head.url,
        pinned: head.pinned,
        draft: head.draft,
        unread: head.unread,
        blocks,
        ..Document::default()
    }
}

#[derive(Default)]
struct Reader<'s> {
    source: &'s str,
    mdx: bool,
    blocks: Vec<Block>,
    /// Labels of footnotes that each block refers to.
    references: Vec<(usize, String)>,
    /// Text of the footnotes, by label.
    notes: BTreeMap<String, (String, Range<usize>)>,
}

/// The text of the block under way: the source with pieces left out or replaced.
struct Cleaner<'s> {
    source: &'s str,
    out: String,
    /// Everything before this offset is in `out` or was left out.
    cursor: usize,
    /// Leave out what stands before the next event.
    skip_to_next: bool,
    /// Put before the next event's text, after a skip.
    lead: &'static str,
    last_end: usize,
}

impl<'s> Cleaner<'s> {
    fn new(source: &'s str, start: usize) -> Self {
        Self { source, out: String::new(), cursor: start, skip_to_next: false, lead: "", last_end: start }
    }

    fn copy_to(&mut self, at: usize) {
        if at > self.cursor {
            self.out.push_str(&self.source[self.cursor..at]);
            self.cursor = at;
        }
    }

    fn skip_to(&mut self, at: usize) {
        self.cursor = self.cursor.max(at);
    }

    /// Called at each event: finishes a pending skip.
    fn arrive(&mut self, range: &Range<usize>) {
        if std::mem::take(&mut self.skip_to_next) {
            self.skip_to(range.start);
            self.out.push_str(std::mem::take(&mut self.lead));
        }
    }

    fn event(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) if !keeps_target(*link_type, dest_url) => {
                self.open(range);
            }
            Event::Start(Tag::Image { .. }) => self.open(range),
            Event::Start(Tag::BlockQuote(Some(_))) => {
                self.open(range);
                self.lead = "> ";
            }
            Event::InlineHtml(html) | Event::Html(html) => {
                self.copy_to(range.start);
                self.out.push_str(if breaks(html) { " " } else { "" });
                self.skip_to(range.end);
            }
            Event::FootnoteReference(_) => {
                self.copy_to(range.start);
                self.skip_to(range.end);
            }
            Event::Text(_) | Event::Code(_) | Event::End(_) => self.last_end = range.end,
            _ => {}
        }
    }

    /// Leaves out an opening mark up to the first event inside.
    fn open(&mut self, range: &Range<usize>) {
        self.copy_to(range.start);
        self.last_end = range.start;
        self.skip_to_next = true;
    }

    /// Leaves out a closing mark after the last event inside.
    fn close(&mut self, range: &Range<usize>) {
        self.skip_to_next = false;
        self.copy_to(self.last_end.min(range.end));
        self.skip_to(range.end);
    }
}

/// Is the address of a link worth its tokens? Addresses elsewhere are; those inside the site are what citations are for.
fn keeps_target(kind: LinkType, target: &str) -> bool {
    let absolute = ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| target.starts_with(scheme));
    matches!(kind, LinkType::Autolink | LinkType::Email) || (kind == LinkType::Inline && absolute)
}

/// Does a tag part words on the screen?
fn breaks(tag: &str) -> bool {
    let name = tag.trim_start_matches(['<', '/']).split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
    !matches!(
        name,
        "a" | "b"
            | "i"
            | "em"
            | "strong"
            | "span"
            | "code"
            | "kbd"
            | "sub"
            | "sup"
            | "small"
            | "u"
            | "s"
            | "mark"
            | "abbr"
    )
}

impl Reader<'_> {
    fn read(&mut self) {
        let source = self.source;
        let mut events = Parser::new_ext(source, OPTIONS).into_offset_iter();
        while let Some((event, range)) = events.next() {
            match event {
                Event::Start(tag) => self.block(&tag, range, &mut events),
                Event::Rule => {}
                // A stray inline event at top level does not happen; keep its text if it ever does.
                _ => self.push(BlockKind::Prose, &source[range.clone()], range),
            }
        }
    }

    /// Reads one top-level block to its end.
    fn block<'e>(
        &mut self,
        tag: &Tag<'_>,
        range: Range<usize>,
        events: &mut impl Iterator<Item = (Event<'e>, Range<usize>)>,
    ) {
        let mut cleaner = Cleaner::new(self.source, range.start);
        if matches!(tag, Tag::BlockQuote(Some(_))) {
            cleaner.open(&range);
            cleaner.lead = "> ";
        }
        let (mut depth, mut html, mut heading) = (1, String::new(), String::new());
        let mut links: Vec<(Range<usize>, bool)> = Vec::new();
        for (event, at) in events.by_ref() {
            if !matches!(event, Event::End(_)) {
                cleaner.arrive(&at);
            }
            match &event {
                Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                    links.push((at.clone(), keeps_target(*link_type, dest_url)));
                }
                Event::Start(Tag::Image { .. }) => links.push((at.clone(), false)),
                Event::End(TagEnd::Link | TagEnd::Image) => {
                    if let Some((at, false)) = links.pop() {
                        cleaner.close(&at);
                    }
                }
                Event::Html(text) => html.push_str(text),
                Event::Text(text) | Event::Code(text) => heading.push_str(text),
                Event::SoftBreak | Event::HardBreak => heading.push(' '),
                Event::FootnoteReference(label) => self.references.push((self.blocks.len(), label.to_string())),
                _ => {}
            }
            cleaner.event(&event, &at);
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        cleaner.copy_to(range.end);
        self.end_block(tag, range, &cleaner.out, &html, &heading);
    }

    fn end_block(&mut self, tag: &Tag<'_>, range: Range<usize>, text: &str, html: &str, heading: &str) {
        match tag {
            Tag::Heading { level, id, classes, .. } => {
                let kind = BlockKind::Heading {
                    level: *level as u8,
                    id: id.as_ref().map(ToString::to_string),
                    pinned: classes.iter().any(|class| &**class == "pinned"),
                };
                self.push(kind, &markers_out(heading), range);
            }
            Tag::CodeBlock(_) => self.push(BlockKind::Code, text, range),
            Tag::Table(_) => self.push(BlockKind::Table, &markers_out(text), range),
            Tag::HtmlBlock => self.push(BlockKind::Prose, &visible_html(html), range),
            Tag::FootnoteDefinition(label) => {
                let note = text.trim_start().trim_start_matches(&format!("[^{label}]:") as &str).trim().to_string();
                self.notes.insert(label.to_string(), (note, range));
            }
            Tag::List(_) => self.push(BlockKind::List, &markers_out(text), range),
            Tag::BlockQuote(_) => self.push(BlockKind::Quote, &markers_out(text), range),
            Tag::Paragraph if self.mdx && is_module_code(text) => {}
            _ => self.push(BlockKind::Prose, &markers_out(text), range),
        }
    }

    fn push(&mut self, kind: BlockKind, text: &str, span: Range<usize>) {
        let text = text.replace('\r', "").trim_matches('\n').trim_end().to_string();
        if !text.trim().is_empty() || matches!(kind, BlockKind::Heading { .. }) {
            self.blocks.push(Block { kind, text, span });
        }
    }

    /// Puts each footnote after the blocks that refer to it, or at the end where none does, and shifts the spans.
    fn finish(mut self, offset: usize) -> Vec<Block> {
        let mut unused: Vec<&String> = self.notes.keys().collect();
        for (block, label) in &self.references {
            if let (Some((note, _)), Some(block)) = (self.notes.get(label), self.blocks.get_mut(*block))
                && !matches!(block.kind, BlockKind::Heading { .. })
            {
                block.text.push_str("\n\n");
                block.text.push_str(note);
                unused.retain(|other| *other != label);
            }
        }
        for label in unused {
            let (note, span) = self.notes[label].clone();
            self.blocks.push(Block { kind: BlockKind::Prose, text: note, span });
        }
        for block in &mut self.blocks {
            block.span = block.span.start + offset..block.span.end + offset;
        }
        self.blocks
    }
}

/// Text without template tags (`{% … %}`), attribute lists (`{: … }`) and the marks of container directives (`:::`).
fn markers_out(text: &str) -> String {
    let text = between_out(&between_out(text, "{%", "%}"), "{:", "}");
    if !text.contains(":::") {
        return text;
    }
    let lines = text.split('\n').map(|line| {
        let mark = line.trim_start();
        if !mark.starts_with(":::") {
            return line;
        }
        // `:::warning Title` and `:::warning[Title]` keep their title.
        let rest = mark.trim_start_matches(':').trim_start();
        let name = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
        rest[name..].trim().trim_start_matches('[').trim_end_matches(']')
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Text without what stands between two marks on one line, marks included.
fn between_out(text: &str, open: &str, close: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let Some(end) = rest[start..].find(close).filter(|end| !rest[start..start + end].contains('\n')) else {
            out.push_str(&rest[..start + open.len()]);
            rest = &rest[start + open.len()..];
            continue;
        };
        out.push_str(&rest[..start]);
        rest = &rest[start + end + close.len()..];
    }
    out.push_str(rest);
    out
}

/// The text of an HTML block: tags, comments, scripts and styles left out; block tags part words.
fn visible_html(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let (end, gap) = tag_end(rest);
        out.push_str(if gap { " " } else { "" });
        rest = &rest[end..];
    }
    out.push_str(rest);
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Length of the markup at the head of `rest`, and whether it parts words.
fn tag_end(rest: &str) -> (usize, bool) {
    if let Some(comment) = rest.strip_prefix("<!--") {
        return (comment.find("-->").map_or(rest.len(), |end| end + 7), false);
    }
    let lower = rest.get(..8).unwrap_or(rest).to_ascii_lowercase();
    for name in ["script", "style"] {
        if lower[1..].starts_with(name) {
            let close = format!("</{name}");
            let body = rest.to_ascii_lowercase().find(&close).map_or(rest.len(), |at| at + close.len());
            return (body + rest[body..].find('>').map_or(rest.len() - body, |end| end + 1), true);
        }
    }
    let named = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    match rest.find('>') {
        Some(end) if named => (end + 1, breaks(&rest[..end])),
        _ => (1, true),
    }
}

/// Is an MDX paragraph JavaScript? Prose that begins with the word *import* or *export* is not.
fn is_module_code(text: &str) -> bool {
    let named =
        |rest: &str| ["'", "\""].iter().any(|quote| rest.starts_with(quote) || rest.contains(&format!("from {quote}")));
    let declares = |rest: &str| {
        let words = ["const ", "let ", "var ", "default ", "function ", "async ", "class ", "{", "*"];
        words.iter().any(|word| rest.starts_with(word)) && rest.contains(['=', '{', '(', '*'])
    };
    text.strip_prefix("import ").is_some_and(named) || text.strip_prefix("export ").is_some_and(declares)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(source: &str) -> Vec<(String, String)> {
        let name = |kind: &BlockKind| match kind {
            BlockKind::Heading { level, .. } => format!("h{level}"),
            BlockKind::Table => "table".into(),
            BlockKind::Code => "code".into(),
            BlockKind::List => "list".into(),
            BlockKind::Quote => "quote".into(),
            BlockKind::Prose => "prose".into(),
        };
        read_markdown(source, false, &[]).blocks.into_iter().map(|b| (name(&b.kind), b.text)).collect()
    }

    fn texts(source: &str) -> Vec<String> {
        blocks(source).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn a_comment_in_a_fence_is_no_heading() {
        let found = blocks("# Setup\n\n```bash\n# install tools\nmake all\n```\nThen restart.\n");
        assert_eq!(found[0], ("h1".into(), "Setup".into()));
        assert_eq!(found.iter().filter(|(kind, _)| kind.starts_with('h')).count(), 1);
        assert!(found[1].1.contains("# install tools") && found[2].1 == "Then restart.");
    }

    #[test]
    fn underlined_headings_are_headings() {
        let found = blocks("Refunds\n=======\nWithin 30 days.\n\nShipping\n--------\nTwo days.\n");
        assert_eq!(found[0], ("h1".into(), "Refunds".into()));
        assert_eq!(found[2], ("h2".into(), "Shipping".into()));
        assert!(found.iter().all(|(_, text)| !text.contains("==") && !text.contains("--")));
    }

    #[test]
    fn links_keep_their_text_and_foreign_targets() {
        assert_eq!(
            texts("See [terms](/legal), [the form](https://form.example/x) and <https://a.example>."),
            ["See terms, [the form](https://form.example/x) and <https://a.example>."]
        );
        assert_eq!(
            texts("See [terms] and [*more*][terms].\n\n[terms]: https://shop.example/terms"),
            ["See terms and *more*."]
        );
        assert_eq!(
            texts("![A red lamp](lamp.png) [[Other note|the note]] and [[Plain]]"),
            ["A red lamp the note and Plain"]
        );
    }

    #[test]
    fn footnotes_follow_the_block_that_refers_to_them() {
        let source = "# Price\nThe Pro plan is $20[^1]. See [terms].\n\n# Other\nfiller\n\n[terms]: https://shop.example/terms\n[^1]: Plus VAT.\n[^2]: Annual only.\n";
        let found = texts(source);
        assert_eq!(found[1], "The Pro plan is $20. See terms.\n\nPlus VAT.");
        assert!(found.iter().all(|text| !text.contains("[^1]:") && !text.contains("[terms]:")));
        assert!(found.contains(&"Annual only.".to_string()));
    }

    #[test]
    fn directives_and_alerts_lose_their_marks_only() {
        let found = texts(
            ":::warning No refunds on gift cards\nGift cards are final sale.\n:::\n\n> [!NOTE]\n> Open on Sunday.\n",
        );
        let all = found.join("\n");
        assert!(
            all.contains("No refunds on gift cards")
                && all.contains("Gift cards are final sale.")
                && all.contains("Open on Sunday.")
        );
        assert!(!all.contains(":::") && !all.contains("[!NOTE]"));
    }

    #[test]
    fn template_tags_and_html_leave_their_text() {
        assert_eq!(texts("{% note %}Keep this.{% endnote %} {:.big}\n"), ["Keep this."]);
        assert_eq!(texts("<div>\n<p>One</p><p>Two</p><script>x()</script>\n</div>\n"), ["One  Two"]);
        assert_eq!(texts("A<br>B and <b>bo</b>ld <!-- gone -->"), ["A B and bold"]);
    }

    #[test]
    fn mdx_code_goes_and_prose_stays() {
        let source = "import {\n  a,\n  b\n} from './many'\n\nimport Note from './note'\nexport const meta = { a: 1 }\n\n# Duty\n\nImport duties apply.\n\n<Note>Refunds take 5 days.</Note>\n\nexport controls do not apply.\n";
        let all = read_markdown(source, true, &[]).blocks.into_iter().map(|b| b.text).collect::<Vec<_>>().join("\n");
        for kept in ["Import duties apply.", "Refunds take 5 days.", "export controls do not apply."] {
            assert!(all.contains(kept), "{all}");
        }
        assert!(!all.contains("./note") && !all.contains("./many") && !all.contains("export const"));
    }

    #[test]
    fn spans_name_the_bytes_of_the_source() {
        let source = "\u{feff}---\r\ntitle: A\r\n---\r\n\r\n# Hours\r\nOpen 9 to 5.\r\n";
        let blocks = read_markdown(source, false, &[]).blocks;
        assert_eq!(source[blocks[0].span.clone()].trim_end(), "# Hours");
        assert_eq!(source[blocks[1].span.clone()].trim_end(), "Open 9 to 5.");
        assert!(blocks.iter().all(|block| !block.text.contains('\r')));
    }

    #[test]
    fn heading_attributes_are_read_and_left_out() {
        let doc = read_markdown("## Refunds {#money .pinned}\n", false, &[]);
        assert_eq!(doc.blocks[0].kind, BlockKind::Heading { level: 2, id: Some("money".into()), pinned: true });
        assert_eq!(doc.blocks[0].text, "Refunds");
    }

    proptest::proptest! {
        #[test]
        fn any_text_gives_blocks_with_spans_inside_it(source in "([ -~\\n]|é|🙂){0,120}") {
            for block in read_markdown(&source, true, &[]).blocks {
                assert!(source.get(block.span).is_some());
            }
        }
    }
}
