//! A run of text within one block: white space as a browser shows it, and the marks of code, links and deletions.

use std::ops::Range;

/// What surrounds a part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Code,
    Deleted,
    /// A link and the address that is kept.
    Link(String),
}

/// An open mark; it closes nothing in another run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    run: usize,
    mark: usize,
}

#[derive(Debug)]
struct Marked {
    mark: Mark,
    start: usize,
    end: Option<usize>,
}

/// The text under way.
#[derive(Debug, Default)]
pub(super) struct Run {
    text: String,
    /// White space stood before what comes next.
    space: bool,
    marks: Vec<Marked>,
    /// Counts the runs, so that a mark knows its own.
    number: usize,
    span: Option<Range<usize>>,
}

impl Run {
    /// White space, none at the beginning of a line and one at a time.
    pub fn space(&mut self) {
        self.space |= !self.text.is_empty() && !self.text.ends_with('\n');
    }

    /// A line break. Is it the second in a row, which begins a paragraph?
    pub fn line_break(&mut self) -> bool {
        self.space = false;
        let second = self.text.ends_with('\n');
        if !self.text.is_empty() && !second {
            self.text.push('\n');
        }
        second
    }

    /// Adds text that came from `place` in the source.
    pub fn push(&mut self, text: &str, place: Range<usize>) {
        let before = self.text.len();
        for c in text.chars() {
            match c {
                '\u{ad}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2060}'
                | '\u{feff}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}' => {}
                c if c.is_whitespace() => self.space(),
                c => {
                    if std::mem::take(&mut self.space) {
                        self.text.push(' ');
                    }
                    self.text.push(c);
                }
            }
        }
        if self.text.len() > before {
            let start = self.span.as_ref().map_or(place.start, |span| span.start.min(place.start));
            let end = self.span.as_ref().map_or(place.end, |span| span.end.max(place.end));
            self.span = Some(start..end);
        }
    }

    pub fn open(&mut self, mark: Mark) -> Opened {
        self.marks.push(Marked { mark, start: self.text.len(), end: None });
        Opened { run: self.number, mark: self.marks.len() - 1 }
    }

    pub fn close(&mut self, opened: Opened) {
        if opened.run == self.number
            && let Some(marked) = self.marks.get_mut(opened.mark)
        {
            marked.end = Some(self.text.len());
        }
    }

    /// The text with its marks, and its place in the source; `None` without text. The run is empty afterwards.
    pub fn take(&mut self) -> Option<(String, Range<usize>)> {
        self.take_if(true)
    }

    /// The text alone.
    pub fn take_unmarked(&mut self) -> String {
        self.take_if(false).map(|(text, _)| text).unwrap_or_default()
    }

    fn take_if(&mut self, mark: bool) -> Option<(String, Range<usize>)> {
        let text = std::mem::take(&mut self.text);
        let marks = std::mem::take(&mut self.marks);
        self.space = false;
        self.number += 1;
        let span = self.span.take()?;
        Some((marked(text.trim_end(), if mark { marks } else { Vec::new() }), span))
    }
}

/// Writes the marks into a text.
fn marked(text: &str, marks: Vec<Marked>) -> String {
    if marks.is_empty() {
        return text.to_string();
    }
    // Where, closing before opening, in which order, what.
    let mut signs: Vec<(usize, bool, usize, String)> = Vec::new();
    for (row, marked) in marks.into_iter().enumerate() {
        let Some(Range { start, end }) = trimmed(text, marked.start, marked.end.unwrap_or(0)) else { continue };
        if let Some((open, close)) = written(&marked.mark, text, start..end) {
            signs.push((start, true, row, open));
            signs.push((end, false, usize::MAX - row, close));
        }
    }
    signs.sort();
    let (mut out, mut at) = (String::with_capacity(text.len() + 16 * signs.len()), 0);
    for (place, _, _, sign) in signs {
        out.push_str(&text[at..place]);
        out.push_str(&sign);
        at = place;
    }
    out.push_str(&text[at..]);
    out
}

/// A range without the white space at its ends; `None` when nothing else is in it.
fn trimmed(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let end = end.min(text.len());
    let inside = text.get(start..end)?;
    let start = start + inside.len() - inside.trim_start().len();
    let end = start + inside.trim().len();
    (start < end).then_some(start..end)
}

/// What stands before and after a marked part. Nothing where a mark would part a word.
fn written(mark: &Mark, text: &str, range: Range<usize>) -> Option<(String, String)> {
    let inside = &text[range.clone()];
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let glued = (is_word(text[..range.start].chars().next_back()) && is_word(inside.chars().next()))
        || (is_word(text[range.end..].chars().next()) && is_word(inside.chars().next_back()));
    match mark {
        Mark::Deleted => Some(("~~".into(), "~~".into())),
        _ if glued => None,
        Mark::Code if inside.contains('`') => Some(("`` ".into(), " ``".into())),
        Mark::Code => Some(("`".into(), "`".into())),
        Mark::Link(target) if says(inside, target) => None,
        Mark::Link(target) => Some(("[".into(), format!("]({target})"))),
    }
}

/// Is a link's text its address?
fn says(text: &str, target: &str) -> bool {
    let bare = |text: &str| {
        let text = ["https://", "http://", "mailto:", "tel:"]
            .iter()
            .fold(text, |text, scheme| text.strip_prefix(scheme).unwrap_or(text));
        text.trim_end_matches('/').to_lowercase()
    };
    bare(text) == bare(target)
}
