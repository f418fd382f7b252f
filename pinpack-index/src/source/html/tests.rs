//! Pages, piece by piece; `tests/laws.rs` has what holds for every page.

use super::*;

mod laws;

/// The texts of a page's blocks.
fn read(source: &str) -> Vec<String> {
    read_html(source).blocks.into_iter().map(|block| block.text).collect()
}

/// The one block of a page.
#[track_caller]
fn one(source: &str) -> String {
    let [block] = &read(source)[..] else { panic!("{:?}", read(source)) };
    block.clone()
}

fn left_out(source: &str) -> Vec<(&'static str, usize)> {
    read_html(source).left_out.iter().map(|left| (left.reason, left.words)).collect()
}

/// Level, anchor and pin of each heading.
fn headings(source: &str) -> Vec<(String, u8, Option<String>, bool)> {
    let blocks = read_html(source).blocks.into_iter();
    blocks
        .filter_map(|block| match block.kind {
            BlockKind::Heading { level, id, pinned } => Some((block.text, level, id, pinned)),
            _ => None,
        })
        .collect()
}

/// Case A15.
#[test]
fn blocks_and_cells_part_words_and_inline_elements_do_not() {
    let page = "<h1>Price list</h1><p>Basic plan.</p><ul><li>Mail</li><li>Chat</li></ul><table><tr><td>Pro</td>\
        <td>$49</td></tr></table><h3>Email</h3><a href=\"mailto:info@shop.example\">info@shop.example</a>";
    assert_eq!(
        read(page),
        [
            "Price list",
            "Basic plan.",
            "- Mail\n- Chat",
            "| | |\n| --- | --- |\n| Pro | $49 |",
            "Email",
            "info@shop.example"
        ]
    );
    assert_eq!(one("<p>bo<b>ld</b> <em>w</em><x-y>or</x-y>d <a href=a.html>li</a>nk</p>"), "bold word link");
    assert_eq!(read("<x-a>one<div>two</div>three</x-a>"), ["one", "two", "three"]);
    assert_eq!(one("<p>one<br>two"), "one\ntwo");
    assert_eq!(read("one<br><br>two"), ["one", "two"]);
    assert_eq!(one("<h2>one<br>two</h2>"), "one two");
    assert_eq!(
        one("<p>o<wbr>ne t&shy;wo thr&#8203;ee fo<!-- - -->ur fi<script>x</script>ve&nbsp; six"),
        "one two three four five six"
    );
}

#[test]
fn entities_are_characters() {
    assert_eq!(
        one("<p>AT&amp;T &lt;b&gt; &eacute;t&eacute; &#x4e2d;&#25991; &copy 5&nbsp;€ &nosuch;"),
        "AT&T <b> été 中文 © 5 € &nosuch;"
    );
    assert_eq!(one("<pre>a &amp;&amp; b\n  &lt;c&gt;</pre>"), "```\na && b\n  <c>\n```");
}

/// Case A17.
#[test]
fn what_surrounds_the_content_is_left_out_and_what_a_reader_sees_of_it_counted() {
    let page = "<html><head><style>.btn{color:red}</style></head><body><nav>Newsroom</nav><main><h1>Refunds</h1><p>30 days.</p>\
        <script>gtag('x')</script><template>tpl</template><p hidden>secret</p></main><footer>Newsroom Imprint</footer></body></html>";
    assert_eq!(read(page), ["Refunds", "30 days."]);
    assert_eq!(left_out(page), [("footer", 2), ("hidden", 1), ("navigation", 1)]);
    let page = "<header><h1>Site</h1></header><div class=hero>Two words</div><main><h1>T</h1>text <p data-pinpack-ignore>not this</p>\
        <p aria-hidden=true>x<p style='Display : none'>y</p><noscript>z</noscript><select><option>o p</select></main>";
    assert_eq!(read(page), ["T", "text"]);
    assert_eq!(left_out(page), [("controls", 2), ("hidden", 2), ("ignored", 2), ("outside the content", 3)]);
}

#[test]
fn content_is_found_without_main() {
    let rows = [
        "<header>Site name</header><div id=nav><a href=b>a b c</a></div><h1>T</h1><p>text</p><div class=footer>f</div>",
        "<div>Menu here</div><article><h1>T</h1><p>text</p></article>",
        "<div>Menu</div><div class=post-content><h1>T</h1><p>text</p></div>",
        "<header><h1>T</h1></header><p>text</p><footer>f</footer>",
        "<div role=main><h1>T</h1><p>text</p></div><div>longer than the content itself</div>",
        "<main></main><div><h1>T</h1><p>text</p></div>",
        "<main><nav>crumbs</nav><h1>T</h1><div class=theme-doc-markdown><p>text</p></div><ul class=toc><li><a href=#t>T</a></ul></main>",
    ];
    for page in rows {
        assert_eq!(read(page), ["T", "text"], "{page}");
    }
    // Not everything that is called so surrounds the content.
    assert_eq!(read("<body><div id=menu>Soup $5</div><div class=contents>Text</div>"), ["Soup $5", "Text"]);
    // A small article beside much else is not the page.
    assert_eq!(
        read("<h1>T</h1><p>much text of the page</p><article>quote</article>"),
        ["T", "much text of the page", "quote"]
    );
    assert_eq!(read("<frameset><frame src=a.html></frameset>"), Vec::<String>::new());
}

#[test]
fn what_a_click_shows_is_content() {
    let page = "<main><h3><button aria-expanded=false aria-controls=a1>Is it free?</button></h3><div id=a1 hidden>Yes.</div>\
        <div role=tabpanel hidden>npm install</div><details><summary>More</summary>Text</details><button>Copy</button></main>";
    assert_eq!(read(page), ["Is it free?", "Yes.", "npm install", "More", "Text"]);
    assert_eq!(left_out(page), [("controls", 1)]);
}

#[test]
fn headings_have_anchors_and_no_permalinks() {
    let page = "<section id=s1><h2>One<a class=headerlink href='#s1'>¶</a></h2><p>t</section><h3 id=two><a class=anchor href='#two'>#</a>Two</h3>\
        <h4><a name=three></a>Three</h4><h2 id=f><a class=anchor href='#f'>Four</a></h2><a name=five></a><h2>Five</h2><h5>Six</h5>\
        <h2 data-pinpack-pinned>Seven</h2><div data-pinpack-pinned><h6>Eight</h6></div>";
    let some = |id: &str| Some(id.to_string());
    let wanted = [
        ("One", 2, some("s1"), false),
        ("Two", 3, some("two"), false),
        ("Three", 4, some("three"), false),
        ("Four", 2, some("f"), false),
        ("Five", 2, some("five"), false),
        ("Six", 5, None, false),
        ("Seven", 2, None, true),
        ("Eight", 6, None, true),
    ];
    assert_eq!(headings(page), wanted.map(|(text, level, id, pinned)| (text.to_string(), level, id, pinned)));
    assert_eq!(one("<h2><code>f()</code> at <a href=https://a.example>A</a></h2>"), "f() at A");
    let api = "<section id=m><h1>Module</h1><dl class='py class'><dt class='sig sig-object py' id=m.C>class m.C(x)</dt><dd><p>Does.</p>\
        <dl class='py method'><dt class='sig sig-object py' id=m.C.f>f()</dt><dd><p>Runs.</p></dd></dl></dd></dl></section>";
    let levels: Vec<_> = headings(api).into_iter().map(|(_, level, id, _)| (level, id.unwrap())).collect();
    assert_eq!(levels, [(1, "m".into()), (2, "m.C".to_string()), (3, "m.C.f".into())]);
    assert_eq!(read(api), ["Module", "class m.C(x)", "Does.", "f()", "Runs."]);
}

#[test]
fn title_and_address_are_those_of_the_page() {
    let page = read_html("<title>A &amp;\n B</title><link rel=canonical href=https://a.example/b><h2>C</h2>");
    assert_eq!((page.title.as_str(), page.url.as_deref()), ("A & B", Some("https://a.example/b")));
    assert_eq!(read_html("<title>A</title><h1>C</h1>").title, "");
}

#[test]
fn links_elsewhere_keep_their_address_and_links_inside_are_listed() {
    let page = "<p>See <a href='https://a.example/x'>the <b>site</b></a>, <a href=/in#a>in</a>, <a href='mailto:a@b.example'>mail</a>,\
        <a href='tel:+49 30'>+49 30</a>, <a href='javascript:x()'>js</a>, <a href='https://b.example'>https://b.example/</a>,\
        un<a href='https://c.example'>glued</a>.";
    let document = read_html(page);
    let wanted = "See [the site](https://a.example/x), in, [mail](mailto:a@b.example),[+49 30](tel:+49%2030), js, https://b.example/,unglued.";
    assert_eq!(document.blocks[0].text, wanted);
    assert_eq!(document.links, ["/in#a"]);
}

#[test]
fn pictures_and_abbreviations_say_what_they_show() {
    assert_eq!(one("<p>a<img alt=''>b<img alt='A map' title='Of the north' src=x>c"), "ab A map (Of the north) c");
    assert_eq!(
        one("<p><abbr title='World Wide Web'>WWW</abbr> and <abbr title='World Wide Web'>WWW</abbr>"),
        "WWW (World Wide Web) and WWW"
    );
    assert_eq!(read("<figure><img alt=Cat><figcaption>A cat</figcaption></figure>"), ["Cat", "A cat"]);
    assert_eq!(one("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>"), "漢字(kanji)");
    assert_eq!(
        one("<p>10<sup>6</sup> H<sub>2</sub>O 1<sup>st</sup> note<sup><a href='#n'>3</a></sup> <q>so</q> <s>$9</s>"),
        "10⁶ H2O 1st note[3] “so” ~~$9~~"
    );
    assert_eq!(one("<p>x<svg><title>t</title><text>Chart words</text></svg>y"), "xy");
    assert_eq!(left_out("<p>x<svg><text>Chart words</text></svg>"), [("picture", 2)]);
    assert_eq!(
        one("<p>If <math><mi>x</mi><mo>=</mo><mn>2</mn></math> then <math alttext='x^2'><mi>x</mi></math>"),
        "If x = 2 then x^2"
    );
    assert_eq!(
        one(
            "<p><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\frac12</annotation></semantics></math>"
        ),
        "\\frac12"
    );
}

#[test]
fn lists_nest() {
    assert_eq!(one("<ul><li>a<ul><li>b<li>c</ul><li><p>d<p>e</ul>"), "- a\n  - b\n  - c\n- d\n\n  e");
    assert_eq!(one("<ol start=9><li>a<li>b<ul><li>c</ul><li value=20>d</ol>"), "9. a\n10. b\n    - c\n20. d");
    assert_eq!(one("<ul><li>a</li><ul><li>b</ul></ul>"), "- a\n  - b");
    assert_eq!(
        one("<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>"),
        "- [x] done\n- [ ] open"
    );
    assert_eq!(read("<ul><li><h3>Card</h3><p>Text</p></ul>"), ["Card", "Text"]);
    assert_eq!(
        one("<dl><dt>a<dd>b<dt>c<dt>d:<dd><p>e<p>f<div><dt>g</dt><dd>h</dd></div><dt>What?<dd>That.</dl>"),
        "- a: b\n- c, d: e\n\n  f\n- g: h\n- What? That."
    );
    assert_eq!(one("<blockquote><p>a<p>b<footer>— C</footer></blockquote>"), "> a\n>\n> b\n>\n> — C");
}

#[test]
fn code_stands_as_written() {
    let code = "<div class='highlight-python notranslate'><div class=highlight><pre><span></span>if a:\n\n    b = '```'\n</pre></div></div>";
    assert_eq!(one(code), "````python\nif a:\n\n    b = '```'\n````");
    assert_eq!(one("<pre><code class=language-js>a\n</code></pre>"), "```js\na\n```");
    assert_eq!(one("<pre data-language=sh><div class=line>a</div><div class=line>b</div></pre>"), "```sh\na\nb\n```");
    assert_eq!(one("<pre><span class=lineno>1</span>a<br>b</pre>"), "```\na\nb\n```");
    assert_eq!(one("<p><code>a</code>, <code>b`c</code> d<code>e</code>"), "`a`, `` b`c `` de");
    let numbered = "<table class=highlighttable><tr><td class=linenos><pre>1</pre></td><td class=code><pre>a</pre></td></tr></table>";
    assert_eq!(one(numbered), "```\na\n```");
}

#[test]
fn tables_have_a_header_row() {
    let page = "<table><caption>Prices</caption><thead><tr><th>Plan<th>Price</thead><tr><td rowspan=2>Pro<td>$1|m<tr><td>$9</table>";
    assert_eq!(read(page), ["Prices", "| Plan | Price |\n| --- | --- |\n| Pro | $1\\|m |\n| Pro | $9 |"]);
    let spanned = "<table><tr><th colspan=2>Size<th>C<tr><th>A<th>B<th>D<tr><td colspan=2>x<td>y</table>";
    assert_eq!(one(spanned), "| Size A | Size B | C D |\n| --- | --- | --- |\n| x | | y |");
    assert_eq!(
        one("<table><tr><th>A<th>B<tr><td>x<table><tr><td>n<td>m</table><td><ul><li>p<li>q</ul></table>"),
        "| A | B |\n| --- | --- |\n| x n m | p q |"
    );
    let layout = "<table><tr><td>menu<td><h1>T</h1><p>text<table><tr><td>a<td>b</table></table>";
    assert_eq!(read(layout), ["menu", "T", "text", "| | |\n| --- | --- |\n| a | b |"]);
    let huge = format!("<table>{}</table>", "<tr><td colspan=1000 rowspan=65534>word<td>x".repeat(2000));
    assert!(one(&huge).len() < 4_000_000);
}

#[test]
fn fragments_are_read_as_they_are() {
    let texts =
        |html: &str| fragment(html, 7).blocks.into_iter().map(|block| (block.text, block.span)).collect::<Vec<_>>();
    assert_eq!(texts("<details>\n<summary>Sum</summary>\n\n"), [("Sum".to_string(), 26..29)]);
    assert_eq!(texts("</details>"), []);
    assert_eq!(texts("<td>a</td><td>b</td>")[0].0, "a b");
    assert_eq!(texts("<nav>kept</nav><script>not</script>")[0].0, "kept");
    assert_eq!(fragment("<a href=x.md>y</a>", 0).links, ["x.md"]);
}

/// What is no whole tag in a fragment is text: a browser would see a page that goes on.
#[test]
fn nothing_in_a_fragment_swallows_what_follows() {
    let one = |html: &str| fragment(html, 0).blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("|");
    assert_eq!(one("<div>a <!-- b <p>c"), "a <!-- b|c");
    assert_eq!(one("<div>a <!-- x --> b"), "a b");
    assert_eq!(one("a<div class='b\nc"), "a<div class='b c");
    assert_eq!(one("<iframe src=x />a<script/>b<title/>c"), "abc");
    assert_eq!(one(&format!("{}word", "<a b='".repeat(99))).matches("<a b='").count(), 99);
}

#[test]
fn components_say_what_their_attributes_say() {
    let found = fragment("<x-card title='A &amp; b' to=/c icon=d text={e}>f</x-card><span title=g label=h>i</span>", 0);
    assert_eq!(found.blocks[0].text, "A & b fi");
    assert_eq!(found.links, ["/c"]);
    assert_eq!(read("<x-card title=A>b</x-card>"), ["b"]);
}

#[test]
fn xhtml_elements_close_themselves() {
    let page = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title>T</title><script src='x'/></head>\
        <body><a id='n'/><h2>Head</h2><p>text</p><div/></body></html>";
    assert_eq!(read(page), ["Head", "text"]);
}
