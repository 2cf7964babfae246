//! The path of a field in a payload: keys and lists from the root.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;

use crate::syntax::document::{Member, Node, push_token};

/// A key; or `None` for every item of a list.
pub(crate) type Step = Option<Cow<'static, str>>;

/// The steps of a path, few as they are.
pub(crate) type Steps = SmallVec<[Step; 2]>;

/// The steps from the root of a document to a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Path {
    /// `None` means every item of a list.
    #[serde(serialize_with = "written_steps", deserialize_with = "borrowed_steps")]
    pub(crate) steps: Steps,
    /// The keys joined by dots, as messages write the field: `company.name`.
    pub(crate) name: &'static str,
    /// Whether the value at this path is a list.
    pub(crate) is_list: bool,
    /// Whether the role is one value at the default provider, and here a list of them: each item is looked at.
    pub(crate) each: bool,
}

impl Path {
    /// The steps up to the first list: the field itself, or the list whose items contain the field.
    pub(crate) fn to_field(&self) -> &[Step] {
        let end = self.steps.iter().position(Option::is_none).unwrap_or(self.steps.len());
        &self.steps[..end]
    }

    /// Splits a rule's target that starts at this path and continues with `rest`: the steps to use of this path, and
    /// the steps of `rest` that remain. A step into a list is dropped if the path already contains it or its value is
    /// not a list.
    pub(crate) fn with_rest<'r>(&self, rest: &'r [Step]) -> (&[Step], &'r [Step]) {
        if self.each {
            return (&self.steps, rest);
        }
        let goes_into_list = rest.first().is_some_and(Option::is_none);
        match self.steps.iter().any(Option::is_none) {
            true if goes_into_list => (&self.steps, &rest[1..]),
            true => (self.to_field(), rest),
            false if goes_into_list && !self.is_list => (&self.steps, &rest[1..]),
            false => (&self.steps, rest),
        }
    }

    /// The field at this path, or the list that contains it, if the document has it.
    pub(crate) fn field<'n, 's>(&self, root: &'n Node<'s>) -> Option<&'n Node<'s>> {
        self.to_field().iter().try_fold(root, |node, step| node.get(step.as_deref()?))
    }

    /// As [`Self::field`], whatever the case of the keys.
    pub(crate) fn field_in_any_case<'n, 's>(&self, root: &'n Node<'s>) -> Option<&'n Node<'s>> {
        self.to_field().iter().try_fold(root, |node, step| {
            let step = step.as_deref()?;
            let is_it = |member: &&Member<'_>| member.key.eq_ignore_ascii_case(step);
            node.members().iter().find(is_it).map(|member| &member.value)
        })
    }

    /// All values at this path; for a path through a list, one for each item.
    pub(crate) fn values<'n, 's>(&self, root: &'n Node<'s>) -> Vec<&'n Node<'s>> {
        values(&self.steps, root)
    }

    /// Hands over all values at this path.
    pub(crate) fn visit<'n, 's>(&self, root: &'n Node<'s>, see: &mut dyn FnMut(&'n Node<'s>)) {
        visit(&self.steps, root, see);
    }

    /// All values at this path, starting from its list instead of the root.
    pub(crate) fn items<'n, 's>(&self, list: &'n Node<'s>) -> Vec<&'n Node<'s>> {
        match &self.steps[self.to_field().len()..] {
            [] => list.items().iter().collect(),
            steps => values(steps, list),
        }
    }

    /// Whether a string is in the place of the list of this path.
    pub(crate) fn lacks_list(&self, root: &Node<'_>) -> bool {
        self.steps.contains(&None) && self.field(root).is_some_and(|node| node.as_str().is_some())
    }

    /// The name of the field in its object.
    pub(crate) fn last_key(&self) -> Option<&str> {
        self.steps.iter().rev().flatten().next().map(AsRef::as_ref)
    }

    /// The RFC 6901 pointer of the field.
    pub(crate) fn pointer(&self) -> String {
        let mut pointer = String::new();
        self.to_field().iter().flatten().for_each(|key| push_token(&mut pointer, key));
        pointer
    }

    /// Whether the field is in an object with this name, as [`Self::name`] is written.
    pub(crate) fn is_below(&self, object: &str) -> bool {
        self.name.strip_prefix(object).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether an RFC 6901 pointer leads to the field, to one of its items, or to a value inside it.
    pub(crate) fn covers(&self, pointer: &str) -> bool {
        let mut pairs = self.steps.iter().zip(pointer.split('/').skip(1));
        pointer.matches('/').count() >= self.to_field().len()
            && pairs.all(|(step, token)| step.as_deref().is_none_or(|key| unescaped(token) == key))
    }
}

/// All values that steps from a node lead to.
fn values<'n, 's>(steps: &[Step], from: &'n Node<'s>) -> Vec<&'n Node<'s>> {
    let mut values = Vec::new();
    visit(steps, from, &mut |node| values.push(node));
    values
}

/// Hands over all values that steps from a node lead to.
fn visit<'n, 's>(steps: &[Step], from: &'n Node<'s>, see: &mut dyn FnMut(&'n Node<'s>)) {
    match steps.split_first() {
        None => see(from),
        Some((Some(key), rest)) => from.get(key).into_iter().for_each(|node| visit(rest, node, see)),
        // One value may be written without its list.
        Some((None, rest)) if from.as_str().is_some() => visit(rest, from, see),
        Some((None, rest)) => from.items().iter().for_each(|node| visit(rest, node, see)),
    }
}

/// Decodes a token of an RFC 6901 pointer.
fn unescaped(token: &str) -> Cow<'_, str> {
    match token.contains('~') {
        true => token.replace("~1", "/").replace("~0", "~").into(),
        false => token.into(),
    }
}

/// Serializes steps as one text, a line each; a line with [`ITEMS`] is every item of a list.
pub(crate) fn written_steps<S: Serializer>(steps: &Steps, serializer: S) -> Result<S::Ok, S::Error> {
    let lines: Vec<&str> = steps.iter().map(|step| step.as_deref().unwrap_or(ITEMS)).collect();
    serializer.serialize_str(&lines.join("\n"))
}

/// No key is written so in a path.
const ITEMS: &str = "[*]";

/// Deserializes steps without copying their keys: the encoded bytes are static.
pub(crate) fn borrowed_steps<'de: 'static, D: Deserializer<'de>>(deserializer: D) -> Result<Steps, D::Error> {
    let text = <&'static str>::deserialize(deserializer)?;
    let step = |line: &'static str| (line != ITEMS).then_some(Cow::Borrowed(line));
    // Most paths are one key, and are not searched for the end of a line.
    match text.as_bytes().contains(&b'\n') {
        false if text.is_empty() => Ok(Steps::new()),
        false => Ok(Steps::from_iter([step(text)])),
        true => Ok(text.split('\n').map(step).collect()),
    }
}
