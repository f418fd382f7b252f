//! Markdown to blocks: what a reader sees, without markup that nobody sees.
//!
//! The text is edited in rounds, each of which leaves plainer Markdown, and then parsed and written as blocks:
//! line ends → front matter → containers → MDX → marks → blocks. A [`Draft`] leads each block back to the bytes of the file.

mod containers;
mod html;
mod lines;
mod literal;
mod marks;
mod mdx;
mod notes;
mod render;
mod script;
mod table;
mod tag;
mod writer;

use super::draft::{Draft, Edit};
use super::{Block, BlockKind, Document, LeftOut, front_matter};
use render::Rendered;

pub(super) fn read_markdown(source: &str, mdx: bool, front_matter: &[String]) -> Document {
    let draft = Draft::new(source);
    let head = front_matter::read(&draft.text, front_matter);
    let head_span = draft.span(0..head.len);
    let draft = draft.edited(vec![Edit::new(0..head.len, "")]);
    let (draft, mut links, mut left_out) = plain(draft, mdx);
    let Rendered { mut blocks, links: more, left_out: of_html } = render::render(&draft.text);
    links.extend(more);
    of_html.into_iter().for_each(|out| add(&mut left_out, out));
    for block in &mut blocks {
        block.span = draft.span(block.span.clone());
    }
    if !head.text.is_empty() {
        let after_heading = blocks.first().is_some_and(|block| matches!(block.kind, BlockKind::Heading { .. }));
        blocks.insert(usize::from(after_heading), Block { kind: BlockKind::Prose, text: head.text, span: head_span });
    }
    Document {
        title: head.title,
        url: head.url,
        pinned: head.pinned,
        draft: head.draft,
        unread: head.unread,
        blocks,
        links,
        left_out,
    }
}

fn add(left_out: &mut Vec<LeftOut>, more: LeftOut) {
    match left_out.iter_mut().find(|out| out.reason == more.reason) {
        Some(out) => out.words += more.words,
        None => left_out.push(more),
    }
}

/// The draft as plain Markdown, the links that were in components, and what was left out.
fn plain(draft: Draft<'_>, mdx: bool) -> (Draft<'_>, Vec<String>, Vec<LeftOut>) {
    let edits = containers::edits(&draft.text);
    let mut draft = draft.edited(edits);
    let (mut links, mut left_out, mut expressions) = (Vec::new(), Vec::new(), 0);
    if mdx || mdx::is_mdx(&draft.text) {
        let found = mdx::read(&draft.text);
        draft = draft.edited(found.edits);
        links = found.links;
        expressions = found.words;
    }
    let found = marks::read(&draft.text);
    left_out.push(LeftOut { reason: "expression", words: expressions + found.expressions });
    left_out.push(LeftOut { reason: "comment", words: found.comments });
    left_out.retain(|out| out.words > 0);
    (draft.edited(found.edits), links, left_out)
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
