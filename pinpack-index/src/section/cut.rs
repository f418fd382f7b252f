//! The blocks under one heading to pieces, where they are too large to be one.
//!
//! ```text
//! blocks → units that are never cut → the best places to cut between them → texts
//!          unit, framed, nest, words  plan                                   here
//! ```

mod framed;
mod nest;
mod plan;
mod unit;
mod words;

use crate::sentences;
use crate::source::{Block, BlockKind};

use unit::{Maker, Seam, Unit, Units};

/// One piece of text.
pub(super) struct Piece {
    pub text: String,
    /// Its tokens as rendered, less those of the frame around it.
    pub tokens: u32,
    /// Blocks that it begins and ends in.
    pub blocks: (usize, usize),
    /// How the part of its first block begins that it holds: empty for the block's own beginning.
    pub head: String,
}

/// Tokens of a text.
pub(super) type Count<'a> = dyn Fn(&str) -> u32 + 'a;

/// Sizes of pieces in tokens.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub target: u32,
    pub max: u32,
    pub overlap: u32,
}

/// Joins and cuts blocks to pieces of about `target` and at most `max` tokens.
///
/// Joined in order the pieces hold every visible character of the blocks; beside that, a table's header and a fence's lines are repeated
/// in each of its pieces, and up to `overlap` tokens of whole sentences in pieces of one paragraph. A grapheme that is larger than `max`
/// makes a larger piece. Cost: linear; each part is counted a few times.
///
/// `count` counts a part, `whole` a piece as it is rendered.
pub(super) fn pieces(blocks: &[Block], sizes: Sizes, count: &Count<'_>, whole: &Count<'_>) -> Vec<Piece> {
    cut(blocks, sizes, count, whole, 0)
}

fn cut(blocks: &[Block], sizes: Sizes, count: &Count<'_>, whole: &Count<'_>, depth: u8) -> Vec<Piece> {
    let units = Maker::new(sizes, count, depth).units(blocks);
    let mut cutting = Cutting { blocks, units: &units, sizes, whole, out: Vec::new() };
    for range in plan::plan(&units, sizes) {
        cutting.emit(range.start, range.end);
    }
    cutting.out
}

/// The items of a list: as they are, and without their markers.
pub(super) fn items(list: &str) -> Vec<(&str, String)> {
    nest::items(list).into_iter().map(|item| (item, nest::bare_item(item))).collect()
}

struct Cutting<'c> {
    blocks: &'c [Block],
    units: &'c Units,
    sizes: Sizes,
    whole: &'c Count<'c>,
    out: Vec<Piece>,
}

impl Cutting<'_> {
    /// Writes a piece of the units `from` to `to`; two where their sum is more than was reckoned.
    fn emit(&mut self, from: usize, to: usize) {
        let text = self.units.render(from, to);
        if text.is_empty() {
            return;
        }
        let tokens = (self.whole)(&text);
        if tokens > self.sizes.max && to - from > 1 {
            let middle = plan::middle(self.units, from, to);
            self.emit(from, middle);
            return self.emit(middle, to);
        }
        let (first, last) = (&self.units.list[from], &self.units.list[to - 1]);
        let head = if first.seam == Seam::Block { String::new() } else { first.text.clone() };
        let mut piece = Piece { text, tokens, blocks: (first.block, last.block), head };
        self.overlap(from, &mut piece);
        self.out.push(piece);
    }

    /// Puts the last whole sentences of the piece before in front, where the cut is between sentences of a paragraph.
    fn overlap(&self, from: usize, piece: &mut Piece) {
        let first = &self.units.list[from];
        let is_prose = matches!(self.blocks[first.block].kind, BlockKind::Prose);
        if self.sizes.overlap == 0 || !is_prose || !matches!(first.seam, Seam::Sentence | Seam::Part) {
            return;
        }
        for lead in self.last_sentences(from) {
            let text = [lead.as_str(), &piece.text].concat();
            let tokens = (self.whole)(&text);
            if (self.whole)(lead.trim_end()) <= self.sizes.overlap && tokens <= self.sizes.max {
                (piece.text, piece.tokens) = (text, tokens);
                return;
            }
        }
    }

    /// What may be repeated of the units before `from`, longest first: never the whole paragraph so far, nor a part of a sentence.
    fn last_sentences(&self, from: usize) -> Vec<String> {
        // A sentence has more bytes than tokens; a few times the overlap is far enough to look back.
        let far = self.sizes.overlap as usize * 16;
        let block = self.units.list[from].block;
        let mut before: Vec<&Unit> = Vec::new();
        let mut bytes = 0;
        for unit in self.units.list[..from].iter().rev().take_while(|unit| unit.block == block) {
            bytes += unit.text.len();
            before.push(unit);
            if bytes > far || unit.seam > Seam::Sentence {
                break;
            }
        }
        let text: String = before.iter().rev().map(|unit| unit.text.as_str()).collect();
        // The first sentence found is left to the piece before: it may be a part of one.
        sentences(&text).into_iter().skip(1).map(|(start, _)| text[start..].to_string()).collect()
    }
}

#[cfg(test)]
mod tests;
