//! Heading text to anchor, as the tool makes it that publishes the site.
//!
//! | style | who | rule |
//! | --- | --- | --- |
//! | `github` | GitHub, Docusaurus, Starlight (github-slugger 2) | lower case; letters, marks, decimal digits, connectors, `-` and blanks stay; each blank is `-` |
//! | `vitepress` | `VitePress` (`@mdit-vue/shared`) | NFKD without U+0300 to U+036F and controls; blanks and ASCII punctuation are `-`, runs of it one, none at the ends; `_` before a first digit; lower case |
//! | `mkdocs` | `MkDocs` (Python-Markdown's `toc`) | NFKD, ASCII only; letters, digits, `_`, `-` and blanks stay; lower case; runs of blanks and `-` are one `-` |

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::config::AnchorStyle;

/// Makes the anchors of one page.
pub(super) struct Slugger {
    style: AnchorStyle,
    /// Anchors that the page has.
    seen: HashSet<String>,
    /// The number of the last duplicate of an anchor: numbers below are taken for good.
    last: HashMap<String, u32>,
}

impl Slugger {
    /// `own`: the ids that headings of the page bring along.
    pub fn new<'i>(style: AnchorStyle, own: impl Iterator<Item = &'i str>) -> Self {
        // Python-Markdown looks at all ids of a page before it makes one; the others do not.
        let early = own.filter(|_| style == AnchorStyle::Mkdocs);
        Self { style, seen: early.map(str::to_string).collect(), last: HashMap::new() }
    }

    /// The anchor of a heading: its own id, or what the style makes of its text, numbered where the page has it already.
    pub fn slug(&mut self, id: Option<&str>, text: &str) -> String {
        if let Some(id) = id.filter(|id| !id.is_empty()) {
            // markdown-it-anchor numbers around ids that came before; github-slugger never hears of them.
            if self.style == AnchorStyle::Vitepress {
                self.seen.insert(id.to_string());
            }
            return id.to_string();
        }
        let slug = match self.style {
            AnchorStyle::Github | AnchorStyle::None => self.numbered(&github(text)),
            AnchorStyle::Vitepress => self.numbered(&vitepress(text)),
            AnchorStyle::Mkdocs => self.numbered_mkdocs(&mkdocs(text)),
        };
        self.seen.insert(slug.clone());
        slug
    }

    /// `foo`, `foo-1`, `foo-2`.
    fn numbered(&mut self, slug: &str) -> String {
        if self.seen.contains(slug) { self.next(slug, slug, '-', 0) } else { slug.to_string() }
    }

    /// `foo`, `foo_1`, `foo_2`; what ends in a number already counts on from there, and an empty anchor is numbered too.
    fn numbered_mkdocs(&mut self, slug: &str) -> String {
        if !slug.is_empty() && !self.seen.contains(slug) {
            return slug.to_string();
        }
        let counted = slug.rsplit_once('_').and_then(|(base, end)| Some((base, number(end)?)));
        let (base, from) = counted.unwrap_or((slug, 0));
        self.next(slug, base, '_', from)
    }

    /// `base` with the first number after `from` that is new on the page. Memory of where it stopped keeps this linear.
    fn next(&mut self, slug: &str, base: &str, mark: char, from: u32) -> String {
        let mut count = self.last.get(slug).copied().unwrap_or(from);
        loop {
            count = count.saturating_add(1);
            let next = format!("{base}{mark}{count}");
            if !self.seen.contains(&next) || count == u32::MAX {
                self.last.insert(slug.to_string(), count);
                return next;
            }
        }
    }
}

fn number(digits: &str) -> Option<u32> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

fn github(text: &str) -> String {
    let keeps = |c: &char| {
        c.is_alphabetic() || matches!(c, ' ' | '-') || {
            use GeneralCategory::{ConnectorPunctuation, DecimalNumber, EnclosingMark, NonspacingMark, SpacingMark};
            matches!(
                c.general_category(),
                ConnectorPunctuation | DecimalNumber | EnclosingMark | NonspacingMark | SpacingMark
            )
        }
    };
    text.to_lowercase().chars().filter(keeps).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn vitepress(text: &str) -> String {
    let plain = text.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}' | '\0'..='\u{1f}'));
    let special =
        |c: char| c.is_whitespace() || c.is_ascii_punctuation() || matches!(c, '“' | '”' | '‘' | '’' | '\u{feff}');
    let plain: String = plain.collect();
    let slug = plain.split(special).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    let lead = if slug.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    [lead, &slug.to_lowercase()].concat()
}

fn mkdocs(text: &str) -> String {
    let keeps = |c: &char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '_' | '-');
    let plain: String = text.nfkd().filter(keeps).collect();
    let mut slug = String::new();
    for c in plain.trim().chars() {
        let dash = c == '-' || c.is_whitespace();
        if !(dash && slug.ends_with('-')) {
            slug.push(if dash { '-' } else { c.to_ascii_lowercase() });
        }
    }
    slug
}

#[cfg(test)]
mod tests;
