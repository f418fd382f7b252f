use frostem::Algorithm;
use proptest::prelude::*;

use super::*;

/// As `LANGUAGES` of `scripts/stem-table.mjs`.
const LANGUAGES: [&str; 33] = [
    "arabic",
    "armenian",
    "basque",
    "catalan",
    "czech",
    "danish",
    "dutch",
    "english",
    "esperanto",
    "estonian",
    "finnish",
    "french",
    "german",
    "greek",
    "hindi",
    "hungarian",
    "indonesian",
    "irish",
    "italian",
    "lithuanian",
    "nepali",
    "norwegian",
    "persian",
    "polish",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "ukrainian",
];

/// A stemmer for words as Snowball takes them, not folded.
fn unfolded(row: usize) -> Stemmer {
    let (code, texts) = program(row);
    let texts: Vec<&str> = texts.split('\n').map(|line| line.strip_prefix('=').unwrap_or(line)).collect();
    Stemmer::new(code, &texts.join("\n"))
}

/// The endings and letters that a stemmer looks for: words made of them go through all of its program.
fn pieces(stemmer: &Stemmer) -> Vec<String> {
    let endings = stemmer.program.amongs.iter().flatten().map(|among| among.text.clone());
    let letters = (0..200).flat_map(|number| stemmer.program.text(number).chars().map(String::from));
    let mark = |c: char| c.is_ascii() && !c.is_ascii_lowercase() && c != '\'';
    endings.chain(letters).filter(|piece| !piece.is_empty() && !piece.contains(mark)).collect()
}

#[test]
fn stems_as_frostem_does_in_every_language() {
    // The same words at each run: an arithmetic that anyone can repeat.
    let mut state = 1u64;
    let mut below = |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    for (row, language) in LANGUAGES.iter().enumerate() {
        let (own, theirs) = (unfolded(row), frostem::Stemmer::new(Algorithm::from_name(language).unwrap()));
        let pieces = pieces(&own);
        for _ in 0..1000 {
            let word: String = (0..=below(5)).map(|_| pieces[below(pieces.len())].as_str()).collect();
            let stem = theirs.stem(&word);
            let expected = if stem.is_empty() { &word } else { stem.as_ref() };
            assert_eq!(own.stem(&word), expected, "{language}: {word}");
        }
    }
}

#[test]
fn stems_known_words() {
    let stem = |language: &str, word: &str| {
        unfolded(LANGUAGES.iter().position(|known| *known == language).unwrap()).stem(word)
    };
    // From the vocabularies on Snowball's own pages.
    for (language, word, expected) in [
        ("english", "consistency", "consist"),
        ("french", "continuellement", "continuel"),
        ("german", "aufeinanderfolgenden", "aufeinanderfolg"),
        ("spanish", "chicharrones", "chicharron"),
        ("russian", "важнейшими", "важн"),
        ("swedish", "jaktkarlarne", "jaktkarl"),
    ] {
        assert_eq!(stem(language, word), expected, "{word}");
    }
}

#[test]
fn a_program_that_is_none_leaves_words_as_they_are() {
    for (code, texts) in [(&[][..], ""), (&[0, 0, 1][..], ""), (&[0, 0, 1, 2, 0][..], "")] {
        assert_eq!(Stemmer::new(code, texts).stem("running"), "running");
    }
}

proptest! {
    #[test]
    fn bytes_of_any_kind_are_a_program_that_ends(
        code in prop::collection::vec(prop_oneof![0u8..37, 64u8..80, any::<u8>()], 0..60),
        texts in "([a-c|]{0,6}\n){0,8}",
        word in "\\PC{0,12}",
    ) {
        let stem = Stemmer::new(&code, &texts).stem(&word);
        prop_assert!(stem.is_empty() == word.is_empty());
    }

    #[test]
    fn any_word_has_a_stem_in_every_language(row in 0..LANGUAGES.len(), word in "\\PC{1,24}") {
        prop_assert!(!unfolded(row).stem(&word).is_empty());
    }
}
