//! Blocks that are too large together to pieces that are not.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::sentences;
use crate::source::{Block, BlockKind};

/// One piece with the source bytes it came from.
pub(super) struct Piece {
    pub text: String,
    pub span: Range<usize>,
}

type Count<'a> = dyn Fn(&str) -> u32 + 'a;

/// Joins blocks up to `target` tokens a piece, and cuts a block over `max` at the finest boundary it needs.
///
/// Every piece is at most `max` tokens. Joined in order the pieces hold every character of the blocks; a table's header and a fence's
/// lines are repeated in each of its pieces.
pub(super) fn pieces(blocks: &[Block], target: u32, max: u32, count: &Count<'_>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut open: Option<(Piece, u32)> = None;
    for block in blocks {
        let size = count(&block.text);
        if size > max {
            out.extend(open.take().map(|(piece, _)| piece));
            let texts = cut_block(block, target, max, count);
            out.extend(texts.into_iter().map(|text| Piece { text, span: block.span.clone() }));
            continue;
        }
        match &mut open {
            // 2: the blank line between, at most.
            Some((piece, sum)) if *sum + size + 2 <= target => {
                piece.text.push_str("\n\n");
                piece.text.push_str(&block.text);
                piece.span.end = block.span.end;
                *sum += size + 2;
            }
            _ => {
                out.extend(open.take().map(|(piece, _)| piece));
                open = Some((Piece { text: block.text.clone(), span: block.span.clone() }, size));
            }
        }
    }
    out.extend(open.map(|(piece, _)| piece));
    out
}

fn cut_block(block: &Block, target: u32, max: u32, count: &Count<'_>) -> Vec<String> {
    match block.kind {
        BlockKind::Table => cut_table(&block.text, target, max, count),
        BlockKind::Code => cut_code(&block.text, target, max, count),
        _ => join(&prose_parts(&block.text, max, count), "", "", target, max, count),
    }
}

/// Rows are kept whole; each piece repeats the header and delimiter rows.
fn cut_table(text: &str, target: u32, max: u32, count: &Count<'_>) -> Vec<String> {
    let rows: Vec<&str> = text.split_inclusive('\n').collect();
    let header: String = rows.iter().take(2).copied().collect();
    let fits = rows.iter().skip(2).all(|row| count(&header) + count(row) <= max);
    if rows.len() < 3 || !fits {
        return join(&prose_parts(text, max, count), "", "", target, max, count);
    }
    let rows: Vec<String> = rows[2..].iter().map(ToString::to_string).collect();
    join(&rows, &header, "", target, max, count)
}

/// Lines are kept whole while they fit; each piece repeats the fence with its language.
fn cut_code(text: &str, target: u32, max: u32, count: &Count<'_>) -> Vec<String> {
    let fence: String = text.trim_start().chars().take_while(|c| matches!(c, '`' | '~')).collect();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if fence.len() < 3 || lines.len() < 3 {
        let lines: Vec<String> = lines.iter().flat_map(|line| line_parts(line, max, count)).collect();
        return join(&lines, "", "", target, max, count);
    }
    let closed = lines.last().is_some_and(|line| line.trim() == fence);
    let body = &lines[1..lines.len() - usize::from(closed)];
    let close = format!("\n{fence}");
    let room = max.saturating_sub(count(lines[0]) + count(&close)).max(8);
    let parts: Vec<String> = body.iter().flat_map(|line| line_parts(line, room, count)).collect();
    join(&parts, lines[0], &close, target, max, count)
}

/// Sentences; of a sentence over `max` words; of a word over `max` graphemes.
fn prose_parts(text: &str, max: u32, count: &Count<'_>) -> Vec<String> {
    sentences(text).into_iter().flat_map(|(start, end)| line_parts(&text[start..end], max, count)).collect()
}

fn line_parts(text: &str, max: u32, count: &Count<'_>) -> Vec<String> {
    if count(text) <= max {
        return vec![text.to_string()];
    }
    let words = text.split_inclusive(char::is_whitespace);
    let parts: Vec<String> = words.flat_map(|word| word_parts(word, max, count)).collect();
    grouped(&parts, 0, max, count)
}

fn word_parts(word: &str, max: u32, count: &Count<'_>) -> Vec<String> {
    // A token is never less than one byte, so a word of at most `max` bytes needs no count.
    if word.len() <= max as usize || count(word) <= max {
        return vec![word.to_string()];
    }
    let mut out = vec![String::new()];
    let mut size = 0;
    for grapheme in word.graphemes(true) {
        // Upper bound: a token is at least one byte.
        let bytes = grapheme.len() as u32;
        if size > 0 && size + bytes > max {
            out.push(String::new());
            size = 0;
        }
        size += bytes;
        if let Some(last) = out.last_mut() {
            last.push_str(grapheme);
        }
    }
    out
}

/// Joins parts in order between `before` and `after` into texts of about `target` and at most `max` tokens.
fn join(parts: &[String], before: &str, after: &str, target: u32, max: u32, count: &Count<'_>) -> Vec<String> {
    // Framed text keeps its indentation; other text keeps all but the blanks around it.
    let framed = |text: String| {
        if before.is_empty() {
            text.trim().to_string()
        } else {
            format!("{before}{}{after}", text.trim_end_matches('\n'))
        }
    };
    let groups = grouped(parts, count(before) + count(after), target.min(max), count);
    groups.into_iter().map(framed).filter(|text| !text.is_empty()).collect()
}

/// Joins parts in order into texts of at most `limit` tokens, `frame` of which are taken. Every character stays.
fn grouped(parts: &[String], frame: u32, limit: u32, count: &Count<'_>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let (mut text, mut sum) = (String::new(), frame);
    for part in parts {
        let size = count(part);
        if !text.is_empty() && sum + size > limit {
            out.push(std::mem::take(&mut text));
            sum = frame;
        }
        text.push_str(part);
        sum += size;
    }
    if !text.trim().is_empty() || out.is_empty() {
        out.push(text);
    } else if let Some(last) = out.last_mut() {
        last.push_str(&text);
    }
    out
}

#[cfg(test)]
mod tests;
