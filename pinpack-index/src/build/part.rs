//! One file to its part of the knowledge base: read, cut, counted.

use crate::build::{SourceFile, Stage};
use crate::config::{Config, Selection, page_url};
use crate::error::BuildError;
use crate::report::{Skip, anchors};
use crate::section::{Cutter, Pin, SectionSet};
use crate::source::{self, Document, Kind, LeftOut};
use crate::tokens::Counter;

/// Most bytes of one file that are read: what is larger is a dump, not a page.
pub(crate) const MAX_FILE_BYTES: usize = 50 * 1024 * 1024;

/// What one file gives. It follows from its path, its bytes and the configuration alone, so it can be kept.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub kind: Kind,
    /// Its pages, headings and sections, with rows of their own.
    pub set: SectionSet,
    /// Targets of its links inside the site, as written.
    pub links: Vec<String>,
    /// Ids in its source that a link can lead to, besides those of its headings.
    pub anchors: Vec<String>,
    /// Other addresses that lead to it.
    pub aliases: Vec<String>,
    pub left_out: Vec<LeftOut>,
    /// As what it was read, when it is not UTF-8.
    pub encoding: Option<String>,
}

/// A file's part, or why it has none.
pub(crate) type Outcome = Result<Part, (Skip, String)>;

/// Reads files by one configuration.
pub(crate) struct PartReader<'c> {
    pub config: &'c Config,
    pub counter: &'c Counter,
    pub selection: &'c Selection,
}

impl PartReader<'_> {
    /// Reads, cuts and counts one file. Cost: linear in its bytes; counting tokens dominates.
    ///
    /// # Errors
    ///
    /// `source-jsonl` for a line that is no section. What else is wrong with a file is an outcome.
    pub fn read(&self, file: &SourceFile<'_>) -> Result<Outcome, BuildError> {
        let kind = if self.selection.is_jsonl(file.path) { Some(Kind::Jsonl) } else { Kind::of(file.path) };
        let Some(kind) = kind else {
            return Ok(skipped(
                Skip::Unread,
                "no reader for this kind of file; wanted .md, .mdx, .html, .txt or .jsonl",
            ));
        };
        if file.bytes.len() > MAX_FILE_BYTES {
            return Ok(skipped(Skip::Unread, &too_large(file.bytes.len())));
        }
        let decoded = match self.counter.watch.time(Stage::Reading, || source::decode(file.path, file.bytes)) {
            Ok(decoded) => decoded,
            Err(reason) => return Ok(skipped(Skip::Unread, &reason)),
        };
        let text = &*decoded.text;
        let outcome = match kind {
            Kind::Jsonl => self.records(file.path, text)?,
            _ => self.document(file.path, kind, text),
        };
        Ok(outcome.map(|part| Part { encoding: decoded.warning, ..part }))
    }

    fn records(&self, path: &str, text: &str) -> Result<Outcome, BuildError> {
        let records = self.counter.watch.time(Stage::Reading, || source::read_jsonl(text));
        let records = records.map_err(|reason| BuildError::Jsonl { path: path.into(), reason })?;
        let mut cutter = Cutter::new(self.config, self.counter);
        let (mut line, mut at) = (1, 0);
        // A record without text and title has nothing to find or send.
        for (record, span) in records.into_iter().filter(|(record, _)| !record.is_blank()) {
            line += text[at..span.start].matches('\n').count() as u32;
            at = span.start;
            let pinned = self.selection.is_pinned(path);
            self.counter.watch.time(Stage::Cutting, || cutter.add_record(&record, span, line, pinned));
        }
        Ok(filled(Part {
            kind: Kind::Jsonl,
            set: cutter.set,
            links: Vec::new(),
            anchors: Vec::new(),
            aliases: Vec::new(),
            left_out: Vec::new(),
            encoding: None,
        }))
    }

    fn document(&self, path: &str, kind: Kind, text: &str) -> Outcome {
        let front_matter = &self.config.sources.front_matter;
        let mut document = self.counter.watch.time(Stage::Reading, || source::read(path, kind, text, front_matter));
        if document.draft {
            return skipped(Skip::Draft, "a draft: front matter says so");
        }
        if document.blocks.is_empty() && !document.unread.is_empty() {
            let keys = document.unread.join(", ");
            let reason =
                format!("no text but front matter ({keys}): name what readers see under front_matter in [sources]");
            return skipped(Skip::NoText, &reason);
        }
        let (links, left_out) = (std::mem::take(&mut document.links), std::mem::take(&mut document.left_out));
        let url = self.url(path, &document);
        let mut cutter = Cutter::new(self.config, self.counter);
        self.counter.watch.time(Stage::Cutting, || cutter.add(path, &url, text, document, self.pin(path)));
        debug_assert!(cutter.set.is_placed(text), "spans of {path} are not in its order");
        let (anchors, aliases) =
            self.counter.watch.time(Stage::Reading, || (anchors::in_source(text), anchors::aliases(text)));
        filled(Part { kind, set: cutter.set, links, anchors, aliases, left_out, encoding: None })
    }

    fn pin(&self, path: &str) -> Pin {
        match (self.selection.pins_items(path), self.selection.is_pinned(path)) {
            (true, _) => Pin::Items,
            (_, true) => Pin::All,
            _ => Pin::Marked,
        }
    }

    fn url(&self, path: &str, document: &Document) -> String {
        if !self.selection.is_public(path) {
            return String::new();
        }
        page_url(&self.config.site, self.selection.below_root(path), document.url.as_deref())
    }
}

fn filled(part: Part) -> Outcome {
    if part.set.sections.is_empty() { Err((Skip::NoText, "no text in it".into())) } else { Ok(part) }
}

fn skipped(why: Skip, reason: &str) -> Outcome {
    Err((why, reason.into()))
}

fn too_large(bytes: usize) -> String {
    let (found, wanted) = (bytes.div_ceil(1024 * 1024), MAX_FILE_BYTES / (1024 * 1024));
    format!("too large: {found} MB, wanted at most {wanted}; split it or exclude it")
}

/// Puts the rows of `part` behind those of `set`.
pub(crate) fn append(set: &mut SectionSet, part: &SectionSet) {
    let (page, heading) = (set.pages.len(), set.headings.len());
    set.pages.extend(part.pages.iter().cloned());
    set.headings.extend(part.headings.iter().cloned());
    for row in &mut set.headings[heading..] {
        row.parent = row.parent.map(|parent| parent + heading);
    }
    let first = set.sections.len();
    set.sections.extend(part.sections.iter().cloned());
    for row in &mut set.sections[first..] {
        row.page += page;
        row.heading = row.heading.map(|own| own + heading);
    }
}
