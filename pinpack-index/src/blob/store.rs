//! Where the bytes of a blob are: all at hand, or fetched piece by piece.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::Range;

use super::{PIECE, piece_checksum};

/// The bytes of an opened blob.
pub trait Store {
    /// Bytes that hold the body.
    fn body(&self) -> &[u8];

    /// Says where the streams are in the file, and the checksums of their pieces. False when the store can tell that they are damaged.
    fn set_streams(&mut self, streams: Range<usize>, checksums: Vec<u32>) -> bool;

    /// Bytes of the streams, by their place in the file; fewer where the file is damaged.
    fn read(&self, range: Range<usize>) -> Cow<'_, [u8]>;

    /// Bytes of the texts, by their place in the file.
    fn read_text(&self, range: Range<usize>) -> Cow<'_, [u8]>;
}

/// The whole file in memory.
pub struct Resident(pub(super) Cow<'static, [u8]>);

impl Store for Resident {
    fn body(&self) -> &[u8] {
        &self.0
    }

    fn set_streams(&mut self, streams: Range<usize>, checksums: Vec<u32>) -> bool {
        let bytes = self.0.get(streams).unwrap_or(&[]);
        (0..).zip(bytes.chunks(PIECE)).map(|(row, piece)| piece_checksum(row, piece)).eq(checksums)
    }

    fn read(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        self.0.get(range).unwrap_or(&[]).into()
    }

    fn read_text(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        self.read(range)
    }
}

/// Gives bytes of a file by their place in it.
pub trait Load {
    /// The bytes from `start` to `end`.
    fn load(&self, start: usize, end: usize) -> Vec<u8>;
}

/// The body in memory, pieces of the streams once they are read.
///
/// In a browser the file is outside the module's memory: of a large one a question needs little, and memory that is touched for the first
/// time costs more than the search.
pub struct Paged<L> {
    body: Vec<u8>,
    file: L,
    streams: Range<usize>,
    checksums: Vec<u32>,
    pieces: Vec<OnceCell<Vec<u8>>>,
    damaged: Cell<bool>,
}

impl<L: Load> Paged<L> {
    pub(super) fn new(body: Vec<u8>, file: L) -> Self {
        Self { body, file, streams: 0..0, checksums: Vec::new(), pieces: Vec::new(), damaged: Cell::new(false) }
    }

    /// The file.
    pub fn file(&self) -> &L {
        &self.file
    }

    /// Was a piece read that is not what was built? Then what was answered since is not to be trusted.
    pub fn is_damaged(&self) -> bool {
        self.damaged.get()
    }

    fn piece(&self, row: usize) -> &[u8] {
        self.pieces.get(row).map_or(&[], |cell| cell.get_or_init(|| self.load(row)))
    }

    fn load(&self, row: usize) -> Vec<u8> {
        let start = self.streams.start + row * PIECE;
        let bytes = self.file.load(start, (start + PIECE).min(self.streams.end));
        if self.checksums.get(row) == Some(&piece_checksum(row as u64, &bytes)) {
            return bytes;
        }
        self.damaged.set(true);
        Vec::new()
    }
}

impl<L: Load> Store for Paged<L> {
    fn body(&self) -> &[u8] {
        &self.body
    }

    fn set_streams(&mut self, streams: Range<usize>, checksums: Vec<u32>) -> bool {
        let count = streams.len().div_ceil(PIECE);
        let whole = count == checksums.len();
        self.pieces.resize_with(count, OnceCell::new);
        (self.streams, self.checksums) = (streams, checksums);
        whole
    }

    fn read(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        let mut at = range.start.wrapping_sub(self.streams.start);
        let mut left = range.len();
        let here = |at: usize| self.piece(at / PIECE).get(at % PIECE..).unwrap_or(&[]);
        if let Some(bytes) = here(at).get(..left) {
            return bytes.into();
        }
        let mut out = Vec::with_capacity(left);
        while left > 0 {
            let bytes = here(at);
            let bytes = bytes.get(..left).unwrap_or(bytes);
            if bytes.is_empty() {
                break;
            }
            out.extend_from_slice(bytes);
            at += bytes.len();
            left -= bytes.len();
        }
        out.into()
    }

    fn read_text(&self, range: Range<usize>) -> Cow<'_, [u8]> {
        self.file.load(range.start, range.end).into()
    }
}
