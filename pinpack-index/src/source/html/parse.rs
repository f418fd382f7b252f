//! HTML text to a tree: html5ever, fed tag by tag, so that every node knows its bytes.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{Tracer, create_element};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    CharacterTokens, EndTag, StartTag, Tag, TagToken, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, QualName, TokenizerResult, ns};

use super::lexer::Pieces;
use super::names;
use super::tree::{Handle, Sink, Tree};

/// Open elements at a time. Browsers stop at 512; no page written by people comes near. The parser looks through the open elements at
/// every tag, so without a limit a hundred thousand nested tags take minutes.
const MAX_OPEN: usize = 256;

/// Parses a page, or a piece of one.
pub(super) fn parse(source: &str, fragment: bool) -> Tree {
    let xml = fragment || source.trim_start_matches('\u{feff}').trim_start().starts_with("<?xml");
    let tokenizer = Tokenizer::new(Filter::new(fragment, xml), TokenizerOpts::default());
    let queue = BufferQueue::default();
    for piece in Pieces::new(source, xml, fragment) {
        tokenizer.sink.builder.sink.place.set((piece.range.start, piece.range.end));
        let fed = &source[piece.range.start..piece.fed];
        queue.push_back(StrTendril::from_slice(if piece.is_text { "&lt;" } else { fed }));
        if piece.fed < piece.range.end {
            queue.push_back(StrTendril::from_slice(">"));
        }
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    }
    tokenizer.end();
    tokenizer.sink.builder.sink.take_tree()
}

/// Between the tokenizer and the tree builder: makes tags simpler without changing what a reader sees.
struct Filter {
    builder: TreeBuilder<Handle, Sink>,
    /// Does `<a/>` close itself?
    xml: bool,
    /// Start tags until the open elements are counted again.
    room: Cell<usize>,
    /// Start tags that were left out for depth, whose end tags are still to come.
    dropped: RefCell<HashMap<LocalName, usize>>,
}

impl Filter {
    fn new(fragment: bool, xml: bool) -> Self {
        let (sink, options) = (Sink::new(), TreeBuilderOpts::default());
        let builder = if fragment {
            let context = create_element(&sink, QualName::new(None, ns!(html), LocalName::from("div")), Vec::new());
            TreeBuilder::new_for_fragment(sink, context, None, options)
        } else {
            TreeBuilder::new(sink, options)
        };
        Self { builder, xml, room: Cell::new(0), dropped: RefCell::default() }
    }

    fn tag(&self, mut tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        tag.attrs.retain(|attr| names::is_read(&attr.name.local));
        let foreign = self.builder.adjusted_current_node_present_but_not_in_html_namespace();
        if !foreign && let Some(name) = names::plain_name(&tag.name) {
            tag.name = LocalName::from(name);
        }
        if names::is_table_part(&tag.name) {
            let _ = self.space(line);
        }
        match tag.kind {
            _ if foreign => self.forward(tag, line),
            StartTag if self.xml && tag.self_closing && !names::is_void(&tag.name) => self.empty(tag, line),
            _ if names::is_leaf(&tag.name) => self.forward(tag, line),
            StartTag if self.is_full() => self.drop_tag(tag.name, line),
            EndTag if self.was_dropped(&tag.name) => self.space(line),
            _ => self.forward(tag, line),
        }
    }

    fn forward(&self, tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        self.builder.process_token(TagToken(tag), line)
    }

    /// Parts words.
    fn space(&self, line: u64) -> TokenSinkResult<Handle> {
        self.builder.process_token(CharacterTokens(StrTendril::from_slice(" ")), line)
    }

    /// An element without content: only its name and id can matter.
    fn empty(&self, mut tag: Tag, line: u64) -> TokenSinkResult<Handle> {
        if names::is_raw(&tag.name) {
            return TokenSinkResult::Continue;
        }
        tag.self_closing = false;
        let end = Tag { kind: EndTag, attrs: Vec::new(), ..tag.clone() };
        let _ = self.forward(tag, line);
        self.forward(end, line)
    }

    fn drop_tag(&self, name: LocalName, line: u64) -> TokenSinkResult<Handle> {
        let parts_words = names::is_block(&name);
        *self.dropped.borrow_mut().entry(name).or_default() += 1;
        if parts_words { self.space(line) } else { TokenSinkResult::Continue }
    }

    fn was_dropped(&self, name: &LocalName) -> bool {
        match self.dropped.borrow_mut().get_mut(name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// Are as many elements open as may be? Counted only when they could be: a start tag opens four at most.
    fn is_full(&self) -> bool {
        if let Some(room) = self.room.get().checked_sub(1) {
            self.room.set(room);
            return false;
        }
        let count = Count::default();
        self.builder.trace_handles(&count);
        let open = count.0.get();
        self.room.set(MAX_OPEN.saturating_sub(open) / 4);
        open >= MAX_OPEN
    }
}

impl TokenSink for Filter {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        match token {
            TagToken(tag) => self.tag(tag, line),
            token => self.builder.process_token(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Counts the nodes that the parser holds.
#[derive(Default)]
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Handle;

    fn trace_handle(&self, _: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}
