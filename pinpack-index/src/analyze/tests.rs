use super::*;

/// The terms of an English text, function words left out.
fn terms(text: &str) -> Vec<String> {
    terms_in("en", text)
}

fn terms_in(language: &str, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    Analyzer::new(language).each_term(text, &mut |term| {
        if term.role == Role::Content {
            out.push(term.text.to_string());
        }
    });
    out
}

fn shares(a: &str, b: &str) -> bool {
    let found = terms(b);
    terms(a).iter().any(|term| found.contains(term))
}

#[test]
fn stems_and_folds_words() {
    assert_eq!(terms("Running RUNS run"), ["run", "run", "run"]);
    assert_eq!(terms("Müller Café Straße"), ["muller", "cafe", "strass"]);
    assert_eq!(terms("Caf\u{65}\u{301} ｆｕｌｌ"), ["cafe", "full"]);
}

#[test]
fn keeps_symbols_that_make_a_name() {
    assert_eq!(terms("C++ linking"), ["c++", "c", "link"]);
    assert_eq!(terms("C# generics"), ["c#", "c", "generic"]);
    assert_eq!(terms("link c++?"), ["link", "c++", "c"]);
    assert_eq!(terms("the .NET runtime"), [".net", "net", "runtim"]);
}

#[test]
fn keeps_versions_and_prices_whole() {
    assert_eq!(terms("Release 14.2.1.0"), ["releas", "14.2.1.0"]);
    assert_eq!(terms("Fee $49"), ["fee", "49", "$49"]);
    assert_eq!(terms("$1,299.00"), ["1299.00", "$1299.00", "1299", "$1299"]);
    assert!(!shares("$49", "Fee is $45"));
    assert!(shares("49 €", "49€") && shares("49.00", "49"));
}

#[test]
fn gives_compounds_whole_and_in_parts() {
    assert_eq!(terms("node.js"), ["node.js", "node", "js"]);
    assert_eq!(terms("snake_case"), ["snake_case", "snake", "case"]);
    assert_eq!(terms("TextDrawShow"), ["textdrawshow", "text", "draw", "show"]);
    assert_eq!(terms("XMLHttp"), ["xmlhttp", "xml", "http"]);
    assert_eq!(terms("e-mail"), ["email", "e", "mail"]);
    assert!(terms("write to info@shop.example.").contains(&"info@shop.example".to_string()));
}

#[test]
fn splits_names_before_their_number_and_leaves_codes_whole() {
    // `i` is a function word.
    assert_eq!(terms("iPhone15"), ["iphone15", "phone", "15"]);
    assert_eq!(terms("html5 mp3 3d"), ["html5", "html", "5", "mp3", "3d"]);
    assert_eq!(terms("a2lgs87bfd abc12def34"), ["a2lgs87bfd", "abc12def34"]);
}

#[test]
fn takes_all_apostrophes_alike() {
    for form in ["don't open", "don’t open", "donʼt open", "don‘t open", "don＇t open", "dont open"] {
        assert_eq!(terms(form), ["open"], "{form}");
    }
    for form in ["customer's rights", "customer’s rights", "customers rights"] {
        assert_eq!(terms(form), ["custom", "right"], "{form}");
    }
    for form in ["l'école", "l’école", "école", "ecole", "l'ecole"] {
        assert_eq!(terms_in("fr", form), ["ecol"], "{form}");
    }
}

#[test]
fn pairs_characters_of_scripts_without_spaces() {
    assert_eq!(terms("退款服务"), ["退款", "款服", "服务"]);
    assert_eq!(terms("か\u{3099}き"), ["がき"]);
    assert_eq!(terms("ｶﾞｷ"), ["ガキ"]);
}

#[test]
fn passes_over_link_targets_but_not_their_text() {
    assert_eq!(terms("[terms](https://shop.example/legal) apply"), ["term", "appli"]);
}

#[test]
fn spans_name_the_word_in_the_text() {
    let text = "Ärger über Preise";
    let mut words = Vec::new();
    Analyzer::new("de").each_term(text, &mut |term| words.push(text[term.span.0..term.span.1].to_string()));
    assert_eq!(words, ["Ärger", "über", "Preise"]);
}

#[test]
fn tells_roles_apart() {
    let mut roles = Vec::new();
    Analyzer::new("en").each_term("hi the price", &mut |term| roles.push(term.role));
    assert_eq!(roles, [Role::SmallTalk, Role::Function, Role::Content]);
}

/// The fold table against the crate that implements the same Unicode algorithm, over scripts whose data is long stable.
#[test]
fn folds_like_compatibility_decomposition_without_marks() {
    use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
    let folding = fold::Folding::new();
    let own_choice = "ßæœøđłıħŧþðşйςÆŒØĐŁĦŦÞÐЙİĿŀŉ";
    for c in (0xc0..0x250).chain(0x391..0x3ca).chain(0x410..0x450).chain(0x1e00..0x1f00).chain(0xff21..0xff3b) {
        let Some(c) = char::from_u32(c).filter(|c| c.is_alphabetic() && !own_choice.contains(*c)) else { continue };
        let decomposed: String = c.to_string().nfkd().filter(|c| !is_combining_mark(*c)).collect();
        let expected: String = decomposed
            .to_lowercase()
            .replace('ς', "σ")
            .replace('ß', "ss")
            .replace('æ', "ae")
            .replace('ø', "o")
            .nfkd()
            .filter(|c| !is_combining_mark(*c))
            .collect();
        let mut found = String::new();
        folding.fold(c, &mut found);
        assert_eq!(found, expected, "{c} U+{:04X}", c as u32);
    }
}

proptest::proptest! {
    #[test]
    fn any_text_gives_terms_with_spans_inside_it(text in "\\PC*|(?s).{0,40}") {
        let mut last = 0;
        Analyzer::new("en").each_term(&text, &mut |term| {
            assert!(term.span.0 < term.span.1 && term.span.0 >= last);
            assert!(text.get(term.span.0..term.span.1).is_some());
            assert!(!term.text.is_empty() && term.text.len() <= MAX_TERM_BYTES);
            last = term.span.0;
        });
    }

    #[test]
    fn case_and_composition_do_not_matter(text in "[a-zäöüéèñçA-ZÄÖÜÉ ]{0,30}") {
        use unicode_normalization::UnicodeNormalization;
        let lower = text.to_lowercase();
        let decomposed: String = lower.nfd().collect();
        proptest::prop_assert_eq!(terms(&lower), terms(&decomposed));
    }
}

#[test]
fn capitals_with_accents_and_final_sigmas_part_no_word() {
    for (word, expected) in
        [("MÜLLER", "muller"), ("ÜBER", "uber"), ("ΕΛΛΆΔΑ", "ελλαδα"), ("λόγος", "λογοσ"), ("ŠKODA", "skoda")]
    {
        assert_eq!(terms_in("xx", word), [expected]);
    }
    assert_eq!(terms_in("xx", "KölnBonn"), ["kolnbonn", "koln", "bonn"]);
    assert_eq!(terms_in("xx", "café15"), ["cafe15", "cafe", "15"]);
}
