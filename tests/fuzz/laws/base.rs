//! One file, built, and what holds of every build.

use std::hash::{DefaultHasher, Hash, Hasher};

use pinpack::{Message, Pinpack};
use pinpack_index::{Built, Config, Counter, Kind, SourceFile, build};
use serde_json::Value;
use unicode_segmentation::UnicodeSegmentation;

/// Codes of errors that a file can be the reason of.
const CODES: [&str; 3] = ["no-sections", "source-jsonl", "pinned-over-budget"];
/// Fewest tokens that a piece may have whatever its heading path takes.
const LEAST_ROOM: u32 = 16;

/// A section as the proxy has it.
pub struct Section {
    pub text: String,
    pub label: String,
    pub tokens: u32,
    pub pinned: bool,
}

/// The knowledge base of one file.
pub struct Base {
    pub built: Built,
    pub sections: Vec<Section>,
}

impl Base {
    /// Builds a file and checks what is built. `None` when there is nothing in it, said by a code.
    pub fn check(path: &str, bytes: &[u8], config: &str) -> Option<Self> {
        let config = Config::parse(config).expect("a configuration of the targets' own");
        Self::check_with(path, bytes, &config)
    }

    pub fn check_with(path: &str, bytes: &[u8], config: &Config) -> Option<Self> {
        let built = match build_one(path, bytes, config) {
            Ok(built) => built,
            Err(error) => {
                assert!(CODES.contains(&error.code()), "{}: {error}", error.code());
                return None;
            }
        };
        if one_in_64(bytes) {
            let again = build_one(path, bytes, config).expect("it was built before");
            assert!(again.blob == built.blob && again.knowledge == built.knowledge, "not the same twice");
        }
        let base = Self { sections: sections(&built), built };
        base.agrees();
        base.fits(config);
        Some(base)
    }

    /// The blob opens, and says what the proxy's file and the report say.
    fn agrees(&self) {
        let kb = Pinpack::open(self.built.blob.clone()).expect("what was built opens");
        let report = &self.built.report;
        assert_eq!((report.sections, kb.blob().sections()), (self.sections.len(), self.sections.len()));
        assert_eq!(report.written_tokens, self.sections.iter().map(|section| section.tokens).sum::<u32>());
        for (id, section) in (0..).zip(&self.sections) {
            // A ready-made section may have a title alone.
            let holds = [&section.text, &section.label].map(|text| !text.trim().is_empty());
            assert!(holds[0] || self.ready_made() && holds[1], "section {id} is empty");
            assert_eq!((kb.blob().tokens(id), kb.blob().is_pinned(id)), (section.tokens, section.pinned));
            assert!(section.pinned || kb.blob().text(id) == section.text);
            let meta = kb.section(id).expect("one row a section");
            assert!(meta.path.iter().all(|title| !title.is_empty()) && !meta.reference.contains('\0'));
        }
        let pack = kb.pack(&[Message::user("what is it?")], None).expect("the pinned set fits");
        assert!(pack.tokens <= pack.budget);
    }

    /// Tokens are those of the passage as rendered, and no section is over the maximum but those that are never cut.
    fn fits(&self, config: &Config) {
        let counter = Counter::new(&config.budget.encoding).expect("a checked configuration");
        for section in &self.sections {
            assert_eq!(section.tokens, counter.count_passage(&section.label, &section.text), "{:?}", section.text);
            let most = config.sections.max.max(counter.count_passage(&section.label, "") + LEAST_ROOM);
            if section.tokens > most && !section.pinned && !self.ready_made() {
                let largest = section.text.graphemes(true).map(|grapheme| counter.count(grapheme)).max();
                assert!(largest > Some(8), "{} tokens, {most} at most: {:?}", section.tokens, section.text);
            }
        }
    }

    fn ready_made(&self) -> bool {
        self.built.report.files.iter().any(|file| file.kind == Kind::Jsonl)
    }

    /// The bytes as text, when they were read as they are.
    pub fn plain<'b>(&self, bytes: &'b [u8]) -> Option<&'b str> {
        let as_it_is = self.built.report.files.iter().all(|file| file.encoding.is_none());
        std::str::from_utf8(bytes).ok().filter(|_| as_it_is)
    }

    /// Every visible character of the text is in the sections, once and in order.
    pub fn has_characters_of(&self, text: &str) {
        assert_eq!(self.sections.iter().map(|section| visible(&section.text)).collect::<String>(), visible(text));
    }

    /// Every word of letters and digits is in the sections, whole, once and in order, when none is too long for that.
    pub fn has_words_of(&self, text: &str) {
        let wanted = words(text);
        if wanted.iter().all(|word| word.len() <= LEAST_ROOM as usize && word.is_ascii()) {
            let found: Vec<&str> = self.sections.iter().flat_map(|section| words(&section.text)).collect();
            assert_eq!(found, wanted, "{text:?}");
        }
    }
}

fn build_one(path: &str, bytes: &[u8], config: &Config) -> Result<Built, pinpack_index::BuildError> {
    build(&[SourceFile { path, bytes }], config, &mut |_, _| {})
}

fn sections(built: &Built) -> Vec<Section> {
    let knowledge: Value = serde_json::from_str(&built.knowledge).expect("JSON");
    let pinned = knowledge["pinned"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let section = |section: &Value| Section {
        text: text(&section["text"]),
        label: text(&section["label"]),
        tokens: section["tokens"].as_u64().expect("a number") as u32,
        pinned: pinned.contains(&section["id"]),
    };
    knowledge["sections"].as_array().expect("a list").iter().map(section).collect()
}

/// All inputs in a test; some while fuzzing, where each one counts.
fn one_in_64(bytes: &[u8]) -> bool {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    cfg!(test) || hasher.finish().is_multiple_of(64)
}

/// The characters that are seen. A copy of the passage fence in a text has another bracket.
fn visible(text: &str) -> String {
    let seen = |c: &char| !c.is_whitespace() && *c != '\u{feff}';
    text.chars().filter(seen).map(|c| if c == '‹' { '<' } else { c }).collect()
}

pub fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}
