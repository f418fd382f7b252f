//! Tables to pipe tables.

use super::reader::Reader;
use super::tree::Id;
use crate::source::BlockKind;

/// Columns of a table; cells after them join the last.
const MAX_COLUMNS: usize = 200;

/// Bytes of cells that are repeated for spanning rows and columns, in one table.
const MAX_REPEATED: usize = 64 * 1024;

/// A row: its cells, and whether it is of the header.
struct Row {
    cells: Vec<Cell>,
    header: bool,
}

struct Cell {
    text: String,
    columns: usize,
    rows: usize,
}

impl Reader<'_> {
    /// A table of data; one that only lays out the page is read cell by cell.
    pub fn table(&mut self, id: Id) {
        let rows = self.rows(id);
        if self.is_layout(id, &rows) {
            return self.container(id);
        }
        self.flush();
        for child in self.tree.children(id) {
            // The caption, what is left out, and what a browser lets stand between rows.
            if !matches!(self.tree.name(child), "tr" | "thead" | "tbody" | "tfoot") || self.seen.out(child).is_some() {
                self.read(child);
            }
        }
        self.flush();
        let rows: Vec<Row> = rows.into_iter().map(|row| self.row(row)).filter(|row| !row.cells.is_empty()).collect();
        let grid = grid(&rows);
        let header = rows.iter().take_while(|row| row.header).count();
        self.push(BlockKind::Table, written(&grid, header), self.span(id));
    }

    /// Rows in the order of the page.
    fn rows(&self, id: Id) -> Vec<Id> {
        let tree = self.tree;
        let mut rows = Vec::new();
        for child in tree.children(id).filter(|id| self.seen.out(*id).is_none()) {
            match tree.name(child) {
                "tr" => rows.push(child),
                "thead" | "tbody" | "tfoot" => rows.extend(tree.children(child).filter(|id| tree.name(*id) == "tr")),
                _ => {}
            }
        }
        rows
    }

    fn is_layout(&self, id: Id, rows: &[Id]) -> bool {
        let tree = self.tree;
        if matches!(tree.attr(id, "role"), Some("presentation" | "none")) || self.is_headed(id) {
            return true;
        }
        let cells =
            |row: &Id| tree.children(*row).filter(|id| is_cell(tree.name(*id)) && self.seen.out(*id).is_none()).count();
        if rows.iter().all(|row| cells(row) < 2) {
            return true;
        }
        let mut below = tree.descend(id, |_| true).skip(1).map(|id| tree.name(id));
        let is_data = tree.children(id).any(|id| tree.name(id) == "caption")
            || rows.iter().flat_map(|row| tree.children(*row)).any(|id| tree.name(id) == "th");
        !is_data && below.any(|name| matches!(name, "table" | "pre"))
    }

    fn row(&mut self, id: Id) -> Row {
        let tree = self.tree;
        let mut row = Row { cells: Vec::new(), header: true };
        if self.seen.out(id).is_some() {
            self.read(id);
            return row;
        }
        for child in tree.children(id) {
            if !is_cell(tree.name(child)) || self.seen.out(child).is_some() {
                self.read(child);
                continue;
            }
            let span = |name| tree.attr(child, name).and_then(|value| value.parse().ok()).unwrap_or(1_usize);
            row.header &= tree.name(child) == "th";
            let text = self.line(child).replace('|', "\\|");
            row.cells.push(Cell {
                text,
                columns: span("colspan").clamp(1, MAX_COLUMNS),
                rows: span("rowspan").clamp(1, 1000),
            });
        }
        let in_head = tree.parent(id).is_some_and(|parent| tree.name(parent) == "thead");
        row.header |= in_head;
        row
    }
}

fn is_cell(name: &str) -> bool {
    matches!(name, "td" | "th")
}

/// Cells at their columns. A cell over several rows is repeated in each; one over several columns only in the header, where it names them.
fn grid(rows: &[Row]) -> Vec<Vec<String>> {
    let mut room = MAX_REPEATED;
    let mut repeat = |text: &str| {
        let fits = room >= text.len();
        room -= if fits { text.len() } else { 0 };
        if fits { text.to_string() } else { String::new() }
    };
    // What the rows above reach down with, by column: the text and for how many rows more.
    let mut reaching: Vec<(String, usize)> = Vec::new();
    let mut out = Vec::new();
    for row in rows {
        let mut line: Vec<String> = Vec::new();
        let mut fill = |line: &mut Vec<String>, reaching: &mut Vec<(String, usize)>| {
            while let Some((text, left)) = reaching.get_mut(line.len()).filter(|(_, left)| *left > 0) {
                *left -= 1;
                line.push(repeat(text));
            }
        };
        for cell in &row.cells {
            fill(&mut line, &mut reaching);
            for part in 0..cell.columns {
                if line.len() >= MAX_COLUMNS {
                    if part == 0
                        && let Some(last) = line.last_mut()
                    {
                        last.push(' ');
                        last.push_str(&cell.text);
                    }
                    break;
                }
                if cell.rows > 1 {
                    reaching.resize_with(reaching.len().max(line.len() + 1), Default::default);
                    let text = if part == 0 { cell.text.clone() } else { String::new() };
                    reaching[line.len()] = (text, cell.rows - 1);
                }
                line.push(if part == 0 || row.header { cell.text.clone() } else { String::new() });
            }
        }
        fill(&mut line, &mut reaching);
        out.push(line);
    }
    out
}

/// Header row, delimiter row, rows. Header rows of several lines are joined; without one the header is empty.
fn written(grid: &[Vec<String>], header: usize) -> String {
    let columns = grid.iter().map(Vec::len).max().unwrap_or(0);
    let mut head = vec![String::new(); columns];
    for line in &grid[..header] {
        for (text, cell) in head.iter_mut().zip(line).filter(|(text, cell)| !text.ends_with(cell.as_str())) {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(cell);
        }
    }
    let filled = |line: &Vec<String>| line.iter().any(|cell| !cell.is_empty());
    if !filled(&head) && !grid[header..].iter().any(filled) {
        return String::new();
    }
    let mut out = vec![row(&head, columns), format!("|{}", " --- |".repeat(columns))];
    out.extend(grid[header..].iter().filter(|line| filled(line)).map(|line| row(line, columns)));
    out.join("\n")
}

fn row(cells: &[String], columns: usize) -> String {
    let mut out = String::from("|");
    for column in 0..columns {
        out.push(' ');
        if let Some(cell) = cells.get(column).filter(|cell| !cell.is_empty()) {
            out.push_str(cell);
            out.push(' ');
        }
        out.push('|');
    }
    out
}
