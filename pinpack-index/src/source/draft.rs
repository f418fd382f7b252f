//! A source under edit: its text after each round of edits, and where every byte of it stood in the file.

use std::borrow::Cow;
use std::ops::Range;

/// One edit: the bytes that go, and what comes in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub range: Range<usize>,
    pub with: String,
}

impl Edit {
    pub fn new(range: Range<usize>, with: impl Into<String>) -> Self {
        Self { range, with: with.into() }
    }
}

/// A run of bytes that a round of edits copied.
#[derive(Debug)]
struct Copied {
    new: usize,
    old: usize,
    len: usize,
}

/// The text, with the way back to the file.
#[derive(Debug)]
pub(super) struct Draft<'s> {
    pub text: Cow<'s, str>,
    /// What each round copied, the first round first.
    rounds: Vec<Vec<Copied>>,
}

impl<'s> Draft<'s> {
    /// The source with `\n` as its only line end.
    pub fn new(source: &'s str) -> Self {
        let draft = Self { text: Cow::Borrowed(source), rounds: Vec::new() };
        let returns = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\r').map(|(at, _)| at);
        let lone = |at: usize| source.as_bytes().get(at + 1) != Some(&b'\n');
        let edits = returns.map(|at| Edit::new(at..at + 1, if lone(at) { "\n" } else { "" })).collect();
        draft.edited(edits)
    }

    /// The draft after one round of edits, in order of their ranges; one that begins inside another is passed over.
    pub fn edited(mut self, edits: Vec<Edit>) -> Self {
        if edits.is_empty() {
            return self;
        }
        let (mut text, mut copied, mut at) = (String::with_capacity(self.text.len()), Vec::new(), 0);
        for edit in edits.into_iter().chain([Edit::new(self.text.len()..self.text.len(), "")]) {
            if edit.range.start < at {
                continue;
            }
            copied.push(Copied { new: text.len(), old: at, len: edit.range.start - at });
            text.push_str(&self.text[at..edit.range.start]);
            text.push_str(&edit.with);
            at = edit.range.end;
        }
        self.text = Cow::Owned(text);
        self.rounds.push(copied);
        self
    }

    /// The bytes of the file that a range of the text was made from.
    pub fn span(&self, range: Range<usize>) -> Range<usize> {
        let (mut start, mut end) = (range.start, range.end.max(range.start));
        for copied in self.rounds.iter().rev() {
            (start, end) = (old_start(copied, start), old_end(copied, end));
        }
        start.min(end)..end
    }
}

/// Where a byte stood; what was put in stands where its edit began.
fn old_start(copied: &[Copied], at: usize) -> usize {
    let run = &copied[copied.partition_point(|run| run.new <= at) - 1];
    run.old + (at - run.new).min(run.len)
}

/// Where the byte before `at` ended; what was put in ends where its edit ended.
fn old_end(copied: &[Copied], at: usize) -> usize {
    let Some(last) = at.checked_sub(1) else { return old_start(copied, 0) };
    let next = copied.partition_point(|run| run.new <= last);
    let run = &copied[next - 1];
    let inside = last - run.new < run.len;
    if inside { run.old + last - run.new + 1 } else { copied.get(next).map_or(run.old + run.len, |run| run.old) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_lead_back_through_every_round() {
        let draft = Draft::new("a\r\nbc\rd");
        assert_eq!(draft.text, "a\nbc\nd");
        let draft = draft.edited(vec![Edit::new(0..2, ""), Edit::new(4..4, "xyz")]);
        assert_eq!(draft.text, "bcxyz\nd");
        assert_eq!(draft.span(0..2), 3..5);
        assert_eq!(draft.span(6..7), 6..7);
        assert_eq!(draft.span(2..5), 5..5);
    }

    #[test]
    fn an_edit_inside_another_is_passed_over() {
        let draft = Draft::new("abcdef").edited(vec![Edit::new(1..4, "-"), Edit::new(2..3, "?"), Edit::new(4..5, "")]);
        assert_eq!(draft.text, "a-f");
    }
}
