//! The meanings of the values of a provider's closed list, by the values that the role has at the default
//! provider.

use serde::{Deserialize, Serialize};

use crate::encoded::Encoded;
use crate::suggest::bare;

/// The meanings of one role's values.
#[derive(Debug, Serialize, Deserialize)]
pub struct ValueMap {
    pub role: &'static str,
    /// Each value of the provider with what it means.
    values: Encoded<Vec<(&'static str, Encoded<ValueMeaning>)>>,
    /// Listed values, each with other words for it, in the normalized form that [`bare`] makes.
    pub aliases: Encoded<Vec<(&'static str, Vec<&'static str>)>>,
}

/// The meaning of one value of a provider.
#[derive(Debug, Serialize, Deserialize)]
pub struct ValueMeaning {
    pub value: &'static str,
    /// The values with the same meaning.
    pub exact: Vec<&'static str>,
    /// The values that it covers, and more.
    pub near: Vec<&'static str>,
    /// The values for which it is the best of the provider's list.
    pub loose: Vec<&'static str>,
    /// All of these in one text, for rules that compare topics.
    pub words: &'static str,
}

impl ValueMap {
    pub fn new(
        role: &'static str,
        values: impl Iterator<Item = ValueMeaning>,
        aliases: Vec<(&'static str, Vec<&'static str>)>,
    ) -> Self {
        let values: Vec<_> = values.map(|it| (it.value, it.into())).collect();
        Self { role, values: values.into(), aliases: aliases.into() }
    }

    /// The value of the provider that other words mean; `known` is the value of the default provider that they mean.
    pub fn meant(&self, words: &str, known: Option<&str>) -> Option<&'static str> {
        let bare = bare(words);
        let by_alias =
            self.aliases.iter().find(|(_, names)| names.contains(&bare.as_str())).map(|(value, _)| *value);
        let by = |list: fn(&ValueMeaning) -> &[&'static str]| {
            let is_it = |value: &&str| known == Some(*value) || *value == words;
            self.meanings().find(|meaning| list(meaning).iter().any(&is_it)).map(|it| it.value)
        };
        by_alias.or_else(|| by(|meaning| &meaning.exact)).or_else(|| by(|meaning| &meaning.near))
    }

    /// Finds the meaning of a provider's value.
    pub fn meaning(&self, value: &str) -> Option<&ValueMeaning> {
        self.values.iter().find(|(it, _)| *it == value).map(|(_, meaning)| &**meaning)
    }

    /// Lists the meanings of the provider's values.
    pub fn meanings(&self) -> impl Iterator<Item = &ValueMeaning> {
        self.values.iter().map(|(_, meaning)| &**meaning)
    }
}
