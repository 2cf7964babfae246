//! Values of Python as JSON text.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::errors;

/// Values that are nested deeper are refused: they may contain themselves. A draft has at most 64 levels.
const MAX_DEPTH: usize = 200;

/// Longer pointers are not shown in errors, in bytes.
const MAX_POINTER: usize = 120;

/// A JSON fault in a value, and the pointer to its part.
struct NotJson {
    pointer: String,
    why: String,
}

/// The JSON text of a value that consists of dictionaries, lists, strings, numbers, booleans and `None`. `what` names the
/// value in errors.
pub(crate) fn json_text(value: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
    let mut text = String::new();
    match write(value, 0, &mut text) {
        Ok(()) => Ok(text),
        Err(NotJson { pointer, why }) => {
            // A value that contains itself has a very long one.
            let is_shown = !pointer.is_empty() && pointer.len() <= MAX_POINTER;
            let place = if is_shown { format!(" at {pointer}") } else { String::new() };
            let help = "Use dictionaries, lists, strings, numbers, booleans and None.";
            Err(errors::invalid(format!("{what} is not JSON{place}: {why}"), help))
        }
    }
}

fn write(value: &Bound<'_, PyAny>, depth: usize, text: &mut String) -> Result<(), NotJson> {
    if depth > MAX_DEPTH {
        return Err(problem(format!("more than {MAX_DEPTH} levels, or a value that contains itself")));
    }
    if value.is_none() {
        text.push_str("null");
    } else if let Ok(value) = value.cast::<PyBool>() {
        text.push_str(if value.is_true() { "true" } else { "false" });
    } else if let Ok(value) = value.cast::<PyString>() {
        write_string(&string(value)?, text);
    } else if let Ok(value) = value.cast::<PyInt>() {
        write_int(value, text)?;
    } else if let Ok(value) = value.cast::<PyFloat>() {
        write_float(value.value(), text)?;
    } else if let Ok(value) = value.cast::<PyDict>() {
        write_dict(value, depth, text)?;
    } else if let Ok(value) = value.cast::<PyList>() {
        write_items(value.iter(), depth, text)?;
    } else if let Ok(value) = value.cast::<PyTuple>() {
        write_items(value.iter(), depth, text)?;
    } else if let Ok(value) = value.extract::<i64>() {
        // Whole numbers of numpy.
        text.push_str(&value.to_string());
    } else {
        let name = value.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string());
        return Err(problem(format!("a value of type {name}")));
    }
    Ok(())
}

fn write_dict(value: &Bound<'_, PyDict>, depth: usize, text: &mut String) -> Result<(), NotJson> {
    text.push('{');
    // The keys are copied first, because the type of a value can run code that changes the dictionary.
    for (at, key) in value.keys().iter().enumerate() {
        let Ok(key) = key.cast::<PyString>() else {
            return Err(problem("a key that is not a string".to_owned()));
        };
        let Ok(Some(item)) = value.get_item(key) else { continue };
        if at > 0 {
            text.push(',');
        }
        let name = string(key)?;
        write_string(&name, text);
        text.push(':');
        write(&item, depth + 1, text).map_err(|it| it.inside(&name))?;
    }
    text.push('}');
    Ok(())
}

fn write_items<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    depth: usize,
    text: &mut String,
) -> Result<(), NotJson> {
    text.push('[');
    for (at, item) in items.enumerate() {
        if at > 0 {
            text.push(',');
        }
        write(&item, depth + 1, text).map_err(|error| error.inside(&at.to_string()))?;
    }
    text.push(']');
    Ok(())
}

fn write_int(value: &Bound<'_, PyInt>, text: &mut String) -> Result<(), NotJson> {
    if let Ok(value) = value.extract::<i64>() {
        text.push_str(&value.to_string());
        return Ok(());
    }
    let digits = value.py().get_type::<PyInt>().call_method1("__repr__", (value,));
    let digits = digits.and_then(|it| it.extract::<String>());
    text.push_str(&digits.map_err(|_| problem("an integer with too many digits".to_owned()))?);
    Ok(())
}

fn write_float(value: f64, text: &mut String) -> Result<(), NotJson> {
    if !value.is_finite() {
        let name = if value.is_nan() { "NaN" } else { "an infinite number" };
        return Err(problem(format!("{name}; use None for a missing value")));
    }
    let number = serde_json::Number::from_f64(value).map(|it| it.to_string());
    text.push_str(&number.unwrap_or_default());
    Ok(())
}

fn write_string(value: &str, text: &mut String) {
    text.push_str(&serde_json::to_string(value).unwrap_or_default());
}

/// A string as UTF-8.
fn string<'v>(value: &'v Bound<'_, PyString>) -> Result<Cow<'v, str>, NotJson> {
    value.to_cow().map_err(|_| problem("a string with a lone surrogate, which is not text".to_owned()))
}

fn problem(why: String) -> NotJson {
    NotJson { pointer: String::new(), why }
}

impl NotJson {
    fn inside(self, key: &str) -> Self {
        let key = tollproof_core::Pointer::escape(key);
        Self { pointer: format!("/{key}{}", self.pointer), ..self }
    }
}
