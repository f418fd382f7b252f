//! What the parser builds: elements and texts in one list, each with its place in the source.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, QualName};

/// A node, by its row in the tree.
pub(super) type Id = usize;

/// Elements and texts. Rows refer to rows, so neither walking up nor dropping the tree recurses.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    data: Data,
    /// First byte of the start tag or of the text.
    start: usize,
    /// Byte after the start tag or the text.
    end: usize,
    parent: Option<Id>,
    previous: Option<Id>,
    next: Option<Id>,
    first: Option<Id>,
    last: Option<Id>,
}

#[derive(Debug)]
enum Data {
    Element(Rc<QualName>, Vec<Attribute>),
    Text(String),
    /// The document, a comment, the inside of a template.
    Other,
}

impl Tree {
    /// The document.
    pub const ROOT: Id = 0;

    /// Name of an element, lower case; empty for what is none.
    pub fn name(&self, id: Id) -> &str {
        match &self.nodes[id].data {
            Data::Element(name, _) => &name.local,
            _ => "",
        }
    }

    /// Is it an element of HTML, not of SVG or `MathML`?
    pub fn is_html(&self, id: Id) -> bool {
        matches!(&self.nodes[id].data, Data::Element(name, _) if name.ns == html5ever::ns!(html))
    }

    /// Text of a text node.
    pub fn text(&self, id: Id) -> Option<&str> {
        match &self.nodes[id].data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Value of an attribute.
    pub fn attr(&self, id: Id, name: &str) -> Option<&str> {
        match &self.nodes[id].data {
            Data::Element(_, attrs) => {
                attrs.iter().find(|attr| &*attr.name.local == name).map(|attr| attr.value.trim())
            }
            _ => None,
        }
    }

    /// Names and values of its attributes, as written.
    pub fn attrs(&self, id: Id) -> impl Iterator<Item = (&str, &str)> {
        let attrs = match &self.nodes[id].data {
            Data::Element(_, attrs) => attrs.as_slice(),
            _ => &[],
        };
        attrs.iter().map(|attr| (&*attr.name.local, attr.value.trim()))
    }

    /// Names in the class attribute.
    pub fn classes(&self, id: Id) -> impl Iterator<Item = &str> {
        self.attr(id, "class").unwrap_or_default().split_ascii_whitespace()
    }

    pub fn has_class(&self, id: Id, wanted: &[&str]) -> bool {
        self.classes(id).any(|class| wanted.contains(&class))
    }

    /// Source bytes of a start tag or a text.
    pub fn place(&self, id: Id) -> std::ops::Range<usize> {
        self.nodes[id].start..self.nodes[id].end
    }

    pub fn parent(&self, id: Id) -> Option<Id> {
        self.nodes[id].parent
    }

    /// Everything above a node, the nearest first.
    pub fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(self.nodes[id].parent, |id| self.nodes[*id].parent)
    }

    pub fn children(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(self.nodes[id].first, |id| self.nodes[*id].next)
    }

    /// What stands before a node, the nearest first.
    pub fn before(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(self.nodes[id].previous, |id| self.nodes[*id].previous)
    }

    /// A node and everything below it in order of the page; where `enter` says no, a node and what is below it is passed over.
    pub fn descend(&self, top: Id, enter: impl FnMut(Id) -> bool) -> impl Iterator<Item = Id> {
        Descent { tree: self, top, next: Some(top), enter }
    }

    /// All rows.
    pub fn ids(&self) -> std::ops::Range<Id> {
        0..self.nodes.len()
    }

    fn push(&mut self, data: Data, (start, end): (usize, usize)) -> Id {
        let node = Node { data, start, end, parent: None, previous: None, next: None, first: None, last: None };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn detach(&mut self, id: Id) {
        let (parent, previous, next) = (self.nodes[id].parent, self.nodes[id].previous, self.nodes[id].next);
        match (previous, parent) {
            (Some(previous), _) => self.nodes[previous].next = next,
            (None, Some(parent)) => self.nodes[parent].first = next,
            _ => {}
        }
        match (next, parent) {
            (Some(next), _) => self.nodes[next].previous = previous,
            (None, Some(parent)) => self.nodes[parent].last = previous,
            _ => {}
        }
        let node = &mut self.nodes[id];
        (node.parent, node.previous, node.next) = (None, None, None);
    }

    /// Puts a node below `parent`, before one of its children or last.
    fn attach(&mut self, id: Id, parent: Id, before: Option<Id>) {
        self.detach(id);
        let previous = before.map_or(self.nodes[parent].last, |next| self.nodes[next].previous);
        match previous {
            Some(previous) => self.nodes[previous].next = Some(id),
            None => self.nodes[parent].first = Some(id),
        }
        match before {
            Some(next) => self.nodes[next].previous = Some(id),
            None => self.nodes[parent].last = Some(id),
        }
        let node = &mut self.nodes[id];
        (node.parent, node.previous, node.next) = (Some(parent), previous, before);
    }

    fn attach_text(&mut self, text: &str, parent: Id, before: Option<Id>, place: (usize, usize)) {
        let previous = before.map_or(self.nodes[parent].last, |next| self.nodes[next].previous);
        if let Some(Node { data: Data::Text(present), end, .. }) = previous.map(|id| &mut self.nodes[id]) {
            present.push_str(text);
            *end = place.1.max(*end);
            return;
        }
        let id = self.push(Data::Text(text.into()), place);
        self.attach(id, parent, before);
    }
}

struct Descent<'t, F> {
    tree: &'t Tree,
    top: Id,
    next: Option<Id>,
    enter: F,
}

impl<F: FnMut(Id) -> bool> Iterator for Descent<'_, F> {
    type Item = Id;

    fn next(&mut self) -> Option<Id> {
        loop {
            let id = self.next?;
            let nodes = &self.tree.nodes;
            let entered = (self.enter)(id);
            self.next = nodes[id].first.filter(|_| entered).or_else(|| {
                let mut up = id;
                while up != self.top {
                    if nodes[up].next.is_some() {
                        return nodes[up].next;
                    }
                    up = nodes[up].parent?;
                }
                None
            });
            if entered {
                return Some(id);
            }
        }
    }
}

/// What the parser hands nodes to.
#[derive(Debug)]
pub(super) struct Sink {
    tree: RefCell<Tree>,
    /// Source bytes of what is being parsed now.
    pub place: Cell<(usize, usize)>,
}

/// A node as the parser knows it.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    id: Id,
    name: Rc<QualName>,
}

#[derive(Debug)]
pub(super) struct Name<'h>(&'h QualName);

impl ElemName for Name<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl Sink {
    pub fn new() -> Self {
        let mut tree = Tree::default();
        tree.push(Data::Other, (0, 0));
        Self { tree: RefCell::new(tree), place: Cell::new((0, 0)) }
    }

    pub fn take_tree(&self) -> Tree {
        self.tree.take()
    }

    fn other(&self) -> Handle {
        let id = self.tree.borrow_mut().push(Data::Other, self.place.get());
        Handle { id, name: nameless() }
    }

    fn insert(&self, child: NodeOrText<Handle>, parent: Id, before: Option<Id>) {
        let mut tree = self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => tree.attach(child.id, parent, before),
            NodeOrText::AppendText(text) => tree.attach_text(&text, parent, before, self.place.get()),
        }
    }
}

fn nameless() -> Rc<QualName> {
    Rc::new(QualName::new(None, html5ever::ns!(), LocalName::from("")))
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = ();
    type ElemName<'a> = Name<'a>;

    fn finish(self) {}

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: Tree::ROOT, name: nameless() }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> Name<'a> {
        Name(&target.name)
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> Handle {
        let name = Rc::new(name);
        let id = self.tree.borrow_mut().push(Data::Element(name.clone(), attrs), self.place.get());
        Handle { id, name }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.other()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.other()
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.insert(child, parent.id, None);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        let parent = self.tree.borrow().parent(element.id);
        match parent {
            Some(parent) => self.insert(child, parent, Some(element.id)),
            None => self.insert(child, previous.id, None),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// The inside of a template is nowhere in the page.
    fn get_template_contents(&self, _: &Handle) -> Handle {
        self.other()
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.id == other.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, node: NodeOrText<Handle>) {
        let parent = self.tree.borrow().parent(sibling.id);
        if let Some(parent) = parent {
            self.insert(node, parent, Some(sibling.id));
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, new: Vec<Attribute>) {
        if let Data::Element(_, attrs) = &mut self.tree.borrow_mut().nodes[target.id].data {
            for attr in new {
                if !attrs.iter().any(|present| present.name == attr.name) {
                    attrs.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut tree = self.tree.borrow_mut();
        while let Some(child) = tree.nodes[node.id].first {
            tree.attach(child, new_parent.id, None);
        }
    }
}
