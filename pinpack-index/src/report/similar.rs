//! Texts that say the same: groups of sections whose words are nearly alike.
//!
//! Likeness is the Jaccard index of the sets of three-word runs (Broder 1997: resemblance by shingles). Sets are compared exactly, and
//! only where they can be alike: by prefix filtering (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007; the shorter
//! index prefix of Xiao et al. 2008), sets that share none of their rarest runs need no look. Of each pair that is alike at least one
//! is in a group with what it repeats.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Likeness from which two texts count as one, as a fraction: nine tenths.
const ALIKE: (usize, usize) = (9, 10);
/// Words of a run.
const RUN: usize = 3;
/// Words below which a text is not compared: short answers are alike by nature ("Yes, at any time.") and cost little.
const MIN_WORDS: usize = 16;

/// Texts that are alike.
#[derive(Debug, PartialEq)]
pub(crate) struct Group {
    /// Their places, ascending.
    pub members: Vec<u32>,
    /// Least likeness of a member to the group's shortest text, 0.9 to 1.
    pub similarity: f32,
}

/// Groups of at least two, by their first member.
///
/// Texts are taken from the one with the fewest runs to the one with the most, ties by place; each joins the group of the first text
/// before it that leads a group of its own and is alike, or else leads one. Cost: linear in the text as long as texts that are not
/// alike share few of their rarest runs; 10,000 sections of documentation take a third of a second (optimized, one core).
pub(super) fn groups(texts: &[&str]) -> Vec<Group> {
    let mut sets: Vec<(u32, Vec<u32>)> = by_rarity(texts);
    sets.sort_by_key(|(place, set)| (set.len(), *place));
    let mut leaders = Leaders::default();
    let mut joined: HashMap<usize, Group> = HashMap::new();
    for (at, (place, set)) in sets.iter().enumerate() {
        match leaders.alike(set, &sets) {
            None => leaders.add(at, set),
            Some((leader, similarity)) => {
                let first = sets[leader].0;
                let group = joined.entry(leader).or_insert_with(|| Group { members: vec![first], similarity: 1.0 });
                group.members.push(*place);
                group.similarity = group.similarity.min(similarity);
            }
        }
    }
    let mut groups: Vec<Group> = joined.into_values().collect();
    groups.iter_mut().for_each(|group| group.members.sort_unstable());
    groups.sort_by_key(|group| group.members[0]);
    groups
}

/// The runs of each text that is long enough, as numbers that ascend from the rarest run to the most frequent one.
fn by_rarity(texts: &[&str]) -> Vec<(u32, Vec<u32>)> {
    let sets: Vec<(u32, Vec<u64>)> = texts
        .iter()
        .enumerate()
        .map(|(place, text)| (place as u32, runs(text)))
        .filter(|(_, set)| !set.is_empty())
        .collect();
    let mut count: ByRun<u32> = ByRun::default();
    sets.iter().flat_map(|(_, set)| set).for_each(|run| *count.entry(*run).or_default() += 1);
    let mut order: Vec<(u32, u64)> = count.into_iter().map(|(run, count)| (count, run)).collect();
    order.sort_unstable();
    let rank: ByRun<u32> = order.into_iter().zip(0..).map(|((_, run), rank)| (run, rank)).collect();
    let ranked = |set: Vec<u64>| {
        let mut ranks: Vec<u32> = set.iter().map(|run| rank[run]).collect();
        ranks.sort_unstable();
        ranks
    };
    sets.into_iter().map(|(place, set)| (place, ranked(set))).collect()
}

/// The distinct runs of a text, as hashes; none of a text with fewer than [`MIN_WORDS`] words.
fn runs(text: &str) -> Vec<u64> {
    let words = words(text);
    if words.len() < MIN_WORDS {
        return Vec::new();
    }
    // Two different runs of one site with the same 64 bits would count as one: nothing that a report could show.
    let mut runs: Vec<u64> =
        words.windows(RUN).map(|run| run.iter().fold(0, |hash, word| mixed(hash, *word))).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// The words of a text, in lower case, as hashes; each character of a script without spaces is one.
fn words(text: &str) -> Vec<u64> {
    let mut out = Vec::new();
    let mut word = None;
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() && !is_spaceless(c) {
            word = Some(c.to_lowercase().fold(word.unwrap_or(0), |hash, c| mixed(hash, u64::from(c))));
            continue;
        }
        out.extend(word.take());
        if is_spaceless(c) {
            out.push(mixed(0, u64::from(c)));
        }
    }
    out
}

/// Thai to Khmer, kana, Han, Hangul needs none: it has spaces.
fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

/// A hash and what follows, as one hash: the same on every machine.
fn mixed(hash: u64, next: u64) -> u64 {
    // An odd constant, 2^64 divided by the golden ratio; the shift brings high bits down.
    let product = (hash.rotate_left(23) ^ next.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 32)
}

/// Keys that are hashes already.
#[derive(Default)]
struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = mixed(self.0, u64::from(*byte)));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type ByRun<T> = HashMap<u64, T, BuildHasherDefault<Plain>>;

/// Sets that lead a group, by their rarest runs.
#[derive(Default)]
struct Leaders {
    /// For each run the sets that have it in their prefix, by ascending size.
    by_run: HashMap<u32, Vec<usize>>,
}

impl Leaders {
    /// Notes a set under its prefix: with a set at least as large as itself it shares one of these or is not alike.
    fn add(&mut self, at: usize, set: &[u32]) {
        let prefix = set.len() - least_common(set.len(), set.len()) + 1;
        for run in &set[..prefix.min(set.len())] {
            self.by_run.entry(*run).or_default().push(at);
        }
    }

    /// The first leader that is alike, and its likeness. `set` is no smaller than any leader.
    fn alike(&self, set: &[u32], sets: &[(u32, Vec<u32>)]) -> Option<(usize, f32)> {
        let least = (set.len() * ALIKE.0).div_ceil(ALIKE.1);
        let prefix = (set.len() - least + 1).min(set.len());
        let mut candidates: Vec<usize> = Vec::new();
        for run in &set[..prefix] {
            let same: &[usize] = self.by_run.get(run).map_or(&[], Vec::as_slice);
            // What is shorter cannot hold enough of this set.
            let from = same.partition_point(|at| sets[*at].1.len() < least);
            candidates.extend_from_slice(&same[from..]);
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates.into_iter().find_map(|at| likeness(&sets[at].1, set).map(|likeness| (at, likeness)))
    }
}

/// The fewest runs that two alike sets of these sizes share: `t / (1 + t) · (a + b)`, rounded up.
fn least_common(a: usize, b: usize) -> usize {
    (ALIKE.0 * (a + b)).div_ceil(ALIKE.0 + ALIKE.1)
}

/// The Jaccard index of two ascending sets, when it is enough.
fn likeness(a: &[u32], b: &[u32]) -> Option<f32> {
    let wanted = least_common(a.len(), b.len());
    let (mut left, mut right, mut common) = (a, b, 0);
    while let ([one, more_left @ ..], [other, more_right @ ..]) = (left, right) {
        if common + left.len().min(right.len()) < wanted {
            return None;
        }
        common += usize::from(one == other);
        if one <= other {
            left = more_left;
        }
        if other <= one {
            right = more_right;
        }
    }
    (common >= wanted).then(|| common as f32 / (a.len() + b.len() - common) as f32)
}

#[cfg(test)]
mod tests;
