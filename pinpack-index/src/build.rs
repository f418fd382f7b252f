//! Files to a knowledge base: the pipeline.

use crate::analyze::Analyzer;
use crate::blob::{Blob, ContentHash, Settings, encode};
use crate::config::{Config, Selection, literal_root, page_url};
use crate::error::BuildError;
use crate::index::Postings;
use crate::knowledge::Knowledge;
use crate::report::{FileReport, Report, Skipped, sized};
use crate::section::{Cutter, Pin, SectionSet};
use crate::source::{self, Kind};
use crate::tokens::Counter;

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

/// A knowledge base, built.
#[derive(Clone, Debug)]
pub struct Built {
    /// For the browser.
    pub blob: Vec<u8>,
    /// For the proxy: JSON, private.
    pub knowledge: String,
    /// For the owner.
    pub report: Report,
}

/// Those of `paths` that the configuration reads, sorted.
///
/// # Errors
///
/// `config-value` for a pattern that is no glob.
pub fn select<'p>(paths: &[&'p str], config: &Config) -> Result<Vec<&'p str>, BuildError> {
    let selection = Selection::new(config)?;
    let mut chosen: Vec<&str> = paths.iter().copied().filter(|path| selection.reads(path)).collect();
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
    let counter = Counter::new(&config.budget.encoding)?;
    let mut reading = Reading {
        cutter: Cutter::new(config, &counter),
        files: Vec::new(),
        skipped: Vec::new(),
        encodings: Vec::new(),
    };
    reading.read_all(files, config, progress)?;
    let Reading { cutter, files: read, skipped, encodings } = reading;
    let set = cutter.set;
    check_size(&set, files.len())?;
    let postings = Postings::new(&set, &Analyzer::new(&config.site.language));
    let url_begin = format!("{}/", config.site.base_url.trim_end_matches('/'));
    let url_folder = config.sources.include.first().map_or("", |pattern| literal_root(pattern));
    let settings = Settings { url_begin: &url_begin, url_folder, ..settings(config) };
    let encoded = |hash| encode(&set, &postings, &settings, hash);
    let unnamed = encoded(ContentHash([0; 16]));
    let blob = Blob::open(unnamed.clone()).expect("what was just encoded opens");
    check_pinned(&blob, config)?;
    let mut knowledge = Knowledge::new(&blob, &set, config);
    let hash = knowledge.content_hash(&unnamed);
    knowledge.hash = hash.to_hex();
    let bytes = encoded(hash);
    let blob = Blob::open(bytes.clone()).expect("what was just encoded opens");
    let mut report = Report::new(&blob, config, read, skipped);
    encodings.into_iter().for_each(|message| report.push("encoding", message));
    warn_of_same_refs(&blob, &mut report);
    Ok(Built { blob: bytes, knowledge: knowledge.to_json(), report })
}

struct Reading<'c> {
    cutter: Cutter<'c>,
    files: Vec<FileReport>,
    skipped: Vec<Skipped>,
    /// Files that are not UTF-8, and as what they were read.
    encodings: Vec<String>,
}

impl Reading<'_> {
    fn read_all(
        &mut self,
        files: &[SourceFile<'_>],
        config: &Config,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), BuildError> {
        let selection = Selection::new(config)?;
        let mut chosen: Vec<&SourceFile<'_>> = files.iter().filter(|file| selection.reads(file.path)).collect();
        chosen.sort_by_key(|file| file.path);
        chosen.dedup_by_key(|file| file.path);
        for (done, file) in chosen.iter().enumerate() {
            progress(done, chosen.len());
            let before = self.cutter.set.sections.len();
            match self.read(file, config, &selection)? {
                Ok(kind) => self.note(file.path, kind, before),
                Err(reason) => self.skipped.push(Skipped { path: file.path.into(), reason }),
            }
        }
        progress(chosen.len(), chosen.len());
        Ok(())
    }

    /// Reads one file; the inner error is why it is skipped.
    fn read(
        &mut self,
        file: &SourceFile<'_>,
        config: &Config,
        selection: &Selection,
    ) -> Result<Result<Kind, String>, BuildError> {
        let pinned = selection.is_pinned(file.path);
        let kind = if selection.is_jsonl(file.path) { Some(Kind::Jsonl) } else { Kind::of(file.path) };
        let Some(kind) = kind else {
            return Ok(Err("no reader for this kind of file; wanted .md, .mdx, .html, .txt or .jsonl".into()));
        };
        let decoded = match source::decode(file.path, file.bytes) {
            Ok(decoded) => decoded,
            Err(reason) => return Ok(Err(reason)),
        };
        self.encodings.extend(decoded.warning.map(|warning| format!("{}: {warning}", file.path)));
        let text = &*decoded.text;
        if kind == Kind::Jsonl {
            let records =
                source::read_jsonl(text).map_err(|reason| BuildError::Jsonl { path: file.path.into(), reason })?;
            let (mut line, mut at) = (1, 0);
            for (record, span) in records {
                line += text[at..span.start].matches('\n').count() as u32;
                at = span.start;
                self.cutter.add_record(&record, span, line, pinned);
            }
            return Ok(Ok(kind));
        }
        let document = source::read(file.path, kind, text, &config.sources.front_matter);
        if document.draft {
            return Ok(Err("a draft: front matter says so".into()));
        }
        if document.blocks.is_empty() && !document.unread.is_empty() {
            let keys = document.unread.join(", ");
            return Ok(Err(format!(
                "no text but front matter ({keys}): name what readers see under front_matter in [sources]"
            )));
        }
        let url = if selection.is_public(file.path) {
            page_url(&config.site, selection.below_root(file.path), document.url.as_deref())
        } else {
            String::new()
        };
        let pin = match (selection.pins_items(file.path), pinned) {
            (true, _) => Pin::Items,
            (_, true) => Pin::All,
            _ => Pin::Marked,
        };
        self.cutter.add(file.path, &url, text, document, pin);
        Ok(Ok(kind))
    }

    fn note(&mut self, path: &str, kind: Kind, before: usize) {
        let new = &self.cutter.set.sections[before..];
        if new.is_empty() {
            self.skipped.push(Skipped { path: path.into(), reason: "no text in it".into() });
            return;
        }
        let tokens = new.iter().map(|section| section.tokens).sum();
        self.files.push(FileReport { path: path.into(), kind, sections: new.len(), tokens });
    }
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
        messages: config.query.messages,
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

fn warn_of_same_refs(blob: &Blob, report: &mut Report) {
    let mut refs: Vec<String> = (0..blob.sections() as u32).map(|id| blob.reference(id)).collect();
    refs.sort_unstable();
    for pair in refs.windows(2) {
        if pair[0] == pair[1] {
            report.push("same-ref", format!("two sections are called {}: give each its own id", pair[0]));
        }
    }
}
