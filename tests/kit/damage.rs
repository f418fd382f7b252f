//! Damage that reaches the reader: a blob taken apart, changed, and put together behind a header that is right.

use pinpack::{ANALYZER, FORMAT};

/// Length of the plain header in bytes.
pub const HEADER: usize = 48;

/// What stands behind the header.
#[derive(Clone)]
pub struct Parts {
    pub texts: Vec<u8>,
    pub body: Vec<u8>,
}

impl Parts {
    /// The parts of a sound blob.
    pub fn of(blob: &[u8]) -> Self {
        let length = u32::from_le_bytes([blob[28], blob[29], blob[30], blob[31]]) as usize;
        let (texts, body) = blob[HEADER..].split_at(length);
        Self { texts: texts.to_vec(), body: body.to_vec() }
    }

    /// Other texts, with their checksum in the body.
    pub fn with_texts(&self, texts: Vec<u8>) -> Self {
        let [old, new] = [&self.texts, &texts].map(|texts| checksum(0, texts).to_le_bytes());
        let mut body = self.body.clone();
        let at = body.windows(8).position(|bytes| bytes == old).expect("the body holds the checksum of the texts");
        body[at..at + 8].copy_from_slice(&new);
        Self { texts, body }
    }

    /// A blob whose header says of these parts what is so.
    pub fn sealed(&self) -> Vec<u8> {
        let mut head = Vec::new();
        for number in [FORMAT, ANALYZER, self.body.len() as u32, self.texts.len() as u32] {
            head.extend_from_slice(&number.to_le_bytes());
        }
        head.extend_from_slice(&[7; 16]);
        let sum = checksum(checksum(0, &head), &self.body).to_le_bytes();
        [b"PINPACK\n", &sum[..], &head, &self.texts, &self.body].concat()
    }
}

/// The checksum of less than a mebibyte that continues another, as `pinpack_index` describes it.
fn checksum(seed: u64, bytes: &[u8]) -> u64 {
    let step = |lane: u64, word: u64| (lane ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let mut lanes = [seed, 1, 2, 3];
    let whole = bytes.len() / 32 * 32;
    for at in (0..whole).step_by(8) {
        let word = bytes[at..at + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        lanes[at / 8 % 4] = step(lanes[at / 8 % 4], word);
    }
    let [first, others @ ..] = lanes;
    let first = bytes[whole..].iter().fold(first, |lane, byte| step(lane, u64::from(*byte)));
    let sum = step(others.into_iter().fold(first, step), bytes.len() as u64);
    sum ^ (sum >> 32)
}
