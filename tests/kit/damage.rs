//! Damage that reaches the reader: bytes behind a header that is right.

use pinpack::{ANALYZER, FORMAT};
use twox_hash::XxHash64;

/// Length of the plain header in bytes.
pub const HEADER: usize = 48;

/// Writes a header over the first bytes, right in everything.
pub fn with_header(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().max(HEADER), 0);
    let body = (bytes.len() - HEADER) as u32;
    bytes[..8].copy_from_slice(b"PINPACK\n");
    bytes[16..20].copy_from_slice(&FORMAT.to_le_bytes());
    bytes[20..24].copy_from_slice(&ANALYZER.to_le_bytes());
    bytes[24..28].copy_from_slice(&body.to_le_bytes());
    let sum = XxHash64::oneshot(0, &bytes[16..]);
    bytes[8..16].copy_from_slice(&sum.to_le_bytes());
    bytes
}
