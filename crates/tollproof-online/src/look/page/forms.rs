//! The forms of a page, and the text that people read before they agree.

use tollproof_core::seen::{BoxSeen, FormSeen};

use super::super::html::{HtmlTree, NodeId};
use super::super::words::{folded, words};
use super::choices::{Choice, agreed};
use super::fields::{FieldKind, Fields};
use super::outline::{Outline, TextBlock};
use super::sentences::{about, bounded};

/// The most forms.
const MAX_FORMS: usize = 10;

/// The longest consent text, in characters.
const MAX_CONSENT: usize = 4_000;

/// The blocks before and after a form without an element of its own that belong to it.
const BEFORE: usize = 3;
const AFTER: usize = 6;

/// Facts on the forms of a page.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// Those that matter: with a field for a phone number, with boxes, or to log in. Those for phone numbers are first.
    pub(super) seen: Vec<FormSeen>,
    /// Text to read before consent.
    pub(super) consent: String,
    /// The form to log in, if there is one: the node, if it has an element of its own.
    pub(super) log_in: Option<Option<NodeId>>,
    /// Whether a form asks for a user name or an e-mail address only.
    pub(super) asks_for_user: bool,
}

/// A form while its fields are collected.
#[derive(Debug, Default)]
struct OneForm {
    node: Option<NodeId>,
    seen: FormSeen,
    choices: Vec<Choice>,
    passwords: usize,
    users: usize,
    others: usize,
    is_new: bool,
    /// The blocks in which its fields are.
    first: usize,
    last: usize,
}

/// Reads the forms of a page.
pub(super) fn forms(tree: &HtmlTree, outline: &Outline) -> Forms {
    let fields = Fields::new(tree, outline);
    let mut all: Vec<OneForm> = Vec::new();
    for field in &outline.fields {
        let Some(kind) = fields.kind(*field) else { continue };
        let named =
            tree.element(field.node).and_then(|element| fields.labels.with_id(element.attribute("form")?));
        let node = named.or(field.form);
        let is_same =
            |form: &OneForm| form.node == node && (node.is_some() || field.block <= form.last + AFTER);
        let at = all.iter().rposition(is_same).unwrap_or_else(|| {
            all.push(OneForm { node, first: field.block, last: field.block, ..OneForm::default() });
            all.len() - 1
        });
        let form = &mut all[at];
        (form.first, form.last) = (form.first.min(field.block), form.last.max(field.block));
        match kind {
            FieldKind::Phone => form.seen.has_phone = true,
            FieldKind::Password { is_new } => {
                form.passwords += 1;
                form.is_new |= is_new;
            }
            // A box that is hidden at first may be a template, or never shown.
            FieldKind::Box { label, ticked, required } if !field.is_hidden => {
                form.seen.boxes.push(BoxSeen { label, ticked, required });
            }
            FieldKind::Choices(choices) if !field.is_hidden => form.choices.extend(choices),
            FieldKind::User => form.users += 1,
            FieldKind::Other => form.others += 1,
            FieldKind::Box { .. } | FieldKind::Choices(_) => {}
        }
    }
    for form in &mut all {
        form.seen.boxes.extend(agreed(&form.choices, &fields.labels));
        form.seen.is_log_in = form.passwords == 1 && !form.is_new && !form.seen.has_phone;
    }
    let log_in = all.iter().find(|it| it.seen.is_log_in).map(|it| it.node);
    let asks_for_user = all.iter().any(|form| form.users == 1 && form.others == 0 && !form.seen.has_phone);
    let consent = consent(outline, &all);
    let mut seen: Vec<FormSeen> = all.into_iter().map(|it| it.seen).collect();
    seen.retain(|form| form.has_phone || form.is_log_in || !form.boxes.is_empty());
    seen.sort_by_key(|it| !it.has_phone);
    seen.truncate(MAX_FORMS);
    Forms { seen, consent, log_in, asks_for_user }
}

/// The most words of a heading that begins a paragraph: "Texts."
const MAX_HEAD: usize = 4;

/// Start of a sentence that asks people to send a keyword: "Text JOIN to 833-555-0142".
const ASKS: [&str; 1] = ["text "];

/// The texts of forms that ask for a phone number, then all others about text messages.
fn consent(outline: &Outline, forms: &[OneForm]) -> String {
    let is_near = |at: usize, block: &TextBlock| {
        forms.iter().filter(|form| form.seen.has_phone).any(|form| match form.node {
            Some(node) => block.form == Some(node),
            None => block.form.is_none() && at + BEFORE >= form.first && at <= form.last + AFTER,
        })
    };
    let (near, others): (Vec<_>, Vec<_>) =
        outline.blocks.iter().enumerate().partition(|(at, block)| is_near(*at, block));
    let of_forms = near.into_iter().map(|(_, block)| block.text.clone());
    // In terms, all is about texts below a heading that is.
    let titles = outline.blocks.iter().filter(|block| block.heading == 1).map(|block| &block.text);
    let mut titles = titles.chain([&outline.title]);
    let is_terms = titles.any(|title| words().terms_paths.are_in(&folded(title)))
        && !forms.iter().any(|form| form.seen.has_phone);
    let mut section = 0;
    let is_said = |block: &TextBlock| !block.is_hidden && !block.is_review;
    let about_texts = others.into_iter().filter(|(_, block)| is_said(block)).flat_map(|(_, block)| {
        let is_about = |text: &str| words().messaging.are_in(&folded(text));
        if block.heading > 0 && (section == 0 || block.heading <= section) {
            section = if is_about(&block.text) { block.heading } else { 0 };
        }
        let (start, rest) = block.text.split_once(['.', ':']).unwrap_or((&block.text, ""));
        let is_headed = !rest.is_empty() && start.split_whitespace().count() <= MAX_HEAD && is_about(start);
        let is_whole = is_terms && !block.in_footer && (section > 0 || is_headed);
        if is_whole { vec![block.text.clone()] } else { about(&words().messaging, &ASKS, &block.text) }
    });
    bounded(of_forms.chain(about_texts), MAX_CONSENT)
}
