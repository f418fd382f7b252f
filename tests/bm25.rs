//! Law: BM25 is exact. Ranking and scores are those of a slow scorer that counts everything by hand, in 64 bits.

#![cfg(not(target_arch = "wasm32"))]

mod kit;

use std::fs;

use kit::slow::{Slow, close};
use kit::{Chance, JSONL, Site, shared};
use pinpack::{Hit, Message};
use serde_json::{Value, json};

/// One ready-made section.
struct Record {
    id: String,
    title: String,
    text: String,
    pinned: bool,
}

impl Record {
    fn searched(&self) -> Option<Vec<&str>> {
        (!self.pinned).then(|| vec![&*self.title, &*self.text])
    }
}

fn build(records: &[Record]) -> Site {
    let line = |Record { id, title, text, pinned }: &Record| {
        json!({ "_id": id, "title": title, "text": text, "pinned": pinned }).to_string()
    };
    let lines = records.iter().map(line).collect::<Vec<_>>().join("\n");
    Site::new(&format!("{JSONL}[budget]\ncontext = 100000\n[query]\ntypos = false\n"), &[("docs.jsonl", &lines)])
}

/// Every question's hits are those of the slow scorer; gives how many hits there were.
fn assert_exact(records: &[Record], questions: &[String]) -> usize {
    let (site, slow) = (build(records), Slow::new(records.iter().map(Record::searched)));
    let mut compared = 0;
    for question in questions {
        let hits = site.kb.rank(&[Message::user(question)], usize::MAX);
        let scores = slow.scores(question);
        let mut best: Vec<f64> = scores.iter().copied().filter(|score| *score > 0.0).collect();
        best.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(hits.len(), best.len(), "{question}");
        for (hit, best) in hits.iter().zip(best) {
            let own = scores[hit.id as usize];
            assert!(close(hit.score, own), "{question}: {hit:?} scores {own}");
            assert!(close(hit.score, best), "{question}: {hit:?} stands where {best} belongs");
        }
        let ordered = |pair: &[Hit]| {
            pair[0].score > pair[1].score
                || (pair[0].score.to_bits() == pair[1].score.to_bits() && pair[0].id < pair[1].id)
        };
        assert!(hits.windows(2).all(ordered), "{question}: ties go by id");
        compared += hits.len();
    }
    compared
}

/// Words by rank: pronounceable ones, with forms that share a stem, and some of several parts.
fn vocabulary(size: usize) -> Vec<String> {
    const SYLLABLES: [&str; 16] =
        ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "pra", "ste", "gri", "lo", "dan", "mer"];
    const ENDINGS: [&str; 8] = ["", "s", "ing", "ed", "", ".js", "-form", "2"];
    const OTHERS: [&str; 8] =
        ["退款服务", "naïve", "C++", "$20", "14.2.1", "info@shop.example", "camelCase", "استرداد"];
    let word = |rank: usize| {
        let base = rank / 2;
        let stem: String = [base % 16, base / 16 % 16, base / 256].map(|syllable| SYLLABLES[syllable]).concat();
        stem + ENDINGS[rank % 8]
    };
    (0..size).map(|rank| if rank % 97 == 96 { OTHERS[rank / 97 % 8].to_string() } else { word(rank) }).collect()
}

fn sentence(chance: &mut Chance, words: &[String], count: usize) -> String {
    const COMMON: [&str; 10] = ["the", "of", "is", "and", "hello", "thanks", "please", "what", "you", "welcome"];
    let word = |chance: &mut Chance| match chance.below(4) {
        0 => (*chance.pick(&COMMON)).to_string(),
        _ => words[chance.rank(words.len())].clone(),
    };
    (0..count).map(|_| word(chance)).collect::<Vec<_>>().join(" ")
}

#[test]
fn equals_a_slow_scorer_on_a_generated_corpus() {
    let (mut chance, words) = (Chance(7), vocabulary(4000));
    let mut records: Vec<Record> = Vec::new();
    for id in 0..1200 {
        let (title, length) = (chance.below(5), 3 + chance.below(120));
        let copy = chance.one_in(40).then(|| records.last()).flatten();
        let text = copy.map(|last| (last.title.clone(), last.text.clone()));
        let (title, text) =
            text.unwrap_or_else(|| (sentence(&mut chance, &words, title), sentence(&mut chance, &words, length)));
        records.push(Record { id: id.to_string(), title, text, pinned: id % 101 == 100 });
    }
    let questions: Vec<String> = (0..200)
        .map(|at| {
            let question = sentence(&mut chance, &words, 1 + at % 8);
            if at % 10 == 0 { format!("{question} {question}") } else { question }
        })
        .collect();
    let compared = assert_exact(&records, &questions);
    assert!(compared > 20_000, "only {compared} hits were compared");
}

#[test]
fn equals_a_slow_scorer_on_real_documentation() {
    let Some(folder) = shared("data/growth/docs-1000") else { return };
    let lines = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().trim().to_string();
    let records: Vec<Record> = lines("corpus.jsonl")
        .iter()
        .map(|line| Record {
            id: text(line, "_id"),
            title: text(line, "title"),
            text: text(line, "text"),
            pinned: false,
        })
        .collect();
    let questions: Vec<String> = lines("queries.jsonl").iter().map(|line| text(line, "text")).take(200).collect();
    assert!(assert_exact(&records, &questions) > 20_000);
}
