//! Footnotes: each goes to the block that first refers to it.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::source::{Block, BlockKind};

#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Rows of the blocks of each note, by label.
    rows: BTreeMap<String, Range<usize>>,
    open: Option<(String, usize)>,
    /// Row of the block that refers, and the label.
    references: Vec<(usize, String)>,
}

impl Notes {
    pub fn open(&mut self, label: &str, row: usize) {
        self.open = Some((label.to_string(), row));
    }

    pub fn close(&mut self, row: usize) {
        if let Some((label, start)) = self.open.take() {
            // Of two notes with one label the first is shown, and the other stays where it is.
            self.rows.entry(label).or_insert(start..row);
        }
    }

    /// A block refers to a note. What a note itself refers to stays where it is.
    pub fn refer(&mut self, label: &str, row: usize) {
        if self.open.is_none() {
            self.references.push((row, label.to_string()));
        }
    }

    /// The blocks with each note after the first that refers to it: in its paragraph, or behind it. Others stay where they are.
    pub fn place(mut self, blocks: Vec<Block>) -> Vec<Block> {
        if self.rows.is_empty() {
            return blocks;
        }
        let mut blocks: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
        let mut moved: BTreeMap<usize, Vec<Block>> = BTreeMap::new();
        for (row, label) in std::mem::take(&mut self.references) {
            let Some(rows) = self.rows.remove(&label) else { continue };
            moved.entry(row).or_default().extend(blocks[rows].iter_mut().filter_map(Option::take));
        }
        let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
        for (row, block) in blocks.into_iter().enumerate() {
            out.extend(block);
            for note in moved.remove(&row).unwrap_or_default() {
                attach(&mut out, note);
            }
        }
        // A reference in a block without words.
        moved.into_values().flatten().for_each(|note| attach(&mut out, note));
        out
    }
}

fn attach(out: &mut Vec<Block>, note: Block) {
    match out.last_mut() {
        Some(block) if block.kind == BlockKind::Prose && note.kind == BlockKind::Prose => {
            block.text.push_str("\n\n");
            block.text.push_str(&note.text);
        }
        Some(block) => {
            let span = block.span.clone();
            out.push(Block { span, ..note });
        }
        None => out.push(note),
    }
}
