//! The purpose of a form's field.

use std::sync::OnceLock;

use regex::Regex;

use super::super::html::{HtmlElement, HtmlTree, NodeId};
use super::super::words::{folded, words};
use super::choices::{Choice, options};
use super::labels::{Labels, MAX_LABEL, Side};
use super::outline::{Outline, PageField, TextBlock};
use super::shown::text_of;

/// The longest label that says what a text field asks for.
const SHORT: usize = 60;

/// The elements around a box that may have a class that says that it is required.
const CLASSES: usize = 4;

/// The most elements below one of those that are looked into for other boxes.
const MOST_BELOW: usize = 200;

/// A field's purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// A phone number.
    Phone,
    /// A password; whether it is a new one.
    Password { is_new: bool },
    /// A user name or an e-mail address.
    User,
    /// A tick.
    Box { label: String, ticked: bool, required: bool },
    /// Choices of which one can be made: one of those with a name in common, or all of a list.
    Choices(Vec<Choice>),
    /// Anything else.
    Other,
}

/// Finds what the fields of a page ask for.
pub(super) struct Fields<'t> {
    tree: &'t HtmlTree,
    outline: &'t Outline,
    pub(super) labels: Labels<'t>,
}

impl<'t> Fields<'t> {
    pub(super) fn new(tree: &'t HtmlTree, outline: &'t Outline) -> Self {
        Self { tree, outline, labels: Labels::new(tree, outline) }
    }

    /// Kind of a field; `None` if it is not for people, or is a button.
    pub(super) fn kind(&self, field: PageField) -> Option<FieldKind> {
        let element = self.tree.element(field.node)?;
        let value = |name| element.attribute(name).unwrap_or_default();
        let kind = match element.name() {
            "input" => value("type").trim().to_ascii_lowercase(),
            "textarea" => "text".to_owned(),
            "select" => return Some(FieldKind::Choices(options(self.tree, field.node))),
            _ if value("role") == "radio" => "radio".to_owned(),
            _ => "checkbox".to_owned(),
        };
        let is_input = element.name() == "input";
        if is_input && (field.is_decoy || value("aria-hidden") == "true") {
            return None;
        }
        let has = |own: &str, aria| (is_input && element.attribute(own).is_some()) || value(aria) == "true";
        let is_drawn = |state| !is_input && value(state) == "true";
        let ticked = || has("checked", "") || is_drawn("aria-checked") || is_drawn("aria-pressed");
        match &*kind {
            "hidden" | "submit" | "button" | "image" | "reset" => None,
            "checkbox" => {
                let label = self.box_label(field.node);
                let required = has("required", "aria-required") || self.is_marked_required(field, &label);
                Some(FieldKind::Box {
                    label: self.with_sentence(field.node, label),
                    ticked: ticked(),
                    required,
                })
            }
            "radio" => {
                let group = || self.labels.choices_around(field.node).map(|group| format!("{group:?}"));
                let named = element.attribute("name").map(str::to_owned);
                let name = named.or_else(group).unwrap_or_default();
                let (node, label) = (field.node, self.box_label(field.node));
                Some(FieldKind::Choices(vec![Choice { node, name, label, ticked: ticked() }]))
            }
            "password" => {
                Some(FieldKind::Password { is_new: value("autocomplete").contains("new-password") })
            }
            "tel" | "" | "text" | "number" => self.of_text(element, field.node, kind == "tel"),
            "email" => Some(FieldKind::User),
            _ => Some(FieldKind::Other),
        }
    }

    /// Kind of a text field. Fields of this type often ask for another number.
    fn of_text(&self, element: &HtmlElement, node: NodeId, has_type: bool) -> Option<FieldKind> {
        let value = |name| element.attribute(name).unwrap_or_default().trim();
        // A detail of the standard, such as `shipping tel-national`.
        let filled = || value("autocomplete").split_whitespace();
        if filled().any(|token| token == "tel" || token.starts_with("tel-")) {
            return Some(FieldKind::Phone);
        }
        if filled().any(|it| it == "username") {
            return Some(FieldKind::User);
        }
        let is_other = |token: &str| {
            ["cc-", "postal-code", "one-time-code", "bday", "transaction-"]
                .iter()
                .any(|start| token.starts_with(start))
        };
        if filled().any(is_other) {
            return Some(FieldKind::Other);
        }
        let has_letters = |label: &String| label.chars().any(char::is_alphabetic);
        let label = self.labels.name(node, SHORT + 1).filter(has_letters);
        let label = label.or_else(|| Some(value("placeholder").to_owned()).filter(has_letters));
        let label = label.or_else(|| self.labels.group(node, SHORT + 1)).or_else(|| {
            let before = self.labels.beside(node, &[Side::Before], SHORT + 1);
            before.or_else(|| self.labels.beside(node, &[Side::After], SHORT + 1))
        });
        let texts = [label.as_deref().unwrap_or_default(), value("placeholder"), value("name"), value("id")];
        let texts: Vec<String> = texts
            .iter()
            .filter(|text| text.chars().count() <= SHORT)
            .map(|text| folded(&split_words(text)))
            .collect();
        let decoy = |name: &String| words().decoy_fields.are_in(name);
        if label.is_some_and(|label| decoy(&folded(&label))) || texts.iter().any(decoy) {
            return None;
        }
        // What people read counts more than names in the HTML.
        for text in &texts {
            let (is_phone, is_other) = (words().phone_fields.are_in(text), words().other_fields.are_in(text));
            if is_phone || is_other {
                let kind = if is_other { FieldKind::Other } else { FieldKind::Phone };
                return Some(kind);
            }
        }
        let is_phone =
            has_type || value("inputmode") == "tel" || phone_number().is_match(value("placeholder"));
        Some(if is_phone { FieldKind::Phone } else { FieldKind::Other })
    }

    /// The label of a box, with the sentence about text messages after it if the label alone asks for nothing certain.
    fn with_sentence(&self, node: NodeId, label: String) -> String {
        let text = folded(&label);
        if words().messaging.are_in(&text) || words().agreements.find(&text) != Some(0) {
            return label;
        }
        let sentence = self.labels.said_after(node, &words().messaging, MAX_LABEL);
        sentence.map_or(label.clone(), |after| format!("{label}: {after}").chars().take(MAX_LABEL).collect())
    }

    /// Whether a page says that a box must be ticked: by a star or a word at it, by a sentence after it, by a class that makers of forms give what is
    /// around it, or by a button that only ticking it opens.
    fn is_marked_required(&self, field: PageField, label: &str) -> bool {
        // The star of a footnote about texts is not a mark.
        let is_footnote =
            |block: &TextBlock| block.text.starts_with('*') && words().messaging.are_in(&folded(&block.text));
        let has_footnote = || self.outline.blocks.iter().any(is_footnote);
        let has_mark = |text: &str| {
            let text = folded(text.trim());
            let has_star = text.starts_with('*') || text.ends_with('*');
            (has_star && !has_footnote()) || words().required_marks.are_in(&text)
        };
        let outer = || std::iter::successors(Some(field.node), |node| self.tree.parent(*node)).take(CLASSES);
        let classes =
            |node| self.tree.element(node).and_then(|element| element.attribute("class")).unwrap_or_default();
        let has_box = |node| self.tree.element(node).is_some_and(is_box);
        let is_for_one =
            |node| self.tree.below(node).take(MOST_BELOW).filter(|node| has_box(*node)).nth(1).is_none();
        let has_class = |node| {
            let mut names = classes(node).split_ascii_whitespace();
            names.clone().any(|name| words().required_classes.have(name))
                && names.all(|name| name != "optional")
                && is_for_one(node)
        };
        // What announces the next field ends with a colon.
        let has_note = || {
            let said = self.labels.said_after(field.node, &words().required_notes, MAX_LABEL);
            said.is_some_and(|said| !said.ends_with(':'))
        };
        let is_alone = || {
            let boxes = self.outline.fields.iter().filter(|other| other.form == field.form);
            boxes.filter(|other| has_box(other.node)).nth(1).is_none()
        };
        let id = self
            .tree
            .element(field.node)
            .and_then(|element| element.attribute("id"))
            .filter(|id| id.len() > 1);
        let opens = || {
            let own = ["onchange", "onclick"].iter().any(|name| {
                self.tree
                    .element(field.node)
                    .and_then(|element| element.attribute(name))
                    .is_some_and(|script| script.contains("disabled"))
            });
            own || id.is_some_and(|id| self.outline.locks.iter().any(|script| script.contains(id)))
        };
        has_mark(label)
            || words().required_notes.are_in(&folded(label))
            || has_note()
            || outer().any(has_class)
            || (is_alone() && self.labels.group(field.node, MAX_LABEL).is_some_and(|name| has_mark(&name)))
            || (self.outline.locked.contains(&field.form) && opens())
    }

    /// The text beside a box.
    fn box_label(&self, node: NodeId) -> String {
        let is_drawn = self.tree.element(node).is_some_and(|it| it.name() != "input");
        let own_text = || is_drawn.then(|| text_of(self.tree, node, MAX_LABEL)).filter(|it| !it.is_empty());
        let beside = || self.labels.beside(node, &[Side::After, Side::Before], MAX_LABEL);
        let text = self.labels.name(node, MAX_LABEL).or_else(own_text).or_else(beside);
        text.unwrap_or_default().chars().take(MAX_LABEL).collect()
    }
}

/// Whether an element is a box to tick.
fn is_box(element: &HtmlElement) -> bool {
    let has_type = |name: &str| element.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case(name));
    (element.name() == "input" && has_type("checkbox")) || element.attribute("role") == Some("checkbox")
}

/// A phone number as an example, such as `(201) 555-0123` or `###-###-####`.
fn phone_number() -> &'static Regex {
    static NUMBER: OnceLock<Regex> = OnceLock::new();
    NUMBER.get_or_init(|| {
        Regex::new(r"^(?:\+?1[ .-]?)?\(?[\d#x_]{3}\)?[ .-]{0,2}[\d#x_]{3}[ .-][\d#x_]{4}$")
            .expect("it is tested")
    })
}

/// The words of a name such as `contactPhone` or `mobile_number`.
fn split_words(name: &str) -> String {
    let mut words = String::new();
    let mut was_lower = false;
    for it in name.chars() {
        if was_lower && it.is_uppercase() {
            words.push(' ');
        }
        was_lower = it.is_lowercase();
        words.push(if matches!(it, '_' | '-' | '[' | ']' | '.') { ' ' } else { it });
    }
    words
}
