//! Choices between yes and no: a yes that is chosen when the page opens agrees as a ticked box does.

use tollproof_core::seen::BoxSeen;

use super::super::html::NodeId;
use super::super::words::{folded, words};
use super::fields::MAX_LABEL;
use super::labels::{Labels, Side};

/// A choice of a form.
#[derive(Debug)]
pub(super) struct RadioChoice {
    pub(super) node: NodeId,
    pub(super) name: String,
    pub(super) label: String,
    pub(super) ticked: bool,
}

/// The choices that are made when the page opens, and agree to something that can be refused.
pub(super) fn agreed(choices: &[RadioChoice], labels: &Labels<'_>) -> Vec<BoxSeen> {
    let refuses = |it: &RadioChoice| words().refusals.find(&folded(&it.label)) == Some(0);
    let is_optional = |it: &RadioChoice| choices.iter().any(|other| other.name == it.name && refuses(other));
    let made = choices.iter().filter(|it| it.ticked && !refuses(it) && is_optional(it));
    made.map(|it| BoxSeen { label: label(it, labels), ticked: true, required: false }).collect()
}

/// The label of a choice; the question before it if the label alone does not say what it is about.
fn label(choice: &RadioChoice, labels: &Labels<'_>) -> String {
    if words().messaging.are_in(&folded(&choice.label)) {
        return choice.label.clone();
    }
    let question = labels.group(choice.node, MAX_LABEL);
    let question =
        question.or_else(|| labels.beside(choice.node, &[Side::Before], MAX_LABEL)).unwrap_or_default();
    format!("{question} {}", choice.label).trim().chars().take(MAX_LABEL).collect()
}
