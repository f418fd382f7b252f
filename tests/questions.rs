//! What visitors type: greetings, nonsense, one word, walls of text.

#![cfg(not(target_arch = "wasm32"))]

mod kit;

use std::f32::consts::LN_2;
use std::time::{Duration, Instant};

use kit::Site;
use pinpack::{Message, Pinpack, Why};

/// A shop of 50 sections and a rule; its pack cannot hold them all.
fn shop() -> Site {
    const GOODS: [&str; 10] =
        ["lamp", "chair", "table", "shelf", "carpet", "mirror", "curtain", "cushion", "vase", "clock"];
    const THEMES: [(&str, &str); 5] = [
        ("Sizes", "comes in three sizes, measured without its packaging"),
        ("Delivery", "is delivered within a week, carried to your door"),
        ("Care", "is cleaned with a dry cloth, never with alcohol"),
        ("Guarantee", "has a guarantee of two years against broken parts"),
        ("Colors", "is made in green, gray and a warm red"),
    ];
    let page = |goods: &str| {
        let section = |(heading, text): (&str, &str)| format!("## {heading}\n\nThe {goods} {text}.\n\n");
        format!("# The {goods}\n\n{}", THEMES.map(section).concat())
    };
    let pages = GOODS.map(|goods| (format!("{goods}.md"), page(goods)));
    let mut files: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push(("rules/refunds.md", "# Refunds\n\nNever promise a refund; billing decides.\n"));
    let site = Site::new("[budget]\ncontext = 600\nfloor = 300\n", &files);
    assert_eq!(site.kb.stats().sections, 51);
    site
}

/// Case C13.
#[test]
fn a_greeting_or_nonsense_matches_nothing_and_brings_pinned_and_floor_only() {
    let shop = shop();
    let rule = shop.pinned.clone();
    for question in ["hi", "thanks!", "asdfgh", "???", "", "hi, I need some help", "can you help me?"] {
        let message = [Message::user(question)];
        assert_eq!(shop.kb.rank(&message, 10), [], "{question}");
        let pack = shop.kb.explain(&message, None).unwrap();
        let whys: Vec<Why> = pack.sections.iter().map(|entry| entry.why).collect();
        assert_eq!((pack.sections[0].id, whys[0]), (rule[0], Why::Pinned), "{question}");
        assert!(whys.len() > 1 && whys[1..].iter().all(|why| *why == Why::Floor), "{question}: {whys:?}");
        assert!(pack.left.iter().all(|entry| entry.why == Why::NoMatch && entry.parts.is_empty()), "{question}");
        assert_eq!(pack.sections.len() + pack.left.len(), 51, "{question}");
    }
    assert_eq!(shop.ranked("is the clock guaranteed?")[0], "clock.md#guarantee");
}

#[test]
fn no_message_at_all_is_no_question() {
    let shop = shop();
    assert_eq!(shop.kb.rank(&[], 10), []);
    assert_eq!(shop.kb.pack(&[], None).unwrap().ids(), shop.ask("").ids());
}

/// Case B20: N = 2, n = 1 gives idf ln 2; a word in every section still scores above 0.
#[test]
fn a_word_in_half_or_all_of_a_small_site_scores_above_zero() {
    let site = Site::of_texts(&["refund policy page", "shipping policy page"]);
    let pack = site.ask("refund");
    assert!((pack.terms[0].idf - LN_2).abs() < 1e-6);
    assert_eq!(site.ranked("refund"), ["1"]);
    assert_eq!(site.ranked("policy"), ["1", "2"]);
    assert!(site.kb.rank(&[Message::user("policy")], 2).iter().all(|hit| hit.score > 0.0));
}

/// Case B22.
#[test]
fn a_repeated_word_and_a_wall_of_text_neither_swing_nor_slow_the_search() {
    let site = Site::of_texts(&["Refund rules", "Shipping rules"]);
    assert_eq!(site.ranked(&"refund ".repeat(500))[0], site.ranked("refund")[0]);
    assert!(fastest(&site.kb, &"refund ".repeat(500)) < Duration::from_millis(50));
    let complaint = wall_of_text(8_000, "refund");
    assert!(site.ranked(&complaint).contains(&"1".to_string()));
    assert!(fastest(&site.kb, &complaint) < Duration::from_millis(100));
    let huge = wall_of_text(100_000, "refund");
    assert!(site.ranked(&huge).contains(&"1".to_string()));
}

/// Different words up to a length in bytes, with `word` in the middle.
fn wall_of_text(bytes: usize, word: &str) -> String {
    let mut text = String::new();
    for number in 0.. {
        let digits = number.to_string().bytes().map(|digit| (b'a' + digit - b'0') as char).collect::<String>();
        text += &["x", &digits, "q "].concat();
        if text.len() > bytes / 2 && !text.contains(word) {
            text += &[word, " "].concat();
        }
        if text.len() >= bytes {
            break;
        }
    }
    text
}

/// The shortest of five runs: what the work takes when nothing else does.
fn fastest(kb: &Pinpack, question: &str) -> Duration {
    let run = |_| {
        let start = Instant::now();
        kb.pack(&[Message::user(question)], None).unwrap();
        start.elapsed()
    };
    (0..5).map(run).min().unwrap()
}
