//! A draft of one provider as a draft of another: what maps exactly is converted, all else is left out and named.

use std::borrow::Cow;

use super::builtin::{ROLES, SUBMISSION};
use super::convert_value::{Converted, converted};
use super::kind::{Kind, KindRole, Provider};
use super::path::{Path, Step};
use super::role;
use super::schema::shape::Shape;
use super::schema::{self, field_names};
use crate::syntax::document::{Member, Node, Style, Value, push_token};
use crate::syntax::source::Span;

/// A draft as another provider takes it.
#[derive(Clone, Debug)]
pub struct Conversion<'s> {
    /// The kind of the new draft.
    pub kind: Kind,
    /// The new draft. Its values have the places of those that they were made from.
    pub root: Node<'s>,
    /// What has no place in the new draft, in the order of the old one.
    pub left_out: Vec<LeftOut>,
}

/// A value that could not be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its place in the old draft, as an RFC 6901 pointer.
    pub pointer: String,
    /// The name of its field there.
    pub field: String,
    /// Why it was left out.
    pub reason: LeftOutReason,
}

/// Why a value is left out of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LeftOutReason {
    /// The other provider has no field for it.
    NoField,
    /// The other provider has no value with this meaning in the field of this name; these are the nearest of its values.
    NoValue(String, Vec<&'static str>),
    /// The field of this name takes another notation, which cannot be told from the value.
    NoForm(String),
    /// The field of this name has room for one value only, and has one already.
    NoRoom(String),
}

impl LeftOut {
    /// Why it was left out of a draft for a provider, as the end of a sentence.
    #[must_use]
    pub fn why(&self, provider: Provider) -> String {
        match &self.reason {
            LeftOutReason::NoField => format!("{provider} has no field for it"),
            LeftOutReason::NoValue(name, nearest) => {
                let nearest = match nearest.as_slice() {
                    [] => String::new(),
                    some => format!("; the nearest: {}", some.join(", ")),
                };
                format!("`{name}` at {provider} has no value with this meaning{nearest}")
            }
            LeftOutReason::NoForm(name) => format!(
                "`{name}` takes {provider}'s own identifier or notation, which this value does not tell"
            ),
            LeftOutReason::NoRoom(name) => format!("`{name}` at {provider} takes one value only"),
        }
    }
}

impl Kind {
    /// A document of this kind as a document of another provider. `None` if that provider has no kind with this role.
    ///
    /// An update request that another provider does not know becomes a submit request.
    #[must_use]
    pub fn convert<'s>(self, root: &Node<'s>, to: Provider) -> Option<Conversion<'s>> {
        self.convert_all(root, to, false)
    }

    /// The submission in a document of this kind as a new draft, a submit request of a provider: without the ids, statuses
    /// and times of a record, which are not named as left out. `None` if the document is not a submission, or if the
    /// provider has no submit requests.
    #[must_use]
    pub fn new_draft<'s>(self, root: &Node<'s>, to: Provider) -> Option<Conversion<'s>> {
        if !self.is_request() && !self.is_record() {
            return None;
        }
        let own = self.provider();
        let mut draft = self.converted_to(root, to.kind(KindRole::Submit)?, own == to);
        if self.is_record() {
            let asked = own.kind(KindRole::Submit);
            draft.left_out.retain(|it| {
                let role = self.role_of(&it.pointer);
                // A record may name its number several times.
                let is_number = role == Some(role::PHONE_NUMBERS) && self.joins_numbers();
                !is_number && role.is_some_and(|role| asked.is_some_and(|kind| kind.has(role)))
            });
        }
        Some(draft)
    }

    /// The same as [`Self::convert`]; with `keeps_values`, a value that the other provider does not have is kept as it is.
    pub(crate) fn convert_all<'s>(
        self,
        root: &Node<'s>,
        to: Provider,
        keeps_values: bool,
    ) -> Option<Conversion<'s>> {
        let submit = || to.kind(KindRole::Submit).filter(|_| self.is_request());
        let kind = to.kind(self.role()).or_else(submit)?;
        Some(self.converted_to(root, kind, keeps_values))
    }

    fn converted_to<'s>(self, root: &Node<'s>, kind: Kind, keeps_values: bool) -> Conversion<'s> {
        let (made, left_out) = (Vec::new(), Vec::new());
        let mut converter = Converter { from: self, to: kind, root, keeps_values, made, left_out };
        for role in SUBMISSION.iter().chain(ROLES.iter().filter(|it| !SUBMISSION.contains(it))) {
            converter.role(role);
        }
        converter.unknown_fields();
        let mut left_out = converter.left_out;
        left_out.sort_by_key(|(place, _)| *place);
        let mut node = Node { value: Value::Object(Vec::new()), ..root.clone() };
        converter.made.sort_by_key(|made| made.order);
        for Made { path, value, key_span, .. } in converter.made {
            put(&mut node, &path, value, key_span);
        }
        Conversion { kind, root: node, left_out: left_out.into_iter().map(|(_, it)| it).collect() }
    }
}

/// The state of a conversion.
struct Converter<'n, 's> {
    from: Kind,
    to: Kind,
    root: &'n Node<'s>,
    keeps_values: bool,
    made: Vec<Made<'s>>,
    /// Each with the offset of its value.
    left_out: Vec<(u32, LeftOut)>,
}

/// A value of the new draft.
struct Made<'s> {
    /// The place of its field in the schema.
    order: usize,
    path: Vec<Step>,
    value: Node<'s>,
    key_span: Span,
}

impl<'n, 's> Converter<'n, 's> {
    fn role(&mut self, role: &'static str) {
        let values = self.from.values(self.root, role);
        let values: Vec<&'n Node<'s>> = values.into_iter().filter(|node| !is_blank(node)).collect();
        // A field with several roles is converted once, by the first of them.
        let is_new = |node: &&&Node<'s>| !self.made.iter().any(|made| made.value.span == node.span);
        let values: Vec<&'n Node<'s>> = values.iter().filter(is_new).copied().collect();
        if values.is_empty() {
            return;
        }
        let paths: Vec<&'static Path> = self.to.data().paths(role).iter().map(|(_, path)| path).collect();
        let own = schema::shape(self.to).at([Some(role)]).is_some() && self.to.is_default();
        match (own, paths.as_slice()) {
            (true, _) => self.put_at(role, &[Some(Cow::Borrowed(role))], values),
            (false, []) => values.into_iter().for_each(|it| self.leave(it, role, LeftOutReason::NoField)),
            (false, [path]) => self.put_at(role, &path.steps, values),
            (false, [first, ..]) if takes_list(self.to, first) => self.put_at(role, &first.steps, values),
            (false, several) => {
                let mut places = several.iter();
                for value in values {
                    match places.next() {
                        Some(path) => self.put_at(role, &path.steps, vec![value]),
                        None => self.leave(value, role, LeftOutReason::NoRoom(several[0].name.to_owned())),
                    }
                }
            }
        }
    }

    /// Converts the values of a role into the field at a path.
    fn put_at(&mut self, role: &'static str, steps: &[Step], values: Vec<&'n Node<'s>>) {
        let shape = schema::shape(self.to).at(steps.iter().map(Option::as_deref));
        let Some(shape) = shape else { return };
        let field: Vec<&str> = steps.iter().flatten().map(AsRef::as_ref).collect();
        let field = field.join(".");
        let (item, is_list) = match shape {
            Shape::List { item, .. } => (item.as_ref(), true),
            shape => (shape, steps.iter().any(Option::is_none)),
        };
        let joined = |values: &[&Node<'s>]| joined(role, item, values);
        let whole = (!is_list).then(|| joined(&values)).flatten();
        let mut nodes = Vec::new();
        for value in values.iter().take(if whole.is_some() { 0 } else { usize::MAX }) {
            for part in parts(role, value, is_list) {
                match converted(&part, role, (self.from, self.to), item) {
                    Converted::Value(node) if is_list || nodes.is_empty() => nodes.push(node),
                    Converted::Value(_) => self.leave(value, role, LeftOutReason::NoRoom(field.clone())),
                    Converted::NoValue(_) | Converted::NoForm if self.keeps_values => nodes.push(part),
                    Converted::NoValue(nearest) => {
                        self.leave(value, role, LeftOutReason::NoValue(field.clone(), nearest));
                    }
                    Converted::NoForm => self.leave(value, role, LeftOutReason::NoForm(field.clone())),
                }
            }
        }
        nodes.extend(whole);
        let Some(first) = nodes.first() else { return };
        let (span, style) = (first.span, first.style);
        let value = match is_list {
            true => Node { span, style, value: Value::Array(nodes) },
            false => nodes.remove(0),
        };
        let root_key = steps.first().and_then(Option::as_deref).unwrap_or_default();
        let order = field_names(self.to).position(|name| name == root_key).unwrap_or(usize::MAX);
        let made = Made { order, path: steps.to_vec(), value, key_span: self.key_span(role, span) };
        match self.made.iter_mut().find(|it| it.path == made.path) {
            // Two roles with one field: both texts, one after the other.
            Some(earlier) => append(&mut earlier.value, &made.value),
            None => self.made.push(made),
        }
    }

    /// The key of the old field, or the value itself.
    fn key_span(&self, role: &str, value: Span) -> Span {
        let pointer = self.from.pointer_of(role);
        let (above, key) = pointer.rsplit_once('/').unwrap_or_default();
        let member = self.root.at(above).and_then(|object| object.member(key));
        member.map_or(value, |member| member.key_span)
    }

    fn leave(&mut self, node: &Node<'s>, role: &str, reason: LeftOutReason) {
        let pointer = self.from.pointer_of(role);
        let field = self.from.field_name(role).to_owned();
        self.left_out.push((node.span.start, LeftOut { pointer, field, reason }));
    }

    /// Leaves out the fields of the old draft that have no role.
    fn unknown_fields(&mut self) {
        let known = |key: &str| {
            let mut pointer = String::new();
            push_token(&mut pointer, key);
            let below = format!("{pointer}/");
            self.from.role_of(&pointer).is_some()
                || self.from.roles().any(|role| self.from.pointer_of(role).starts_with(&below))
        };
        let unknown: Vec<&Member<'s>> = self.root.members().iter().filter(|it| !known(&it.key)).collect();
        for member in unknown {
            // A new draft of the same provider has the field too.
            let same =
                (self.from.provider() == self.to.provider()).then(|| self.same_field(&member.key)).flatten();
            if let Some((order, name)) = same {
                let path = vec![Some(Cow::Borrowed(name))];
                let made = Made { order, path, value: member.value.clone(), key_span: member.key_span };
                self.made.push(made);
                continue;
            }
            let mut pointer = String::new();
            push_token(&mut pointer, &member.key);
            let field = member.key.to_string();
            let left = LeftOut { pointer, field, reason: LeftOutReason::NoField };
            self.left_out.push((member.value.span.start, left));
        }
    }
}

impl Converter<'_, '_> {
    /// The field of the new draft with the name of one of the old, and its place in the schema.
    fn same_field(&self, key: &str) -> Option<(usize, &'static str)> {
        field_names(self.to).enumerate().find(|(_, name)| *name == key)
    }
}

fn is_blank(node: &Node<'_>) -> bool {
    matches!(&node.value, Value::Null) || node.as_str().is_some_and(|text| text.trim().is_empty())
}

fn takes_list(kind: Kind, path: &Path) -> bool {
    let shape = schema::shape(kind).at(path.steps.iter().map(Option::as_deref));
    path.steps.iter().any(Option::is_none) || matches!(shape, Some(Shape::List { .. }))
}

/// Keywords that one provider takes as a list and another as one text.
fn joined<'s>(role: &str, item: &Shape, values: &[&Node<'s>]) -> Option<Node<'s>> {
    let texts: Option<Vec<&str>> = values.iter().map(|node| node.as_str()).collect();
    let texts = texts.filter(|texts| role == role::OPT_IN_KEYWORDS && texts.len() > 1)?;
    let first = values.first().filter(|_| matches!(item, Shape::Text(_)))?;
    Some(Node { value: Value::String(texts.join(", ").into()), ..(*first).clone() })
}

/// The keywords in one text, where the other provider takes a list; any other value as it is.
fn parts<'s>(role: &str, node: &Node<'s>, is_list: bool) -> Vec<Node<'s>> {
    let text = node.as_str().filter(|text| is_list && role == role::OPT_IN_KEYWORDS && text.contains(','));
    let Some(text) = text else { return vec![node.clone()] };
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| Node { value: Value::String(word.to_owned().into()), ..node.clone() }).collect()
}

fn append<'s>(earlier: &mut Node<'s>, more: &Node<'s>) {
    if let (Value::String(text), Some(more)) = (&mut earlier.value, more.as_str())
        && text != more
    {
        *text = format!("{text}\n\n{more}").into();
    }
}

/// Puts a value at a path below an object; objects on the way are made.
fn put<'s>(node: &mut Node<'s>, path: &[Step], value: Node<'s>, key_span: Span) {
    match path.split_first() {
        None => *node = value,
        Some((Some(key), rest)) => {
            let (span, style) = (value.span, Style::Json);
            let Value::Object(members) = &mut node.value else { return };
            let at = members.iter().position(|member| member.key == *key).unwrap_or_else(|| {
                let empty = Node { span, style, value: Value::Object(Vec::new()) };
                members.push(Member { key: key.clone(), key_span, value: empty });
                members.len() - 1
            });
            put(&mut members[at].value, rest, value, key_span);
        }
        Some((None, rest)) => {
            let Node { span, style, value: Value::Array(items) } = value else { return };
            let item = |value: Node<'s>| {
                let mut item = Node { span: value.span, style, value: Value::Object(Vec::new()) };
                put(&mut item, rest, value, key_span);
                item
            };
            *node = Node { span, style, value: Value::Array(items.into_iter().map(item).collect()) };
        }
    }
}
