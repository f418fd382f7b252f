//! What no sentence ends in and no cut goes through while it fits: links, pictures and inline code.

use std::ops::Range;

/// Byte spans of links (`[text](target)`, `<address>`) and inline code, in order, none within another. Cost: linear.
pub(crate) fn guarded(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    if !text.contains(['`', '<']) && !text.contains("](") {
        return out;
    }
    let bytes = text.as_bytes();
    let ticks = closing_ticks(bytes);
    // Where brackets were opened in this paragraph.
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'\\' => {
                at += 2;
                continue;
            }
            b'\n' if bytes.get(at + 1) == Some(&b'\n') => {
                open.clear();
                None
            }
            b'[' => {
                open.push(at);
                None
            }
            b'`' => {
                let end = ticks.get(&at).copied();
                if end.is_none() {
                    at += run(bytes, at);
                    continue;
                }
                end.map(|end| (at, end))
            }
            b'<' => address(bytes, at).map(|end| (at, end)),
            b']' => open.pop().and_then(|start| Some((start, target(bytes, at + 1)?))),
            _ => None,
        };
        let Some((start, end)) = end else {
            at += 1;
            continue;
        };
        while out.last().is_some_and(|last: &Range<usize>| last.start >= start) {
            out.pop();
        }
        out.push(start..end);
        at = end;
    }
    out
}

/// Length of the run of one byte that begins at an offset.
fn run(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|byte| **byte == bytes[at]).count()
}

/// Where each run of backticks that opens inline code ends it: the next run of the same length in the paragraph.
fn closing_ticks(bytes: &[u8]) -> std::collections::HashMap<usize, usize> {
    let mut out = std::collections::HashMap::new();
    // By length: where the last run of it began.
    let mut waiting: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
    let mut closed_to = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'`' => {
                let length = run(bytes, at);
                let end = at + length;
                match waiting.remove(&length).filter(|start| *start >= closed_to) {
                    Some(start) => {
                        out.insert(start, end);
                        closed_to = end;
                    }
                    None => {
                        waiting.insert(length, at);
                    }
                }
                at = end;
            }
            b'\n' if bytes.get(at + 1) == Some(&b'\n') => {
                waiting.clear();
                at += 1;
            }
            _ => at += 1,
        }
    }
    out
}

/// The end of `<https://…>` or `<mail@…>`, which hold no blanks.
fn address(bytes: &[u8], at: usize) -> Option<usize> {
    let end =
        bytes[at + 1..].iter().take(2048).position(|byte| matches!(byte, b'<' | b'>') || byte.is_ascii_whitespace());
    let end = at + 1 + end?;
    let inside = &bytes[at + 1..end];
    (bytes[end] == b'>' && inside.iter().any(|byte| matches!(byte, b':' | b'@'))).then_some(end + 1)
}

/// The end of a link's `(target "title")`; brackets inside must pair.
fn target(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'(') {
        return None;
    }
    let mut depth = 0;
    for (offset, byte) in bytes[at..].iter().enumerate().take(4096) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + offset + 1),
            b')' => depth -= 1,
            b'\n' | b'[' | b']' | b'`' => return None,
            _ => {}
        }
    }
    None
}
