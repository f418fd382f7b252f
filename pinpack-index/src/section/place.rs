//! Where in the source file a piece was made from.

use std::ops::Range;

/// Longest head of a part that is looked for, in bytes.
const HEAD: usize = 48;
/// Bytes of the source that are searched beyond what the text has moved on.
const FAR: usize = 4096;
/// Bytes of text without one place found after which a block's own span has to do.
const LOST: usize = 1 << 14;

/// Finds the places of the parts of one block, in order. Cost: linear.
pub(super) struct Places<'s> {
    source: &'s str,
    span: Range<usize>,
    /// Where the last part was found.
    at: usize,
    /// Bytes of text since then.
    since: usize,
}

impl<'s> Places<'s> {
    /// `span`: the block's bytes of the source; what is outside the source is cut off.
    pub fn new(source: &'s str, span: &Range<usize>) -> Self {
        let end = span.end.min(source.len());
        let span = span.start.min(end)..end;
        Self { source, at: span.start, span, since: 0 }
    }

    /// Where the part begins that has this head; the part before had `passed` bytes. `None` when the source has it in other words.
    pub fn find(&mut self, head: &str, passed: usize) -> Option<usize> {
        self.since += passed;
        if self.since > LOST {
            return None;
        }
        let head = head.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '|')).lines().next()?;
        let head = &head[..floor(head, HEAD)];
        let end = floor(self.source, (self.at + 4 * self.since + FAR).min(self.span.end));
        let rest = self.source.get(self.at..end)?;
        // A few words are enough when markup that readers do not see comes after them.
        let words = head.match_indices(' ').nth(2).map_or(head, |(at, _)| &head[..at]);
        let found =
            rest.find(head).or_else(|| rest.find(words).filter(|_| words.len() > 3)).filter(|_| head.len() > 1)?;
        let found = self.at + found;
        self.since = 0;
        // The marks before it on its line are its own.
        let mark = |c: char| matches!(c, ' ' | '\t' | '>' | '|');
        let line = self.source[self.at..found].trim_end_matches(mark);
        let start = self.at + line.len();
        self.at = found;
        Some(if line.is_empty() || line.ends_with('\n') { start } else { found })
    }
}

/// The last character boundary at or before an offset.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Counts lines as offsets go up; one that goes down starts again.
pub(super) struct Lines<'s> {
    source: &'s [u8],
    at: usize,
    line: u32,
}

impl<'s> Lines<'s> {
    pub fn new(source: &'s str) -> Self {
        Self { source: source.as_bytes(), at: 0, line: 1 }
    }

    /// The line of an offset, from 1.
    pub fn of(&mut self, offset: usize) -> u32 {
        let offset = offset.min(self.source.len());
        if offset < self.at {
            (self.at, self.line) = (0, 1);
        }
        let breaks = |byte: &u8| u32::from(*byte == b'\n');
        self.line += self.source[self.at..offset].iter().map(breaks).sum::<u32>();
        self.at = offset;
        self.line
    }
}
