//! How large sections are.

use std::cmp::Reverse;

use serde::Serialize;

use crate::blob::Blob;

/// Most bars of a histogram.
const BARS: u32 = 24;

/// A section with its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sized {
    /// The owner's id.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Tokens as rendered.
    pub tokens: u32,
    /// Sent with every request.
    pub pinned: bool,
}

/// A histogram of the sections' tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Tokens that one bar spans: 1, 2 or 5 times a power of ten.
    pub width: u32,
    /// Sections in each bar: of `i * width` up to, but not including, `(i + 1) * width` tokens. At most 25 bars.
    pub counts: Vec<usize>,
    /// Tokens that half of the sections do not exceed; of an even number, the upper of the two in the middle.
    pub median: u32,
}

impl Sizes {
    /// The histogram of these.
    pub(super) fn of(tokens: impl Iterator<Item = u32>) -> Self {
        let mut tokens: Vec<u32> = tokens.collect();
        tokens.sort_unstable();
        let width = round_width(tokens.last().copied().unwrap_or(0));
        let mut counts = vec![0; tokens.last().map_or(0, |most| (most / width) as usize + 1)];
        tokens.iter().for_each(|one| counts[(one / width) as usize] += 1);
        Self { width, counts, median: tokens.get(tokens.len() / 2).copied().unwrap_or(0) }
    }
}

/// The smallest round width that gives at most [`BARS`] full bars.
fn round_width(most: u32) -> u32 {
    let mut power: u32 = 1;
    loop {
        for step in [1, 2, 5] {
            let width = power.saturating_mul(step);
            if most / width < BARS {
                return width;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Sections with their tokens, largest first, ties by id.
pub(crate) fn sized(blob: &Blob, ids: impl Iterator<Item = u32>, most: usize) -> Vec<Sized> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_by_key(|id| (Reverse(blob.tokens(*id)), *id));
    ids.truncate(most);
    in_order(blob, &ids)
}

/// Sections with their tokens, smallest first, ties by id.
pub(super) fn smallest(blob: &Blob, ids: impl Iterator<Item = u32>, most: usize) -> Vec<Sized> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_by_key(|id| (blob.tokens(*id), *id));
    ids.truncate(most);
    in_order(blob, &ids)
}

/// These sections, in the order given.
pub(super) fn in_order(blob: &Blob, ids: &[u32]) -> Vec<Sized> {
    let one =
        |id: &u32| Sized { reference: blob.reference(*id), tokens: blob.tokens(*id), pinned: blob.is_pinned(*id) };
    ids.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_round_and_few_and_hold_every_section() {
        let sizes = Sizes::of([3, 9, 10, 24, 239].into_iter());
        assert_eq!((sizes.width, sizes.median), (10, 10));
        assert_eq!((sizes.counts[0], sizes.counts[1], sizes.counts[2], sizes.counts[23]), (2, 1, 1, 1));
        assert_eq!(Sizes::of([240].into_iter()).width, 20);
        assert_eq!(Sizes::of(std::iter::empty()), Sizes { width: 1, counts: Vec::new(), median: 0 });
        for most in [0, 1, 23, 24, 999, 100_000, u32::MAX] {
            let sizes = Sizes::of([most, 0].into_iter());
            assert!(sizes.counts.len() <= 25 && sizes.counts.iter().sum::<usize>() == 2, "{most}");
        }
    }
}
