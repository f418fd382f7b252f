//! Law 4. Nothing is lost in cutting: every visible word of a document is in its sections, whole, once, in order.

use proptest::prelude::*;
use proptest::sample::select;
use unicode_segmentation::UnicodeSegmentation;

use crate::kit::Site;

/// Words without Markdown in them; [`FRAME`] has letters of its own, because pieces of a table or fence repeat them.
const WORDS: [&str; 14] = [
    "harbor",
    "naïve",
    "streaming.",
    "Why?",
    "1,200.50",
    "退款。",
    "服务",
    "الشحن",
    "يوم",
    "🙂",
    "👩‍🚀",
    "no!",
    "Müller’s",
    "x",
];
const FRAME: [&str; 3] = ["αβγ", "δελτα", "ωμέγα"];

/// One block: its Markdown and the words that a reader sees.
#[derive(Clone, Debug)]
struct Written {
    markdown: String,
    words: Vec<String>,
}

fn words(most: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(select(&WORDS[..]).prop_map(str::to_string), 1..most)
}

fn paragraph() -> impl Strategy<Value = Written> {
    let marked = (select(&WORDS[..]), 0..9u8).prop_map(|(word, mark)| {
        let markdown = match mark {
            0 => format!("**{word}**"),
            1 => format!("*{word}*"),
            2 => format!("`{word}`"),
            3 => format!("[{word}](/somewhere)"),
            4 => format!("[{word}][target]"),
            5 => format!("~~{word}~~"),
            6 => format!("<b>{word}</b>"),
            7 => format!("![{word}](picture.png)"),
            _ => word.to_string(),
        };
        (markdown, word.to_string())
    });
    let parts = prop::collection::vec((marked, select(&[" ", " ", " ", "\n", "  \n"][..])), 1..150);
    parts.prop_map(|parts| Written {
        markdown: parts
            .iter()
            .map(|((markdown, _), gap)| format!("{markdown}{gap}"))
            .collect::<String>()
            .trim_end()
            .into(),
        words: parts.into_iter().map(|((_, word), _)| word).collect(),
    })
}

fn list() -> impl Strategy<Value = Written> {
    prop::collection::vec((words(12), prop::bool::ANY), 1..12).prop_map(|items| {
        let item = |(words, nested): &(Vec<String>, bool)| {
            format!("{}- {}\n", if *nested { "  " } else { "" }, words.join(" "))
        };
        let markdown = items.iter().enumerate().map(|(at, (words, nested))| item(&(words.clone(), *nested && at > 0)));
        Written { markdown: markdown.collect(), words: items.iter().flat_map(|(words, _)| words.clone()).collect() }
    })
}

fn code() -> impl Strategy<Value = Written> {
    prop::collection::vec(words(8), 1..40).prop_map(|lines| {
        let body: String = lines.iter().map(|words| format!("    {}\n", words.join("  "))).collect();
        Written { markdown: format!("```{}\n{body}```", FRAME[0]), words: lines.concat() }
    })
}

fn table() -> impl Strategy<Value = Written> {
    prop::collection::vec((words(6), words(6)), 1..30).prop_map(|rows| {
        let body: String = rows.iter().map(|(a, b)| format!("| {} | {} |\n", a.join(" "), b.join(" "))).collect();
        let markdown = format!("| {} | {} |\n| --- | --- |\n{body}", FRAME[1], FRAME[2]);
        Written { markdown, words: rows.into_iter().flat_map(|(a, b)| [a, b].concat()).collect() }
    })
}

/// A heading, told from all others by its number, and blocks under it.
fn chapter() -> impl Strategy<Value = (usize, bool, Vec<String>, Vec<Written>)> {
    let block = prop_oneof![3 => paragraph(), 1 => list(), 1 => code(), 1 => table()];
    (1..5usize, prop::bool::weighted(0.2), words(5), prop::collection::vec(block, 0..4))
}

fn document() -> impl Strategy<Value = Written> {
    prop::collection::vec(chapter(), 1..5).prop_map(|chapters| {
        let mut document =
            Written { markdown: "First words.\n\n".into(), words: vec!["First".into(), "words.".into()] };
        for (number, (level, underlined, title, blocks)) in chapters.into_iter().enumerate() {
            let title = format!("Chapter{number} {}", title.join(" "));
            document.words.extend(title.split(' ').map(str::to_string));
            let heading = if underlined && level < 3 {
                format!("{title}\n{}\n\n", ["===", "---"][level - 1])
            } else {
                format!("{} {title}\n\n", "#".repeat(level))
            };
            document.markdown += &heading;
            for block in blocks {
                document.markdown += &[&block.markdown, "\n\n"].concat();
                document.words.extend(block.words);
            }
        }
        document.markdown.push_str("[target]: https://elsewhere.example/\n");
        document
    })
}

/// A word without marks around it; empty for what is a mark and nothing else.
fn plain(word: &str) -> String {
    let word: String = word.chars().filter(|c| !c.is_ascii_punctuation()).collect();
    if FRAME.contains(&word.as_str()) { String::new() } else { word }
}

/// Titles, each where its heading stands, and texts.
fn seen(site: &Site) -> Vec<String> {
    let mut path: Vec<String> = Vec::new();
    let mut out = Vec::new();
    for id in 0..site.texts.len() {
        let section = site.kb.section(id as u32).unwrap();
        let known = section.path.iter().zip(&path).take_while(|(new, old)| new == old).count();
        out.extend(section.path[known..].iter().flat_map(|title| title.split_whitespace().map(plain)));
        path = section.path;
        out.extend(site.texts[id].split_whitespace().map(plain));
    }
    out.retain(|word| !word.is_empty());
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_word_is_in_a_section_whole_once_and_in_order(document in document(), size in 0..3usize) {
        let (target, max) = [(350, 900), (80, 150), (32, 64)][size];
        let config = format!("[budget]\ncontext = 1000000\n[sections]\ntarget = {target}\nmax = {max}\n");
        let site = Site::new(&config, &[("page.md", &document.markdown)]);
        let mut wanted: Vec<String> = document.words.iter().map(|word| plain(word)).collect();
        wanted.retain(|word| !word.is_empty());
        prop_assert_eq!(seen(&site), wanted);
        // With 64 tokens a deep path may leave no room at all.
        let tokens = (0..site.texts.len() as u32).map(|id| site.kb.blob().tokens(id));
        prop_assert!(max == 64 || tokens.max().is_none_or(|most| most <= max));
        for frame in FRAME.iter().filter(|frame| document.markdown.contains(**frame)) {
            prop_assert!(site.texts.iter().any(|text| text.contains(frame)));
        }
    }

    #[test]
    fn a_text_without_blanks_is_cut_between_graphemes_and_ends(
        unit in select(vec!["a", "退", "👩‍🚀", "e\u{301}", "🇫🇷", "7"]),
        times in 1..3000usize,
    ) {
        let word = unit.repeat(times);
        let config = "[budget]\ncontext = 1000000\n[sections]\ntarget = 32\nmax = 64\n";
        let site = Site::new(config, &[("page.txt", &word)]);
        prop_assert_eq!(site.texts.concat(), word.clone());
        for text in &site.texts {
            prop_assert!(text.graphemes(true).all(|grapheme| grapheme == unit));
        }
        prop_assert!((0..site.texts.len() as u32).all(|id| site.kb.blob().tokens(id) <= 64));
    }
}

#[test]
fn a_sentence_after_one_that_was_cut_keeps_the_blank_before_it() {
    for length in 60..120 {
        let text = format!("{}end. Urchins follow.\n", "kelp ".repeat(length));
        let site = Site::new("[sections]\ntarget = 32\nmax = 64\n", &[("page.txt", &text)]);
        let words: Vec<&str> = site.texts.iter().flat_map(|text| text.split_whitespace()).collect();
        assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
    }
}
