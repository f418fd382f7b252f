//! What goes into a pack: pinned, then the best that fit, then the floor; the whole site when it fits.

#![cfg(not(target_arch = "wasm32"))]

mod kit;

use std::iter::successors;

use kit::{Chance, JSONL, Site, try_build};
use pinpack::{Message, Pack, PackError, Why};
use pinpack_index::{BuildError, Counter};
use serde_json::json;

/// A text of exactly `tokens` tokens as rendered without a title: `words`, and a letter that no question asks for.
fn text_of(tokens: u32, words: &str, filler: char) -> String {
    let counter = Counter::new("o200k_base").unwrap();
    let longer = successors(Some(words.to_string()), |text| Some(format!("{text} {filler}")));
    longer.into_iter().find(|text| counter.count_passage("", text) >= tokens).unwrap()
}

/// JSONL of sections of given sizes: id, tokens, words, pinned.
fn sized(sections: &[(&str, u32, &str, bool)]) -> String {
    // Each with its own filler: no two are alike.
    let line = |(&(id, tokens, words, pinned), filler): (&(&str, u32, &str, bool), char)| {
        json!({ "_id": id, "text": text_of(tokens, words, filler), "pinned": pinned }).to_string()
    };
    sections.iter().zip(('a'..='z').cycle()).map(line).collect::<Vec<_>>().join("\n")
}

fn site(sections: &[(&str, u32, &str, bool)], context: u32, floor: u32) -> Site {
    let site = Site::new(
        &format!("{JSONL}[budget]\ncontext = {context}\nfloor = {floor}\n"),
        &[("docs.jsonl", &sized(sections))],
    );
    let tokens: Vec<u32> = (0..sections.len() as u32).map(|id| site.kb.blob().tokens(id)).collect();
    assert_eq!(tokens, sections.iter().map(|section| section.1).collect::<Vec<_>>());
    site
}

fn sent(site: &Site, pack: &Pack) -> Vec<(String, Why)> {
    pack.sections.iter().map(|entry| (site.kb.blob().reference(entry.id), entry.why)).collect()
}

/// Case C01: six facts of 20 tokens, five sections of 30, a budget of 100.
const TOO_MANY_RULES: [(&str, u32, &str, bool); 11] = [
    ("fact-1", 20, "one", true),
    ("fact-2", 20, "two", true),
    ("fact-3", 20, "three", true),
    ("fact-4", 20, "four", true),
    ("fact-5", 20, "five", true),
    ("fact-6", 20, "six", true),
    ("a", 30, "kelp", false),
    ("b", 30, "kelp", false),
    ("c", 30, "kelp", false),
    ("d", 30, "kelp", false),
    ("e", 30, "kelp", false),
];

#[test]
fn a_build_whose_pinned_set_does_not_fit_fails_and_names_it_and_the_numbers() {
    let config = format!("{JSONL}[budget]\ncontext = 100\nfloor = 0\n");
    let error = try_build(&config, &[("docs.jsonl", &sized(&TOO_MANY_RULES))]).expect_err("120 do not fit 100");
    assert_eq!(error.code(), "pinned-over-budget");
    let BuildError::PinnedOverBudget { pinned, budget, sections } = &error else { panic!("{error:?}") };
    assert_eq!((*pinned, *budget), (120, 100));
    let named: Vec<(&str, u32)> = sections.iter().map(|(name, tokens)| (name.as_str(), *tokens)).collect();
    assert_eq!(named, TOO_MANY_RULES[..6].iter().map(|fact| (fact.0, fact.1)).collect::<Vec<_>>());
    let message = error.to_string();
    assert!(message.contains("120 > 100"), "{message}");
    assert!(TOO_MANY_RULES[..6].iter().all(|fact| message.contains(fact.0)), "{message}");
}

#[test]
fn the_answers_reserve_is_not_for_rules() {
    let config = format!("{JSONL}[budget]\ncontext = 150\nanswer = 31\nfloor = 0\n");
    let error = try_build(&config, &[("docs.jsonl", &sized(&TOO_MANY_RULES))]).expect_err("119 are left");
    assert!(error.to_string().contains("120 > 119"), "{error}");
    let config = format!("{JSONL}[budget]\ncontext = 150\nanswer = 30\nfloor = 0\n");
    assert!(try_build(&config, &[("docs.jsonl", &sized(&TOO_MANY_RULES))]).is_ok());
}

#[test]
fn a_pack_that_cannot_hold_the_pinned_set_is_an_error_with_both_numbers() {
    let site = site(&TOO_MANY_RULES, 150, 0);
    for packing in [pinpack::Pinpack::pack, pinpack::Pinpack::explain] {
        let error = packing(&site.kb, &[Message::user("kelp")], Some(100)).unwrap_err();
        assert_eq!(error, PackError::BudgetTooSmall { budget: 100, pinned: 120 });
        assert!(error.to_string().contains("100") && error.to_string().contains("120"), "{error}");
        assert_eq!(packing(&site.kb, &[Message::user("kelp")], Some(120)).unwrap().ids(), [0, 1, 2, 3, 4, 5]);
    }
}

/// Case C03.
#[test]
fn no_budget_from_0_to_500_is_ever_passed() {
    let sections: Vec<(String, u32, String, bool)> = (0..40)
        .map(|id| {
            (id.to_string(), 20 + (id * 37) % 90, format!("kelp {}", ["urchin", "crab"][id as usize % 2]), id % 13 == 6)
        })
        .collect();
    let sections: Vec<_> =
        sections.iter().map(|(id, tokens, words, pin)| (id.as_str(), *tokens, words.as_str(), *pin)).collect();
    let site = site(&sections, 3700, 200);
    let pinned: u32 = sections.iter().filter(|section| section.3).map(|section| section.1).sum();
    let counter = Counter::new("o200k_base").unwrap();
    for budget in 0..=500 {
        match site.kb.pack(&[Message::user("crab")], Some(budget)) {
            Ok(pack) => {
                assert!(counter.count(&site.render(&pack)) <= budget, "{budget}");
                assert!(budget >= pinned);
            }
            Err(error) => assert_eq!(error, PackError::BudgetTooSmall { budget, pinned }),
        }
    }
}

/// Case C05.
#[test]
fn what_does_not_fit_is_passed_over_and_said() {
    let (b, many) = (("b", 500), "urchin ".repeat(40));
    let site = site(&[("a", 60, "kelp urchin", false), (b.0, b.1, &many, false), ("c", 30, "urchin", false)], 3700, 0);
    let question = [Message::user("kelp urchin")];
    assert_eq!(site.ranked("kelp urchin"), ["a", "b", "c"]);
    for packing in [pinpack::Pinpack::pack, pinpack::Pinpack::explain] {
        let pack = packing(&site.kb, &question, Some(100)).unwrap();
        assert_eq!(sent(&site, &pack), [("a".into(), Why::Scored), ("c".into(), Why::Scored)]);
        assert_eq!(pack.tokens, 90);
        let left: Vec<(u32, Why)> = pack.left.iter().map(|entry| (entry.id, entry.why)).collect();
        assert_eq!(left, [(1, Why::TooLarge)]);
    }
}

#[test]
fn a_section_that_fits_to_the_token_is_sent() {
    let site = site(&[("rule", 25, "rule", true), ("a", 60, "kelp", false), ("b", 61, "kelp", false)], 3700, 0);
    let ids = |budget| site.kb.pack(&[Message::user("kelp")], Some(budget)).unwrap().ids();
    assert_eq!((ids(84), ids(85), ids(145), ids(146)), (vec![0], vec![0, 1], vec![0, 1], vec![0, 1, 2]));
}

#[test]
fn the_floor_fills_in_file_order_until_it_is_reached() {
    let sections: Vec<(String, u32, &str, bool)> =
        (0..20).map(|id| (id.to_string(), 50, if id == 15 { "kelp" } else { "sand" }, id == 3)).collect();
    let sections: Vec<_> =
        sections.iter().map(|(id, tokens, words, pin)| (id.as_str(), *tokens, *words, *pin)).collect();
    let site = site(&sections, 400, 210);
    // 50 pinned and 50 scored; 100 and 150 and 200 are under 210, so three more follow.
    let expected = [("3", Why::Pinned), ("15", Why::Scored), ("0", Why::Floor), ("1", Why::Floor), ("2", Why::Floor)];
    assert_eq!(sent(&site, &site.ask("kelp")), expected.map(|(id, why)| (id.to_string(), why)));
    // Without a match there is one more; the pinned section is not sent twice.
    let ids: Vec<u32> = site.ask("hello").ids();
    assert_eq!(ids, [3, 0, 1, 2, 4]);
}

#[test]
fn the_floor_passes_over_what_does_not_fit() {
    let site = site(&[("a", 60, "sand", false), ("b", 300, "sand", false), ("c", 30, "sand", false)], 100, 90);
    assert_eq!(site.ask("kelp").ids(), [0, 2]);
}

#[test]
fn the_whole_site_is_sent_when_it_fits_to_the_token_and_the_floor_when_one_is_missing() {
    let sections =
        [("rule", 30, "rule", true), ("a", 50, "sand", false), ("b", 60, "kelp", false), ("c", 70, "sand", false)];
    let site = site(&sections, 3700, 0);
    let ids = |budget| site.kb.pack(&[Message::user("kelp")], Some(budget)).unwrap().ids();
    assert_eq!(ids(210), [0, 2, 1, 3]);
    assert_eq!(ids(209), [0, 2]);
}

/// Case C14.
#[test]
fn sections_with_the_same_text_keep_their_order_however_the_files_come() {
    let mut files = ["a.md", "b.md", "c.md", "d.md"].map(|path| (path, "# Refunds\n\nWithin 30 days of delivery.\n"));
    let mut chance = Chance(14);
    for _ in 0..100 {
        chance.shuffle(&mut files);
        let site = Site::new("", &files);
        let hits = site.kb.rank(&[Message::user("refunds within 30 days")], 10);
        assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert!(hits.iter().all(|hit| hit.score.to_bits() == hits[0].score.to_bits()));
        assert_eq!(site.refs(&[0, 1, 2, 3]), ["a.md#refunds", "b.md#refunds", "c.md#refunds", "d.md#refunds"]);
    }
}

#[test]
fn the_best_few_are_the_first_of_all_ties_or_not() {
    let texts: Vec<String> = (0..60).map(|id| format!("kelp {}", "sand ".repeat(id % 4))).collect();
    let site = Site::of_texts(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let all = site.kb.rank(&[Message::user("kelp")], usize::MAX);
    assert_eq!(all.len(), 60);
    for limit in [0, 1, 2, 14, 15, 16, 59, 60, 61] {
        assert_eq!(site.kb.rank(&[Message::user("kelp")], limit), all[..limit.min(60)]);
    }
}

/// A passage costs more from number 1000 on, where its number is two tokens.
#[test]
fn more_than_999_passages_stay_in_the_budget() {
    let texts = vec!["kelp"; 1100];
    let lines = kit::records(&texts);
    let site = Site::new(&format!("{JSONL}[budget]\ncontext = 100000\n"), &[("docs.jsonl", &lines)]);
    let tokens = site.kb.stats().tokens;
    let encoding = Counter::new("o200k_base").unwrap();
    for budget in [tokens, tokens - 1, 100_000] {
        let pack = site.kb.pack(&[Message::user("kelp")], Some(budget)).unwrap();
        let counted = encoding.count(&site.render(&pack));
        assert!(counted <= budget, "{counted} tokens of {budget}, {} passages", pack.sections.len());
        assert_eq!(counted, pack.tokens);
    }
}

/// Case C09: what eight pages repeat word by word is sent once, and leaves room for what says more.
#[test]
fn what_was_said_is_not_said_again() {
    let note = "## Shipping\n\nShipping cost depends on weight and country. We ship on weekdays with the national post, pack with \
                paper only, and send a tracking number by mail. Ask us before ordering if you are not sure whether we ship to \
                your island, and we will find out what the cost of shipping is there.\n";
    let page = |at: usize| (format!("page-{at}.md"), format!("# Product {at}\n\nThing number {at}.\n\n{note}"));
    let pages: Vec<(String, String)> = (0..8).map(page).collect();
    let mut files: Vec<(&str, &str)> = pages.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.push((
        "table.md",
        "# Shipping cost\n\n| country | cost |\n| --- | --- |\n| Belgium | 5 euros |\n| Peru | 40 euros |\n",
    ));
    let site = Site::new("[budget]\ncontext = 330\nfloor = 330\n", &files);
    let explained = site.kb.explain(&[Message::user("shipping cost")], None).unwrap();
    let refs = site.refs(&explained.ids());
    assert_eq!(refs.iter().filter(|reference| reference.ends_with("#shipping")).count(), 1, "{refs:?}");
    assert!(refs.contains(&"table.md#shipping-cost".to_string()), "{refs:?}");
    let repeats = explained.left.iter().filter(|entry| entry.why == Why::Repeat).count();
    assert_eq!(repeats, 7);
    // When the whole site fits, nothing is left out.
    let all = site.kb.explain(&[Message::user("shipping cost")], Some(100_000)).unwrap();
    assert_eq!(all.left, []);
}

#[test]
fn the_best_matches_bring_the_other_pieces_of_their_heading() {
    let sentence =
        |word: &str, at: usize| format!("The {word} number {at} is explained here at some length and with care. ");
    let long = |word: &str| (0..12).map(|at| sentence(word, at)).collect::<String>();
    let text = format!("# Assembly\n\n{}The kelp goes last.\n\n# Other\n\n{}\n", long("step"), long("other"));
    let config = "[sections]\ntarget = 60\nmax = 80\n[budget]\ncontext = 2000\nfloor = 0\n";
    let filler = (0..30).map(|at| format!("# Page {at}\n\n{}\n", long(&format!("thing{at}")))).collect::<String>();
    let site = Site::new(config, &[("a.md", &text), ("z.md", &filler)]);
    let pack = site.ask("kelp");
    let whys: Vec<Why> = pack.sections.iter().map(|entry| entry.why).collect();
    let refs = site.refs(&pack.ids());
    assert!(whys.len() > 2 && whys[0] == Why::Scored && whys[1..].iter().all(|why| *why == Why::Neighbor), "{whys:?}");
    assert!(refs.iter().all(|reference| reference.starts_with("a.md#assembly")), "{refs:?}");
    assert!(pack.ids()[1..].is_sorted(), "in reading order: {refs:?}");
    // Not where they would take more than half of what is left.
    let narrow = site.kb.pack(&[Message::user("kelp")], Some(250)).unwrap();
    assert_eq!(narrow.sections.iter().map(|entry| entry.why).collect::<Vec<_>>(), [Why::Scored]);
}
