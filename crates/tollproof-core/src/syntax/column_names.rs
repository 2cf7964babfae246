//! The columns of tables that users map to fields.

use std::collections::BTreeMap;

/// The fields of columns that have names of their own. Case, whitespace and separators do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnNames(BTreeMap<String, String>);

/// The letters and digits of a name without case. Spellings of one name differ only in the others.
pub(crate) fn plain_name(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl FromIterator<(String, String)> for ColumnNames {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(columns: I) -> Self {
        Self(columns.into_iter().map(|(column, field)| (plain_name(&column), field)).collect())
    }
}

impl ColumnNames {
    /// The field that a column means, if it has a name of its own.
    pub(crate) fn field(&self, column: &str) -> Option<&str> {
        if self.0.is_empty() { None } else { self.0.get(&plain_name(column)).map(String::as_str) }
    }
}
