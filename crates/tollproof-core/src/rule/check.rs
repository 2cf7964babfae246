//! The checks that rule files configure: the rule language. The mechanism of each is a file of its name under `checks/`.

use serde::{Deserialize, Deserializer, Serialize};

use super::phrases::Phrases;
use crate::document::Problem;
use crate::finding::Severity;

/// What a rule looks for. Exactly one per rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// What is wrong with the text itself, before anything is known of its fields.
    Input(Input),
    /// A document whose kind cannot be told.
    Kind(KindCheck),
    /// What the schema of the kind refuses.
    Schema(Schema),
    /// A value outside the closed list that the schema gives for its field.
    ClosedList(ClosedList),
    /// A value outside a list that the interface does not close.
    KnownValue(KnownValue),
    /// A field that is not there.
    Absent(Absent),
    /// Text that must say something: phrases, or several elements.
    Require(Require),
    /// Text that must not say something.
    Forbid(Forbid),
    /// The name of the business in a text.
    Brand(Brand),
    /// Web addresses: the whole value, or those in a text.
    Url(Url),
    /// E-mail addresses.
    Email(Email),
    /// The domain of a value against the domain of another field.
    SameDomain(SameDomain),
    /// Phone numbers.
    Phone(Phone),
    /// Countries, states, provinces and postal codes.
    Address(Address),
    /// The parameters of a search for numbers.
    Search(Search),
    /// Earlier submissions of the same number.
    History(History),
}

/// Parameters of `input`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Which faults of the text the rule reports.
    pub problems: Vec<Problem>,
}

/// Parameters of `kind`: none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindCheck {}

/// Parameters of `schema`.
///
/// Fills `{kind}`, `{count}`, `{home}`, `{home_kind}`, `{expected}`, `{found}`, `{value}`, `{nearest}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// What the schema complains of. A rule whose `at` names the field goes before one whose `at` is `$document`.
    pub violations: Vec<Violation>,
}

impl Schema {
    const FILLS: &[&str] = &["kind", "count", "home", "home_kind", "expected", "found", "value", "nearest"];
}

/// What a schema complains of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Violation {
    /// A required field is absent.
    Missing,
    /// A required value is empty: a blank text or an empty list.
    Empty,
    /// A list has too few or too many items.
    Count,
    /// The value has another type.
    Type,
    /// The field is none of this kind, nor of another.
    Unknown,
    /// The field belongs to another kind.
    Misplaced,
    /// An identifier that is no UUID.
    Uuid,
    /// A time that is not ISO 8601 in UTC with milliseconds.
    Timestamp,
    /// A text outside a closed list; `closed_list` and `address` say it better.
    Unlisted,
    /// A number below the least; `search` says it better.
    TooSmall,
}

/// Parameters of `closed_list`.
///
/// Fills `{value}`, `{nearest}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClosedList {
    /// The end of a value whose beginning is the configured vendor.
    #[serde(default)]
    pub vendor_suffix: Option<String>,
}

impl ClosedList {
    const FILLS: &[&str] = &["value", "nearest"];
}

/// Parameters of `known_value`.
///
/// Fills `{value}`, `{nearest}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KnownValue {
    /// The values, compared without regard to case and blanks.
    pub values: Vec<String>,
}

impl KnownValue {
    const FILLS: &[&str] = &["value", "nearest"];
}

/// Parameters of `absent`: none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Absent {}

/// Parameters of `require`: `any_of`, or `elements`.
///
/// Fills `{value}`, `{missing}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Require {
    /// One of these phrases must stand in the text.
    #[serde(default)]
    pub any_of: Phrases,
    /// Things that the text must say.
    #[serde(default)]
    pub elements: Vec<Element>,
    /// How many of the elements suffice; all of them if it is not given.
    #[serde(default)]
    pub at_least: Option<usize>,
    /// A phrase that stands inside one of these longer ones does not count.
    #[serde(default)]
    pub except: Phrases,
    /// A text of fewer characters does not suffice, whatever it says.
    #[serde(default)]
    pub min_chars: usize,
    /// A text that says one of these is left alone.
    #[serde(default)]
    pub unless: Phrases,
}

impl Require {
    const FILLS: &[&str] = &["value", "missing"];
}

/// One thing that a text must say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// What is missing where none of the phrases stands, as a part of a sentence.
    pub name: String,
    /// Phrases that say it.
    #[serde(default)]
    pub any_of: Phrases,
    /// Whether the name of the business says it.
    #[serde(default)]
    pub brand: bool,
    /// The weight of its absence, if more than the rule's.
    #[serde(default)]
    pub severity: Option<Severity>,
}

/// Parameters of `forbid`.
///
/// Fills `{value}`, `{match}`, `{list}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Forbid {
    /// None of these may stand in the text.
    #[serde(default)]
    pub any_of: Phrases,
    /// The text may not be one of these as a whole.
    #[serde(default)]
    pub whole: Phrases,
    /// Regular expressions of which none may match.
    #[serde(default)]
    pub matches: Vec<String>,
    /// A phrase that stands inside one of these longer ones does not count.
    #[serde(default)]
    pub except: Phrases,
    /// A phrase in a sentence with one of these does not count.
    #[serde(default)]
    pub unless: Phrases,
    /// Whether a phrase in a negated clause does not count.
    #[serde(default)]
    pub skip_negated: bool,
}

impl Forbid {
    const FILLS: &[&str] = &["value", "match", "list"];
}

/// Parameters of `brand`: none.
///
/// Fills `{value}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Brand {}

impl Brand {
    const FILLS: &[&str] = &["value"];
}

/// Parameters of `url`: any one that holds is a finding.
///
/// Fills `{value}`, `{match}`, `{reason}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Url {
    /// Looks at the addresses inside a text instead of the whole value.
    #[serde(default)]
    pub within_text: bool,
    /// Not an absolute http or https address with a host under a known public suffix.
    #[serde(default)]
    pub malformed: bool,
    /// Hosts, or names of host lists, that must not be used.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Names that are reserved for examples and tests: `example.com`, `.test`.
    #[serde(default)]
    pub reserved: bool,
    /// Addresses that only the writer's own network reaches: `localhost`, IP addresses, `.local`.
    #[serde(default)]
    pub local: bool,
    /// Words that must not be a part of the path, such as `login`.
    #[serde(default)]
    pub path_words: Vec<String>,
    /// A path that begins with one of these after one of its hosts: `drive.google.com/drive/folders`.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// A route behind `#/`, which no server sees.
    #[serde(default)]
    pub hash_route: bool,
}

impl Url {
    const FILLS: &[&str] = &["value", "match", "reason"];
}

/// Parameters of `email`: any one that holds is a finding.
///
/// Fills `{value}`, `{match}`, `{reason}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Email {
    /// Not an address, or its domain is not under a known public suffix.
    #[serde(default)]
    pub malformed: bool,
    /// Domains, or names of host lists, that must not be used.
    #[serde(default)]
    pub hosts: Vec<String>,
}

impl Email {
    const FILLS: &[&str] = &["value", "match", "reason"];
}

/// Parameters of `same_domain`.
///
/// Fills `{match}`, `{other}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SameDomain {
    /// The field whose registrable domain the value must share, unless it carries the name of the business.
    #[serde(rename = "as")]
    pub other: String,
}

impl SameDomain {
    const FILLS: &[&str] = &["match", "other"];
}

/// Parameters of `phone`.
///
/// Fills `{value}`, `{reason}`, `{e164}`, `{code}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Phone {
    /// What is refused.
    pub problem: PhoneProblem,
}

impl Phone {
    const FILLS: &[&str] = &["value", "reason", "e164", "code"];
}

/// What can be wrong with a phone number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PhoneProblem {
    /// No number of any country, or none that can be dialled.
    Malformed,
    /// A number, but not written as `+` and digits.
    NotE164,
    /// An ordered number that is not written as `+` and digits, or a +1 number without ten digits.
    NotOrderable,
    /// An ordered +1 number that is not toll-free.
    NotTollFree,
}

/// Parameters of `address`.
///
/// Fills `{value}`, `{where}`, `{shape}`, `{state}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// What is refused.
    pub problem: AddressProblem,
}

impl Address {
    const FILLS: &[&str] = &["value", "where", "shape", "state"];
}

/// What can be wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AddressProblem {
    /// Not the code of a country, though it may name one.
    Country,
    /// Not a state or province of its country.
    State,
    /// Not a postal code of its country.
    PostalCode,
    /// A postal code of another state or province.
    PostalCodeElsewhere,
}

/// Parameters of `search`: none.
///
/// Fills `{value}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Search {}

impl Search {
    const FILLS: &[&str] = &["value"];
}

/// Parameters of `history`.
///
/// Fills `{status}`, `{ago}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Whether an earlier submission of the number that is still open is refused.
    pub open: bool,
}

impl History {
    const FILLS: &[&str] = &["status", "ago"];
}

impl Check {
    /// Its name in rule files.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Kind(_) => "kind",
            Self::Schema(_) => "schema",
            Self::ClosedList(_) => "closed_list",
            Self::KnownValue(_) => "known_value",
            Self::Absent(_) => "absent",
            Self::Require(_) => "require",
            Self::Forbid(_) => "forbid",
            Self::Brand(_) => "brand",
            Self::Url(_) => "url",
            Self::Email(_) => "email",
            Self::SameDomain(_) => "same_domain",
            Self::Phone(_) => "phone",
            Self::Address(_) => "address",
            Self::Search(_) => "search",
            Self::History(_) => "history",
        }
    }

    /// The placeholders that it fills in messages and help, beside `{field}`, which every check fills.
    pub(crate) fn fills(&self) -> &'static [&'static str] {
        match self {
            Self::Input(_) | Self::Kind(_) | Self::Absent(_) => &[],
            Self::Schema(_) => Schema::FILLS,
            Self::ClosedList(_) => ClosedList::FILLS,
            Self::KnownValue(_) => KnownValue::FILLS,
            Self::Require(_) => Require::FILLS,
            Self::Forbid(_) => Forbid::FILLS,
            Self::Brand(_) => Brand::FILLS,
            Self::Url(_) => Url::FILLS,
            Self::Email(_) => Email::FILLS,
            Self::SameDomain(_) => SameDomain::FILLS,
            Self::Phone(_) => Phone::FILLS,
            Self::Address(_) => Address::FILLS,
            Self::Search(_) => Search::FILLS,
            Self::History(_) => History::FILLS,
        }
    }

    /// What it lacks to find anything at all, as a part of a sentence; none where it can.
    pub(crate) fn lacks(&self) -> Option<&'static str> {
        let lacks = match self {
            Self::Input(input) => (input.problems.is_empty(), "`problems`"),
            Self::Schema(schema) => (schema.violations.is_empty(), "`violations`"),
            Self::Require(require) => (
                require.any_of.is_empty() && require.elements.is_empty() && require.min_chars == 0,
                "`any_of`, `elements` or `min_chars`",
            ),
            Self::Forbid(forbid) => (
                forbid.any_of.is_empty() && forbid.whole.is_empty() && forbid.matches.is_empty(),
                "`any_of`, `whole` or `matches`",
            ),
            Self::Url(url) => (
                url.hosts.is_empty()
                    && url.path_words.is_empty()
                    && url.prefixes.is_empty()
                    && !(url.malformed && !url.within_text || url.reserved || url.local || url.hash_route),
                "`malformed`, `hosts`, `reserved`, `local`, `path_words`, `prefixes` or `hash_route`",
            ),
            Self::Email(email) => (email.hosts.is_empty() && !email.malformed, "`malformed` or `hosts`"),
            _ => return None,
        };
        lacks.0.then_some(lacks.1)
    }

    /// The phrases of the check, to be prepared.
    pub(crate) fn phrases(&mut self) -> Vec<&mut Phrases> {
        match self {
            Self::Require(require) => {
                let elements = require.elements.iter_mut().map(|element| &mut element.any_of);
                elements.chain([&mut require.any_of, &mut require.except, &mut require.unless]).collect()
            }
            Self::Forbid(forbid) => {
                vec![&mut forbid.any_of, &mut forbid.whole, &mut forbid.except, &mut forbid.unless]
            }
            _ => Vec::new(),
        }
    }

    /// The regular expressions of the check.
    pub(crate) fn patterns(&self) -> &[String] {
        match self {
            Self::Forbid(forbid) => &forbid.matches,
            _ => &[],
        }
    }

    /// The hosts and host lists of the check.
    pub(crate) fn hosts(&self) -> &[String] {
        match self {
            Self::Url(url) => &url.hosts,
            Self::Email(email) => &email.hosts,
            _ => &[],
        }
    }
}

const ONE_CHECK: &str = "a rule has exactly one check";

/// Reads an enum from a map with one key in YAML, and as it is from prepared rules.
pub(super) fn one_key<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: serde::de::DeserializeOwned,
{
    if deserializer.is_human_readable() {
        serde_yaml::with::singleton_map::deserialize(deserializer).map_err(|error: D::Error| {
            // The library's words for a map of several keys, or of none.
            let several = error.to_string().contains("map with a single");
            if several { serde::de::Error::custom(ONE_CHECK) } else { error }
        })
    } else {
        T::deserialize(deserializer)
    }
}
