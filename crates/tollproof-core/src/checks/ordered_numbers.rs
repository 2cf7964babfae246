//! `not-toll-free`, `ordered-number-format`: the numbers of an order.

use tollproof_data::provider::forms::Form;
use tollproof_data::tables::area_codes::{self, Area};

use crate::checks::{Context, Place, Violation};
use crate::finding::{Safety, Severity};
use crate::provider::role;
use crate::syntax::message::{Message, message};
use crate::validators::phone;

/// `not-toll-free`: an ordered +1 number that is not toll-free.
pub(super) fn not_toll_free(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    let digits = text.strip_prefix("+1")?;
    let national = Some(digits)
        .filter(|digits| digits.len() == 10 && digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let code = &national[..3];
    let toll_free = area_codes::area(code.parse().ok()?) == Some(Area::TollFree);
    if toll_free || !is_written_out(place, context) {
        return None;
    }
    // Other numbers can be bought, but they cannot be verified.
    let severity = (place.role == role::PHONE_NUMBERS).then_some(Severity::Error);
    let violation = Violation { severity, ..Violation::default() };
    Some(violation.fill("code", code))
}

/// `ordered-number-format`: an ordered number that is not written as `+` and digits, or a +1 number without ten digits.
pub(super) fn ordered_number_format(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    if !is_written_out(place, context) {
        return None;
    }
    let violation = Violation::default();
    let violation = violation.fill("reason", Message::own(order_fault(text)?));
    let Ok(number) = phone::parse(text, None) else { return Some(violation) };
    // The fix is safe only for ten digits, which are a number of the US or Canada; a person should check any
    // other.
    let safety = if number.area.is_some() { Safety::Safe } else { Safety::Unsafe };
    let help = Some(message!("Write `{}`.", number.e164));
    let violation = Violation { help, ..violation.rewrite(context, node, &number.e164, safety) };
    Some(violation.around(node, &number.e164))
}

/// Whether a number is written with its digits, and not as an identifier.
fn is_written_out(place: &Place<'_>, context: &Context<'_>) -> bool {
    place.role != role::PHONE_NUMBERS || context.kind.form(role::PHONE_NUMBERS) == Some(Form::E164)
}

/// Explains why a number cannot be ordered as it is written.
fn order_fault(text: &str) -> Option<&'static str> {
    if text.contains([',', ';']) {
        return Some("it contains more than one number");
    }
    let Some(digits) = text.strip_prefix('+') else {
        return Some("it does not begin with +");
    };
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return Some("only digits may follow the +");
    }
    let national = digits.strip_prefix('1')?;
    if national.len() != 10 {
        return Some("a +1 number has exactly ten digits after the 1");
    }
    (national.as_bytes()[3] < b'2')
        .then_some("the digit after the area code is 0 or 1, which no +1 number has")
}
