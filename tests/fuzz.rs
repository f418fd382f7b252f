//! Every kept seed of the fuzz targets, through the same laws as in `tests/fuzz`.

#![cfg(not(target_arch = "wasm32"))]

#[path = "fuzz/laws/mod.rs"]
mod laws;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

fn replay(target: &str, law: fn(&[u8])) {
    law(b"");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let mut seeds: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    assert!(seeds.len() >= 8, "{} holds {} seeds", folder.display(), seeds.len());
    for seed in seeds {
        let bytes = fs::read(&seed).unwrap();
        catch_unwind(AssertUnwindSafe(|| law(&bytes))).unwrap_or_else(|panic| {
            eprintln!("seed: {}", seed.display());
            resume_unwind(panic)
        });
    }
}

macro_rules! replays {
    ($($target:ident)*) => {
        $(#[test]
        fn $target() {
            replay(stringify!($target), laws::$target);
        })*
    };
}

replays! { markdown mdx html text jsonl front_matter config cutter blob query }
