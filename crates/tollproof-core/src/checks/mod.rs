//! The work of each check: one file a check, or one for several that are closely related; one row each in
//! [`check`].
//!
//! Their names and parameters are in `tollproof_data::checks`.

mod address;
mod announced_keywords;
mod brand;
mod closed_list;
mod comment;
mod compare;
mod condition;
pub(crate) mod context;
mod country;
mod declared_method;
mod domain;
mod ein;
mod email;
mod forbid;
mod frame;
mod garbled_text;
pub(crate) mod history;
pub(crate) mod house_schema;
mod invisible_characters;
pub(crate) mod kind;
mod known_value;
mod later_samples;
mod length;
mod named_address;
mod names;
mod old_facts;
mod one_sample;
mod ordered_numbers;
mod other_field;
mod page;
mod page_consent;
mod page_finding;
mod page_sharing;
mod phones;
mod picture;
mod policy_name;
mod region;
mod registration;
mod repeated_address;
mod require;
mod required_by_provider;
pub(crate) mod schema;
mod search;
mod seen;
mod shouting;
mod slots;
mod submissions;
mod topics;
mod url;
mod values;
mod vetting_token;
mod violation;
pub(crate) mod wordlists;
mod wrong_type;

pub(crate) use tollproof_data::checks::{AnswerPart, Check, IgnoreProblem, LooksAt, SystemCheck};

use self::context::Context;
pub(crate) use self::named_address::NamedAddress;
pub(crate) use self::seen::naming_roles;
use self::slots::SlotKind;
pub(crate) use self::violation::{Place, PointerToken, Trail, Violation};
use self::violation::{SHOWN, labelled};

/// Finds what is wrong with the value at a place.
pub(crate) fn check(check: &Check, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    match check {
        Check::Absent(_) => values::absent(place, context),
        Check::AlreadySubmitted(_) => submissions::already_submitted(place, context),
        Check::AlreadyVerified(_) => submissions::already_verified(place, context),
        Check::AnnouncedKeywords(it) => announced_keywords::check(it, place, context),
        Check::BeginsWith(it) => values::begins_with(it, place, context),
        Check::Brand(it) => brand::check(it, place, context),
        Check::ClosedList(it) => closed_list::check(it, place, context),
        Check::Comment(_) => comment::check(place, context),
        Check::Compare(it) => compare::check(it, place, context),
        Check::CountryCode(_) => country::country_code(place, context),
        Check::CountryForm(_) => country::country_form(place, context),
        Check::CountryRegion(_) => country::country_region(place, context),
        Check::DeclaredMethod(it) => declared_method::check(it, place, context),
        Check::Domain(it) => domain::check(it, place, context),
        Check::DuplicateNumber(_) => submissions::duplicate(place, context),
        Check::Ein(_) => ein::check(place, context),
        Check::Email(it) => email::check(it, place, context),
        Check::EndedSubmission(_) => submissions::ended(place, context),
        Check::FictionalPhone(_) => phones::fictional(place, context),
        Check::Forbid(it) => forbid::check(it, place, context),
        Check::Frames(it) => frame::check(it, place, context),
        Check::GarbledText(_) => garbled_text::check(place, context),
        Check::Handle(_) => names::user_name(place, context),
        Check::InvisibleCharacters(_) => invisible_characters::check(place, context),
        Check::KnownValue(it) => known_value::check(it, place, context),
        Check::LaterSamples(it) => later_samples::check(it, place, context),
        Check::Length(it) => length::check(it, place, context),
        Check::NameInBrackets(_) => names::with_another(place, context),
        Check::NotAfter(it) => other_field::not_after(it, place, context),
        Check::NotTollFree(_) => ordered_numbers::not_toll_free(place, context),
        Check::NumberNamedTwice(_) => submissions::named_twice(place, context),
        Check::NumbersOfBusiness(_) => submissions::numbers_of_business(place, context),
        Check::OldFacts(_) => old_facts::check(place, context),
        Check::OneSample(it) => one_sample::check(it, place, context),
        Check::OpenSubmission(_) => submissions::open_with_other_data(place, context),
        Check::OrderedNumberFormat(_) => ordered_numbers::ordered_number_format(place, context),
        Check::Pages(it) => page::check(it, place, context),
        Check::PersonName(_) => names::not_a_person(place, context),
        Check::PhoneE164(_) => phones::not_e164(place, context),
        Check::PhoneFormat(_) => phones::malformed(place, context),
        Check::Picture(it) => picture::check(it, place, context),
        Check::PostalCodeFormat(_) => region::postal_code_format(place, context),
        Check::PostalCodeRegion(_) => region::postal_code_region(place, context),
        Check::Present(it) => values::present(it, place, context),
        Check::RegistrationCountry(it) => registration::registration_country(it, place, context),
        Check::RegistrationNumber(it) => registration::registration_number(it, place, context),
        Check::Repeated(_) => values::repeated(place, context),
        Check::RepeatedAddress(_) => repeated_address::check(place, context),
        Check::Require(it) => require::check(it, place, context),
        Check::RequiredByProvider(_) => required_by_provider::check(place, context),
        Check::RequiredByReviewers(_) => required_by_provider::by_reviewers(place, context),
        Check::ReservedNumber(_) => submissions::reserved(place, context),
        Check::ResubmissionDue(_) => submissions::answer_due(place, context),
        Check::ResubmissionNotAllowed(_) => submissions::rejected_for_good(place, context),
        Check::ResubmissionOverdue(_) => submissions::answer_overdue(place, context),
        Check::SameAs(it) => other_field::same_as(it, place, context),
        Check::SameDomain(it) => other_field::same_domain(it, place, context),
        Check::Search(_) => search::check(place, context),
        Check::Shouting(_) => shouting::check(place, context),
        Check::StateAbbreviation(_) => region::state_abbreviation(place, context),
        Check::StateOrProvince(_) => region::state_or_province(place, context),
        Check::SurroundingSpace(_) => values::surrounding_space(place, context),
        Check::TemplateSlot(_) => slots::template(SlotKind::Business, place, context),
        Check::TemplateVariable(_) => slots::template(SlotKind::Variable, place, context),
        Check::TollFree(_) => phones::toll_free(place, context),
        Check::Topics(it) => topics::check(it, place, context),
        Check::Url(it) => url::check(it, place, context),
        Check::VettingToken(_) => vetting_token::check(place, context),
    }
}
