//! Tables and code that are too large: rows and lines to units, with what each piece repeats of them.

use super::unit::{Frame, Maker, Seam};
use super::words::long_sentence;

impl Maker<'_> {
    /// Rows are kept whole, under the header and delimiter rows that each piece repeats. Of a row that does not fit, each cell is a line
    /// with its column's name.
    pub(super) fn table(&mut self, text: &str) {
        let rows: Vec<&str> = text.split_inclusive('\n').collect();
        let is_table = rows.len() > 2 && rows[1].chars().all(|c| matches!(c, '|' | '-' | ':') || c.is_whitespace());
        if !is_table {
            return self.prose(text, Seam::Block);
        }
        let before = rows[..2].concat();
        let tokens = (self.count)(&before);
        let fits = tokens <= self.limit / 2;
        let frame = if fits { self.frame(before, String::new(), tokens) } else { 0 };
        let names = cells(rows[0]);
        if !fits {
            self.cells(&[], &names);
        }
        for row in &rows[2..] {
            let size = self.size(row);
            if fits && size.saturating_add(tokens) <= self.limit {
                self.push(row, size, Seam::Part, frame, false);
            } else {
                self.cells(&names, &cells(row));
            }
        }
    }

    fn cells(&mut self, names: &[String], cells: &[String]) {
        let mut seam = Seam::Part;
        for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let name = names.get(at).filter(|name| !name.is_empty());
            // A name that takes half a piece is not repeated.
            let name = name.filter(|name| self.size(name) <= self.limit / 2);
            let line = name.map_or(format!("{cell}\n"), |name| format!("{name}: {cell}\n"));
            self.prose(&line, seam);
            seam = Seam::Line;
        }
    }

    fn frame(&mut self, before: String, after: String, tokens: u32) -> usize {
        self.units.frames.push(Frame { before, after, tokens });
        self.units.frames.len() - 1
    }

    /// Lines are kept whole while they fit; each piece repeats the fence with its language.
    pub(super) fn code(&mut self, text: &str) {
        let fence: String = text.trim_start().chars().take_while(|c| matches!(c, '`' | '~')).collect();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let tokens = if fence.len() < 3 { 0 } else { (self.count)(lines[0]) + (self.count)(&fence) + 1 };
        let framed = fence.len() > 2 && lines.len() > 1 && tokens <= self.limit / 2;
        if !framed {
            return self.lines(&lines, self.limit, 0);
        }
        let closed = lines.last().is_some_and(|line| line.trim() == fence);
        let body = &lines[1..lines.len() - usize::from(closed)];
        let frame = self.frame(lines[0].to_string(), format!("\n{fence}"), tokens);
        self.lines(body, self.limit - tokens, frame);
    }

    fn lines(&mut self, lines: &[&str], limit: u32, frame: usize) {
        let mut after_blank = false;
        for line in lines {
            let seam = if after_blank { Seam::Part } else { Seam::Line };
            after_blank = line.trim().is_empty();
            let size = self.size(line);
            if size <= limit {
                self.push(line, size, seam, frame, false);
                continue;
            }
            for (range, inner) in long_sentence(line, self.sizes.target.min(limit), limit, self.count) {
                let part = &line[range.clone()];
                let seam = if range.start == 0 { seam } else { inner };
                self.push(part, self.size(part), seam, frame, false);
            }
        }
    }
}

/// The cells of a table row.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut out = vec![String::new()];
    let mut escaped = false;
    for c in row.chars() {
        if c == '|' && !escaped {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    out.into_iter().map(|cell| cell.trim().to_string()).collect()
}
