use super::*;

fn slugs(style: AnchorStyle, headings: &[&str]) -> Vec<String> {
    let mut slugger = Slugger::new(style, std::iter::empty());
    headings.iter().map(|heading| slugger.slug(None, heading)).collect()
}

/// Each heading with the anchors that github-slugger 2.0, `@mdit-vue/shared` 3 and Python's rule gave when they were run.
const PUBLISHED: [(&str, &str, &str, Option<&str>); 24] = [
    ("What's new, in v2.0?", "whats-new-in-v20", "what-s-new-in-v2-0", Some("whats-new-in-v20")),
    ("C++ & C#", "c--c", "c-c", Some("c-c")),
    ("Café / Bar", "café--bar", "cafe-bar", Some("cafe-bar")),
    ("日本語 の 見出し", "日本語-の-見出し", "日本語-の-見出し", None),
    ("snake_case  two", "snake_case--two", "snake-case-two", Some("snake_case-two")),
    ("😄 emoji", "-emoji", "😄-emoji", Some("emoji")),
    ("Привет non-latin 你好", "привет-non-latin-你好", "привет-non-latin-你好", Some("non-latin")),
    ("`code` in **bold**", "code-in-bold", "code-in-bold", Some("code-in-bold")),
    ("½ price ² Ⅷ ①", "-price--ⅷ-", "_1⁄2-price-2-viii-1", Some("12-price-2-viii-1")),
    ("٣ أيام — الشحن", "٣-أيام--الشحن", "٣-ا\u{654}يام-—-الشحن", None),
    ("ΣΑΣ", "σας", "σας", None),
    ("हिन्दी में", "हिन्दी-में", "हिन्दी-में", None),
    ("2. Second", "2-second", "_2-second", Some("2-second")),
    ("_under_", "_under_", "under", Some("_under_")),
    ("a\u{a0}b", "ab", "a-b", Some("a-b")),
    ("x‿y", "x‿y", "x‿y", None),
    ("Ⓐ circled", "ⓐ-circled", "a-circled", Some("a-circled")),
    ("Hello: World (again)", "hello-world-again", "hello-world-again", Some("hello-world-again")),
    ("“Quoted” text", "quoted-text", "quoted-text", Some("quoted-text")),
    ("ﬁne ℡", "ﬁne-", "fine-tel", Some("fine-tel")),
    ("e\u{301} combining", "e\u{301}-combining", "e-combining", Some("e-combining")),
    ("👩\u{200d}🚀 astronaut", "-astronaut", "👩\u{200d}🚀-astronaut", Some("astronaut")),
    ("$5.00 deal", "500-deal", "_5-00-deal", Some("500-deal")),
    ("foo.bar()", "foobar", "foo-bar", Some("foobar")),
];

#[test]
fn anchors_are_those_that_the_tools_make() {
    for (heading, by_github, by_vitepress, by_mkdocs) in PUBLISHED {
        assert_eq!(github(heading), by_github);
        assert_eq!(vitepress(heading), by_vitepress);
        if let Some(wanted) = by_mkdocs {
            assert_eq!(mkdocs(heading), wanted);
        }
    }
}

#[test]
fn numbers_duplicates_without_collisions() {
    for style in [AnchorStyle::Github, AnchorStyle::Vitepress, AnchorStyle::None] {
        assert_eq!(slugs(style, &["P", "Foo", "Foo", "Foo-1"]), ["p", "foo", "foo-1", "foo-1-1"]);
        assert_eq!(slugs(style, &["Foo", "Foo-1", "Foo", "Foo"]), ["foo", "foo-1", "foo-2", "foo-3"]);
    }
    assert_eq!(slugs(AnchorStyle::Mkdocs, &["Foo", "Foo", "Foo_1", "Foo"]), ["foo", "foo_1", "foo_2", "foo_3"]);
    assert_eq!(slugs(AnchorStyle::Mkdocs, &["Foo_10", "Foo_10", "Foo", "Foo"]), ["foo_10", "foo_11", "foo", "foo_1"]);
    assert_eq!(slugs(AnchorStyle::Mkdocs, &["日本", "語"]), ["_1", "_2"]);
}

#[test]
fn explicit_ids_win_and_are_kept_free_as_each_tool_does() {
    let own = ["bar"];
    let page = [(None, "Bar"), (Some("bar"), "Foo"), (None, "Bar")];
    let of = |style| {
        let mut slugger = Slugger::new(style, own.into_iter());
        page.map(|(id, text)| slugger.slug(id, text))
    };
    assert_eq!(of(AnchorStyle::Github), ["bar", "bar", "bar-1"]);
    assert_eq!(of(AnchorStyle::Mkdocs), ["bar_1", "bar", "bar_2"]);
    let mut after = Slugger::new(AnchorStyle::Vitepress, own.into_iter());
    assert_eq!([(Some("bar"), "Foo"), (None, "Bar")].map(|(id, text)| after.slug(id, text)), ["bar", "bar-1"]);
}

#[test]
fn a_hundred_thousand_equal_headings_take_no_square_of_time() {
    for style in [AnchorStyle::Github, AnchorStyle::Vitepress, AnchorStyle::Mkdocs] {
        let mut slugger = Slugger::new(style, std::iter::empty());
        let last = (0..100_000).map(|_| slugger.slug(None, "Foo")).last().unwrap();
        assert!(last.ends_with("99999"), "{last}");
    }
}
