//! A draft of one provider as a draft of another: what maps exactly is converted, all else is left out and named.

use std::borrow::Cow;

use tollproof_data::prepared::RoleNames;
use tollproof_data::provider::path::{Path, Step};
use tollproof_data::provider::schema::shape::Shape;

use super::convert_value::{Converted, converted, of_known};
use super::kind::{Kind, KindRole, Provider};
pub use super::left_out::{LeftOut, LeftOutReason};
use super::left_out::{Outcomes, is_empty};
use super::schema::{self, field_names};
use super::{aliases, role};
use crate::prepared::PREPARED;
use crate::syntax::document::{Member, Node, Style, Value, push_token};
use crate::syntax::source::Span;

/// A draft as another provider takes it.
#[derive(Clone, Debug)]
pub struct Conversion<'s> {
    /// The kind of the new draft.
    pub kind: Kind,
    /// The new draft. Its values have the places of those that they were made from.
    pub root: Node<'s>,
    /// Values without a place in the new draft, in the order of the old one.
    pub left_out: Vec<LeftOut>,
    /// Values that are in the new draft as what they probably mean, in the same order.
    pub guessed: Vec<LeftOut>,
}

impl Kind {
    /// A document of this kind as a document of another provider. `None` if that provider has no kind with this role.
    ///
    /// An update request that another provider does not know becomes a submit request.
    pub fn convert<'s>(self, root: &Node<'s>, to: Provider) -> Option<Conversion<'s>> {
        self.convert_all(root, to, false)
    }

    /// The submission in a document of this kind as a new draft, a submit request of a provider: without the ids, statuses
    /// and times of a record, which are not named as left out. `None` if the document is not a submission, or if the
    /// provider has no submit requests.
    pub fn new_draft<'s>(self, root: &Node<'s>, to: Provider) -> Option<Conversion<'s>> {
        if !self.is_request() && !self.is_record() {
            return None;
        }
        let own = self.provider();
        let mut draft = self.converted_to(root, to.kind(KindRole::Submit)?, own == to);
        if self.is_record() {
            let asked = own.kind(KindRole::Submit);
            draft.left_out.retain(|item| {
                let role = self.role_of(&item.pointer);
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
        let (made, outcomes) = (Vec::new(), Outcomes::default());
        let mut converter = Converter { from: self, to: kind, root, keeps_values, made, outcomes };
        let RoleNames { all, submission, .. } = &*PREPARED.roles;
        for role in submission.iter().chain(all.iter().filter(|it| !submission.contains(it))) {
            converter.role(role);
        }
        converter.same_fields();
        let (left_out, guessed) = converter.outcomes.left_out(self, root);
        let mut node = Node { value: Value::Object(Vec::new()), ..root.clone() };
        converter.made.sort_by_key(|made| made.order);
        for Made { path, value, key_span, .. } in converter.made {
            put(&mut node, &path, value, key_span);
        }
        Conversion { kind, root: node, left_out, guessed }
    }
}

/// The state of a conversion.
struct Converter<'n, 's> {
    from: Kind,
    to: Kind,
    root: &'n Node<'s>,
    keeps_values: bool,
    made: Vec<Made<'s>>,
    outcomes: Outcomes,
}

/// A value of the new draft.
struct Made<'s> {
    /// The place of its field in the schema.
    order: usize,
    path: Vec<Step>,
    value: Node<'s>,
    key_span: Span,
}

impl Made<'_> {
    /// Whether the field is in an object, whose keys are joined by dots.
    fn is_in(&self, object: &str) -> bool {
        object.split('.').eq(self.path.iter().map_while(Option::as_deref).take(object.split('.').count()))
    }
}

impl<'n, 's> Converter<'n, 's> {
    fn role(&mut self, role: &'static str) {
        let values = self.from.values(self.root, role).into_iter();
        // A field with several roles is converted once, by the first of them that the other provider has.
        let is_new = |node: &&Node<'s>| !is_empty(node) && !self.outcomes.has_arrived(node);
        let values: Vec<&'n Node<'s>> = values.filter(is_new).collect();
        if values.is_empty() {
            return;
        }
        let paths: Vec<&'static Path> = self.to.data().paths(role).iter().map(|(_, path)| path).collect();
        let own = schema::shape(self.to).at([Some(role)]).is_some() && self.to.is_default();
        match (own, paths.as_slice()) {
            (true, _) => self.put_at(role, &[Some(Cow::Borrowed(role))], values),
            (false, []) if role == role::OPT_IN_TYPE && self.opt_in_types().next().is_some() => {
                self.opt_in_type(&values);
            }
            (false, []) => self.leave(&values, &LeftOutReason::NoField),
            (false, [path]) => self.put_at(role, &path.steps, values),
            (false, [first, ..]) if takes_list(self.to, first) => self.put_at(role, &first.steps, values),
            (false, [first, ..]) if self.is_by_opt_in_type(first) => match self.path_by_opt_in_type(&paths) {
                Some(path) => self.put_at(role, &path.steps, values),
                None => {
                    let object = first.name.split('.').next().unwrap_or_default();
                    self.leave(&values, &LeftOutReason::NoOptInType(object.to_owned()));
                }
            },
            (false, several) => {
                let mut places = several.iter();
                for value in values {
                    match places.next() {
                        Some(path) => self.put_at(role, &path.steps, vec![value]),
                        None => self.leave(&[value], &LeftOutReason::NoRoom(several[0].name.to_owned())),
                    }
                }
            }
        }
    }

    /// The objects of the other provider that are for one type of opt-in, each with the type.
    fn opt_in_types(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.to.provider().0.opt_in_types.iter().copied()
    }

    fn is_by_opt_in_type(&self, path: &Path) -> bool {
        !self.keeps_values && self.opt_in_types().any(|(_, object)| path.is_below(object))
    }

    /// The path in the object of the old draft's type of opt-in.
    fn path_by_opt_in_type(&self, paths: &[&'static Path]) -> Option<&'static Path> {
        let types = self.from.values(self.root, role::OPT_IN_TYPE);
        let mut types = types.into_iter().filter_map(Node::as_str);
        types.find_map(|value| {
            let object = self.object_of(value)?;
            paths.iter().find(|path| path.is_below(object)).copied()
        })
    }

    /// The object of the other provider for a type of opt-in of the old draft.
    fn object_of(&self, opt_in_type: &str) -> Option<&'static str> {
        let meaning = self.from.meaning(role::OPT_IN_TYPE, opt_in_type);
        let is_it = |value: &str| {
            value == opt_in_type || meaning.is_some_and(|meaning| meaning.exact.contains(&value))
        };
        self.opt_in_types().find(|(it, _)| is_it(it)).map(|(_, object)| object)
    }

    /// A type of opt-in arrives with the description in the object for this type.
    fn opt_in_type(&mut self, values: &[&'n Node<'s>]) {
        for value in values {
            let object = value.as_str().and_then(|it| self.object_of(it));
            let has = |object: &str| self.made.iter().any(|made| made.is_in(object));
            if object.is_some_and(has) {
                self.outcomes.arrive(value)
            } else {
                self.outcomes.leave(value, LeftOutReason::NoField)
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
        let kinds = (self.from, self.to);
        let (mut one, mut mixed) = (None, None);
        if !is_list {
            one = joined(role, item, &values);
            mixed = if one.is_none() { several(role, kinds, item, &values) } else { None };
        }
        mixed.iter().for_each(|mixed| values.iter().for_each(|value| self.outcomes.guess(value, mixed)));
        let one = one.or(mixed);
        let (mut nodes, mut arrived, mut left) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(one) = one {
            nodes.push(one);
            arrived.clone_from(&values);
        } else {
            for value in values {
                for part in parts(role, value, is_list) {
                    let reason = match converted(&part, role, kinds, item) {
                        Converted::Guess(_) if self.keeps_values => {
                            nodes.push(part);
                            arrived.push(value);
                            continue;
                        }
                        Converted::Guess(node) if is_list || nodes.is_empty() => {
                            self.outcomes.guess(value, &node);
                            nodes.push(node);
                            arrived.push(value);
                            continue;
                        }
                        Converted::Value(node) if is_list || nodes.is_empty() => {
                            nodes.push(node);
                            arrived.push(value);
                            continue;
                        }
                        Converted::NoValue(_) | Converted::NoForm if self.keeps_values => {
                            nodes.push(part);
                            arrived.push(value);
                            continue;
                        }
                        Converted::Value(_) | Converted::Guess(_) => LeftOutReason::NoRoom(field.clone()),
                        Converted::NoValue(nearest) => LeftOutReason::NoValue(field.clone(), nearest),
                        Converted::NoForm => LeftOutReason::NoForm(field.clone()),
                    };
                    left.push((value, reason));
                }
            }
        }
        // Only the applicant knows which of several use cases is meant.
        let is_choice = role == role::USE_CASE && !self.keeps_values && arrived.len() + left.len() > 1;
        if is_choice && !is_list && nodes.len() == 1 && arrived.len() == 1 {
            self.leave(&arrived, &LeftOutReason::NoRoom(field));
            left.into_iter().for_each(|(value, reason)| self.outcomes.leave(value, reason));
            return;
        }
        self.add(role, steps, is_list, nodes, (&arrived, field));
        left.into_iter().for_each(|(value, reason)| self.outcomes.leave(value, reason));
    }

    /// Adds converted values to the new draft; `arrived` are the values that they were made from.
    fn add(
        &mut self,
        role: &str,
        steps: &[Step],
        is_list: bool,
        mut nodes: Vec<Node<'s>>,
        (arrived, field): (&[&'n Node<'s>], String),
    ) {
        let Some(first) = nodes.first() else { return };
        let (span, style) = (first.span, first.style);
        let value = if is_list { Node { span, style, value: Value::Array(nodes) } } else { nodes.remove(0) };
        let root_key = steps.first().and_then(Option::as_deref).unwrap_or_default();
        let order = field_names(self.to).position(|name| name == root_key).unwrap_or(usize::MAX);
        let made = Made { order, path: steps.to_vec(), value, key_span: self.key_span(role, span) };
        let is_added = match self.made.iter_mut().find(|it| it.path == made.path) {
            // Two roles with one field: both texts, one after the other.
            Some(earlier) => append(&mut earlier.value, made.value),
            None => {
                self.made.push(made);
                true
            }
        };
        if is_added {
            arrived.iter().for_each(|value| self.outcomes.arrive(value))
        } else {
            self.leave(arrived, &LeftOutReason::NoRoom(field))
        }
    }

    /// The key of the old field, or the value itself.
    fn key_span(&self, role: &str, value: Span) -> Span {
        let pointer = self.from.pointer_of(role);
        let (above, key) = pointer.rsplit_once('/').unwrap_or_default();
        let member = self.root.at(above).and_then(|object| object.member(key));
        member.map_or(value, |member| member.key_span)
    }

    fn leave(&mut self, nodes: &[&Node<'s>], reason: &LeftOutReason) {
        nodes.iter().for_each(|node| self.outcomes.leave(node, reason.clone()));
    }

    /// The fields without a role that a new draft of the same provider has too.
    fn same_fields(&mut self) {
        if self.from.provider() != self.to.provider() {
            return;
        }
        let has_role = |key: &str| {
            let mut pointer = String::new();
            push_token(&mut pointer, key);
            let below = format!("{pointer}/");
            self.from.role_of(&pointer).is_some()
                || self.from.roles().any(|role| self.from.pointer_of(role).starts_with(&below))
        };
        let same: Vec<&Member<'s>> = self.root.members().iter().filter(|it| !has_role(&it.key)).collect();
        for member in same {
            let field = field_names(self.to).enumerate().find(|(_, name)| *name == member.key);
            let Some((order, name)) = field else { continue };
            let path = vec![Some(Cow::Borrowed(name))];
            self.outcomes.arrive(&member.value);
            self.made.push(Made { order, path, value: member.value.clone(), key_span: member.key_span });
        }
    }
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

/// The value for several use cases, if the other provider has one.
fn several<'s>(role: &str, kinds: (Kind, Kind), item: &Shape, values: &[&Node<'s>]) -> Option<Node<'s>> {
    let [first, _, ..] = values else { return None };
    let is_known = |value: &&Node<'_>| {
        value.as_str().is_some_and(|value| {
            kinds.0.meaning(role, value).is_some() || aliases::any_value(role, value).is_some()
        })
    };
    let meant = aliases::for_several(role).filter(|_| values.iter().all(is_known))?;
    let node = Node { value: Value::String(meant.into()), ..(*first).clone() };
    match of_known(&node, role, kinds, item) {
        Converted::Value(node) | Converted::Guess(node) => Some(node),
        Converted::NoValue(_) | Converted::NoForm => None,
    }
}

/// Adds a value to an earlier one of the same field; `false` if there is no room for it.
fn append<'s>(earlier: &mut Node<'s>, more: Node<'s>) -> bool {
    match (&mut earlier.value, more.value) {
        (Value::String(text), Value::String(more)) => {
            if *text != more {
                *text = format!("{text}\n\n{more}").into();
            }
            true
        }
        (Value::Array(items), Value::Array(more)) => {
            items.extend(more);
            true
        }
        _ => false,
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
            if !matches!(node.value, Value::Array(_)) {
                *node = Node { span, style, value: Value::Array(Vec::new()) };
            }
            let Value::Array(there) = &mut node.value else { return };
            // Several fields of the items, such as the text and the type of each opt-in, are put one after the other.
            for (at, value) in items.into_iter().enumerate() {
                if at == there.len() {
                    there.push(Node { span: value.span, style, value: Value::Object(Vec::new()) });
                }
                put(&mut there[at], rest, value, key_span);
            }
        }
    }
}
