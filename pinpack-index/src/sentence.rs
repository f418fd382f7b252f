//! Text to sentences: the cutter's resort when blocks are too large.

mod guard;

pub(crate) use guard::guarded;

/// Words whose dot does not end a sentence, lower case, in order.
const ABBREVIATIONS: [&str; 64] = [
    "abs", "al", "apr", "aug", "ave", "bsp", "bzw", "ca", "capt", "cf", "co", "corp", "dec", "dept", "dr", "dra", "ed",
    "eg", "est", "etc", "evtl", "feb", "fr", "gen", "ggf", "ie", "inc", "inkl", "jan", "jr", "lt", "ltd", "mlle",
    "mme", "mr", "mrs", "ms", "mt", "nov", "nr", "oct", "p.ej", "prof", "rev", "sen", "sept", "sgt", "sr", "sra",
    "srta", "st", "str", "tel", "univ", "usw", "ver", "vgl", "viz", "vs", "z.b", "zzgl", "см", "стр", "ул",
];

/// Words that are abbreviations only before a number, lower case: `no. 5`, not `the answer is no.`
const BEFORE_NUMBERS: [&str; 13] =
    ["approx", "art", "ch", "fig", "max", "min", "no", "nos", "p", "pp", "pt", "sec", "vol"];

/// Byte spans of the sentences of `text`, in order. They tile it: each ends where the next begins.
///
/// A sentence ends after `.`, `!`, `?` or `…` with its closing quotes and brackets, before white space and a character that can begin a
/// sentence; after the stops of Chinese, Japanese, Hindi, Urdu, Arabic, Amharic, Burmese and Khmer at once; and at a line that ends a
/// block or begins a list item, a heading or a table row. A dot inside a price, version, address, abbreviation or initial ends nothing,
/// nor does anything inside a link's text or inline code. Cost: linear.
#[must_use]
pub fn sentences(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut guards = guarded(text).into_iter().peekable();
    let (mut start, mut at) = (0, 0);
    // Does the sentence under way hold more than blanks?
    let mut filled = false;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        while guards.next_if(|guard| guard.end <= at).is_some() {}
        // A line break inside inline code or a link ends nothing either.
        if let Some(guard) = guards.peek().filter(|guard| guard.start <= at) {
            (at, filled) = (guard.end, true);
            continue;
        }
        let (after, ends) = match c {
            '.' | '!' | '?' | '…' => {
                let after = closers(text, next);
                (after, sentence_end(text, at, after))
            }
            _ if is_full_stop(c) => {
                let after = closers(text, next);
                (after, Some(after + blanks(&text[after..])))
            }
            '\n' => (next, (filled && starts_block(&text[next..])).then_some(next)),
            _ => (next, None),
        };
        filled |= !c.is_whitespace();
        at = after;
        if let Some(end) = ends.filter(|end| *end > start) {
            out.push((start, end));
            (start, at, filled) = (end, end, false);
        }
    }
    if start < text.len() {
        out.push((start, text.len()));
    }
    out
}

/// Stops that need no blank after them.
pub(crate) fn is_full_stop(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '।' | '॥' | '؟' | '۔' | '።' | '፧' | '။' | '។')
}

/// Bytes of blanks, line breaks not among them, at the head of a text.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\u{3000}', '\u{a0}']).len()
}

/// The offset where the sentence ends whose stop stands at `at` and reaches, closers and all, to `after`; blanks included.
fn sentence_end(text: &str, at: usize, after: usize) -> Option<usize> {
    let rest = &text[after..];
    let gap = rest.len() - rest.trim_start().len();
    if gap == 0 {
        return rest.is_empty().then_some(after);
    }
    let following = rest[gap..].chars().next().unwrap_or('\n');
    let one_dot = text[at..after].starts_with('.') && !text[at + 1..after].starts_with('.');
    if following.is_lowercase() || one_dot && is_abbreviation(&text[..at], following) {
        return None;
    }
    // Keep a line break for the block that follows: only blanks belong to the sentence before.
    Some(after + blanks(rest))
}

/// The offset after further stops, closing quotes and brackets and emphasis marks.
fn closers(text: &str, at: usize) -> usize {
    const CLOSERS: [char; 20] =
        ['"', '\'', ')', ']', '”', '’', '»', '」', '』', '）', '】', '*', '_', '.', '!', '?', '…', '。', '！', '？'];
    text.len() - text[at..].trim_start_matches(CLOSERS).len()
}

/// Does the text before a dot end in an abbreviation, an initial or a list number?
fn is_abbreviation(before: &str, following: char) -> bool {
    const LONGEST: usize = 24;
    let parts = |c: char| c.is_whitespace() || matches!(c, '(' | '"' | '*' | '_' | '[' | '/' | '“' | '„' | '«');
    let word_start = before.char_indices().rev().take(LONGEST).find(|(_, c)| parts(*c));
    let word = word_start.map_or(before, |(at, c)| &before[at + c.len_utf8()..]);
    if word.is_empty() || word.len() > LONGEST {
        return false;
    }
    if word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit()) {
        return at_line_start(before, word);
    }
    let word = word.to_lowercase();
    let initials = word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    // A lone small letter is the end of a list's name ("option b.") as often as an initial.
    let initials = initials && (word.contains('.') || before.chars().next_back().is_some_and(char::is_uppercase));
    initials
        || ABBREVIATIONS.binary_search(&word.as_str()).is_ok()
        || following.is_numeric() && BEFORE_NUMBERS.contains(&word.as_str())
}

/// Is the number before the dot the first thing on its line, as in an ordered list?
fn at_line_start(before: &str, word: &str) -> bool {
    const DEEPEST: usize = 64;
    let lead = before[..before.len() - word.len()].trim_end_matches([' ', '\t', '>']);
    (lead.is_empty() || lead.ends_with('\n')) && before.len() - lead.len() <= DEEPEST
}

/// Does the line begin a list item, heading, table row or quote, or is it blank?
fn starts_block(rest: &str) -> bool {
    let line = rest.trim_start_matches([' ', '\t']);
    let digits = line.bytes().take(4).take_while(u8::is_ascii_digit).count();
    line.starts_with(['\n', '\r', '#', '|', '>'])
        || ["- ", "* ", "+ ", "```", "~~~"].iter().any(|mark| line.starts_with(mark))
        || (1..=3).contains(&digits) && (line[digits..].starts_with(". ") || line[digits..].starts_with(") "))
}

#[cfg(test)]
mod tests;
