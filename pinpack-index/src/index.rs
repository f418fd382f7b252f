//! Sections and terms to postings.

use std::collections::HashMap;

use crate::analyze::{Analyzer, Role};
use crate::section::SectionSet;

/// The index before it is encoded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Postings {
    /// Terms in byte order; each with the sections that hold it by ascending id, and its occurrences there.
    pub terms: Vec<(String, Vec<(u32, u32)>)>,
    /// Length of each section in terms; 0 for pinned sections, which are not indexed.
    pub lengths: Vec<u32>,
}

impl Postings {
    /// Indexes the content words of each section that is not pinned: its heading path and its text.
    #[must_use]
    pub fn new(set: &SectionSet, analyzer: &Analyzer) -> Self {
        let mut lists: HashMap<String, Vec<(u32, u32)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(set.sections.len());
        for (id, section) in set.sections.iter().enumerate() {
            let mut length = 0;
            if !section.pinned {
                for text in set.path(id).iter().chain([&section.text]) {
                    analyzer.each_term(text, &mut |term| {
                        if term.role == Role::Content {
                            length += 1;
                            count(&mut lists, term.text, id as u32);
                        }
                    });
                }
            }
            lengths.push(length);
        }
        let mut terms: Vec<_> = lists.into_iter().collect();
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Self { terms, lengths }
    }
}

fn count(index: &mut HashMap<String, Vec<(u32, u32)>>, term: &str, id: u32) {
    match index.get_mut(term) {
        None => {
            index.insert(term.to_string(), vec![(id, 1)]);
        }
        Some(postings) => match postings.last_mut() {
            Some((last, tf)) if *last == id => *tf += 1,
            _ => postings.push((id, 1)),
        },
    }
}
