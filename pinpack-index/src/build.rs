//! Files to a knowledge base: the pipeline.

mod builder;
mod languages;
mod part;
#[cfg(test)]
mod tests;
mod times;

use serde::Serialize;

use crate::analyze::Analyzer;
use crate::blob::{Blob, ContentHash, Settings, encode, name};
use crate::config::{Config, Selection, literal_root};
use crate::error::BuildError;
use crate::index::Postings;
use crate::knowledge::Knowledge;
use crate::report::{FileReport, Links, Report, Skip, Skipped, similar_sections, sized};
use crate::section::SectionSet;
use crate::source::{Kind, LeftOut};
use crate::synonyms::lines;

pub use builder::Builder;
use languages::Languages;
pub(crate) use part::Part;
use part::{Outcome, append};
pub use times::{Clock, Times};
pub(crate) use times::{Stage, Watch};

/// Most bytes of text that a blob holds: its offsets are 32 bits wide, and a browser has to hold it.
const MAX_TEXT_BYTES: usize = 1 << 30;

/// A file to build from.
#[derive(Clone, Copy, Debug)]
pub struct SourceFile<'f> {
    /// Path relative to the configuration, with forward slashes.
    pub path: &'f str,
    /// Content.
    pub bytes: &'f [u8],
}

/// A file to build from that could not be had.
#[derive(Clone, Copy, Debug)]
pub struct Unread<'f> {
    /// Path, as of a [`SourceFile`].
    pub path: &'f str,
    /// Why, for the report.
    pub reason: &'f str,
}

/// What is new since the [`Builder`]'s build before, paths in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Files that were not there.
    pub added: Vec<String>,
    /// Files that were read again: their bytes changed, or a setting that reading depends on.
    pub changed: Vec<String>,
    /// Files that are gone.
    pub removed: Vec<String>,
    /// Number of files that were not read again.
    pub kept: usize,
}

/// A knowledge base, built.
#[derive(Clone, Debug)]
pub struct Built {
    /// For the browser.
    pub blob: Vec<u8>,
    /// For the proxy: JSON, private.
    pub knowledge: String,
    /// For the owner.
    pub report: Report,
    /// The sections with their headings, pages, and places in their files: rows are the ids of the blob.
    pub sections: SectionSet,
}

/// Those of `paths` that the configuration reads, sorted.
///
/// # Errors
///
/// `config-value` for a pattern that is no glob.
pub fn select<'p>(paths: &[&'p str], config: &Config) -> Result<Vec<&'p str>, BuildError> {
    let selection = Selection::new(config)?;
    let is_chosen = |path: &&str| selection.reads(path) || *path == config.query.synonyms;
    let mut chosen: Vec<&str> = paths.iter().copied().filter(is_chosen).collect();
    chosen.sort_unstable();
    chosen.dedup();
    Ok(chosen)
}

/// Builds a knowledge base. Files that the configuration does not read are passed over; their order makes no difference.
///
/// `progress` is called with the number of files done and in all. Cost: linear in the text; counting tokens dominates.
///
/// # Errors
///
/// See [`BuildError`]. A file that cannot be read as text is skipped and named in the report.
///
/// # Panics
///
/// Never: what was just encoded opens.
pub fn build(
    files: &[SourceFile<'_>],
    config: &Config,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Built, BuildError> {
    Builder::default().build(files, &[], config, progress).map(|(built, _)| built)
}

/// What was read, on its way to a blob.
#[derive(Default)]
pub(crate) struct Reading {
    pub set: SectionSet,
    pub files: Vec<FileReport>,
    pub skipped: Vec<Skipped>,
    /// Files that look like content and that no pattern chose.
    pub unchosen: usize,
    pub left_out: Vec<LeftOut>,
    pub links: Links,
}

impl Reading {
    fn add(&mut self, path: &str, outcome: &Outcome, selection: &Selection) {
        match outcome {
            Ok(part) => self.add_part(path, part, selection),
            Err((why, reason)) => self.skip(path, *why, reason, selection),
        }
    }

    fn add_part(&mut self, path: &str, part: &Part, selection: &Selection) {
        let tokens = part.set.sections.iter().map(|section| section.tokens).sum();
        let left_out = part.left_out.iter().map(|left| left.words).sum();
        let sections = part.set.sections.len();
        let encoding = part.encoding.clone();
        self.files.push(FileReport { path: path.into(), kind: part.kind, sections, tokens, left_out, encoding });
        self.left_out.extend(part.left_out.iter().cloned());
        self.links.add_part(path, selection.below_root(path), part);
        append(&mut self.set, &part.set);
    }

    fn skip(&mut self, path: &str, why: Skip, reason: &str, selection: &Selection) {
        let pinned = selection.is_pinned(path);
        self.links.add_unread(path, selection.below_root(path));
        self.skipped.push(Skipped { path: path.into(), why, reason: reason.into(), pinned });
    }

    /// Notes the files that could not be had, and those that were not asked for.
    fn add_unread(&mut self, files: &[SourceFile<'_>], unread: &[Unread<'_>], selection: &Selection) {
        for file in unread {
            self.skip(file.path, Skip::Unread, file.reason, selection);
        }
        self.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        for file in files.iter().filter(|file| !selection.reads(file.path) && Kind::of(file.path).is_some()) {
            self.unchosen += usize::from(selection.is_passed_over(file.path));
            self.links.add_unread(file.path, selection.below_root(file.path));
        }
    }
}

/// Sections to blob, proxy's file and report.
fn assemble(
    mut reading: Reading,
    files: &[SourceFile<'_>],
    config: &Config,
    watch: &Watch,
) -> Result<Built, BuildError> {
    let sections = std::mem::take(&mut reading.set);
    let set = &sections;
    check_size(set, files.len())?;
    let languages = watch.time(Stage::Indexing, || Languages::new(&config.site.language, set));
    let one = if languages.tags.len() > 1 { Analyzer::one_of_several } else { Analyzer::new };
    let analyzers: Vec<Analyzer> = languages.tags.iter().map(|tag| one(tag)).collect();
    let postings = watch.time(Stage::Indexing, || Postings::in_languages(set, &analyzers, &|id| languages.of[id]));
    let synonyms = synonyms(files, &config.query.synonyms, &analyzers)?;
    let similar = watch.time(Stage::Reporting, || similar_sections(set));
    let repeats: Vec<Vec<u32>> = similar.iter().map(|group| group.members.clone()).collect();
    let language = languages.joined();
    let url_begin = format!("{}/", config.site.base_url.trim_end_matches('/'));
    let url_folder = config.sources.include.first().map_or("", |pattern| literal_root(pattern));
    let settings = Settings {
        language: &language,
        url_begin: &url_begin,
        url_folder,
        synonyms: &synonyms,
        repeats: &repeats,
        ..settings(config)
    };
    let (unnamed, blob) = watch.time(Stage::Encoding, || {
        let unnamed = encode(set, &postings, &settings, ContentHash([0; 16]));
        let blob = Blob::open(unnamed.clone()).expect("what was just encoded opens");
        (unnamed, blob)
    });
    check_pinned(&blob, config)?;
    let (bytes, knowledge, hash) = watch.time(Stage::Encoding, || {
        let (knowledge, hash) = Knowledge::new(&blob, set, config).named(&unnamed);
        (name(unnamed, hash), knowledge, hash)
    });
    let report = watch.time(Stage::Reporting, || Report::new(&blob, hash, config, set, &similar, reading));
    Ok(Built { blob: bytes, knowledge, report, sections })
}

/// The lines of the file of synonyms, when there is one.
fn synonyms(files: &[SourceFile<'_>], path: &str, analyzers: &[Analyzer]) -> Result<String, BuildError> {
    if path.is_empty() {
        return Ok(String::new());
    }
    let file = files.iter().find(|file| file.path == path);
    let file = file.ok_or_else(|| BuildError::NoSynonyms { path: path.into() })?;
    lines(path, file.bytes, analyzers)
}

fn settings(config: &Config) -> Settings<'_> {
    Settings {
        language: &config.site.language,
        encoding: &config.budget.encoding,
        site: &config.site.name,
        url_begin: "",
        url_folder: "",
        budget: config.room(),
        floor: config.budget.floor,
        query: &config.query,
        synonyms: "",
        repeats: &[],
        publish_pinned: config.pinned.publish,
    }
}

fn check_size(set: &SectionSet, files: usize) -> Result<(), BuildError> {
    if set.sections.is_empty() {
        return Err(BuildError::NoSections { files });
    }
    let found = set.sections.iter().map(|section| section.text.len()).sum();
    if found > MAX_TEXT_BYTES {
        return Err(BuildError::TooLarge { found, wanted: MAX_TEXT_BYTES });
    }
    Ok(())
}

/// Law: what is sent every time must fit once.
fn check_pinned(blob: &Blob, config: &Config) -> Result<(), BuildError> {
    let ids = || (0..blob.sections() as u32).filter(|id| blob.is_pinned(*id));
    let (pinned, budget) = (ids().map(|id| blob.tokens(id)).sum(), config.room());
    if pinned <= budget {
        return Ok(());
    }
    let sections = sized(blob, ids(), usize::MAX).into_iter().map(|item| (item.reference, item.tokens)).collect();
    Err(BuildError::PinnedOverBudget { pinned, budget, sections })
}
