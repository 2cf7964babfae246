//! The tree of a page, with a bound on its size and depth.

use std::cell::Cell;

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName};

/// The most nodes and attributes of a tree. Formatting elements that are never closed are repeated by each paragraph, so that
/// a short page can ask for any number.
const MAX_SIZE: usize = 200_000;

/// The deepest node. Browsers stop at 512.
const MAX_DEPTH: u32 = 2_000;

/// The most nodes and characters that may be read to name fields. A page can give each of thousands of fields the same long name.
const MAX_STEPS: usize = 20_000_000;

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::look) struct NodeId(u32);

/// The tree of a page.
pub(in crate::look) struct HtmlTree {
    nodes: Vec<TreeNode>,
    size: usize,
    /// The nodes and characters that may still be read again.
    steps: Cell<usize>,
    /// Whether it was larger or deeper than it may be. It is not complete then.
    pub(super) is_full: bool,
}

/// A node's kind.
pub(in crate::look) enum NodeData {
    Document,
    Text(StrTendril),
    Element(HtmlElement),
    Other,
}

/// An element.
pub(in crate::look) struct HtmlElement {
    pub(super) name: QualName,
    pub(super) attributes: Vec<Attribute>,
    pub(super) template: Option<NodeId>,
    pub(super) is_integration_point: bool,
}

struct TreeNode {
    data: NodeData,
    depth: u32,
    parent: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
}

impl HtmlElement {
    /// The name in lower case.
    pub(in crate::look) fn name(&self) -> &str {
        &self.name.local
    }

    /// The value of an attribute.
    pub(in crate::look) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|it| *it.name.local == *name).map(|it| &*it.value)
    }

    /// The values of all attributes.
    pub(in crate::look) fn values(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|attribute| &*attribute.value)
    }

    /// Adds attributes that the element does not have.
    pub(super) fn add_missing(&mut self, attributes: Vec<Attribute>) {
        for attribute in attributes {
            let has: &LocalName = &attribute.name.local;
            if !self.attributes.iter().any(|it| it.name.local == *has) {
                self.attributes.push(attribute);
            }
        }
    }
}

impl HtmlTree {
    /// A tree with its document.
    pub(super) fn new() -> Self {
        let mut tree = Self { nodes: Vec::new(), size: 0, steps: Cell::new(MAX_STEPS), is_full: false };
        tree.add(NodeData::Document);
        tree
    }

    /// Whether it is larger than it may be, or more was read of it.
    pub(in crate::look) fn is_full(&self) -> bool {
        self.is_full || self.steps.get() == 0
    }

    /// Counts a node or character that is read again. Returns whether it may be read.
    pub(in crate::look) fn step(&self) -> bool {
        self.steps.set(self.steps.get().saturating_sub(1));
        self.steps.get() > 0
    }

    /// The root of the tree.
    pub(in crate::look) fn document(&self) -> NodeId {
        NodeId(0)
    }

    pub(in crate::look) fn data(&self, node: NodeId) -> &NodeData {
        &self.at(node).data
    }

    pub(super) fn data_mut(&mut self, node: NodeId) -> &mut NodeData {
        &mut self.at_mut(node).data
    }

    /// The element that a node is.
    pub(in crate::look) fn element(&self, node: NodeId) -> Option<&HtmlElement> {
        match self.data(node) {
            NodeData::Element(element) => Some(element),
            _ => None,
        }
    }

    pub(in crate::look) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.at(node).parent
    }

    pub(in crate::look) fn previous(&self, node: NodeId) -> Option<NodeId> {
        self.at(node).previous
    }

    pub(in crate::look) fn next(&self, node: NodeId) -> Option<NodeId> {
        self.at(node).next
    }

    pub(in crate::look) fn first(&self, node: NodeId) -> Option<NodeId> {
        self.at(node).first
    }

    pub(super) fn last(&self, node: NodeId) -> Option<NodeId> {
        self.at(node).last
    }

    /// The node and all below it, in the order of the page.
    pub(in crate::look) fn below(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let after = self.after(node, node);
        let mut at = Some(node);
        std::iter::from_fn(move || {
            let this = at.filter(|it| Some(*it) != after)?;
            at = self.first(this).or_else(|| self.after(this, node));
            Some(this)
        })
    }

    /// The first node after one and all below it, within a root.
    pub(in crate::look) fn after(&self, node: NodeId, root: NodeId) -> Option<NodeId> {
        let mut at = node;
        while at != root {
            match self.next(at) {
                Some(next) => return Some(next),
                None => at = self.parent(at)?,
            }
        }
        None
    }

    /// Counts nodes and attributes.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Adds a node without a parent. Whoever parses stops soon once the tree is full.
    pub(super) fn add(&mut self, data: NodeData) -> NodeId {
        self.size += 1;
        if let NodeData::Element(element) = &data {
            self.size += element.attributes.len();
        }
        self.is_full |= self.size > MAX_SIZE;
        let node =
            TreeNode { data, depth: 0, parent: None, previous: None, next: None, first: None, last: None };
        self.nodes.push(node);
        NodeId(u32::try_from(self.nodes.len() - 1).expect("the size is bounded"))
    }

    pub(super) fn append(&mut self, parent: NodeId, child: NodeId) {
        self.detach(child);
        let last = self.last(parent);
        self.link(child, parent, last, None);
    }

    pub(super) fn insert_before(&mut self, sibling: NodeId, new: NodeId) {
        self.detach(new);
        let Some(parent) = self.parent(sibling) else { return };
        let previous = self.previous(sibling);
        self.link(new, parent, previous, Some(sibling));
    }

    pub(super) fn detach(&mut self, node: NodeId) {
        let TreeNode { parent, previous, next, .. } = *self.at(node);
        let Some(parent) = parent else { return };
        match previous {
            Some(it) => self.at_mut(it).next = next,
            None => self.at_mut(parent).first = next,
        }
        match next {
            Some(it) => self.at_mut(it).previous = previous,
            None => self.at_mut(parent).last = previous,
        }
        let this = self.at_mut(node);
        (this.parent, this.previous, this.next) = (None, None, None);
    }

    fn link(&mut self, node: NodeId, parent: NodeId, previous: Option<NodeId>, next: Option<NodeId>) {
        match previous {
            Some(it) => self.at_mut(it).next = Some(node),
            None => self.at_mut(parent).first = Some(node),
        }
        match next {
            Some(it) => self.at_mut(it).previous = Some(node),
            None => self.at_mut(parent).last = Some(node),
        }
        let depth = self.at(parent).depth + 1;
        self.is_full |= depth > MAX_DEPTH;
        let this = self.at_mut(node);
        (this.parent, this.previous, this.next, this.depth) = (Some(parent), previous, next, depth);
    }

    fn at(&self, node: NodeId) -> &TreeNode {
        &self.nodes[node.0 as usize]
    }

    fn at_mut(&mut self, node: NodeId) -> &mut TreeNode {
        &mut self.nodes[node.0 as usize]
    }
}
