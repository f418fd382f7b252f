//! A builder that keeps what it read, so that the next build reads only what changed.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::build::part::{Outcome, PartReader};
use crate::build::{Built, Changes, Clock, Reading, SourceFile, Stage, Times, Unread, assemble};
use crate::config::{Config, Selection};
use crate::error::BuildError;
use crate::tokens::Counter;

/// Builds again and again, reading, cutting and counting only the files whose bytes changed.
///
/// What a file gives is kept under the SHA-256 of its bytes, by path. It is forgotten when the file is gone, when its bytes change,
/// and for all files when a setting changes that reading depends on; nothing is kept on disk, so a new version of the builder never
/// meets what an older one made. A build gives the same bytes and report as [`crate::build()`] on the same files.
///
/// ```
/// use pinpack_index::{Builder, Config, SourceFile};
///
/// let (mut builder, config) = (Builder::default(), Config::default());
/// let mut files = [SourceFile { path: "a.md", bytes: b"# A\n\nOne." }, SourceFile { path: "b.md", bytes: b"# B\n\nTwo." }];
/// builder.build(&files, &[], &config, &mut |_, _| {}).unwrap();
/// files[0].bytes = b"# A\n\nThree.";
/// let (_, changes) = builder.build(&files, &[], &config, &mut |_, _| {}).unwrap();
/// assert_eq!((changes.changed, changes.kept), (vec!["a.md".to_string()], 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    /// The settings that the kept outcomes depend on.
    settings: String,
    kept: HashMap<String, Kept>,
    clock: Option<Clock>,
    times: Times,
}

#[derive(Clone, Debug)]
struct Kept {
    digest: [u8; 32],
    outcome: Outcome,
}

impl Builder {
    /// One that measures its builds; reading the clock twice for each text that is counted costs a little itself.
    #[must_use]
    pub fn with_clock(clock: Clock) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }

    /// Where the time of the last build went that ended well; all 0 without a clock.
    #[must_use]
    pub fn times(&self) -> Times {
        self.times
    }

    /// Builds from all `files`, and says which of them were read anew. `unread` are files that the configuration reads and that could
    /// not be had: they are in the report. `progress` as in [`crate::build()`].
    ///
    /// # Errors
    ///
    /// See [`BuildError`]. What was read is kept all the same.
    pub fn build(
        &mut self,
        files: &[SourceFile<'_>],
        unread: &[Unread<'_>],
        config: &Config,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(Built, Changes), BuildError> {
        let counter = Counter::timed(&config.budget.encoding, self.clock)?;
        let selection = Selection::new(config)?;
        let mut chosen: Vec<&SourceFile<'_>> = files.iter().filter(|file| selection.reads(file.path)).collect();
        chosen.sort_by_key(|file| file.path);
        chosen.dedup_by_key(|file| file.path);
        let all_anew = self.keep_for(config);
        let mut changes = self.forget(&chosen);
        let reader = PartReader { config, counter: &counter, selection: &selection };
        for (done, file) in chosen.iter().enumerate() {
            progress(done, chosen.len());
            self.refresh(&reader, file, all_anew, &mut changes)?;
        }
        progress(chosen.len(), chosen.len());
        let mut reading = Reading::default();
        for file in &chosen {
            reading.add(file.path, &self.kept[file.path].outcome, &selection);
        }
        reading.add_unread(files, unread, &selection);
        let built = assemble(reading, files, config, &counter.watch)?;
        self.times = counter.watch.times();
        Ok((built, changes))
    }

    /// Forgets everything when a setting changed that reading depends on; true then.
    fn keep_for(&mut self, config: &Config) -> bool {
        // Named one by one, so that a new table has to be thought about here.
        let Config { site, sources, pinned, sections, budget, query: _, prompt: _ } = config;
        let settings = format!("{:?}", (site, sources, pinned, sections, &budget.encoding));
        let changed = settings != self.settings;
        if changed {
            self.settings = settings;
            self.kept.clear();
        }
        changed
    }

    /// Forgets files that are gone.
    fn forget(&mut self, chosen: &[&SourceFile<'_>]) -> Changes {
        let is_gone = |path: &str| chosen.binary_search_by_key(&path, |file| file.path).is_err();
        let mut removed: Vec<String> = self.kept.keys().filter(|path| is_gone(path)).cloned().collect();
        removed.sort_unstable();
        removed.iter().for_each(|path| drop(self.kept.remove(path)));
        Changes { removed, ..Changes::default() }
    }

    fn refresh(
        &mut self,
        reader: &PartReader<'_>,
        file: &SourceFile<'_>,
        all_anew: bool,
        changes: &mut Changes,
    ) -> Result<(), BuildError> {
        let digest: [u8; 32] = reader.counter.watch.time(Stage::Reading, || Sha256::digest(file.bytes).into());
        let before = self.kept.get(file.path);
        if before.is_some_and(|kept| kept.digest == digest) {
            changes.kept += 1;
            return Ok(());
        }
        let list = if before.is_none() && !all_anew { &mut changes.added } else { &mut changes.changed };
        list.push(file.path.to_string());
        let outcome = reader.read(file)?;
        self.kept.insert(file.path.to_string(), Kept { digest, outcome });
        Ok(())
    }
}
