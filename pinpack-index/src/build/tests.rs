use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

fn files(pages: &[(String, String)]) -> Vec<SourceFile<'_>> {
    pages.iter().map(|(path, text)| SourceFile { path, bytes: text.as_bytes() }).collect()
}

fn pages(pages: &[(&str, &str)]) -> Vec<(String, String)> {
    pages.iter().map(|(path, text)| ((*path).to_string(), (*text).to_string())).collect()
}

/// Builds with a builder that has a past; gives what is new, and holds the result against a clean build.
fn again(builder: &mut Builder, pages: &[(String, String)], config: &Config) -> Changes {
    let clean = build(&files(pages), config, &mut |_, _| {}).unwrap();
    let (built, changes) = builder.build(&files(pages), &[], config, &mut |_, _| {}).unwrap();
    assert_same(&built, &clean);
    changes
}

fn assert_same(one: &Built, other: &Built) {
    assert!(one.blob == other.blob && one.knowledge == other.knowledge);
    assert_eq!(serde_json::to_string(&one.report).unwrap(), serde_json::to_string(&other.report).unwrap());
}

#[test]
fn a_record_without_text_and_title_is_no_section() {
    let config = Config::parse("[sources]\njsonl = 'a.jsonl'\n").unwrap();
    let blank = "{\"_id\": 1, \"text\": \" \\n\"}\n{\"_id\": 2, \"title\": \"\", \"text\": \"\"}\n";
    let sections = |lines: &str| {
        let pages = pages(&[("a.jsonl", lines)]);
        Ok::<_, BuildError>(build(&files(&pages), &config, &mut |_, _| {})?.report.sections)
    };
    assert_eq!(
        sections(&[blank, "{\"_id\": 3, \"text\": \"a\"}\n{\"_id\": 4, \"title\": \"b\", \"text\": \"\"}\n"].concat()),
        Ok(2)
    );
    assert_eq!(sections(blank).unwrap_err().code(), "no-sections");
}

#[test]
fn a_page_that_got_shorter_leaves_nothing_behind() {
    let (mut builder, config) = (Builder::default(), Config::default());
    let long =
        "# A\n\nAlpha.\n\n# B\n\nBeta.\n\n# C\n\nGamma.\n\n# D\n\nDelta.\n\n# Zanzibar {.pinned}\n\nNever name it.\n";
    again(&mut builder, &pages(&[("a.md", long), ("b.md", "# Other\n\nWords.\n")]), &config);
    let short = pages(&[("a.md", "# A\n\nAlpha.\n\n# B\n\nBeta.\n"), ("b.md", "# Other\n\nWords.\n")]);
    let changes = again(&mut builder, &short, &config);
    assert_eq!((changes.changed, changes.kept), (vec!["a.md".to_string()], 1));
    let (built, _) = builder.build(&files(&short), &[], &config, &mut |_, _| {}).unwrap();
    assert_eq!((built.report.sections, built.report.pinned_sections), (3, 0));
    assert!(!built.knowledge.contains("Gamma") && !built.knowledge.contains("Zanzibar"));
}

#[test]
fn reads_only_what_is_new() {
    let (mut builder, mut config) = (Builder::default(), Config::default());
    let two = pages(&[("a.md", "# A\n\nOne."), ("b.md", "# B\n\nTwo.")]);
    let list = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let changes = again(&mut builder, &two, &config);
    assert_eq!((changes.changed, changes.kept), (list(&["a.md", "b.md"]), 0));
    assert_eq!(again(&mut builder, &two, &config), Changes { kept: 2, ..Changes::default() });
    let three = pages(&[("a.md", "# A\n\nOne."), ("c.md", "# C\n\nThree.")]);
    let changes = again(&mut builder, &three, &config);
    assert_eq!((changes.added, changes.removed, changes.kept), (list(&["c.md"]), list(&["b.md"]), 1));
    // Reading does not depend on the prompt or the budget; it does on the sizes.
    config.prompt.contact = "us".into();
    config.budget.floor = 100;
    assert_eq!(again(&mut builder, &three, &config).kept, 2);
    config.sections.target = 100;
    assert_eq!(again(&mut builder, &three, &config).kept, 0);
}

#[test]
fn a_failed_build_keeps_what_it_read() {
    let (mut builder, config) = (Builder::default(), Config::parse("[sources]\njsonl = 'z.jsonl'").unwrap());
    let broken = pages(&[("a.md", "# A\n\nOne."), ("z.jsonl", "{")]);
    assert_eq!(builder.build(&files(&broken), &[], &config, &mut |_, _| {}).unwrap_err().code(), "source-jsonl");
    let mended = pages(&[("a.md", "# A\n\nOne."), ("z.jsonl", "{\"_id\": 1, \"text\": \"Two.\"}")]);
    assert_eq!(again(&mut builder, &mended, &config).kept, 1);
}

#[test]
fn says_what_was_not_read_and_why() {
    let config = Config::parse("[sources]\ninclude = ['content/**']\nexclude = ['content/old/**']").unwrap();
    let large = "x".repeat(part::MAX_FILE_BYTES + 1);
    let given = pages(&[
        ("content/a.md", "# A\n\nOne."),
        ("content/b.md", "\0\0"),
        ("content/c.md", " \n"),
        ("content/d.md", "---\ndraft: true\n---\n# D\n\nFour."),
        ("content/e.exe", "MZ"),
        ("content/f.md", &large),
        ("content/old/g.md", "# G"),
        ("README.md", "# R"),
        (".hidden/h.md", "# H"),
        ("logo.png", "x"),
    ]);
    let unread = [Unread { path: "content/z.md", reason: "no rights" }];
    let (built, _) = Builder::default().build(&files(&given), &unread, &config, &mut |_, _| {}).unwrap();
    let skipped: Vec<(&str, Skip)> = built.report.skipped.iter().map(|file| (file.path.as_str(), file.why)).collect();
    let wanted = [
        ("content/b.md", Skip::Unread),
        ("content/c.md", Skip::NoText),
        ("content/d.md", Skip::Draft),
        ("content/e.exe", Skip::Unread),
        ("content/f.md", Skip::Unread),
        ("content/z.md", Skip::Unread),
    ];
    assert_eq!(skipped, wanted);
    assert!(built.report.skipped[4].reason.contains("51 MB"), "{}", built.report.skipped[4].reason);
    assert_eq!(built.report.unchosen, 1);
    let codes: Vec<&str> = built.report.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["skipped", "no-text", "skipped", "skipped", "skipped"]);
}

/// A page with headings, links, a table and words, some of which other pages share.
fn page() -> impl Strategy<Value = String> {
    let block = prop_oneof![
        "#{1,3} [A-C]{1,2}( \\{\\.pinned\\})?",
        "[a-e]{1,3}( [a-e]{1,3}){0,30}",
        Just("[x](b.md#a)".to_string()),
        Just("| a | b |\n|---|---|\n| 1 | 2 |".to_string()),
        Just("---".to_string()),
    ];
    prop::collection::vec(block, 0..8).prop_map(|blocks| blocks.join("\n\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_builder_with_any_past_gives_what_a_clean_build_gives(
        first in prop::collection::vec(page(), 1..5),
        steps in prop::collection::vec((any::<Index>(), page(), 0u8..4), 1..6),
    ) {
        let config = Config::default();
        let mut site: Vec<(String, String)> =
            first.into_iter().enumerate().map(|(at, text)| (format!("{at}.md"), text)).collect();
        site.push(("b.md".into(), "# A\n\nAlways here.".into()));
        let mut builder = Builder::default();
        again(&mut builder, &site, &config);
        for (at, text, step) in steps {
            let at = at.index(site.len());
            match step {
                0 if site.len() > 1 && site[at].0 != "b.md" => drop(site.remove(at)),
                1 => site.push((format!("new-{}.md", site.len()), text)),
                2 => site.reverse(),
                _ if site[at].0 != "b.md" => site[at].1 = text,
                _ => {}
            }
            again(&mut builder, &site, &config);
        }
    }
}
