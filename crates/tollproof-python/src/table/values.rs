//! Rows of results as values of Python, for callers without a library for Arrow.

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array, StructArray};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A row as a dictionary.
pub(super) fn row<'py>(py: Python<'py>, rows: &StructArray, at: usize) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    for (field, column) in rows.fields().iter().zip(rows.columns()) {
        row.set_item(field.name(), cell(py, column, at)?)?;
    }
    Ok(row)
}

/// A value of one of the types that results have.
fn cell<'py>(py: Python<'py>, column: &dyn Array, at: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(at) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(at).into_pyobject(py)?.into_any(),
        DataType::Struct(_) => row(py, column.as_struct(), at)?.into_any(),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(at);
            let list = PyList::empty(py);
            for item in 0..items.len() {
                list.append(cell(py, &items, item)?)?;
            }
            list.into_any()
        }
        _ => column.as_string::<i32>().value(at).into_pyobject(py)?.into_any(),
    })
}
