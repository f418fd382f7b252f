//! The cases in `tests/cases/ranking`: for each question the section that comes first. Adding a case is adding a file: `{ case, fault,
//! language?, synonyms?, docs: [text], first: { question: text }, top?: { question: [text, places] }, below?: { question: [upper, lower] },
//! none?: [question] }`. Texts are named by their number, from 1.

#![cfg(not(target_arch = "wasm32"))]

mod kit;

use std::fs;

use kit::{JSONL, Site, records, repository};
use serde_json::Value;

#[test]
fn each_ranking_case_finds_its_section_first() {
    let mut questions = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(repository("tests/cases/ranking")).unwrap() {
        let path = entry.unwrap().path();
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let docs: Vec<&str> = case["docs"].as_array().unwrap().iter().map(|doc| doc.as_str().unwrap()).collect();
        let language = case["language"].as_str().unwrap_or("en");
        let synonyms = case["synonyms"].as_str();
        let setting = if synonyms.is_some() { "[query]\nsynonyms = 'synonyms.toml'\n" } else { "" };
        let config = format!("{JSONL}[site]\nlanguage = '{language}'\n{setting}");
        let files = [("docs.jsonl", &*records(&docs)), ("synonyms.toml", synonyms.unwrap_or(""))];
        let site = Site::new(&config, &files);
        for (question, first) in case["first"].as_object().unwrap() {
            questions += 1;
            let ranked = site.ranked(question);
            if ranked.first().map(String::as_str) != first.as_str() {
                wrong.push(format!("{}: {question:?} wants {first} first, ranked {ranked:?}", path.display()));
            }
        }
        let place = |question: &str, text: &Value| {
            site.ranked(question)
                .iter()
                .position(|reference| Some(reference.as_str()) == text.as_str())
                .unwrap_or(usize::MAX)
        };
        for (question, top) in case["top"].as_object().into_iter().flatten() {
            questions += 1;
            if place(question, &top[0]) as u64 >= top[1].as_u64().unwrap() {
                wrong.push(format!("{}: {question:?} wants {top}, ranked {:?}", path.display(), site.ranked(question)));
            }
        }
        for (question, pair) in case["below"].as_object().into_iter().flatten() {
            questions += 1;
            if place(question, &pair[0]) >= place(question, &pair[1]) {
                wrong.push(format!("{}: {question:?} wants {pair} in this order", path.display()));
            }
        }
        for question in case["none"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            questions += 1;
            if !site.ranked(question).is_empty() {
                wrong.push(format!("{}: {question:?} finds {:?}", path.display(), site.ranked(question)));
            }
        }
        let texts: Vec<&str> = (0..docs.len() as u32).map(|id| site.kb.blob().text(id)).collect();
        assert_eq!(texts, docs, "the author's spelling is kept");
    }
    assert!(questions > 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
