//! What the values of a provider's closed list mean, by the values that the role has at the default provider.

use serde::{Deserialize, Serialize};

/// What the values of one role mean.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ValueMap {
    pub(crate) role: &'static str,
    pub(crate) values: Vec<ValueMeaning>,
    /// Listed values, each with other words for it, in the normalized form that [`bare`](crate::suggest::bare) makes.
    pub(crate) aliases: Vec<(&'static str, Vec<&'static str>)>,
}

/// What one value of a provider means.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ValueMeaning {
    pub(crate) value: &'static str,
    /// The values with the same meaning.
    pub(crate) exact: Vec<&'static str>,
    /// The values that it covers, and more.
    pub(crate) near: Vec<&'static str>,
    /// The values for which it is the best of the provider's list.
    pub(crate) loose: Vec<&'static str>,
    /// All of these in one text, for rules that compare topics.
    pub(crate) told: &'static str,
}

impl ValueMap {
    pub(crate) fn meaning(&self, value: &str) -> Option<&ValueMeaning> {
        self.values.iter().find(|it| it.value == value)
    }
}
