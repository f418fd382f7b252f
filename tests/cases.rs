//! The cases in `tests/cases/ranking`: for each question the section that comes first. Adding a case is adding a file:
//! `{ case, fault, language?, docs: [text], first: { question: number of the text } }`.

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
        let site = Site::new(&format!("{JSONL}[site]\nlanguage = '{language}'\n"), &[("docs.jsonl", &records(&docs))]);
        for (question, first) in case["first"].as_object().unwrap() {
            questions += 1;
            let ranked = site.ranked(question);
            if ranked.first().map(String::as_str) != first.as_str() {
                wrong.push(format!("{}: {question:?} wants {first} first, ranked {ranked:?}", path.display()));
            }
        }
        let texts: Vec<&str> = (0..docs.len() as u32).map(|id| site.kb.blob().text(id)).collect();
        assert_eq!(texts, docs, "the author's spelling is kept");
    }
    assert!(questions > 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
