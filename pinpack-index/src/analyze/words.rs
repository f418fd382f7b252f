//! Text to words: what belongs together, and which forms of it are searched.

#[cfg(feature = "languages")]
use super::canonical;
use super::fold::{Case, Class, Folding};
#[cfg(feature = "languages")]
use crate::error::joined;

/// How a form is treated after scanning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters: stemmed, and looked up among the stop words.
    Word,
    /// A name, number, version, price, address or pair of characters: taken as it is.
    Exact,
}

/// Gets each form of each word: the folded form, the byte span of the word in the text, its kind.
pub(super) type Emit<'e> = dyn FnMut(&str, (usize, usize), Kind) + 'e;

/// What languages have of their own.
#[cfg(feature = "languages")]
pub(super) trait Rules {
    /// Is a folded word none before an apostrophe (`l'`, `dell'`)?
    fn elides(&self, word: &str) -> bool;
    /// Is what follows an apostrophe an ending (`Ankara'da`)?
    fn ends(&self) -> bool;
    /// Do the rules for scripts other than Latin apply? A blob that English alone can search goes without: see `canonical.rs`.
    fn full(&self) -> bool;
    /// In scripts without spaces, do single characters stand beside pairs?
    fn singles(&self) -> bool;
}

/// Calls `emit` for every form of every word of `text`.
pub(super) fn scan(
    text: &str,
    folding: &Folding,
    #[cfg(feature = "languages")] rules: &dyn Rules,
    emit: &mut Emit<'_>,
) {
    let mut chars = Vec::with_capacity(text.len());
    #[cfg(not(feature = "languages"))]
    text.char_indices().for_each(|(at, c)| chars.push((at as u32, c)));
    #[cfg(feature = "languages")]
    for (at, c) in text.char_indices() {
        if rules.full() { canonical::push(&mut chars, at as u32, c) } else { chars.push((at as u32, c)) }
    }
    let mut scan = Scan {
        chars,
        len: text.len(),
        folding,
        #[cfg(feature = "languages")]
        rules,
        word: Word::default(),
        run: Vec::new(),
        emit,
    };
    let mut at = 0;
    while at < scan.chars.len() {
        at = scan.step(at);
    }
    scan.end_word();
    scan.end_run();
}

struct Scan<'t, 'e> {
    /// Characters with their byte offsets; places in the text are indexes into it.
    chars: Vec<(u32, char)>,
    /// Bytes of the text.
    len: usize,
    folding: &'t Folding,
    #[cfg(feature = "languages")]
    rules: &'t dyn Rules,
    word: Word,
    /// A run of characters of scripts without spaces, with their places.
    run: Vec<(char, usize)>,
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
    /// `+`, `#`, `%` or a currency sign right after it, and whether it stands twice.
    suffix: Option<(char, bool)>,
    last: Case,
    /// Letters follow digits: a code such as `a2lgs87b`, which has no parts by letters and digits.
    is_code: bool,
}

struct Part {
    /// Byte range in `folded`.
    start: usize,
    end: usize,
    /// The connector before this part; `None` where only case or digits part it.
    join: Option<char>,
    digits: bool,
}

impl Scan<'_, '_> {
    /// The character at a place; a blank outside the text.
    fn at(&self, at: usize) -> char {
        self.chars.get(at).map_or(' ', |(_, c)| *c)
    }

    fn offset(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.len, |(offset, _)| *offset as usize)
    }

    /// Is the character at a place part of a spaced word?
    fn is_word(&self, at: usize) -> bool {
        matches!(self.folding.class(self.at(at)), Class::Letter | Class::Digit)
    }

    /// Takes the character at `at` and gives the place of the next.
    fn step(&mut self, at: usize) -> usize {
        let c = self.at(at);
        let next = at + 1;
        if self.word.is_open() && is_connector(c) && self.joins(c, next) {
            self.word.open_part(Some(unify(c)));
            return next;
        }
        let start = self.word.folded.len();
        let folded = self.folding.fold(c, &mut self.word.folded);
        #[cfg(feature = "languages")]
        let folded = if canonical::is_hangul(c) && self.rules.full() {
            super::fold::Folded { class: Class::NoSpace, ..folded }
        } else {
            folded
        };
        match folded.class {
            Class::Letter | Class::Digit => {
                self.end_run();
                self.push(at, start, folded.case);
            }
            Class::NoSpace => {
                let mapped = self.word.folded.split_off(start);
                self.end_word();
                mapped.chars().for_each(|c| self.push_run(c, at));
            }
            Class::Drop => self.extend(next),
            Class::Break => {
                let past = self.take_suffix(at);
                self.end_word();
                self.end_run();
                return past.max(self.link_target(at));
            }
        }
        next
    }

    /// Does the connector `c` hold the open word and what follows together?
    fn joins(&self, c: char, next: usize) -> bool {
        let following = self.folding.class(self.at(next));
        match c {
            ',' => self.word.last == Case::Digit && following == Class::Digit,
            _ => matches!(following, Class::Letter | Class::Digit),
        }
    }

    fn push(&mut self, at: usize, folded_from: usize, case: Case) {
        let end = self.offset(at + 1);
        if !self.word.is_open() {
            self.word.span.0 = self.offset(at);
            self.word.prefix = self.prefix(at, case);
        }
        let word = &mut self.word;
        if word.last == Case::Digit && case != Case::Digit {
            word.take_for_code();
        }
        if word.parts.is_empty() || word.parts_at_case(case, folded_from) {
            word.parts.push(Part { start: folded_from, end: folded_from, join: None, digits: true });
        } else if word.last == Case::Upper && case == Case::Lower {
            word.split_before_last_capital(folded_from);
        }
        if let Some(part) = word.parts.last_mut() {
            part.end = word.folded.len();
            part.digits &= case == Case::Digit;
        }
        word.last = case;
        word.span.1 = end;
    }

    /// The currency sign, or the dot of `.NET`, right before the word that begins at `at`.
    fn prefix(&self, at: usize, case: Case) -> Option<char> {
        let before = self.at(at.wrapping_sub(1));
        let fresh = || matches!(self.at(at.wrapping_sub(2)), ' ' | '\n' | '\t' | '\r' | '(' | '"' | '\'' | '`' | '[');
        (is_currency(before) || before == '.' && case != Case::Digit && fresh()).then_some(before)
    }

    fn extend(&mut self, next: usize) {
        if self.word.is_open() {
            self.word.span.1 = self.offset(next);
        }
    }

    fn push_run(&mut self, c: char, at: usize) {
        // Decomposed kana: a voicing mark composes with the character before it.
        if let ('\u{3099}' | '\u{309a}', Some(last)) = (c, self.run.last_mut()) {
            let step = if c == '\u{3099}' { 1 } else { 2 };
            last.0 = char::from_u32(last.0 as u32 + step).unwrap_or(last.0);
            return;
        }
        self.run.push((c, at));
    }

    /// Takes `++`, `+`, `#`, `%` or a currency sign that belongs to the open word; gives the place after it.
    fn take_suffix(&mut self, at: usize) -> usize {
        let c = self.at(at);
        let digits = self.word.last == Case::Digit;
        let short = self.word.folded.len() <= 2;
        let double = c == '+' && self.at(at + 1) == '+';
        let named =
            !digits && (double || short && matches!(c, '+' | '#')) && !self.is_word(at + 1 + usize::from(double));
        let priced = digits && (c == '%' || is_currency(c));
        if self.word.is_open() && (named || priced) {
            self.word.suffix = Some((c, double));
            return at + 1 + usize::from(double);
        }
        at + 1
    }

    /// The place after the target of an inline Markdown link whose `](` starts at `at`; `at` where there is none.
    fn link_target(&self, at: usize) -> usize {
        let mut end = at + 2;
        while (self.at(at), self.at(at + 1)) == (']', '(') && !matches!(self.at(end), ' ' | '\n' | '\t' | '\r') {
            end += 1;
            if self.at(end - 1) == ')' {
                return end;
            }
        }
        at
    }

    fn end_word(&mut self) {
        if self.word.is_open() {
            #[cfg(feature = "languages")]
            self.word.take_apostrophes(self.rules);
            self.word.emit(&mut *self.emit);
        }
        self.word.clear();
    }

    /// Emits a run as overlapping pairs of characters with their signs, and the characters themselves where they stand beside pairs.
    #[cfg(feature = "languages")]
    fn end_run(&mut self) {
        if self.rules.full() {
            let mut units: Vec<(String, usize, usize)> = Vec::new();
            for (c, at) in std::mem::take(&mut self.run) {
                match units.last_mut() {
                    Some((unit, _, last))
                        if unit.chars().next_back().is_some_and(|before| canonical::belongs(before, c)) =>
                    {
                        unit.push(c);
                        *last = at;
                    }
                    _ => units.push((c.to_string(), at, at)),
                }
            }
            let singles = self.rules.singles() || units.len() == 1;
            for (row, (unit, start, last)) in units.iter().enumerate() {
                let from = self.offset(*start);
                if singles {
                    let to = self.offset(last + 1);
                    (self.emit)(unit, (from, to), Kind::Exact);
                }
                if let Some((second, _, last)) = units.get(row + 1) {
                    let to = self.offset(last + 1);
                    // Not by `format!`: what only panics use is taken out of the query wasm, and that is among it.
                    (self.emit)(&joined(&[unit, second]), (from, to), Kind::Exact);
                }
            }
        } else {
            self.end_pairs();
        }
    }

    #[cfg(not(feature = "languages"))]
    fn end_run(&mut self) {
        self.end_pairs();
    }

    /// Emits a run as overlapping pairs; a single character as itself.
    fn end_pairs(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let mut pair = String::new();
        for (i, &(first, start)) in self.run.iter().enumerate() {
            let second = self.run.get(i + 1);
            if i > 0 && second.is_none() {
                break;
            }
            pair.clear();
            pair.push(first);
            pair.extend(second.map(|(c, _)| *c));
            let end = second.map_or(start, |(_, at)| *at) + 1;
            let span = (self.offset(start), self.offset(end));
            (self.emit)(&pair, span, Kind::Exact);
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
        (self.prefix, self.suffix, self.last, self.is_code) = (None, None, Case::None, false);
    }

    fn open_part(&mut self, join: Option<char>) {
        let at = self.folded.len();
        self.parts.push(Part { start: at, end: at, join, digits: true });
        (self.last, self.is_code) = (Case::None, false);
    }

    /// Does a new part begin with a character of this case? `fooBar`, `iphone15`, `3d` (no: too short).
    fn parts_at_case(&self, case: Case, at: usize) -> bool {
        let len = self.parts.last().map_or(0, |part| at - part.start);
        match (self.last, case) {
            (Case::Lower, Case::Upper) => true,
            (Case::None | Case::Lower | Case::Upper, Case::Digit) => len >= 3 && !self.is_code,
            _ => false,
        }
    }

    /// Letters after digits: joins the digits to the part that they were split from.
    fn take_for_code(&mut self) {
        self.is_code = true;
        if self.parts.len() > 1
            && let Some(digits) = self.parts.pop_if(|part| part.digits && part.join.is_none())
            && let Some(part) = self.parts.last_mut()
        {
            part.end = digits.end;
        }
    }

    /// `XMLHttp`: the last capital belongs to the word that follows.
    fn split_before_last_capital(&mut self, at: usize) {
        let Some(part) = self.parts.last_mut() else { return };
        let before = self.folded.get(..at).unwrap_or("");
        let capital = before.char_indices().next_back().map_or(at, |(i, _)| i);
        if capital > part.start {
            part.end = capital;
            self.parts.push(Part { start: capital, end: at, join: None, digits: false });
        }
    }

    fn emit(&mut self, emit: &mut Emit<'_>) {
        self.drop_possessive();
        let numeric = |part: &Part| part.digits && part.join != Some('-');
        if self.parts.iter().all(numeric) {
            self.emit_number(emit);
        } else if self.parts.len() == 1 {
            self.emit_single(emit);
        } else {
            self.emit_compound(emit);
        }
    }

    fn text(&self, part: &Part) -> &str {
        self.folded.get(part.start..part.end).unwrap_or("")
    }

    /// `customer's` is searched as `customer`.
    fn drop_possessive(&mut self) {
        if self.parts.last().is_some_and(|last| last.join == Some('\'') && self.text(last) == "s") {
            self.parts.pop();
        }
    }

    /// `l'école` is `école`; where endings follow an apostrophe, `Ankara'da` is `Ankara`.
    #[cfg(feature = "languages")]
    fn take_apostrophes(&mut self, rules: &dyn Rules) {
        while let [first, second, ..] = &self.parts[..]
            && second.join == Some('\'')
            && rules.elides(self.text(first))
        {
            self.parts.remove(0);
            self.parts[0].join = None;
        }
        let ending = |part: &Part| part.join == Some('\'') && !part.digits;
        if rules.ends() && self.parts.len() == 2 && self.parts.last().is_some_and(ending) {
            self.parts.pop();
        }
    }

    fn emit_single(&self, emit: &mut Emit<'_>) {
        let text = self.parts.first().map_or("", |part| self.text(part));
        if self.prefix == Some('.') || self.suffix.is_some() {
            let mut marked = String::new();
            marked.extend(self.prefix.filter(|c| *c == '.'));
            marked.push_str(text);
            if let Some((c, double)) = self.suffix {
                marked.push(c);
                marked.extend(double.then_some(c));
            }
            emit(&marked, self.span, Kind::Exact);
        }
        let digits = text.bytes().any(|b| b.is_ascii_digit());
        emit(text, self.span, if digits { Kind::Exact } else { Kind::Word });
    }

    /// The whole form and the parts. Hyphens and apostrophes are left out of the whole (`e-mail` = `email`, `don't` = `dont`).
    fn emit_compound(&self, emit: &mut Emit<'_>) {
        let mut whole = String::new();
        if self.prefix == Some('.') {
            whole.push('.');
        }
        let (mut plain, mut apostrophes) = (true, true);
        for (i, part) in self.parts.iter().enumerate() {
            match part.join {
                Some('\'') => {}
                Some('-') => apostrophes = false,
                Some(join) => {
                    whole.push(join);
                    (plain, apostrophes) = (false, false);
                }
                None => apostrophes &= i == 0,
            }
            plain &= !part.digits;
            whole.push_str(self.text(part));
        }
        emit(&whole, self.span, if plain { Kind::Word } else { Kind::Exact });
        let short_first = self.parts.first().is_some_and(|part| part.end <= 2);
        for part in &self.parts {
            // Of `don't` only the joined form is a word; of `l'école` the part after the article is one too.
            if !apostrophes || part.end - part.start > 2 && short_first {
                emit(self.text(part), self.span, if part.digits { Kind::Exact } else { Kind::Word });
            }
        }
    }

    /// A number in one spelling: no thousands separators; with its currency also as a price; `49.00` also as `49`.
    fn emit_number(&self, emit: &mut Emit<'_>) {
        let sign = self.prefix.filter(|c| is_currency(*c)).or(self.suffix.map(|(c, _)| c));
        let mut number = String::new();
        number.extend(sign);
        let (start, mut dots, mut point, mut zeros) = (number.len(), 0, 0, true);
        for part in &self.parts {
            let digits = self.text(part);
            if part.join.is_some() && !(part.join == Some(',') && digits.len() == 3) {
                dots += 1;
                point = number.len();
                zeros = digits.bytes().all(|b| b == b'0');
                number.push('.');
            }
            number.push_str(digits);
        }
        let whole = (dots == 1 && zeros).then_some(point);
        for end in [Some(number.len()), whole].into_iter().flatten() {
            emit(number.get(start..end).unwrap_or(""), self.span, Kind::Exact);
            if start > 0 {
                emit(number.get(..end).unwrap_or(""), self.span, Kind::Exact);
            }
        }
    }
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
