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
fn a_tag_without_words_leaves_neither_blanks_nor_brackets() {
    let source =
        "Open the {% icon gear %} **More** menu ({% icon fa-cube %}), or {% icon x %}.\n\n- {% icon y %} Item\n";
    assert_eq!(texts(source), ["Open the **More** menu, or.", "- Item"]);
    assert_eq!(texts("({% icon a %} b) {% icon c %} {% icon d %} e"), ["( b) e"]);
}

#[test]
fn a_target_that_is_data_is_not_sent() {
    let run = "eNp9kUFLwzAUx79KeJcp".repeat(5);
    for target in [format!("https://play.example/#{run}"), format!("https://play.example/?code={run}&x=1")] {
        assert_eq!(texts(&format!("[Try it]({target})")), ["Try it"]);
    }
    let words = "how-to-set-it-up".repeat(8);
    for target in [format!("https://a.example/p#{words}"), format!("https://a.example/{run}")] {
        assert_eq!(texts(&format!("[Try it]({target})")), [format!("[Try it]({target})")]);
    }
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
    assert_eq!(texts("<div>\n<p>One</p><p>Two</p><script>x()</script>\n</div>\n"), ["One", "Two"]);
    assert_eq!(texts("A<br>B and <b>bo</b>ld <!-- gone -->"), ["A\nB and bold"]);
}

#[test]
fn a_table_of_html_is_a_table() {
    let table = ("table".to_string(), "| A | B |\n| --- | --- |\n| c | d |".to_string());
    let rows = "<tr><th>A</th><th>B</th></tr>\n<tr><td>c</td><td>d</td></tr>\n</table>\n";
    assert_eq!(blocks(&format!("<table>\n{rows}"))[0], table);
    // Blank lines and indentation do not end it.
    let spaced = "<table>\n\n  <tr>\n    <th>A</th>\n\n    <th>B</th>\n  </tr>\n\n      <tr>\n        <td>c</td>\n\n        <td>d</td></tr>\n</table>\n\nNext.\n\n    <td>code</td>\n";
    let found = blocks(spaced);
    assert_eq!(found[0], table, "{found:?}");
    assert_eq!(found[2], ("code".into(), "```\n<td>code</td>\n```".into()));
    let item =
        "- One\n\n  <table>\n\n  <tr><th>A</th><th>B</th></tr>\n  <tr><td>c</td><td>d</td></tr>\n  </table>\n\n  Two\n";
    assert_eq!(texts(item), ["- One\n\n  | A | B |\n  | --- | --- |\n  | c | d |\n\n  Two"]);
    let quote = "> <ul><li>a</li>\n> <li>b</li></ul>\n>\n> c\n";
    assert_eq!(texts(quote), ["> - a\n> - b\n>\n> c"]);
}

#[test]
fn markdown_between_tags_is_markdown() {
    let source = "<details id=\"d\">\n<summary>Sum</summary>\n\n## Part\n\n*a* [b](c.md)\n\n</details>\n\n<h2 id=\"own\">Head &amp; <a href=\"e.md\">more</a></h2>\nText<br>line <img src=\"x.png\" alt=\"A lamp\">\n";
    let document = read_markdown(source, false, &[]);
    let texts: Vec<&str> = document.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["Sum", "Part", "*a* b", "Head & more", "Text\nline A lamp"]);
    assert_eq!(document.blocks[3].kind, BlockKind::Heading { level: 2, id: Some("own".into()), pinned: false });
    assert_eq!(document.links, ["c.md", "e.md"]);
    assert_eq!(&source[document.blocks[0].span.clone()], "Sum");
}

#[test]
fn code_beside_code_stays_two() {
    assert_eq!(texts("The <span>`a`</span><span>`b`</span> hook"), ["The `a` `b` hook"]);
}

#[test]
fn prices_are_no_formula() {
    assert_eq!(
        texts("| a |\n|---|\n| $3 &amp; up<br>or<br>$4 |\n\nIf $2x$ is $y$.\n"),
        ["| a |\n|---|\n| $3 & up or $4 |", "If $2x$ is $y$."]
    );
}

#[test]
fn what_a_template_tag_says_is_plain_text_everywhere() {
    let tag = "{% slack \"a\" \"the-a_b *c* 1) d\" %}";
    let wanted = "the-a_b *c* 1) d";
    assert_eq!(texts(&format!("x {tag}\n")), [format!("x {wanted}")]);
    assert_eq!(texts(&format!("<p>x {tag}</p>\n")), [format!("x {wanted}")]);
    assert_eq!(texts("{% slack \"- a\" %}\n\n{% slack \"12) b\" %}\n"), ["- a", "12) b"]);
}

#[test]
fn what_html_leaves_out_is_counted() {
    let found =
        read_markdown("<div hidden>one two</div>\n\na {% comment %}b{% endcomment %}\n\n<p hidden>c</p>\n", false, &[]);
    let counts: Vec<(&str, usize)> = found.left_out.iter().map(|out| (out.reason, out.words)).collect();
    assert_eq!(counts, [("comment", 1), ("hidden", 3)]);
}

#[test]
fn a_heading_after_a_template_tag_is_a_heading() {
    let source = "<ul>\n  <li>Tab</li>\n</ul>\n<div>\n  <div role=\"tabpanel\">\n{% capture a %}\n### Sync\n\nText.\n{% endcapture %}\n{{ a | markdownify }}\n  </div>\n  <div>\n{% capture b %}\n### More\n{% endcapture %}\n{{ b | markdownify}}\n</div></div>\n";
    let wanted = [("list", "- Tab"), ("h3", "Sync"), ("prose", "Text."), ("h3", "More")];
    assert_eq!(blocks(source), wanted.map(|(kind, text)| (kind.to_string(), text.to_string())));
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

/// Case A07.
#[test]
fn a_byte_order_mark_and_other_line_ends_make_no_difference() {
    let unix =
        "---\ntitle: Shop hours\n---\n\n# Hours\nOpen 9\nto 5.\n\n```\na\n\nb\n```\n\n- x\n- y\n\n:::tip T\nz\n:::\n";
    let wanted = texts(unix);
    for other in [unix.replace('\n', "\r\n"), unix.replace('\n', "\r")] {
        let other = format!("\u{feff}{other}");
        let document = read_markdown(&other, false, &[]);
        assert_eq!(document.title, "Shop hours");
        assert_eq!(document.blocks.into_iter().map(|block| block.text).collect::<Vec<_>>(), wanted);
    }
}

#[test]
fn entities_and_escapes_are_decoded_outside_code() {
    assert_eq!(texts("a &amp; b&nbsp;c \\*d\\* `&amp; \\*`"), ["a & b c *d* `&amp; \\*`"]);
}

#[test]
fn notes_have_names_and_embedded_files_have_none() {
    for (source, text) in [
        ("Open the ![[bars.svg#icon]] **Sort** menu ![[x.svg]].", "Open the **Sort** menu."),
        ("See [[Note#Part]] and [[Note#^a1|the part]].", "See Note > Part and the part."),
        ("![[Note]] ![[a.png]] ![[b.png|300]] ![[c.png|A lamp]]", "Note A lamp"),
        ("| a |\n|---|\n| [[N\\|x]] |", "| a |\n|---|\n| x |"),
    ] {
        assert_eq!(texts(source), [text], "{source}");
    }
}

#[test]
fn links_inside_the_site_are_collected_as_written() {
    let source = "[a](/b#c) [d](https://e.example) [f][g] [[H#i]] <mailto:x@y.example> <a href=\"j.html\">k</a>\n\n[g]: ../l.md\n";
    let mut links = read_markdown(source, false, &[]).links;
    links.sort_unstable();
    assert_eq!(links, ["../l.md", "/b#c", "H#i", "j.html"]);
    assert_eq!(read_markdown("<Card to=\"/a\" title=\"B\" />\n", true, &[]).links, ["/a"]);
}

#[test]
fn what_an_item_holds_is_indented() {
    let source = "1. One\n   ```sh\n   a\n\n   b\n   ```\n   after\n2. Two\n   - [x] done\n     > quote\n";
    assert_eq!(
        blocks(source),
        [(
            "list".into(),
            "1. One\n\n   ```sh\n   a\n\n   b\n   ```\n   after\n2. Two\n   - [x] done\n\n     > quote".into()
        )]
    );
}

#[test]
fn an_unclosed_comment_hides_nothing() {
    assert_eq!(texts("a <!-- x -->\n\n<!-- b\n\n## C\nd"), ["a", "b", "C", "d"]);
}

#[test]
fn an_unclosed_declaration_or_instruction_hides_nothing() {
    for mark in ["<!DOCTYPE", "<?php", "<![CDATA["] {
        let read = texts(&format!("a\n\n{mark} b\n\nc\n")).join(" ");
        let words: Vec<&str> = read.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() == 1).collect();
        assert_eq!(words, ["a", "b", "c"], "{mark}");
    }
    assert_eq!(texts("a\n\n<!DOCTYPE html>\n\n<?php x ?>\n\nc\n"), ["a", "c"]);
}

#[test]
fn a_template_is_code_and_code_keeps_its_marks() {
    let source = "{% highlight ruby %}\n{% x %} # no heading\n{% endhighlight %}\n";
    assert_eq!(blocks(source), [("code".into(), "```ruby\n{% x %} # no heading\n```".into())]);
    assert_eq!(texts("A `:::note` and `{% x %}`.\n"), ["A `:::note` and `{% x %}`."]);
}

/// The awkward files of the shared cases, where they are present.
#[test]
fn awkward_files_read_well() {
    let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("PINPACK_SHARED").map_or(beside, Into::into).join("cases/files");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return eprintln!("skipped: {} is not here", folder.display());
    };
    let mut count = 0;
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        let Some(kind) = crate::source::Kind::of(&name).filter(|_| path.is_file()) else { continue };
        let bytes = std::fs::read(&path).unwrap();
        let decoded = crate::source::decode(&name, &bytes).unwrap();
        let blocks = crate::source::read(&name, kind, &decoded.text, &[]).blocks;
        let prose = blocks.iter().filter(|block| !matches!(block.kind, BlockKind::Code));
        let text = prose.map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
        assert!(!blocks.is_empty(), "{name}");
        for mark in [
            ":::",
            "[!NOTE]",
            "from '",
            "export const",
            "<Tab",
            "</",
            "{/*",
            "\u{feff}",
            "\r",
            "title:",
            "[^1]",
            "\u{fffd}",
        ] {
            assert!(!text.contains(mark), "{mark} in {name}");
        }
        count += 1;
    }
    assert!(count >= 15, "{count}");
}
