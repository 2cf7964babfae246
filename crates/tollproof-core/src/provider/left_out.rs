//! Values that a conversion leaves out: every value of the old draft that is nowhere in the new one, and why.

use std::collections::{HashMap, HashSet};

use tollproof_data::provider::schema::shape::Shape;

use super::kind::{Kind, Provider};
use super::schema;
use super::schema::accept::takes;
use crate::syntax::document::{Node, Value, push_token};
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;

/// A value that could not be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its place in the old draft, as an RFC 6901 pointer.
    pub pointer: String,
    /// The name of its field there, with the fields around it: `company.name`.
    pub field: String,
    /// The reason it was left out.
    pub reason: LeftOutReason,
}

/// The reason a value is left out of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeftOutReason {
    /// The other provider has no field for it.
    NoField,
    /// The field of the old draft takes values of another type.
    WrongType,
    /// The other provider has no value with this meaning in the field of this name; these are the nearest of its values.
    NoValue(String, Vec<&'static str>),
    /// The field of this name takes another notation, which cannot be told from the value.
    NoForm(String),
    /// The field of this name has room for one value only, and has one already or would have to choose.
    NoRoom(String),
    /// The field of this name has a place for each type of opt-in, and none for the type of the old draft.
    NoOptInType(String),
    /// It is not left out: a value that is not clear was taken as another one.
    Guess(String, String),
}

impl LeftOut {
    /// Explains why a provider's draft lacks it, as the end of a sentence.
    pub fn why(&self, provider: Provider) -> Message {
        let title = Message::own(provider.title());
        match &self.reason {
            LeftOutReason::NoField => message!("{} has no field for it", title),
            LeftOutReason::WrongType => "its field takes values of another type".into(),
            LeftOutReason::NoValue(name, nearest) => {
                let nearest = match nearest.as_slice() {
                    [] => Message::default(),
                    some => message!("; the nearest: {}", Message::name(some.join(", "))),
                };
                message!("`{}` at {} has no value with this meaning{}", Message::name(name), title, nearest)
            }
            LeftOutReason::NoForm(name) => message!(
                "`{}` takes {}'s own identifier or notation, which cannot be derived from this value",
                Message::name(name),
                title
            ),
            LeftOutReason::NoRoom(name) => {
                message!("`{}` at {} takes one value only", Message::name(name), title)
            }
            LeftOutReason::Guess(old, new) => {
                message!("`{}` was taken as `{}`; check it", old.as_str(), Message::name(new))
            }
            LeftOutReason::NoOptInType(name) => message!(
                "`{}` at {} has a field for some opt-in types, but not for that of this draft",
                Message::name(name),
                title
            ),
        }
    }
}

/// The outcomes of a draft's values, by their places.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    arrived: HashSet<Span>,
    reasons: HashMap<Span, LeftOutReason>,
    guesses: HashMap<Span, LeftOutReason>,
}

impl Outcomes {
    /// Notes that a value is in the new draft, whatever another role of its field said before.
    pub(super) fn arrive(&mut self, node: &Node<'_>) {
        self.reasons.remove(&node.span);
        self.arrived.insert(node.span);
    }

    /// Notes why a value is not in the new draft.
    pub(super) fn leave(&mut self, node: &Node<'_>, reason: LeftOutReason) {
        self.reasons.entry(node.span).or_insert(reason);
    }

    /// Notes what a value of the new draft was made from, if that is not clear.
    pub(super) fn guess(&mut self, node: &Node<'_>, new: &Node<'_>) {
        let text = |node: &Node<'_>| match &node.value {
            Value::Number(text) => (*text).to_owned(),
            _ => node.as_str().unwrap_or_default().to_owned(),
        };
        self.guesses.insert(node.span, LeftOutReason::Guess(text(node), text(new)));
    }

    pub(super) fn has_arrived(&self, node: &Node<'_>) -> bool {
        self.arrived.contains(&node.span)
    }

    /// The values of a document that have not arrived, and those that were guessed, in the order of the document.
    pub(super) fn left_out(&self, kind: Kind, root: &Node<'_>) -> (Vec<LeftOut>, Vec<LeftOut>) {
        let mut found = Vec::new();
        let place = OldPlace { pointer: String::new(), field: String::new() };
        self.collect(root, &place, Some(schema::shape(kind)), &mut found);
        found.into_iter().partition(|left| !matches!(left.reason, LeftOutReason::Guess(..)))
    }

    fn collect(&self, node: &Node<'_>, place: &OldPlace, shape: Option<&Shape>, found: &mut Vec<LeftOut>) {
        let has_type = shape.is_none_or(|shape| takes(shape, node));
        if let Some(reason) = self.reasons.get(&node.span) {
            let is_type = matches!(reason, LeftOutReason::NoForm(_)) && !has_type;
            found.push(place.left_out(if is_type { LeftOutReason::WrongType } else { reason.clone() }));
            return;
        }
        if self.has_arrived(node) {
            found.extend(self.guesses.get(&node.span).map(|guess| place.left_out(guess.clone())));
            return;
        }
        if is_empty(node) {
            return;
        }
        match (&node.value, shape) {
            // An unknown field is named once, whatever is in it.
            (_, None) => found.push(place.left_out(LeftOutReason::NoField)),
            (Value::Object(_) | Value::Array(_), Some(shape))
                if !holds(shape, node) && !self.touches(node) =>
            {
                found.push(place.left_out(LeftOutReason::WrongType));
            }
            (Value::Object(members), Some(shape)) => {
                for member in members {
                    let shape = shape.at([Some(member.key.as_ref())]);
                    self.collect(&member.value, &place.member(&member.key), shape, found);
                }
            }
            (Value::Array(items), Some(shape)) => {
                for (at, item) in items.iter().enumerate() {
                    let shape = shape.at([None]).unwrap_or(shape);
                    self.collect(item, &place.item(at), Some(shape), found);
                }
            }
            _ if has_type => found.push(place.left_out(LeftOutReason::NoField)),
            _ => found.push(place.left_out(LeftOutReason::WrongType)),
        }
    }

    /// Whether something is noted about a value or about a value in it.
    fn touches(&self, node: &Node<'_>) -> bool {
        self.has_arrived(node)
            || self.reasons.contains_key(&node.span)
            || node.items().iter().any(|it| self.touches(it))
            || node.members().iter().any(|it| self.touches(&it.value))
    }
}

/// Whether a list or an object is what a field takes.
fn holds(shape: &Shape, node: &Node<'_>) -> bool {
    match shape {
        Shape::Any => true,
        Shape::List { .. } => matches!(node.value, Value::Array(_)),
        Shape::Object(_) => matches!(node.value, Value::Object(_)),
        _ => false,
    }
}

/// The place of a value in the old draft.
struct OldPlace {
    pointer: String,
    field: String,
}

impl OldPlace {
    fn member(&self, key: &str) -> Self {
        let mut pointer = self.pointer.clone();
        push_token(&mut pointer, key);
        let field = if self.field.is_empty() { key.to_owned() } else { format!("{}.{key}", self.field) };
        Self { pointer, field }
    }

    fn item(&self, at: usize) -> Self {
        Self { pointer: format!("{}/{at}", self.pointer), field: self.field.clone() }
    }

    fn left_out(&self, reason: LeftOutReason) -> LeftOut {
        LeftOut { pointer: self.pointer.clone(), field: self.field.clone(), reason }
    }
}

/// Whether a value says nothing: null, whitespace, or a list or object of such values.
pub(super) fn is_empty(node: &Node<'_>) -> bool {
    match &node.value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(members) => members.iter().all(|it| is_empty(&it.value)),
        Value::Bool(_) | Value::Number(_) | Value::Computed => false,
    }
}
