//! The numbers that the rows of a table name, by which engines of tables find rows with the same one.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use pyo3::prelude::*;
use tollproof_core::{Batch, Parsed};
use tollproof_project::Session;

use super::plan::{RowPlan, RowText};
use super::results::{ResultTable, number_fields};
use super::{TableOptions, UNIT_ROWS, read_table, unreadable};
use crate::errors;
use crate::settings::row_file;

/// The numbers of each row, in the spelling in which they are compared. Rows that are not submissions have none.
pub(crate) fn table_numbers(
    py: Python<'_>,
    session: &Session,
    table: &Bound<'_, PyAny>,
    options: &TableOptions,
) -> PyResult<ResultTable> {
    let mut reader = read_table(table)?;
    let plan = RowPlan::of(&reader.field(), options)?;
    let file = row_file();
    let config = session.config_of(&file).map_err(errors::of_project)?;
    let hint = session.kind_hint(&config, &file);
    let mut lists = ListBuilder::new(StringBuilder::new());
    while let Some(rows) = py.detach(|| reader.next()) {
        let rows = rows.map_err(|error| unreadable(&error))?;
        for at in (0..rows.len()).step_by(UNIT_ROWS) {
            let unit = rows.slice(at, UNIT_ROWS.min(rows.len() - at));
            py.check_signals()?;
            py.detach(|| -> PyResult<()> {
                for row in plan.texts(&unit, false)? {
                    let mut numbers = Batch::default();
                    if let Some(RowText { text, .. }) = row {
                        let source = text.source.with_columns(Arc::clone(&config.columns));
                        numbers.read(&Parsed::of(&source, text.format), hint);
                    }
                    let mut names: Vec<&str> = numbers.mentions().map(|(name, _)| name).collect();
                    names.sort_unstable();
                    names.into_iter().for_each(|name| lists.values().append_value(name));
                    lists.append(true);
                }
                Ok(())
            })?;
        }
    }
    Ok(ResultTable::of(number_fields(), vec![Arc::new(lists.finish())]))
}
