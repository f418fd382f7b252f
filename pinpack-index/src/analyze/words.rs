//! Text to words: what belongs together, and which forms of it are searched.

use super::fold::{Class, Folding};

/// How a form is treated after scanning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters: stemmed, and looked up among the stop words.
    Word,
    /// A name, number, version, price, address or pair of characters: taken as it is.
    Exact,
}

/// Gets each form of each word: the folded form, the byte span of the word in the text, its kind.
type Emit<'e> = dyn FnMut(&str, (usize, usize), Kind) + 'e;

/// Calls `emit` for every form of every word of `text`.
pub(super) fn scan(text: &str, folding: &Folding, emit: &mut Emit<'_>) {
    let mut scan = Scan { text, folding, word: Word::default(), run: Vec::new(), emit };
    let mut at = 0;
    while at < text.len() {
        at = scan.step(at);
    }
    scan.end_word();
    scan.end_run();
}

struct Scan<'t, 'e> {
    text: &'t str,
    folding: &'t Folding,
    word: Word,
    /// A run of characters of scripts without spaces, with their byte spans.
    run: Vec<(char, usize, usize)>,
    emit: &'t mut Emit<'e>,
}

/// A word under way: its folded characters and where its parts are.
#[derive(Default)]
struct Word {
    folded: String,
    parts: Vec<Part>,
    span: (usize, usize),
    /// Currency sign or dot right before the word.
    prefix: Option<char>,
    /// `+`, `++`, `#`, `%` or a currency sign right after it.
    suffix: &'static str,
    last: Case,
}

struct Part {
    /// Byte range in `folded`.
    start: usize,
    end: usize,
    /// The connector before this part; `None` where only case or digits part it.
    join: Option<char>,
    digits: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Case {
    #[default]
    None,
    Lower,
    Upper,
    Digit,
}

impl Scan<'_, '_> {
    /// Takes the character at `at` and gives the offset of the next.
    fn step(&mut self, at: usize) -> usize {
        let c = self.text[at..].chars().next().unwrap_or(' ');
        let next = at + c.len_utf8();
        if self.word.is_open() && is_connector(c) && self.joins(c, next) {
            self.word.open_part(Some(unify(c)));
            return next;
        }
        let start = self.word.folded.len();
        let folded = self.folding.fold(c, &mut self.word.folded);
        match folded.class {
            Class::Letter | Class::Digit => {
                self.end_run();
                self.push(at, next, start, folded.class, folded.upper);
            }
            Class::NoSpace => {
                let mapped: String = self.word.folded.drain(start..).collect();
                self.end_word();
                for c in mapped.chars() {
                    self.push_run(c, at, next);
                }
            }
            Class::Drop => self.extend(next),
            Class::Break => {
                let past = self.take_suffix(at, next);
                self.end_word();
                self.end_run();
                return past.max(link_target(self.text, at));
            }
        }
        next
    }

    /// Does the connector `c` hold the open word and what follows together?
    fn joins(&self, c: char, next: usize) -> bool {
        let following = self.text[next..].chars().next().map_or(Class::Break, |c| self.folding.class(c));
        match c {
            ',' => self.word.last == Case::Digit && following == Class::Digit,
            _ => matches!(following, Class::Letter | Class::Digit),
        }
    }

    fn push(&mut self, at: usize, next: usize, folded_from: usize, class: Class, upper: bool) {
        let word = &mut self.word;
        let case = match (class, upper) {
            (Class::Digit, _) => Case::Digit,
            (_, true) => Case::Upper,
            _ => Case::Lower,
        };
        if word.parts.is_empty() {
            word.span.0 = at;
            word.prefix = self.text[..at].chars().next_back().filter(|c| is_currency(*c) || *c == '.');
            if word.prefix == Some('.') && (class == Class::Digit || !starts_fresh(&self.text[..at - 1])) {
                word.prefix = None;
            }
            word.parts.push(Part { start: folded_from, end: folded_from, join: None, digits: true });
        } else if word.parts_at_case(case, folded_from) {
            word.split(folded_from);
        } else if word.last == Case::Upper && case == Case::Lower {
            word.split_before_last_capital(folded_from);
        }
        if let Some(part) = word.parts.last_mut() {
            part.end = word.folded.len();
            part.digits &= case == Case::Digit;
        }
        word.last = case;
        word.span.1 = next;
    }

    fn extend(&mut self, next: usize) {
        if self.word.is_open() {
            self.word.span.1 = next;
        }
    }

    fn push_run(&mut self, c: char, at: usize, next: usize) {
        // Decomposed kana: a voicing mark composes with the character before it.
        if let ('\u{3099}' | '\u{309a}', Some(last)) = (c, self.run.last_mut()) {
            let step = if c == '\u{3099}' { 1 } else { 2 };
            last.0 = char::from_u32(last.0 as u32 + step).unwrap_or(last.0);
            last.2 = next;
            return;
        }
        self.run.push((c, at, next));
    }

    /// Takes `++`, `#`, `%` or a currency sign that belongs to the open word; gives the offset after it.
    fn take_suffix(&mut self, at: usize, next: usize) -> usize {
        if !self.word.is_open() {
            return next;
        }
        let rest = &self.text[at..];
        let short = self.word.folded.len() <= 2;
        let digits = self.word.last == Case::Digit;
        let suffix = ["++", "#", "%", "€", "$", "£", "¥", "+"].into_iter().find(|suffix| rest.starts_with(suffix));
        let after = suffix.and_then(|suffix| rest[suffix.len()..].chars().next());
        let fresh = after.is_none_or(|c| !matches!(self.folding.class(c), Class::Letter | Class::Digit));
        match suffix {
            Some(suffix @ "++") if !digits && fresh => self.word.suffix = suffix,
            Some(suffix @ ("#" | "+")) if short && !digits && fresh => self.word.suffix = suffix,
            Some(suffix @ ("%" | "€" | "$" | "£" | "¥")) if digits => self.word.suffix = suffix,
            _ => return next,
        }
        at + self.word.suffix.len()
    }

    fn end_word(&mut self) {
        if self.word.is_open() {
            self.word.emit(&mut *self.emit);
        }
        self.word.clear();
    }

    /// Emits a run as overlapping pairs; a single character as itself.
    fn end_run(&mut self) {
        let mut pair = String::new();
        if let [(c, start, end)] = self.run[..] {
            pair.push(c);
            (self.emit)(&pair, (start, end), Kind::Exact);
        }
        for two in self.run.windows(2) {
            pair.clear();
            pair.extend([two[0].0, two[1].0]);
            (self.emit)(&pair, (two[0].1, two[1].2), Kind::Exact);
        }
        self.run.clear();
    }
}

impl Word {
    fn is_open(&self) -> bool {
        !self.parts.is_empty()
    }

    fn clear(&mut self) {
        self.folded.clear();
        self.parts.clear();
        (self.prefix, self.suffix, self.last) = (None, "", Case::None);
    }

    fn open_part(&mut self, join: Option<char>) {
        let at = self.folded.len();
        self.parts.push(Part { start: at, end: at, join, digits: true });
        self.last = Case::None;
    }

    /// Does a new part begin with a character of this case? `fooBar`, `iphone15`, `3d` (no: too short).
    fn parts_at_case(&self, case: Case, at: usize) -> bool {
        let len = self.parts.last().map_or(0, |part| at - part.start);
        match (self.last, case) {
            (Case::Lower, Case::Upper) => true,
            (Case::Lower | Case::Upper, Case::Digit) => len >= 3,
            _ => false,
        }
    }

    fn split(&mut self, at: usize) {
        self.parts.push(Part { start: at, end: at, join: None, digits: true });
    }

    /// `XMLHttp`: the last capital belongs to the word that follows.
    fn split_before_last_capital(&mut self, at: usize) {
        let Some(part) = self.parts.last_mut() else { return };
        let capital = self.folded[..at].char_indices().next_back().map_or(at, |(i, _)| i);
        if capital > part.start {
            part.end = capital;
            self.parts.push(Part { start: capital, end: at, join: None, digits: false });
        }
    }

    fn emit(&mut self, emit: &mut Emit<'_>) {
        self.drop_possessive();
        if self.parts.iter().all(|part| part.digits) && self.parts.iter().all(|part| part.join != Some('-')) {
            return self.emit_number(emit);
        }
        if self.parts.len() == 1 {
            return self.emit_single(emit);
        }
        let contraction = self.emit_whole(emit);
        for part in &self.parts {
            let text = &self.folded[part.start..part.end];
            // Of `don't` only the joined form is a word; of `l'école` the part after the article is one too.
            if !contraction || text.len() > 2 && self.parts[0].end <= 2 {
                emit(text, self.span, if part.digits { Kind::Exact } else { Kind::Word });
            }
        }
    }

    /// `customer's` is searched as `customer`.
    fn drop_possessive(&mut self) {
        if let [.., _, last] = &self.parts[..]
            && last.join == Some('\'')
            && &self.folded[last.start..last.end] == "s"
        {
            self.parts.pop();
        }
    }

    fn emit_single(&mut self, emit: &mut Emit<'_>) {
        let Part { start, end, .. } = self.parts[0];
        let text = self.folded[start..end].to_string();
        let marked = match (self.prefix, self.suffix) {
            (Some('.'), _) => format_two(".", &text),
            (_, "") => String::new(),
            (_, suffix) => format_two(&text, suffix),
        };
        if !marked.is_empty() {
            emit(&marked, self.span, Kind::Exact);
        }
        let digits = text.bytes().any(|b| b.is_ascii_digit());
        emit(&text, self.span, if digits { Kind::Exact } else { Kind::Word });
    }

    /// The whole form of a compound. Hyphens and apostrophes are left out (`e-mail` = `email`, `don't` = `dont`).
    /// True when the word is held together by apostrophes alone.
    fn emit_whole(&self, emit: &mut Emit<'_>) -> bool {
        let mut whole = String::with_capacity(self.folded.len() + self.parts.len());
        let (mut plain, mut apostrophes) = (true, true);
        for part in &self.parts {
            match part.join {
                Some('-') => apostrophes = false,
                Some('\'') | None => apostrophes &= part.join.is_some() || part.start == self.parts[0].start,
                Some(join) => {
                    whole.push(join);
                    (plain, apostrophes) = (false, false);
                }
            }
            plain &= !part.digits;
            whole.push_str(&self.folded[part.start..part.end]);
        }
        if self.prefix == Some('.') {
            emit(&format_two(".", &whole), self.span, Kind::Exact);
        }
        emit(&whole, self.span, if plain { Kind::Word } else { Kind::Exact });
        apostrophes
    }

    /// A number in one spelling: no thousands separators; with its currency also as a price; `49.00` also as `49`.
    fn emit_number(&self, emit: &mut Emit<'_>) {
        let mut number = String::with_capacity(self.folded.len());
        for part in &self.parts {
            let digits = &self.folded[part.start..part.end];
            if part.join.is_some() && !(part.join == Some(',') && digits.len() == 3) {
                number.push('.');
            }
            number.push_str(digits);
        }
        let whole = number.split_once('.').filter(|(_, cents)| cents.bytes().all(|b| b == b'0')).map(|(whole, _)| whole);
        let currency = self.prefix.filter(|c| is_currency(*c)).or_else(|| self.suffix.chars().next());
        for form in [Some(number.as_str()), whole].into_iter().flatten() {
            emit(form, self.span, Kind::Exact);
            if let Some(sign) = currency {
                emit(&format_two(sign.encode_utf8(&mut [0; 4]), form), self.span, Kind::Exact);
            }
        }
    }
}

fn format_two(a: &str, b: &str) -> String {
    let mut both = String::with_capacity(a.len() + b.len());
    both.push_str(a);
    both.push_str(b);
    both
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥')
}

fn is_connector(c: char) -> bool {
    matches!(c, '.' | '_' | '@' | '&' | ',') || matches!(unify(c), '-' | '\'')
}

/// One character for all hyphens that join, and one for all apostrophes.
fn unify(c: char) -> char {
    match c {
        '\u{2010}' | '\u{2011}' => '-',
        '\u{2019}' | '\u{2018}' | '\u{02bc}' | '\u{ff07}' => '\'',
        _ => c,
    }
}

/// Is what comes next the start of a word, as after white space or an opening bracket?
fn starts_fresh(before: &str) -> bool {
    before.chars().next_back().is_none_or(|c| c.is_ascii_whitespace() || matches!(c, '(' | '"' | '\'' | '`' | '['))
}

/// The offset after the target of an inline Markdown link whose `](` starts at `at`; `at` where there is none.
fn link_target(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if !rest.starts_with("](") {
        return at;
    }
    let line = rest.find(char::is_whitespace).unwrap_or(rest.len());
    rest[..line].find(')').map_or(at, |close| at + close + 1)
}
