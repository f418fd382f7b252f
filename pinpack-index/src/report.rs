//! What a build did, for the owner's eyes.

use serde::Serialize;

use crate::blob::Blob;
use crate::config::Config;
use crate::source::Kind;

/// The report of one build. Tokens are counted as rendered.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Content hash, 32 hex digits.
    pub hash: String,
    /// Files that were read.
    pub files: Vec<FileReport>,
    /// Files that were not, and why.
    pub skipped: Vec<Skipped>,
    /// Number of sections.
    pub sections: usize,
    /// Of these, pinned.
    pub pinned_sections: usize,
    /// Tokens of all sections.
    pub written_tokens: u32,
    /// Tokens of the sections that can reach a model: pinned ones, and those that fit beside the pinned set.
    pub sendable_tokens: u32,
    /// Tokens of the pinned sections.
    pub pinned_tokens: u32,
    /// `sendable_tokens` / `written_tokens`, 0 to 1.
    pub coverage: f32,
    /// `pinned_tokens` / `budget`, 0 to 1.
    pub pinned_share: f32,
    /// Tokens of knowledge one request may hold.
    pub budget: u32,
    /// Tokens that the floor fills up to.
    pub floor: u32,
    /// The five largest sections.
    pub largest: Vec<Sized>,
    /// The pinned sections, largest first.
    pub pinned: Vec<Sized>,
    /// What the owner should look at.
    pub warnings: Vec<Warning>,
    /// Terms in the index.
    pub terms: usize,
    /// Bytes of the blob.
    pub blob_bytes: usize,
    /// Bytes of text that the blob holds.
    pub text_bytes: usize,
}

/// A file that was read.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// Its path.
    pub path: String,
    /// How it was read.
    pub kind: Kind,
    /// Sections made from it.
    pub sections: usize,
    /// Their tokens.
    pub tokens: u32,
}

/// A file that was not read.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// Its path.
    pub path: String,
    /// Why.
    pub reason: String,
}

/// A section with its size.
#[derive(Clone, Debug, Serialize)]
pub struct Sized {
    /// The owner's id.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Tokens as rendered.
    pub tokens: u32,
}

/// Something to look at.
#[derive(Clone, Debug, Serialize)]
pub struct Warning {
    /// Stable code.
    pub code: &'static str,
    /// What was found, wanted, and to do.
    pub message: String,
}

impl Report {
    /// Counts what an opened blob holds.
    pub(crate) fn new(blob: &Blob, config: &Config, files: Vec<FileReport>, skipped: Vec<Skipped>) -> Self {
        let ids = || 0..blob.sections() as u32;
        let pinned_tokens = ids().filter(|id| blob.is_pinned(*id)).map(|id| blob.tokens(id)).sum();
        let room = config.room().saturating_sub(pinned_tokens);
        let written_tokens: u32 = ids().map(|id| blob.tokens(id)).sum();
        let fits = |id: &u32| blob.is_pinned(*id) || blob.tokens(*id) <= room;
        let sendable_tokens = ids().filter(fits).map(|id| blob.tokens(id)).sum();
        let mut report = Self {
            hash: blob.hash().to_hex(),
            files,
            skipped,
            sections: blob.sections(),
            pinned_sections: ids().filter(|id| blob.is_pinned(*id)).count(),
            written_tokens,
            sendable_tokens,
            pinned_tokens,
            coverage: ratio(sendable_tokens, written_tokens),
            pinned_share: ratio(pinned_tokens, config.room()),
            budget: config.room(),
            floor: config.budget.floor,
            largest: sized(blob, ids(), 5),
            pinned: sized(blob, ids().filter(|id| blob.is_pinned(*id)), usize::MAX),
            warnings: Vec::new(),
            terms: blob.terms(),
            blob_bytes: blob.size(),
            text_bytes: ids().map(|id| blob.text(id).len()).sum(),
        };
        report.warn(blob, config, ids().filter(|id| !fits(id)));
        report
    }

    fn warn(&mut self, blob: &Blob, config: &Config, too_large: impl Iterator<Item = u32>) {
        let percent = (self.pinned_share * 100.0).round();
        if self.pinned_share > config.budget.pinned_max {
            let most = (config.budget.pinned_max * 100.0).round();
            self.push(
                "pinned-share",
                format!(
                    "pinned sections take {percent}% of every request, wanted at most {most}%: unpin or shorten some"
                ),
            );
        } else if self.pinned_share > config.budget.pinned_warn {
            let good = (config.budget.pinned_warn * 100.0).round();
            self.push(
                "pinned-share-note",
                format!("pinned sections take {percent}% of every request; {good}% is a good target"),
            );
        }
        for id in too_large {
            let (reference, tokens) = (blob.reference(id), blob.tokens(id));
            let room = self.budget - self.pinned_tokens;
            self.push(
                "never-fits",
                format!("{reference} has {tokens} tokens, beside the pinned set {room} are left: it is never sent"),
            );
        }
        for skipped in self.skipped.clone() {
            self.push("skipped", format!("{}: {}", skipped.path, skipped.reason));
        }
    }

    pub(crate) fn push(&mut self, code: &'static str, message: String) {
        self.warnings.push(Warning { code, message });
    }
}

/// Sections with their tokens, largest first, ties by id.
pub(crate) fn sized(blob: &Blob, ids: impl Iterator<Item = u32>, most: usize) -> Vec<Sized> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_by_key(|id| (std::cmp::Reverse(blob.tokens(*id)), *id));
    ids.truncate(most);
    ids.into_iter().map(|id| Sized { reference: blob.reference(id), tokens: blob.tokens(id) }).collect()
}

fn ratio(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}
