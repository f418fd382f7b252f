//! What each fuzz target does with its input: the laws that hold for any bytes.
//!
//! The targets in `tests/fuzz/targets` call these, and `tests/fuzz.rs` calls them with every kept seed.

mod base;
mod blob;
mod config;
mod cutter;
#[path = "../../kit/damage.rs"]
mod damage;
mod query;
mod sandwich;

pub use blob::blob;
pub use config::config;
pub use cutter::cutter;
pub use query::query;

use base::Base;

/// Small sections, so that a few hundred bytes are cut, and room for whatever is pinned.
const SMALL: &str = "[budget]\ncontext = 1000000\n[sections]\ntarget = 48\nmax = 96\n";

/// Markdown: anything builds, and hides no paragraph before or after it.
pub fn markdown(bytes: &[u8]) {
    Base::check("page.md", bytes, SMALL);
    sandwich::check("page.md", bytes, SMALL);
}

/// MDX: as Markdown.
pub fn mdx(bytes: &[u8]) {
    Base::check("page.mdx", bytes, SMALL);
    sandwich::check("page.mdx", bytes, SMALL);
}

/// HTML: anything builds; text without a tag is read whole.
pub fn html(bytes: &[u8]) {
    let Some(base) = Base::check("page.html", bytes, SMALL) else { return };
    if let Some(text) = base.plain(bytes).filter(|text| !text.contains(['<', '&'])) {
        base.has_words_of(text);
    }
}

/// Plain text: every visible character is in a section, in order.
pub fn text(bytes: &[u8]) {
    let Some(base) = Base::check("page.txt", bytes, SMALL) else { return };
    if let Some(text) = base.plain(bytes) {
        base.has_characters_of(text);
        base.has_words_of(text);
    }
}

/// JSONL: any lines, and any text as the text and title of a record.
pub fn jsonl(bytes: &[u8]) {
    let config = "[budget]\ncontext = 1000000\n[sources]\njsonl = 'all.jsonl'\n";
    Base::check("all.jsonl", bytes, config);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let record = serde_json::json!({ "_id": 7, "title": text, "text": text }).to_string();
    if let Some(base) = Base::check("all.jsonl", record.as_bytes(), config) {
        assert_eq!(base.sections.len(), 1);
        base.has_characters_of(text);
    }
}

/// Front matter of every kind, its values shown: it hides no paragraph after it.
pub fn front_matter(bytes: &[u8]) {
    let config = format!("{SMALL}[sources]\nfront_matter = ['*']\n");
    Base::check("page.md", bytes, &config);
    sandwich::check_after("page.md", bytes, &config);
}
