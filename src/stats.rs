//! What a knowledge base is made of.

use pinpack_index::{ANALYZER, FORMAT};
use serde::Serialize;

use crate::Pinpack;

/// Sizes and settings of a knowledge base. Sizes in bytes, tokens in its encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Content hash, 32 hex digits.
    pub hash: String,
    /// Format of the blob.
    pub format: u32,
    /// Analyzer of the blob.
    pub analyzer: u32,
    /// BCP 47 tag.
    pub language: String,
    /// Encoding of all token counts.
    pub encoding: String,
    /// Name of the site.
    pub site: String,
    /// Sections, pinned ones among them.
    pub sections: usize,
    /// Pinned sections.
    pub pinned: usize,
    /// Terms in the index.
    pub terms: usize,
    /// Tokens of all sections.
    pub tokens: u32,
    /// Tokens of the pinned sections.
    pub pinned_tokens: u32,
    /// Tokens of knowledge one request may hold.
    pub budget: u32,
    /// Tokens that the floor fills up to.
    pub floor: u32,
    /// Bytes of the blob.
    pub bytes: usize,
}

impl Pinpack {
    /// What the knowledge base is made of.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let blob = self.blob();
        let ids = || 0..blob.sections() as u32;
        let pinned = || ids().filter(|id| blob.is_pinned(*id));
        Stats {
            hash: blob.hash().to_hex(),
            format: FORMAT,
            analyzer: ANALYZER,
            language: blob.language().into(),
            encoding: blob.encoding().into(),
            site: blob.site().into(),
            sections: blob.sections(),
            pinned: pinned().count(),
            terms: blob.terms(),
            tokens: ids().map(|id| blob.tokens(id)).fold(0, u32::saturating_add),
            pinned_tokens: pinned().map(|id| blob.tokens(id)).fold(0, u32::saturating_add),
            budget: blob.budget(),
            floor: blob.floor(),
            bytes: blob.size(),
        }
    }
}
