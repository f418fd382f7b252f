//! Plain text: paragraphs between blank lines or form feeds.

use super::draft::Draft;
use super::{Block, BlockKind, Document};

pub(super) fn read_text(source: &str) -> Document {
    let draft = Draft::new(source);
    let mut blocks = Vec::new();
    let mut start = None;
    let mut at = 0;
    for line in draft.text.split_inclusive(['\n', '\u{c}']) {
        let blank = line.trim_matches('\u{feff}').trim().is_empty();
        if !blank && start.is_none() {
            start = Some(at);
        }
        at += line.len();
        if (blank || line.ends_with('\u{c}'))
            && let Some(from) = start.take()
        {
            push(&mut blocks, &draft, from, at);
        }
    }
    if let Some(from) = start {
        push(&mut blocks, &draft, from, at);
    }
    Document { blocks, ..Document::default() }
}

fn push(blocks: &mut Vec<Block>, draft: &Draft<'_>, start: usize, end: usize) {
    let text = draft.text[start..end].trim_start_matches('\u{feff}').trim_end().to_string();
    blocks.push(Block { kind: BlockKind::Prose, text, span: draft.span(start..end) });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let blocks = read_text(source).blocks;
        assert!(blocks.iter().all(|block| source.get(block.span.clone()).is_some()));
        blocks.into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn paragraphs_end_at_blank_lines_and_form_feeds() {
        let unix = "Title\n=====\none\n \t\n\ntwo\u{c}three\n\u{c}\n  four\n";
        let wanted = ["Title\n=====\none", "two", "three", "  four"];
        assert_eq!(texts(unix), wanted);
        assert_eq!(texts(&format!("\u{feff}{}", unix.replace('\n', "\r\n"))), wanted);
        assert_eq!(texts(&unix.replace('\n', "\r")), wanted);
        assert!(texts("\u{feff} \n\n").is_empty() && texts("").is_empty());
    }
}
