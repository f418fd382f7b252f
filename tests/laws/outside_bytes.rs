//! Law 7. Outside bytes never panic: any bytes are an error with a code, or a knowledge base on which every call ends.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use pinpack::{ANALYZER, FORMAT, Message, Pinpack};
use pinpack_index::{ContentHash, Heading, Page, Posting, Postings, Query, Section, SectionSet, Settings, encode};

use crate::damage::{HEADER, Parts};
use crate::kit::{Chance, Site};

const CODES: [&str; 5] = ["blob-magic", "blob-truncated", "blob-format", "blob-analyzer", "blob-damaged"];
/// A call that does not end is told from a slow machine by this.
const QUICK: Duration = Duration::from_secs(5);

fn sound() -> Vec<u8> {
    let files = [
        (
            "docs.jsonl",
            "{\"_id\":\"a\",\"title\":\"Kelp\",\"text\":\"Kelp and urchin.\",\"url\":\"https://a.example/\"}\n",
        ),
        (
            "faq.md",
            "---\ntitle: Questions\n---\nFirst.\n\n# Refunds\n\nKelp within 30 days.\n\n## Übergröße\n\n退款服务\n",
        ),
        ("long.md", "# Long\n\nKelp one two three four five six seven eight nine ten eleven twelve.\n"),
        ("rules/r.md", "# Rule\n\nNever promise kelp.\n"),
    ];
    Site::new("[sources]\njsonl = 'docs.jsonl'\n[site]\nname = 'Harbor'\n", &files).blob
}

/// Makes every call; the code of the error, or `None` when the bytes opened.
fn survive(bytes: Vec<u8>, what: &str) -> Option<&'static str> {
    let start = Instant::now();
    let calls = AssertUnwindSafe(|| call_everything(bytes));
    let outcome = catch_unwind(calls).unwrap_or_else(|panic| {
        eprintln!("damage: {what}");
        resume_unwind(panic)
    });
    assert!(start.elapsed() < QUICK, "{what} took {:?}", start.elapsed());
    outcome
}

fn call_everything(bytes: Vec<u8>) -> Option<&'static str> {
    let kb = match Pinpack::open(bytes) {
        Ok(kb) => kb,
        Err(error) => {
            assert!(CODES.contains(&error.code()) && error.to_string().len() > 20, "{error}");
            return Some(error.code());
        }
    };
    let messages = [Message::user("kelp urchin 退款 six rule"), Message::user("what about that one? xyz")];
    for limit in [0, 3, usize::MAX] {
        assert!(kb.rank(&messages, limit).len() <= limit);
    }
    for budget in [None, Some(0), Some(60), Some(u32::MAX)] {
        for packing in [Pinpack::pack, Pinpack::explain] {
            match packing(&kb, &messages, budget) {
                Ok(pack) => assert!(pack.tokens <= pack.budget),
                Err(error) => assert_eq!(error.code(), "budget-too-small"),
            }
        }
    }
    let stats = kb.stats();
    for id in (0..stats.sections.min(300) as u32).chain([stats.sections as u32, u32::MAX]) {
        assert_eq!(kb.section(id).is_some(), (id as usize) < stats.sections);
        let _ = (kb.blob().reference(id), kb.blob().text(id));
    }
    None
}

/// How many of some damaged blobs opened and how many gave an error.
#[derive(Default)]
struct Tally {
    opened: usize,
    refused: usize,
}

impl Tally {
    fn add(&mut self, bytes: Vec<u8>, what: &str) {
        match survive(bytes, what) {
            None => self.opened += 1,
            Some(_) => self.refused += 1,
        }
    }
}

#[test]
fn ten_thousand_damaged_blobs_are_errors_or_values() {
    let (sound, mut chance, mut all) = (sound(), Chance(7), Tally::default());
    let parts = Parts::of(&sound);
    assert_eq!(survive(sound.clone(), "none"), None);
    assert_eq!(survive(parts.sealed(), "none"), None, "the test's own header is right");

    for length in 0..sound.len() {
        assert!(survive(sound[..length].to_vec(), "cut").is_some(), "cut at {length}");
        all.refused += 1;
    }
    for length in 0..parts.body.len() {
        let cut = Parts { body: parts.body[..length].to_vec(), ..parts.clone() };
        all.add(cut.sealed(), &format!("body cut at {length}"));
    }
    for length in 0..parts.texts.len() {
        all.add(parts.with_texts(parts.texts[..length].to_vec()).sealed(), &format!("texts cut at {length}"));
    }
    for seed in 0..1500 {
        let length = chance.below(600);
        let noise: Vec<u8> = (0..length).map(|_| chance.next() as u8).collect();
        all.add(noise.clone(), &format!("noise {seed}"));
        all.add(Parts { body: noise, ..parts.clone() }.sealed(), &format!("noise {seed} behind a header"));
    }
    for seed in 0..500 {
        let mut longer = parts.clone();
        let at = if seed % 2 == 0 { longer.body.len() } else { chance.below(longer.body.len()) };
        let more: Vec<u8> = (0..=chance.below(64)).map(|_| chance.next() as u8).collect();
        assert!(survive([&sound[..], &more].concat(), "longer").is_some());
        all.refused += 1;
        longer.body.splice(at..at, more);
        all.add(longer.sealed(), &format!("longer {seed} at {at}"));
    }
    let mut flips = Tally::default();
    while all.opened + all.refused + flips.opened + flips.refused < 10_000 {
        let mut flipped = sound.clone();
        let places = flip(&mut chance, &mut flipped[HEADER..]);
        assert!(flipped == sound || survive(flipped, "flipped") == Some("blob-damaged"), "{places:?}");
        all.refused += 1;
        let mut flipped = parts.clone();
        let places = flip(&mut chance, &mut flipped.body);
        flips.add(flipped.sealed(), &format!("flipped {places:?}"));
        let mut texts = parts.texts.clone();
        let places = flip(&mut chance, &mut texts);
        all.add(parts.with_texts(texts).sealed(), &format!("flipped in texts {places:?}"));
        let mut streams = parts.streams.clone();
        let places = flip(&mut chance, &mut streams);
        flips.add(parts.with_streams(streams).sealed(), &format!("flipped in streams {places:?}"));
    }
    // Without these the damage was not read at all.
    assert!(flips.opened > 300 && flips.refused > 300, "{} opened, {} refused", flips.opened, flips.refused);
}

/// Flips one bit or all bits of one to five bytes; says which.
fn flip(chance: &mut Chance, bytes: &mut [u8]) -> Vec<(usize, u8)> {
    let places: Vec<(usize, u8)> = (0..=chance.below(5))
        .map(|_| (chance.below(bytes.len()), if chance.one_in(2) { 1 << chance.below(8) } else { 255 }))
        .collect();
    places.iter().for_each(|(at, bits)| bytes[*at] ^= bits);
    places
}

/// The same bit of two bytes that are near, or a row apart. (All pairs of bits are tried on the checksum itself.)
#[test]
fn two_flipped_bits_are_never_unseen() {
    let sound = sound();
    for at in HEADER..sound.len() - 32 {
        for distance in [1, 8, 16, 32] {
            for bit in [0, 7] {
                let mut flipped = sound.clone();
                flipped[at] ^= 1 << bit;
                flipped[at + distance] ^= 1 << bit;
                let code = Pinpack::open(flipped).err().map(|error| error.code());
                assert_eq!(code, Some("blob-damaged"), "bit {bit} of bytes {at} and {}", at + distance);
            }
        }
    }
}

#[test]
fn every_wrong_header_is_named() {
    let sound = sound();
    let code = |at: usize, bytes: &[u8]| {
        let mut wrong = sound.clone();
        wrong[at..at + bytes.len()].copy_from_slice(bytes);
        Pinpack::open(wrong).err().map(|error| error.code())
    };
    assert_eq!(code(0, b"<!doctyp"), Some("blob-magic"));
    assert_eq!(code(16, &(FORMAT + 1).to_le_bytes()), Some("blob-format"));
    assert_eq!(code(16, &0u32.to_le_bytes()), Some("blob-format"));
    assert_eq!(code(20, &(ANALYZER + 1).to_le_bytes()), Some("blob-analyzer"));
    assert_eq!(code(24, &7u32.to_le_bytes()), Some("blob-truncated"));
    assert_eq!(code(24, &[0xff; 8]), Some("blob-truncated"));
    assert_eq!(code(28, &u32::MAX.to_le_bytes()), Some("blob-truncated"));
    assert_eq!(code(32, &[9; 16]), Some("blob-damaged"));
    assert_eq!(code(8, &[0; 8]), Some("blob-damaged"));
    assert_eq!(Pinpack::open(Vec::new()).err().map(|error| error.code()), Some("blob-magic"));
}

#[test]
fn well_formed_blobs_with_senseless_numbers_are_errors_or_values() {
    let section = |page, heading, tokens| Section {
        page,
        heading,
        text: "kelp".into(),
        pinned: false,
        tokens,
        span: 0..4,
        line: 1,
    };
    let set = |sections: Vec<Section>| SectionSet {
        pages: vec![Page { file: "a.md".into(), url: "/a".into(), title: "A".into() }],
        headings: vec![Heading { title: "H".into(), anchor: "h".into(), parent: None }],
        sections,
    };
    let two = || set(vec![section(0, Some(0), 20), section(0, None, 20)]);
    let posting = |(section, tf)| Posting { section, tf, in_title: tf % 2 == 0 };
    let kelp = |list: Vec<(u32, u32)>| {
        let list = list.into_iter().map(posting).collect::<Vec<_>>();
        let terms = if list.is_empty() { vec![] } else { vec![("kelp".into(), list)] };
        Postings { terms, lengths: vec![1, 1] }
    };
    let queries = [0, 2, u32::MAX].map(|messages| Query { messages, ..Query::default() });
    let senseless = Query { k1: f32::NAN, b: f32::INFINITY, title: -1.0, earlier: 1e30, ..Query::default() };
    let senseless_groups = [vec![0, 0, 1], vec![1, 7, u32::MAX]];
    let settings = |budget, floor, query| Settings {
        language: "en",
        encoding: "o200k_base",
        site: "",
        url_begin: "/",
        url_folder: "",
        budget,
        floor,
        query,
        repeats: &senseless_groups,
        synonyms: "kelp\tkelp z\t80\n\t\t\nkelp\nz kelp\ta\t4294967295\nkelp\t\t-1\n",
        publish_pinned: false,
    };
    let encoded = |set: &SectionSet, postings: &Postings, settings: &Settings<'_>| {
        encode(set, postings, settings, ContentHash([1; 16]))
    };
    let plain = settings(3700, 100, &queries[1]);
    let pinned = |tokens| {
        let mut set = set(vec![section(0, Some(0), tokens), section(0, None, tokens)]);
        set.sections.iter_mut().for_each(|section| section.pinned = true);
        set
    };
    let large = 1 << 30;
    let blobs = [
        (
            "sections of 2^30 tokens",
            encoded(&set(vec![section(0, None, large); 8]), &Postings { terms: vec![], lengths: vec![0; 8] }, &plain),
        ),
        ("pinned sections of 2^30 tokens", encoded(&pinned(large), &kelp(vec![]), &plain)),
        ("lengths of 2^30", encoded(&two(), &Postings { lengths: vec![large; 2], ..kelp(vec![(0, 1)]) }, &plain)),
        ("no lengths", encoded(&two(), &Postings { lengths: vec![0; 2], ..kelp(vec![(0, 1)]) }, &plain)),
        ("the largest settings", encoded(&two(), &kelp(vec![(0, 1)]), &settings(u32::MAX, u32::MAX, &queries[2]))),
        ("the smallest settings", encoded(&two(), &kelp(vec![(0, 1)]), &settings(0, 0, &queries[0]))),
        ("weights that are no numbers", encoded(&two(), &kelp(vec![(0, 1), (1, 2)]), &settings(3700, 100, &senseless))),
        ("a page that does not exist", encoded(&set(vec![section(9, None, 20); 2]), &kelp(vec![]), &plain)),
        ("a heading that does not exist", encoded(&set(vec![section(0, Some(9), 20); 2]), &kelp(vec![]), &plain)),
        ("a posting of a section that does not exist", encoded(&two(), &kelp(vec![(0, 1), (7, 1)]), &plain)),
        ("a term in the last section there can be", encoded(&two(), &kelp(vec![(u32::MAX, 1)]), &plain)),
        ("the largest tf", encoded(&two(), &kelp(vec![(0, u32::MAX), (1, u32::MAX)]), &plain)),
        (
            "a term in more sections than there are",
            encoded(&two(), &kelp((0..500).map(|id| (id, 1)).collect()), &plain),
        ),
        ("a posting of a pinned section", encoded(&pinned(20), &kelp(vec![(0, 1)]), &plain)),
        (
            "terms out of order",
            encoded(
                &two(),
                &Postings {
                    terms: ["z", "kelp", "a", ""].map(|term| (term.into(), vec![posting((0, 1))])).into(),
                    lengths: vec![4, 0],
                },
                &plain,
            ),
        ),
        ("no sections", encoded(&set(vec![]), &Postings::default(), &plain)),
        ("nothing", encoded(&SectionSet::default(), &Postings::default(), &plain)),
    ];
    let codes: Vec<_> = blobs.into_iter().map(|(what, bytes)| survive(bytes, what)).collect();
    assert!(codes.iter().flatten().all(|code| *code == "blob-damaged"), "{codes:?}");
}
