//! Characters that Unicode writes in two ways, in one: syllables of Hangul and vowel signs of India whole.
//!
//! Other accents need no composing: folding drops them.

/// Appends a character that stands at a byte offset, or composes it with the one before.
pub(super) fn push(chars: &mut Vec<(u32, char)>, at: u32, c: char) {
    if let Some((_, last)) = chars.last_mut()
        && let Some(whole) = compose(*last, c)
    {
        *last = whole;
        return;
    }
    // The letters of Devanagari with a dot are written in two characters by most, and by Unicode's own composed form.
    if let Some(plain) = without_dot(c) {
        chars.push((at, plain));
        return chars.push((at, DOT));
    }
    chars.push((at, c));
}

const DOT: char = '\u{93c}';

/// First, second, whole.
const PAIRS: &str = "\u{9c7}\u{9be}\u{9cb}\u{9c7}\u{9d7}\u{9cc}\u{9a1}\u{9bc}\u{9dc}\u{9a2}\u{9bc}\u{9dd}\u{9af}\u{9bc}\u{9df}\
    \u{a32}\u{a3c}\u{a33}\u{a38}\u{a3c}\u{a36}\u{a16}\u{a3c}\u{a59}\u{a17}\u{a3c}\u{a5a}\u{a1c}\u{a3c}\u{a5b}\u{a2b}\u{a3c}\u{a5e}\
    \u{b47}\u{b56}\u{b48}\u{b47}\u{b3e}\u{b4b}\u{b47}\u{b57}\u{b4c}\u{b21}\u{b3c}\u{b5c}\u{b22}\u{b3c}\u{b5d}\
    \u{b92}\u{bd7}\u{b94}\u{bc6}\u{bbe}\u{bca}\u{bc7}\u{bbe}\u{bcb}\u{bc6}\u{bd7}\u{bcc}\u{c46}\u{c56}\u{c48}\
    \u{cbf}\u{cd5}\u{cc0}\u{cc6}\u{cd5}\u{cc7}\u{cc6}\u{cd6}\u{cc8}\u{cc6}\u{cc2}\u{cca}\u{cca}\u{cd5}\u{ccb}\
    \u{d46}\u{d3e}\u{d4a}\u{d47}\u{d3e}\u{d4b}\u{d46}\u{d57}\u{d4c}\u{dd9}\u{dca}\u{dda}\u{dd9}\u{dcf}\u{ddc}\u{ddc}\u{dca}\u{ddd}\
    \u{dd9}\u{ddf}\u{dde}";

/// The dotted letters of Devanagari, and what they are without the dot, in turn.
const DOTTED: &str = "\u{929}\u{928}\u{931}\u{930}\u{934}\u{933}\u{958}\u{915}\u{959}\u{916}\u{95a}\u{917}\u{95b}\u{91c}\u{95c}\u{921}\
    \u{95d}\u{922}\u{95e}\u{92b}\u{95f}\u{92f}";

fn compose(first: char, second: char) -> Option<char> {
    let [a, b] = [first, second].map(u32::from);
    match (a, b) {
        (0x1100..=0x1112, 0x1161..=0x1175) => char::from_u32(0xac00 + ((a - 0x1100) * 21 + b - 0x1161) * 28),
        (0xac00..=0xd7a3, 0x11a8..=0x11c2) if (a - 0xac00).is_multiple_of(28) => char::from_u32(a + b - 0x11a7),
        // Й and й, which are no И and и with an accent.
        (0x418 | 0x438, 0x306) => char::from_u32(a + 1),
        (0x900..0xe00, 0x900..0xe00) => {
            let mut chars = PAIRS.chars();
            while let (Some(one), Some(two), whole) = (chars.next(), chars.next(), chars.next()) {
                if (one, two) == (first, second) {
                    return whole;
                }
            }
            None
        }
        _ => None,
    }
}

fn without_dot(c: char) -> Option<char> {
    let mut chars = DOTTED.chars();
    while let (Some(dotted), Some(plain)) = (chars.next(), chars.next()) {
        if dotted == c {
            return Some(plain);
        }
    }
    None
}

/// Is a character a syllable of Hangul? Korean writes particles to the word's end: its syllables are taken in pairs.
pub(super) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// In scripts of South-East Asia, which are written without spaces: does a character belong to what stands before it? So do vowel signs
/// and tone marks, what follows a sign that stacks consonants, and the consonant after a vowel that is written before it.
pub(super) fn belongs(last: char, c: char) -> bool {
    let stacks = matches!(last, '\u{17d2}' | '\u{1039}' | '\u{e40}'..='\u{e44}' | '\u{ec0}'..='\u{ec4}');
    let sign = matches!(c,
        '\u{e30}'..='\u{e3a}' | '\u{e45}' | '\u{e47}'..='\u{e4e}'
        | '\u{eb0}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}'
        | '\u{17b4}'..='\u{17d3}' | '\u{17dd}'
        | '\u{102b}'..='\u{103e}' | '\u{1056}'..='\u{1059}' | '\u{105e}'..='\u{1060}' | '\u{1062}'..='\u{1064}'
        | '\u{1067}'..='\u{106d}' | '\u{1071}'..='\u{1074}' | '\u{1082}'..='\u{108d}' | '\u{108f}' | '\u{109a}'..='\u{109d}');
    stacks || sign
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    fn canonical(text: &str) -> String {
        let mut chars = Vec::new();
        text.char_indices().for_each(|(at, c)| push(&mut chars, at as u32, c));
        chars.into_iter().map(|(_, c)| c).collect()
    }

    /// Against the crate, over whole blocks.
    #[test]
    fn both_ways_of_writing_give_one() {
        for c in (0x900..0xe00).chain(0xac00..0xd7a4).filter_map(char::from_u32) {
            let apart: String = [c].into_iter().nfd().collect();
            assert_eq!(canonical(&apart), canonical(&c.to_string()), "U+{:04X}", c as u32);
        }
    }

    #[test]
    fn other_text_stays() {
        for text in ["Müller", "kg", "한국", "हिन्दी", "a\u{301}", "ᄀ", "\u{11a8}"] {
            assert_eq!(canonical(text), text);
        }
    }
}
