//! `search`: the parameters of a search for available numbers.

use super::{Defect, Place};
use crate::document::{Node, Value};
use crate::finding::Severity;

pub(super) fn look(node: &Node<'_>, place: &Place<'_>) -> Option<Defect> {
    match (&node.value, place.field) {
        (Value::Number(number), "limit") => {
            let least = number.parse::<i64>().is_ok_and(|number| number < 1);
            least.then(|| Defect::default().fill("value", *number))
        }
        (Value::String(text), "type") if text != "tollfree" => {
            let message = Some(format!("`{text}` is not a type of number that the interface names"));
            let help = Some("Write `tollfree`, the only type it names.".to_owned());
            Some(Defect { severity: Some(Severity::Warning), message, help, ..Defect::default() })
        }
        _ => None,
    }
}
