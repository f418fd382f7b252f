//! What a build did, for the owner's eyes.

pub(crate) mod anchors;
mod links;
mod pins;
mod similar;
mod sizes;
mod warnings;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::blob::{Blob, ContentHash};
use crate::build::Reading;
use crate::config::Config;
use crate::section::SectionSet;
use crate::source::{Kind, LeftOut};
pub(crate) use similar::Group;

pub(crate) use links::Links;
pub use links::{BrokenLink, Missing};
pub(crate) use sizes::sized;
pub use sizes::{Sized, Sizes};

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
    /// Files that look like content, of those given, that no pattern of the configuration chose or excluded.
    pub unchosen: usize,
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
    /// How large the sections are.
    pub sizes: Sizes,
    /// The five largest sections.
    pub largest: Vec<Sized>,
    /// The five smallest sections.
    pub smallest: Vec<Sized>,
    /// Sections over `sections.max`, largest first: pinned and ready-made ones are never cut.
    pub over_max: Vec<Sized>,
    /// The pinned sections, largest first.
    pub pinned: Vec<Sized>,
    /// Words that readers of the pages see and that are in no section, by reason, most first.
    pub left_out: Vec<LeftWords>,
    /// Sections that repeat one another, most wasted tokens first.
    pub duplicates: Vec<Repeated>,
    /// Links inside the site that lead nowhere, by file.
    pub broken_links: Vec<BrokenLink>,
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
#[serde(rename_all = "camelCase")]
pub struct FileReport {
    /// Its path.
    pub path: String,
    /// How it was read.
    pub kind: Kind,
    /// Sections made from it.
    pub sections: usize,
    /// Their tokens.
    pub tokens: u32,
    /// Words of it that readers see and that are in no section.
    pub left_out: usize,
    /// As what it was read, when it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// A file that was not read.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// Its path.
    pub path: String,
    /// Which kind of reason.
    pub why: Skip,
    /// The reason, in words.
    pub reason: String,
    /// Would it have been pinned?
    pub pinned: bool,
}

/// Kinds of reasons to skip a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skip {
    /// Its owner says that it is not to be published yet.
    Draft,
    /// There is nothing in it to send.
    NoText,
    /// It is not text, is too large, or could not be had.
    Unread,
}

/// Words left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftWords {
    /// Why.
    pub reason: String,
    /// How many.
    pub words: usize,
}

/// Sections that say the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Repeated {
    /// The sections in file order: at least two.
    pub sections: Vec<Sized>,
    /// The least likeness to the group's shortest section, 0.9 to 1; 1 when all have the same words. The share of common runs of three
    /// words among all their runs.
    pub similarity: f32,
    /// Tokens of all but the smallest.
    pub wasted_tokens: u32,
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Stable code.
    pub code: &'static str,
    /// What was found, wanted, and to do.
    pub message: String,
}

impl Report {
    /// Counts what an opened blob holds, whose name will be `hash`, and looks for what its owner may want to mend.
    ///
    /// Cost: linear in the text, but for sections that are alike.
    pub(crate) fn new(
        blob: &Blob,
        hash: ContentHash,
        config: &Config,
        set: &SectionSet,
        similar: &[Group],
        reading: Reading,
    ) -> Self {
        let ids = || 0..blob.sections() as u32;
        let pinned = || ids().filter(|id| blob.is_pinned(*id));
        let pinned_tokens = pinned().map(|id| blob.tokens(id)).sum();
        let room = config.room().saturating_sub(pinned_tokens);
        let written_tokens: u32 = ids().map(|id| blob.tokens(id)).sum();
        let fits = |id: &u32| blob.is_pinned(*id) || blob.tokens(*id) <= room;
        let sendable_tokens = ids().filter(fits).map(|id| blob.tokens(id)).sum();
        let Reading { files, skipped, unchosen, left_out, links, .. } = reading;
        let mut report = Self {
            hash: hash.to_hex(),
            files,
            skipped,
            unchosen,
            sections: blob.sections(),
            pinned_sections: pinned().count(),
            written_tokens,
            sendable_tokens,
            pinned_tokens,
            coverage: ratio(sendable_tokens, written_tokens),
            pinned_share: ratio(pinned_tokens, config.room()),
            budget: config.room(),
            floor: config.budget.floor,
            sizes: Sizes::of(ids().map(|id| blob.tokens(id))),
            largest: sized(blob, ids(), 5),
            smallest: sizes::smallest(blob, ids(), 5),
            over_max: sized(blob, ids().filter(|id| blob.tokens(*id) > config.sections.max), usize::MAX),
            pinned: sized(blob, pinned(), usize::MAX),
            left_out: words_by_reason(&left_out),
            duplicates: repeated(blob, similar),
            broken_links: links.broken(&config.site.base_url),
            warnings: Vec::new(),
            terms: blob.terms(),
            blob_bytes: blob.size(),
            text_bytes: ids().map(|id| blob.text(id).len()).sum(),
        };
        report.warn(blob, config, set);
        report
    }
}

fn words_by_reason(left_out: &[LeftOut]) -> Vec<LeftWords> {
    let mut sums: BTreeMap<&str, usize> = BTreeMap::new();
    for LeftOut { reason, words } in left_out {
        *sums.entry(reason).or_default() += words;
    }
    let mut sums: Vec<_> = sums.into_iter().map(|(reason, words)| LeftWords { reason: reason.into(), words }).collect();
    sums.sort_by_key(|sum| std::cmp::Reverse(sum.words));
    sums
}

/// Sections that say nearly the same, in groups.
pub(crate) fn similar_sections(set: &SectionSet) -> Vec<Group> {
    let texts: Vec<&str> = set.sections.iter().map(|section| section.text.as_str()).collect();
    similar::groups(&texts)
}

fn repeated(blob: &Blob, similar: &[Group]) -> Vec<Repeated> {
    let mut groups: Vec<Repeated> = similar
        .iter()
        .map(|Group { members, similarity }| {
            let tokens = || members.iter().map(|id| blob.tokens(*id));
            let wasted_tokens = tokens().sum::<u32>() - tokens().min().unwrap_or(0);
            Repeated { sections: sizes::in_order(blob, members), similarity: *similarity, wasted_tokens }
        })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.wasted_tokens));
    groups
}

fn ratio(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}
