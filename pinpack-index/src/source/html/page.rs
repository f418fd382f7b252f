//! A page: where its content is, its title, its address, and what stands around the content.

use super::names;
use super::seen::{Out, Seen};
use super::tree::{Id, Tree};

/// Finds the content of a page.
pub(super) struct Page<'p, 't> {
    pub tree: &'t Tree,
    pub seen: &'p mut Seen<'t>,
}

impl Page<'_, '_> {
    /// The elements that hold the content, in order. What a reader sees around them is counted as left out.
    ///
    /// `<main>` where there is one; else the only `<article>`, or an element that bears the name which generators give to it, when
    /// half of the words and every title are in it; else the body without what surrounds its content.
    pub fn content(mut self) -> Vec<Id> {
        let tree = self.tree;
        let Some(body) = tree.descend(Tree::ROOT, |_| true).find(|id| tree.name(*id) == "body") else {
            return Vec::new();
        };
        let mains = self.outermost(body, |id| tree.name(id) == "main" || tree.attr(id, "role") == Some("main"));
        let mains: Vec<Id> = mains.into_iter().filter(|id| self.words(*id) > 0).collect();
        let content = match mains[..] {
            [] => vec![self.unmarked(body)],
            [main] => vec![self.wrapped(main)],
            _ => mains,
        };
        self.count_around(body, &content);
        content
    }

    /// The content of a page without `<main>`.
    fn unmarked(&mut self, body: Id) -> Id {
        let tree = self.tree;
        self.seen.whole_body = true;
        let articles = self.outermost(body, |id| tree.name(id) == "article");
        let named = self.outermost(body, |id| self.is_named(id, names::CONTENT));
        let mut candidates = if articles.len() == 1 { articles } else { Vec::new() };
        candidates.extend(named.into_iter().max_by_key(|id| self.words(*id)));
        candidates.into_iter().find(|id| self.is_most(*id, body)).unwrap_or(body)
    }

    /// What a generator wraps inside `<main>`.
    fn wrapped(&self, main: Id) -> Id {
        let inner = self.outermost(main, |id| id != main && self.is_named(id, &names::CONTENT[..7]));
        match inner[..] {
            [inner] if self.is_most(inner, main) => inner,
            _ => main,
        }
    }

    fn is_named(&self, id: Id, wanted: &[&str]) -> bool {
        self.tree.has_class(id, wanted) || self.tree.attr(id, "id").is_some_and(|id| wanted.contains(&id))
    }

    /// Does an element hold half of the words, and all titles, of one around it?
    fn is_most(&self, id: Id, around: Id) -> bool {
        let titles = |id| self.visible(id).filter(|id| self.tree.name(*id) == "h1").count();
        let words = self.words(id);
        words > 0 && words * 2 >= self.words(around) && titles(id) == titles(around)
    }

    fn visible(&self, top: Id) -> impl Iterator<Item = Id> {
        self.tree.descend(top, move |id| id == top || self.seen.out(id).is_none())
    }

    fn words(&self, top: Id) -> usize {
        let texts = self.visible(top).filter_map(|id| self.tree.text(id));
        texts.map(|text| text.split_whitespace().count()).sum()
    }

    /// The visible elements that are `wanted`, none inside another.
    fn outermost(&self, top: Id, wanted: impl Fn(Id) -> bool) -> Vec<Id> {
        let tree = self.tree;
        let walk = tree.descend(top, |id| {
            let inside = id != top && tree.parent(id).is_some_and(&wanted);
            !inside && (id == top || self.seen.out(id).is_none())
        });
        walk.filter(|id| wanted(*id)).collect()
    }

    /// Counts what is outside the content, by reason.
    fn count_around(&mut self, body: Id, content: &[Id]) {
        let (tree, seen) = (self.tree, &*self.seen);
        let mut left: Vec<(Id, Out)> = Vec::new();
        let walk = tree.descend(body, |id| {
            let inside = content.contains(&id);
            let out = if inside || id == body { None } else { seen.out(id) };
            left.extend(out.map(|out| (id, out)));
            !inside && out.is_none()
        });
        let texts = walk.filter_map(|id| tree.text(id));
        let words = texts.map(|text| text.split_whitespace().count()).sum();
        for (id, out) in left {
            if let Out::Counted(reason) = out {
                self.seen.count(id, reason);
            }
        }
        self.seen.add("outside the content", words);
    }
}

/// The text of `<title>`, on one line.
pub(super) fn title(tree: &Tree) -> String {
    let title = tree.ids().find(|id| tree.name(*id) == "title" && tree.is_html(*id));
    let text: String = title.into_iter().flat_map(|id| tree.children(id)).filter_map(|id| tree.text(id)).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The address that the page gives as its own.
pub(super) fn canonical(tree: &Tree) -> Option<String> {
    let link = tree.ids().find(|id| {
        tree.name(*id) == "link" && tree.attr(*id, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case("canonical"))
    })?;
    tree.attr(link, "href").filter(|href| !href.is_empty()).map(Into::into)
}
