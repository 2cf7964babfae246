//! The names of fields, as screen readers compute them (WAI-ARIA), and the text beside those without a name.

use std::collections::HashMap;

use super::super::html::{HtmlElement, HtmlTree, NodeId};
use super::super::words::{TermPattern, folded};
use super::outline::{Outline, is_drawn_choice};
use super::shown::text_of;

/// The longest label of a box, in characters.
pub(super) const MAX_LABEL: usize = 500;

/// Levels above a field to search for text beside it.
const LEVELS: usize = 3;

/// The most elements below one that are looked into for a field.
const MOST: usize = 1_000;

/// Finds the names of fields.
pub(super) struct Labels<'t> {
    tree: &'t HtmlTree,
    /// The labels by the id of the field.
    labels: HashMap<&'t str, Vec<NodeId>>,
    ids: HashMap<&'t str, NodeId>,
}

/// On which side of a field a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

impl<'t> Labels<'t> {
    pub(super) fn new(tree: &'t HtmlTree, outline: &'t Outline) -> Self {
        let mut labels: HashMap<&str, Vec<NodeId>> = HashMap::new();
        for node in &outline.labels {
            if let Some(id) = tree.element(*node).and_then(|it| it.attribute("for")) {
                labels.entry(id).or_default().push(*node);
            }
        }
        // The first of several elements with an id counts.
        let ids = outline.ids.iter().rev().map(|(id, node)| (id.as_str(), *node)).collect();
        Self { tree, labels, ids }
    }

    /// The name of an element: what `aria-labelledby` refers to, its labels, `aria-label`, or its title.
    pub(super) fn name(&self, node: NodeId, most: usize) -> Option<String> {
        let element = self.tree.element(node)?;
        let own = |name| element.attribute(name).map(str::trim).filter(|it| !it.is_empty());
        let text = |nodes: &mut dyn Iterator<Item = NodeId>| {
            let parts: Vec<String> = nodes.take(10).map(|it| text_of(self.tree, it, most)).collect();
            Some(parts.join(" ").trim().to_owned()).filter(|it| !it.is_empty())
        };
        let referred = || {
            let ids = own("aria-labelledby")?.split_ascii_whitespace();
            text(&mut ids.filter_map(|id| self.ids.get(id).copied()))
        };
        let labelled = || text(&mut self.labels.get(own("id")?)?.iter().copied());
        let around = || text(&mut self.around(node, "label").into_iter());
        let aria = || own("aria-label").map(str::to_owned);
        let name = referred().or_else(labelled).or_else(around).or_else(aria);
        name.or_else(|| own("title").map(str::to_owned)).map(|name| name.chars().take(most).collect())
    }

    /// The element with an id.
    pub(super) fn with_id(&self, id: &str) -> Option<NodeId> {
        self.ids.get(id).copied()
    }

    /// The text with one of the terms after a field, before the next field of its form.
    pub(super) fn said_after(&self, node: NodeId, terms: &TermPattern, most: usize) -> Option<String> {
        let mut at = node;
        for _ in 0..=LEVELS {
            let text = self.text_beside(at, Side::After, most);
            if terms.are_in(&folded(&text)) {
                return Some(text);
            }
            let mut after = std::iter::successors(self.tree.next(at), |node| self.tree.next(*node));
            if after.by_ref().take_while(|_| self.tree.step()).any(|node| self.has_field(node)) {
                return None;
            }
            at = self.tree.parent(at)?;
            if self.tree.element(at).is_none_or(is_end) {
                return None;
            }
        }
        None
    }

    /// The group of choices around a field, of which one can be made.
    pub(super) fn choices_around(&self, node: NodeId) -> Option<NodeId> {
        let outer = std::iter::successors(self.tree.parent(node), |node| self.tree.parent(*node));
        let is_group = |node: &NodeId| {
            self.tree
                .element(*node)
                .is_some_and(|outer| outer.attribute("role") == Some("radiogroup") || is_end(outer))
        };
        outer.take_while(|_| self.tree.step()).find(is_group)
    }

    /// The name of the group around a field: a legend, or the name of an element with a role for groups.
    pub(super) fn group(&self, node: NodeId, most: usize) -> Option<String> {
        let mut at = self.tree.parent(node);
        while let Some(outer) = at {
            let element = self.tree.element(outer)?;
            if element.name() == "fieldset" {
                let is_legend =
                    |child: &NodeId| self.tree.element(*child).is_some_and(|child| child.name() == "legend");
                let mut below = self.tree.below(outer).take(MOST);
                return below
                    .find(is_legend)
                    .map(|it| text_of(self.tree, it, most))
                    .filter(|it| !it.is_empty());
            }
            if matches!(element.attribute("role"), Some("group" | "radiogroup")) {
                return self.name(outer, most);
            }
            if is_end(element) {
                return None;
            }
            at = self.tree.parent(outer);
        }
        None
    }

    /// The nearest element with a name around a node, which may be far below it.
    pub(super) fn around(&self, node: NodeId, name: &str) -> Option<NodeId> {
        let mut at = self.tree.parent(node);
        while let Some(outer) = at {
            match self.tree.element(outer) {
                Some(it) if it.name() == name => return Some(outer),
                Some(it) if is_end(it) => return None,
                _ => at = self.tree.parent(outer),
            }
        }
        None
    }

    /// The text beside a field without a name, up to the next field, on the sides in this order: of the element around it
    /// if the field is alone in that.
    pub(super) fn beside(&self, node: NodeId, sides: &[Side], most: usize) -> Option<String> {
        let mut at = node;
        for _ in 0..LEVELS {
            for side in sides {
                let text = self.text_beside(at, *side, most);
                if !text.is_empty() {
                    return Some(text);
                }
            }
            let step = |side: &Side| match side {
                Side::Before => self.tree.previous(at),
                Side::After => self.tree.next(at),
            };
            // The text beyond another field is that of the other.
            if sides.iter().filter_map(step).any(|node| self.has_field(node)) {
                return None;
            }
            let outer = self.tree.parent(at)?;
            if self.tree.element(outer).is_none_or(|element| is_end(element) || element.name() == "tr") {
                return None;
            }
            at = outer;
        }
        None
    }

    fn text_beside(&self, node: NodeId, side: Side, most: usize) -> String {
        let step = |node| match side {
            Side::Before => self.tree.previous(node),
            Side::After => self.tree.next(node),
        };
        let mut parts: Vec<String> = Vec::new();
        let mut length = 0;
        let mut next = step(node);
        while let Some(it) =
            next.filter(|node| length < 4 * most && self.tree.step() && !self.has_field(*node))
        {
            let is_line = self.tree.element(it).is_some_and(|it| it.name() == "br");
            // What is before a field ends with the line.
            if is_line && side == Side::Before && parts.iter().any(|part| !part.trim().is_empty()) {
                break;
            }
            let part = text_of(self.tree, it, most);
            length += part.len() + 1;
            parts.push(part);
            next = step(it);
        }
        if side == Side::Before {
            parts.reverse();
        }
        parts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn has_field(&self, node: NodeId) -> bool {
        let is_field = |node: NodeId| {
            self.tree.element(node).is_some_and(|element| {
                let is_shown =
                    element.attribute("type").is_none_or(|kind| !kind.eq_ignore_ascii_case("hidden"));
                (is_shown && matches!(element.name(), "input" | "textarea" | "select" | "button"))
                    || is_drawn_choice(element)
            })
        };
        self.tree.below(node).take(MOST).any(is_field)
    }
}

/// Whether an element ends the search for what belongs to a field in it.
fn is_end(element: &HtmlElement) -> bool {
    matches!(element.name(), "form" | "body" | "html")
}
