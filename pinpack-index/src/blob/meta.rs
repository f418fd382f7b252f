//! What is stored of a section beside its text.

use super::layout::Stream;
use super::{Blob, Store, plain_anchor, plain_url};
use crate::error::decimal;

/// What is stored of a section beside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionMeta {
    /// The owner's id: `file.md#anchor`, with `~2` and so on for the later pieces of one heading; `_id` for JSONL.
    pub reference: String,
    /// The last heading of the path; the page title or the file name where there is none.
    pub title: String,
    /// Heading path, outermost first.
    pub path: Vec<String>,
    /// Page address with anchor; empty when the page is not public.
    pub url: String,
}

impl<S: Store> Blob<S> {
    /// The owner's id of a section.
    #[must_use]
    pub fn reference(&self, id: u32) -> String {
        let Some(&page) = self.pages.get(id as usize) else { return String::new() };
        let heading = self.heading(id);
        let mut out = self.string(Stream::Files, page);
        if let Some(heading) = heading {
            if !out.is_empty() {
                out.push('#');
            }
            let anchor = self.anchor(heading);
            out.push_str(anchor.strip_prefix('\0').unwrap_or(&anchor));
        }
        let part = self.part(id, page, heading);
        if part > 1 {
            out.push('~');
            out.push_str(&decimal(part));
        }
        out
    }

    /// Everything stored of a section beside its text; `None` for an id that does not exist.
    #[must_use]
    pub fn meta(&self, id: u32) -> Option<SectionMeta> {
        let page = *self.pages.get(id as usize)?;
        let heading = self.heading(id);
        let path = self.path(page, heading);
        let reference = self.reference(id);
        let file = self.string(Stream::Files, page);
        let fallback = || if file.is_empty() { reference.clone() } else { stem(&file).to_string() };
        let title = path.last().cloned().unwrap_or_else(fallback);
        let mut url = self.url(page, &file);
        let from_file = !file.is_empty();
        let anchor = heading.filter(|_| from_file && !url.is_empty()).map(|heading| self.anchor(heading));
        // After a zero character it is one that the page does not have.
        if let Some(anchor) = anchor.filter(|anchor| !anchor.starts_with('\0')) {
            url.push('#');
            url.push_str(&anchor);
        }
        Some(SectionMeta { reference, title, path, url })
    }

    /// The row of a section's heading.
    fn heading(&self, id: u32) -> Option<u32> {
        self.headings[id as usize].checked_sub(1)
    }

    fn url(&self, page: u32, file: &str) -> String {
        let url = self.string(Stream::Urls, page);
        match &url[..] {
            "" => plain_url(self.setting(3), self.setting(4), file),
            "\0" => String::new(),
            _ => url,
        }
    }

    fn anchor(&self, heading: u32) -> String {
        let stored = self.string(Stream::Anchors, heading);
        if stored.is_empty() {
            return plain_anchor(&self.string(Stream::Titles, heading)).unwrap_or_default();
        }
        stored
    }

    /// Which piece of its heading a section is, from 1.
    fn part(&self, id: u32, page: u32, heading: Option<u32>) -> u32 {
        let same = |id: &u32| self.pages[*id as usize] == page && self.heading(*id) == heading;
        (0..id).rev().take_while(same).count() as u32 + 1
    }

    fn path(&self, page: u32, heading: Option<u32>) -> Vec<String> {
        let mut path = Vec::new();
        let mut next = heading;
        while let Some(row) = next {
            let title = self.string(Stream::Titles, row);
            if !title.is_empty() {
                path.push(title);
            }
            next = Some(self.parents[row as usize]).filter(|back| *back > 0).and_then(|back| row.checked_sub(back));
        }
        let title = self.string(Stream::PageTitles, page);
        if !title.is_empty() && path.last().is_none_or(|first| *first != title) {
            path.push(title);
        }
        path.reverse();
        path
    }
}

/// File name without folder and extension.
fn stem(file: &str) -> &str {
    let bytes = file.as_bytes();
    let start = bytes.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
    let end = bytes.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > start).unwrap_or(bytes.len());
    file.get(start..end).unwrap_or(file)
}
