//! Front matter: the settings at the head of a Markdown file.

use serde_json::Value;

/// What pinpack reads of front matter.
#[derive(Debug, Default, PartialEq)]
pub(super) struct FrontMatter {
    pub title: String,
    pub url: Option<String>,
    pub pinned: bool,
    pub draft: bool,
    /// The values that the configuration wants as text, one `key: value` line each.
    pub text: String,
    /// Keys whose values are text, but not wanted.
    pub unread: Vec<String>,
    /// Bytes of the source that it takes, byte-order mark included.
    pub len: usize,
}

/// Reads YAML between `---` lines, TOML between `+++` lines or JSON from a `{` line to its `}` at the head of `text`.
///
/// A byte-order mark and CRLF line ends are accepted. What is not front matter, or cannot be parsed, has length 0 (or that of the
/// byte-order mark) and stays text.
pub(super) fn read(text: &str, wanted: &[String]) -> FrontMatter {
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let none = FrontMatter { len: mark, ..FrontMatter::default() };
    let Some((fence, body, len)) = split(&text[mark..]).or_else(|| split_json(&text[mark..])) else { return none };
    let value = match fence {
        "---" => serde_saphyr::from_str::<Value>(body).ok(),
        "{" => serde_json::from_str(body).ok(),
        _ => toml::from_str::<Value>(body).ok(),
    };
    // A broken head is still a head: its lines are settings, not text. Its plain `title:` line is taken as it stands.
    // Prose between two rules is none: its first line names no setting.
    let value = match value.filter(|value| value.is_object() || value.is_null()) {
        Some(value) => value,
        None if begins_with_setting(body) => plain_lines(body),
        None => return none,
    };
    let text_of = |key: &str| value.get(key).and_then(scalar);
    let flag = |key: &str| value.get(key).and_then(Value::as_bool);
    let (text, unread) = texts(&value, wanted);
    FrontMatter {
        text,
        unread,
        title: text_of("title").unwrap_or_default(),
        url: ["url", "permalink", "slug"].iter().find_map(|key| text_of(key)).filter(|url| !url.is_empty()),
        pinned: flag("pinned").unwrap_or(false),
        draft: flag("draft").unwrap_or(false) || flag("published") == Some(false),
        len: mark + len,
    }
}

/// Settings of the page that no reader sees as text.
const SETTINGS: [&str; 8] = ["title", "url", "permalink", "slug", "pinned", "draft", "published", "layout"];

/// The wanted values as text, and the keys of the other texts. `*` wants all but settings.
fn texts(value: &Value, wanted: &[String]) -> (String, Vec<String>) {
    let (mut text, mut unread) = (Vec::new(), Vec::new());
    for (key, value) in value.as_object().into_iter().flatten() {
        let values: Vec<String> = match value {
            Value::Array(list) => list.iter().filter_map(scalar).collect(),
            other => scalar(other).into_iter().collect(),
        };
        let values: Vec<String> = values.into_iter().filter(|value| value.chars().any(char::is_alphanumeric)).collect();
        if values.is_empty() || SETTINGS.contains(&key.as_str()) {
            continue;
        }
        if wanted.iter().any(|name| name == key || name == "*") {
            text.push(format!("{key}: {}", values.join(", ")));
        } else {
            unread.push(key.clone());
        }
    }
    (text.join("\n"), unread)
}

/// Fence, body between the fences, length with both fences.
fn split(text: &str) -> Option<(&str, &str, usize)> {
    let fence = ["---", "+++"].into_iter().find(|fence| text.starts_with(fence))?;
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    if first.trim_end() != fence {
        return None;
    }
    let mut at = first.len();
    for line in lines {
        let end = at + line.len();
        if line.trim_end() == fence || (fence == "---" && line.trim_end() == "...") {
            return Some((fence, &text[first.len()..at], end));
        }
        at = end;
    }
    None
}

/// The object that begins with a line of its own, as [`split`] gives it.
fn split_json(text: &str) -> Option<(&str, &str, usize)> {
    let (first, _) = text.split_once('\n')?;
    (first.trim_end() == "{").then_some(())?;
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Map<String, Value>>();
    values.next()?.ok()?;
    let end = values.byte_offset();
    let rest = text[end..].split('\n').next()?;
    rest.trim().is_empty().then(|| ("{", &text[..end], (end + rest.len() + 1).min(text.len())))
}

/// Does the first line that is not blank read `key: …`, `key = …` or `# comment`?
fn begins_with_setting(body: &str) -> bool {
    let first = body.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let key = first.split([':', '=']).next().filter(|key| key.len() < first.len()).unwrap_or("?");
    let named = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'');
    first.starts_with('#') || key.trim_end().chars().all(named)
}

/// `key: value` lines at the left margin as an object of strings.
fn plain_lines(body: &str) -> Value {
    let lines = body.lines().filter(|line| !line.starts_with([' ', '\t', '#', '-']));
    let pairs = lines.filter_map(|line| line.split_once(':').or_else(|| line.split_once('=')));
    pairs
        .map(|(key, value)| {
            let value = value.trim().trim_matches(['"', '\'']);
            let value = value.parse::<bool>().map_or_else(|_| Value::from(value), Value::from);
            (key.trim().to_string(), value)
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_string()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_mark_and_crlf_make_no_difference() {
        let unix = "---\ntitle: Shop hours\ndescription: when\n---\n\n# Hours\nOpen 9 to 5.\n";
        let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
        let (a, b) = (read(unix, &[]), read(&windows, &[]));
        assert_eq!(a.title, "Shop hours");
        assert_eq!(b.title, "Shop hours");
        assert_eq!(windows[b.len..].trim_start(), unix[a.len..].trim_start().replace('\n', "\r\n"));
    }

    #[test]
    fn reads_toml_and_flags() {
        let found = read("+++\ntitle = 'A'\npinned = true\nslug = \"a-b\"\n+++\ntext", &[]);
        assert_eq!((found.title.as_str(), found.pinned, found.url.as_deref()), ("A", true, Some("a-b")));
    }

    #[test]
    fn reads_json() {
        let source = "{\n  \"title\": \"A\",\n  \"pinned\": true\n}\n\ntext";
        let found = read(source, &[]);
        assert_eq!((found.title.as_str(), found.pinned, &source[found.len..]), ("A", true, "\ntext"));
        for text in ["{ \"title\": \"A\" }\n", "{\n not json\n}\n", "{\n} text\n"] {
            assert_eq!(read(text, &[]).len, 0, "{text}");
        }
    }

    #[test]
    fn a_rule_at_the_head_is_not_front_matter() {
        assert_eq!(read("---\nNo second fence", &[]).len, 0);
        assert_eq!(read("text\n---\n", &[]).len, 0);
        assert_eq!(read("---\n\nSome prose.\n\n---\n\nMore.\n", &[]).len, 0);
    }

    #[test]
    fn wanted_values_become_text() {
        let source = "---\ntitle: Developer\ncompany: Acme\ntech: [React, Rust]\ndate: 2020\n---\n";
        let some = read(source, &["tech".to_string()]);
        assert_eq!(
            (some.text.as_str(), some.unread),
            ("tech: React, Rust", vec!["company".to_string(), "date".to_string()])
        );
        assert_eq!(read(source, &["*".to_string()]).text.lines().count(), 3);
    }

    #[test]
    fn a_broken_head_stays_a_head() {
        let source = "---\ntitle: \"Open quote\nbad: [1, 2\n---\ntext";
        let found = read(source, &[]);
        assert_eq!((found.title.as_str(), &source[found.len..]), ("Open quote", "text"));
    }
}
