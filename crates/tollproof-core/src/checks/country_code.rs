//! `country-code`: a value that is not the code of a country.

use tollproof_data::provider::forms::Form;
use tollproof_data::tables::{countries, regions};

use crate::checks::{Context, Place, Violation};
use crate::finding::{Safety, Severity};
use crate::provider::kind::KindRole;
use crate::provider::role;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?;
    if let Some(form) = context.kind.form(place.role) {
        return unknown(text, form).then(Violation::default);
    }
    match context.kind.role() {
        KindRole::Search => search_country(node, text, context),
        _ => country(node, text, context, place.role == role::BUSINESS_COUNTRY),
    }
}

/// Whether a text in the form that the provider wants names no country. `country-form` reports other forms.
fn unknown(text: &str, form: Form) -> bool {
    let letters = text.trim().chars().count();
    let has_form = match form {
        Form::Alpha2 => letters == 2,
        Form::Alpha3 => letters == 2 || letters == 3,
        _ => letters > 0,
    };
    has_form && countries::alpha2_of(text).is_none()
}

/// The API requires `US` or `CA`, and other tools write names: in `businessCountry`, a name that is understood is
/// only an info.
fn country(node: &Node<'_>, text: &str, context: &Context<'_>, lenient: bool) -> Option<Violation> {
    if countries::is_alpha2(text) {
        return None;
    }
    let Some(code) = countries::alpha2_of(text) else {
        return Some(Violation::default());
    };
    let severity = lenient.then_some(Severity::Info);
    let name = text.trim();
    let message = Some(if name.eq_ignore_ascii_case(code) {
        message!("`{}` is not spelled exactly like the country code `{}`", name, Message::name(code))
    } else {
        message!("`{}` is not a two-letter country code", name)
    });
    // Georgia is a country and a US state.
    let is_state = name.len() > 2 && regions::find("US", name).is_some();
    let (help, safety) = if is_state {
        (
            message!(
                "Write `{}` for the country, or `US` for the state of the United States.",
                Message::name(code)
            ),
            Safety::Unsafe,
        )
    } else {
        (message!("Write `{}`.", Message::name(code)), Safety::Safe)
    };
    let violation = Violation {
        severity,
        message,
        help: Some(help),
        ..Violation::default().rewrite(context, node, code, safety)
    };
    Some(violation.around(node, code))
}

/// A number search expects `Canada` where an order expects `CA`.
fn search_country(node: &Node<'_>, text: &str, context: &Context<'_>) -> Option<Violation> {
    if matches!(text, "US" | "Canada") {
        return None;
    }
    let message = Some(match text.trim() {
        "" => "this search has no country".into(),
        name => message!("`{}` is not a country that a search accepts", name),
    });
    let wanted = match countries::alpha2_of(text) {
        Some("US") => "US",
        Some("CA") => "Canada",
        _ => {
            let help = Some("Write `US` or `Canada`. A search accepts no other country.".into());
            return Some(Violation { message, help, ..Violation::default() });
        }
    };
    let help = Some(message!("Write `{}`. A search accepts only `US` or `Canada`.", Message::name(wanted)));
    let violation =
        Violation { message, help, ..Violation::default().rewrite(context, node, wanted, Safety::Safe) };
    Some(violation.around(node, wanted))
}
