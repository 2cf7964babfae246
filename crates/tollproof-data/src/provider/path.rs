//! The path of a field in a payload: keys and lists from the root.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::{SmallVec, smallvec};

use crate::pointer::{push_token, unescaped};

/// A key; or `None` for every item of a list.
pub type Step = Option<Cow<'static, str>>;

/// The steps of a path, few as they are.
pub type Steps = SmallVec<[Step; 2]>;

/// The steps from the root of a document to a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// `None` means every item of a list.
    #[serde(serialize_with = "written_steps", deserialize_with = "borrowed_steps")]
    pub steps: Steps,
    /// The keys joined by dots, as messages write the field: `company.name`.
    pub name: &'static str,
    /// Whether the value at this path is a list.
    pub is_list: bool,
    /// Whether the role is one value at the default provider, and here a list of them: each item is looked at.
    pub each: bool,
}

impl Path {
    /// The steps up to the first list: the field itself, or the list whose items contain the field.
    pub fn to_field(&self) -> &[Step] {
        let end = self.steps.iter().position(Option::is_none).unwrap_or(self.steps.len());
        &self.steps[..end]
    }

    /// Splits a rule's target that starts at this path and continues with `rest`: the steps to use of this path, and
    /// the steps of `rest` that remain. A step into a list is dropped if the path already contains it or its value is
    /// not a list.
    pub fn with_rest<'r>(&self, rest: &'r [Step]) -> (&[Step], &'r [Step]) {
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

    /// The name of the field in its object.
    pub fn last_key(&self) -> Option<&str> {
        self.steps.iter().rev().flatten().next().map(AsRef::as_ref)
    }

    /// The RFC 6901 pointer of the field.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        self.to_field().iter().flatten().for_each(|key| push_token(&mut pointer, key));
        pointer
    }

    /// Whether the field is in an object with this name, as [`Self::name`] is written.
    pub fn is_below(&self, object: &str) -> bool {
        self.name.strip_prefix(object).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Whether an RFC 6901 pointer leads to the field, to one of its items, or to a value inside it.
    pub fn covers(&self, pointer: &str) -> bool {
        let mut pairs = self.steps.iter().zip(pointer.split('/').skip(1));
        pointer.matches('/').count() >= self.to_field().len()
            && pairs.all(|(step, token)| step.as_deref().is_none_or(|key| unescaped(token) == key))
    }
}

/// Serializes steps as one text: a single one as it is, several each after a line break. `ITEMS` is every item of a list.
pub fn written_steps<S: Serializer>(steps: &Steps, serializer: S) -> Result<S::Ok, S::Error> {
    let separator = if steps.len() > 1 { "\n" } else { "" };
    let text: String = steps.iter().flat_map(|step| [separator, step.as_deref().unwrap_or(ITEMS)]).collect();
    serializer.serialize_str(&text)
}

/// No key is written so in a path.
const ITEMS: &str = "[*]";

/// Deserializes steps without copying their keys: the encoded bytes are static.
pub fn borrowed_steps<'de: 'static, D: Deserializer<'de>>(deserializer: D) -> Result<Steps, D::Error> {
    let text = <&'static str>::deserialize(deserializer)?;
    let step = |line: &'static str| (line != ITEMS).then_some(Cow::Borrowed(line));
    // Most paths are one key, and are not searched for line breaks.
    Ok(match text.strip_prefix('\n') {
        Some(lines) => lines.split('\n').map(step).collect(),
        None if text.is_empty() => Steps::new(),
        None => smallvec![step(text)],
    })
}
