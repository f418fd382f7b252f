//! Laws of the Markdown reader: every visible word is in a block, in order, once, not joined to another.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use pulldown_cmark::{Parser, html};

use super::read_markdown;
use super::render::OPTIONS;
use crate::source::Kind;
use crate::source::{Document, read};

/// Each writes new words in one construct of Markdown; `§` stands for a word, `@` for a number of its own.
const MARKDOWN: [&str; 58] = [
    "# §\n",
    "## § § {#id@}\n",
    "§ §\n===\n",
    "§ § §\n§\n",
    "§ *§* **§** ***§*** _§_\n",
    "§ *§*, §\n",
    "§ [§](/a@) [§ §](b.md \"t\") [§](https://a.example/)\n",
    "§ ![§](a.png)![§ §](b.png)\n",
    "§ [§][r@]\n\n[r@]: /c\n",
    "§ `§` ``§ ` §``\n",
    "§ &amp; §&nbsp;§ &lt;§&gt;\n",
    "\\*§\\* § \\_§\\_\n",
    "- §\n- § §\n  - §\n    § §\n- §\n",
    "- §\n\n  §\n\n- §\n",
    "1. §\n2. §\n\n   ```sh\n   §\n   ```\n   §\n",
    "- [ ] §\n- [x] §\n",
    "> §\n> §\n",
    "> §\n> > §\n>\n> - §\n§\n",
    "| § | § |\n|---|:-:|\n| § | § § |\n| `§` | *§* |\n",
    "```js\n§ §\n\n§\n```\n",
    "~~~\n§\n~~~\n",
    "    §\n    §\n",
    "<div><p>§</p><p>§</p></div>\n",
    "<details>\n<summary>§</summary>\n\n§\n\n</details>\n",
    "§<br>§<br/>§ <b>§</b>\n",
    "§ <kbd>§</kbd>\n",
    "§ <!-- hidden --> §\n",
    "<!-- hidden\nlines -->\n",
    ":::note §\n§\n:::\n",
    ":::tip[§ §]\n\n§\n\n:::\n",
    "::::warning{title=\"§\"}\n:::note\n§\n:::\n§\n::::\n",
    "::: details § §\n- §\n:::\n",
    "::: code-group\n```sh\n§\n```\n:::\n",
    "::youtube{#id@}\n\n:abbr[§]{title=t@} §\n",
    "!!! note \"§\"\n    §\n\n    - §\n\n        §\n\n    ```\n    §\n    ```\n\n§\n",
    "??? tip\n    §\n    §\n",
    "=== \"§\"\n\n    §\n\n=== \"§\"\n\n    §\n",
    "> [!NOTE]\n> §\n",
    "> [!tip]- § §\n> §\n",
    "§ [[§]] [[a|§]] [[§]](x)\n",
    "![[§]]\n",
    "§ ==§== ==§ §== §\n",
    "§ %%hidden%% §\n",
    "§ § ^abc@\n",
    "§ {% tag %}§{% endtag %} {: .a}\n",
    "§ ~~§~~ §\n",
    "§[^n@] §\n\n[^n@]: § §\n",
    "---\n\n§ §  \n§\\\n§\n",
    "<table>\n<tr><th>§</th><th>§ §</th></tr>\n<tr><td>§</td><td>§</td></tr>\n</table>\n",
    "<table>\n\n<tr><td>§</td>\n\n    <td>§</td></tr>\n\n      <tr>\n        <td>§</td>\n</table>\n",
    "<table>\n<tr><td>§\n\n§ *§*\n\n- §\n\n</td><td>§</td></tr>\n</table>\n",
    "- §\n  <p>§<br>§</p>\n\n  <ul><li>§</li><li>§</li></ul>\n\n  §\n- <b>§</b>\n\n  <div>§\n\n  § §\n\n  </div>\n",
    "> <h3 id=i@>§</h3>\n> §\n>\n> <table><tr><th>§<th>§</table>\n>\n> §\n",
    "1. §\n\n   <table>\n   <tr><td>§</td><td>§</td></tr>\n\n   <tr><td>§</td><td>§</td></tr>\n   </table>\n\n2. §\n",
    "<div>\n\n# § <img src=a alt='§'>\n\n</div>\n<p>§\n§</p>\n§\n",
    "<div hidden>hidden</div>\n<script>\nhidden()\n\n</script>\n\n<p>§\n",
    "<pre>\n§\n\n  §\n</pre>\n",
    "<x-card title='§'>§</x-card>\n",
];

const MDX: [&str; 22] = [
    "import A from './a'\nimport {\n  B,\n} from \"b\"\n",
    "export const a@ = { b: [1, '}'] }\n",
    "export function F@({ a }) {\n  return <p>{a}</p>\n}\n",
    "export § § §\n",
    "import § § §.\n",
    "<Note>§</Note>\n",
    "<Note title=\"§ §\">\n  § *§*\n</Note>\n",
    "<Tabs>\n  <TabItem label=\"§\">\n    § §\n\n    - §\n      - §\n\n    ```sh\n    §\n    ```\n  </TabItem>\n  <TabItem value=\"§\">\n    §\n  </TabItem>\n</Tabs>\n",
    "1. §\n\n   <Note>\n   §\n   </Note>\n\n2. §\n",
    "<Tab>§</Tab><Tab>§</Tab>\n",
    "§ <Link to=\"/a\">§</Link>.\n",
    "§ {/* hidden */} § {1 + 2} {'§'}{' '}{\"§\"} {`§`}\n",
    "{/* hidden\nlines */}\n",
    "§ {open §\n",
    "a < § and <5 §\n",
    "<div style={{ a: '}' }}>§</div>\n",
    "<>\n§ §\n</>\n",
    "<CodeBlock language=\"js\">\n  {`§ {\n\n§`}\n</CodeBlock>\n",
    "<h2 id=\"i@\">§</h2>\n",
    "<ul>\n  <li>§</li>\n  <li>§ §</li>\n</ul>\n",
    "<img src=\"a.png\" alt=\"§ §\" />\n",
    "| § | <b>§</b> |\n|---|---|\n| {/* x */}§ | <Badge text=\"§\" /> |\n",
];

/// The document of the chosen constructs, and its words in order.
fn document(chosen: &[usize], constructs: &[&str]) -> (String, Vec<String>) {
    let (mut source, mut words) = (String::new(), Vec::new());
    for (number, choice) in chosen.iter().enumerate() {
        for c in constructs[choice % constructs.len()].chars() {
            match c {
                '§' => {
                    words.push(format!("w{}q", words.len()));
                    source.push_str(&words[words.len() - 1]);
                }
                '@' => source.push_str(&number.to_string()),
                other => source.push(other),
            }
        }
        source.push('\n');
        // A list would take an indented block that follows it for its own.
        source.push_str("<!-- -->\n\n");
    }
    (source, words)
}

fn words_of(document: &Document) -> Vec<String> {
    let text = document.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| word.starts_with('w') && word.contains(|c: char| c.is_ascii_digit()))
        .map(str::to_string)
        .collect()
}

fn check_spans(source: &str, document: &Document) {
    let mut start = 0;
    for block in &document.blocks {
        assert!(source.get(block.span.clone()).is_some(), "{:?} of {source:?}", block.span);
        assert!(block.span.start >= start, "{:?} after {start} in {source:?}", block.span);
        start = block.span.start;
    }
}

#[test]
fn every_construct_keeps_its_words() {
    for choice in 0..MARKDOWN.len() {
        let (source, words) = document(&[choice, 2, choice], &MARKDOWN);
        assert_eq!(words_of(&read_markdown(&source, false, &[])), words, "{source}");
    }
    for choice in 0..MDX.len() {
        let source_and_words = document(&[choice, 9, choice], &MDX);
        let (source, words) = (source_and_words.0.replace("<!-- -->\n", ""), source_and_words.1);
        assert_eq!(words_of(&read_markdown(&source, true, &[])), words, "{source}");
    }
}

/// What a browser shows of HTML made from Markdown: block tags part words, others do not, `alt` is shown.
fn shown(html: &str) -> Vec<String> {
    let mut out = String::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        let end = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        let tag = rest[start..end].trim_start_matches(['<', '/']);
        let inline = ["em", "strong", "a", "code", "del"]
            .iter()
            .any(|name| tag.strip_prefix(name).is_some_and(|after| after.starts_with([' ', '>'])));
        out.push_str(if inline { "" } else { " " });
        rest = &rest[end..];
    }
    let text = (out + rest).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn generated_documents_keep_their_words_in_order(chosen in prop::collection::vec(0..MARKDOWN.len(), 1..12)) {
        let (source, words) = document(&chosen, &MARKDOWN);
        for source in [source.clone(), source.replace('\n', "\r\n")] {
            let document = read_markdown(&source, false, &[]);
            prop_assert_eq!(words_of(&document), words.clone(), "{}", source);
            check_spans(&source, &document);
        }
    }

    #[test]
    fn generated_mdx_keeps_its_words_in_order(chosen in prop::collection::vec(0..MDX.len(), 1..10)) {
        let (source, words) = document(&chosen, &MDX);
        let source = source.replace("<!-- -->\n", "");
        let document = read_markdown(&source, true, &[]);
        prop_assert_eq!(words_of(&document), words, "{}", source);
        check_spans(&source, &document);
    }

    #[test]
    fn blocks_have_the_words_of_the_page(source in "([a-d]{1,3}|[ *_`#>|&;()\n]|\n\n|- |\\]|\\[|\\\\|&amp;|\\]\\(a\\)|\\|-\\|){0,40}") {
        prop_assume!(!["```", "[[", "]]"].iter().any(|mark| source.contains(mark)));
        let mut page = String::new();
        html::push_html(&mut page, Parser::new_ext(&source, OPTIONS));
        let document = read_markdown(&source, false, &[]);
        let text = document.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        prop_assert_eq!(words, shown(&page), "{:?}", source);
    }

    #[test]
    fn any_text_gives_blocks_with_spans_in_order(source in "([ -~\\n\\r\\t]|é|🙂|\u{feff}|\\n\\n|:::|\\{%|%%|==|<A |/>|```|import |\\[\\[|!!! a\\n    ){0,80}", kind in 0_usize..3) {
        let (path, kind) = [("a.md", Kind::Markdown), ("a.mdx", Kind::Markdown), ("a.txt", Kind::Text)][kind];
        check_spans(&source, &read(path, kind, &source, &[]));
    }
}

#[test]
fn deep_and_repeated_marks_take_no_time() {
    let marks = [
        ">",
        "> ",
        "* ",
        "- ",
        "1. ",
        "[",
        "![",
        "[[",
        "<",
        "<a ",
        "<A>",
        "<a b=\"",
        "{",
        "{{",
        "{%",
        "{% comment %}",
        "{:",
        "}",
        "(",
        "`",
        "` `` ",
        "$",
        "%%",
        "%% ",
        "==",
        " ==a",
        "\\",
        ":a[",
        ":::a\n",
        ":::",
        "!!! a\n    ",
        "<!--",
        "<!a",
        "<?a",
        "<!-- -->",
        "^abcd ",
        "import a from 'b'\n",
        "export const a = {",
        "import {",
        "{`",
        "{'",
        "~~~\n",
        "> a\n",
        "- a\n",
        "|a",
        "&amp;",
        "*a ",
        "**a",
        "<script>",
        "</script>",
        "[^a]",
        "[^a]: b\n",
        "<Tab title=\"",
        "{/*",
        "# ",
        "\n",
        "\r",
        " ",
        "\t",
        "\u{c}",
    ];
    for mark in marks {
        let source = mark.repeat(4_000);
        for path in ["a.md", "a.mdx"] {
            let start = Instant::now();
            check_spans(&source, &read(path, Kind::Markdown, &source, &[]));
            // It ends: many times what it takes, also on a busy machine.
            assert!(start.elapsed() < Duration::from_secs(60), "{mark:?} in {path}: {:?}", start.elapsed());
        }
    }
}
