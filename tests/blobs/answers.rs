//! What every blob of `site/` answers, native and in the browser alike: `answers.json`, written by hand from the files of the site. Scores
//! are those of the slow scorer over its sections.

use pinpack::{Message, Pack, Pinpack, Why};
use serde::Deserialize;

use super::slow::{Slow, close};

/// The site as a reader of its files would tell it.
#[derive(Deserialize)]
pub struct Answers {
    /// In the order of the files.
    pub sections: Vec<Section>,
    pub answers: Vec<Answer>,
}

/// What is published of a section, and what is not.
#[derive(Deserialize)]
pub struct Section {
    #[serde(rename = "ref")]
    pub reference: String,
    pub path: Vec<String>,
    pub text: String,
    #[serde(default)]
    pub pinned: bool,
}

/// A question with the refs that are sent for it after the pinned ones, which are sent for all.
#[derive(Deserialize)]
pub struct Answer {
    pub question: String,
    scored: Vec<String>,
    floor: Vec<String>,
}

impl Answers {
    pub fn read() -> Self {
        serde_json::from_str(include_str!("answers.json")).unwrap()
    }

    /// The blob holds the sections, and gives every answer: what is sent and why, with which scores; `rank` and `explain` say the same.
    pub fn assert_given_by(&self, kb: &Pinpack) {
        self.assert_sections(kb);
        let slow = Slow::new(self.sections.iter().map(Section::searched));
        for answer in &self.answers {
            let messages = [Message::user(&answer.question)];
            let pack = kb.pack(&messages, None).unwrap();
            self.assert_sent(answer, &pack);
            assert_scores(&answer.question, kb, &pack, &slow.scores(&answer.question));
            assert_eq!(kb.explain(&messages, None).unwrap().sections, pack.sections, "{}", answer.question);
        }
    }

    fn assert_sections(&self, kb: &Pinpack) {
        assert_eq!(kb.stats().sections, self.sections.len());
        for (id, section) in (0..).zip(&self.sections) {
            let found = kb.section(id).unwrap();
            assert_eq!((&found.reference, &found.path), (&section.reference, &section.path));
            assert_eq!(found.text.as_ref(), (!section.pinned).then_some(&section.text));
            assert_eq!(kb.blob().is_pinned(id), section.pinned);
        }
    }

    fn assert_sent(&self, answer: &Answer, pack: &Pack) {
        let pinned =
            self.sections.iter().filter(|section| section.pinned).map(|section| (&section.reference, Why::Pinned));
        let scored = answer.scored.iter().map(|reference| (reference, Why::Scored));
        let floor = answer.floor.iter().map(|reference| (reference, Why::Floor));
        let wanted: Vec<_> = pinned.chain(scored).chain(floor).collect();
        let found: Vec<_> =
            pack.sections.iter().map(|entry| (&self.sections[entry.id as usize].reference, entry.why)).collect();
        assert_eq!(found, wanted, "{}", answer.question);
    }
}

impl Section {
    /// What is searched of it: nothing when it is pinned.
    fn searched(&self) -> Option<Vec<&str>> {
        let texts = self.path.iter().chain([&self.text]).map(String::as_str);
        (!self.pinned).then(|| texts.collect())
    }
}

/// Each section that is sent has its slow score, and all that have one are ranked by the same scores.
fn assert_scores(question: &str, kb: &Pinpack, pack: &Pack, slow: &[f64]) {
    for entry in &pack.sections {
        let wanted = slow[entry.id as usize];
        assert!(close(entry.score, wanted), "{question}: {entry:?} scores {wanted}");
    }
    let ranked: Vec<_> = kb.rank(&[Message::user(question)], 9).iter().map(|hit| (hit.id, hit.score)).collect();
    let scored = pack.sections.iter().filter(|entry| entry.why == Why::Scored).map(|entry| (entry.id, entry.score));
    assert_eq!(ranked, scored.collect::<Vec<_>>(), "{question}");
    assert_eq!(ranked.len(), slow.iter().filter(|score| **score > 0.0).count(), "{question}");
}
