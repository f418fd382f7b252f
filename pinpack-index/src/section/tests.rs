use super::*;
use crate::source::{self, Kind};

/// The sections of one Markdown file, with the default configuration.
fn cut(source: &str) -> SectionSet {
    cut_with(&Config::default(), source)
}

fn cut_with(config: &Config, source: &str) -> SectionSet {
    let counter = Counter::new("o200k_base").unwrap();
    let mut cutter = Cutter::new(config, &counter);
    cutter.add("page.md", "/page", source, source::read("page.md", Kind::Markdown, source, &[]), Pin::Marked);
    cutter.set
}

fn sized(target: u32, max: u32) -> Config {
    Config { sections: SectionSizes { target, max, overlap: 0 }, ..Config::default() }
}

fn paths(set: &SectionSet) -> Vec<Vec<String>> {
    (0..set.sections.len()).map(|id| set.path(id)).collect()
}

#[test]
fn a_heading_without_text_lives_in_the_path_of_its_children() {
    let set = cut("# Help\n\n## Step 1\nGo.\n\n## Step 2\nPress the red button.\n");
    assert_eq!(paths(&set), [vec!["Help", "Step 1"], vec!["Help", "Step 2"]]);
    assert_eq!(set.sections[1].text, "Press the red button.");
}

fn texts(set: &SectionSet) -> Vec<&str> {
    set.sections.iter().map(|section| section.text.as_str()).collect()
}

#[test]
fn a_heading_without_text_or_children_is_a_line_under_the_one_above() {
    let set = cut("# Help\nText.\n\n## Call us at 555-0100\n\n## Write to us\n\n# Last\n");
    assert_eq!(paths(&set), [vec!["Help"], vec![]]);
    assert_eq!(texts(&set), ["Text.\n\nCall us at 555-0100\n\nWrite to us", "Last"]);
}

#[test]
fn bare_headings_after_another_section_are_cited_by_the_first_of_them() {
    let set = cut("# P\n\n## A\na\n\n## B\n\n## C\n\n## D\nd\n\n## E\n\n# F\n\n### G\n");
    assert_eq!(paths(&set), [vec!["P", "A"], vec!["P"], vec!["P", "D"], vec!["P"], vec!["F"]]);
    assert_eq!(texts(&set), ["a", "B\n\nC", "d", "E", "G"]);
    let anchor = |id: usize| set.sections[id].heading.map(|row| set.headings[row].anchor.as_str());
    assert_eq!([0, 1, 2, 3, 4].map(anchor), [Some("a"), Some("b"), Some("d"), Some("e"), Some("g")]);
}

#[test]
fn shown_front_matter_below_the_only_heading_comes_from_both_places() {
    let source = "---\nsummary: said first\n---\n\n\n# Heading\n";
    let (config, counter) = (Config::default(), Counter::new("o200k_base").unwrap());
    let mut cutter = Cutter::new(&config, &counter);
    let document = source::read("page.md", Kind::Markdown, source, &["*".into()]);
    cutter.add("page.md", "/page", source, document, Pin::Marked);
    assert_eq!(texts(&cutter.set), ["summary: said first"]);
    let made_from = &source[cutter.set.sections[0].span.clone()];
    assert!(made_from.contains("said first") && made_from.contains("# Heading"), "{made_from:?}");
}

#[test]
fn a_page_of_only_a_title_is_a_section_of_its_words() {
    let set = cut("# Closed on Mondays\n");
    assert_eq!((paths(&set), texts(&set)), (vec![Vec::<String>::new()], vec!["Closed on Mondays"]));
    assert_eq!(texts(&cut("#\n\n##\n")), Vec::<&str>::new());
}

#[test]
fn a_pinned_heading_without_text_is_pinned_and_stays_apart() {
    let set = cut("# A\na\n\n## Never name client X {.pinned}\n\n## B\n");
    assert_eq!(texts(&set), ["a", "Never name client X", "B"]);
    assert_eq!(set.sections.iter().map(|s| s.pinned).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn no_section_ends_in_the_next_heading_and_none_is_only_one() {
    let long = "One more word of advice. ".repeat(60);
    let config = sized(100, 150);
    let set = cut_with(&config, &format!("# Help\n\n## Step 1\n{long}\n\n## Step 2\nPress the red button.\n"));
    let last = set.sections.len() - 1;
    assert_eq!((set.path(last), texts(&set)[last]), (vec!["Help".into(), "Step 2".into()], "Press the red button."));
    assert!(texts(&set).iter().all(|text| !text.contains("Step 2") && !text.ends_with("Help")));
    assert!(paths(&set)[..last].iter().all(|path| path == &["Help", "Step 1"]));
}

#[test]
fn text_before_the_first_heading_is_a_section() {
    let set = cut("We ship to 12 countries.\n\n# Returns\nSend it back within 30 days.\n");
    assert_eq!(paths(&set), [vec![], vec!["Returns".to_string()]]);
    assert_eq!(set.sections[0].text, "We ship to 12 countries.");
}

#[test]
fn the_page_title_leads_the_path_unless_the_heading_repeats_it() {
    assert_eq!(paths(&cut("---\ntitle: Shop\n---\n# Hours\nNine.\n")), [["Shop", "Hours"]]);
    assert_eq!(paths(&cut("---\ntitle: Hours\n---\n# Hours\nNine.\n")), [["Hours"]]);
}

#[test]
fn duplicate_headings_have_different_anchors() {
    let set = cut("# P\n\n## Foo\na\n\n## Foo\nb\n\n## Foo-1\nc\n");
    let anchors: Vec<&str> = set.headings.iter().map(|h| h.anchor.as_str()).collect();
    assert_eq!(anchors, ["p", "foo", "foo-1", "foo-1-1"]);
}

#[test]
fn a_pinned_heading_pins_what_is_under_it_and_nothing_else() {
    let set = cut("# A\na\n\n## Rule {.pinned}\nb\n\n### Detail\nc\n\n## After\nd\n");
    assert_eq!(set.sections.iter().map(|s| s.pinned).collect::<Vec<_>>(), [false, true, true, false]);
}

#[test]
fn long_text_is_cut_under_its_maximum_and_pinned_text_never() {
    let long = "One sentence of eight words stands here now. ".repeat(200);
    let config = sized(100, 200);
    let set = cut_with(&config, &format!("# Long\n\n{long}\n"));
    assert!(set.sections.len() > 5 && set.sections.iter().all(|section| section.tokens <= 200));
    let pinned = cut_with(&config, &format!("# Long {{.pinned}}\n\n{long}\n"));
    assert_eq!(pinned.sections.len(), 1);
}

#[test]
fn windows_and_unix_line_ends_give_the_same_sections() {
    let unix = "---\ntitle: Shop hours\n---\n\n# Hours\nOpen 9 to 5.\n\n- a\n- b\n";
    let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
    let plain = |set: SectionSet| set.sections.into_iter().map(|s| (s.text, s.tokens)).collect::<Vec<_>>();
    assert_eq!(plain(cut(unix)), plain(cut(&windows)));
}

#[test]
fn each_list_item_of_such_a_file_is_a_pin_of_its_own() {
    let source = "# Style\n\nAlways:\n\n- Be kind.\n  Stay calm.\n- Say *we*:\n  - not I\n- [x] Sign off.\n\nNever shout.\n\nOr worse.\n\n1. First.\n2. Second.\n";
    let counter = Counter::new("o200k_base").unwrap();
    let config = Config::default();
    let mut cutter = Cutter::new(&config, &counter);
    cutter.add("s.md", "", source, source::read("s.md", Kind::Markdown, source, &[]), Pin::Items);
    let set = cutter.set;
    let wanted = [
        "Always:",
        "Be kind.\nStay calm.",
        "Say *we*:\n- not I",
        "[x] Sign off.",
        "Never shout.\n\nOr worse.",
        "First.",
        "Second.",
    ];
    assert_eq!(texts(&set), wanted);
    assert!(set.sections.iter().all(|section| section.pinned));
    assert_eq!(set.sections.iter().map(|section| section.line).collect::<Vec<_>>(), [3, 5, 7, 9, 11, 15, 16]);
}

#[test]
fn pieces_know_their_bytes_and_line() {
    let sentences: Vec<String> = (0..60).map(|n| format!("Sentence number {n} stands here alone.")).collect();
    let rows: Vec<String> = (0..60).map(|n| format!("| row {n} | value {n} |")).collect();
    let source = format!("# T\n\n{}\n\n| a | b |\n|---|---|\n{}\n\nEnd.\n", sentences.join("\n"), rows.join("\n"));
    let set = cut_with(&sized(100, 150), &source);
    assert!(set.sections.len() > 8);
    let mut at = 0;
    for section in &set.sections {
        assert!(section.span.start >= at && section.span.end <= source.len(), "{:?} after {at}", section.span);
        at = section.span.end;
        let written = &source[section.span.clone()];
        let body = section.text.strip_prefix("| a | b |\n|---|---|\n").unwrap_or(&section.text);
        let first = body.lines().next().unwrap();
        assert!(
            written.trim_start_matches("# T\n\n").trim_start_matches("| a | b |\n|---|---|\n").starts_with(first),
            "{first}: {written}"
        );
        assert!(written.trim_end().ends_with(body.lines().last().unwrap()), "{body}: {written}");
        assert_eq!(section.line as usize, source[..section.span.start].matches('\n').count() + 1);
    }
}

#[test]
fn every_style_of_anchor_survives_the_blob() {
    let source = "# Café & Bar\n\na\n\n## 2. Next\n\nb\n\n## 2. Next\n\nc\n\n## Own {#Mine}\n\nd\n";
    let urls = |style: &str| {
        let config = Config::parse(&format!("[site]\nanchors = '{style}'\n")).unwrap();
        let files = [crate::SourceFile { path: "p.md", bytes: source.as_bytes() }];
        let blob = crate::Blob::open(crate::build(&files, &config, &mut |_, _| {}).unwrap().blob).unwrap();
        (0..4).map(|id| blob.meta(id).unwrap()).map(|meta| (meta.url, meta.reference)).unzip::<_, _, Vec<_>, Vec<_>>()
    };
    assert_eq!(urls("github").0, ["/p#café--bar", "/p#2-next", "/p#2-next-1", "/p#Mine"]);
    assert_eq!(urls("vitepress").0, ["/p#cafe-bar", "/p#_2-next", "/p#_2-next-1", "/p#Mine"]);
    assert_eq!(urls("mkdocs").0, ["/p#cafe-bar", "/p#2-next", "/p#2-next_1", "/p#Mine"]);
    let (none, references) = urls("none");
    assert_eq!(none, ["/p", "/p", "/p", "/p#Mine"]);
    assert_eq!(references, ["p.md#café--bar", "p.md#2-next", "p.md#2-next-1", "p.md#Mine"]);
}

#[test]
fn a_million_blanks_are_no_reason_to_stop() {
    let blanks = " ".repeat(1_000_000);
    let set = cut(&format!("# A{blanks}b\n\n```\nx{blanks}y\n```\n"));
    let words: Vec<&str> = texts(&set).into_iter().flat_map(str::split_whitespace).collect();
    assert_eq!(words, ["```", "x", "y", "```"]);
}
