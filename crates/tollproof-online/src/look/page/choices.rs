//! Choices between yes and no: a yes that is chosen when the page opens agrees as a ticked box does.

use tollproof_core::seen::BoxSeen;

use super::super::html::{HtmlElement, HtmlTree, NodeId};
use super::super::words::{folded, words};
use super::labels::{Labels, MAX_LABEL, Side};
use super::shown::text_of;

/// One of several choices of a form, of which one can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) node: NodeId,
    /// The name that they have in common.
    pub(super) name: String,
    pub(super) label: String,
    pub(super) ticked: bool,
}

/// The most choices of a list in which one refuses.
const MAX_OPTIONS: usize = 6;

/// The choices of a list; empty if it is too long to be one between yes and no.
pub(super) fn options(tree: &HtmlTree, list: NodeId) -> Vec<Choice> {
    let option =
        |node: NodeId| Some((node, tree.element(node).filter(|element| element.name() == "option")?));
    let options: Vec<_> = tree.below(list).take(1_000).filter_map(option).collect();
    let made = options.iter().position(|(_, it)| it.attribute("selected").is_some()).unwrap_or(0);
    if options.len() > MAX_OPTIONS {
        return Vec::new();
    }
    let choice = |(at, (node, element)): (usize, &(NodeId, &HtmlElement))| Choice {
        node: list,
        name: format!("{list:?}"),
        label: text_of(tree, *node, MAX_LABEL),
        // The first may ask to choose.
        ticked: at == made
            && element.attribute("disabled").is_none()
            && element.attribute("value") != Some(""),
    };
    options.iter().enumerate().map(choice).collect()
}

/// The choices that are made when the page opens, and agree to something that can be refused.
pub(super) fn agreed(choices: &[Choice], labels: &Labels<'_>) -> Vec<BoxSeen> {
    let refuses = |choice: &Choice| words().refusals.find(&folded(&choice.label)) == Some(0);
    let is_optional =
        |choice: &Choice| choices.iter().any(|other| other.name == choice.name && refuses(other));
    let made = choices.iter().filter(|choice| choice.ticked && !refuses(choice) && is_optional(choice));
    made.map(|choice| BoxSeen { label: label(choice, labels), ticked: true, required: false }).collect()
}

/// The label of a choice; the question before it if the label alone does not say what it is about.
fn label(choice: &Choice, labels: &Labels<'_>) -> String {
    if words().messaging.are_in(&folded(&choice.label)) {
        return choice.label.clone();
    }
    let own = labels.name(choice.node, MAX_LABEL).filter(|name| *name != choice.label);
    let question = own.or_else(|| labels.group(choice.node, MAX_LABEL));
    let question =
        question.or_else(|| labels.beside(choice.node, &[Side::Before], MAX_LABEL)).unwrap_or_default();
    format!("{question} {}", choice.label).trim().chars().take(MAX_LABEL).collect()
}
