//! The names of a number, and the id that a provider gives it.

use serde_json::Value;
use tollproof_core::NumberKey;

use super::answer::text_at;
use super::api::Api;
use super::called::Called;
use super::error::Result;
use super::lists::list;
use super::operation::ApiOperation;
use super::template::Variables;

/// The names of a number, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberNames {
    /// In E.164.
    pub(crate) e164: Option<String>,
    /// The id that the provider gives it.
    pub(crate) id: Option<String>,
}

impl NumberNames {
    /// The names of a number as it is written in a draft.
    pub(crate) fn written(text: &str) -> Self {
        let key = NumberKey::of(text);
        if key.is_e164() {
            Self { e164: Some(key.into_string()), id: None }
        } else {
            Self { e164: None, id: Some(text.trim().to_owned()) }
        }
    }

    /// The names among the replacements for placeholders.
    pub(crate) fn of_variables(variables: &Variables) -> Self {
        Self { e164: variables.get("number").cloned(), id: variables.get("number-id").cloned() }
    }

    /// The names of a number in a list.
    pub(crate) fn listed(operation: &ApiOperation, item: &Value) -> Self {
        let text = |name: &str| operation.item.get(name).and_then(|path| text_at(item, path));
        Self { e164: text("number").map(|number| NumberKey::of(&number).into_string()), id: text("id") }
    }

    /// Whether they are those of a number in a list.
    pub(crate) fn are_of(&self, operation: &ApiOperation, item: &Value) -> bool {
        let Self { e164, id } = Self::listed(operation, item);
        [e164, id].into_iter().flatten().any(|name| self.is(&name))
    }

    /// Whether a text is one of the names.
    pub(crate) fn is(&self, name: &str) -> bool {
        let key = NumberKey::of(name);
        [&self.e164, &self.id].into_iter().flatten().any(|it| NumberKey::of(it) == key)
    }

    /// Replacements for placeholders of operations.
    pub(crate) fn variables(&self) -> Variables {
        let mut variables = Variables::new();
        if let Some(e164) = &self.e164 {
            variables.insert("number".to_owned(), e164.clone());
            variables.insert("digits".to_owned(), e164.trim_start_matches('+').to_owned());
            variables.insert("national".to_owned(), e164.trim_start_matches("+1").to_owned());
        }
        variables.extend(self.id.iter().map(|id| ("number-id".to_owned(), id.clone())));
        variables
    }
}

/// The result of a look for the names of a number.
pub(crate) enum Resolved {
    /// The names.
    Names(NumberNames),
    /// The account does not have the number.
    NotOwned,
    /// The provider did not answer.
    Failed(Called),
}

/// Completes the names of a number with those that the provider knows, if it can be asked.
pub(crate) fn resolve(api: &Api, names: NumberNames) -> Result<Resolved> {
    let Some(owned) =
        api.file().operations.owned.as_ref().filter(|operation| api.can("owned", Some(operation)))
    else {
        return Ok(Resolved::Names(names));
    };
    let numbers = match list(api, "owned", owned, &names.variables())? {
        Ok(numbers) => numbers,
        Err(called) => return Ok(Resolved::Failed(called)),
    };
    for item in &numbers {
        let found = NumberNames::listed(owned, item);
        let is_same = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
        if is_same(&found.e164, &names.e164) || is_same(&found.id, &names.id) {
            return Ok(Resolved::Names(found));
        }
    }
    Ok(Resolved::NotOwned)
}
