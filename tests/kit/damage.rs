//! Damage that reaches the reader: a blob taken apart, changed, and put together behind a header that is right.

use pinpack::{ANALYZER, FORMAT, Pinpack};

/// Length of the plain header in bytes.
pub const HEADER: usize = 48;

/// What stands behind the header.
#[derive(Clone)]
pub struct Parts {
    pub texts: Vec<u8>,
    pub streams: Vec<u8>,
    pub body: Vec<u8>,
}

/// Bytes of the streams that have a checksum together.
const PIECE: usize = 8192;

impl Parts {
    /// The parts of a sound blob.
    pub fn of(blob: &[u8]) -> Self {
        let kb = Pinpack::open(blob.to_vec()).expect("a sound blob");
        let streams = kb.blob().text_span(kb.stats().sections as u32 - 1).end;
        let body = HEADER + u32::from_le_bytes([blob[28], blob[29], blob[30], blob[31]]) as usize;
        Self {
            texts: blob[HEADER..streams].to_vec(),
            streams: blob[streams..body].to_vec(),
            body: blob[body..].to_vec(),
        }
    }

    /// Other texts, with their checksum in the body.
    pub fn with_texts(&self, texts: Vec<u8>) -> Self {
        let [old, new] = [&self.texts, &texts].map(|texts| checksum(0, texts).to_le_bytes());
        let mut body = self.body.clone();
        replace(&mut body, &old, &new);
        Self { texts, streams: self.streams.clone(), body }
    }

    /// Other streams of the same length, with the checksums of their pieces in the body.
    pub fn with_streams(&self, streams: Vec<u8>) -> Self {
        let mut body = self.body.clone();
        for (row, (old, new)) in (0..).zip(self.streams.chunks(PIECE).zip(streams.chunks(PIECE))) {
            let [old, new] = [old, new].map(|piece| (checksum(row, piece) as u32).to_le_bytes());
            replace(&mut body, &old, &new);
        }
        Self { texts: self.texts.clone(), streams, body }
    }

    /// A blob whose header says of these parts what is so.
    pub fn sealed(&self) -> Vec<u8> {
        let mut head = Vec::new();
        let between = self.texts.len() + self.streams.len();
        for number in [FORMAT, ANALYZER, self.body.len() as u32, between as u32] {
            head.extend_from_slice(&number.to_le_bytes());
        }
        head.extend_from_slice(&[7; 16]);
        let sum = checksum(checksum(0, &head), &self.body).to_le_bytes();
        [b"PINPACK\n", &sum[..], &head, &self.texts, &self.streams, &self.body].concat()
    }
}

fn replace(body: &mut [u8], old: &[u8], new: &[u8]) {
    let at = body.windows(old.len()).position(|bytes| bytes == old).expect("the body holds the checksum");
    body[at..at + old.len()].copy_from_slice(new);
}

/// The checksum of less than a mebibyte that continues another, as `pinpack_index` describes it.
fn checksum(seed: u64, bytes: &[u8]) -> u64 {
    let step = |lane: u64, word: u64| {
        let product = (lane ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ (product >> 32)
    };
    let mut lanes = [seed, 1, 2, 3];
    let whole = bytes.len() / 32 * 32;
    for at in (0..whole).step_by(8) {
        let word = bytes[at..at + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        lanes[at / 8 % 4] = step(lanes[at / 8 % 4], word);
    }
    let [first, others @ ..] = lanes;
    let first = bytes[whole..].iter().fold(first, |lane, byte| step(lane, u64::from(*byte)));
    step(others.into_iter().fold(first, step), bytes.len() as u64)
}
