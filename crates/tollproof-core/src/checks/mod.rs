//! The checks: one file each, one row each in the list below.

// `build.rs` includes this module to prepare the built-in rules. It needs the parameters of checks, not their code,
// whose dependencies would have to be built first. `#[cfg(engine)]` marks what only the library contains.

mod absent;
mod already_submitted;
mod already_verified;
mod announced_keywords;
mod begins_with;
mod brand;
mod closed_list;
mod comment;
mod compare;
mod country_code;
mod country_form;
mod country_region;
mod declared_method;
mod duplicate_number;
mod ein;
mod email;
mod ended_submission;
mod fictional_phone;
mod forbid;
mod frame;
mod garbled_text;
mod handle;
mod invisible_characters;
mod known_value;
mod length;
mod name_in_brackets;
mod not_after;
mod not_toll_free;
mod open_submission;
mod ordered_number_format;
mod person_name;
mod phone_e164;
mod phone_format;
mod postal_code_format;
mod postal_code_region;
mod present;
mod registration_country;
mod registration_number;
mod repeated;
mod require;
mod required_by_provider;
mod reserved_number;
mod resubmission_due;
mod resubmission_not_allowed;
mod resubmission_overdue;
mod same_as;
mod same_domain;
mod search;
mod shouting;
mod state_abbreviation;
mod state_or_province;
mod surrounding_space;
mod template_slot;
mod template_variable;
mod toll_free;
mod topics;
mod url;
mod vetting_token;

#[cfg(engine)]
mod address;
pub(crate) mod condition;
#[cfg(engine)]
pub(crate) mod context;
#[cfg(engine)]
pub(crate) mod history;
mod hosts;
#[cfg(engine)]
pub(crate) mod house_schema;
#[cfg(engine)]
pub(crate) mod kind;
pub(crate) mod pattern;
mod rule_check;
#[cfg(engine)]
pub(crate) mod schema;
#[cfg(engine)]
mod slots;
mod spec;
mod system;
mod texts;
#[cfg(engine)]
mod violation;
#[cfg(engine)]
pub(crate) mod wordlists;
#[cfg(engine)]
mod wrong_type;

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

#[cfg(engine)]
use self::context::Context;
pub(crate) use self::rule_check::{RuleCheck, by_name};
pub(crate) use self::spec::LooksAt;
use self::spec::{CheckSpec, checks};
pub(crate) use self::system::{AnswerPart, IgnoreProblem, SystemCheck};
#[cfg(engine)]
pub(crate) use self::violation::{Place, Token, Trail, Violation};
#[cfg(engine)]
use self::violation::{RunCheck, SHOWN, labelled};
use crate::text::groups::Groups;
use crate::text::phrases::Phrases;
use crate::text::prefilter::PrefilterPattern;

checks! {
    "absent" => absent::Absent,
    "begins-with" => begins_with::BeginsWith,
    "already-submitted" => already_submitted::AlreadySubmitted,
    "already-verified" => already_verified::AlreadyVerified,
    "announced-keywords" => announced_keywords::AnnouncedKeywords,
    "brand" => brand::Brand,
    "closed-list" => closed_list::ClosedList,
    "comment" => comment::Comment,
    "compare" => compare::Compare,
    "country-code" => country_code::CountryCode,
    "country-form" => country_form::CountryForm,
    "country-region" => country_region::CountryRegion,
    "declared-method" => declared_method::DeclaredMethod,
    "duplicate-number" => duplicate_number::DuplicateNumber,
    "ein" => ein::Ein,
    "email" => email::Email,
    "ended-submission" => ended_submission::EndedSubmission,
    "fictional-phone" => fictional_phone::FictionalPhone,
    "forbid" => forbid::Forbid,
    "frame" => frame::Frames,
    "garbled-text" => garbled_text::GarbledText,
    "handle" => handle::Handle,
    "invisible-characters" => invisible_characters::InvisibleCharacters,
    "known-value" => known_value::KnownValue,
    "length" => length::Length,
    "name-in-brackets" => name_in_brackets::NameInBrackets,
    "not-after" => not_after::NotAfter,
    "not-toll-free" => not_toll_free::NotTollFree,
    "open-submission" => open_submission::OpenSubmission,
    "ordered-number-format" => ordered_number_format::OrderedNumberFormat,
    "person-name" => person_name::PersonName,
    "phone-e164" => phone_e164::PhoneE164,
    "phone-format" => phone_format::PhoneFormat,
    "postal-code-format" => postal_code_format::PostalCodeFormat,
    "postal-code-region" => postal_code_region::PostalCodeRegion,
    "present" => present::Present,
    "registration-country" => registration_country::RegistrationCountry,
    "registration-number" => registration_number::RegistrationNumber,
    "repeated" => repeated::Repeated,
    "require" => require::Require,
    "required-by-provider" => required_by_provider::RequiredByProvider,
    "reserved-number" => reserved_number::ReservedNumber,
    "resubmission-due" => resubmission_due::ResubmissionDue,
    "resubmission-not-allowed" => resubmission_not_allowed::ResubmissionNotAllowed,
    "resubmission-overdue" => resubmission_overdue::ResubmissionOverdue,
    "same-as" => same_as::SameAs,
    "same-domain" => same_domain::SameDomain,
    "search" => search::Search,
    "shouting" => shouting::Shouting,
    "state-abbreviation" => state_abbreviation::StateAbbreviation,
    "state-or-province" => state_or_province::StateOrProvince,
    "surrounding-space" => surrounding_space::SurroundingSpace,
    "template-slot" => template_slot::TemplateSlot,
    "template-variable" => template_variable::TemplateVariable,
    "toll-free" => toll_free::TollFree,
    "topics" => topics::Topics,
    "url" => url::Url,
    "vetting-token" => vetting_token::VettingToken,
}
