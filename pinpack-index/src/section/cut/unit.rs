//! Blocks to units: what a piece is made of, each at most `max` tokens.

use crate::sentences;
use crate::source::{Block, BlockKind};

use super::words::long_sentence;
use super::{Count, Sizes};

/// What a cut before a unit would part, best place first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seam {
    /// Blocks.
    Block,
    /// Paragraphs, items, rows, or lines of code with a blank one between.
    Part,
    /// Lines, or items of a list in a list.
    Line,
    Sentence,
    /// Parts of a sentence after a comma and the like.
    Clause,
    Word,
    /// A word that is too long.
    Inside,
}

pub(super) struct Unit {
    /// Its text with the white space after it.
    pub text: String,
    pub tokens: u32,
    pub seam: Seam,
    /// Row of [`Units::frames`].
    pub frame: usize,
    /// Position of its block.
    pub block: usize,
    /// Introduces what follows, as `The steps are:` does.
    pub bound: bool,
}

/// What stands around the units of each piece of one block.
#[derive(Default)]
pub(super) struct Frame {
    pub before: String,
    pub after: String,
    pub tokens: u32,
}

/// Units in order.
pub(super) struct Units {
    pub list: Vec<Unit>,
    /// The first is empty.
    pub frames: Vec<Frame>,
}

impl Units {
    /// The units `from` to `to` as text; empty when they hold nothing visible.
    pub fn render(&self, from: usize, to: usize) -> String {
        let mut out = String::new();
        let place = |unit: &Unit| (unit.block, unit.frame);
        for run in self.list[from..to].chunk_by(|a, b| place(a) == place(b)) {
            let body: String = run.iter().map(|unit| unit.text.as_str()).collect();
            let body = body.trim_start_matches(['\n', '\r']).trim_end();
            if body.is_empty() {
                continue;
            }
            let frame = &self.frames[run[0].frame];
            let gap = if out.is_empty() { "" } else { "\n\n" };
            out.extend([gap, &frame.before, body, &frame.after]);
        }
        out
    }
}

/// Makes units.
pub(super) struct Maker<'m> {
    pub sizes: Sizes,
    /// Most tokens of a unit: a little less than of a piece, because sums of counts may be a little off.
    pub limit: u32,
    pub count: &'m Count<'m>,
    /// How many lists and quotes stand around the blocks.
    pub depth: u8,
    pub units: Units,
    block: usize,
}

impl<'m> Maker<'m> {
    pub fn new(sizes: Sizes, count: &'m Count<'m>, depth: u8) -> Self {
        let limit = sizes.max.saturating_sub(4).max(sizes.max.min(8));
        let units = Units { list: Vec::new(), frames: vec![Frame::default()] };
        Self { sizes, limit, count, depth, units, block: 0 }
    }

    pub fn units(mut self, blocks: &[Block]) -> Units {
        for (at, block) in blocks.iter().enumerate() {
            self.block = at;
            let first = self.units.list.len();
            self.add(block);
            if heads(at.checked_sub(1).map(|at| &blocks[at]), block, blocks.get(at + 1))
                && let Some(line) = self.units.list.last_mut()
            {
                line.bound = true;
            }
            self.merge(first);
            if let Some(unit) = self.units.list.get_mut(first) {
                unit.seam = Seam::Block;
            }
        }
        self.units
    }

    fn add(&mut self, block: &Block) {
        let text = block.text.as_str();
        // Paragraphs may be cut at sentences to even out sizes; the others stay whole while they fit.
        let (whole, is_prose) = match block.kind {
            BlockKind::Table | BlockKind::Code | BlockKind::List | BlockKind::Quote => (self.limit, false),
            BlockKind::Prose | BlockKind::Heading { .. } => (self.sizes.target.min(self.limit), true),
        };
        let size = self.size(text);
        if size <= whole {
            let bound = is_prose && introduces(text);
            return self.push(text, size, Seam::Block, 0, bound);
        }
        match block.kind {
            BlockKind::Table => self.table(text),
            BlockKind::Code => self.code(text),
            BlockKind::List => self.list(text),
            BlockKind::Quote => self.quote(text),
            BlockKind::Prose | BlockKind::Heading { .. } => self.prose(text, Seam::Block),
        }
    }

    pub fn push(&mut self, text: &str, tokens: u32, seam: Seam, frame: usize, bound: bool) {
        let text = text.to_string();
        self.units.list.push(Unit { text, tokens, seam, frame, block: self.block, bound });
    }

    /// Tokens of a text; the largest number for what is surely over the limit. A token has at most 128 bytes.
    pub fn size(&self, text: &str) -> u32 {
        let text = text.trim_end();
        if text.len() / 128 > self.sizes.max as usize { u32::MAX } else { (self.count)(text) }
    }

    /// Joins units that are tiny beside the target, so that the plan has few to choose from.
    fn merge(&mut self, first: usize) {
        let tiny = self.sizes.target / 32;
        let rest = self.units.list.split_off(first);
        for unit in rest {
            match self.units.list[first..].last_mut() {
                Some(last)
                    if last.tokens.saturating_add(unit.tokens) <= tiny
                        && unit.seam > Seam::Block
                        && (last.frame, last.block, last.bound) == (unit.frame, unit.block, false) =>
                {
                    last.text.push_str(&unit.text);
                    last.tokens += unit.tokens;
                    last.bound = unit.bound;
                }
                _ => self.units.list.push(unit),
            }
        }
    }

    /// Sentences; of a sentence over the limit lines, words, graphemes.
    pub fn prose(&mut self, text: &str, seam: Seam) {
        let mut seam = seam;
        for (start, end) in sentences(text) {
            let sentence = self.hand_back(&text[start..end]);
            let before = text[..end - sentence.len()].chars().rev().take_while(|c| c.is_whitespace());
            let breaks = before.filter(|c| *c == '\n').count();
            if start > 0 {
                seam = if breaks > 1 {
                    Seam::Part
                } else if breaks == 1 && is_item(sentence) {
                    Seam::Line
                } else {
                    Seam::Sentence
                };
            }
            let size = self.size(sentence);
            if size <= self.limit {
                self.push(sentence, size, seam, 0, introduces(sentence));
                continue;
            }
            for (range, inner) in long_sentence(sentence, self.sizes.target.min(self.limit), self.limit, self.count) {
                let part = &sentence[range.clone()];
                let seam = if range.start == 0 { seam } else { inner };
                self.push(part, self.size(part), seam, 0, false);
            }
        }
    }

    /// A sentence without the line breaks before it, which belong to the unit before.
    fn hand_back<'t>(&mut self, sentence: &'t str) -> &'t str {
        let blank = sentence.len() - sentence.trim_start().len();
        let cut = sentence[..blank].rfind('\n').map_or(0, |at| at + 1);
        match self.units.list.last_mut() {
            Some(last) if cut > 0 && last.block == self.block => last.text.push_str(&sentence[..cut]),
            _ => {}
        }
        &sentence[cut..]
    }
}

/// Does a text introduce what comes next: does it end in a colon, or is it a bold line that stands for a heading?
pub(super) fn introduces(text: &str) -> bool {
    let text = text.trim();
    let bold = text.len() < 120 && !text.contains('\n') && text.starts_with("**") && text.ends_with("**");
    bold || text.trim_end_matches(['*', '_', '"', '”']).ends_with([':', '：'])
}

/// Does a short line without a stop stand over the next block like a heading or a caption? Under code and before a paragraph it belongs to
/// the code.
fn heads(before: Option<&Block>, block: &Block, next: Option<&Block>) -> bool {
    let Some(next) = next.filter(|_| block.kind == BlockKind::Prose) else { return false };
    let text = block.text.trim();
    let after_code = before.is_some_and(|before| before.kind == BlockKind::Code);
    let longest = match next.kind {
        BlockKind::Prose | BlockKind::Heading { .. } => 60 * usize::from(!after_code),
        _ => 240,
    };
    let stop = |c: char| matches!(c, '.' | '!' | '?' | '…' | ';' | ',') || crate::sentence::is_full_stop(c);
    text.len() <= longest && !text.contains('\n') && !text.trim_end_matches(is_closer).ends_with(stop)
}

/// Quotes, brackets and emphasis marks that may close a sentence.
fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | '】' | '*' | '_')
}

/// Does a line begin a list item or a table row?
fn is_item(line: &str) -> bool {
    super::nest::marker(line.trim_start()).is_some() || line.trim_start().starts_with('|')
}
