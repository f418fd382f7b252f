//! A document between two paragraphs of ours: whatever it holds, it does not hide them.

use super::base::Base;

const FIRST: &str = "qfirst";
const LAST: &str = "qlast";

/// What hides the rest of a page when it is not closed, by what HTML says of it.
const HIDING: [&str; 14] = [
    "<script",
    "<style",
    "<template",
    "<textarea",
    "<title",
    "<noscript",
    "<iframe",
    "<object",
    "<svg",
    "<math",
    "<head",
    "hidden",
    "data-pinpack-ignore",
    "<select",
];

/// The first paragraph is the first text, the last one the last, unless the report says that words were left out.
pub fn check(path: &str, bytes: &[u8], config: &str) {
    check_between(&[FIRST, "\n\n"].concat(), path, bytes, config);
}

/// As [`check`], with nothing before the document.
pub fn check_after(path: &str, bytes: &[u8], config: &str) {
    check_between("", path, bytes, config);
}

fn check_between(before: &str, path: &str, bytes: &[u8], config: &str) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lower = text.to_lowercase();
    if text.contains('\0') || lower.contains(FIRST) || lower.contains(LAST) {
        return;
    }
    let source = [before, text, "\n\n", LAST, "\n"].concat();
    let Some(base) = Base::check(path, source.as_bytes(), config) else {
        // A draft is not built: its front matter says so.
        return assert!(before.is_empty(), "the first paragraph is lost in {source:?}");
    };
    assert!(before.is_empty() || base.sections[0].text.starts_with(FIRST), "{FIRST} is not first in {source:?}");
    let report = &base.built.report;
    if report.left_out.is_empty() && HIDING.iter().all(|mark| !lower.contains(mark)) {
        let held = base.sections.iter().any(|section| section.text.contains(LAST) || section.label.contains(LAST));
        assert!(held, "{LAST} is lost in {source:?}");
    }
}
