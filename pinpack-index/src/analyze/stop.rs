//! English words that say nothing about the subject of a question.

use super::Role;

/// Function words: articles, pronouns, prepositions, auxiliaries, question words, contractions without apostrophe.
const FUNCTION: &str = "a about after all also am an and any are arent as at be because been before being but by can cant could couldnt did \
    didnt do does doesnt doing dont for from get got had has have havent having he her here hers him his how i id if ill im \
    in into is isnt it its ive just know let lets like many may me might mine more most much must my no nor not of on one \
    ones only or other our ours out over please really shall she should so some such tell than that thats the their them \
    then there theres these they theyre this those to too up us very want was wasnt we were what whats when where whether \
    which while who whom whose why will with wont would wouldnt you youll your youre yours";

/// Greetings, thanks and calls for help without a subject.
const SMALL_TALK: &str = "anyone bye cheers hello help hey hi ok okay sorry thank thanks thx welcome";

/// What a folded, unstemmed word does in a question.
pub(super) fn role(word: &str) -> Role {
    if holds(FUNCTION, word) {
        Role::Function
    } else if holds(SMALL_TALK, word) {
        Role::SmallTalk
    } else {
        Role::Content
    }
}

/// Is the word in a list? By bytes and from its beginning: the code for anything faster would be larger than the list.
fn holds(list: &str, word: &str) -> bool {
    list.as_bytes().split(|byte| *byte == b' ').any(|known| known == word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_whole_words_once() {
        let mut words: Vec<&str> = FUNCTION.split(' ').chain(SMALL_TALK.split(' ')).collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert!(words.len() == count && words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
        for (word, expected) in
            [("the", Role::Function), ("th", Role::Content), ("lland", Role::Content), ("thanks", Role::SmallTalk)]
        {
            assert_eq!(role(word), expected, "{word}");
        }
    }
}
