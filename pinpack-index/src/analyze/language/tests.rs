use super::*;

fn tags() -> Vec<&'static str> {
    (0..).map_while(table::tags).flat_map(|tags| tags.split(' ')).collect()
}

#[test]
fn a_record_says_all_that_the_table_knows() {
    let folding = Folding::new();
    for tag in tags().into_iter().filter(|tag| *tag != "en") {
        let [known, recorded] =
            [Records::read(&[]), Records::read(&records(tag))].map(|from| from.language(tag, &folding));
        assert!(!records(tag).contains(&0), "{tag}");
        assert_eq!(known.function, recorded.function, "{tag}");
        assert_eq!((&known.small_talk, &known.elided), (&recorded.small_talk, &recorded.elided), "{tag}");
        for word in &known.function {
            assert_eq!(known.stem(word), recorded.stem(word), "{tag}");
        }
    }
}

#[test]
fn several_records_stand_in_one_blob() {
    let (records, folding) = (Records::read(&records("de,en,fr")), Folding::new());
    assert_eq!(records.language("de", &folding).role("und"), Role::Function);
    assert_eq!(records.language("fr", &folding).role("et"), Role::Function);
    assert_eq!(records.language("en", &folding).role("and"), Role::Function);
}

#[test]
fn lists_hold_whole_words_once() {
    let folding = Folding::new();
    for tag in tags().into_iter().filter(|tag| *tag != "en") {
        let language = Records::read(&[]).language(tag, &folding);
        assert!(language.function.is_sorted(), "{tag}");
        for word in &language.small_talk {
            assert_eq!(language.role(word), Role::SmallTalk, "{tag}: {word} is in both lists");
        }
    }
}

#[test]
fn knows_a_language_by_the_first_part_of_its_tag() {
    for (tags, known) in [("de", true), ("de-AT", true), ("DE", true), ("nb", true), ("en", false), ("en-GB", false)] {
        assert_eq!(is_known(tags), known, "{tags}");
    }
    for (tags, known) in [("ja", true), ("xx", false), ("den", false), ("", false), ("xx,en", true)] {
        assert_eq!(is_known(tags), known, "{tags}");
    }
}

proptest::proptest! {
    #[test]
    fn bytes_of_any_kind_are_records(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..80)) {
        Records::read(&bytes).language("de", &Folding::new()).stem("wort");
    }
}
