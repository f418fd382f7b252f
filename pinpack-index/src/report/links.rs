//! Links inside the site that lead nowhere.
//!
//! A link is called broken only when nothing that it could mean exists: site generators differ in how they make addresses and anchors,
//! and a knowledge base is often a part of its site. So a target is looked for by file and by address, from the page's file and from
//! its address; anchors are compared by their letters and digits; and what lies outside the folders of the set is passed over. Folders
//! of addresses are shared with what is not in the set (`/shop`, `/sponsor`), so a page is missing there only where most others are
//! found; a source file that a link names has to be there.

mod target;

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::build::Part;
use target::{Target, joined, key, loose, parent};

/// A link inside the site that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenLink {
    /// The file that has it.
    pub file: String,
    /// Where it leads, as written.
    pub target: String,
    /// What is not there.
    pub missing: Missing,
}

/// What a broken link does not find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// No page.
    Page,
    /// The page is there, and has no heading or id of this name.
    Anchor,
}

/// Pages of a site, and the links between them.
#[derive(Debug, Default)]
pub(crate) struct Links {
    pages: Vec<Page>,
    /// Page and target.
    links: Vec<(usize, String)>,
}

/// What a link can lead to.
#[derive(Debug)]
struct Page {
    /// Path of its file; empty for ready-made sections.
    file: String,
    /// The same below the folder of the pattern that chose it.
    below: String,
    /// Its address; empty when it is not public.
    url: String,
    /// Other addresses that lead to it.
    aliases: Vec<String>,
    /// Letters and digits of its headings and ids; `None` when they are not known.
    anchors: Option<HashSet<String>>,
}

impl Links {
    /// Adds what was read from a file.
    pub fn add_part(&mut self, file: &str, below: &str, part: &Part) {
        let ready_made = part.set.pages.iter().any(|page| page.file.is_empty());
        let headings = part.set.headings.iter().flat_map(|heading| [&heading.anchor, &heading.title]);
        let titles = part.set.pages.iter().map(|page| &page.title);
        let anchors: HashSet<String> =
            headings.chain(titles).chain(&part.anchors).map(|anchor| loose(anchor)).collect();
        for page in &part.set.pages {
            let anchors = (!ready_made).then(|| anchors.clone());
            let (file, below) = (page.file.clone(), if ready_made { String::new() } else { below.to_string() });
            self.pages.push(Page { file, below, url: page.url.clone(), aliases: part.aliases.clone(), anchors });
        }
        debug_assert!(ready_made || self.pages.last().is_some_and(|page| page.file == file));
        self.links.extend(part.links.iter().map(|target| (self.pages.len() - 1, target.clone())));
    }

    /// Adds a file that was not read, and that a link may lead to all the same.
    pub fn add_unread(&mut self, file: &str, below: &str) {
        self.pages.push(Page {
            file: file.into(),
            below: below.into(),
            url: String::new(),
            aliases: Vec::new(),
            anchors: None,
        });
    }

    /// The links that lead nowhere, each once, in the order of their files. `base` is the site's address.
    ///
    /// Cost: linear in pages and links.
    pub fn broken(&self, base: &str) -> Vec<BrokenLink> {
        let map = Map::new(&self.pages, base);
        let mut seen: HashSet<(usize, &str)> = HashSet::new();
        let fresh = self.links.iter().filter(|(page, target)| seen.insert((*page, target)));
        let found: Vec<(&(usize, String), Found)> =
            fresh.filter_map(|link| Some((link, map.find(link.0, &link.1)?))).collect();
        let shares = Shares::of(found.iter().map(|(_, found)| found));
        found
            .iter()
            .filter(|(_, found)| shares.trust(found))
            .filter_map(|((page, target), found)| {
                let (file, target, missing) = (self.pages[*page].file.clone(), target.clone(), found.missing?);
                Some(BrokenLink { file, target, missing })
            })
            .collect()
    }
}

/// What came of a link.
struct Found {
    missing: Option<Missing>,
    /// The place where the page would be looked for first; `None` for a link that names a source file, or a place on its own page.
    address: Option<String>,
}

/// How many of the pages that links name are found, by folder.
#[derive(Default)]
struct Shares<'f> {
    there: HashMap<&'f str, HashSet<&'f str>>,
    gone: HashMap<&'f str, HashSet<&'f str>>,
}

impl<'f> Shares<'f> {
    fn of(found: impl Iterator<Item = &'f Found>) -> Self {
        let mut shares = Self::default();
        for Found { missing, address } in found {
            let list = if *missing == Some(Missing::Page) { &mut shares.gone } else { &mut shares.there };
            if let Some(place) = address {
                list.entry(parent(place)).or_default().insert(place);
            }
        }
        shares
    }

    /// Does the set hold what lies in the folder? Of the pages there that links name, at least three of four are found.
    fn trust(&self, found: &Found) -> bool {
        let (Some(Missing::Page), Some(place)) = (found.missing, &found.address) else { return true };
        let number = |list: &HashMap<&str, HashSet<&str>>| list.get(parent(place)).map_or(0, HashSet::len);
        number(&self.there) >= 3 * number(&self.gone)
    }
}

/// Where pages are found.
struct Map<'p> {
    pages: &'p [Page],
    /// Path of the site's address: `docs` of `https://a.example/docs/`.
    base: String,
    /// Pages by each of their keys.
    by_key: HashMap<String, Vec<usize>>,
    /// Keys by their last part.
    by_name: HashMap<String, Vec<String>>,
    /// Folders that hold a page.
    folders: HashSet<String>,
}

impl<'p> Map<'p> {
    fn new(pages: &'p [Page], base: &str) -> Self {
        let base = key(target::path_of_url(base));
        let mut map = Self { pages, base, by_key: HashMap::new(), by_name: HashMap::new(), folders: HashSet::new() };
        for (row, page) in pages.iter().enumerate() {
            let url = key(target::path_of_url(&page.url));
            let mut keys = Vec::new();
            if !page.file.is_empty() {
                keys.extend([key(&page.file), key(&page.below)]);
            }
            if !page.url.is_empty() {
                keys.extend(below(&url, &map.base).map(str::to_string));
                keys.push(url);
            }
            keys.extend(page.aliases.iter().map(|alias| key(target::path_of_url(alias))));
            keys.sort_unstable();
            keys.dedup();
            keys.into_iter().for_each(|key| map.add(key, row));
        }
        map
    }

    fn add(&mut self, key: String, row: usize) {
        let mut folder = parent(&key);
        while !self.folders.contains(folder) {
            self.folders.insert(folder.to_string());
            folder = parent(folder);
        }
        let pages = self.by_key.entry(key.clone()).or_default();
        if pages.is_empty() {
            let name = key.rsplit('/').next().unwrap_or("").to_string();
            self.by_name.entry(name).or_default().push(key);
        }
        pages.push(row);
    }

    /// What comes of a link; `None` when it leads out of the set.
    fn find(&self, page: usize, written: &str) -> Option<Found> {
        let target = Target::of(written)?;
        let own = &self.pages[page];
        let anchor_of = |found: bool| (!found).then_some(Missing::Anchor);
        if target.path.is_empty() {
            return Some(Found { missing: anchor_of(has_anchor(own, &target.anchor)), address: None });
        }
        let places = self.places(own, &target);
        let first = places.first()?.as_deref();
        let address = first.filter(|_| !target.is_source).map(str::to_string);
        let mut pages: Vec<usize> = places.iter().flatten().flat_map(|place| self.at(place)).copied().collect();
        if target.is_name() {
            pages.extend(self.named(&target.path));
        }
        if !pages.is_empty() {
            let missing = anchor_of(pages.iter().any(|page| has_anchor(&self.pages[*page], &target.anchor)));
            return Some(Found { missing, address });
        }
        let first = first?;
        // A folder may have a page that its generator makes.
        let is_folder = places.iter().flatten().any(|place| self.folders.contains(place));
        let inside = !is_folder && (target.is_source || self.folders.contains(parent(first)));
        inside.then_some(Found { missing: Some(Missing::Page), address })
    }

    /// The places that a path may mean, the likeliest first; `None` for one above the root.
    fn places(&self, own: &Page, target: &Target) -> Vec<Option<String>> {
        let path = target.path.as_str();
        if target.is_absolute {
            let place = key(path);
            let below = below(&place, &self.base).map(str::to_string);
            return vec![Some(place), below];
        }
        let url = target::path_of_url(&own.url);
        let from = [target::folder(&own.file), target::folder(&own.below), target::folder(url), url, ""];
        from.into_iter().map(|folder| joined(folder, path)).collect()
    }

    fn at(&self, place: &str) -> &[usize] {
        self.by_key.get(place).map_or(&[], Vec::as_slice)
    }

    /// The pages whose path ends so: how notes name each other.
    fn named(&self, path: &str) -> Vec<usize> {
        let wanted = key(path);
        let name = wanted.rsplit('/').next().unwrap_or("");
        let keys = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let ends = |key: &&String| {
            key.strip_suffix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        keys.iter().filter(ends).flat_map(|key| self.at(key)).copied().collect()
    }
}

/// The path below the site's own.
fn below<'k>(key: &'k str, base: &str) -> Option<&'k str> {
    let rest = key.strip_prefix(base)?;
    if rest.is_empty() {
        Some(rest)
    } else if base.is_empty() {
        None
    } else {
        rest.strip_prefix('/')
    }
}

fn has_anchor(page: &Page, anchor: &str) -> bool {
    let (wanted, Some(anchors)) = (loose(anchor), &page.anchors) else { return true };
    // `#`, `#top` and a text fragment are of the browser.
    wanted.is_empty()
        || wanted == "top"
        || anchor.starts_with(":~:")
        || anchors.contains(&wanted)
        || (wanted.is_ascii() && anchors.iter().any(|anchor| target::is_without_accents(anchor, &wanted)))
}

#[cfg(test)]
mod tests;
