//! What every blob of `site/` answers, native and in the browser alike. The refs follow from the texts, the tokens from the encoding; scores
//! are compared to the bit.

#![allow(clippy::unreadable_literal, reason = "scores as the test prints them")]

use pinpack::{Message, Pinpack, Why};

/// A question with what is sent for it after the two pinned sections, which are sent for all.
pub struct Answer {
    pub question: &'static str,
    pub sent: &'static [(&'static str, Why)],
    /// Of all sections together.
    pub tokens: u32,
    /// Those that are not 0.
    pub scores: &'static [f32],
}

pub const PINNED: [&str; 2] = ["rules/contact.md#contact", "rules/refunds.md#refunds"];

pub const ANSWERS: [Answer; 7] = [
    // *open* stands twice in both: in the heading path and in the text.
    Answer {
        question: "when do you open?",
        sent: &[("pages/hours.md#opening-hours", Why::Scored), ("pages/hours.md#holidays", Why::Scored)],
        tokens: 121,
        scores: &[1.5928397, 1.5928397],
    },
    Answer {
        question: "Zimtschnecke",
        sent: &[("pages/menu.md#zimtschnecke", Why::Scored), ("reading", Why::Floor)],
        tokens: 125,
        scores: &[2.2290318],
    },
    // *cafe* finds *café*, *closed* also *close*: December has three of the words, the hours have one.
    Answer {
        question: "is the cafe closed in December?",
        sent: &[("pages/hours.md#holidays", Why::Scored), ("pages/hours.md#opening-hours", Why::Scored)],
        tokens: 121,
        scores: &[4.484515, 1.1562952],
    },
    Answer {
        question: "can I get a refund for the boat trip?",
        sent: &[("boat", Why::Scored), ("reading", Why::Floor), ("pages/hours.md#opening-hours", Why::Floor)],
        tokens: 144,
        scores: &[4.2442813],
    },
    // A word of the code block.
    Answer {
        question: "how do I use curl?",
        sent: &[("pages/menu.md#ordering-by-program", Why::Scored), ("reading", Why::Floor)],
        tokens: 129,
        scores: &[1.2912073],
    },
    Answer {
        question: "who reads on Friday?",
        sent: &[("reading", Why::Scored), ("boat", Why::Floor), ("pages/hours.md#opening-hours", Why::Floor)],
        tokens: 144,
        scores: &[4.405187],
    },
    Answer {
        question: "hi, can you help me?",
        sent: &[("reading", Why::Floor), ("boat", Why::Floor), ("pages/hours.md#opening-hours", Why::Floor)],
        tokens: 144,
        scores: &[],
    },
];

/// Every answer is right: what is sent and why, its tokens, its scores; `rank` and `explain` say the same.
pub fn assert_answers(kb: &Pinpack) {
    for Answer { question, sent, tokens, scores } in &ANSWERS {
        let messages = [Message::user(question)];
        let pack = kb.pack(&messages, None).unwrap();
        let wanted: Vec<(String, Why)> = PINNED
            .iter()
            .map(|pin| (*pin, Why::Pinned))
            .chain(sent.iter().copied())
            .map(|(id, why)| (id.into(), why))
            .collect();
        let found: Vec<(String, Why)> =
            pack.sections.iter().map(|entry| (kb.blob().reference(entry.id), entry.why)).collect();
        assert_eq!(found, wanted, "{question}");
        let found: Vec<f32> = pack.sections.iter().map(|entry| entry.score).filter(|score| *score > 0.0).collect();
        let bits = |scores: &[f32]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
        assert_eq!((pack.tokens, bits(&found)), (*tokens, bits(scores)), "{question}: scores {found:?}");
        let ranked: Vec<f32> = kb.rank(&messages, 9).iter().map(|hit| hit.score).collect();
        assert_eq!(bits(&ranked), bits(&found), "{question}");
        assert_eq!(kb.explain(&messages, None).unwrap().sections, pack.sections, "{question}");
    }
}
