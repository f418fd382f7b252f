use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::*;

/// The content terms of a text.
fn terms(tags: &str, text: &str) -> Vec<String> {
    roles(tags, text).into_iter().filter(|(_, role)| *role == Role::Content).map(|(term, _)| term).collect()
}

fn roles(tags: &str, text: &str) -> Vec<(String, Role)> {
    let mut out = Vec::new();
    Analyzer::new(tags).each_term(text, &mut |term| out.push((term.text.to_string(), term.role)));
    out
}

fn same(tags: &str, forms: &[&str]) {
    for form in forms {
        assert_eq!(terms(tags, form), terms(tags, forms[0]), "{tags}: {form}");
        assert!(!terms(tags, form).is_empty(), "{tags}: {form}");
    }
}

#[test]
fn spellings_of_one_word_are_one_term() {
    same("de", &["Müller", "Mu\u{308}ller", "mueller", "muller", "MÜLLER"]);
    same("de", &["Straße", "Strasse", "STRASSE", "STRAẞE"]);
    same("fr", &["café", "cafe\u{301}", "cafe", "CAFÉ", "cafés"]);
    same("es", &["canción", "cancion", "canciones"]);
    same("ru", &["ёлка", "елка", "ЁЛКА", "ёлки"]);
    same("tr", &["ışık", "IŞIK", "isik", "I\u{15f}ık"]);
    same("tr", &["İstanbul", "istanbul", "ISTANBUL", "İstanbul'da", "İstanbul’un"]);
    same("ar", &["أحمد", "احمد", "أَحْمَد"]);
    same("ar", &["مدرسة", "مَدْرَسَة", "المدرسة"]);
    same("he", &["שלום עולם", "שָׁלוֹם עוֹלָם"]);
    same("fa", &["کتاب", "كتاب"]);
    same("el", &["Ελλάδα", "ΕΛΛΑΔΑ", "ελλαδα"]);
    same("sr", &["Београд", "Beograd"]);
    same("uk", &["комп'ютер", "комп’ютер", "компʼютера"]);
    same("hi", &["ज़रूरत", "\u{95b}रूरत"]);
    same("bn", &["বাড়ি", "বা\u{9dc}ি"]);
    same("ko", &["환불", "환불".nfd().collect::<String>().as_str()]);
    same("xx", &["ｆｕｌｌ", "full", "FULL"]);
}

#[test]
fn forms_of_one_word_are_one_term() {
    for (tags, forms) in [
        ("de", ["Zahlung", "Zahlungen"]),
        ("fr", ["livraison", "livraisons"]),
        ("es", ["pedido", "pedidos"]),
        ("it", ["spedizione", "spedizioni"]),
        ("pt", ["menino", "meninos"]),
        ("nl", ["betaling", "betalingen"]),
        ("sv", ["betalning", "betalningar"]),
        ("da", ["betaling", "betalinger"]),
        ("nb", ["betaling", "betalinger"]),
        ("fi", ["maksu", "maksun"]),
        ("ru", ["заказ", "заказы"]),
        ("uk", ["книга", "книги"]),
        ("pl", ["paczka", "paczki"]),
        ("cs", ["kniha", "knihy"]),
        ("hu", ["könyv", "könyvek"]),
        ("ro", ["carte", "cartea"]),
        ("tr", ["kitap", "kitaplar"]),
        ("el", ["ερώτηση", "ερωτήσεις"]),
        ("hi", ["किताब", "किताबें"]),
        ("id", ["buku", "bukunya"]),
        ("ca", ["comanda", "comandes"]),
        ("lt", ["knyga", "knygos"]),
        ("et", ["raamat", "raamatud"]),
    ] {
        same(tags, &forms);
    }
}

#[test]
fn articles_are_elided_and_endings_cut_at_apostrophes() {
    same("fr", &["école", "l'école", "L’école", "d'école"]);
    same("it", &["acqua", "l'acqua", "dell'acqua", "dell’acqua"]);
    same("ca", &["aigua", "l'aigua"]);
    same("tr", &["Ankara", "Ankara'da", "Ankara’nın"]);
    assert_eq!(terms("en", "l'acqua"), ["lacqua", "acqua"]);
}

#[test]
fn function_words_and_greetings_are_told_apart() {
    use Role::{Content, Function, SmallTalk};
    for (tags, text, expected) in [
        ("de", "Hallo, wie ist das Wetter?", vec![SmallTalk, Function, Function, Function, Content]),
        ("fr", "merci pour les colis", vec![SmallTalk, Function, Function, Content]),
        ("ru", "привет как вернуть", vec![SmallTalk, Function, Content]),
        ("es", "hola ¿dónde está mi pedido?", vec![SmallTalk, Function, Function, Function, Content]),
    ] {
        assert_eq!(roles(tags, text).into_iter().map(|(_, role)| role).collect::<Vec<_>>(), expected, "{text}");
    }
    assert!(roles("de", "wer ist das").iter().all(|(_, role)| *role == Function));
}

#[test]
fn characters_of_scripts_without_spaces_stand_alone_and_in_pairs() {
    assert_eq!(terms("zh", "退款服务"), ["退", "退款", "款", "款服", "服", "服务", "务"]);
    assert_eq!(terms("ja", "返品は"), ["返", "返品", "品", "品は", "は"]);
    // The particle does not hide the noun.
    assert!(terms("ko", "환불은").contains(&"환불".to_string()));
    assert_eq!(terms("ko", "물"), ["물"]);
    // In English text as before: the small engine does the same.
    assert_eq!(terms("en", "退款服务"), ["退款", "款服", "服务"]);
}

#[test]
fn vowel_signs_stay_with_their_letters() {
    assert_eq!(terms("th", "น้ำดื่ม"), ["น้ำ", "น้ำดื่", "ดื่", "ดื่ม", "ม"]);
    // A vowel that is written before its consonant.
    assert_eq!(terms("th", "เงิน"), ["เงิ", "เงิน", "น"]);
    assert_eq!(terms("lo", "ນ້ຳ"), ["ນ້ຳ"]);
    // The sign that stacks consonants holds the next one.
    assert_eq!(terms("km", "ខ្មែរ"), ["ខ្មែ", "ខ្មែរ", "រ"]);
    assert_eq!(terms("my", "မြန်မာ"), ["မြ", "မြန်", "န်", "န်မာ", "မာ"]);
    for (tags, word) in [("hi", "हिन्दी"), ("ta", "தமிழ்"), ("bn", "বাংলা"), ("te", "తెలుగు"), ("ml", "മലയാളം")]
    {
        let text = format!("{word} {word}");
        let mut spans = Vec::new();
        Analyzer::new(tags).each_term(&text, &mut |term| spans.push(&text[term.span.0..term.span.1]));
        assert_eq!(spans, [word, word], "{tags}");
    }
}

#[test]
fn a_question_to_several_languages_has_each_stem() {
    assert_eq!(terms("de,en", "running"), ["running", "run"]);
    // A word of both, with one stem in both, is one term.
    assert_eq!(terms("de,en", "Hotel"), ["hotel"]);
    // What the question has most of decides what a function word is.
    assert!(!terms("de,en", "die in the garden with him").is_empty());
    assert_eq!(terms("de,en", "who will die in the garden").last().map(String::as_str), Some("garden"));
    assert!(terms("de,en", "who will die in the garden").contains(&"die".to_string()));
    assert!(!terms("de,en", "wo ist die Rechnung").contains(&"die".to_string()));
}

#[test]
fn every_part_of_a_mixed_text_is_found() {
    let terms = terms("de", "Das Telefon 15 (退款) kostet 49 € und läuft mit C++ на русском");
    for term in ["telefon", "15", "退款", "49", "c++", "русском"] {
        assert!(terms.contains(&term.to_string()), "{term}: {terms:?}");
    }
}

const TAGS: [&str; 24] = [
    "en", "de", "fr", "es", "it", "pt", "ru", "uk", "el", "tr", "ar", "he", "fa", "hi", "bn", "ta", "ko", "zh", "th",
    "vi", "hu", "ro", "de,en", "xx",
];

proptest! {
    #[test]
    fn composed_and_decomposed_text_give_the_same_terms(
        tags in prop::sample::select(&TAGS[..]),
        text in "([a-zäöüßéèñçàœ'’ ]|[α-ωάέήίόύώ]|[а-яёїґ]|[ء-ي]|[א-ת]|[क-ह़ािी]|[ক-হ়াে]|[ெ-ொாகதம]|[가-힣]|[か-ご]|\\PC){0,16}",
    ) {
        let text = text.to_lowercase();
        let [composed, decomposed]: [String; 2] = [text.nfc().collect(), text.nfd().collect()];
        let full = Analyzer::new(tags).full;
        prop_assume!(full || !text.chars().any(|c| matches!(c as u32, 0x419 | 0x439 | 0x900..0xe00 | 0x1100..0x1200 | 0xa960..0xa980 | 0xac00..0xd800)));
        // Scripts of which no language is known.
        let rare = |c: char| [c].into_iter().nfd().count() > 1 && !matches!(c as u32, ..0xe00 | 0x1e00..0x2000 | 0x3040..0x3100 | 0xac00..0xd7a4);
        prop_assume!(!composed.chars().any(rare));
        // Singletons (K for the sign of kelvin) are other letters on purpose.
        prop_assume!(composed.chars().eq(decomposed.nfc()));
        prop_assert_eq!(terms(tags, &composed), terms(tags, &decomposed));
    }

    #[test]
    fn any_text_gives_terms_with_spans_inside_it(tags in prop::sample::select(&TAGS[..]), text in "\\PC*|(?s).{0,40}") {
        let mut last = 0;
        Analyzer::new(tags).each_term(&text, &mut |term| {
            assert!(term.span.0 < term.span.1 && term.span.0 >= last);
            assert!(text.get(term.span.0..term.span.1).is_some());
            assert!(!term.text.is_empty() && term.text.len() <= crate::MAX_TERM_BYTES);
            last = term.span.0;
        });
    }

    /// What the index holds is what a question looks for.
    #[test]
    fn forms_and_their_terms_are_the_terms_of_the_text(tags in prop::sample::select(&TAGS[..22]), text in "([a-zäöü]{1,12}[ '.-]?|[а-я]{1,8} |\\PC){0,12}") {
        let analyzer = Analyzer::new(tags);
        let mut indexed = Vec::new();
        analyzer.each_form(&text, &mut |word, form| indexed.extend(analyzer.content(word, form)));
        prop_assert_eq!(indexed, terms(tags, &text));
    }

    /// A blob's records make the same analyzer as the tables.
    #[test]
    fn records_give_the_terms_of_the_tables(tags in prop::sample::select(&TAGS[..]), text in "([a-zäöüé]{1,12}[ '.-]?|[а-яα-ω]{1,8} |\\PC){0,12}") {
        let recorded = Analyzer::with(tags, &super::super::records(tags));
        let mut found = Vec::new();
        recorded.each_term(&text, &mut |term| found.push((term.text.to_string(), term.role)));
        prop_assert_eq!(found, roles(tags, &text));
    }
}
