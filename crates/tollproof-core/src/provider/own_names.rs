//! Texts of rules in the names of a provider: its fields, and its values of the use case.

use std::borrow::Cow;

use serde_json::{Map, Value};
use tollproof_data::provider::schema::shape::Shape;

use super::kind::{Kind, KindRole};
use super::{role, schema};
use crate::prepared::PREPARED;

impl Kind {
    /// A text of a rule with the provider's names for the fields and use cases in backticks. A sentence about one that the
    /// provider does not have is left out, unless nothing would be left.
    pub fn in_own_names(self, text: &str) -> Cow<'_, str> {
        if self.is_default() || !text.contains('`') {
            return text.to_owned().into();
        }
        let sentences: Vec<(String, bool)> = text.split_inclusive(". ").map(|it| self.sentence(it)).collect();
        let fitting: String = sentences.iter().filter(|(_, fits)| *fits).map(|(it, _)| it.as_str()).collect();
        match fitting.trim_end() {
            "" => sentences.into_iter().map(|(it, _)| it).collect::<String>().into(),
            fitting => fitting.to_owned().into(),
        }
    }

    /// The same, with every sentence; what the provider does not have keeps its name.
    pub fn with_own_names(self, text: &str) -> String {
        self.sentence(text).0
    }

    /// An example of a rule with the provider's fields and use cases, without fields that the provider does not have. `None`
    /// if the provider does not have the use case.
    pub fn with_own_fields(self, example: &Value) -> Option<Value> {
        let fields = match example {
            Value::Array(all) => return all.iter().map(|it| self.with_own_fields(it)).collect(),
            Value::Object(fields) if !self.is_default() => fields,
            other => return Some(other.clone()),
        };
        let mut own = Value::Object(Map::new());
        for (role, value) in fields.iter().filter(|(role, _)| self.data().path(role).is_some()) {
            let value = match value.as_str().filter(|_| role == role::USE_CASE) {
                Some(use_case) => self.own_use_case(use_case)?.into(),
                None => value.clone(),
            };
            self.put(&mut own, role, value);
        }
        Some(own)
    }

    /// The name that the provider has for a field or a value of the use case, by its name at the default provider. `None` if
    /// the provider does not have it.
    fn own_name(self, name: &str) -> Option<&str> {
        if listed(Kind::of(KindRole::Submit)).iter().any(|it| it == name) {
            return self.own_use_case(name);
        }
        if PREPARED.roles.all.contains(&name) && self.is_request() {
            self.data().path(name).map(|path| path.name)
        } else {
            Some(self.field_name(name))
        }
    }

    fn own_use_case(self, meant: &str) -> Option<&'static str> {
        let own = listed(self);
        let same = own.iter().find(|it| *it == meant).map(String::as_str);
        let Some(map) = self.value_map(role::USE_CASE) else { return same };
        let exact = map.meanings().find(|it| it.exact.contains(&meant));
        exact.or_else(|| map.meanings().find(|it| it.near.contains(&meant))).map(|it| it.value).or(same)
    }

    /// A sentence in the provider's names, and whether the provider has all that it names.
    fn sentence(self, sentence: &str) -> (String, bool) {
        let mut fits = true;
        let mut name = |at: usize, part: &str| match at % 2 {
            1 => self.own_name(part).map(str::to_owned).unwrap_or_else(|| {
                fits = false;
                self.field_name(part).to_owned()
            }),
            _ => part.to_owned(),
        };
        let parts: Vec<String> = sentence.split('`').enumerate().map(|(at, part)| name(at, part)).collect();
        (parts.join("`"), fits)
    }

    /// The role of a field by the name that documents of this kind have for it, or by its own.
    pub fn role_named(self, name: &str) -> Option<&'static str> {
        let is_it = |kind: Kind, role: &str| {
            let paths = kind.data().paths(role);
            paths.iter().any(|(_, path)| path.name == name || path.last_key() == Some(name))
        };
        let mut spellings = (0..self.provider().spellings()).map(|spelling| self.spelled(spelling));
        let by_name = |role: &&'static str| *role == name;
        self.roles()
            .find(by_name)
            .or_else(|| spellings.find_map(|kind| kind.roles().find(|it| is_it(kind, it))))
    }
}

/// The listed use cases of a kind.
fn listed(kind: Kind) -> &'static [String] {
    let steps: Vec<_> = match kind.data().path(role::USE_CASE) {
        Some(path) => path.steps.to_vec(),
        None => vec![Some(role::USE_CASE.into())],
    };
    match schema::shape(kind).at(steps.iter().map(Option::as_deref)) {
        Some(Shape::Text(text)) => &text.values,
        Some(Shape::List { item, .. }) => match item.as_ref() {
            Shape::Text(text) => &text.values,
            _ => &[],
        },
        _ => &[],
    }
}
