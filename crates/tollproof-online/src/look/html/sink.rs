//! The tree builder for html5ever.

use std::borrow::Cow;
use std::cell::{Ref, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName};

use super::tree::{HtmlElement, HtmlTree, NodeData, NodeId};

/// A tree while it is built.
pub(super) struct Sink(RefCell<HtmlTree>);

impl Sink {
    pub(super) fn new() -> Self {
        Self(RefCell::new(HtmlTree::new()))
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.borrow().is_full
    }

    pub(super) fn size(&self) -> usize {
        self.0.borrow().size()
    }

    fn add(&self, data: NodeData) -> NodeId {
        self.0.borrow_mut().add(data)
    }

    /// The node to insert; `None` if its text was added to the node before.
    fn node(&self, before: Option<NodeId>, child: NodeOrText<NodeId>) -> Option<NodeId> {
        match child {
            NodeOrText::AppendNode(node) => Some(node),
            NodeOrText::AppendText(text) => {
                let mut tree = self.0.borrow_mut();
                if let Some(NodeData::Text(known)) = before.map(|it| tree.data_mut(it)) {
                    known.push_tendril(&text);
                    return None;
                }
                Some(tree.add(NodeData::Text(text)))
            }
        }
    }
}

const ONLY_ELEMENTS: &str = "html5ever asks this of elements only";

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = HtmlTree;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> HtmlTree {
        self.0.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn get_document(&self) -> NodeId {
        self.0.borrow().document()
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        one == other
    }

    fn elem_name<'a>(&'a self, node: &'a NodeId) -> Ref<'a, QualName> {
        Ref::map(self.0.borrow(), |tree| &tree.element(*node).expect(ONLY_ELEMENTS).name)
    }

    fn get_template_contents(&self, node: &NodeId) -> NodeId {
        let tree = self.0.borrow();
        tree.element(*node).and_then(|it| it.template).expect("html5ever asks this of templates only")
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &NodeId) -> bool {
        self.0.borrow().element(*node).is_some_and(|it| it.is_integration_point)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> NodeId {
        let template = flags.template.then(|| self.add(NodeData::Document));
        let is_integration_point = flags.mathml_annotation_xml_integration_point;
        self.add(NodeData::Element(HtmlElement { name, attributes, template, is_integration_point }))
    }

    fn create_comment(&self, _: StrTendril) -> NodeId {
        self.add(NodeData::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> NodeId {
        self.add(NodeData::Other)
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        let last = self.0.borrow().last(*parent);
        if let Some(node) = self.node(last, child) {
            self.0.borrow_mut().append(*parent, node);
        }
    }

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        let previous = self.0.borrow().previous(*sibling);
        if let Some(node) = self.node(previous, child) {
            self.0.borrow_mut().insert_before(*sibling, node);
        }
    }

    fn append_based_on_parent_node(&self, element: &NodeId, previous: &NodeId, child: NodeOrText<NodeId>) {
        let has_parent = self.0.borrow().parent(*element).is_some();
        if has_parent { self.append_before_sibling(element, child) } else { self.append(previous, child) }
    }

    fn add_attrs_if_missing(&self, node: &NodeId, attributes: Vec<Attribute>) {
        if let NodeData::Element(element) = self.0.borrow_mut().data_mut(*node) {
            element.add_missing(attributes);
        }
    }

    fn remove_from_parent(&self, node: &NodeId) {
        self.0.borrow_mut().detach(*node);
    }

    fn reparent_children(&self, node: &NodeId, parent: &NodeId) {
        let mut tree = self.0.borrow_mut();
        while let Some(child) = tree.first(*node) {
            tree.append(*parent, child);
        }
    }
}
