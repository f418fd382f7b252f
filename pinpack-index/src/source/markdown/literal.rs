//! Literals of MDX: what their text is, and whether braces hold code at all.

/// Is this the inside of one literal, without values that are only known when it runs?
pub(super) fn is_one(text: &str, quote: char) -> bool {
    let mut escaped = false;
    for c in text.chars() {
        if c == quote && !escaped {
            return false;
        }
        escaped = c == '\\' && !escaped;
    }
    !(quote == '`' && text.contains("${"))
}

/// The text of a literal: `\n` is a line end, and what else is escaped stands for itself.
pub(super) fn unescaped(literal: &str) -> String {
    let mut out = String::with_capacity(literal.len());
    let mut chars = literal.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push(' '),
            ('\\', Some(other)) | (other, _) => out.push(other),
        }
    }
    out
}

/// A template's text as a fenced block of code.
pub(super) fn fence(code: &str, language: &str, prefix: &str) -> String {
    let code = code.replace("\\`", "`").replace("\\${", "${");
    let run = code.split(|c| c != '`').map(str::len).max().unwrap_or(0).max(2) + 1;
    let ticks = "`".repeat(run);
    let lines = code.trim_matches('\n').split('\n').map(|line| format!("{prefix}{line}\n")).collect::<String>();
    format!("\n{prefix}\n{prefix}{ticks}{language}\n{lines}{prefix}{ticks}\n{prefix}\n{prefix}")
}

/// Two words in a row that no operator joins: prose in braces, which MDX would refuse.
pub(super) fn reads_like_prose(inside: &str) -> bool {
    const JOINING: [&str; 16] = [
        "new",
        "typeof",
        "await",
        "async",
        "function",
        "return",
        "const",
        "let",
        "var",
        "in",
        "of",
        "instanceof",
        "as",
        "else",
        "void",
        "case",
    ];
    if inside.contains(['<', '`', '"', '\'', '/', '=', '(', ':']) {
        return false;
    }
    let names: Vec<&str> = inside.split_whitespace().take(32).collect();
    let plain = |name: &str| name.chars().all(char::is_alphabetic) && !JOINING.contains(&name);
    names.windows(2).any(|pair| plain(pair[0]) && plain(pair[1]))
}
