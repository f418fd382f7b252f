//! Plain text: paragraphs between blank lines.

use super::{Block, BlockKind, Document};

pub(super) fn read_text(text: &str) -> Document {
    let mut blocks = Vec::new();
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match (line.trim().is_empty(), start) {
            (true, Some(from)) => {
                push(&mut blocks, text, from, at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
        at += line.len();
    }
    if let Some(from) = start {
        push(&mut blocks, text, from, at);
    }
    Document { blocks, ..Document::default() }
}

fn push(blocks: &mut Vec<Block>, text: &str, start: usize, end: usize) {
    let clean = text[start..end].trim_start_matches('\u{feff}').replace('\r', "").trim_end().to_string();
    if !clean.is_empty() {
        blocks.push(Block { kind: BlockKind::Prose, text: clean, span: start..end });
    }
}
