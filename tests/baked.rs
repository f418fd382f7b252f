//! The feature `baked`: a knowledge base that is part of the program.

#![cfg(all(feature = "baked", not(target_arch = "wasm32")))]

mod kit;

use std::env;
use std::path::Path;

use kit::build_folder;
use pinpack::{Message, Pinpack, Why};

#[test]
fn answers_without_any_file() {
    let kb = Pinpack::baked();
    let pack = kb.pack(&[Message::user("who is the studio dog?")], None).unwrap();
    let best = pack.sections.iter().find(|entry| entry.why == Why::Scored).expect("the demo has a page about the dog");
    assert!(kb.blob().reference(best.id).starts_with("content/dog.md#"));
    assert!(pack.sections.iter().take(kb.stats().pinned).all(|entry| entry.why == Why::Pinned));
    assert!(kb.stats().pinned > 0 && pack.tokens <= pack.budget);
}

/// Cargo gives a test the variable that the build script had.
#[test]
fn is_the_blob_of_a_native_build_byte_for_byte() {
    let sources = env::var("PINPACK_SOURCES").expect(".cargo/config.toml names the demo site");
    let built = build_folder(Path::new(&sources)).blob;
    // The file that `Pinpack::baked` embeds.
    let baked = include_bytes!(concat!(env!("OUT_DIR"), "/knowledge.pinpack"));
    assert!(built == baked);
    assert_eq!(Pinpack::baked().stats(), Pinpack::open(built).unwrap().stats());
}
