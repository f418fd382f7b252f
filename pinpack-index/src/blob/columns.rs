//! Columns to values.

use super::{BLOCK, predicted};
use crate::varint;

/// A column of lengths as offsets, with the end as one more.
pub(super) fn starts(column: &[u8]) -> Vec<u32> {
    let mut out = varint::column(column, 1);
    add_up(&mut out);
    out
}

/// A column of differences as values.
pub(super) fn sums(column: &[u8]) -> Vec<u32> {
    let mut out = varint::column(column, 0);
    add_up(&mut out);
    out
}

fn add_up(values: &mut [u32]) {
    let mut sum = 0u32;
    for value in values {
        sum = sum.saturating_add(*value);
        *value = sum;
    }
}

/// A number that lies a zigzag way from another.
fn from(base: u32, zigzag: u32) -> u32 {
    base.wrapping_add_signed((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
}

/// A column of zigzag ways, each from the row before.
pub(super) fn walk(column: &[u8]) -> Vec<u32> {
    let mut out = varint::column(column, 0);
    let mut here = 0;
    for value in &mut out {
        here = from(here, *value);
        *value = here;
    }
    out
}

/// A column of zigzag ways, each from what the text's length predicts.
pub(super) fn near(column: &[u8], rate: u32, text_starts: &[u32]) -> Vec<u32> {
    let mut out = varint::column(column, 0);
    for (value, ends) in out.iter_mut().zip(text_starts.windows(2)) {
        *value = from(predicted(rate, ends[1] - ends[0]), *value);
    }
    out
}

/// A column of pairs: a row, as the difference to the row before, and how far back another one is.
pub(super) fn pairs(column: &[u8]) -> Vec<(u32, u32)> {
    let (mut out, mut row) = (Vec::new(), 0u32);
    for pair in varint::column(column, 0).chunks_exact(2) {
        row = row.saturating_add(pair[0]);
        out.push((row, row.saturating_sub(pair[1])));
    }
    out
}

/// Which rows a list of rows names.
pub(super) fn flags(rows: &[u32], count: usize) -> Vec<bool> {
    let mut out = vec![false; count];
    for row in rows {
        if let Some(flag) = out.get_mut(*row as usize) {
            *flag = true;
        }
    }
    out
}

/// Where each block of the lexicon begins, the bytes of its heads and those of the other terms apart; the end is one more.
pub(super) fn lexicon_starts(lengths: &[u8]) -> (Vec<u32>, Vec<u32>) {
    const REST: u64 = 0x00ff_00ff_00ff_00ff;
    let (mut heads, mut others) = (vec![0], vec![0]);
    let (mut head_end, mut other_end) = (0u32, 0u32);
    for block in lengths.chunks(2 * BLOCK) {
        let head = u32::from(*block.get(1).unwrap_or(&0));
        let (words, tail) = block.as_chunks::<8>();
        let mut sum = 0;
        for word in words {
            // Every other byte, summed by a multiplication.
            let rests = u64::from_le_bytes(*word) >> 8 & REST;
            sum += (rests.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32;
        }
        sum += tail.iter().skip(1).step_by(2).map(|rest| u32::from(*rest)).sum::<u32>();
        head_end = head_end.saturating_add(head);
        other_end = other_end.saturating_add(sum - head);
        heads.push(head_end);
        others.push(other_end);
    }
    (heads, others)
}

/// Where each block begins in a column of one integer a term, with the end as one more; and the number of integers.
pub(super) fn block_starts(column: &[u8]) -> (Vec<u32>, usize) {
    let (mut out, mut left) = (vec![0], BLOCK);
    for (row, bytes) in column.chunks(8).enumerate() {
        // A byte without its high bit ends an integer.
        let ends = match bytes.first_chunk::<8>() {
            Some(word) => (!u64::from_le_bytes(*word) & 0x8080_8080_8080_8080).count_ones() as usize,
            None => BLOCK,
        };
        if ends < left {
            left -= ends;
            continue;
        }
        for (place, byte) in bytes.iter().enumerate() {
            left -= usize::from(*byte < 0x80);
            if left == 0 {
                out.push((8 * row + place + 1) as u32);
                left = BLOCK;
            }
        }
    }
    let count = BLOCK * out.len() - left;
    if left < BLOCK {
        out.push(column.len() as u32);
    }
    (out, count)
}
