use super::*;

fn blocks(source: &str) -> Vec<(String, String)> {
    let name = |kind: &BlockKind| match kind {
        BlockKind::Heading { level, .. } => format!("h{level}"),
        BlockKind::Table => "table".into(),
        BlockKind::Code => "code".into(),
        BlockKind::List => "list".into(),
        BlockKind::Quote => "quote".into(),
        BlockKind::Prose => "prose".into(),
    };
    read_markdown(source, false, &[]).blocks.into_iter().map(|b| (name(&b.kind), b.text)).collect()
}

fn texts(source: &str) -> Vec<String> {
    blocks(source).into_iter().map(|(_, text)| text).collect()
}

#[test]
fn a_comment_in_a_fence_is_no_heading() {
    let found = blocks("# Setup\n\n```bash\n# install tools\nmake all\n```\nThen restart.\n");
    assert_eq!(found[0], ("h1".into(), "Setup".into()));
    assert_eq!(found.iter().filter(|(kind, _)| kind.starts_with('h')).count(), 1);
    assert!(found[1].1.contains("# install tools") && found[2].1 == "Then restart.");
}

#[test]
fn underlined_headings_are_headings() {
    let found = blocks("Refunds\n=======\nWithin 30 days.\n\nShipping\n--------\nTwo days.\n");
    assert_eq!(found[0], ("h1".into(), "Refunds".into()));
    assert_eq!(found[2], ("h2".into(), "Shipping".into()));
    assert!(found.iter().all(|(_, text)| !text.contains("==") && !text.contains("--")));
}

#[test]
fn links_keep_their_text_and_foreign_targets() {
    assert_eq!(
        texts("See [terms](/legal), [the form](https://form.example/x) and <https://a.example>."),
        ["See terms, [the form](https://form.example/x) and https://a.example."]
    );
    assert_eq!(
        texts("See [terms] and [*more*][terms].\n\n[terms]: https://shop.example/terms"),
        ["See terms and *more*."]
    );
    assert_eq!(
        texts("![A red lamp](lamp.png) [[Other note|the note]] and [[Plain]]"),
        ["A red lamp the note and Plain"]
    );
}

#[test]
fn footnotes_follow_the_block_that_refers_to_them() {
    let source = "# Price\nThe Pro plan is $20[^1]. See [terms].\n\n# Other\nfiller\n\n[terms]: https://shop.example/terms\n[^1]: Plus VAT.\n[^2]: Annual only.\n";
    let found = texts(source);
    assert_eq!(found[1], "The Pro plan is $20. See terms.\n\nPlus VAT.");
    assert!(found.iter().all(|text| !text.contains("[^1]:") && !text.contains("[terms]:")));
    assert!(found.contains(&"Annual only.".to_string()));
}

#[test]
fn directives_and_alerts_lose_their_marks_only() {
    let found =
        texts(":::warning No refunds on gift cards\nGift cards are final sale.\n:::\n\n> [!NOTE]\n> Open on Sunday.\n");
    let all = found.join("\n");
    assert!(
        all.contains("No refunds on gift cards")
            && all.contains("Gift cards are final sale.")
            && all.contains("Open on Sunday.")
    );
    assert!(!all.contains(":::") && !all.contains("[!NOTE]"));
}

#[test]
fn template_tags_and_html_leave_their_text() {
    assert_eq!(texts("{% note %}Keep this.{% endnote %} {:.big}\n"), ["Keep this."]);
    assert_eq!(texts("<div>\n<p>One</p><p>Two</p><script>x()</script>\n</div>\n"), ["One\nTwo"]);
    assert_eq!(texts("A<br>B and <b>bo</b>ld <!-- gone -->"), ["A\nB and bold"]);
}

#[test]
fn mdx_code_goes_and_prose_stays() {
    let source = "import {\n  a,\n  b\n} from './many'\n\nimport Note from './note'\nexport const meta = { a: 1 }\n\n# Duty\n\nImport duties apply.\n\n<Note>Refunds take 5 days.</Note>\n\nexport controls do not apply.\n";
    let all = read_markdown(source, true, &[]).blocks.into_iter().map(|b| b.text).collect::<Vec<_>>().join("\n");
    for kept in ["Import duties apply.", "Refunds take 5 days.", "export controls do not apply."] {
        assert!(all.contains(kept), "{all}");
    }
    assert!(!all.contains("./note") && !all.contains("./many") && !all.contains("export const"));
}

#[test]
fn spans_name_the_bytes_of_the_source() {
    let source = "\u{feff}---\r\ntitle: A\r\n---\r\n\r\n# Hours\r\nOpen 9 to 5.\r\n";
    let blocks = read_markdown(source, false, &[]).blocks;
    assert_eq!(source[blocks[0].span.clone()].trim_end(), "# Hours");
    assert_eq!(source[blocks[1].span.clone()].trim_end(), "Open 9 to 5.");
    assert!(blocks.iter().all(|block| !block.text.contains('\r')));
}

#[test]
fn heading_attributes_are_read_and_left_out() {
    let doc = read_markdown("## Refunds {#money .pinned}\n", false, &[]);
    assert_eq!(doc.blocks[0].kind, BlockKind::Heading { level: 2, id: Some("money".into()), pinned: true });
    assert_eq!(doc.blocks[0].text, "Refunds");
}

proptest::proptest! {
    #[test]
    fn any_text_gives_blocks_with_spans_inside_it(source in "([ -~\\n]|é|🙂){0,120}") {
        for block in read_markdown(&source, true, &[]).blocks {
            assert!(source.get(block.span).is_some());
        }
    }
}
