//! `pinpack.toml`, checked.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

use crate::error::BuildError;

/// All settings. Every key is optional; an unknown key is an error.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// `[site]`
    pub site: Site,
    /// `[sources]`
    pub sources: Sources,
    /// `[pinned]`
    pub pinned: Pinned,
    /// `[sections]`
    pub sections: SectionSizes,
    /// `[budget]`
    pub budget: Budget,
    /// `[query]`
    pub query: Query,
    /// `[prompt]`
    pub prompt: Prompt,
}

/// `[site]`: what the site is called and how its addresses are made.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Site {
    /// Name of the site. Default: empty.
    pub name: String,
    /// BCP 47 tag of the language of the texts, or `auto`: each section is in the language that its letters tell. Default `en`.
    pub language: String,
    /// Put before every page's address, without a slash at its end. Default: empty (addresses begin with `/`).
    pub base_url: String,
    /// How a file becomes an address. Default [`UrlStyle::Pretty`].
    pub url_style: UrlStyle,
    /// How a heading becomes an anchor. An explicit id (`{#id}`, HTML `id`) always wins. Default [`AnchorStyle::Github`].
    pub anchors: AnchorStyle,
}

/// Whose anchors the headings of the published site have.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum AnchorStyle {
    /// GitHub, Docusaurus, Starlight: `Café & Bar` is `café--bar`, the second of them `café--bar-1`.
    #[default]
    Github,
    /// `VitePress`: `Café & Bar` is `cafe-bar`, `2. Next` is `_2-next`.
    Vitepress,
    /// `MkDocs`: `Café & Bar` is `cafe-bar`, the second of them `cafe-bar_1`.
    Mkdocs,
    /// The site gives headings no anchors: citations open the page. References (`file.md#heading`) are named as GitHub would.
    None,
}

/// How `content/a/b.md` becomes an address.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum UrlStyle {
    /// `/a/b`; `index.md` is its folder.
    #[default]
    Pretty,
    /// `/a/b.html`; `index.md` is `…/index.html`.
    Html,
    /// `/a/b.md`.
    File,
    /// No address: sections are cited without a link.
    None,
}

/// `[sources]`: which files are read. Patterns are globs with `**` and `{a,b}`, relative to `pinpack.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sources {
    /// Files to read. Default `**/*.{md,mdx,markdown,html,htm,txt}`.
    pub include: Vec<String>,
    /// Files not to read, even when included. Default: none beside `node_modules` and hidden folders, which are never read.
    pub exclude: Vec<String>,
    /// A JSONL file of ready-made sections. Default: none.
    pub jsonl: Option<String>,
    /// Front matter keys whose values readers see, added as `key: value` lines at the head of the page; `*` for all but settings such as
    /// `title` and `url`. Default: none.
    pub front_matter: Vec<String>,
}

/// `[pinned]`: what is sent with every request.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pinned {
    /// Files of which every section is pinned. They are read even when `[sources]` does not include them; they then have no
    /// public address, nor have they one by the default of `[sources]`. Default `rules/**/*.{md,txt}`.
    pub include: Vec<String>,
    /// Files whose top-level list items are each a pinned section of its own; what stands between the lists is pinned too. They are
    /// read as those of `include` are. Default: none.
    pub items: Vec<String>,
    /// Put the text of pinned sections into the public blob. Default false.
    pub publish: bool,
}

/// `[sections]`: sizes in tokens, as rendered.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SectionSizes {
    /// Size that pieces of a long text aim at. 32 to `max`. Default 350.
    pub target: u32,
    /// Size above which a section is cut. 64 to 100,000. Default 900.
    pub max: u32,
    /// Tokens of whole sentences that a piece of a long paragraph repeats from the piece before it. 0 to half of `target`. Default 0.
    pub overlap: u32,
}

/// `[budget]`: tokens of one request.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Tokens of knowledge one request may hold, pinned included. 64 to 1,000,000. Default 3700.
    pub context: u32,
    /// Tokens of `context` kept free for the model's answer, for accounts whose limit counts both. Default 0.
    pub answer: u32,
    /// Where little matches, sections in file order fill up to this many tokens. At most `context` − `answer`. Default 2950.
    pub floor: u32,
    /// Encoding that tokens are counted in: `o200k_base` or `cl100k_base`. Default `o200k_base`.
    pub encoding: String,
    /// Share of the budget above which the report notes the pinned set. 0 to 1. Default 0.33.
    pub pinned_warn: f32,
    /// Share of the budget above which the report warns. 0 to 1. Default 0.5.
    pub pinned_max: f32,
}

/// `[query]`: how a conversation becomes a question.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Query {
    /// Visitor messages that are searched, counted from the last. 1 to 10. Default 2.
    pub messages: u32,
    /// Weight of the message before the last; each one before weighs 0.6 of the one after it. 0 to 1. Default 0.4.
    pub earlier: f32,
    /// A word that no section holds is searched as the term nearest to it, one or two letters away. Default true.
    pub typos: bool,
    /// File of synonyms, by its path beside the configuration, see [`crate::config`]. Default: none.
    pub synonyms: String,
    /// How soon more occurrences of a term stop to count: `k1` of BM25. 0 to 10. Default 1.2.
    pub k1: f32,
    /// How much a long section has to hold a term more often: `b` of BM25. 0 to 1. Default 0.75.
    pub b: f32,
    /// What a term in a section's title adds to its score, times how rare it is in titles. 0 to 10. Default 0.7.
    pub title: f32,
}

/// `[prompt]`: the owner's words. Empty: the default of the proxy.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Prompt {
    /// Who the assistant is.
    pub assistant: String,
    /// Where to send a visitor whose question is not covered.
    pub contact: String,
    /// What the model may say when the answer is not in the passages.
    pub refusal: String,
    /// Language of the answers; empty: the visitor's.
    pub language: String,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            name: String::new(),
            language: "en".into(),
            base_url: String::new(),
            url_style: UrlStyle::default(),
            anchors: AnchorStyle::default(),
        }
    }
}

impl Default for Sources {
    fn default() -> Self {
        Self {
            include: vec!["**/*.{md,mdx,markdown,html,htm,txt}".into()],
            exclude: Vec::new(),
            jsonl: None,
            front_matter: Vec::new(),
        }
    }
}

impl Default for Pinned {
    fn default() -> Self {
        Self { include: vec!["rules/**/*.{md,txt}".into()], items: Vec::new(), publish: false }
    }
}

impl Default for SectionSizes {
    fn default() -> Self {
        Self { target: 350, max: 900, overlap: 0 }
    }
}

impl Default for Budget {
    fn default() -> Self {
        let encoding = "o200k_base".into();
        Self { context: 3700, answer: 0, floor: 2950, encoding, pinned_warn: 0.33, pinned_max: 0.5 }
    }
}

impl Default for Query {
    fn default() -> Self {
        Self { messages: 2, earlier: 0.4, typos: true, synonyms: String::new(), k1: 1.2, b: 0.75, title: 0.7 }
    }
}

impl Config {
    /// Reads and checks a configuration. An empty text is the default.
    ///
    /// # Errors
    ///
    /// `config-syntax` for what is not TOML or has an unknown key; `config-value` for a value out of its range.
    pub fn parse(text: &str) -> Result<Self, BuildError> {
        let config: Self = toml::from_str(text).map_err(|error| BuildError::ConfigSyntax(error.to_string()))?;
        config.check()?;
        Ok(config)
    }

    /// Tokens that pinned and packed sections may take together.
    #[must_use]
    pub fn room(&self) -> u32 {
        self.budget.context.saturating_sub(self.budget.answer)
    }

    fn check(&self) -> Result<(), BuildError> {
        let Budget { context, answer, floor, pinned_warn, pinned_max, .. } = &self.budget;
        let SectionSizes { target, max, overlap } = self.sections;
        let share = |value: &f32| (0.0..=1.0).contains(value);
        let language = &self.site.language;
        let tag = (2..=35).contains(&language.len()) && language.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        range("budget.context", (64..=1_000_000).contains(context), context, "64 to 1000000 tokens")?;
        range("budget.answer", answer < context, answer, "less than budget.context")?;
        range("budget.floor", *floor <= self.room(), floor, "at most budget.context − budget.answer")?;
        range("budget.pinned_warn", share(pinned_warn), pinned_warn, "0 to 1")?;
        range("budget.pinned_max", share(pinned_max), pinned_max, "0 to 1")?;
        range("sections.max", (64..=100_000).contains(&max), &max, "64 to 100000 tokens")?;
        range("sections.target", (32..=max).contains(&target), &target, "32 to sections.max")?;
        range("sections.overlap", overlap <= target / 2, &overlap, "0 to half of sections.target")?;
        let Query { messages, earlier, k1, b, title, .. } = &self.query;
        range("query.messages", (1..=10).contains(messages), messages, "1 to 10")?;
        range("query.earlier", share(earlier), earlier, "0 to 1")?;
        range("query.k1", (0.0..=10.0).contains(k1), k1, "0 to 10")?;
        range("query.b", share(b), b, "0 to 1")?;
        range("query.title", (0.0..=10.0).contains(title), title, "0 to 10")?;
        range("site.language", tag, language, "a BCP 47 tag such as en or pt-BR, or auto")?;
        let whole =
            self.site.base_url.is_empty() || self.site.base_url.contains("://") || self.site.base_url.starts_with('/');
        range("site.base_url", whole, &self.site.base_url, "https://… or /…, or nothing")?;
        Selection::new(self).map(|_| ())
    }
}

fn range(key: &'static str, holds: bool, found: &dyn ToString, wanted: &'static str) -> Result<(), BuildError> {
    if holds { Ok(()) } else { Err(BuildError::ConfigValue { key, found: found.to_string(), wanted }) }
}

/// The text of a configuration with other values for some keys.
///
/// A key is dotted, such as `sections.target`; its value is what stands behind the `=` in TOML, or a bare word for a text. Comments
/// and the order of keys are lost.
///
/// # Errors
///
/// `config-key` for a key that does not exist, or that takes another kind of value; else as [`Config::parse`], which looks at all
/// values together.
pub fn configure(config: &str, settings: &[(&str, &str)]) -> Result<String, BuildError> {
    Config::parse(config)?;
    let mut table: toml::Table = toml::from_str(config).map_err(|error| BuildError::ConfigSyntax(error.to_string()))?;
    for &(key, value) in settings {
        let refused =
            |reason: &str| BuildError::ConfigKey { key: key.into(), value: value.into(), reason: reason.into() };
        set(&mut table, key, value).map_err(refused)?;
        if let Err(error) = toml::from_str::<Config>(&table.to_string()) {
            // The last line says what is wrong; those before it point into a text that nobody wrote.
            return Err(refused(error.to_string().trim().lines().last().unwrap_or("")));
        }
    }
    let text = table.to_string();
    Config::parse(&text).map(|_| text)
}

fn set(table: &mut toml::Table, key: &str, value: &str) -> Result<(), &'static str> {
    let (name, own) = key.split_once('.').ok_or("wanted a table and a key, such as sections.target")?;
    let parsed: Option<toml::Table> = toml::from_str(&format!("value = {value}")).ok();
    let parsed = parsed.filter(|table| table.len() == 1).and_then(|mut table| table.remove("value"));
    let within = table.entry(name).or_insert_with(|| toml::Value::Table(toml::Table::new()));
    let within = within.as_table_mut().ok_or("there is no such table")?;
    within.insert(own.into(), parsed.unwrap_or_else(|| toml::Value::String(value.into())));
    Ok(())
}

/// Which files the configuration reads, and as what.
pub(crate) struct Selection {
    include: GlobSet,
    exclude: GlobSet,
    pinned: GlobSet,
    items: GlobSet,
    jsonl: Option<String>,
    roots: Vec<String>,
    /// Nobody said which files are pages: all are read, and rules are none.
    is_default: bool,
}

impl Selection {
    pub fn new(config: &Config) -> Result<Self, BuildError> {
        Ok(Self {
            include: globs("sources.include", &config.sources.include)?,
            exclude: globs("sources.exclude", &config.sources.exclude)?,
            pinned: globs("pinned.include", &config.pinned.include)?,
            items: globs("pinned.items", &config.pinned.items)?,
            jsonl: config.sources.jsonl.as_deref().map(|path| path.trim_start_matches("./").to_string()),
            is_default: config.sources.include == Sources::default().include,
            roots: config.sources.include.iter().map(|pattern| literal_root(pattern).to_string()).collect(),
        })
    }

    /// Is the file read at all?
    pub fn reads(&self, path: &str) -> bool {
        self.is_jsonl(path)
            || (!is_hidden(path) && !self.exclude.is_match(path) && (self.is_public(path) || self.is_pinned(path)))
    }

    /// Was the file neither chosen nor excluded by a pattern, nor hidden?
    pub fn is_passed_over(&self, path: &str) -> bool {
        !self.reads(path) && !is_hidden(path) && !self.exclude.is_match(path)
    }

    /// Is every section of the file pinned?
    pub fn is_pinned(&self, path: &str) -> bool {
        self.pinned.is_match(path) || self.pins_items(path)
    }

    /// Is every list item of the file a pinned section of its own?
    pub fn pins_items(&self, path: &str) -> bool {
        self.items.is_match(path)
    }

    /// Is the file among the sources, so that it has an address?
    pub fn is_public(&self, path: &str) -> bool {
        self.include.is_match(path) && !(self.is_default && self.is_pinned(path))
    }

    pub fn is_jsonl(&self, path: &str) -> bool {
        self.jsonl.as_deref() == Some(path)
    }

    /// The path below the literal folder of the pattern that includes it: `content/a/b.md` → `a/b.md`.
    pub fn below_root<'p>(&self, path: &'p str) -> &'p str {
        self.roots
            .iter()
            .filter_map(|root| path.strip_prefix(root.as_str()))
            .min_by_key(|rest| rest.len())
            .unwrap_or(path)
    }
}

fn globs(key: &'static str, patterns: &[String]) -> Result<GlobSet, BuildError> {
    let mut set = GlobSetBuilder::new();
    let wrong = |found: String| BuildError::ConfigValue { key, found, wanted: "a glob such as content/**/*.md" };
    for pattern in patterns {
        let plain = pattern.trim_start_matches("./");
        let glob = GlobBuilder::new(plain).literal_separator(true).build().map_err(|error| wrong(error.to_string()))?;
        set.add(glob);
    }
    set.build().map_err(|error| wrong(error.to_string()))
}

/// The folders of a pattern before its first wildcard.
pub(crate) fn literal_root(pattern: &str) -> &str {
    let pattern = pattern.trim_start_matches("./");
    let wild = pattern.find(['*', '?', '{', '[']).unwrap_or(pattern.len());
    pattern[..wild].rfind('/').map_or("", |slash| &pattern[..=slash])
}

fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part == "node_modules" || part.starts_with('.'))
}

/// The address of a page; empty for [`UrlStyle::None`].
pub(crate) fn page_url(site: &Site, below_root: &str, own: Option<&str>) -> String {
    if site.url_style == UrlStyle::None {
        return String::new();
    }
    let base = site.base_url.trim_end_matches('/');
    let (folder, name) = below_root.rsplit_once('/').map_or(("", below_root), |(folder, name)| (folder, name));
    let join = |parts: &[&str]| {
        let path = parts
            .iter()
            .map(|part| part.trim_matches('/'))
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("/");
        format!("{base}/{}", path.replace(' ', "%20"))
    };
    match own {
        // Elsewhere it is a link of the page, not its address.
        Some(own) if own.contains("://") && !base.is_empty() && own.starts_with(base) => return own.to_string(),
        Some(own) if own.contains("://") => {}
        Some(own) if own.starts_with('/') => return format!("{base}{own}"),
        Some(own) => return join(&[folder, own]),
        None => {}
    }
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_index = ["index", "readme", "_index"].contains(&stem.to_ascii_lowercase().as_str());
    match site.url_style {
        UrlStyle::Pretty if is_index => join(&[folder]),
        UrlStyle::Pretty => join(&[folder, stem]),
        UrlStyle::Html => join(&[folder, &format!("{}.html", if is_index { "index" } else { stem })]),
        UrlStyle::File | UrlStyle::None => join(&[folder, name]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_is_the_default() {
        let config = Config::parse("").unwrap();
        assert_eq!((config.budget.context, config.budget.floor, config.query.messages), (3700, 2950, 2));
    }

    #[test]
    fn wrong_settings_are_named() {
        let code = |text: &str| Config::parse(text).err().map(|error| (error.code(), error.to_string()));
        assert_eq!(code("[budget\n").unwrap().0, "config-syntax");
        assert!(code("[budget]\ncontxt = 5\n").unwrap().1.contains("contxt"));
        assert_eq!(code("[budget]\ncontext = 10\n").unwrap().0, "config-value");
        assert!(code("[budget]\nfloor = 5000\n").unwrap().1.contains("budget.floor"));
        assert!(code("[sources]\ninclude = ['a{b']\n").unwrap().1.contains("sources.include"));
        assert!(code("[pinned]\nitems = ['a{b']\n").unwrap().1.contains("pinned.items"));
        assert!(code("[sections]\ntarget = 100\noverlap = 51\n").unwrap().1.contains("sections.overlap"));
        assert!(code("[sections]\ntarget = 100\noverlap = 50\n").is_none());
        assert_eq!(code("[site]\nanchors = 'hugo'\n").unwrap().0, "config-syntax");
    }

    #[test]
    fn one_key_is_changed_and_the_others_stay() {
        let before = "[site]\nname = 'A \"b\"'\n[sections]\nmax = 500 # tokens\n[sources]\ninclude = ['a/**']\n";
        let after = Config::parse(&configure(before, &[("sections.target", "200")]).unwrap()).unwrap();
        assert_eq!((after.sections.target, after.sections.max, after.site.name.as_str()), (200, 500, "A \"b\""));
        assert_eq!(after.sources.include, ["a/**"]);
        let text = |key, value| configure("", &[(key, value)]).map(|text| Config::parse(&text).unwrap());
        assert_eq!(text("budget.encoding", "cl100k_base").unwrap().budget.encoding, "cl100k_base");
        assert_eq!(text("budget.encoding", "\"cl100k_base\"").unwrap().budget.encoding, "cl100k_base");
        assert!((text("budget.pinned_max", "0.7").unwrap().budget.pinned_max - 0.7).abs() < 1e-6);
        assert_eq!(text("pinned.include", "['x.md', 'y.md']").unwrap().pinned.include, ["x.md", "y.md"]);
    }

    #[test]
    fn values_are_looked_at_together() {
        let text = configure("", &[("sections.target", "1200"), ("sections.max", "1500")]).unwrap();
        assert_eq!(Config::parse(&text).unwrap().sections.target, 1200);
        assert_eq!(configure("", &[("sections.target", "1200")]).unwrap_err().code(), "config-value");
    }

    #[test]
    fn a_key_that_is_none_is_named() {
        let refused =
            |key, value| configure("", &[(key, value)]).map_err(|error| (error.code(), error.to_string())).unwrap_err();
        let (code, message) = refused("sections.targt", "200");
        assert!(code == "config-key" && message.contains("targt") && message.contains("target"), "{message}");
        for (key, value) in [
            ("sectoins.target", "1"),
            ("target", "1"),
            ("", ""),
            ("sections.target", "many"),
            ("sections.target.x", "1"),
        ] {
            assert_eq!(refused(key, value).0, "config-key", "{key} = {value}");
        }
        assert_eq!(refused("sections.target", "5").0, "config-value");
        assert_eq!(refused("sections.target", "200\nmax = 900").0, "config-key");
    }

    #[test]
    fn patterns_choose_files() {
        let config = Config::parse(
            "[sources]\ninclude = ['content/**/*.{md,txt}']\nexclude = ['**/draft-*']\njsonl = 'x.jsonl'",
        )
        .unwrap();
        let selection = Selection::new(&config).unwrap();
        let read: Vec<&str> = [
            "content/a.md",
            "content/b/c.txt",
            "content/draft-x.md",
            "notes.md",
            "rules/r.md",
            "x.jsonl",
            "content/.git/a.md",
        ]
        .into_iter()
        .filter(|path| selection.reads(path))
        .collect();
        assert_eq!(read, ["content/a.md", "content/b/c.txt", "rules/r.md", "x.jsonl"]);
        assert_eq!(selection.below_root("content/b/c.txt"), "b/c.txt");
    }

    #[test]
    fn rules_have_an_address_only_where_they_are_named_as_pages() {
        let is_public =
            |config: &str| Selection::new(&Config::parse(config).unwrap()).unwrap().is_public("rules/refunds.md");
        assert!(!is_public(""));
        assert!(!is_public("[sources]\ninclude = ['content/**/*.md']"));
        assert!(is_public("[sources]\ninclude = ['rules/*.md']"));
    }

    #[test]
    fn addresses_follow_the_style() {
        let site = |style, base: &str| Site { url_style: style, base_url: base.into(), ..Site::default() };
        assert_eq!(page_url(&site(UrlStyle::Pretty, ""), "services/video.md", None), "/services/video");
        assert_eq!(
            page_url(&site(UrlStyle::Pretty, "https://a.example/docs/"), "index.md", None),
            "https://a.example/docs/"
        );
        assert_eq!(page_url(&site(UrlStyle::Html, ""), "a/README.md", None), "/a/index.html");
        assert_eq!(page_url(&site(UrlStyle::File, ""), "a/b c.md", None), "/a/b%20c.md");
        assert_eq!(page_url(&site(UrlStyle::Pretty, ""), "blog/x.md", Some("my-post")), "/blog/my-post");
        assert_eq!(page_url(&site(UrlStyle::Pretty, ""), "blog/x.md", Some("/post/")), "/post/");
        assert_eq!(page_url(&site(UrlStyle::Pretty, ""), "job.md", Some("https://elsewhere.example/")), "/job");
        assert_eq!(
            page_url(&site(UrlStyle::Pretty, "https://a.example"), "x.md", Some("https://a.example/y")),
            "https://a.example/y"
        );
        assert_eq!(page_url(&site(UrlStyle::None, ""), "a.md", None), "");
    }
}
