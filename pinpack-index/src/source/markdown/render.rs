//! Parsed Markdown to blocks: the words that a reader sees, decoded, with the marks that help a model.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::html::{self, HtmlPiece};
use super::notes::Notes;
use super::table::TableRow;
use super::writer::{Gap, Writer};
use crate::source::{Block, BlockKind, LeftOut};

pub(super) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_WIKILINKS)
    .union(Options::ENABLE_MATH);

/// A longer target is data, such as a playground's code, and not worth its tokens; and so is one with a run of so many letters and digits
/// behind its `#` or `?`.
const MAX_TARGET_BYTES: usize = 300;
const MAX_RUN_BYTES: usize = 80;

/// What a text is read as.
pub(super) struct Rendered {
    /// With spans in the text.
    pub blocks: Vec<Block>,
    /// Where its links inside the site lead.
    pub links: Vec<String>,
    /// What its HTML leaves out.
    pub left_out: Vec<LeftOut>,
}

pub(super) fn render(text: &str) -> Rendered {
    let mut render = Render { text, ..Render::default() };
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        if let Some(event) = render.collected(event, &range) {
            render.end_html();
            render.event(event, range);
        }
    }
    render.end_html();
    Rendered { blocks: render.notes.place(render.blocks), links: render.links, left_out: render.left_out }
}

#[derive(Default)]
struct Render<'t> {
    text: &'t str,
    blocks: Vec<Block>,
    links: Vec<String>,
    left_out: Vec<LeftOut>,
    notes: Notes,
    /// Containers and leaves that are open; 0 between top-level blocks.
    depth: usize,
    writer: Writer,
    /// Kind and range of the top-level block under way.
    block: Option<(BlockKind, Range<usize>)>,
    /// Code that is collected until it ends.
    raw: Option<String>,
    /// HTML that is collected until something else comes.
    html: Option<HtmlPiece>,
    /// Language and title of the fence under way.
    info: String,
    row: TableRow,
    /// Next number of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    /// What closes each open inline.
    closers: Vec<Closer>,
    /// Name of the inline element whose content nobody sees.
    hidden: Option<&'static str>,
    /// Inside a wiki link whose text is the name of its note.
    note_name: bool,
}

/// What an inline writes at its end.
enum Closer {
    Mark(&'static str),
    /// A link that keeps its target; its text began at this length.
    Target(String, usize),
    Image,
    Nothing,
}

impl Render<'_> {
    /// Collects HTML between blank lines; gives back any other event.
    fn collected<'e>(&mut self, event: Event<'e>, range: &Range<usize>) -> Option<Event<'e>> {
        match (&event, &mut self.html) {
            (Event::Start(Tag::HtmlBlock), None) => self.html = Some(HtmlPiece::new(range)),
            (Event::Start(Tag::HtmlBlock), Some(piece)) => piece.go_on(range),
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)), Some(piece))
                if piece.goes_on_as(&self.text[range.clone()]) =>
            {
                piece.go_on(range);
            }
            // The blanks before a tag, and the lines of what looked like code, are texts.
            (Event::Html(html) | Event::Text(html), Some(piece)) if piece.is_open => piece.push(html),
            (Event::End(TagEnd::HtmlBlock | TagEnd::CodeBlock), Some(piece)) if piece.is_open => piece.is_open = false,
            _ => return Some(event),
        }
        None
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::FootnoteDefinition(label)) if self.depth == 0 => {
                self.notes.open(&label, self.blocks.len());
            }
            Event::End(TagEnd::FootnoteDefinition) if self.depth == 0 => self.notes.close(self.blocks.len()),
            Event::Start(tag) => {
                if self.depth == 0 {
                    self.begin(&tag, range.clone());
                }
                self.depth += 1;
                self.start(&tag, &range);
            }
            Event::End(tag) => {
                self.end(tag);
                self.depth -= 1;
                if self.depth == 0 {
                    self.finish();
                }
            }
            Event::Text(text) => self.words(&text),
            Event::Code(code) => self.code_span(&code, &range),
            Event::InlineMath(formula) => self.words(&format!("${formula}$")),
            Event::DisplayMath(formula) => self.words(&format!("$${formula}$$")),
            Event::InlineHtml(html) => self.inline_html(&html),
            Event::FootnoteReference(label) => {
                self.notes.refer(&label, self.blocks.len());
                self.writer.part_words();
            }
            Event::SoftBreak | Event::HardBreak => self.line_break(),
            Event::TaskListMarker(done) => self.writer.mark(if done { "[x] " } else { "[ ] " }),
            // A rule has no words, and HTML is collected before.
            Event::Rule | Event::Html(_) => {}
        }
    }

    fn begin(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let kind = match tag {
            Tag::Heading { level, id, classes, .. } => BlockKind::Heading {
                level: *level as u8,
                id: id.as_ref().map(ToString::to_string).filter(|id| !id.is_empty()),
                pinned: classes.iter().any(|class| &**class == "pinned"),
            },
            Tag::CodeBlock(_) => BlockKind::Code,
            Tag::Table(_) => BlockKind::Table,
            Tag::List(_) => BlockKind::List,
            Tag::BlockQuote(_) => BlockKind::Quote,
            _ => BlockKind::Prose,
        };
        self.writer = Writer::default();
        self.hidden = None;
        self.block = Some((kind, range));
    }

    fn finish(&mut self) {
        let Some((kind, span)) = self.block.take() else { return };
        let writer = std::mem::take(&mut self.writer);
        let heading = matches!(kind, BlockKind::Heading { .. });
        if writer.visible || heading {
            let text = writer.finish();
            let text = if heading { text.trim().to_string() } else { text };
            self.blocks.push(Block { kind, text, span });
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Paragraph => self.writer.gap(Gap::Blank),
            Tag::Heading { level, .. } => {
                self.writer.gap(Gap::Blank);
                if self.depth > 1 {
                    self.writer.mark(&format!("{} ", "#".repeat(*level as usize)));
                }
            }
            Tag::BlockQuote(_) => {
                self.writer.gap(Gap::Blank);
                self.writer.push_prefix("> ");
            }
            Tag::List(first) => {
                let gap = if self.lists.is_empty() { Gap::Blank } else { Gap::Line };
                self.writer.gap(gap);
                self.lists.push(*first);
            }
            Tag::Item => self.item(),
            Tag::CodeBlock(kind) => {
                self.raw = Some(String::new());
                self.info = if let CodeBlockKind::Fenced(info) = kind { fence_info(info) } else { String::new() };
            }
            Tag::Table(columns) => {
                self.writer.gap(Gap::Blank);
                self.row.begin_table(columns);
            }
            Tag::TableCell => self.row.begin_cell(&mut self.writer),
            Tag::Emphasis => self.open_mark("*", range),
            Tag::Strong => self.open_mark("**", range),
            Tag::Strikethrough => self.open_mark("~~", range),
            Tag::Link { link_type, dest_url, .. } => self.open_link(*link_type, dest_url),
            Tag::Image { link_type, dest_url, .. } => self.open_image(*link_type, dest_url, range),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::BlockQuote(_) | TagEnd::Item => self.writer.pop_prefix(),
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableHead => self.row.end_head(&mut self.writer),
            TagEnd::TableRow => self.row.end_row(&mut self.writer),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image => {
                return self.close();
            }
            TagEnd::TableCell => return self.row.in_cell = false,
            _ => {}
        }
        // Words may follow a block without a paragraph of their own, in a tight list.
        self.writer.gap(Gap::Line);
    }

    fn item(&mut self) {
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            _ => "- ".to_string(),
        };
        self.writer.gap(Gap::Line);
        self.writer.mark(&marker);
        self.writer.push_prefix(&" ".repeat(marker.len()));
        self.writer.item();
    }

    fn end_code(&mut self) {
        let code = self.raw.take().unwrap_or_default();
        let info = std::mem::take(&mut self.info);
        if code.trim().is_empty() && info.is_empty() {
            return;
        }
        let fence = "`".repeat(longest_run(&code, b'`').max(2) + 1);
        self.writer.gap(Gap::Blank);
        self.writer.mark(&format!("{fence}{info}"));
        for line in code.strip_suffix('\n').unwrap_or(&code).split('\n') {
            self.writer.gap(Gap::Line);
            self.writer.code_line(line);
        }
        self.writer.gap(Gap::Line);
        self.writer.mark(&fence);
    }

    /// The one place where HTML between blank lines is read.
    fn end_html(&mut self) {
        let Some(piece) = self.html.take() else { return };
        let document = if self.depth > 0 {
            piece.read()
        } else {
            let range = piece.range;
            html::read(&self.text[range.clone()], range.start)
        };
        self.links.extend(document.links);
        self.left_out.extend(document.left_out);
        if self.depth == 0 {
            return self.blocks.extend(document.blocks);
        }
        for block in document.blocks {
            self.writer.gap(Gap::Blank);
            if let BlockKind::Heading { level, .. } = block.kind {
                self.writer.mark(&format!("{} ", "#".repeat(level.into())));
            }
            for line in block.text.split('\n') {
                self.writer.gap(Gap::Line);
                self.writer.code_line(line);
            }
            self.writer.gap(Gap::Blank);
        }
    }

    fn words(&mut self, text: &str) {
        if let Some(raw) = &mut self.raw {
            raw.push_str(text);
        } else if self.hidden.is_none() {
            let text = text.replace('\u{a0}', " ");
            let text = if self.note_name { note_name(&text) } else { text };
            self.writer.words(&if self.row.in_cell { text.replace('|', "\\|") } else { text });
        }
    }

    fn code_span(&mut self, code: &str, range: &Range<usize>) {
        if self.hidden.is_some() {
            return;
        }
        let welded = self.touches_word(range);
        if welded || self.is_heading() {
            return self.words(code);
        }
        self.writer.part_code();
        let ticks = "`".repeat(longest_run(code, b'`') + 1);
        let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
        self.words(&format!("{ticks}{pad}{code}{pad}{ticks}"));
    }

    fn line_break(&mut self) {
        if self.is_heading() || self.row.in_cell {
            self.writer.part();
        } else {
            self.writer.gap(Gap::Line);
        }
    }

    fn inline_html(&mut self, tag: &str) {
        let Some(name) = html::tag_name(tag) else { return };
        if let Some(hidden) = self.hidden {
            if tag.starts_with("</") && name == hidden {
                self.hidden = None;
            }
            return;
        }
        self.hidden = ["script", "style"].into_iter().find(|hidden| name == *hidden && !tag.ends_with("/>"));
        if name == "br" {
            self.line_break();
        } else if html::parts_words(&name) {
            self.writer.part();
        }
        // Only attributes can say more.
        if !tag.contains('=') {
            return;
        }
        let document = html::read(tag, 0);
        self.links.extend(document.links);
        for block in document.blocks {
            self.writer.part();
            self.words(&block.text);
            self.writer.part();
        }
    }

    fn is_heading(&self) -> bool {
        matches!(&self.block, Some((BlockKind::Heading { .. }, _)))
    }

    /// Would a mark at either end of `range` stand inside a word?
    fn touches_word(&self, range: &Range<usize>) -> bool {
        let before = self.text[..range.start].chars().next_back();
        let after = self.text[range.end..].chars().next();
        before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric)
    }

    fn open_mark(&mut self, mark: &'static str, range: &Range<usize>) {
        if self.is_heading() || self.touches_word(range) {
            return self.closers.push(Closer::Nothing);
        }
        self.writer.mark(mark);
        self.closers.push(Closer::Mark(mark));
    }

    fn open_link(&mut self, kind: LinkType, target: &str) {
        self.note_name = kind == (LinkType::WikiLink { has_pothole: false });
        if is_in_site(target) && !matches!(kind, LinkType::Autolink | LinkType::Email) {
            self.links.push(target.to_string());
        }
        if kind == LinkType::Inline && !is_data(target) && is_elsewhere(target) && !self.is_heading() {
            self.writer.mark("[");
            self.closers.push(Closer::Target(target.to_string(), self.writer.len()));
        } else {
            self.closers.push(Closer::Nothing);
        }
    }

    fn open_image(&mut self, kind: LinkType, target: &str, range: &Range<usize>) {
        self.writer.part_words();
        self.note_name = kind == (LinkType::WikiLink { has_pothole: false });
        // An embedded file has no words but an alias that is not a size.
        let inside = &self.text[range.clone()];
        let alias = inside.split_once('|').map(|(_, alias)| alias.trim_end_matches([']', '!']));
        let size = alias.is_none_or(|alias| alias.chars().all(|c| c.is_ascii_digit() || c == 'x'));
        if matches!(kind, LinkType::WikiLink { .. }) && size && is_media(target) {
            self.hidden = self.hidden.or(Some("embed"));
        }
        self.closers.push(Closer::Image);
    }

    fn close(&mut self) {
        self.note_name = false;
        match self.closers.pop() {
            Some(Closer::Mark(mark)) => self.writer.mark(mark),
            Some(Closer::Target(target, start)) => self.writer.close_link(&target, start),
            Some(Closer::Image) => {
                self.hidden = self.hidden.filter(|hidden| *hidden != "embed");
                self.writer.part_words();
            }
            _ => {}
        }
    }
}

/// Does a link lead out of the site? Such addresses are sent; those inside the site are what citations are for.
fn is_elsewhere(target: &str) -> bool {
    ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| target.starts_with(scheme))
}

/// Does a link carry data rather than say where it leads?
fn is_data(target: &str) -> bool {
    let behind = target.split_once(['#', '?']).map_or("", |(_, behind)| behind);
    let mut runs = behind.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '/' | '='));
    target.len() > MAX_TARGET_BYTES || runs.any(|run| run.len() > MAX_RUN_BYTES)
}

/// A path, an anchor or a note's name, as written.
pub(super) fn is_in_site(target: &str) -> bool {
    let scheme = target.split(['/', '#', '?']).next().is_some_and(|head| head.contains(':'));
    !target.is_empty() && !scheme && !target.starts_with("//")
}

/// `Note#Heading#^block` as a reader sees it: `Note > Heading`.
fn note_name(target: &str) -> String {
    let parts = target.split('#').map(str::trim).filter(|part| !part.is_empty() && !part.starts_with('^'));
    parts.collect::<Vec<_>>().join(" > ")
}

fn is_media(target: &str) -> bool {
    const MEDIA: [&str; 18] = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "mp3", "wav", "m4a", "ogg", "flac", "mp4", "webm",
        "mov", "pdf", "canvas",
    ];
    let file = target.split(['#', '|']).next().unwrap_or(target);
    file.rsplit_once('.').is_some_and(|(_, kind)| MEDIA.contains(&kind.trim().to_ascii_lowercase().as_str()))
}

/// A fence's language and the title that its box shows: `js title="a.js"`, `sh [npm]`.
fn fence_info(info: &str) -> String {
    let language = info.split([' ', '{', '\t', ',']).next().unwrap_or("");
    let rest = &info[language.len()..];
    let quoted = ["title=", "filename=", "file="].iter().find_map(|key| {
        let value = &rest[rest.find(key)? + key.len()..];
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value[1..].split_once(quote).map(|(title, _)| format!(" title=\"{title}\""))
    });
    let label = || Some(format!(" [{}]", rest.split_once('[')?.1.split_once(']')?.0));
    format!("{language}{}", quoted.or_else(label).unwrap_or_default())
}

fn longest_run(text: &str, byte: u8) -> usize {
    text.as_bytes().split(|other| *other != byte).map(<[u8]>::len).max().unwrap_or(0)
}
