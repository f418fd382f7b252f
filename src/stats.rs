//! What a knowledge base is made of.

use pinpack_index::{ANALYZER, FORMAT};
use serde::Serialize;

use crate::{Pinpack, Store};

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

impl<S: Store> Pinpack<S> {
    /// What the knowledge base is made of.
    #[must_use]
    #[cold]
    pub fn stats(&self) -> Stats {
        let blob = self.blob();
        let (mut pinned, mut tokens, mut pinned_tokens) = (0, 0u32, 0u32);
        for id in 0..blob.sections() as u32 {
            let own = blob.tokens(id);
            tokens = tokens.saturating_add(own);
            if blob.is_pinned(id) {
                pinned += 1;
                pinned_tokens = pinned_tokens.saturating_add(own);
            }
        }
        Stats {
            hash: blob.hash().to_hex(),
            format: FORMAT,
            analyzer: ANALYZER,
            language: blob.language().into(),
            encoding: blob.encoding().into(),
            site: blob.site().into(),
            sections: blob.sections(),
            pinned,
            terms: blob.terms(),
            tokens,
            pinned_tokens,
            budget: blob.budget(),
            floor: blob.floor(),
            bytes: blob.size(),
        }
    }
}
