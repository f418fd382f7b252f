//! Sections and terms to postings.

mod compounds;

use std::collections::HashMap;

use crate::analyze::{Analyzer, Form};
use crate::blob::Posting;
use crate::section::SectionSet;

/// The index before it is encoded.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Postings {
    /// Terms in byte order; each with the sections that hold it, by ascending id.
    pub terms: Vec<(String, Vec<Posting>)>,
    /// Length of each section in terms; 0 for pinned sections, which are not indexed.
    pub lengths: Vec<u32>,
}

impl Postings {
    /// Indexes the content words of each section that is not pinned: its heading path and its text. The last heading is the title.
    #[must_use]
    pub fn new(set: &SectionSet, analyzer: &Analyzer) -> Self {
        Self::in_languages(set, std::slice::from_ref(analyzer), &|_| 0)
    }

    /// The same, each section by its own analyzer: `language` gives its row for a section's id.
    #[must_use]
    pub fn in_languages(set: &SectionSet, analyzers: &[Analyzer], language: &dyn Fn(usize) -> usize) -> Self {
        let mut lists = Lists::new(analyzers);
        let mut lengths = Vec::with_capacity(set.sections.len());
        for (id, section) in set.sections.iter().enumerate() {
            let mut length = 0;
            lists.language = language(id);
            if !section.pinned {
                let path = set.path(id);
                for (depth, text) in path.iter().chain([&section.text]).enumerate() {
                    length += lists.add(text, id as u32, depth + 1 == path.len());
                }
            }
            lengths.push(length);
        }
        let mut terms = lists.terms;
        if analyzers.first().is_some_and(Analyzer::joins_words) {
            compounds::add_parts(&mut terms).into_iter().for_each(|(id, more)| lengths[id as usize] += more);
        }
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Self { terms, lengths }
    }
}

/// Postings under way. A site has few words and says them often: each is stemmed once.
struct Lists<'a> {
    analyzers: &'a [Analyzer],
    /// Row of the analyzer in use.
    language: usize,
    /// As in [`Postings`], in order of appearance.
    terms: Vec<(String, Vec<Posting>)>,
    rows: HashMap<String, usize>,
    /// For each analyzer rows of words by their form before stemming, one map for each [`Form`]; `None` for a word that is not indexed.
    words: Vec<[HashMap<String, Option<usize>>; 2]>,
}

impl<'a> Lists<'a> {
    fn new(analyzers: &'a [Analyzer]) -> Self {
        let words = analyzers.iter().map(|_| Default::default()).collect();
        Self { analyzers, language: 0, terms: Vec::new(), rows: HashMap::new(), words }
    }

    /// Adds the content words of a text of a section, and gives their number.
    fn add(&mut self, text: &str, section: u32, in_title: bool) -> u32 {
        let (analyzer, mut count) = (&self.analyzers[self.language], 0);
        analyzer.each_form(text, &mut |word, form| {
            if let Some(row) = self.row(word, form) {
                count += 1;
                match self.terms[row].1.last_mut() {
                    Some(last) if last.section == section => {
                        last.tf += 1;
                        last.in_title |= in_title;
                    }
                    _ => self.terms[row].1.push(Posting { section, tf: 1, in_title }),
                }
            }
        });
        count
    }

    fn row(&mut self, word: &str, form: Form) -> Option<usize> {
        let words = &mut self.words[self.language][form as usize];
        if let Some(row) = words.get(word) {
            return *row;
        }
        let row = self.analyzers[self.language].content(word, form).map(|term| {
            *self.rows.entry(term).or_insert_with_key(|term| {
                self.terms.push((term.clone(), Vec::new()));
                self.terms.len() - 1
            })
        });
        words.insert(word.to_string(), row);
        row
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::analyze::Role;
    use crate::section::{Page, Section};

    fn set(texts: &[String]) -> SectionSet {
        let page = Page { file: "a.md".into(), url: String::new(), title: "Running costs".into() };
        let section = |text: &String| Section {
            page: 0,
            heading: None,
            text: text.clone(),
            pinned: text.contains("pin"),
            tokens: 1,
            span: 0..0,
            line: 1,
        };
        SectionSet { pages: vec![page], headings: Vec::new(), sections: texts.iter().map(section).collect() }
    }

    proptest! {
        /// Words that are stemmed in one place and exact in another, stop words, numbers, scripts without spaces.
        #[test]
        fn holds_each_term_that_the_analyzer_gives(
            texts in prop::collection::vec("((the|runs?|running|Running2|node\\.js|C\\+\\+|\\.NET|pin|e-mails|4,900\\.00|日本語) ?){0,12}", 0..5),
            language in prop::sample::select(vec!["en", "fr", "xx"]),
        ) {
            let (set, analyzer) = (set(&texts), Analyzer::new(language));
            let mut slow: BTreeMap<String, BTreeMap<u32, (u32, bool)>> = BTreeMap::new();
            let mut lengths = vec![0; texts.len()];
            for (id, text) in texts.iter().enumerate().filter(|(_, text)| !text.contains("pin")) {
                for (text, is_title) in [("Running costs", true), (text, false)] {
                    analyzer.each_term(text, &mut |term| if term.role == Role::Content {
                        let (tf, in_title) = slow.entry(term.text.to_string()).or_default().entry(id as u32).or_default();
                        *tf += 1;
                        *in_title |= is_title;
                        lengths[id] += 1;
                    });
                }
            }
            let posting = |(section, (tf, in_title))| Posting { section, tf, in_title };
            let terms: Vec<_> = slow.into_iter().map(|(term, list)| (term, list.into_iter().map(posting).collect::<Vec<_>>())).collect();
            prop_assert_eq!(Postings::new(&set, &analyzer), Postings { terms, lengths });
        }
    }
}
