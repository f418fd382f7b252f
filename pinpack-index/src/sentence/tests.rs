use super::*;

fn cut(text: &str) -> Vec<&str> {
    sentences(text).into_iter().map(|(start, end)| text[start..end].trim()).collect()
}

/// Joins sentences that are each whole, and wants them back.
fn stay_whole(sentences: &[&str]) {
    assert_eq!(cut(&sentences.join(" ")), sentences);
}

#[test]
fn keeps_prices_versions_and_addresses_whole() {
    stay_whole(&[
        "The small tea is $3.50 and the large is $5.",
        "Version 2.10.1 needs Node 18.17.",
        "Visit shop.example/a.b today.",
        "It costs 1.200,50 € or .5 of that.",
        "See https://a.example/b?c=d.e!f for more!",
        "Is it v1.0?",
        "Run ./a.sh now.",
    ]);
}

#[test]
fn does_not_end_at_abbreviations_initials_and_list_numbers() {
    stay_whole(&["Ask Dr. Smith, e.g. by mail.", "J. R. Doe helps."]);
    stay_whole(&["Fig. 2 and no. 5 are gone.", "The answer is no.", "Then stop at the max.", "Next."]);
    stay_whole(&["Kommen Sie z.B. Montag bzw. Dienstag zu Nr. 5.", "Danke."]);
    stay_whole(&["Open at 9 a.m. Mondays.", "Ask Mme. Roux, the U.S. Treasury or Acme Inc. Holdings.", "Done."]);
    assert_eq!(cut("Steps:\n1. Open it.\n2. Close it."), ["Steps:", "1. Open it.", "2. Close it."]);
    assert_eq!(cut("Steps:\n1) Open it.\n2) Close it."), ["Steps:", "1) Open it.", "2) Close it."]);
}

#[test]
fn the_abbreviations_are_in_order() {
    assert!(ABBREVIATIONS.is_sorted());
}

#[test]
fn ellipses_quotes_and_brackets_belong_to_their_sentence() {
    stay_whole(&[
        "He said \"Stop.\"",
        "Then he left.",
        "(He came back.)",
        "“Why?”",
        "He did not say…",
        "Well…?!",
        "Yes.",
    ]);
    stay_whole(&["Wait... what?", "\"Really?\" he asked.", "**Bold ends here.**", "After."]);
}

#[test]
fn the_stops_of_other_scripts_end_sentences() {
    assert_eq!(cut("返品可能です。お問い合わせください！"), ["返品可能です。", "お問い合わせください！"]);
    assert_eq!(cut("「はい。」と言う。次。"), ["「はい。」", "と言う。", "次。"]);
    stay_whole(&["यह पहला वाक्य है।", "यह दूसरा है॥", "क्या यह ठीक है?"]);
    stay_whole(&["هل لديكم شحن؟", "نعم، لدينا.", "شكرا!"]);
    stay_whole(&["یہ پہلا جملہ ہے۔", "یہ دوسرا ہے۔"]);
    stay_whole(&["这个￥3.50。", "版本 2.10.1 可用。"]);
}

#[test]
fn nothing_ends_inside_links_and_inline_code() {
    stay_whole(&["See [Is it free? Yes. It is.](https://a.example/b.c) now.", "Then go."]);
    stay_whole(&["Type `a. B! C?` to run.", "Or ``x ` Y. Z`` too.", "End."]);
    stay_whole(&["A lone ` is no code.", "So it ends."]);
    stay_whole(&["Neither is [a bracket.", "So] it ends."]);
    stay_whole(&["Mail <Help@a.example> first.", "Then wait."]);
}

#[test]
fn long_runs_of_marks_take_no_square_of_time() {
    for unit in [".", ". ", "5. ", "[", "](", "`", "<", "?!", "\n", "\n> ", "a.", "``", "[a](b) ", "1", ".\n"] {
        let text = unit.repeat(400_000 / unit.len());
        let end = sentences(&text).last().map(|(_, end)| *end);
        assert_eq!(end, Some(text.len()));
    }
}

proptest::proptest! {
    #[test]
    fn sentences_tile_any_text(text in "([A-Za-z0-9 .!?\\n|#。é🙂\"`\\[\\]()<>:\\\\-]{0,80}|\\PC{0,40})") {
        let mut at = 0;
        for (start, end) in sentences(&text) {
            assert_eq!(start, at);
            assert!(end > start && text.is_char_boundary(end));
            at = end;
        }
        assert_eq!(at, text.len());
    }

    #[test]
    fn guarded_spans_are_in_order_and_whole(text in "[a\\[\\]()`<>:é\\\\ \\n]{0,60}") {
        let mut at = 0;
        for span in guarded(&text) {
            assert!(span.start >= at && span.end > span.start);
            assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
            at = span.end;
        }
    }
}
