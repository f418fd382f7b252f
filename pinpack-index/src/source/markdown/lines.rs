//! Lines of Markdown, and which of them are code.

/// One line, without its line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// Where it begins in the text.
    pub at: usize,
    /// Blanks and quote marks at its head.
    pub prefix: &'t str,
    /// What follows them.
    pub rest: &'t str,
}

impl<'t> Line<'t> {
    pub fn new(at: usize, line: &'t str) -> Self {
        let len = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
        Self { at, prefix: &line[..len], rest: &line[len..] }
    }

    /// Where what follows the prefix begins.
    pub fn start(&self) -> usize {
        self.at + self.prefix.len()
    }

    pub fn end(&self) -> usize {
        self.start() + self.rest.len()
    }

    pub fn is_blank(&self) -> bool {
        self.rest.trim_end().is_empty()
    }

    /// Columns of blanks at its head; a tab counts to the next fourth.
    pub fn indent(&self) -> usize {
        self.prefix.chars().take_while(|c| *c != '>').fold(0, |columns, c| match c {
            '\t' => columns / 4 * 4 + 4,
            _ => columns + 1,
        })
    }

    /// Bytes of blanks that make up at most `columns`.
    pub fn blanks(&self, columns: usize) -> usize {
        let (mut width, mut bytes) = (0, 0);
        for c in self.prefix.chars().take_while(|c| *c != '>') {
            width = if c == '\t' { width / 4 * 4 + 4 } else { width + 1 };
            if width > columns {
                break;
            }
            bytes += 1;
        }
        bytes
    }
}

pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        Line::new(start, line.strip_suffix('\n').unwrap_or(line))
    })
}

/// Follows the code fences of a text, line by line.
#[derive(Debug, Default)]
pub(super) struct Fences {
    /// Character and length of the fence that is open, and the quote marks before it.
    open: Option<(u8, usize, usize)>,
}

impl Fences {
    /// Does the next line stand in a fence, or close it?
    pub fn are_open(&self) -> bool {
        self.open.is_some()
    }

    /// Is this line code, or a fence?
    pub fn holds(&mut self, line: &Line<'_>) -> bool {
        let quotes = line.prefix.matches('>').count();
        if let Some((byte, len, depth)) = self.open {
            if quotes < depth {
                self.open = None;
                return self.holds(line);
            }
            let run = run_of(line.rest.trim_end(), byte);
            if run >= len && run == line.rest.trim_end().len() {
                self.open = None;
            }
            return true;
        }
        let rest = without_markers(line.rest);
        let opened = [b'`', b'~'].into_iter().find(|byte| run_of(rest, *byte) >= 3);
        let Some(byte) = opened.filter(|byte| *byte == b'~' || !rest.trim_start_matches('`').contains('`')) else {
            return false;
        };
        self.open = Some((byte, run_of(rest, byte), quotes));
        true
    }
}

fn run_of(text: &str, byte: u8) -> usize {
    text.bytes().take_while(|other| *other == byte).count()
}

/// What follows the list markers at the head of a line.
pub(super) fn without_markers(line: &str) -> &str {
    let mut rest = line;
    // Few: more than this is no list that anyone writes.
    for _ in 0..8 {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let marks: &[char] = if digits > 0 { &['.', ')'] } else { &['-', '*', '+'] };
        let Some(after) = rest[digits..].strip_prefix(marks).filter(|after| after.starts_with([' ', '\t'])) else {
            break;
        };
        rest = after.trim_start_matches([' ', '\t']);
    }
    rest
}
