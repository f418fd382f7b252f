//! The files of a folder, and what pinpack makes of one.

#![allow(dead_code, reason = "each example uses a part of it")]

use std::error::Error;
use std::path::Path;

use pinpack::build::{Config, SourceFile, build, select};

/// A section as the proxy gets it.
pub struct Section {
    pub path: Vec<String>,
    pub reference: String,
    pub text: String,
    pub tokens: u64,
}

/// Paths and texts of the files below a folder that the default configuration reads, in order; what is not UTF-8 is passed over.
pub fn files(folder: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let mut paths = Vec::new();
    walk(folder, folder, &mut paths)?;
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let chosen = select(&paths, &Config::default())?;
    let read = |path: &&str| Some((path.to_string(), std::fs::read_to_string(folder.join(path)).ok()?));
    Ok(chosen.iter().filter_map(read).collect())
}

/// Is a file Markdown or plain text, of which the visible words can be found the slow way?
pub fn is_markdown(path: &str) -> bool {
    !path.to_ascii_lowercase().ends_with("html")
}

fn walk(root: &Path, folder: &Path, out: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(root, &path, out)?;
        } else if let Some(relative) = path.strip_prefix(root)?.to_str() {
            out.push(relative.replace('\\', "/"));
        }
    }
    Ok(())
}

/// The sections of one file; `None` for a draft or a page without text.
pub fn sections(path: &str, text: &str) -> Option<Vec<Section>> {
    let config = Config::parse("[budget]\ncontext = 1000000\n").ok()?;
    let built = build(&[SourceFile { path, bytes: text.as_bytes() }], &config, &mut |_, _| {}).ok()?;
    let knowledge: serde_json::Value = serde_json::from_str(&built.knowledge).ok()?;
    let string = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let section = |value: &serde_json::Value| Section {
        path: value["path"].as_array().into_iter().flatten().map(string).collect(),
        reference: string(&value["ref"]),
        text: string(&value["text"]),
        tokens: value["tokens"].as_u64().unwrap_or(0),
    };
    Some(knowledge["sections"].as_array()?.iter().map(section).collect())
}

/// The file's name, where it is the title of its page.
pub fn file_title<'p>(path: &'p str, sections: &[Section]) -> &'p str {
    let file = path.rsplit('/').next().unwrap_or(path);
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    let is_title = sections.iter().all(|section| section.path.first().is_some_and(|title| title == name));
    if is_title { name } else { "" }
}

/// What of a section's path the section before did not have.
pub fn new_titles<'s>(section: &'s Section, before: Option<&Section>) -> &'s [String] {
    let Some(before) = before else { return &section.path };
    let known = section.path.iter().zip(&before.path).take_while(|(a, b)| a == b).count();
    let anchor = |section: &Section| section.reference.split('~').next().unwrap_or_default().to_string();
    // Two headings of one name are told apart by their anchors.
    let renamed = known == section.path.len() && known == before.path.len() && anchor(section) != anchor(before);
    &section.path[if renamed { known.saturating_sub(1) } else { known }..]
}
