//! What the native tests share: sites from texts and folders, packs as they are rendered, and repeatable chance.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod slow;

use std::path::{Path, PathBuf};
use std::{env, fs};

use pinpack::{Message, Pack, Pinpack};
use pinpack_index::{BuildError, Built, Config, SourceFile, build, render_passage, select};
use serde_json::{Value, json};

/// A configuration that reads `docs.jsonl` and nothing else.
pub const JSONL: &str = "[sources]\ninclude = []\njsonl = 'docs.jsonl'\n";

/// A knowledge base with what the proxy knows of it.
pub struct Site {
    pub kb: Pinpack,
    pub blob: Vec<u8>,
    /// Per section: its label in the prompt.
    pub labels: Vec<String>,
    /// Per section: its text, private rules too.
    pub texts: Vec<String>,
    pub pinned: Vec<u32>,
}

/// Builds files with a `pinpack.toml`.
pub fn try_build(config: &str, files: &[(&str, &str)]) -> Result<Built, BuildError> {
    let files: Vec<SourceFile<'_>> =
        files.iter().map(|(path, text)| SourceFile { path, bytes: text.as_bytes() }).collect();
    build(&files, &Config::parse(config)?, &mut |_, _| {})
}

impl Site {
    /// A site of files.
    pub fn new(config: &str, files: &[(&str, &str)]) -> Self {
        Self::of(try_build(config, files).unwrap_or_else(|error| panic!("[{}] {error}", error.code())))
    }

    /// A site of one ready-made section a text; ids are `1`, `2` and so on.
    pub fn of_texts(texts: &[&str]) -> Self {
        Self::new(JSONL, &[("docs.jsonl", &records(texts))])
    }

    pub fn of(built: Built) -> Self {
        let knowledge: Value = serde_json::from_str(&built.knowledge).unwrap();
        let sections = knowledge["sections"].as_array().unwrap();
        let column = |key: &str| sections.iter().map(|section| section[key].as_str().unwrap().to_string()).collect();
        let pinned = knowledge["pinned"].as_array().unwrap();
        Self {
            labels: column("label"),
            texts: column("text"),
            pinned: pinned.iter().map(|id| id.as_u64().unwrap() as u32).collect(),
            kb: Pinpack::open(built.blob.clone()).unwrap(),
            blob: built.blob,
        }
    }

    /// The passages of a pack as the proxy puts them into the prompt.
    pub fn render(&self, pack: &Pack) -> String {
        let passage = |(at, id): (usize, u32)| {
            let id = id as usize;
            render_passage(at + 1, &self.labels[id], &self.texts[id])
        };
        pack.ids().into_iter().enumerate().map(passage).collect()
    }

    pub fn refs(&self, ids: &[u32]) -> Vec<String> {
        ids.iter().map(|id| self.kb.blob().reference(*id)).collect()
    }

    /// Refs of the ranked sections, best first.
    pub fn ranked(&self, question: &str) -> Vec<String> {
        let hits = self.kb.rank(&[Message::user(question)], usize::MAX);
        self.refs(&hits.iter().map(|hit| hit.id).collect::<Vec<_>>())
    }

    pub fn ask(&self, question: &str) -> Pack {
        self.kb.pack(&[Message::user(question)], None).unwrap()
    }
}

/// JSONL of one section a text; ids are `1`, `2` and so on.
pub fn records(texts: &[&str]) -> String {
    let record = |(at, text): (usize, &&str)| json!({ "_id": (at + 1).to_string(), "text": text }).to_string();
    texts.iter().enumerate().map(record).collect::<Vec<_>>().join("\n")
}

/// Builds a folder by its `pinpack.toml`.
pub fn build_folder(folder: &Path) -> Built {
    let config = Config::parse(&fs::read_to_string(folder.join("pinpack.toml")).unwrap_or_default()).unwrap();
    let mut paths = Vec::new();
    walk(folder, folder, &mut paths);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let chosen = select(&paths, &config).unwrap();
    let contents: Vec<Vec<u8>> = chosen.iter().map(|path| fs::read(folder.join(path)).unwrap()).collect();
    let files: Vec<SourceFile<'_>> =
        chosen.iter().zip(&contents).map(|(path, bytes)| SourceFile { path, bytes }).collect();
    build(&files, &config, &mut |_, _| {}).unwrap()
}

fn walk(root: &Path, folder: &Path, out: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(root, &path, out);
        } else {
            out.push(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
}

/// A path in the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A path of the shared data: below `PINPACK_SHARED`, or in `shared` beside the repository. `None`, said aloud, without it.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = env::var_os("PINPACK_SHARED").map_or_else(|| repository("../shared"), PathBuf::from);
    let found = Some(root.join(path)).filter(|path| path.exists());
    if found.is_none() {
        eprintln!("SKIPPED: no {path} in {}; PINPACK_SHARED names the folder of shared data", root.display());
    }
    found
}

/// Repeatable chance: `SplitMix64`.
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..below`.
    pub fn below(&mut self, below: usize) -> usize {
        (self.next() % below as u64) as usize
    }

    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    /// A rank in `0..below`, each half as often as that of half its size: near Zipf's law.
    pub fn rank(&mut self, below: usize) -> usize {
        let bits = self.below(below.ilog2() as usize + 1);
        (1 << bits) - 1 + self.below((1 << bits).min(below - (1 << bits) + 1))
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
