//! Pins the rules, packs the rest of a knowledge base into a token budget, and shows exactly what was sent.
//!
//! ```
//! # #[cfg(feature = "build")] {
//! use pinpack::build::{Config, SourceFile, build};
//! use pinpack::{Message, Pinpack};
//!
//! let files = [
//!     SourceFile { path: "faq.md", bytes: b"# Refunds\n\nWithin 30 days.\n\n# Shipping\n\nTwo days.\n" },
//!     SourceFile { path: "rules/refunds.md", bytes: b"# Promises\n\nNever promise a refund.\n" },
//! ];
//! let built = build(&files, &Config::default(), &mut |_, _| {}).unwrap();
//! let kb = Pinpack::open(built.blob).unwrap();
//! let pack = kb.pack(&[Message::user("can I get a refund?")], None).unwrap();
//! let refs: Vec<String> = pack.ids().into_iter().map(|id| kb.blob().reference(id)).collect();
//! assert_eq!(refs, ["rules/refunds.md#promises", "faq.md#refunds", "faq.md#shipping"]);
//! assert!(pack.tokens <= pack.budget);
//! # }
//! ```
//!
//! Features: `build` adds the builder, `baked` embeds a knowledge base at compile time (see [`Pinpack::baked`]).

mod coverage;
mod error;
mod pack;
mod query;
mod quote;
mod score;
mod section;
mod stats;
#[cfg(feature = "wasm")]
mod wasm;

use std::borrow::Cow;

use pinpack_index::Analyzer;

pub use coverage::{Coverage, Level};
pub use error::PackError;
pub use pack::{Entry, Pack, ScorePart, Why};
pub use pinpack_index::{ANALYZER, Blob, FORMAT, Load, OpenError, Paged, Resident, Store};
pub use query::{Message, Origin, QueryTerm, Role};
pub use quote::weigh;
pub use score::Hit;
pub use section::Section;
pub use stats::Stats;

/// The builder: files to a knowledge base.
#[cfg(feature = "build")]
pub mod build {
    pub use pinpack_index::{
        BuildError, Builder, Built, Changes, Clock, Config, Report, SourceFile, Times, Unread, build, configure,
        render_passage, select,
    };
}

/// A knowledge base, opened: rank, pack, explain.
pub struct Pinpack<S = Resident> {
    blob: Blob<S>,
    analyzer: Analyzer,
    /// Per section: `k1 · (1 − b + b · dl/avgdl)`.
    norms: Vec<f32>,
    k1: f32,
    /// Weight of a term in the title.
    title: f32,
    /// Weight of the message before the last.
    earlier: f32,
    /// Sections that are ranked: all but the pinned.
    ranked: u32,
    /// Tokens of the smallest of them.
    smallest: u32,
}

impl Pinpack {
    /// Opens a blob that `pinpack build` made.
    ///
    /// # Errors
    ///
    /// See [`OpenError`]; bytes of any kind give a knowledge base or one of these.
    pub fn open(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, OpenError> {
        Ok(Self::of(Blob::open(bytes)?))
    }

    /// The knowledge base that was built from `PINPACK_SOURCES` when this crate was compiled.
    ///
    /// `PINPACK_SOURCES` is the absolute path of a folder, or of a `pinpack.toml` in it. Without it the crate does not compile with
    /// the feature `baked`.
    ///
    /// # Panics
    ///
    /// Never: the blob was built by this very version.
    #[cfg(feature = "baked")]
    #[must_use]
    pub fn baked() -> Self {
        static BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/knowledge.pinpack"));
        Self::open(BLOB).expect("the blob was built by this very version")
    }
}

impl<S: Store> Pinpack<S> {
    /// A knowledge base on an opened blob.
    #[must_use]
    pub fn of(blob: Blob<S>) -> Self {
        let analyzer = blob.analyzer();
        let ids = (0..blob.sections() as u32).filter(|id| !blob.is_pinned(*id));
        let (ranked, smallest) = ids.fold((0, u32::MAX), |(count, least), id| (count + 1, least.min(blob.tokens(id))));
        let [k1, b, title, earlier] = blob.weights();
        let norms = score::norms(blob.lengths(), ranked, k1, b);
        Self { blob, analyzer, norms, k1, title, earlier, ranked, smallest }
    }

    /// The opened blob: texts, titles, tokens and settings.
    #[must_use]
    pub fn blob(&self) -> &Blob<S> {
        &self.blob
    }

    /// The best sections for a conversation, best first, ties by file order; pinned sections are not ranked.
    ///
    /// Cost: one pass over the postings of the question's terms and one over the scores.
    #[must_use]
    pub fn rank(&self, messages: &[Message<'_>], limit: usize) -> Vec<Hit> {
        score::top(&self.scores(&self.terms(messages)), limit)
    }

    /// What one request sends: every pinned section, then the best that fit, then sections in file order up to the floor; all
    /// sections when all fit. `budget` defaults to the blob's.
    ///
    /// # Errors
    ///
    /// [`PackError::BudgetTooSmall`] when the budget does not hold the pinned sections.
    pub fn pack(&self, messages: &[Message<'_>], budget: Option<u32>) -> Result<Pack, PackError> {
        pack::pack(self, messages, budget, false)
    }

    /// The same pack, with every section that was left out.
    ///
    /// # Errors
    ///
    /// As [`Pinpack::pack`].
    pub fn explain(&self, messages: &[Message<'_>], budget: Option<u32>) -> Result<Pack, PackError> {
        pack::pack(self, messages, budget, true)
    }
}
