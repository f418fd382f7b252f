//! `pinpack.toml`: any text is a configuration or an error with a code, and a configuration builds.

use pinpack_index::{Config, SourceFile, build, configure};

const CODES: [&str; 3] = ["config-syntax", "config-value", "config-encoding"];
const BUILD_CODES: [&str; 3] = ["no-sections", "pinned-over-budget", "config-encoding"];

pub fn config(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let config = match Config::parse(text) {
        Ok(config) => config,
        Err(error) => return assert!(CODES.contains(&error.code()) && !error.to_string().is_empty(), "{error}"),
    };
    let written = configure(text, &[]).expect("a configuration is one without changes too");
    let again = Config::parse(&written).expect("what is written can be read");
    assert_eq!(format!("{again:?}"), format!("{config:?}"), "{written}");
    let files = [
        SourceFile { path: "content/a.md", bytes: b"# A\n\nOne two three. Four five six.\n\n- seven\n- eight\n" },
        SourceFile { path: "rules/b.md", bytes: b"---\ntitle: B\n---\n\nNever.\n" },
        SourceFile { path: "c.jsonl", bytes: b"{\"_id\": 1, \"text\": \"Nine.\"}\n" },
    ];
    match build(&files, &config, &mut |_, _| {}) {
        Ok(built) => assert!(pinpack::Pinpack::open(built.blob).is_ok()),
        Err(error) => assert!(BUILD_CODES.contains(&error.code()), "{error}"),
    }
}
