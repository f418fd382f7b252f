//! What does not look like a rule among the pinned sections.

/// Share of what pinned sections may take together above which one of them is too much: a third.
pub(super) const LARGE_SHARE: f32 = 1.0 / 3.0;
/// Tokens above which a section is long for a rule.
pub(super) const LONG_RULE: u32 = 150;

/// Words of a rule. Each of these makes English text say what has to be or must not be.
const OBLIGATION: [&str; 16] = [
    "never",
    "always",
    "must",
    "mustn't",
    "only",
    "should",
    "shouldn't",
    "shall",
    "cannot",
    "can't",
    "don't",
    "required",
    "forbidden",
    "prohibited",
    "unless",
    "except",
];
/// The same in two words.
const OBLIGATIONS: [(&str, &str); 3] = [("do", "not"), ("may", "not"), ("can", "not")];

/// Does a text of so many tokens read like reference material: long, no number in it, and in English no word of a rule?
pub(super) fn reads_like_reference(text: &str, tokens: u32, language: &str) -> bool {
    let english = language.split('-').next().is_some_and(|tag| tag.eq_ignore_ascii_case("en"));
    tokens > LONG_RULE && !text.chars().any(char::is_numeric) && !(english && obliges(text))
}

fn obliges(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    words.iter().any(|word| OBLIGATION.contains(word))
        || words.windows(2).any(|pair| OBLIGATIONS.contains(&(pair[0], pair[1])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_without_a_number_or_a_rule_is_reference_material() {
        let story = "Our founder sailed along the coast and filmed what she saw there.";
        assert!(reads_like_reference(story, 151, "en"));
        assert!(reads_like_reference(story, 151, "en-GB"));
        assert!(!reads_like_reference(story, 150, "en"));
        for rule in
            ["Do not name clients.", "Don’t promise.", "We NEVER haggle.", "It costs 5.", "The office only answers."]
        {
            assert!(!reads_like_reference(&format!("{story} {rule}"), 400, "en"), "{rule}");
        }
        for no_rule in ["Lonely sailors.", "Musty rooms.", "We do film, not edit."] {
            assert!(reads_like_reference(&format!("{story} {no_rule}"), 400, "en"), "{no_rule}");
        }
    }

    #[test]
    fn in_other_languages_length_and_numbers_decide() {
        assert!(reads_like_reference("Wir filmen nie mit Drohnen.", 200, "de"));
        assert!(!reads_like_reference("Wir filmen seit 1999.", 200, "de"));
        assert!(!reads_like_reference("料金は３千円です。", 200, "ja"));
    }
}
