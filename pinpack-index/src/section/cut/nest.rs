//! Lists and quotes that are too large: what is inside them is cut as blocks of its own and put back under its marks.

use crate::source::{Block, BlockKind};

use super::unit::{Maker, Seam};
use super::{Sizes, cut};

/// How deep blocks within blocks are told apart; below that they are prose.
const DEEPEST: u8 = 6;

impl Maker<'_> {
    /// Items are kept whole while they fit, and with them the lists inside.
    pub(super) fn list(&mut self, text: &str) {
        if self.depth >= DEEPEST {
            return self.prose(text, Seam::Block);
        }
        for item in items(text) {
            let size = self.size(item);
            if size <= self.limit {
                self.push(item, size, Seam::Part, 0, false);
                continue;
            }
            let width = marker(item).map_or(0, |mark| indent_of(item) + mark);
            let (mark, rest) = item.split_at(width);
            self.inside(&dedent(rest, width), mark, &" ".repeat(width), Seam::Part);
        }
    }

    /// Each piece of a quote is a quote.
    pub(super) fn quote(&mut self, text: &str) {
        if self.depth >= DEEPEST {
            return self.prose(text, Seam::Block);
        }
        let bare = |line: &str| {
            let rest = line.trim_start().strip_prefix('>').map_or(line, |rest| rest.strip_prefix(' ').unwrap_or(rest));
            rest.to_string()
        };
        let inner: Vec<String> = text.split('\n').map(bare).collect();
        self.inside(&inner.join("\n"), "> ", "> ", Seam::Part);
    }

    /// Cuts what is inside and puts `first` before its first line and `rest` before every other.
    fn inside(&mut self, inner: &str, first: &str, rest: &str, seam: Seam) {
        let blocks = blocks_in(inner);
        let mut seam = seam;
        for text in self.marked(&blocks, first, rest) {
            let (tokens, gap) = (self.size(&text), if rest == "> " { "\n\n" } else { "\n" });
            self.push(&format!("{text}{gap}"), tokens, seam, 0, super::unit::introduces(&text));
            seam = Seam::Line;
        }
    }

    /// The pieces under their marks, counted with them.
    fn marked(&self, blocks: &[Block], first: &str, rest: &str) -> Vec<String> {
        let count = |text: &str| (self.count)(&marked_lines(text, rest, rest));
        let sizes = Sizes { target: self.sizes.target.min(self.limit), max: self.limit, overlap: 0 };
        let pieces = cut(blocks, sizes, &count, &count, self.depth + 1);
        let mark = |at: usize, text: &str| marked_lines(text, if at == 0 { first } else { rest }, rest);
        pieces.iter().enumerate().map(|(at, piece)| mark(at, &piece.text)).collect()
    }
}

fn marked_lines(text: &str, first: &str, rest: &str) -> String {
    let line = |(at, line): (usize, &str)| {
        let mark = if at == 0 { first } else { rest };
        [if line.is_empty() { mark.trim_end() } else { mark }, line].concat()
    };
    text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Bytes of a list marker and the blanks after it, at the head of a line without its indentation.
pub(super) fn marker(line: &str) -> Option<usize> {
    let line = line.trim_start_matches(' ');
    let digits = line.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let mark = match line.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' | b'\xe2' if digits == 0 => {
            line.chars().next().filter(|c| matches!(c, '-' | '*' | '+' | '•'))?.len_utf8()
        }
        b'.' | b')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let blanks = line[mark..].bytes().take_while(|byte| *byte == b' ').count();
    let ends = line[mark..].trim().is_empty();
    // More than four blanks are a code block inside the item, which begins after one.
    let blanks = if blanks > 4 { 1 } else { blanks };
    (blanks > 0 || ends).then_some(mark + blanks)
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The items of a list, which tile its text: each begins at a marker that is not indented under the one before.
pub(super) fn items(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut fence = Fence::default();
    let (mut start, mut at) = (0, 0);
    let mut width = 0;
    for line in text.split_inclusive('\n') {
        let indent = indent_of(line);
        if !fence.holds(line)
            && let Some(mark) = marker(line).filter(|_| indent < width || at == 0)
        {
            if at > start {
                out.push(&text[start..at]);
            }
            start = at;
            width = indent + mark;
        }
        at += line.len();
    }
    out.push(&text[start..]);
    out
}

/// An item without its marker and the indentation of its lines.
pub(super) fn bare_item(item: &str) -> String {
    let width = marker(item).map_or(0, |mark| indent_of(item) + mark);
    dedent(&item[width..], width).trim_end().to_string()
}

/// All but the first line without up to `width` blanks before them.
fn dedent(text: &str, width: usize) -> String {
    let line = |(at, line): (usize, &str)| {
        let blanks = if at == 0 { 0 } else { indent_of(line).min(width) };
        line[blanks..].to_string()
    };
    text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Is a line inside a code fence?
#[derive(Default)]
struct Fence {
    open: Option<String>,
}

impl Fence {
    /// Takes the next line; true for the lines of a fence, its own included.
    fn holds(&mut self, line: &str) -> bool {
        let line = line.trim();
        let run: String = line.chars().take_while(|c| line.starts_with(*c) && matches!(c, '`' | '~')).collect();
        match &self.open {
            Some(open) => {
                if run.len() >= open.len() && run.starts_with(open.as_str()) && run.len() == line.len() {
                    self.open = None;
                }
                true
            }
            None if run.len() > 2 && !line[run.len()..].contains('`') => {
                self.open = Some(run);
                true
            }
            None => false,
        }
    }
}

/// The blocks of a text that a reader wrote: fences, tables, lists, quotes, and paragraphs between blank lines.
fn blocks_in(text: &str) -> Vec<Block> {
    let mut out: Vec<(BlockKind, String)> = Vec::new();
    let mut fence = Fence::default();
    let (mut in_fence, mut blank) = (false, true);
    for line in text.split_inclusive('\n') {
        let held = fence.holds(line);
        let kind = kind_of(line, held);
        let joins = match out.last() {
            // What is indented belongs to the list, and so does a line that runs on.
            Some((BlockKind::List, _)) => {
                let runs_on = !blank && kind == BlockKind::Prose;
                in_fence || line.starts_with(' ') || line.trim().is_empty() || kind == BlockKind::List || runs_on
            }
            Some((BlockKind::Code, _)) => held && in_fence,
            Some((last, _)) => {
                let runs_on = kind == BlockKind::Prose && *last == BlockKind::Quote;
                !held && !blank && (*last == kind || runs_on)
            }
            None => false,
        };
        blank = !held && line.trim().is_empty();
        in_fence = held && fence.open.is_some();
        match out.last_mut() {
            Some((_, text)) if joins => text.push_str(line),
            _ if blank => {}
            _ => out.push((kind, line.to_string())),
        }
    }
    let block = |(kind, text): (BlockKind, String)| Block { kind, text: text.trim_end().to_string(), span: 0..0 };
    out.into_iter().map(block).collect()
}

fn kind_of(line: &str, held: bool) -> BlockKind {
    match line.trim_start().as_bytes().first() {
        _ if held => BlockKind::Code,
        Some(b'|') => BlockKind::Table,
        Some(b'>') => BlockKind::Quote,
        _ if marker(line).is_some() => BlockKind::List,
        _ => BlockKind::Prose,
    }
}
