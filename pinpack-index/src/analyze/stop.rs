//! English words that say nothing about the subject of a question.

use super::Role;

/// Function words, sorted: articles, pronouns, prepositions, auxiliaries, question words, contractions without apostrophe.
#[rustfmt::skip]
const FUNCTION: [&str; 141] = [
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "arent", "as", "at", "be", "because",
    "been", "before", "being", "but", "by", "can", "cant", "could", "couldnt", "did", "didnt", "do", "does",
    "doesnt", "doing", "dont", "for", "from", "get", "got", "had", "has", "have", "havent", "having", "he", "her",
    "here", "hers", "him", "his", "how", "i", "id", "if", "ill", "im", "in", "into", "is", "isnt", "it", "its",
    "ive", "just", "let", "lets", "like", "many", "may", "me", "might", "mine", "more", "most", "much", "must",
    "my", "no", "nor", "not", "of", "on", "one", "ones", "only", "or", "other", "our", "ours", "out", "over",
    "please", "really", "shall", "she", "should", "so", "some", "such", "tell", "than", "that", "thats", "the",
    "their", "them", "then", "there", "theres", "these", "they", "theyre", "this", "those", "to", "too", "up", "us",
    "very", "want", "was", "wasnt", "we", "were", "what", "whats", "when", "where", "whether", "which", "while",
    "who", "whom", "whose", "why", "will", "with", "wont", "would", "wouldnt", "you", "youll", "your", "youre",
    "yours",
];

/// Greetings, thanks and calls for help without a subject, sorted.
const SMALL_TALK: [&str; 15] = ["anyone", "bye", "cheers", "hello", "help", "hey", "hi", "ok", "okay", "please", "sorry", "thank", "thanks", "thx", "welcome"];

/// What a folded, unstemmed word does in a question.
pub(super) fn role(word: &str) -> Role {
    if FUNCTION.binary_search(&word).is_ok() {
        Role::Function
    } else if SMALL_TALK.binary_search(&word).is_ok() {
        Role::SmallTalk
    } else {
        Role::Content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_the_binary_search() {
        assert!(FUNCTION.is_sorted() && SMALL_TALK.is_sorted());
    }
}
