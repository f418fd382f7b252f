//! Tables: header row, delimiter row, rows, one a line.

use pulldown_cmark::Alignment;

use super::writer::{Gap, Writer};

/// The row of a table under way.
#[derive(Debug, Default)]
pub(super) struct TableRow {
    columns: Vec<Alignment>,
    cells: usize,
    pub in_cell: bool,
}

impl TableRow {
    pub fn begin_table(&mut self, columns: &[Alignment]) {
        self.columns = columns.to_vec();
        self.cells = 0;
    }

    pub fn begin_cell(&mut self, writer: &mut Writer) {
        if self.cells == 0 {
            writer.gap(Gap::Line);
            writer.mark("| ");
        } else {
            writer.mark(" | ");
        }
        self.cells += 1;
        self.in_cell = true;
    }

    pub fn end_head(&mut self, writer: &mut Writer) {
        self.end_row(writer);
        writer.gap(Gap::Line);
        let mark = |column: &Alignment| match column {
            Alignment::None => "---|",
            Alignment::Left => ":--|",
            Alignment::Center => ":-:|",
            Alignment::Right => "--:|",
        };
        writer.mark(&format!("|{}", self.columns.iter().map(mark).collect::<String>()));
    }

    pub fn end_row(&mut self, writer: &mut Writer) {
        writer.mark(" |");
        (self.cells, self.in_cell) = (0, false);
    }
}
