use super::*;
use crate::{Analyzer, Config, SourceFile, build};

/// A blob of ready-made sections, one a text.
fn blob(texts: &[String]) -> Blob {
    let lines: Vec<String> =
        texts.iter().enumerate().map(|(id, text)| serde_json::json!({ "_id": id, "text": text }).to_string()).collect();
    let config = Config::parse("[sources]\ninclude = []\njsonl = 'x.jsonl'").unwrap();
    let lines = lines.join("\n");
    let files = [SourceFile { path: "x.jsonl", bytes: lines.as_bytes() }];
    Blob::open(build(&files, &config, &mut |_, _| {}).unwrap().blob).unwrap()
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(40))]
    /// The slow way: count every term of every text by hand.
    #[test]
    fn every_term_is_found_with_its_postings_and_no_other(
        texts in proptest::collection::vec("([abc]{1,4} |ab[0-9]{1,3} |é退款 ){1,40}", 1..60),
        absent in proptest::collection::vec("[abcd0-9]{1,5}", 20),
    ) {
        let blob = blob(&texts);
        let analyzer = Analyzer::new("en");
        let mut counts = std::collections::BTreeMap::<String, Vec<(u32, u32)>>::new();
        for (id, text) in texts.iter().enumerate() {
            let mut section = std::collections::BTreeMap::<String, u32>::new();
            analyzer.each_term(text, &mut |term| {
                if term.role == crate::Role::Content {
                    *section.entry(term.text.to_string()).or_default() += 1;
                }
            });
            section.into_iter().for_each(|(term, tf)| counts.entry(term).or_default().push((id as u32, tf)));
        }
        proptest::prop_assert_eq!(blob.terms(), counts.len());
        for (term, list) in &counts {
            let number = blob.term(term).expect("a term that was indexed");
            let mut found = Vec::new();
            blob.each_posting(number, &mut |posting| found.push((posting.section, posting.tf)));
            proptest::prop_assert_eq!(&found, list);
            proptest::prop_assert_eq!(blob.df(number) as usize, list.len());
        }
        for word in absent.iter().filter(|word| !counts.contains_key(*word)) {
            proptest::prop_assert_eq!(blob.term(word), None);
        }
    }
}

#[test]
fn versions_are_checked_before_the_rest() {
    let texts = ["one section".to_string()];
    let config = Config::parse("[sources]\ninclude = []\njsonl = 'x.jsonl'").unwrap();
    let line = serde_json::json!({ "_id": 1, "text": texts[0] }).to_string();
    let bytes = build(&[SourceFile { path: "x.jsonl", bytes: line.as_bytes() }], &config, &mut |_, _| {}).unwrap().blob;
    let with = |at: usize, value: u32| {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
        Blob::open(changed).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(
        with(16, FORMAT + 1)
            .contains(&format!("is format {}, this pinpack reads {OLDEST_FORMAT} to {FORMAT}", FORMAT + 1))
    );
    assert!(with(20, 77).contains("analyzer 77"));
    // Header, texts and streams, a body of 5.
    let between = word(&bytes, 28) as usize;
    assert!(between > texts[0].len() && with(24, 5).contains(&format!("its header says {}", 48 + 5 + between)));
    for length in 0..bytes.len() {
        assert!(Blob::open(bytes[..length].to_vec()).is_err(), "{length} bytes");
    }
}

#[test]
fn a_changed_text_is_found_out() {
    let line = serde_json::json!({ "_id": 1, "text": "one section" }).to_string();
    let config = Config::parse("[sources]\ninclude = []\njsonl = 'x.jsonl'").unwrap();
    let mut bytes =
        build(&[SourceFile { path: "x.jsonl", bytes: line.as_bytes() }], &config, &mut |_, _| {}).unwrap().blob;
    // The texts follow the header.
    assert_eq!(&bytes[48..51], b"one");
    bytes[48] = b'O';
    assert_eq!(Blob::open(bytes).err().map(|error| error.code()), Some("blob-damaged"));
}

proptest::proptest! {
    #[test]
    fn any_single_change_changes_the_checksum(bytes in proptest::collection::vec(0u8.., 1..200), at in 0usize..200, flip in 1u8..) {
        let mut changed = bytes.clone();
        changed[at % bytes.len()] ^= flip;
        proptest::prop_assert_ne!(checksum(7, &bytes), checksum(7, &changed));
    }
}

/// All pairs of bits of three rows and a rest: also the highest of a word and any of the next in its lane.
#[test]
fn any_two_flipped_bits_change_the_checksum() {
    let mut bytes: Vec<u8> = (0..99u8).map(|at| at.wrapping_mul(73) ^ 0x5a).collect();
    let sound = [checksum(7, &bytes), u64::from(piece_checksum(7, &bytes))];
    for first in 0..bytes.len() * 8 {
        bytes[first / 8] ^= 1 << (first % 8);
        for second in 0..first {
            bytes[second / 8] ^= 1 << (second % 8);
            let sums = [checksum(7, &bytes), u64::from(piece_checksum(7, &bytes))];
            assert!(sums[0] != sound[0] && sums[1] != sound[1], "bits {first} and {second}");
            bytes[second / 8] ^= 1 << (second % 8);
        }
        bytes[first / 8] ^= 1 << (first % 8);
    }
}

#[test]
fn anchors_that_follow_from_the_title_are_not_stored() {
    for (title, anchor) in
        [("What's new, in v2.0?", Some("whats-new-in-v20")), ("Café", None), ("a_b  C", Some("a_b--c"))]
    {
        assert_eq!(plain_anchor(title).as_deref(), anchor);
    }
}
