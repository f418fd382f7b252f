//! Names in a source file that links can lead to, besides its address and its headings.

/// Longest id that is one, in bytes.
const MAX_ID_BYTES: usize = 200;

/// Values of `id` and `name` attributes, `{#id}` and Obsidian's `^id` at the end of a line, in order, wherever they stand in the source.
///
/// It reads no syntax, so it finds ids in code samples too: a link is called broken only when there is no such id at all.
pub(crate) fn in_source(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let id = match byte {
            b'=' if is_id_attribute(&bytes[at.saturating_sub(5)..at]) => value(text, at + 1),
            b'#' if at > 0 && bytes[at - 1] == b'{' => until(text, at + 1, |c| c == '}' || c.is_whitespace()),
            b'^' if at == 0 || bytes[at - 1].is_ascii_whitespace() => block_id(text, at + 1),
            _ => None,
        };
        out.extend(id.filter(|id| !id.is_empty()).map(str::to_string));
    }
    out
}

/// Addresses in front matter that lead to the page too, in order: what stands under `redirect_from`, `aliases` or `redirects`.
///
/// It reads lines, no YAML: what it takes for an address only keeps a link from being called broken.
pub(crate) fn aliases(text: &str) -> Vec<String> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return Vec::new();
    }
    let (mut out, mut inside) = (Vec::new(), false);
    for line in lines.take_while(|line| line.trim_end() != "---") {
        let own = line.split_once(':').filter(|(key, _)| ["redirect_from", "aliases", "redirects"].contains(key));
        let is_item = line.starts_with([' ', '-', '\t']);
        inside = own.is_some() || (inside && is_item);
        let list = own.map_or(line, |(_, rest)| rest);
        if inside {
            let items = list.split(',').map(|item| item.trim_matches([' ', '\t', '-', '[', ']', '"', '\'']));
            out.extend(items.filter(|item| !item.is_empty()).map(str::to_string));
        }
    }
    out
}

/// Do these bytes end in the name of an attribute that gives an id?
fn is_id_attribute(before: &[u8]) -> bool {
    let name = |name: &[u8]| {
        before.len().checked_sub(name.len()).is_some_and(|from| {
            before[from..].eq_ignore_ascii_case(name) && (from == 0 || before[from - 1].is_ascii_whitespace())
        })
    };
    name(b"id") || name(b"name")
}

fn value(text: &str, from: usize) -> Option<&str> {
    match text.as_bytes().get(from)? {
        b'"' => until(text, from + 1, |c| c == '"'),
        b'\'' => until(text, from + 1, |c| c == '\''),
        b'{' => until(text, from + 2, |c| matches!(c, '"' | '\'' | '}')),
        _ => until(text, from, |c| c == '>' || c.is_whitespace()),
    }
}

/// `^abc` alone at the end of its line.
fn block_id(text: &str, from: usize) -> Option<&str> {
    let id = until(text, from, |c| !c.is_alphanumeric() && c != '-')?;
    let rest = text[from + id.len()..].trim_start_matches([' ', '\t', '\r']);
    (rest.is_empty() || rest.starts_with('\n')).then_some(id)
}

/// The text from a byte up to a character; nothing when it does not come soon.
fn until(text: &str, from: usize, end: impl Fn(char) -> bool) -> Option<&str> {
    let rest = text.get(from..)?;
    let len = rest.char_indices().take_while(|(at, _)| *at <= MAX_ID_BYTES).find(|(_, c)| end(*c)).map(|(at, _)| at);
    let len = len.or_else(|| (rest.len() <= MAX_ID_BYTES).then_some(rest.len()))?;
    Some(&rest[..len])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_ids_in_html_markdown_and_notes() {
        let source = "## Prices {#what-it-costs .x}\n<a name='old'></a><p class=x ID=\"p 1\"><i id=bare>x</i>\nA note. ^n-1\r\n2 ^ 3\n<C id={'jsx'} />\n{#end";
        assert_eq!(in_source(source), ["what-it-costs", "old", "p 1", "bare", "n-1", "jsx", "end"]);
        assert_eq!(in_source("grid=1 valid=2 x^2\nfilename=3"), [""; 0]);
    }

    #[test]
    fn finds_other_addresses_in_front_matter() {
        let source = "---\ntitle: X\nredirect_from:\n  - /old/\n- \"/older\"\ntags:\n  - /no/\naliases: [a, 'b c']\n---\n- redirect_from: /no\n";
        assert_eq!(aliases(source), ["/old/", "/older", "a", "b c"]);
        assert_eq!(aliases("redirect_from: /no"), [""; 0]);
        assert_eq!(aliases("\u{feff}---\r\naliases: /x\r\n"), ["/x"]);
    }

    #[test]
    fn long_values_and_odd_places_are_no_ids() {
        assert_eq!(in_source(&format!("<i id=\"{}\">", "é".repeat(200))), [""; 0]);
        assert_eq!(in_source("id="), [""; 0]);
        assert_eq!(in_source(" id={"), [""; 0]);
        assert_eq!(in_source(" id={é"), [""; 0]);
    }
}
