//! Resolves YAML aliases by copying the anchored value, within the budget.

use std::borrow::Cow;

use super::Tree;
use crate::syntax::document::{Member, Node, Style, SyntaxError, SyntaxErrorKind, Value};
use crate::syntax::limits::{MAX_DEPTH, too_deep};
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;

/// A value that aliases can refer to.
pub(super) struct Anchored<'s> {
    node: Node<'s>,
    weight: usize,
    height: usize,
}

impl<'s> Tree<'s> {
    /// Inserts a copy of the anchored value in place of an alias.
    pub(super) fn alias(&mut self, id: usize, at: Span) -> Result<(), SyntaxError> {
        let Some(Anchored { node, weight, height }) = self.anchors.get(&id) else {
            let name = self.text.get(at.range()).unwrap_or_default();
            let message = if self.open.iter().any(|it| it.anchor == id) {
                message!("`{}` is inside the value that it refers to", name)
            } else {
                message!("`{}` refers to a value that was not read", name)
            };
            return self.dangling(at, message);
        };
        if !self.budget.take(*weight) {
            return Err(self.budget.spent(at));
        }
        let too_high = self.open.len() + height > MAX_DEPTH;
        let node = if too_high {
            Node { span: at, style: Style::Alias(node.written()), value: shell_of(&node.value) }
        } else {
            alias_of(node, at)
        };
        if too_high {
            self.syntax_error(too_deep(at));
        }
        self.attach(node, at, at.end as usize);
        Ok(())
    }

    pub(super) fn unknown_alias(&mut self, at: Span) -> Result<(), SyntaxError> {
        let name = self.text.get(at.range()).unwrap_or_default();
        let message = message!("`{}` refers to a value that is not defined above", name);
        self.dangling(at, message)
    }

    pub(super) fn dangling(&mut self, at: Span, message: Message) -> Result<(), SyntaxError> {
        self.spend(1, at)?;
        let syntax_error = SyntaxError::new(SyntaxErrorKind::Syntax, at, message);
        self.syntax_error(syntax_error.help("Put the text in quotes if the `*` is part of it."));
        let node = Node { span: at, style: Style::Plain, value: Value::Null };
        self.attach(node, at, at.end as usize);
        Ok(())
    }

    /// Stores a copy of an anchored value for later aliases.
    pub(super) fn remember(&mut self, anchor: usize, node: &Node<'s>) -> Result<(), SyntaxError> {
        let (weight, height) = measure(node);
        self.spend(weight, node.span)?;
        self.anchors.insert(anchor, Anchored { node: node.clone(), weight, height });
        Ok(())
    }
}

/// A copy of a value whose spans are all the span of the alias.
fn alias_of<'s>(node: &Node<'s>, at: Span) -> Node<'s> {
    let member = |member: &Member<'s>| Member {
        key: member.key.clone(),
        key_span: at,
        value: alias_of(&member.value, at),
    };
    let value = match &node.value {
        Value::Array(items) => Value::Array(items.iter().map(|item| alias_of(item, at)).collect()),
        Value::Object(members) => Value::Object(members.iter().map(member).collect()),
        scalar => scalar.clone(),
    };
    Node { span: at, style: Style::Alias(node.written()), value }
}

/// An empty value of the same type.
fn shell_of<'s>(value: &Value<'s>) -> Value<'s> {
    match value {
        Value::Array(_) => Value::Array(Vec::new()),
        Value::Object(_) => Value::Object(Vec::new()),
        scalar => scalar.clone(),
    }
}

/// The cost of a copy, in values of the budget, and its nesting depth.
///
/// The length of strings is part of the cost. Otherwise a long string could be copied as often as a short one.
fn measure(node: &Node<'_>) -> (usize, usize) {
    let text = |text: &Cow<'_, str>| match text {
        Cow::Owned(text) => text.len() / 16,
        Cow::Borrowed(text) => text.len() / 256,
    };
    let mut weight = 1;
    let mut height = 0;
    let mut add = |node: &Node<'_>| {
        let (inner, levels) = measure(node);
        weight += inner;
        height = height.max(levels);
    };
    node.items().iter().for_each(&mut add);
    node.members().iter().for_each(|member| add(&member.value));
    weight += node.members().iter().map(|member| text(&member.key)).sum::<usize>();
    match &node.value {
        Value::Array(_) | Value::Object(_) => (weight, height + 1),
        Value::String(own) => (weight + text(own), 0),
        _ => (weight, 0),
    }
}
