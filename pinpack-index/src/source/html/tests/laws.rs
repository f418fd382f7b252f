//! What holds for every page: words whole and in order, spans in order, no panic, time in proportion.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

/// A piece of a page, to be written and to be read.
#[derive(Clone, Debug)]
enum Piece {
    Word,
    Space,
    /// An element within a line.
    Inline(&'static str, Vec<Piece>),
    /// An element that begins and ends a line.
    Block(&'static str, Vec<Piece>),
    List(&'static str, Vec<Vec<Piece>>),
    Table(bool, Vec<Vec<Vec<Piece>>>),
    /// An element that no block holds; the second name says whether it parts words.
    Dropped(&'static str, bool),
}

const INLINE: [&str; 12] =
    ["b", "i", "em", "strong", "span", "code", "a href=x.html", "x-y", "font", "mark", "abbr", "kbd"];
const BLOCKS: [&str; 14] = [
    "p",
    "div",
    "section",
    "h2",
    "h5",
    "blockquote",
    "pre",
    "details",
    "figure",
    "article",
    "address",
    "center",
    "header",
    "fieldset",
];
const DROPPED: [(&str, bool); 8] = [
    ("script", false),
    ("style", false),
    ("nav", true),
    ("div hidden", true),
    ("p hidden", true),
    ("textarea", false),
    ("span aria-hidden=true", false),
    ("div data-pinpack-ignore", true),
];

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let leaf = prop_oneof![
        4 => Just(Piece::Word),
        2 => Just(Piece::Space),
        1 => prop::sample::select(&DROPPED[..]).prop_map(|(tag, parts)| Piece::Dropped(tag, parts)),
    ];
    let tree = leaf.prop_recursive(5, 60, 6, |inner| {
        let some = prop::collection::vec(inner, 0..6).boxed();
        let cells = prop::collection::vec(some.clone(), 1..4);
        prop_oneof![
            3 => (prop::sample::select(&INLINE[..]), some.clone()).prop_map(|(tag, inner)| Piece::Inline(tag, inner)),
            3 => (prop::sample::select(&BLOCKS[..]), some.clone()).prop_map(|(tag, inner)| Piece::Block(tag, inner)),
            1 => (prop::sample::select(&["ul", "ol"][..]), prop::collection::vec(some, 0..4)).prop_map(|(tag, items)| Piece::List(tag, items)),
            1 => (any::<bool>(), prop::collection::vec(cells, 0..4)).prop_map(|(header, rows)| Piece::Table(header, rows)),
        ]
    });
    prop::collection::vec(tree, 0..8)
}

/// Writes a page, and beside it its words as a reader sees them: the slow obvious way.
#[derive(Default)]
struct Writer {
    html: String,
    seen: String,
    words: usize,
    in_heading: bool,
}

impl Writer {
    /// Letters that are in no other word.
    fn word(&mut self) -> String {
        self.words += 1;
        let digits = self.words.to_string();
        let letters = digits.bytes().map(|digit| char::from(b'a' + digit - b'0'));
        format!("q{}x", letters.collect::<String>())
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        pieces.iter().for_each(|piece| self.piece(piece));
    }

    fn element(&mut self, tag: &str, parts: bool, inside: impl FnOnce(&mut Self)) {
        let space = if parts { " " } else { "" };
        let name = tag.split(' ').next().unwrap_or(tag);
        self.html += &["<", tag, ">"].concat();
        self.seen += space;
        inside(self);
        self.html += &["</", name, ">"].concat();
        self.seen += space;
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Word => {
                let word = self.word();
                self.html += &word;
                self.seen += &word;
            }
            Piece::Space => {
                self.html += " \n";
                self.seen += " ";
            }
            Piece::Inline(tag, inner) => self.element(tag, false, |writer| writer.pieces(inner)),
            // A heading in a heading ends it: what follows the inner one is no block of its own.
            Piece::Block("h2" | "h5", inner) if self.in_heading => self.pieces(inner),
            Piece::Block(tag, inner) => {
                let before = self.in_heading;
                self.in_heading |= ["h2", "h5"].contains(tag);
                self.element(tag, true, |writer| writer.pieces(inner));
                self.in_heading = before;
            }
            Piece::List(tag, items) => self.element(tag, true, |writer| {
                items.iter().for_each(|item| writer.element("li", true, |writer| writer.pieces(item)));
            }),
            Piece::Table(header, rows) => self.element("table", true, |writer| writer.rows(*header, rows)),
            Piece::Dropped(tag, parts) => {
                let word = self.word();
                self.element(tag, *parts, |writer| writer.html += &word);
            }
        }
    }

    fn rows(&mut self, header: bool, rows: &[Vec<Vec<Piece>>]) {
        for (number, cells) in rows.iter().enumerate() {
            let tag = if header && number == 0 { "th" } else { "td" };
            self.element("tr", true, |writer| {
                cells.iter().for_each(|cell| writer.element(tag, true, |writer| writer.pieces(cell)));
            });
        }
    }
}

/// Words of letters, in order.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).map(Into::into).collect()
}

fn words_of(document: &Document) -> Vec<String> {
    document.blocks.iter().flat_map(|block| words(&block.text)).collect()
}

fn check_spans(document: &Document, source: &str) {
    let mut last = 0;
    for block in &document.blocks {
        assert!(last <= block.span.start && block.span.start <= block.span.end, "{:?}", block.span);
        assert!(source.get(block.span.clone()).is_some(), "{:?}", block.span);
        last = block.span.end;
    }
}

proptest! {
    #[test]
    fn every_visible_word_is_read_once_in_order_and_whole(pieces in pieces()) {
        let mut writer = Writer::default();
        writer.element("main", true, |writer| writer.pieces(&pieces));
        let document = read_html(&writer.html);
        prop_assert_eq!(words_of(&document), words(&writer.seen), "{}", writer.html);
        check_spans(&document, &writer.html);
    }

    #[test]
    fn a_block_comes_from_its_span(pieces in pieces()) {
        let mut writer = Writer::default();
        writer.element("main", true, |writer| writer.pieces(&pieces));
        for block in read_html(&writer.html).blocks {
            // Marks and tags part words; each of the writer's own is whole, begins with `q` and ends with `x`.
            let letters = words(&block.text).concat();
            let source = &writer.html[block.span];
            for word in letters.split_inclusive('x') {
                prop_assert!(source.contains(word), "{word} not in {source}");
            }
        }
    }

    #[test]
    fn no_text_panics(parts in prop::collection::vec(prop_oneof![
        "\\PC{0,8}",
        prop::sample::select(&["<table>", "<tr>", "<td>", "</td>", "<p>", "</p>", "<b>", "<a href=x>", "<svg>", "<math>", "<select>", "<option>",
            "<template>", "</template>", "<frameset>", "<!--", "-->", "<![CDATA[", "]]>", "<pre>", "<ul>", "<li>", "<dl>", "<dt id=x class=sig>", "<dd>",
            "<title>", "<script>", "</script>", "<textarea>", "<plaintext>", "<h1>", "</h1>", "<ruby>", "<rt>", "&#x110000;", "&am", "&", "<", ">", "\"", "=",
            "\r", "\n", "\0", "\u{feff}", "<?xml?>", "<br/>", "<script/>", "</body>", "</html>", "<body class=x>", "<form>", "<button>", "<sup>", "</table>"][..])
            .prop_map(String::from),
    ], 0..40)) {
        let source = parts.concat();
        check_spans(&read_html(&source), &source);
        fragment(&source, 3);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let source = String::from_utf8_lossy(&bytes);
        check_spans(&read_html(&source), &source);
    }
}

#[track_caller]
fn quick<T>(what: &str, read: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let out = read();
    // It ends: many times what it takes, also on a busy machine.
    assert!(start.elapsed() < Duration::from_secs(120), "{what}: {:?}", start.elapsed());
    out
}

#[test]
fn a_hundred_thousand_nested_tags_end() {
    let tags = [
        "<div>",
        "<b>",
        "<blockquote>",
        "<table>",
        "<table><tr><td>",
        "<ul><li>",
        "<a href=x>",
        "<dl><dd>",
        "<font color=x>",
        "<svg>",
        "<span>",
        "<details>",
        "<code>",
        "<p>",
        "<h1>",
        "<ruby>",
        "<x-y>",
        "<button>",
        "<form>",
        "<svg><foreignObject>",
        "<math><mtext>",
        "<p><b id=x>",
        "<div><table>",
        "<a><div>",
        "<sup>",
        "<pre>",
        "<object>",
        "<aside>",
        "<header>",
        "<li>",
        "<dl><dt class=sig id=x>",
        "<abbr title=x>",
    ];
    for tag in tags {
        let source = format!("{}word", tag.repeat(100_000));
        let document = quick(tag, || read_html(&source));
        let counted: usize = document.left_out.iter().map(|left| left.words).sum();
        let found = words_of(&document).iter().filter(|word| *word == "word").count();
        assert!(found + counted == 1 || tag == "<object>", "{tag}: {found} {counted}");
    }
    quick("<div> in a fragment", || fragment(&"<div>".repeat(100_000), 0));
    quick("<template>", || read_html(&"<template>".repeat(100_000)));
}

#[test]
fn words_below_the_deepest_level_stay_apart() {
    let source = "<div>one".repeat(1000) + &"</div>two".repeat(1000);
    let found = words_of(&read_html(&source));
    assert_eq!(found.iter().filter(|word| *word == "one").count(), 1000);
    assert_eq!(found.iter().filter(|word| *word == "two").count(), 1000);
}

#[test]
fn time_grows_with_length_alone() {
    let size = if cfg!(debug_assertions) { 200_000 } else { 20_000_000 };
    let units = [
        "<p>word <b>x</b></p>",
        "<b id=x><p>y",
        "word ",
        "<a href=y>z",
        "<li>x",
        "<td>x",
        "<i>",
        "</p>",
        "<br>",
        "&amp;",
        "<!-- x -->",
        "<!--",
        "</",
        "<h2>x</h2>",
        "<h2>",
        "<a></a>",
        "<aside><a href=x>y</a></aside>",
        "<header>h",
        "<table><tr><td>x",
        "<dt>x",
        "<pre>x\n",
        "<script>",
        "<a b='",
        "<a b= ",
        "<ul><li>x</ul>",
        "<svg><text>x",
        "<p x=",
        "<title>",
        "<body a=b>",
        "<option>",
        "`",
        "<code>`</code>",
        "<sup>1",
        "\u{200b}",
    ];
    for unit in units {
        let source = unit.repeat(size / unit.len());
        quick(unit, || check_spans(&read_html(&source), &source));
        quick(unit, || check_spans(&fragment(&source, 0), &source));
    }
    let many = |from: usize| (from..from + size / 10).map(|number| format!(" a{number}")).collect::<String>();
    let source = format!("<p{}>word</p><p{}>more", many(0), many(0));
    assert_eq!(quick("attributes", || read(&source)), ["word", "more"]);
}
