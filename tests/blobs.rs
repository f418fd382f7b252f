//! Blobs of released formats open and answer as they did. See `tests/blobs/README.md`.

#![cfg(not(target_arch = "wasm32"))]

#[path = "blobs/answers.rs"]
mod answers;
mod kit;

use std::fs;

use answers::Answers;
use kit::{build_folder, repository, slow};
use pinpack::{FORMAT, Message, Pinpack};

fn fixture(format: u32) -> Vec<u8> {
    let path = repository(&format!("tests/blobs/format-{format}.pinpack"));
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_blob_of_every_format_opens_and_answers() {
    for format in 1..=FORMAT {
        Answers::read().assert_given_by(&Pinpack::open(fixture(format)).unwrap());
    }
}

/// Rendered as `docs/design.md` says, and counted as a whole by the encoding itself.
#[test]
fn a_pack_has_the_tokens_of_its_passages() {
    let encoding = tiktoken_rs::o200k_base().unwrap();
    let Answers { sections, answers } = Answers::read();
    for format in 1..=FORMAT {
        let kb = Pinpack::open(fixture(format)).unwrap();
        for answer in &answers {
            let pack = kb.pack(&[Message::user(&answer.question)], None).unwrap();
            let passages: String = (1..).zip(pack.ids()).map(|(n, id)| passage(n, &sections[id as usize])).collect();
            assert_eq!(pack.tokens as usize, encoding.encode_ordinary(&passages).len(), "{passages}");
        }
    }
}

fn passage(n: usize, section: &answers::Section) -> String {
    format!("<passage id=\"{n}\" title=\"{}\">\n{}\n</passage>\n", section.path.join(" › "), section.text)
}

#[test]
fn the_newest_blob_is_what_the_builder_makes_of_its_site() {
    let built = build_folder(&repository("tests/blobs/site")).blob;
    assert!(built == fixture(FORMAT), "the builder makes other bytes: see tests/blobs/README.md");
}

#[test]
fn a_blob_holds_what_the_page_shows() {
    let kb = Pinpack::open(fixture(FORMAT)).unwrap();
    let stats = kb.stats();
    assert_eq!((stats.sections, stats.pinned, stats.budget, stats.floor), (9, 2, 200, 120));
    assert_eq!(
        (stats.site.as_str(), stats.language.as_str(), stats.encoding.as_str()),
        ("Lighthouse Café", "en", "o200k_base")
    );
    let section = |reference: &str| {
        let id = (0..9).find(|id| kb.blob().reference(*id) == reference).unwrap();
        kb.section(id).unwrap()
    };
    let holidays = section("pages/hours.md#holidays");
    assert_eq!(holidays.path, ["Visit us", "Opening hours", "Holidays"]);
    assert_eq!(
        (holidays.title.as_str(), holidays.url.as_str()),
        ("Holidays", "https://lighthouse.example/hours#holidays")
    );
    assert_eq!(holidays.text.unwrap(), "In December the café is closed; the shop stays open.");
    assert_eq!(section("boat").url, "https://lighthouse.example/events");
    let rule = section("rules/refunds.md#refunds");
    assert_eq!((rule.url.as_str(), rule.text), ("", None));
}
