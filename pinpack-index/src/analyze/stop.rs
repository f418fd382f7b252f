//! English words that say nothing about the subject of a question.

use super::Role;

/// Function words by their length, 1 to 9 letters, each length in one string: articles, pronouns, prepositions, auxiliaries, question
/// words, contractions without apostrophe.
#[rustfmt::skip]
const FUNCTION: [&str; 9] = [
    "ai",
    "amanasatbebydoheidifiminisitmemynoofonorsotoupuswe",
    "allandanyarebutcandidforgetgothadhasherhimhishowillitsiveletmaynornotoneouroutshethetoowaswhowhyyou",
    "alsobeencantdoesdontfromhaveherehersintoisntjustknowletslikemanyminemoremostmuchmustonesonlyoursoversomesuchtellthanthatthemthentheythisverywantwerewhatwhenwhomwillwithwontyour",
    "aboutafterarentbeingcoulddidntdoingmightothershallthatstheirtherethesethosewasntwhatswherewhichwhilewhosewouldyoullyoureyours",
    "beforedoesnthaventhavingpleasereallyshouldtherestheyre",
    "becausecouldntwhetherwouldnt",
    "",
    "",
];

/// Greetings, thanks and calls for help without a subject, by their length.
const SMALL_TALK: [&str; 9] =
    ["", "hiok", "byeheythx", "helpokay", "hellosorrythank", "anyonecheerspleasethanks", "welcome", "", ""];

/// What a folded, unstemmed word does in a question.
pub(super) fn role(word: &str) -> Role {
    if holds(&FUNCTION, word) {
        Role::Function
    } else if holds(&SMALL_TALK, word) {
        Role::SmallTalk
    } else {
        Role::Content
    }
}

fn holds(lists: &[&str; 9], word: &str) -> bool {
    let list = lists.get(word.len().wrapping_sub(1)).map_or(&[][..], |list| list.as_bytes());
    list.chunks(word.len().max(1)).any(|known| known == word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_whole_words_of_their_length() {
        for (list, length) in FUNCTION.iter().chain(&SMALL_TALK).zip((1..=9).cycle()) {
            assert_eq!(list.len() % length, 0, "{list}");
        }
        for (word, expected) in
            [("the", Role::Function), ("th", Role::Content), ("lland", Role::Content), ("thanks", Role::SmallTalk)]
        {
            assert_eq!(role(word), expected, "{word}");
        }
    }
}
