//! One section with all that is stored of it.

use serde::Serialize;

use crate::Pinpack;

/// A section as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The owner's id.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Last heading of the path.
    pub title: String,
    /// Heading path.
    pub path: Vec<String>,
    /// Address with anchor; empty when not public.
    pub url: String,
    /// Tokens as rendered into the prompt.
    pub tokens: u32,
    /// Its text; absent for pinned sections that are not published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Pinpack {
    /// One section; `None` for an id that does not exist.
    #[must_use]
    pub fn section(&self, id: u32) -> Option<Section> {
        let meta = self.blob.meta(id)?;
        let text = self.blob.text(id);
        let hidden = text.is_empty() && self.blob.is_pinned(id);
        Some(Section {
            reference: meta.reference,
            title: meta.title,
            path: meta.path,
            url: meta.url,
            tokens: self.blob.tokens(id),
            text: (!hidden).then(|| text.to_string()),
        })
    }
}
