//! Heading text to anchor, as GitHub makes them.

use std::collections::BTreeMap;

/// Makes anchors that are unique within one page.
#[derive(Default)]
pub(super) struct Slugger {
    /// How often each anchor was asked for.
    seen: BTreeMap<String, u32>,
}

impl Slugger {
    /// The anchor of a heading: its own id, or its text in lower case, without punctuation, blanks as hyphens; a number is added until
    /// it is new on the page.
    pub fn slug(&mut self, id: Option<&str>, text: &str) -> String {
        if let Some(id) = id.filter(|id| !id.is_empty()) {
            self.seen.entry(id.to_string()).or_insert(0);
            return id.to_string();
        }
        let base: String = text
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_') || is_mark(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let mut slug = base.clone();
        while self.seen.contains_key(&slug) {
            let count = self.seen.entry(base.clone()).or_insert(0);
            *count += 1;
            slug = format!("{base}-{count}");
        }
        self.seen.insert(slug.clone(), 0);
        slug
    }
}

/// Combining marks of the common scripts, which anchors keep.
fn is_mark(c: char) -> bool {
    use unicode_segmentation::UnicodeSegmentation;
    // A mark joins the letter before it into one grapheme.
    !c.is_ascii() && !c.is_whitespace() && ["a", c.encode_utf8(&mut [0; 4])].concat().graphemes(true).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slugs(headings: &[&str]) -> Vec<String> {
        let mut slugger = Slugger::default();
        headings.iter().map(|heading| slugger.slug(None, heading)).collect()
    }

    #[test]
    fn numbers_duplicates_without_collisions() {
        assert_eq!(slugs(&["P", "Foo", "Foo", "Foo-1"]), ["p", "foo", "foo-1", "foo-1-1"]);
    }

    #[test]
    fn follows_the_rules_of_github() {
        assert_eq!(
            slugs(&["What's new, in v2.0?", "C++ & C#", "Café / Bar", "日本語 の 見出し", "snake_case  two"]),
            ["whats-new-in-v20", "c--c", "café--bar", "日本語-の-見出し", "snake_case--two"]
        );
    }
}
