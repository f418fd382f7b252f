//! `knowledge.json`: the proxy's own copy of the text, and the hash that names a knowledge base.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::blob::{Blob, ContentHash};
use crate::config::{Config, Prompt};
use crate::section::SectionSet;
use crate::tokens::passage_label;

/// The proxy's file. See `www/types.ts` for each field.
#[derive(Serialize)]
pub(crate) struct Knowledge<'k> {
    /// Empty: see [`Knowledge::named`].
    hash: &'static str,
    budget: u32,
    floor: u32,
    encoding: &'k str,
    language: String,
    site: &'k str,
    prompt: &'k Prompt,
    pinned: Vec<usize>,
    sections: Vec<Entry<'k>>,
}

#[derive(Serialize)]
struct Entry<'k> {
    id: usize,
    #[serde(rename = "ref")]
    reference: String,
    title: String,
    path: Vec<String>,
    url: String,
    tokens: u32,
    label: String,
    text: &'k str,
}

impl<'k> Knowledge<'k> {
    /// The file of a blob and the sections that it was made from, without a hash yet.
    pub fn new(blob: &Blob, set: &'k SectionSet, config: &'k Config) -> Self {
        let entry = |(id, section): (usize, &'k crate::section::Section)| {
            let meta = blob.meta(id as u32).expect("one row a section");
            let label = passage_label(&meta.path);
            let (reference, title, path, url) = (meta.reference, meta.title, meta.path, meta.url);
            Entry { id, reference, title, path, url, tokens: section.tokens, label, text: &section.text }
        };
        Self {
            hash: "",
            budget: config.room(),
            floor: config.budget.floor,
            encoding: &config.budget.encoding,
            language: blob.language().to_string(),
            site: &config.site.name,
            prompt: &config.prompt,
            pinned: (0..set.sections.len()).filter(|id| set.sections[*id].pinned).collect(),
            sections: set.sections.iter().enumerate().map(entry).collect(),
        }
    }

    /// This file with its hash, and the hash: 128 bits of SHA-256 over this file without it and `blob` without its own, so that any
    /// change of text, rule, price, budget, prompt or index gives another.
    pub fn named(&self, blob: &[u8]) -> (String, ContentHash) {
        let json = serde_json::to_string(self).expect("plain data");
        let mut sha = Sha256::new();
        sha.update(&json);
        sha.update(blob);
        let mut hash = [0; 16];
        hash.copy_from_slice(&sha.finalize()[..16]);
        let hash = ContentHash(hash);
        let rest = json.strip_prefix(UNNAMED).expect("the hash is the first field");
        ([UNNAMED, &hash.to_hex(), rest].concat(), hash)
    }
}

/// How the file begins while it has no hash, but for the quote that ends it.
const UNNAMED: &str = r#"{"hash":""#;
