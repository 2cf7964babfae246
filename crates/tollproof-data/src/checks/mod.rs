//! The checks: their names and parameters, as rule files write them. What a check does is in tollproof-core.

pub mod announced_keywords;
pub mod begins_with;
pub mod compare;
pub mod condition;
pub mod declared_method;
pub mod domain;
pub mod email;
pub mod forbid;
pub mod frame;
pub mod one_sample;
pub mod page;
pub mod pattern;
pub mod picture;
pub mod require;
pub mod rule_check;
pub mod spec;
pub mod system;
pub mod texts;
pub mod topics;
pub mod url;

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

use self::announced_keywords::AnnouncedKeywords;
use self::begins_with::BeginsWith;
use self::compare::Compare;
use self::declared_method::DeclaredMethod;
use self::domain::Domain;
use self::email::Email;
use self::forbid::Forbid;
use self::frame::Frames;
use self::one_sample::OneSample;
use self::page::Pages;
use self::picture::Picture;
use self::require::Require;
pub use self::rule_check::{RuleCheck, by_name};
pub use self::spec::{CheckSpec, LooksAt};
use self::spec::{checks, plain};
pub use self::system::{AnswerPart, IgnoreProblem, SystemCheck};
use self::topics::Topics;
use self::url::Url;
use crate::checks::texts::Texts;
use crate::seen::AddressUse;
use crate::text::phrases::interner::Phrases;
use crate::text::terms::groups::Groups;

// A check says here what it fills in messages, what it looks at, unless that is a string, and whether it judges the form of
// a value; then, after `of`, its parameters. A check that says more about them has a file of its own.
checks! {
    /// An absent field.
    "absent" => Absent { looks_at: Field },
    /// The number has an open submission with the same data.
    "already-submitted" => AlreadySubmitted { fills: ["status", "ago"], looks_at: Anything },
    /// The number was verified, and no later submission of it is open.
    "already-verified" => AlreadyVerified { fills: ["status", "ago"], looks_at: Anything },
    "announced-keywords" => AnnouncedKeywords,
    "begins-with" => BeginsWith,
    /// A text that must contain the name of the business.
    "brand" => Brand { fills: ["value"] } of {
        /// Report a text that names the business only in a link, instead of one that does not name it.
        #[serde(default)]
        only_in_link: bool,
    },
    /// A value that is not in the closed list of its field in the schema.
    "closed-list" => ClosedList { fills: ["value", "nearest", "count", "values", "suggestion"], looks_at: ListedText, judges_form: true } of {
        /// The suffix of the testing value, which follows the name of the configured vendor: ` Testing`.
        vendor_suffix: Option<String>,
    },
    /// A YAML value that ends where ` #` begins a comment.
    "comment" => Comment { fills: ["value", "match"] },
    "compare" => Compare,
    /// A value that is not the code of a country, though it may name one.
    "country-code" => CountryCode { fills: ["value"], judges_form: true },
    /// A country that is not written as the provider wants it: as two letters, as three letters, or as its name.
    "country-form" => CountryForm { fills: ["value", "form", "provider"], judges_form: true },
    /// A country that does not match the state and the postal code, although these two match each other.
    "country-region" => CountryRegion { fills: ["value", "state", "where", "country"], judges_form: true },
    "declared-method" => DeclaredMethod,
    "domain" => Domain,
    /// An earlier draft of the same run contains the number.
    "duplicate-number" => DuplicateNumber { looks_at: Anything },
    /// Employer identification numbers in a text.
    "ein" => Ein { fills: ["match", "reason"] },
    "email" => Email,
    /// The submission that would be updated has ended.
    "ended-submission" => EndedSubmission { fills: ["status"], looks_at: Anything },
    /// A fictional number (555-0100 to 555-0199), or a placeholder such as 555-1234 or 222-2222.
    "fictional-phone" => FictionalPhone { fills: ["value"] },
    "forbid" => Forbid,
    "frame" => Frames,
    /// Text that was decoded with the wrong encoding.
    "garbled-text" => GarbledText { fills: ["value", "match"] },
    /// A name that is a user name, an e-mail address or a web address.
    "handle" => Handle { fills: ["value", "reason"] },
    /// Invisible and control characters.
    "invisible-characters" => InvisibleCharacters { fills: ["value", "match"] },
    /// A value that is not in a list that is known to be incomplete.
    "known-value" => KnownValue { fills: ["value", "nearest"], judges_form: true } of {
        /// The known values; case and spaces are ignored.
        values: Vec<String>,
    },
    /// The length of a text.
    "length" => Length { fills: ["count", "max"] } of {
        /// The maximum number of characters.
        max: usize,
    },
    /// A name followed by another name in brackets that has a legal form.
    "name-in-brackets" => NameInBrackets { fills: ["value", "reason"] },
    /// A time that is after another time.
    "not-after" => NotAfter { fills: ["value", "other"] } of {
        /// The field with the later time.
        field: String,
    },
    /// An ordered +1 number that is not toll-free.
    "not-toll-free" => NotTollFree { fills: ["value", "code"] },
    /// Pages, pictures and mail domains of the draft that were seen long ago.
    "old-facts" => OldFacts { fills: ["count", "ago"], looks_at: Anything, needs_seen: true },
    "one-sample" => OneSample,
    /// The number has an open submission with other data.
    "open-submission" => OpenSubmission { fills: ["status", "ago"], looks_at: Anything },
    /// An ordered number that is not written as `+` and digits, or a +1 number without ten digits.
    "ordered-number-format" => OrderedNumberFormat { fills: ["value", "reason"] },
    "page" => Pages,
    /// A person's name that contains digits or symbols, is a single letter, or is the name of the business.
    "person-name" => PersonName { fills: ["value", "reason"] },
    /// A phone number that is not written as `+` and digits.
    "phone-e164" => PhoneE164 { fills: ["value", "e164"] },
    /// A value that is not a phone number that can be dialed.
    "phone-format" => PhoneFormat { fills: ["value", "reason"] },
    "picture" => Picture,
    /// A value that is not a postal code of its country.
    "postal-code-format" => PostalCodeFormat { fills: ["value", "where", "shape"], judges_form: true },
    /// A postal code of another state or province.
    "postal-code-region" => PostalCodeRegion { fills: ["value", "where", "state"] },
    /// A field that has a value. Use `when` to limit the check.
    "present" => Present { fills: ["value"], looks_at: Value } of {
        /// Fields that are reported together: the finding is at the first of them that has a value, and labels the others.
        #[serde(default)]
        together: Texts,
    },
    /// A kind of business registration that does not exist in the country of the registration.
    "registration-country" => RegistrationCountry { fills: ["value", "type", "where", "country"] } of {
        /// The field with the kind of registration.
        #[serde(rename = "type")]
        kind: String,
        /// Providers that accept a kind only in the countries of their own list.
        #[serde(default)]
        listed_only: Texts,
    },
    /// A number that does not fit its kind of business registration: its length, its prefix or its check digit is wrong.
    "registration-number" => RegistrationNumber { fills: ["value", "type", "reason"], judges_form: true } of {
        /// The field with the kind of registration.
        #[serde(rename = "type")]
        kind: String,
        /// The field with the country of the registration.
        country: String,
    },
    /// Items that are in a list more than once.
    "repeated" => Repeated { fills: ["value"], looks_at: List },
    "require" => Require,
    /// A field that is absent or empty, although the data of the provider requires it: under a condition, or from a date.
    "required-by-provider" => RequiredByProvider { fills: ["provider", "since"], looks_at: Field },
    /// A field that is absent or empty, although reviewers need it by the data of the provider, whose API takes a draft without it.
    "required-by-reviewers" => RequiredByReviewers { fills: ["provider"], looks_at: Field },
    /// Someone has reserved the number to submit it.
    "reserved-number" => ReservedNumber { fills: ["until"], looks_at: Anything },
    /// The authority waits for an answer, and there is still time.
    "resubmission-due" => ResubmissionDue { fills: ["since", "left"], looks_at: Anything },
    /// The submission was rejected for good.
    "resubmission-not-allowed" => ResubmissionNotAllowed { fills: ["allowed", "field"], looks_at: Anything },
    /// The time to answer the authority has passed.
    "resubmission-overdue" => ResubmissionOverdue { fills: ["window", "since"], looks_at: Anything },
    /// A value that is the same as another field.
    "same-as" => SameAs { fills: ["value", "other"] } of {
        /// The fields that the value must not repeat, compared word by word.
        fields: Vec<String>,
    },
    /// A domain that must be the same as the domain of another field.
    "same-domain" => SameDomain { fills: ["match", "other"] } of {
        /// The field whose domain the value must share, unless its own domain contains the name of the business.
        #[serde(rename = "as")]
        other: String,
    },
    /// The parameters of a search for numbers.
    "search" => Search { fills: ["value"], looks_at: Anything },
    /// Repeated exclamation marks, or several words in a row in capitals.
    "shouting" => Shouting { fills: ["value", "match"] },
    /// An abbreviation of a state or province that is neither its code nor its name; or not the one of these that the
    /// provider wants.
    "state-abbreviation" => StateAbbreviation { fills: ["value", "state", "code"], judges_form: true },
    /// A value that is not a state or province of its country.
    "state-or-province" => StateOrProvince { fills: ["value", "where"], judges_form: true },
    /// Spaces and line breaks at the beginning or end of a text.
    "surrounding-space" => SurroundingSpace { fills: ["value"] },
    /// A template field for the business itself, or an instruction to the writer: `[Company Name]`, `INSERT LINK`.
    "template-slot" => TemplateSlot { fills: ["value", "match"] },
    /// A template field that each message fills: `{{first_name}}`, `[Date]`.
    "template-variable" => TemplateVariable { fills: ["value", "match"] },
    /// A toll-free number where the number of a person is required.
    "toll-free" => TollFree { fills: ["value"] },
    "topics" => Topics,
    "url" => Url,
    /// A token of Campaign Verify that is not complete, or is for other numbers than toll-free ones.
    "vetting-token" => VettingToken { fills: ["reason"], judges_form: true },
}

impl Check {
    /// Whether it compares words with meanings, which a reader understands better.
    pub fn is_of_words(&self) -> bool {
        use Check::{Compare, DeclaredMethod, Forbid, Frames, Pages, Picture, Require, Topics};
        match self {
            Pages(pages) => pages.is_of_words(),
            Picture(picture) => picture.is_of_words(),
            Compare(_) | DeclaredMethod(_) | Forbid(_) | Frames(_) | Require(_) | Topics(_) => true,
            _ => false,
        }
    }

    /// Use of the pages that it judges, if it judges pages and not the draft.
    pub fn pages(&self) -> Option<&[AddressUse]> {
        match self {
            Self::Pages(pages) => Some(&pages.of),
            Self::Picture(picture) if picture.is_of_words() => Some(&[AddressUse::Picture]),
            _ => None,
        }
    }
}
