//! The blob: one file that holds everything a visitor's browser needs to search and pack a knowledge base.
//!
//! ```text
//! offset  size  field (integers little endian)
//!      0     8  magic "PINPACK\n"
//!      8     8  checksum of the rest of the header and the body
//!     16     4  format
//!     20     2  analyzer
//!     22     2  1 when the terms need the analyzer with all languages, 0 when English alone will do
//!     24     4  length of the body in bytes
//!     28     4  length of what stands between header and body, in bytes
//!     32    16  content hash: the first 128 bits of the knowledge base's SHA-256
//!     48     …  texts of the sections, in order, UTF-8; their checksum is in the body
//!      …     …  streams: [`layout::Stream`]; the checksums of their pieces are in the body
//!      …     …  body: [`layout::Body`] in rkyv's format
//! ```
//! The header is plain so that a reader of any age can name what it found before rkyv sees a byte. Texts and streams stand apart so that a
//! browser need not copy them into wasm memory: searching reads no texts, and of the streams little. (Texts come first because that
//! compresses better.)

mod columns;
#[cfg(feature = "build")]
mod encode;
mod header;
pub(crate) mod layout;
mod lexicon;
mod meta;
mod near;
mod open;
mod store;

#[cfg(feature = "build")]
pub(crate) use encode::name;
#[cfg(feature = "build")]
pub use encode::{Settings, encode};
pub use lexicon::Posting;
pub use meta::SectionMeta;
pub use near::Near;
pub use open::Blob;
pub use store::{Load, Paged, Resident, Store};

/// Newest format this version writes and reads.
pub const FORMAT: u32 = 1;
/// Oldest format this version reads.
pub const OLDEST_FORMAT: u32 = 1;

use crate::error::joined;

/// Added to the analyzer's number in the header of a blob that an engine with English alone cannot search.
#[cfg(feature = "languages")]
const ALL_LANGUAGES: u32 = 1 << 16;

const MAGIC: &[u8; 8] = b"PINPACK\n";
const HEADER: usize = 48;
const CHECKED_FROM: usize = 16;
/// Terms in one block of the front-coded lexicon.
const BLOCK: usize = 32;

/// The content hash of a knowledge base: 128 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ContentHash(pub [u8; 16]);

impl ContentHash {
    /// 32 lowercase hex digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut out = String::new();
        for byte in self.0 {
            out.push(DIGITS[usize::from(byte >> 4)] as char);
            out.push(DIGITS[usize::from(byte & 15)] as char);
        }
        out
    }
}

/// The anchor of most headings: ASCII letters and digits in lower case, blanks as hyphens. Where a heading's anchor is this, the blob
/// stores none. `None` for a title with other letters.
fn plain_anchor(title: &str) -> Option<String> {
    let mut out = String::new();
    for byte in title.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'A'..=b'Z' | b'-' | b'_' => out.push(byte.to_ascii_lowercase() as char),
            b' ' => out.push('-'),
            0x80.. => return None,
            _ => {}
        }
    }
    Some(out)
}

/// The address of most pages: what all begin with, then the path below the folder without its extension. Where a page's address is this,
/// the blob stores none.
fn plain_url(begin: &str, folder: &str, file: &str) -> String {
    let path = file.strip_prefix(folder).unwrap_or(file);
    let end = path.bytes().rposition(|byte| byte == b'.').unwrap_or(path.len());
    joined(&[begin, path.get(..end).unwrap_or(path)])
}

/// What a rate per 65,536 bytes predicts for a text.
fn predicted(rate: u32, bytes: u32) -> u32 {
    ((u64::from(rate) * u64::from(bytes)) >> 16) as u32
}

/// Bytes of text that are summed at a time.
const TEXT_PIECE: usize = 1 << 20;
/// Bytes of the streams that are read and summed at a time.
const PIECE: usize = 1 << 13;

/// A checksum of 64 bits: four lanes that take every fourth word of 8 bytes. Each step is an exclusive or, a multiplication by an odd
/// number and an exclusive or with the upper half. Each can be undone, so a change of any single word always changes the sum. Without the
/// last, the highest bit of one word would meet one bit of the next and be unseen. `seed` continues an earlier sum.
fn checksum(seed: u64, bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |lane: u64, word: u64| {
        let product = (lane ^ word).wrapping_mul(ODD);
        product ^ (product >> 32)
    };
    let (mut a, mut b, mut c, mut d) = (seed, 1, 2, 3);
    let (rows, rest) = bytes.as_chunks::<32>();
    for row in rows {
        if let ([one, two, three, four], _) = row.as_chunks::<8>() {
            a = step(a, u64::from_le_bytes(*one));
            b = step(b, u64::from_le_bytes(*two));
            c = step(c, u64::from_le_bytes(*three));
            d = step(d, u64::from_le_bytes(*four));
        }
    }
    for byte in rest {
        a = step(a, u64::from(*byte));
    }
    step(step(step(step(a, b), c), d), bytes.len() as u64)
}

/// The checksum of a piece of the streams. Its row is in it: one piece does not pass for another.
fn piece_checksum(row: u64, piece: &[u8]) -> u32 {
    checksum(row, piece) as u32
}

/// The checksum of the texts: of piece after piece, each continuing the one before.
fn text_checksum(texts: &[u8]) -> u64 {
    texts.chunks(TEXT_PIECE).fold(0, checksum)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}

#[cfg(all(test, feature = "build"))]
mod tests;
