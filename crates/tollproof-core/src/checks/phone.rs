//! `phone`: phone numbers.

use super::Violation;
use crate::checks::context::Context;
use crate::finding::Safety;
use crate::rule::check::{Phone, PhoneProblem};
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};
use crate::validators::area_codes::Area;
use crate::validators::phone;

pub(super) fn check(check: &Phone, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?;
    let violation = Violation::default().fill("value", text.trim());
    match check.problem {
        PhoneProblem::Malformed => {
            Some(violation.fill("reason", Message::own(phone::parse(text, context.country()).err()?)))
        }
        PhoneProblem::NotE164 => {
            let number = phone::parse(text, context.country()).ok()?;
            if number.e164 == text {
                return None;
            }
            // Ten digits of a US or Canadian number can be read in one way; elsewhere a person should look.
            let safety = if number.area.is_some() { Safety::Safe } else { Safety::Unsafe };
            let violation = violation.fill("e164", number.e164.as_str());
            Some(violation.rewrite(context, node, &number.e164, safety).around(node, &number.e164))
        }
        PhoneProblem::NotOrderable => {
            let violation = violation.fill("reason", Message::own(order_fault(text)?));
            let Ok(number) = phone::parse(text, None) else { return Some(violation) };
            // Ten digits are read as a number of the US or Canada; a person should look at any other.
            let safety = if number.area.is_some() { Safety::Safe } else { Safety::Unsafe };
            let help = Some(message!("Write `{}`.", number.e164));
            let violation = Violation { help, ..violation.rewrite(context, node, &number.e164, safety) };
            Some(violation.around(node, &number.e164))
        }
        PhoneProblem::Fictional => {
            let national = national(text, context)?;
            let fiction = &national[3..6] == "555" && &national[6..8] == "01";
            let one_digit = national[3..].bytes().all(|it| it == national.as_bytes()[3]);
            let row = national.ends_with("5551234") || national.ends_with("1234567");
            (fiction || one_digit || row).then_some(violation)
        }
        PhoneProblem::TollFree => {
            let number = phone::parse(text, context.country()).ok()?;
            (number.area == Some(Area::TollFree)).then_some(violation)
        }
        PhoneProblem::NotTollFree => {
            let national = text
                .strip_prefix("+1")
                .filter(|it| it.len() == 10 && it.bytes().all(|it| it.is_ascii_digit()))?;
            let code = national[..3].parse().ok()?;
            let toll_free = crate::validators::area_codes::area(code) == Some(Area::TollFree);
            (!toll_free).then(|| violation.fill("code", &national[..3]))
        }
    }
}

/// The ten digits of a number of the North American plan.
fn national(text: &str, context: &Context<'_>) -> Option<String> {
    let number = phone::parse(text, context.country()).ok()?;
    number.area.and_then(|_| number.e164.strip_prefix("+1").map(str::to_owned))
}

/// Why a number cannot be ordered as it is written.
fn order_fault(text: &str) -> Option<&'static str> {
    let Some(digits) = text.strip_prefix('+') else {
        return Some("it does not begin with +");
    };
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return Some("something other than digits follows its +");
    }
    let national = digits.strip_prefix('1')?;
    (national.len() != 10).then_some("a +1 number has exactly ten digits after the 1")
}
