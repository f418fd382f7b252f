//! The plain header: what it says, and what is wrong with it.

#[cfg(feature = "languages")]
use super::ALL_LANGUAGES;
use super::{CHECKED_FROM, ContentHash, FORMAT, HEADER, MAGIC, OLDEST_FORMAT, checksum, word};
use crate::ANALYZER;
use crate::error::OpenError;

/// Where the body begins, told by the header.
pub(super) fn body_start(header: &[u8]) -> usize {
    HEADER.saturating_add(word(header, 28) as usize)
}

/// Reads the header; its errors name what was found and wanted. `file_len` is the length of the whole file.
pub(super) fn check(header: &[u8], body: &[u8], file_len: usize) -> Result<ContentHash, OpenError> {
    if !header.starts_with(&MAGIC[..header.len().min(MAGIC.len())]) || header.is_empty() {
        return Err(OpenError::Magic);
    }
    if header.len() < HEADER {
        return Err(OpenError::Truncated { found: header.len(), wanted: HEADER });
    }
    let (format, analyzer) = (word(header, 16), word(header, 20));
    if !(OLDEST_FORMAT..=FORMAT).contains(&format) {
        return Err(OpenError::Format { found: format });
    }
    #[cfg(feature = "languages")]
    let analyzer = if analyzer == ANALYZER | ALL_LANGUAGES { ANALYZER } else { analyzer };
    if analyzer != ANALYZER {
        return Err(OpenError::Analyzer { found: analyzer });
    }
    let body_len = word(header, 24) as usize;
    let wanted = body_start(header).saturating_add(body_len);
    if file_len != wanted || body.len() != body_len {
        return Err(OpenError::Truncated { found: file_len, wanted });
    }
    if header[8..CHECKED_FROM] != checksum(checksum(0, &header[CHECKED_FROM..HEADER]), body).to_le_bytes() {
        return Err(OpenError::Damaged("checksum"));
    }
    let mut hash = [0; 16];
    hash.copy_from_slice(&header[32..48]);
    Ok(ContentHash(hash))
}
