use std::collections::BTreeSet;
use std::time::Instant;

use proptest::prelude::*;

use super::*;

fn text(words: &[usize]) -> String {
    words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
}

/// The same by comparing every text with every leader before it.
fn slow_groups(texts: &[&str]) -> Vec<Group> {
    let mut sets: Vec<(u32, BTreeSet<u64>)> =
        texts.iter().enumerate().map(|(place, text)| (place as u32, runs(text).into_iter().collect())).collect();
    sets.retain(|(_, set)| !set.is_empty());
    sets.sort_by_key(|(place, set)| (set.len(), *place));
    let mut groups: Vec<(usize, Group)> = Vec::new();
    for (at, (place, set)) in sets.iter().enumerate() {
        let jaccard = |leader: usize| {
            let other = &sets[leader].1;
            let common = set.intersection(other).count();
            (common * 10 >= set.union(other).count() * 9).then(|| common as f32 / set.union(other).count() as f32)
        };
        let found = groups.iter_mut().find_map(|(leader, group)| jaccard(*leader).map(|likeness| (likeness, group)));
        match found {
            Some((likeness, group)) => {
                group.members.push(*place);
                group.similarity = group.similarity.min(likeness);
            }
            None => groups.push((at, Group { members: vec![*place], similarity: 1.0 })),
        }
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|(_, group)| group).collect();
    groups.retain(|group| group.members.len() > 1);
    groups.iter_mut().for_each(|group| group.members.sort_unstable());
    groups.sort_by_key(|group| group.members[0]);
    groups
}

#[test]
fn finds_what_was_copied_whatever_its_punctuation() {
    let rule = "Orders leave our shop within two days, and a parcel takes three more days to reach you in Europe.";
    let same = "orders leave **our** shop within two days and a parcel takes three more days\nto reach you in Europe";
    let other = "Tea should be kept dry, in the dark, and away from anything with a smell of its own, such as coffee.";
    assert_eq!(groups(&[rule, other, same]), [Group { members: vec![0, 2], similarity: 1.0 }]);
}

#[test]
fn one_word_in_a_hundred_still_counts_as_the_same() {
    let words: Vec<usize> = (0..100).collect();
    let mut changed = words.clone();
    changed[50] = 1000;
    // Of 98 runs three hold the word: 95 are common, of 101.
    let found = groups(&[&text(&words), &text(&changed)]);
    assert_eq!(found, [Group { members: vec![0, 1], similarity: 95.0 / 101.0 }]);
    (changed[20], changed[80]) = (1001, 1002);
    // 89 of 107.
    assert_eq!(groups(&[&text(&words), &text(&changed)]), []);
}

#[test]
fn short_answers_are_not_compared() {
    assert_eq!(groups(&["Yes, at any time.", "Yes, at any time."]), []);
    let edge = |words| text(&(0..words).collect::<Vec<_>>());
    assert_eq!(groups(&[&edge(15), &edge(15)]).len(), 0);
    assert_eq!(groups(&[&edge(16), &edge(16)]).len(), 1);
}

#[test]
fn scripts_without_spaces_are_compared_by_character() {
    let page = "返品は商品到着後三十日以内にご連絡ください。送料はお客様のご負担となります。";
    assert_eq!(groups(&[page, page]).len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn gives_the_groups_that_comparing_everything_gives(
        originals in prop::collection::vec(prop::collection::vec(0usize..60, 10..60), 1..6),
        copies in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec((any::<prop::sample::Index>(), 0usize..80), 0..4)), 0..14),
    ) {
        let mut texts: Vec<Vec<usize>> = originals;
        for (of, edits) in copies {
            let mut copy = texts[of.index(texts.len())].clone();
            for (at, word) in edits {
                let at = at.index(copy.len());
                if word >= 70 { copy.remove(at); } else { copy[at] = word; }
            }
            if !copy.is_empty() { texts.push(copy); }
        }
        let texts: Vec<String> = texts.iter().map(|words| text(words)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        prop_assert_eq!(groups(&texts), slow_groups(&texts));
    }
}

/// `number` texts of 200 words; of each a share, in hundredths, is its own, and the rest the same in all.
fn template(number: usize, own: usize) -> Vec<String> {
    let page = |page: usize| {
        let word = |at: usize| if at % 100 < own { 1000 + page * 200 + at } else { at };
        text(&(0..200).map(word).collect::<Vec<_>>())
    };
    (0..number).map(page).collect()
}

#[test]
fn many_sections_end_even_when_they_are_one_template() {
    for own in [100, 8, 6, 4] {
        let texts = template(2_000, own);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let from = Instant::now();
        let found = groups(&texts);
        // It ends: sixty times what it takes without optimization.
        assert!(from.elapsed().as_secs() < 120, "{own}% own words: {:?}", from.elapsed());
        assert_eq!(found.len(), usize::from(own <= 4), "{own}% own words");
    }
}
