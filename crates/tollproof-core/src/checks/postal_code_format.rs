//! `postal-code-format`: a value that is not a postal code of its country.

use tollproof_data::tables::postal;

use crate::checks::address::{WithZero, lost_zero, name, north_american};
use crate::checks::{Context, Place, Violation};
use crate::finding::Safety;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?;
    let country = north_american(context)?;
    match lost_zero(text, context) {
        Some(lost) => Some(without_zero(lost, node, text, context)),
        None => postal_code(text, country),
    }
}

/// Reports a postal code with an invalid form, or with a prefix that is not in use.
fn postal_code(text: &str, country: &str) -> Option<Violation> {
    let (is_known, shape) = if country == "US" {
        let prefix = postal::parse_zip(text);
        if prefix.is_some_and(|prefix| postal::zip_states(prefix).is_empty()) {
            let start = text.trim().get(..3).unwrap_or_default();
            let message = Some(message!("no ZIP code begins with `{}`", start));
            let help = "Write the ZIP code of the address. The first three digits must be in use.";
            return Some(Violation { message, help: Some(help.into()), ..Violation::default() });
        }
        (prefix.is_some(), "12345 or 12345-6789, with leading zeros")
    } else {
        let is_known = postal::parse_postal_code(text).is_some();
        (is_known, "A1A 1A1, with alternating letters and digits, without D, F, I, O, Q and U")
    };
    (!is_known).then(|| {
        Violation::default().fill("where", Message::own(name(country))).fill("shape", Message::own(shape))
    })
}

/// Reports a ZIP code that lost its leading zeros.
fn without_zero(lost: WithZero, node: &Node<'_>, text: &str, context: &Context<'_>) -> Violation {
    let WithZero { zip, state } = lost;
    let message = Some(message!("`{}` has lost its leading zero: ZIP codes have five digits", text.trim()));
    let help = Some(message!("Write `{}`: in {} ZIP codes begin with a zero.", zip, Message::own(state)));
    Violation { message, help, ..Violation::default().rewrite(context, node, &zip, Safety::Unsafe) }
}
