//! The blob: any bytes, and damage that reaches the reader behind a header that is right, are an error with a code or a knowledge base
//! on which every call ends.

use std::sync::LazyLock;

use pinpack::{Blob, Load, Message, Pinpack};
use pinpack_index::{Config, SourceFile, build};

use super::damage::Parts;

const CODES: [&str; 5] = ["blob-magic", "blob-truncated", "blob-format", "blob-analyzer", "blob-damaged"];

static SOUND: LazyLock<Parts> = LazyLock::new(|| Parts::of(&fixture()));

/// A blob with pages, headings, ready-made sections, a private rule and words of more than one script.
pub fn fixture() -> Vec<u8> {
    let files = [
        SourceFile { path: "docs.jsonl", bytes: b"{\"_id\":\"a\",\"title\":\"Kelp\",\"text\":\"Kelp and urchin.\"}\n" },
        SourceFile {
            path: "faq.md",
            bytes: "First.\n\n# Refunds\n\nKelp within 30 days.\n\n## Größe\n\n退款服务\n".as_bytes(),
        },
        SourceFile { path: "long.md", bytes: b"# Long\n\nKelp one two three four five six seven eight nine ten.\n" },
        SourceFile { path: "rules/r.md", bytes: b"# Rule\n\nNever promise kelp.\n" },
    ];
    let config = Config::parse("[sources]\njsonl = 'docs.jsonl'\n[budget]\ncontext = 200\nfloor = 60\n")
        .expect("a configuration");
    build(&files, &config, &mut |_, _| {}).expect("a site").blob
}

pub fn blob(bytes: &[u8]) {
    survive(bytes.to_vec());
    survive(damaged(bytes));
}

/// The sound blob with bytes changed: four of the input each, which part, where, and by which bits.
fn damaged(input: &[u8]) -> Vec<u8> {
    let (mut texts, mut streams) = (SOUND.texts.clone(), SOUND.streams.clone());
    let (changes, _) = input.as_chunks::<4>();
    let place = |high: u8, low: u8, len: usize| (usize::from(high) << 8 | usize::from(low)) % len;
    for [part, high, low, bits] in changes {
        match part % 4 {
            0 => texts[place(*high, *low, SOUND.texts.len())] ^= bits,
            1 => streams[place(*high, *low, SOUND.streams.len())] ^= bits,
            _ => {}
        }
    }
    let mut parts = SOUND.with_texts(texts).with_streams(streams);
    for [part, high, low, bits] in changes {
        let at = place(*high, *low, parts.body.len().max(1));
        match part % 4 {
            2 => parts.body[at] ^= bits,
            3 if bits % 16 == 1 => parts.body.truncate(at.max(1)),
            3 => parts.body[at] = *bits,
            _ => {}
        }
    }
    parts.sealed()
}

struct File(Vec<u8>);

impl Load for File {
    fn load(&self, start: usize, end: usize) -> Vec<u8> {
        self.0.get(start..end.min(self.0.len())).unwrap_or(&[]).to_vec()
    }
}

/// Makes every call, on the whole file and on one that is fetched piece by piece.
fn survive(bytes: Vec<u8>) {
    let messages = [Message::user("kelp urchin 退款 six rule"), Message::user("what about that one? xyz")];
    let length = bytes.len();
    let paged = Blob::open_paged(File(bytes.clone()), length).map(Pinpack::of);
    let kb = match Pinpack::open(bytes) {
        Ok(kb) => kb,
        Err(error) => {
            assert!(CODES.contains(&error.code()) && error.to_string().len() > 20, "{error}");
            if let Ok(paged) = paged {
                let _ = (paged.blob().has_whole_texts(), paged.pack(&messages, None));
            }
            return;
        }
    };
    let paged = paged.unwrap_or_else(|error| panic!("opens whole and not in pieces: {error}"));
    for budget in [None, Some(0), Some(60), Some(u32::MAX)] {
        let (pack, explained) = (kb.pack(&messages, budget), kb.explain(&messages, budget));
        if let Ok(pack) = &pack {
            assert!(pack.tokens <= pack.budget);
            assert_eq!(pack.ids(), explained.expect("it packs").ids());
            assert_eq!(pack.ids(), paged.pack(&messages, budget).expect("it packs").ids());
        }
    }
    for id in (0..kb.blob().sections().min(300) as u32).chain([u32::MAX]) {
        assert_eq!(kb.section(id).is_some(), (id as usize) < kb.blob().sections());
        let _ = (kb.blob().reference(id), kb.blob().text(id));
    }
}
