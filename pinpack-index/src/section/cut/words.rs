//! A sentence that is too long, to parts: at line breaks, words, and graphemes of a word that is too long itself.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::sentence::guarded;

use super::Count;
use super::unit::Seam;

/// Parts of `text` in order, which tile it, each of at most `limit` tokens, each with what a cut before it would part.
///
/// Words are not cut, nor numbers, links and inline code, while they fit. Parts are far smaller than `target`, so that they can be packed.
/// Cost: linear.
pub(super) fn long_sentence(text: &str, target: u32, limit: u32, count: &Count<'_>) -> Vec<(Range<usize>, Seam)> {
    // A token has at least one byte, so a part of so many bytes needs no count.
    let most = (target / 8).clamp(1, limit.max(1)) as usize;
    let mut out = Vec::new();
    for (atom, seam) in grouped(atoms(text), text, most) {
        let long = &text[atom.clone()];
        if long.len() <= limit as usize || count_within(long, limit, count) {
            out.push((atom, seam));
            continue;
        }
        let parts = grouped(segments(long), long, most);
        for (part, inner) in parts.into_iter().flat_map(|part| graphemes(long, part, most, limit)) {
            let seam = if part.start == 0 { seam } else { inner };
            out.push((atom.start + part.start..atom.start + part.end, seam));
        }
    }
    out
}

fn count_within(text: &str, limit: u32, count: &Count<'_>) -> bool {
    text.len() / 128 <= limit as usize && count(text) <= limit
}

type Parts = Vec<(Range<usize>, Seam)>;

/// Joins neighbors up to so many bytes, not over a seam that is better than a word's.
fn grouped(parts: Parts, text: &str, most: usize) -> Parts {
    let mut out: Parts = Vec::new();
    for (part, seam) in parts {
        match out.last_mut() {
            Some((last, _)) if seam >= Seam::Word && text[last.start..part.end].len() <= most => last.end = part.end,
            _ => out.push((part, seam)),
        }
    }
    out
}

/// Words with the white space after them; a link, inline code, or a number written with blanks is one.
fn atoms(text: &str) -> Parts {
    let mut out = Vec::new();
    let mut guards = guarded(text).into_iter().peekable();
    let mut start = 0;
    let mut seam = Seam::Word;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        while guards.next_if(|guard| guard.end <= at).is_some() {}
        let guard = guards.peek().is_some_and(|guard| guard.start <= at);
        if guard || !is_gap(c) || chars.peek().is_some_and(|(_, next)| is_gap(*next)) {
            continue;
        }
        let end = at + c.len_utf8();
        if end == text.len() || c == ' ' && in_number(text, at) {
            continue;
        }
        let blank = text[start..end].len() - text[start..end].trim_end().len();
        out.push((start..end, seam));
        seam = match (text[end - blank..end].contains('\n'), text[start..end - blank].chars().next_back()) {
            (true, _) => Seam::Line,
            (_, Some(',' | ';' | ':' | '，' | '；' | '：' | '、' | '،' | '؛' | '—' | '–')) => Seam::Clause,
            _ => Seam::Word,
        };
        start = end;
    }
    if start < text.len() {
        out.push((start..text.len(), seam));
    }
    out
}

/// White space that parts words: no-break spaces do not.
fn is_gap(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{202f}' | '\u{2007}')
}

/// Does a blank stand between a digit and a group of three, as in `10 000`?
fn in_number(text: &str, at: usize) -> bool {
    let after = text[at + 1..].bytes();
    text[..at].ends_with(|c: char| c.is_ascii_digit()) && after.take_while(u8::is_ascii_digit).take(4).count() == 3
}

/// A long run of text without blanks at its word boundaries, a link or code at its blanks: punctuation stays with the word before it,
/// brackets, signs and currencies with the one after.
fn segments(text: &str) -> Parts {
    let mut out: Parts = Vec::new();
    let mut held = false;
    for (start, part) in text.split_word_bound_indices() {
        let end = start + part.len();
        let is_word = part.contains(char::is_alphanumeric) || !part.is_ascii() && !is_mark(part);
        match out.last_mut() {
            Some((last, _)) if held || !is_word && !opens(part) => last.end = end,
            last => {
                let comma =
                    last.is_some_and(|(last, _)| text[last.clone()].ends_with(['、', '，', '；', '：', '؛', '،']));
                out.push((start..end, if comma { Seam::Clause } else { Seam::Inside }));
            }
        }
        held = opens(part);
    }
    out
}

/// Is the part punctuation or white space of any script?
fn is_mark(part: &str) -> bool {
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
    part.chars().all(|c| c.is_whitespace() || matches!(c.general_category_group(), GeneralCategoryGroup::Punctuation))
}

fn opens(part: &str) -> bool {
    matches!(
        part,
        "(" | "["
            | "{"
            | "<"
            | "「"
            | "『"
            | "（"
            | "【"
            | "《"
            | "“"
            | "‘"
            | "«"
            | "$"
            | "€"
            | "£"
            | "¥"
            | "￥"
            | "₹"
            | "#"
            | "@"
            | "+"
            | "-"
    )
}

/// A part of at most `limit` bytes as it is, a longer one by graphemes of `most` bytes together.
fn graphemes(text: &str, (part, seam): (Range<usize>, Seam), most: usize, limit: u32) -> Parts {
    if part.len() <= limit as usize {
        return vec![(part, seam)];
    }
    // What has so many bytes is no grapheme that anyone reads, but marks upon marks: it is cut between those.
    let longest = limit as usize * 8;
    let letters = text[part.clone()].grapheme_indices(true).flat_map(|(at, letter)| {
        let whole = letter.len() <= longest;
        let ends = letter.char_indices().map(|(at, c)| at + c.len_utf8());
        let ends = ends.filter(move |end| !whole || *end == letter.len());
        ends.scan(0, move |from, end| Some((at + std::mem::replace(from, end), at + end)))
    });
    let parts = letters.map(|(from, to)| (part.start + from..part.start + to, Seam::Inside)).collect();
    let mut out = grouped(parts, text, most);
    if let Some(first) = out.first_mut() {
        first.1 = seam;
    }
    out
}
