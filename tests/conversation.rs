//! What a conversation asks: follow-ups, new subjects, typos, synonyms, and how sure a pack is to hold an answer.

#![cfg(not(target_arch = "wasm32"))]

mod kit;

use kit::{JSONL, Site, records};
use pinpack::{Level, Message, Origin, Pack, Role};

const SHOP: [&str; 8] = [
    "Aurora lamp: price. The Aurora lamp costs 49 euros.",
    "Aurora lamp: sizes. It is 30 centimeters high.",
    "Borealis chair: price. The Borealis chair costs 120 euros.",
    "Delivery takes three days and costs 5 euros.",
    "Refunds are paid within thirty days of delivery.",
    "The workshop in Antwerp is open from nine to five.",
    "Video streaming needs an account of your own.",
    "Gift cards are valid for two years.",
];

fn site(synonyms: &str, query: &str) -> Site {
    let config = format!("{JSONL}[budget]\nfloor = 0\n[query]\nsynonyms = 'synonyms.toml'\n{query}\n");
    Site::new(&config, &[("docs.jsonl", &records(&SHOP)), ("synonyms.toml", synonyms)])
}

fn said(turns: &[&'static str]) -> Vec<Message<'static>> {
    turns.iter().map(|content| Message::user(content)).collect()
}

fn first(site: &Site, messages: &[Message<'_>]) -> Option<String> {
    site.kb.rank(messages, 1).first().map(|hit| site.kb.blob().reference(hit.id))
}

/// The question's terms that are not as they were asked.
fn alternatives(pack: &Pack) -> Vec<(&str, &str, Origin)> {
    let terms = pack.terms.iter().filter(|term| term.origin != Origin::Asked);
    terms.map(|term| (term.word.as_str(), term.term.as_str(), term.origin)).collect()
}

/// Case C11, and its kind.
#[test]
fn a_follow_up_keeps_its_subject() {
    let site = site("", "");
    let asked = [
        Message::user("Do you sell the Aurora lamp?"),
        Message { role: Role::Assistant, content: "Yes." },
        Message::user("how much is it?"),
    ];
    assert!(["1", "2"].contains(&first(&site, &asked).unwrap().as_str()));
    assert_eq!(first(&site, &said(&["Do you sell the Aurora lamp?", "what does it cost?"])).unwrap(), "1");
    assert_eq!(first(&site, &said(&["Tell me about video streaming", "what about that one?"])).unwrap(), "7");
    // With one message it is plain search.
    let alone = site.kb.rank(&said(&["what does the chair cost?"]), 9);
    let weights: Vec<f32> = site.ask("what does the chair cost?").terms.iter().map(|term| term.weight).collect();
    assert!(!alone.is_empty() && weights.iter().all(|weight| (weight - 1.0).abs() < 1e-6));
}

#[test]
fn a_new_subject_comes_before_the_one_that_was_left() {
    let site = site("", "");
    for (question, wanted) in [("when do you pay refunds?", "5"), ("workshop opening hours", "6"), ("gift cards", "8")]
    {
        assert_eq!(first(&site, &said(&["how high is the Aurora lamp?", question])).unwrap(), wanted, "{question}");
    }
}

#[test]
fn earlier_messages_weigh_less_and_less_and_as_many_count_as_configured() {
    let site = site("", "messages = 3\nearlier = 0.5");
    let messages = said(&["refunds", "chair", "lamp", "delivery"]);
    let pack = site.kb.pack(&messages, None).unwrap();
    let weights: Vec<(&str, f32, u32)> =
        pack.terms.iter().map(|term| (term.term.as_str(), term.weight, term.message)).collect();
    assert_eq!(weights, [("deliveri", 1.0, 0), ("lamp", 0.5, 1), ("chair", 0.5 * 0.6, 2)]);
}

#[test]
fn a_word_that_no_section_holds_stands_for_the_nearest_term() {
    let (site, exact) = (site("", ""), self::site("", "typos = false"));
    let slips = [
        ("delivrey", "deliveri", "delivery"),
        ("reufnds", "refund", "refunds"),
        ("wokrshop", "workshop", "workshop"),
        ("streeming", "stream", "streaming"),
        ("borealsi", "boreali", "borealis"),
        ("uarora", "aurora", "aurora"),
        ("workshp", "workshop", "workshop"),
        ("accou", "account", "account"),
    ];
    for (typed, term, meant) in slips {
        let pack = site.ask(typed);
        assert_eq!(alternatives(&pack), [(typed, term, Origin::Typo)], "{typed}");
        assert_eq!(site.ranked(typed), exact.ranked(meant), "{typed}");
        assert!(pack.terms.iter().all(|term| term.origin == Origin::Asked || term.weight < 1.0));
        assert_eq!(first(&exact, &said(&[typed])), None, "{typed}");
    }
}

#[test]
fn known_words_short_words_and_numbers_are_never_corrected() {
    let site = site("", "");
    for question in ["delivery", "lmp", "50", "4g", "ab-1234", "info@shop.example", "zzzzzzzz", "退款服务"] {
        assert_eq!(alternatives(&site.ask(question)), [], "{question}");
    }
}

#[test]
fn synonyms_stand_for_words_and_phrases_and_count_once() {
    let file = "[[synonym]]\nwords = ['lamp', 'light fixture', 'luminaire', 'Aurora']\n\
                [[synonym]]\nfrom = ['voucher']\nto = ['gift cards']\n";
    let (site, plain) = (site(file, ""), self::site("", ""));
    assert_eq!(first(&site, &said(&["voucher"])).unwrap(), "8");
    assert_eq!(first(&site, &said(&["light fixture sizes"])).unwrap(), "2");
    assert_eq!(first(&plain, &said(&["voucher"])), None);
    // One-way: who asks for gift cards does not ask for vouchers.
    assert_eq!(alternatives(&site.ask("gift cards")), []);
    // The sections hold two of the four that mean the same: that counts as one.
    let score = |site: &Site, question| site.kb.rank(&said(&[question]), 1)[0].score;
    assert!(score(&site, "lamp") <= score(&plain, "lamp").max(score(&plain, "aurora")) + 1e-6);
    let pack = site.ask("luminaire");
    let parts: Vec<usize> =
        pack.sections.iter().filter(|entry| entry.score > 0.0).map(|entry| entry.parts.len()).collect();
    assert!(!parts.is_empty() && parts.iter().all(|count| *count == 1), "{parts:?}");
    assert_eq!(pack.coverage.missing, Vec::<String>::new());
}

#[test]
fn a_long_question_with_many_synonyms_ends() {
    let entry = |at: usize| format!("[[synonym]]\nwords = ['word{at}', 'lamp{at} aurora', 'chair{at}', 'delivery']\n");
    let site = site(&(0..200).map(entry).collect::<String>(), "");
    let question = (0..30).map(|at| format!("word{at} delivery ")).collect::<String>();
    assert_eq!(site.kb.rank(&[Message::user(&question)], 1).len(), 1);
}

#[test]
fn coverage_tells_what_is_answered_from_what_is_not() {
    let site = site("", "");
    let coverage = |question| site.ask(question).coverage;
    let answered = coverage("what does the Aurora lamp cost?");
    let foreign = coverage("do you sell pizza with mushrooms?");
    let half = coverage("does the Aurora lamp float on water?");
    assert_eq!((answered.level, answered.missing.len()), (Level::Covered, 0));
    assert_eq!(foreign.level, Level::None);
    assert!(foreign.missing.contains(&"pizza".to_string()) && foreign.missing.contains(&"mushrooms".to_string()));
    assert!(foreign.value < half.value && half.value < answered.value, "{foreign:?} {half:?} {answered:?}");
    for greeting in ["hi", "thanks!", "", "???"] {
        assert_eq!((coverage(greeting).level, coverage(greeting).value), (Level::Unasked, 0.0), "{greeting}");
    }
    assert_eq!(coverage("asdfgh").level, Level::None);
}

#[test]
fn a_term_in_a_title_lifts_its_section_as_far_as_titles_tell_sections_apart() {
    let page = |title: &str, text: &str| format!("# {title}\n\n{text}\n");
    let files = [
        ("a.md", page("Returns", "Send it back within a month. Shipping is free, shipping takes long.")),
        ("b.md", page("Shipping", "Parcels go out each day, with a note about returns.")),
        ("c.md", page("Contact", "Write to us about returns, shipping, or anything else.")),
    ];
    let of = |title: f32| {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        Site::new(&format!("[query]\ntitle = {title}\n"), &files)
    };
    assert_eq!(of(0.7).ranked("shipping")[0], "b.md#shipping");
    assert_eq!(of(0.7).ranked("returns")[0], "a.md#returns");
    let pack = of(0.7).ask("returns");
    let title = |at: usize| pack.sections[at].parts[0].title;
    assert!(title(0) > 0.0 && title(1) == 0.0 && pack.sections[0].parts[0].score > title(0));
    assert!(of(0.0).ask("returns").sections.iter().all(|entry| entry.parts.iter().all(|part| part.title == 0.0)));
}
