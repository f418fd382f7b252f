//! Where tags begin and end: the parser does not say, so it is fed one tag or one text at a time.

use std::ops::Range;

use super::names::RAW;

/// Attributes of one tag that the parser gets to see: it compares each with all before it.
const MAX_ATTRIBUTES: usize = 200;

/// Tags without an end that are looked for one, each to the end of the source.
const MAX_TRIES: usize = 16;

/// A tag, a comment, or the text between two of them.
pub(super) struct Piece {
    pub range: Range<usize>,
    /// End of what the parser is given: before `range.end` in a tag with too many attributes, which is then closed.
    pub fed: usize,
    /// What looks like the beginning of a tag and is text.
    pub is_text: bool,
}

/// The pieces of a source, in order; they tile it.
pub(super) struct Pieces<'s> {
    source: &'s str,
    at: usize,
    /// The element whose text comes next holds no tags.
    raw: Option<&'static str>,
    /// `<title/>` closes itself.
    xml: bool,
    /// In a fragment, a tag or comment that does not end is text. Where the last comment ends, and how many more tags are tried.
    lenient: bool,
    last_arrow: Option<usize>,
    tries: usize,
}

impl<'s> Pieces<'s> {
    pub fn new(source: &'s str, xml: bool, lenient: bool) -> Self {
        Self { source, at: 0, raw: None, xml, lenient, last_arrow: source.rfind("-->"), tries: MAX_TRIES }
    }

    /// Does what begins here never end?
    fn is_text(&mut self) -> bool {
        let rest = &self.source[self.at..];
        if !self.lenient || self.raw.is_some() || !rest.starts_with('<') {
            return false;
        }
        if rest.starts_with("<!--") {
            return self.last_arrow.is_none_or(|last| last < self.at + 2);
        }
        if !rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            return false;
        }
        let ends = self.tries > 0 && self.source[..self.tag_end().0].ends_with('>');
        self.tries -= usize::from(!ends && self.tries > 0);
        !ends
    }

    /// End of the text before the end tag of an element without tags inside.
    fn raw_end(&self, name: &str) -> usize {
        let bytes = self.source.as_bytes();
        let mut at = self.at;
        while let Some(found) = self.source[at..].find("</") {
            at += found;
            let after = &bytes[at + 2..bytes.len().min(at + 2 + name.len())];
            if after.eq_ignore_ascii_case(name.as_bytes()) {
                return at;
            }
            at += 2;
        }
        self.source.len()
    }

    /// End of a comment, doctype or other declaration.
    fn declaration_end(&self) -> usize {
        let rest = &self.source[self.at..];
        let mark = if rest.starts_with("<!--") { "-->" } else { ">" };
        rest.find(mark).map_or(self.source.len(), |found| self.at + found + mark.len())
    }

    /// End of a tag, and of the part that the parser is given.
    fn tag_end(&self) -> (usize, usize) {
        let bytes = self.source.as_bytes();
        let (mut at, mut attributes, mut fed) = (self.at + 1, 0, None);
        let mut space = false;
        while at < bytes.len() {
            match bytes[at] {
                b'>' => return (at + 1, fed.unwrap_or(at + 1)),
                b'=' => at = self.value_end(at + 1),
                byte => {
                    let blank = byte.is_ascii_whitespace() || byte == b'/';
                    attributes += usize::from(space && !blank);
                    if attributes > MAX_ATTRIBUTES && fed.is_none() {
                        fed = Some(at);
                    }
                    space = blank;
                    at += 1;
                    continue;
                }
            }
            space = true;
        }
        (bytes.len(), fed.unwrap_or(bytes.len()))
    }

    /// End of an attribute's value, which may be quoted.
    fn value_end(&self, from: usize) -> usize {
        let bytes = self.source.as_bytes();
        let find = |from: usize, wanted: &dyn Fn(u8) -> bool| {
            bytes[from..].iter().position(|byte| wanted(*byte)).map_or(bytes.len(), |found| from + found)
        };
        let start = find(from, &|byte| !byte.is_ascii_whitespace());
        match bytes.get(start) {
            Some(quote @ (b'"' | b'\'')) => bytes.len().min(find(start + 1, &|byte| byte == *quote) + 1),
            _ => find(start, &|byte| byte == b'>' || byte.is_ascii_whitespace()),
        }
    }

    /// The end of the piece that begins here.
    fn end(&mut self) -> (usize, usize) {
        if let Some(name) = self.raw.take() {
            let end = self.raw_end(name);
            if end > self.at {
                return (end, end);
            }
        }
        let rest = &self.source.as_bytes()[self.at..];
        match (rest[0], rest.get(1)) {
            (b'<', Some(b'!' | b'?')) => {
                let end = self.declaration_end();
                (end, end)
            }
            (b'<', Some(byte)) if byte.is_ascii_alphabetic() || *byte == b'/' => {
                let (end, fed) = self.tag_end();
                let tag = &rest[1..end - self.at];
                self.raw = RAW.into_iter().find(|name| is_named(tag, name) && !(self.xml && tag.ends_with(b"/>")));
                (end, fed)
            }
            _ => {
                let end = rest[1..].iter().position(|byte| *byte == b'<').map_or(rest.len(), |found| found + 1);
                (self.at + end, self.at + end)
            }
        }
    }
}

fn is_named(tag: &[u8], name: &str) -> bool {
    let after = tag.get(name.len());
    tag.len() > name.len()
        && tag[..name.len()].eq_ignore_ascii_case(name.as_bytes())
        && after.is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.at >= self.source.len() {
            return None;
        }
        let start = self.at;
        if self.is_text() {
            self.at = start + 1;
            return Some(Piece { range: start..start + 1, fed: start + 1, is_text: true });
        }
        let (end, fed) = self.end();
        self.at = end;
        Some(Piece { range: start..end, fed, is_text: false })
    }
}
