//! Text to sentences: the cutter's resort when blocks are too large.

/// Words whose dot does not end a sentence, lower case.
const ABBREVIATIONS: [&str; 36] = [
    "al", "approx", "apr", "aug", "ave", "co", "corp", "dec", "dept", "dr", "e.g", "eg", "est", "etc", "feb", "fig",
    "i.e", "ie", "inc", "jan", "jr", "ltd", "max", "min", "mr", "mrs", "ms", "no", "nov", "oct", "p", "prof", "sept",
    "sr", "st", "vs",
];

/// Byte spans of the sentences of `text`, in order. They tile it: each ends where the next begins.
///
/// A sentence ends after `.`, `!`, `?` or `…` with its closing quotes and brackets, before white space and a character that
/// can begin a sentence; after `。`, `！` and `？` at once; and at a line that ends a block or begins a list item, a heading or a
/// table row. A dot inside a price, version, address or abbreviation ends nothing.
#[must_use]
pub fn sentences(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = at + c.len_utf8();
        let ends = match c {
            '.' | '!' | '?' | '…' => ends_sentence(text, at, next),
            '。' | '！' | '？' => Some(closers(text, next)),
            '\n' => (starts_block(&text[next..]) && !text[start..at].trim().is_empty()).then_some(next),
            _ => None,
        };
        let Some(end) = ends else { continue };
        if end > start {
            out.push((start, end));
            start = end;
        }
        while chars.peek().is_some_and(|(at, _)| *at < end) {
            chars.next();
        }
    }
    if start < text.len() {
        out.push((start, text.len()));
    }
    out
}

/// The offset where the sentence ends whose terminator stands at `at`, white space included.
fn ends_sentence(text: &str, at: usize, next: usize) -> Option<usize> {
    let after = closers(text, next);
    let rest = &text[after..];
    let gap = rest.len() - rest.trim_start().len();
    if gap == 0 {
        return rest.is_empty().then_some(after);
    }
    let following = rest[gap..].chars().next().unwrap_or('\n');
    if following.is_lowercase() || text[at..].starts_with('.') && is_abbreviation(&text[..at]) {
        return None;
    }
    // Keep a line break for the block that follows: only blanks belong to the sentence before.
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    Some(after + blanks)
}

/// The offset after closing quotes and brackets and emphasis marks.
fn closers(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + rest.len()
        - rest.trim_start_matches(['"', '\'', ')', ']', '”', '’', '»', '」', '』', '*', '_', '.', '!', '?', '…']).len()
}

/// Does the text before a dot end in an abbreviation, an initial or a list number?
fn is_abbreviation(before: &str) -> bool {
    let word =
        before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '*' | '_' | '[')).next().unwrap_or("");
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(c), None) if c.is_uppercase() => true,
        (Some(_), _) if word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit()) => at_line_start(before, word),
        (Some(_), _) => word.len() <= 6 && ABBREVIATIONS.iter().any(|known| known.eq_ignore_ascii_case(word)),
        _ => false,
    }
}

/// Is the number before the dot the first thing on its line, as in an ordered list?
fn at_line_start(before: &str, word: &str) -> bool {
    before[..before.len() - word.len()].rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
}

/// Does the line begin a list item, heading, table row or quote, or is it blank?
fn starts_block(rest: &str) -> bool {
    let line = rest.trim_start_matches([' ', '\t']);
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    line.starts_with(['\n', '\r', '#', '|', '>'])
        || ["- ", "* ", "+ ", "```", "~~~"].iter().any(|mark| line.starts_with(mark))
        || (1..=3).contains(&digits) && line[digits..].starts_with(". ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|(start, end)| text[start..end].trim()).collect()
    }

    #[test]
    fn keeps_prices_versions_and_addresses_whole() {
        let text = "The small tea is $3.50 and the large is $5. Version 2.10.1 needs Node 18.17. Visit shop.example/a.b today.";
        assert_eq!(
            cut(text),
            [
                "The small tea is $3.50 and the large is $5.",
                "Version 2.10.1 needs Node 18.17.",
                "Visit shop.example/a.b today."
            ]
        );
    }

    #[test]
    fn does_not_end_at_abbreviations_initials_and_list_numbers() {
        assert_eq!(
            cut("Ask Dr. Smith, e.g. by mail. J. Doe helps."),
            ["Ask Dr. Smith, e.g. by mail.", "J. Doe helps."]
        );
        assert_eq!(cut("Steps:\n1. Open it.\n2. Close it."), ["Steps:", "1. Open it.", "2. Close it."]);
    }

    #[test]
    fn ends_at_full_width_marks_and_closing_quotes() {
        assert_eq!(cut("返品可能です。お問い合わせください！"), ["返品可能です。", "お問い合わせください！"]);
        assert_eq!(cut("He said \"Stop.\" Then he left."), ["He said \"Stop.\"", "Then he left."]);
    }

    proptest::proptest! {
        #[test]
        fn sentences_tile_any_text(text in "([A-Za-z0-9 .!?\\n|#。é🙂\"-]{0,80}|\\PC{0,40})") {
            let mut at = 0;
            for (start, end) in sentences(&text) {
                assert_eq!(start, at);
                assert!(end > start && text.is_char_boundary(end));
                at = end;
            }
            assert_eq!(at, text.len());
        }
    }
}
