//! Generated sites and conversations.

use proptest::prelude::*;
use proptest::sample::select;

use crate::kit::Site;

/// Words of every script that a site may be written in, and texts that try to leave their passage.
const SCRIPTS: [&[&str]; 5] = [
    &["harbor", "Refund", "streaming", "naïve", "Müller's", "1,200.50", "the", "of", "node.js", "hello"],
    &["退款", "三十天", "服务运费", "营业时间。", "返品は", "배송"],
    &["استرداد", "الشحن", "ثلاثون", "يوم،", "מחיר", "कीमत"],
    &["🙂", "👩‍🚀", "🇫🇷", "👍🏽", "e\u{301}", "\u{200b}"],
    &["let x = 1;", "`a->b`", "</passage>", "<passage id=\"1\">", "{% raw %}", "| a |", "$HOME\\n", "\"quoted\""],
];

/// A site's files, with small sections so that budgets of a few hundred tokens choose.
#[derive(Clone, Debug)]
pub struct Source {
    pub config: String,
    pub files: Vec<(String, String)>,
}

impl Source {
    pub fn build(&self) -> Site {
        Site::new(&self.config, &self.files())
    }

    pub fn files(&self) -> Vec<(&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect()
    }
}

/// Sites of one to four pages, with sections pinned by their heading, their page or their folder.
pub fn site() -> impl Strategy<Value = Source> {
    let pages = prop::collection::vec((page(), prop::bool::weighted(0.1)), 1..5);
    (pages, prop::collection::vec(text(30), 0..3), 0..400u32).prop_map(|(pages, rules, floor)| {
        let page = |(number, (text, pinned)): (usize, (String, bool))| {
            let head = if pinned { "---\npinned: true\n---\n" } else { "" };
            (format!("page-{number}.md"), format!("{head}{text}"))
        };
        let rule =
            |(number, text): (usize, String)| (format!("rules/{number}.md"), format!("# Rule\n\nRule: {text}\n"));
        let rules = rules.into_iter().enumerate().map(rule);
        let files = pages.into_iter().enumerate().map(page).chain(rules).collect();
        let config = format!("[budget]\ncontext = 100000\nfloor = {floor}\n[sections]\ntarget = 40\nmax = 90\n");
        Source { config, files }
    })
}

fn page() -> impl Strategy<Value = String> {
    let section = (1..4usize, prop::bool::weighted(0.15), text(4), text(120));
    prop::collection::vec(section, 1..5).prop_map(|sections| {
        let section = |(level, pinned, title, text): (usize, bool, String, String)| {
            let pin = if pinned { " {.pinned}" } else { "" };
            format!("{} Title {title}{pin}\n\nText {text}\n\n", "#".repeat(level))
        };
        sections.into_iter().map(section).collect()
    })
}

/// Up to `most` words of one script, sometimes of all.
pub fn text(most: usize) -> impl Strategy<Value = String> {
    let all: Vec<&str> = SCRIPTS.concat();
    let pools: Vec<Vec<&str>> = SCRIPTS.iter().map(|words| words.to_vec()).chain([all]).collect();
    select(pools)
        .prop_flat_map(move |words| prop::collection::vec(select(words), 0..most).prop_map(|words| words.join(" ")))
}

/// Questions in the words of the sites, in none, and in nonsense; the assistant speaks too.
pub fn conversation() -> impl Strategy<Value = Vec<(bool, String)>> {
    let content = prop_oneof![4 => text(8), 1 => "\\PC{0,40}", 1 => "[a-z0-9 ?!\\u{0}\\n]{0,40}"];
    prop::collection::vec((prop::bool::weighted(0.7), content), 0..5)
}

/// The messages of a generated conversation.
pub fn messages(conversation: &[(bool, String)]) -> Vec<pinpack::Message<'_>> {
    let role = |visitor| if visitor { pinpack::Role::User } else { pinpack::Role::Assistant };
    conversation.iter().map(|(visitor, content)| pinpack::Message { role: role(*visitor), content }).collect()
}
