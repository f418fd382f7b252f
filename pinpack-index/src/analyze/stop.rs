//! English words that say nothing about the subject of a question.

use std::cmp::Ordering;

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

/// Is the word in a list? Words of one length are sorted.
fn holds(lists: &[&str; 9], word: &str) -> bool {
    let length = word.len();
    let list = lists.get(length.wrapping_sub(1)).map_or("", |list| list);
    let (mut low, mut high) = (0, list.len() / length.max(1));
    while low < high {
        let middle = usize::midpoint(low, high);
        match list.get(middle * length..(middle + 1) * length).unwrap_or("").cmp(word) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return true,
            Ordering::Greater => high = middle,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_whole_words_of_their_length() {
        for (list, length) in FUNCTION.iter().chain(&SMALL_TALK).zip((1..=9).cycle()) {
            assert_eq!(list.len() % length, 0, "{list}");
            let words: Vec<&[u8]> = list.as_bytes().chunks(length).collect();
            assert!(words.is_sorted(), "{list}");
        }
        for (word, expected) in
            [("the", Role::Function), ("th", Role::Content), ("lland", Role::Content), ("thanks", Role::SmallTalk)]
        {
            assert_eq!(role(word), expected, "{word}");
        }
    }
}
