//! Lists, definition lists and quotes.

use super::reader::Reader;
use super::tree::{Id, Tree};
use crate::source::{Block, BlockKind};

impl Reader<'_> {
    /// A list as one block, what belongs to an item indented under it.
    pub fn list(&mut self, id: Id) {
        self.flush();
        let numbered = self.tree.name(id) == "ol";
        let number = |id: Id, name: &str| self.tree.attr(id, name).and_then(|value| value.parse::<i32>().ok());
        let mut next = number(id, "start").filter(|_| numbered).unwrap_or(1);
        let mut items: Vec<String> = Vec::new();
        for child in self.tree.children(id) {
            let own = self.tree.attr(child, "value").and_then(|value| value.parse::<i32>().ok());
            next = own.filter(|_| numbered).unwrap_or(next);
            let text = self.item(child);
            if text.is_empty() {
                continue;
            }
            let marker = if numbered { format!("{next}. ") } else { "- ".into() };
            match items.last_mut() {
                // A list between the items of another belongs to the item before it.
                Some(last) if is_list(self.tree, child) => {
                    let width = last.find(' ').map_or(2, |space| space + 1);
                    last.push_str(&indented(&format!("\n{text}"), width));
                }
                _ => {
                    items.push(marker.clone() + &indented(&text, marker.len()));
                    next = next.saturating_add(1);
                }
            }
        }
        self.push(BlockKind::List, items.join("\n"), self.span(id));
    }

    /// The text of an item or definition, or of what stands where one should.
    fn item(&mut self, id: Id) -> String {
        joined(&self.blocks_of(|reader| reader.read(id)))
    }

    /// `- term: definition`, a line for each.
    pub fn definitions(&mut self, id: Id) {
        self.flush();
        let mut parts = Vec::new();
        self.definition_parts(id, &mut parts);
        let mut items: Vec<String> = Vec::new();
        let mut open_terms = false;
        for part in parts {
            match (self.tree.name(part), items.last_mut()) {
                ("dt", last) => {
                    let term = self.line(part);
                    match last {
                        _ if term.is_empty() => continue,
                        Some(last) if open_terms => *last = format!("{last}, {term}"),
                        _ => items.push(format!("- {term}")),
                    }
                    open_terms = true;
                }
                (_, last) => {
                    let text = self.item(part);
                    match last {
                        _ if text.is_empty() => continue,
                        Some(last) => {
                            let colon = if !open_terms || last.ends_with([':', '?', '.']) { "" } else { ":" };
                            let on_line = open_terms && !begins_block(&text);
                            let lead = if on_line { " " } else { "\n" };
                            last.push_str(colon);
                            last.push_str(&indented(&[lead, &text].concat(), 2));
                        }
                        None => items.push(format!("- {}", indented(&text, 2))),
                    }
                    open_terms = false;
                }
            }
        }
        self.push(BlockKind::List, items.join("\n"), self.span(id));
    }

    /// Terms and definitions, also those in groups; and whatever else stands between them.
    fn definition_parts(&self, id: Id, parts: &mut Vec<Id>) {
        for child in self.tree.children(id) {
            let is_group = self.tree.name(child) == "div"
                && self.seen.out(child).is_none()
                && self.tree.children(child).any(|id| matches!(self.tree.name(id), "dt" | "dd"));
            if is_group {
                parts.extend(self.tree.children(child));
            } else {
                parts.push(child);
            }
        }
    }

    /// A quote: every line begins with `>`. One without prose only moves a table or code to the right, and is none.
    pub fn quote(&mut self, id: Id) {
        self.flush();
        let blocks = self.blocks_of(|reader| reader.children(id));
        if !blocks.iter().any(|block| matches!(block.kind, BlockKind::Prose | BlockKind::Heading { .. })) {
            return self.blocks.extend(blocks);
        }
        let text = blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n\n");
        let lines = text.lines().map(|line| if line.is_empty() { ">".into() } else { format!("> {line}") });
        self.push(BlockKind::Quote, lines.collect::<Vec<_>>().join("\n"), self.span(id));
    }
}

fn is_list(tree: &Tree, id: Id) -> bool {
    matches!(tree.name(id), "ul" | "ol" | "menu" | "dir")
}

fn begins_block(text: &str) -> bool {
    ["- ", "> ", "```", "| ", "1. "].iter().any(|mark| text.starts_with(mark))
}

/// Blocks of one item: lists follow their line at once, other blocks after a blank line.
fn joined(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        if !out.is_empty() {
            out.push_str(if block.kind == BlockKind::List { "\n" } else { "\n\n" });
        }
        out.push_str(&block.text);
    }
    out
}

/// Text with every line but the first moved to the right.
fn indented(text: &str, width: usize) -> String {
    let mut lines = text.split('\n');
    let mut out = lines.next().unwrap_or_default().to_string();
    for line in lines {
        out.push('\n');
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', width));
        }
        out.push_str(line);
    }
    out
}
