//! Where a link leads, and the names by which pages are looked for.

/// What pages are written in: a path that ends so is a page's.
const PAGES: [&str; 8] = ["md", "mdx", "markdown", "html", "htm", "txt", "mdoc", "qmd"];
/// Of these, what only a source file is called.
const SOURCES: [&str; 5] = ["md", "mdx", "markdown", "mdoc", "qmd"];

/// A link's target in its parts.
pub(super) struct Target {
    /// Decoded, without query and anchor; empty for a place on the same page.
    pub path: String,
    /// Decoded; of a note's `#Heading#Heading` the last. Empty without one.
    pub anchor: String,
    /// Begins with a slash: from the site's root.
    pub is_absolute: bool,
    /// Names a source file, which has to be there.
    pub is_source: bool,
}

impl Target {
    /// The target of a link to a page of the site; `None` for one that leads elsewhere, to another kind of file, or that its generator
    /// fills in.
    pub fn of(written: &str) -> Option<Self> {
        // The backslash before the bar of a note's link in a table.
        let written = written.trim().trim_end_matches('\\');
        let written = written.strip_prefix("@site").filter(|rest| rest.starts_with('/')).unwrap_or(written);
        let filled_in = written.contains(['{', '}', '<', '>', '$']) || written.starts_with(['@', '~']);
        if filled_in || written.starts_with("//") || has_scheme(written) {
            return None;
        }
        let (path, anchor) = written.split_once('#').unwrap_or((written, ""));
        let path = decoded(path.split_once('?').map_or(path, |(path, _)| path));
        let anchor = decoded(anchor).rsplit('#').next().unwrap_or("").to_string();
        let extension = extension(&path).map(str::to_ascii_lowercase);
        let is_one_of = |list: &[&str]| extension.as_deref().is_some_and(|own| list.contains(&own));
        if extension.is_some() && !is_one_of(&PAGES) {
            return None;
        }
        let (is_absolute, is_source) = (path.starts_with('/'), is_one_of(&SOURCES));
        Some(Self { path, anchor, is_absolute, is_source })
    }

    /// Is it a note's name, wherever that note is?
    pub fn is_name(&self) -> bool {
        !self.is_absolute && !self.path.starts_with('.') && extension(&self.path).is_none()
    }
}

/// `mailto:`, `https:`; not a note called `Plan: next year`.
fn has_scheme(written: &str) -> bool {
    written.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
            && !rest.starts_with(' ')
    })
}

/// What stands behind the last dot of the last part, when it can be an extension: 1 to 5 letters and digits, a letter among them.
fn extension(path: &str) -> Option<&str> {
    let (stem, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    let fits = (1..=8).contains(&extension.len()) && extension.chars().all(|c| c.is_ascii_alphanumeric());
    (fits && !stem.is_empty() && extension.chars().any(|c| c.is_ascii_alphabetic())).then_some(extension)
}

/// Percent codes to the characters that they stand for; what is none stays.
fn decoded(text: &str) -> String {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(hex);
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_string())
}

/// The byte that two hexadecimal digits stand for.
fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let &[high, low] = digits else { return None };
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// The name by which a page is looked for: its path in lower case, without slashes around it, the extension of a page, and `index`.
pub(super) fn key(path: &str) -> String {
    let path = decoded(path).to_lowercase();
    let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if let Some(last) = parts.last_mut() {
        let known = extension(last).filter(|own| PAGES.contains(own));
        *last = known.map_or(*last, |own| &last[..last.len() - own.len() - 1]);
    }
    if parts.last().is_some_and(|last| ["index", "readme", "_index"].contains(last)) {
        parts.pop();
    }
    parts.join("/")
}

/// The key of a path that starts in a folder; `None` when it leads above the root.
pub(super) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(key(&parts.join("/")))
}

/// The folder of a key; of one at the root, and of the root, the root.
pub(super) fn parent(key: &str) -> &str {
    key.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folder of a file.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `/docs/a` of `https://a.example/docs/a`; a path as it is.
pub(super) fn path_of_url(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else { return url };
    rest.find('/').map_or("", |slash| &rest[slash..])
}

/// Letters and digits in lower case: what all ways to make an anchor from a heading keep.
pub(super) fn loose(anchor: &str) -> String {
    anchor.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Is `wanted` this anchor with other letters where it has accents? Some generators take them off.
pub(super) fn is_without_accents(anchor: &str, wanted: &str) -> bool {
    let same = |(a, b): (char, char)| a == b || (!a.is_ascii() && b.is_ascii_alphabetic());
    !anchor.is_ascii() && anchor.chars().count() == wanted.len() && anchor.chars().zip(wanted.chars()).all(same)
}
