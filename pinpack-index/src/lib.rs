//! The build half of pinpack, and what both halves share.
//!
//! ```text
//! files → documents → sections → terms → postings → blob
//!         source      section    analyze index      blob
//! ```
//! Without the feature `build` the crate is what a visitor downloads: the [`Analyzer`] and [`Blob::open`].
//!
//! ```
//! # #[cfg(feature = "build")] {
//! use pinpack_index::{Blob, Config, SourceFile, build};
//!
//! let files = [SourceFile { path: "faq.md", bytes: b"# Refunds\n\nWithin 30 days.\n" }];
//! let built = build(&files, &Config::default(), &mut |_, _| {}).unwrap();
//! let blob = Blob::open(built.blob).unwrap();
//! assert_eq!(blob.reference(0), "faq.md#refunds");
//! assert_eq!(blob.text(0), "Within 30 days.");
//! let section = &built.sections.sections[0];
//! assert_eq!((section.line, section.span.start), (1, 0));
//! # }
//! ```

mod analyze;
mod blob;
#[cfg(feature = "build")]
mod build;
#[cfg(feature = "build")]
mod config;
mod error;
#[cfg(feature = "build")]
mod index;
#[cfg(feature = "build")]
mod knowledge;
#[cfg(feature = "build")]
mod report;
#[cfg(feature = "build")]
mod section;
#[cfg(feature = "build")]
mod sentence;
#[cfg(feature = "build")]
mod source;
#[cfg(feature = "build")]
mod synonyms;
#[cfg(feature = "build")]
mod tokens;
mod varint;

pub use analyze::{ANALYZER, Analyzer, MAX_TERM_BYTES, Role, Term};
pub use blob::{Blob, ContentHash, FORMAT, Load, Near, OLDEST_FORMAT, Paged, Posting, Resident, SectionMeta, Store};
#[cfg(feature = "build")]
pub use blob::{Settings, encode};
#[cfg(feature = "build")]
pub use build::{Builder, Built, Changes, Clock, SourceFile, Times, Unread, build, select};
#[cfg(feature = "build")]
pub use config::{
    AnchorStyle, Budget, Config, Pinned, Prompt, Query, SectionSizes, Site, Sources, UrlStyle, configure,
};
#[cfg(feature = "build")]
pub use error::BuildError;
pub use error::{OpenError, decimal, joined, parted};
#[cfg(feature = "build")]
pub use index::Postings;
#[cfg(feature = "build")]
pub use report::{BrokenLink, FileReport, LeftWords, Missing, Repeated, Report, Sized, Sizes, Skip, Skipped, Warning};
#[cfg(feature = "build")]
pub use section::{Heading, Page, Section, SectionSet};
#[cfg(feature = "build")]
pub use sentence::sentences;
#[cfg(feature = "build")]
pub use source::Kind;
#[cfg(feature = "build")]
pub use tokens::{Counter, ENCODINGS, neutralize_fence, passage_label, render_passage};
