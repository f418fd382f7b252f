use super::*;

/// One token a byte: makes limits easy to follow.
fn bytes(text: &str) -> u32 {
    text.len() as u32
}

fn block(kind: BlockKind, text: &str) -> Block {
    Block { kind, text: text.into(), span: 0..text.len() }
}

fn cut(kind: BlockKind, text: &str, target: u32, max: u32) -> Vec<String> {
    pieces(&[block(kind, text)], Sizes { target, max, overlap: 0 }, &bytes, &bytes)
        .into_iter()
        .map(|piece| piece.text)
        .collect()
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

fn overlapped(text: &str, target: u32, max: u32, overlap: u32) -> Vec<String> {
    let sizes = Sizes { target, max, overlap };
    pieces(&[block(BlockKind::Prose, text)], sizes, &bytes, &bytes).into_iter().map(|piece| piece.text).collect()
}

#[test]
fn a_run_without_blanks_ends_with_an_overlap_too() {
    let text = format!("{} {}", "x".repeat(10), "a".repeat(5000));
    let pieces = overlapped(&text, 200, 200, 40);
    assert!(pieces.len() <= 40 && pieces.iter().all(|piece| piece.len() <= 200));
    assert_eq!(pieces.concat().replace(' ', ""), text.replace(' ', ""));
    assert!(pieces[0].starts_with(&"x".repeat(10)));
}

#[test]
fn an_overlap_is_of_whole_sentences_that_fit_it() {
    let sentences: Vec<String> = (10..60).map(|n| format!("Sentence number {n} stands.")).collect();
    let pieces = overlapped(&sentences.join(" "), 150, 400, 60);
    assert!(pieces.len() > 5 && pieces.iter().all(|piece| piece.len() <= 400));
    let held = |piece: &str| sentences.iter().filter(|s| piece.contains(s.as_str())).cloned().collect::<Vec<_>>();
    for pair in pieces.windows(2) {
        let (before, after) = (held(&pair[0]), held(&pair[1]));
        // Two sentences of 27 bytes with the blank between fit 60 bytes, three do not.
        assert_eq!(after[..2], before[before.len() - 2..]);
        assert_eq!(pair[1], after.join(" "));
    }
    let all: Vec<String> = pieces.iter().flat_map(|piece| held(piece)).collect();
    assert_eq!(all.len(), sentences.len() + 2 * (pieces.len() - 1));
    assert_eq!(overlapped(&sentences.join(" "), 150, 400, 0).join(" "), sentences.join(" "));
}

#[test]
fn a_small_tail_is_evened_out() {
    let sentence = "Nineteen bytes here. ";
    // 920 bytes: one piece of 900 would leave a crumb of 20.
    let pieces = cut(BlockKind::Prose, sentence.repeat(44).trim_end(), 350, 900);
    let sizes: Vec<usize> = pieces.iter().map(String::len).collect();
    assert!(sizes.iter().all(|size| (250..600).contains(size)), "{sizes:?}");
}

#[test]
fn a_caption_stays_with_what_it_stands_over() {
    let code = || block(BlockKind::Code, "```\ncall one\ncall two\ncall three\ncall four\ncall five\ncalls\n```");
    let line = |text: &str| block(BlockKind::Prose, text);
    // By size alone the line would go with what is above it.
    let cut = |blocks: &[Block]| -> Vec<String> {
        let target = (blocks[0].text.len() + 2 + blocks[1].text.len()) as u32;
        let sizes = Sizes { target, max: target + 40, overlap: 0 };
        pieces(blocks, sizes, &bytes, &bytes).into_iter().map(|piece| piece.text).collect()
    };
    let text = |more: &str| line(&format!("Here is one more word of advice on the matter{more}."));
    let (short, long) = (text("").text, text(" at hand").text);
    let more = block(BlockKind::Code, &code().text.replace("calls", "call six, seven"));
    let found = cut(&[code(), line("Remove a child"), block(BlockKind::Code, &more.text)]);
    assert_eq!(found, [code().text, format!("Remove a child\n\n{}", more.text)]);
    let found = cut(&[line(&short), line("Warning"), line(&long)]);
    assert_eq!(found, [short.clone(), format!("Warning\n\n{long}")]);
    let found = cut(&[line(&short), line("Go on."), line(&long)]);
    assert_eq!(found, [format!("{short}\n\nGo on."), long.clone()]);
    let longest = text(" at hand, and one more that does not say much").text;
    let found = cut(&[code(), line("Try it"), line(&longest)]);
    assert_eq!(found, [format!("{}\n\nTry it", code().text), longest]);
}

#[test]
fn what_introduces_a_list_a_table_or_code_stays_with_it() {
    for (kind, body) in [
        (BlockKind::List, "- one step\n- two steps\n- three steps"),
        (BlockKind::Table, "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"),
        (BlockKind::Code, "```sh\nnpm run everything\n```"),
    ] {
        let prose = "Words of no interest stand here in a row. ".repeat(4);
        let blocks = [
            block(BlockKind::Prose, prose.trim_end()),
            block(BlockKind::Prose, "The steps are:"),
            block(kind, body),
            block(BlockKind::Prose, prose.trim_end()),
        ];
        let sizes = Sizes { target: 160, max: 220, overlap: 0 };
        let pieces = pieces(&blocks, sizes, &bytes, &bytes);
        assert!(pieces.len() > 1);
        assert!(pieces.iter().any(|piece| piece.text.contains(&format!("The steps are:\n\n{body}"))));
    }
}

#[test]
fn a_list_is_cut_between_items_and_keeps_its_numbers_and_what_is_inside() {
    let items: Vec<String> = (1..=20).map(|n| format!("{n}. Step {n} of them.\n   - inner {n}")).collect();
    let pieces = cut(BlockKind::List, &items.join("\n"), 150, 200);
    assert!(pieces.len() > 3 && pieces.iter().all(|piece| piece.len() <= 200));
    assert_eq!(pieces.join("\n"), items.join("\n"));
    for (n, item) in items.iter().enumerate() {
        assert_eq!(pieces.iter().filter(|piece| piece.contains(item)).count(), 1, "item {}", n + 1);
    }
}

#[test]
fn an_item_that_is_too_large_keeps_its_code_whole_and_its_marks() {
    let code = "  ```sh\n  npm install\n\n  - not an item\n  ```";
    let prose = "  More to read about it. ".to_string() + &"And more of it here. ".repeat(12);
    let text = format!("- Install it:\n\n{code}\n\n{}\n- Next.", prose.trim_end());
    let pieces = cut(BlockKind::List, &text, 100, 140);
    assert!(pieces.len() > 2 && pieces.iter().all(|piece| piece.len() <= 140), "{pieces:#?}");
    assert!(pieces[0].starts_with("- Install it:") && pieces[0].contains(code), "{pieces:#?}");
    assert!(pieces.last().unwrap().ends_with("- Next."));
}

#[test]
fn each_piece_of_a_quote_is_a_quote() {
    let text: Vec<String> = (0..20).map(|n| format!("> Said number {n} at length.\n>")).collect();
    let pieces = cut(BlockKind::Quote, &text.join("\n"), 100, 140);
    assert!(pieces.len() > 3);
    assert!(pieces.iter().all(|piece| piece.len() <= 140 && piece.lines().all(|line| line.starts_with('>'))));
    for n in 0..20 {
        let said = format!("> Said number {n} at length.");
        assert_eq!(pieces.iter().filter(|piece| piece.lines().any(|line| line == said)).count(), 1, "{said}");
    }
}

#[test]
fn a_row_that_is_too_wide_becomes_lines_with_the_names_of_the_columns() {
    let wide = "far too wide a cell ".repeat(6);
    let text =
        format!("| Plan | Note \\| more |\n|---|---|\n| P1 | small |\n| P2 | {} |\n| P3 | small |", wide.trim_end());
    let pieces = cut(BlockKind::Table, &text, 80, 100);
    assert!(pieces.iter().all(|piece| piece.len() <= 100), "{pieces:#?}");
    assert!(pieces.iter().any(|piece| piece.contains("Plan: P2\nNote \\| more: far too")), "{pieces:#?}");
    assert!(pieces.iter().all(|piece| ["| P1", "| P3"].iter().all(|row| !piece.starts_with(row))));
    assert_eq!(pieces.join(" ").matches("far too wide a cell").count(), 6);
}

#[test]
fn links_inline_code_and_numbers_are_not_cut_while_they_fit() {
    let text =
        "word ".repeat(9) + "[a link of words](https://a.example/x) and `some code here` for 10 000 000 and 5\u{a0}kg ";
    let text = text.repeat(8);
    for max in 60..90 {
        let pieces = cut(BlockKind::Prose, &text, max, max);
        for whole in ["[a link of words](https://a.example/x)", "`some code here`", "10 000 000", "5\u{a0}kg"] {
            assert_eq!(pieces.iter().map(|piece| piece.matches(whole).count()).sum::<usize>(), 8, "{whole} at {max}");
        }
    }
}

#[test]
fn a_long_text_in_chinese_is_cut_at_its_commas() {
    let text = "我们提供三十天退款服务，运费由买家承担，".repeat(30);
    let pieces = cut(BlockKind::Prose, &text, 200, 240);
    assert!(pieces.len() > 5 && pieces[..pieces.len() - 1].iter().all(|piece| piece.ends_with('，')), "{pieces:#?}");
    assert_eq!(pieces.concat(), text);
}

/// A block of a kind whose words are numbered from `next`, with others between that no piece may part.
fn numbered(kind: usize, size: usize, filler: usize, next: &mut usize) -> Block {
    let fill = ["", " naïve", " 👩\u{200d}🚀", " 退款。", " $3.50", " e.g. it", " `a b`", " End. So"][filler];
    let mut words = |many: usize| -> String {
        let word = |n: usize| format!("w{n}{fill}");
        let out = (*next..*next + many).map(word).collect::<Vec<_>>().join(" ");
        *next += many;
        out
    };
    let lines =
        |mut line: Box<dyn FnMut(usize) -> String + '_>| (0..size).map(&mut line).collect::<Vec<_>>().join("\n");
    let (kind, text) = match kind {
        0 => (BlockKind::Prose, words(size * 3)),
        1 => (
            BlockKind::Table,
            format!(
                "| h | k |\n|---|---|\n{}",
                lines(Box::new(|n| format!("| {} | {} |", words(1 + n % 3), words(1))))
            ),
        ),
        2 => (
            BlockKind::Code,
            format!("```x\n{}\n```", lines(Box::new(|n| format!("{}{}", " ".repeat(n % 5), words(1 + n % 4))))),
        ),
        3 => (BlockKind::List, lines(Box::new(|n| format!("{}- {}", "  ".repeat(n % 3), words(1 + n % 9))))),
        4 => (
            BlockKind::Quote,
            lines(Box::new(|n| if n % 3 == 2 { ">".into() } else { format!("> {}", words(1 + n % 6)) })),
        ),
        5 => (
            BlockKind::List,
            lines(Box::new(|n| format!("{}. {}\n\n   ```\n   {}\n   ```", n + 1, words(2), words(3)))),
        ),
        _ => (
            BlockKind::Prose,
            lines(Box::new(|n| format!("{}\n{}", words(1 + n % 4), if n % 4 == 3 { "\n" } else { "" }))),
        ),
    };
    block(kind, text.trim_end())
}

proptest::proptest! {
    #[test]
    fn pieces_of_any_blocks_tile_them_and_fit(
        kinds in proptest::collection::vec((0usize..7, 1usize..24, 0usize..8), 1..7),
        max in 60u32..400,
        share in 2u32..5,
    ) {
        let mut next = 0;
        let blocks: Vec<Block> = kinds.iter().map(|(kind, size, fill)| numbered(*kind, *size, *fill, &mut next)).collect();
        let sizes = Sizes { target: max * 2 / share, max, overlap: 0 };
        let pieces = pieces(&blocks, Sizes { target: sizes.target.min(max), ..sizes }, &bytes, &bytes);
        let mut seen = Vec::new();
        for piece in &pieces {
            proptest::prop_assert!(!piece.text.trim().is_empty());
            proptest::prop_assert!(piece.text.len() <= max as usize, "{} bytes: {}", piece.text.len(), piece.text);
            proptest::prop_assert_eq!(piece.text.matches("```").count() % 2, 0, "open fence: {}", piece.text);
            let numbers = piece.text.split('w').skip(1).map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
            seen.extend(numbers.filter_map(|digits| digits.parse::<usize>().ok()));
        }
        proptest::prop_assert_eq!(seen, (0..next).collect::<Vec<_>>());
    }
}
