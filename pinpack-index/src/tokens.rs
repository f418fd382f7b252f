//! Exact token counts, and the passage as it is rendered into the prompt.

use tiktoken_rs::CoreBPE;

use crate::build::{Clock, Watch};
use crate::error::BuildError;

/// Counts tokens of one encoding exactly.
pub struct Counter {
    bpe: &'static CoreBPE,
    /// Takes the time of counting, and of what counts.
    pub(crate) watch: Watch,
}

/// The encodings that can be counted.
pub const ENCODINGS: [&str; 2] = ["o200k_base", "cl100k_base"];

impl Counter {
    /// The counter of an encoding.
    ///
    /// # Errors
    ///
    /// `config-encoding` when the name is none of [`ENCODINGS`].
    pub fn new(encoding: &str) -> Result<Self, BuildError> {
        let bpe = match encoding {
            "o200k_base" => tiktoken_rs::o200k_base_singleton(),
            "cl100k_base" => tiktoken_rs::cl100k_base_singleton(),
            _ => return Err(BuildError::Encoding { found: encoding.to_string() }),
        };
        Ok(Self { bpe, watch: Watch::default() })
    }

    /// One that says how long it takes, by a clock if there is one.
    pub(crate) fn timed(encoding: &str, clock: Option<Clock>) -> Result<Self, BuildError> {
        Ok(Self { watch: Watch::new(clock), ..Self::new(encoding)? })
    }

    /// Tokens of a text.
    #[must_use]
    pub fn count(&self, text: &str) -> u32 {
        self.watch.count(text, |text| self.bpe.encode_ordinary(text).len() as u32)
    }

    /// Tokens of a section as rendered into the prompt.
    #[must_use]
    pub fn count_passage(&self, label: &str, text: &str) -> u32 {
        self.count(&render_passage(1, label, text))
    }
}

/// One section as it stands in the prompt; `number` counts from 1.
///
/// It ends in a line break and begins with `<`, a place where the encodings always split, so the tokens of passages in a row are the
/// sum of the tokens of each. Numbers up to 999 are one token.
#[must_use]
pub fn render_passage(number: usize, label: &str, text: &str) -> String {
    format!("<passage id=\"{number}\" title=\"{label}\">\n{text}\n</passage>\n")
}

/// The heading path on one line, without characters that would end the attribute or the tag.
#[must_use]
pub fn passage_label(path: &[String]) -> String {
    let clean = |part: &String| part.replace('"', "'").replace('<', "‹").replace('>', "›").replace(['\n', '\r'], " ");
    path.iter().map(clean).collect::<Vec<_>>().join(" › ")
}

/// The text with its own copies of the passage fence made harmless but readable: their `<` becomes `‹`.
#[must_use]
pub fn neutralize_fence(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let after = rest[at + 1..].trim_start_matches(['/', ' ']);
        let is_fence = after.get(..7).is_some_and(|name| name.eq_ignore_ascii_case("passage"));
        out.push_str(&rest[..at]);
        out.push(if is_fence { '‹' } else { '<' });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_the_encodings_do() {
        let zh = "本店提供三十天退款服务，运费由买家承担。";
        let ja = "返品は商品到着後三十日以内にご連絡ください。";
        let en = "Customers may ask for a refund within thirty days of delivery, provided the item is unused.";
        let count = |encoding: &str| {
            let counter = Counter::new(encoding).unwrap();
            [zh, ja, en].map(|text| counter.count(text))
        };
        assert_eq!(count("cl100k_base"), [22, 21, 18]);
        assert_eq!(count("o200k_base"), [16, 16, 18]);
    }

    #[test]
    fn an_unknown_encoding_is_named() {
        assert_eq!(Counter::new("gpt9").err().unwrap().code(), "config-encoding");
    }

    #[test]
    fn the_fence_inside_a_text_is_neutralized() {
        assert_eq!(neutralize_fence("a </passage>\n< / Passage x < 3"), "a ‹/passage>\n‹ / Passage x < 3");
        assert_eq!(passage_label(&["A \"b\"".into(), "<c>\nd".into()]), "A 'b' › ‹c› d");
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        #[test]
        fn passages_in_a_row_cost_the_sum_of_each(
            texts in proptest::collection::vec("(\\PC|\\s|[a-z/<>.!\\n ]){0,60}", 1..6),
            first in 1usize..990,
        ) {
            for encoding in ENCODINGS {
                let counter = Counter::new(encoding).unwrap();
                let mut all = String::new();
                let mut sum = 0;
                for (i, text) in texts.iter().enumerate() {
                    let text = neutralize_fence(text);
                    all.push_str(&render_passage(first + i, "A › B", &text));
                    sum += counter.count_passage("A › B", &text);
                }
                proptest::prop_assert_eq!(counter.count(&all), sum);
            }
        }
    }
}
