//! The cutter: blocks drawn from the input, whose numbered words must come out whole, once and in order.

use std::fmt::Write;

use super::base::Base;

/// What stands behind the words' numbers: ends of sentences, abbreviations, marks, other scripts, graphemes of many characters.
const FILL: [&str; 16] = [
    "",
    ".",
    "!",
    "?",
    ",",
    ":",
    " e.g.",
    " $3.50",
    " 退款。",
    " 👩\u{200d}🚀",
    " naïve",
    " *b*",
    " `c d`",
    " 10 000",
    " (x)",
    " [link](https://a.example/x)",
];
const SIZES: [(u32, u32); 4] = [(32, 64), (48, 96), (64, 64), (100, 200)];

pub fn cutter(bytes: &[u8]) {
    let mut drawn = Drawn { bytes: bytes.iter(), next: 0, markdown: String::new() };
    let choice = drawn.byte();
    let (target, max) = SIZES[usize::from(choice % 4)];
    let overlap = u32::from(choice / 4 % 4) * target / 8;
    while drawn.bytes.len() > 0 {
        drawn.block();
    }
    if drawn.next == 0 {
        return;
    }
    let config =
        format!("[budget]\ncontext = 1000000\n[sections]\ntarget = {target}\nmax = {max}\noverlap = {overlap}\n");
    let base = Base::check("page.md", drawn.markdown.as_bytes(), &config).expect("there are words in it");
    let mut next = 0;
    for section in &base.sections {
        let numbers = numbers(&section.text);
        let Some(first) = numbers.first() else { continue };
        // With an overlap a section may begin with words of the one before.
        assert!(*first == next || overlap > 0 && *first < next, "{first} after {next} in {:?}", drawn.markdown);
        assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "{numbers:?} in {:?}", drawn.markdown);
        assert!(numbers[numbers.len() - 1] >= next, "nothing new in {:?}", section.text);
        next = numbers[numbers.len() - 1] + 1;
    }
    assert_eq!(next, drawn.next, "words are lost of {:?}", drawn.markdown);
}

/// The numbers of the words `w0x`, `w1x` and so on.
fn numbers(text: &str) -> Vec<usize> {
    let number = |part: &str| part.strip_prefix('w')?.strip_suffix('x')?.parse().ok();
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(number).collect()
}

/// Markdown under way.
struct Drawn<'b> {
    bytes: std::slice::Iter<'b, u8>,
    /// Number of the next word.
    next: usize,
    markdown: String,
}

impl Drawn<'_> {
    /// The next byte of the input; 0 at its end.
    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    /// `many` words with `gap` between them.
    fn words(&mut self, many: u8, gap: &str) {
        for at in 0..many {
            let fill = FILL[usize::from(self.byte() % 16)];
            let gap = if at == 0 { "" } else { gap };
            write!(self.markdown, "{gap}w{}x{fill}", self.next).expect("a string");
            self.next += 1;
        }
    }

    fn block(&mut self) {
        let (kind, many) = (self.byte(), self.byte() % 32 + 1);
        match kind % 8 {
            // A heading's words are in the path, where nothing is cut: it has none of its own.
            0 => {
                write!(self.markdown, "{} Title {}", "#".repeat(usize::from(kind / 8 % 3) + 1), many)
                    .expect("a string");
            }
            1 => self.lines(many / 4 + 1, "- "),
            2 => self.lines(many / 4 + 1, "> "),
            3 => self.fence(many / 4 + 1),
            4 => self.table(many / 4 + 1),
            5 => self.words(many, "\n"),
            6 => self.words(many * 4, " "),
            _ => self.words(many, " "),
        }
        // A list would go on in the next one.
        self.markdown.push_str("\n\n<!-- -->\n\n");
    }

    fn lines(&mut self, many: u8, mark: &str) {
        for _ in 0..many {
            self.markdown.push_str(mark);
            let words = self.byte() % 24 + 1;
            self.words(words, " ");
            self.markdown.push('\n');
        }
    }

    fn fence(&mut self, lines: u8) {
        self.markdown.push_str("```sh\n");
        self.lines(lines, "    ");
        self.markdown.push_str("```");
    }

    fn table(&mut self, rows: u8) {
        self.markdown.push_str("| One | Two |\n|---|---|\n");
        for _ in 0..rows {
            for cell in ["| ", " | "] {
                self.markdown.push_str(cell);
                let words = self.byte() % 8 + 1;
                self.words(words, " ");
            }
            self.markdown.push_str(" |\n");
        }
    }
}
