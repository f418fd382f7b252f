//! Who sees what: which elements are left out, and the count of their words by reason.

use std::collections::{BTreeMap, HashSet};

use super::names;
use super::tree::{Id, Tree};
use crate::source::LeftOut;

/// Why an element is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Out {
    /// No reader sees it.
    Unseen,
    /// A reader sees it, or would after a click; counted.
    Counted(&'static str),
}

/// Decides what is left out of a page.
pub(super) struct Seen<'t> {
    tree: &'t Tree,
    /// A piece of a page in Markdown: nothing surrounds it, so only what nobody sees is left out.
    pub fragment: bool,
    /// Headings of the first level.
    titles: usize,
    /// Elements that a button shows and hides.
    revealed: HashSet<&'t str>,
    /// The page has no `<main>`: what surrounds the content is told by names.
    pub whole_body: bool,
    words: BTreeMap<&'static str, usize>,
}

impl<'t> Seen<'t> {
    pub fn new(tree: &'t Tree, fragment: bool) -> Self {
        let controls = tree.ids().filter_map(|id| tree.attr(id, "aria-controls"));
        let revealed = controls.flat_map(str::split_ascii_whitespace).collect();
        let titles = tree.ids().filter(|id| tree.name(*id) == "h1").count();
        Self { tree, fragment, titles, revealed, whole_body: false, words: BTreeMap::new() }
    }

    /// Is an element left out, and why?
    pub fn out(&self, id: Id) -> Option<Out> {
        let (tree, name) = (self.tree, self.tree.name(id));
        if name.is_empty() {
            return None;
        }
        if !tree.is_html(id) {
            return (name == "svg").then_some(Out::Counted("picture"));
        }
        if names::is_unseen(name) {
            return Some(Out::Unseen);
        }
        if tree.attr(id, "data-pinpack-ignore").is_some() {
            return Some(Out::Counted("ignored"));
        }
        if self.is_hidden(id) {
            return Some(Out::Counted("hidden"));
        }
        if self.is_aid(id) {
            return Some(Out::Unseen);
        }
        if (names::is_control(name) && !self.is_read_button(id)) || tree.has_class(id, names::PROMPTS) {
            return Some(Out::Counted("controls"));
        }
        if self.fragment { None } else { self.surrounds(id).map(Out::Counted) }
    }

    /// Hidden for good: what a click shows is content.
    fn is_hidden(&self, id: Id) -> bool {
        let tree = self.tree;
        let attr = |name| tree.attr(id, name);
        let by_style = attr("style").is_some_and(|style| {
            let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
            style.split(';').any(|rule| rule.starts_with("display:none") || rule.starts_with("visibility:hidden"))
        });
        let by_attr = attr("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found"))
            || attr("aria-hidden") == Some("true")
            || (tree.name(id) == "dialog" && attr("open").is_none());
        (by_style || by_attr)
            && !(attr("role") == Some("tabpanel") || attr("id").is_some_and(|id| self.revealed.contains(id)))
            && !is_notice_title(tree, id)
    }

    /// Text that is not on the screen, or no text of the page: for screen readers, numbers of lines, links to a heading itself.
    fn is_aid(&self, id: Id) -> bool {
        let tree = self.tree;
        tree.has_class(id, names::UNSEEN_CLASSES)
            || (tree.name(id) != "pre" && tree.has_class(id, names::LINE_NUMBERS))
            || (tree.name(id) == "a" && self.is_permalink(id))
    }

    /// A link from a heading to itself. One that holds the heading's own text is not meant.
    fn is_permalink(&self, id: Id) -> bool {
        let tree = self.tree;
        if !tree.attr(id, "href").is_some_and(|href| href.contains('#')) {
            return false;
        }
        let text: String = tree.descend(id, |_| true).take(50).filter_map(|id| tree.text(id)).collect();
        let wordless = !text.chars().any(char::is_alphanumeric);
        if wordless {
            return tree.has_class(id, names::PERMALINKS) || ["¶", "#", "§", "🔗"].contains(&text.trim());
        }
        let heading = tree.ancestors(id).take(3).find(|id| names::heading_level(tree.name(*id)).is_some());
        tree.has_class(id, names::PERMALINKS)
            && heading.is_some_and(|heading| {
                let outside = tree.descend(heading, |inner| inner != id).filter_map(|id| tree.text(id));
                outside.flat_map(str::chars).any(char::is_alphanumeric)
            })
    }

    /// Is a control a button whose text is read? In a fragment each: an author wrote it among the words.
    fn is_read_button(&self, id: Id) -> bool {
        self.is_question(id) || (self.fragment && self.tree.name(id) == "button")
    }

    /// A button that opens an answer: its text is the question.
    fn is_question(&self, id: Id) -> bool {
        let tree = self.tree;
        let opens = ["aria-expanded", "aria-controls", "data-toggle", "data-bs-toggle"];
        let titled =
            |id: Id| names::heading_level(tree.name(id)).is_some() || matches!(tree.name(id), "summary" | "dt");
        tree.name(id) == "button"
            && (opens.iter().any(|name| tree.attr(id, name).is_some())
                || tree.classes(id).any(|class| class.contains("accordion") || class.contains("collaps"))
                || tree.ancestors(id).take(4).any(titled))
    }

    /// What surrounds the content of a page.
    fn surrounds(&self, id: Id) -> Option<&'static str> {
        let (tree, name) = (self.tree, self.tree.name(id));
        let within = |wanted: &[&str]| tree.ancestors(id).any(|id| wanted.contains(&tree.name(id)));
        match tree.attr(id, "role") {
            Some("navigation" | "menubar" | "directory") => return Some("navigation"),
            Some("contentinfo") => return Some("footer"),
            Some("banner") if self.whole_body && !self.has_only_title(id) => return Some("header"),
            Some("search") => return Some("controls"),
            _ => {}
        }
        match name {
            "nav" => return Some("navigation"),
            "footer" if !within(&["blockquote", "figure", "li", "td"]) => return Some("footer"),
            "header" if !within(&["article", "section", "main"]) && self.whole_body && !self.has_only_title(id) => {
                return Some("header");
            }
            "aside" if self.is_links(id) => return Some("sidebar"),
            "body" | "html" | "main" | "article" => return None,
            _ => {}
        }
        // A restaurant's menu is content: what these names promise has to be links.
        let words = || tree.attr(id, "id").into_iter().chain(tree.classes(id));
        let named = || words().find_map(names::surrounding).filter(|_| matches!(name, "div" | "ul") && self.whole_body);
        let marked = tree.has_class(id, names::NAVIGATION).then_some("navigation").or_else(named)?;
        (marked == "footer" || self.is_links(id)).then_some(marked)
    }

    /// Does a header hold the one title of the page?
    fn has_only_title(&self, id: Id) -> bool {
        self.titles == 1 && self.tree.descend(id, |_| true).any(|id| self.tree.name(id) == "h1")
    }

    /// Does an element hold little more than links?
    fn is_links(&self, id: Id) -> bool {
        let tree = self.tree;
        let size = |id: Id| tree.text(id).map_or(0, |text| text.trim().len());
        let all: usize = tree.descend(id, |_| true).map(size).sum();
        let links = tree.descend(id, |_| true).filter(|id| tree.name(*id) == "a" && tree.attr(*id, "href").is_some());
        let linked: usize = links.flat_map(|link| tree.descend(link, |_| true)).map(size).sum();
        linked * 10 > all * 6
    }

    /// Counts the words below an element as left out.
    pub fn count(&mut self, id: Id, reason: &'static str) {
        let tree = self.tree;
        let seen = |id: Id| !names::is_unseen(tree.name(id)) || reason == "picture";
        let texts = tree.descend(id, seen).filter_map(|id| tree.text(id));
        let words: usize = texts.map(|text| text.split_whitespace().count()).sum();
        self.add(reason, words);
    }

    pub fn add(&mut self, reason: &'static str, words: usize) {
        if words > 0 {
            *self.words.entry(reason).or_default() += words;
        }
    }

    pub fn left_out(self) -> Vec<LeftOut> {
        self.words.into_iter().map(|(reason, words)| LeftOut { reason, words }).collect()
    }
}

/// The visible title of a notice, which is hidden from screen readers because the box itself has that name.
fn is_notice_title(tree: &Tree, id: Id) -> bool {
    let name = tree.parent(id).and_then(|parent| tree.attr(parent, "aria-label"));
    name.is_some_and(|name| {
        let text: String = tree.descend(id, |_| true).take(50).filter_map(|id| tree.text(id)).collect();
        !name.is_empty() && text.trim() == name
    })
}
