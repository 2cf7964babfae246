//! `not-toll-free`: an ordered +1 number that is not toll-free.

use tollproof_data::tables::area_codes::{self, Area};

use crate::checks::ordered_number_format::is_written_out;
use crate::checks::{Context, Place, Violation};
use crate::finding::Severity;
use crate::provider::role;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    let digits = text.strip_prefix("+1")?;
    let national = Some(digits).filter(|it| it.len() == 10 && it.bytes().all(|it| it.is_ascii_digit()))?;
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
