//! The columns of tables that users map to fields.

use std::collections::BTreeMap;

use tollproof_data::suggest::bare;

/// The fields of columns that have names of their own. Case, whitespace and separators do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnNames(BTreeMap<String, String>);

impl FromIterator<(String, String)> for ColumnNames {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(columns: I) -> Self {
        Self(columns.into_iter().map(|(column, field)| (bare(&column), field)).collect())
    }
}

impl ColumnNames {
    /// The field that a column means, if it has a name of its own.
    pub(crate) fn field(&self, column: &str) -> Option<&str> {
        if self.0.is_empty() { None } else { self.0.get(&bare(column)).map(String::as_str) }
    }
}
