//! HTML to blocks: the content of a page as a reader sees it.
//!
//! ```text
//! source → pieces → tokens → tree │ page: where the content is │ reader: tree → blocks
//! ```

mod code;
mod heading;
mod inline;
mod lexer;
mod list;
mod names;
mod page;
mod parse;
mod reader;
mod run;
mod seen;
mod table;
mod tree;

use super::{Block, BlockKind, Document};
pub(super) use names::{SHOWN, is_block};

use page::Page;
use reader::Reader;
use tree::Tree;

/// Reads a page: its content without what surrounds it, which is counted in [`Document::left_out`].
///
/// Takes any text; time and memory grow with its length alone. Spans tile no more than the source: they are in order and do not overlap.
pub(super) fn read_html(source: &str) -> Document {
    let tree = parse::parse(source, false);
    let mut reader = Reader::new(&tree, false);
    let content = Page { tree: &tree, seen: &mut reader.seen }.content();
    for id in content {
        reader.container(id);
    }
    let mut document = finish(reader, source, 0);
    document.url = page::canonical(&tree);
    if !document.blocks.iter().any(|block| matches!(block.kind, BlockKind::Heading { level: 1, .. })) {
        document.title = page::title(&tree);
    }
    document
}

/// Reads HTML inside Markdown: a block, or some lines of one, tags left open or closing nothing included.
///
/// `offset` is where `html` begins in the file; spans count from there. Only what no reader sees is left out (scripts, styles,
/// comments, hidden elements), form controls, and what says `data-pinpack-ignore`. Text is never taken for a tag or comment that does not
/// end, `<x/>` is an element without content, and what components say in their attributes is on the page.
pub(super) fn fragment(html: &str, offset: usize) -> Document {
    let tree = parse::parse(html, true);
    let mut reader = Reader::new(&tree, true);
    reader.container(Tree::ROOT);
    finish(reader, html, offset)
}

fn finish(reader: Reader<'_>, source: &str, offset: usize) -> Document {
    let Reader { mut blocks, links, seen, .. } = reader;
    order_spans(&mut blocks, source);
    for block in &mut blocks {
        block.span = block.span.start + offset..block.span.end + offset;
    }
    Document { blocks, links, left_out: seen.left_out(), ..Document::default() }
}

/// Spans in order: text that a browser moves out of a table keeps no place of its own. White space before a block is not of it.
fn order_spans(blocks: &mut [Block], source: &str) {
    let mut last = 0;
    for block in blocks {
        let end = block.span.end.clamp(last, source.len());
        let start = block.span.start.clamp(last, end);
        let blank = source[start..end].len() - source[start..end].trim_start().len();
        block.span = start + blank..end;
        last = end;
    }
}

#[cfg(test)]
mod tests;
