use super::*;

/// One token a byte: makes limits easy to follow.
fn bytes(text: &str) -> u32 {
    text.len() as u32
}

fn block(kind: BlockKind, text: &str) -> Block {
    Block { kind, text: text.into(), span: 0..text.len() }
}

fn cut(kind: BlockKind, text: &str, target: u32, max: u32) -> Vec<String> {
    pieces(&[block(kind, text)], target, max, &bytes).into_iter().map(|piece| piece.text).collect()
}

#[test]
fn a_run_without_blanks_ends_and_loses_nothing() {
    let text = format!("{} {}", "x".repeat(10), "a".repeat(5000));
    let pieces = cut(BlockKind::Prose, &text, 200, 200);
    assert!(pieces.len() <= 40 && pieces.iter().all(|piece| piece.len() <= 200));
    assert_eq!(pieces.concat().replace(' ', ""), text.replace(' ', ""));
    assert!(pieces.iter().any(|piece| piece.contains(&"x".repeat(10))));
}

#[test]
fn joined_emoji_stay_whole() {
    let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
    let pieces = cut(BlockKind::Prose, &family.repeat(60), 200, 200);
    assert!(pieces.len() > 1);
    assert_eq!(pieces.concat(), family.repeat(60));
    assert!(pieces.iter().all(|piece| piece.len() % family.len() == 0));
}

#[test]
fn table_rows_stay_whole_under_their_header() {
    let head = "| Plan | Price | Seats |\n|---|---|---|\n";
    let rows: Vec<String> = (1..=40).map(|n| format!("| P{n:02} | ${n}.00 | {n} |")).collect();
    let text = format!("{head}{}", rows.join("\n"));
    let pieces = cut(BlockKind::Table, &text, text.len() as u32 / 4, text.len() as u32 / 4);
    assert!(pieces.len() >= 4 && pieces.iter().all(|piece| piece.starts_with(head)));
    for row in &rows {
        assert_eq!(pieces.iter().filter(|piece| piece.lines().any(|line| line == row)).count(), 1, "{row}");
    }
}

#[test]
fn code_keeps_its_fence_and_its_indentation() {
    let body: String = (0..40).map(|n| format!("    step_{n}()\n")).collect();
    let pieces = cut(BlockKind::Code, &format!("```py\n{body}```"), 120, 120);
    assert!(pieces.len() > 2);
    assert!(
        pieces
            .iter()
            .all(|piece| piece.starts_with("```py\n    step_") && piece.ends_with("\n```") && piece.len() <= 120)
    );
}

#[test]
fn numbers_and_addresses_are_not_cut() {
    let text =
        "The small tea is $3.50 and the large is $5. Version 2.10.1 needs Node 18.17. Visit shop.example/a.b today. "
            .repeat(5);
    let pieces = cut(BlockKind::Prose, &text, 60, 60);
    assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.len() <= 60));
    for word in ["$3.50", "2.10.1", "18.17.", "shop.example/a.b"] {
        assert_eq!(pieces.iter().map(|piece| piece.matches(word).count()).sum::<usize>(), 5, "{word}");
    }
    assert!(pieces.iter().all(|piece| !piece.starts_with("50") && !piece.starts_with("10.1")));
}

proptest::proptest! {
    #[test]
    fn pieces_hold_every_visible_character_in_order(text in "([a-z.!? \\n]|é|🙂|退|1){1,400}", max in 16u32..80) {
        let visible = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let pieces = cut(BlockKind::Prose, &text, max / 2, max);
        proptest::prop_assert_eq!(visible(&pieces.concat()), visible(&text));
        proptest::prop_assert!(pieces.iter().all(|piece| piece.len() <= max as usize));
    }
}
