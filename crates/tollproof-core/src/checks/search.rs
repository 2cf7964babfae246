//! `search`: invalid parameters of a search for available numbers.

use crate::checks::{Context, Place, Violation};
use crate::finding::{Safety, Severity};
use crate::provider::role;
use crate::syntax::document::Value;
use crate::syntax::message::{Message, message};

/// The only type of number in the API. Source: section 4.1 of the description of Bird's API.
const TYPE: &str = "tollfree";

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    match (&node.value, place.role) {
        (Value::Number(number), role::LIMIT) => {
            let least = number.parse::<i64>().ok().filter(|number| *number < 1)?;
            // Format the number again: it may be written as `-0`.
            Some(Violation::default().fill("value", Message::name(least.to_string())))
        }
        (Value::String(text), role::TYPE) if text != TYPE => {
            let message = Some(match text.trim() {
                "" => "this search has no type of number".into(),
                other => message!("`{}` is not a type of number that Bird's API names", other),
            });
            let help =
                Some(message!("Write `{}`, the only type that Bird's API names.", Message::name(TYPE)));
            let violation =
                Violation { severity: Some(Severity::Warning), message, help, ..Violation::default() };
            let is_right = text.trim() == TYPE;
            let violation =
                if is_right { violation.rewrite(context, node, TYPE, Safety::Safe) } else { violation };
            Some(violation.around(node, TYPE))
        }
        _ => None,
    }
}
