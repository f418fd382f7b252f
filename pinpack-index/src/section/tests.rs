use super::*;
use crate::source::{self, Kind};

/// The sections of one Markdown file, with the default configuration.
fn cut(source: &str) -> SectionSet {
    cut_with(&Config::default(), source)
}

fn cut_with(config: &Config, source: &str) -> SectionSet {
    let counter = Counter::new("o200k_base").unwrap();
    let mut cutter = Cutter::new(config, &counter);
    cutter.add("page.md", "/page", source::read("page.md", Kind::Markdown, source, &[]), false);
    cutter.set
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

#[test]
fn a_heading_without_text_or_children_is_not_lost() {
    let set = cut("# Help\nText.\n\n## Call us at 555-0100\n\n# Last\n");
    assert_eq!(paths(&set), [vec!["Help"], vec!["Help", "Call us at 555-0100"], vec!["Last"]]);
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
    let config = Config { sections: SectionSizes { target: 100, max: 200 }, ..Config::default() };
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
