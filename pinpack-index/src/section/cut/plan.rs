//! Units to the best places to cut between them.

use std::ops::Range;

use super::Sizes;
use super::unit::{Seam, Unit, Units};

/// Ranges of units, one a piece, that tile them and have the least cost in sum.
///
/// A piece of `c` tokens costs `1000·((c − target)/target)²`, and 1500 more when it is smaller than a third of the target; a cut costs by
/// what it parts. All of it is in whole numbers, so that every machine finds the same places. Cost: units × those that fit one piece.
pub(super) fn plan(units: &Units, sizes: Sizes) -> Vec<Range<usize>> {
    let list = &units.list;
    // best[n]: the least cost of the first n units, and where their last piece begins.
    let mut best = vec![(u64::MAX, 0); list.len() + 1];
    best[0].0 = 0;
    let most = sizes.max.min(sizes.target.saturating_mul(4));
    for from in 0..list.len() {
        let mut tokens = 0u32;
        for to in from + 1..=list.len() {
            tokens = tokens.saturating_add(added(units, from, to - 1));
            if tokens > most && to > from + 1 {
                break;
            }
            let after = list.get(to).map_or(0, |next| seam_cost(&list[to - 1], next));
            let cost = best[from].0 + size_cost(tokens, sizes.target) + after;
            if cost < best[to].0 {
                best[to] = (cost, from);
            }
        }
    }
    let mut out = Vec::new();
    let mut to = list.len();
    while to > 0 {
        let from = best[to].1;
        out.push(from..to);
        to = from;
    }
    out.reverse();
    out
}

/// Where to cut units in two that came out too large together: the best seam, and of those the one nearest the middle.
pub(super) fn middle(units: &Units, from: usize, to: usize) -> usize {
    let list = &units.list;
    let off = |at: usize| (2 * at).abs_diff(from + to);
    (from + 1..to).min_by_key(|at| (seam_cost(&list[at - 1], &list[*at]), off(*at), *at)).unwrap_or(to)
}

/// Tokens that the unit at `at` adds to a piece that begins at `from`.
fn added(units: &Units, from: usize, at: usize) -> u32 {
    let unit = &units.list[at];
    let before = (at > from).then(|| &units.list[at - 1]);
    let opens = before.is_none_or(|before| (before.block, before.frame) != (unit.block, unit.frame));
    let frame = if opens { units.frames[unit.frame].tokens } else { 0 };
    // The blank line between runs; what white space there is inside one mostly costs nothing.
    let gap = u32::from(before.is_some() && opens);
    unit.tokens.saturating_add(frame).saturating_add(gap)
}

fn size_cost(tokens: u32, target: u32) -> u64 {
    let (tokens, target) = (u64::from(tokens.min(1 << 24)), u64::from(target.max(1)));
    let off = tokens.abs_diff(target);
    let small = if tokens * 3 < target { 1500 } else { 0 };
    1000 * off * off / (target * target) + small
}

/// What it costs to part two units.
fn seam_cost(before: &Unit, after: &Unit) -> u64 {
    let parts = match after.seam {
        Seam::Block => 0,
        Seam::Part => 100,
        Seam::Line => 300,
        Seam::Sentence => 700,
        Seam::Clause => 1500,
        Seam::Word => 3000,
        Seam::Inside => 5000,
    };
    parts + if before.bound { 4000 } else { 0 }
}
