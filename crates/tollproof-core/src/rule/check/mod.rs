//! The checks that rule files configure: the rule language. The mechanism of each is a file of its name under `checks/`.

mod plausible;
mod structure;
mod text;

use serde::{Deserialize, Deserializer, Serialize};

pub(crate) use self::plausible::*;
pub(crate) use self::structure::*;
pub(crate) use self::text::*;
use crate::text::phrases::Phrases;

/// The check of a rule. A rule has exactly one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// For built-in rules only: errors of the file itself, before its fields are known.
    Input(Input),
    /// For built-in rules only: errors of an ignore comment or entry.
    Ignore(IgnoreCheck),
    /// For built-in rules only: a document of unknown kind.
    Kind(KindCheck),
    /// For built-in rules only: violations of the kind's schema.
    Schema(Schema),
    /// For built-in rules only: a value that a schema of the user's own refuses.
    HouseSchema(HouseSchemaCheck),
    /// A value that is not in the closed list of its field in the schema.
    ClosedList(ClosedList),
    /// A YAML value that ends where ` #` begins a comment.
    Comment(Comment),
    /// A value that is not in a list that is known to be incomplete.
    KnownValue(KnownValue),
    /// An absent field.
    Absent(Absent),
    /// A text that must contain phrases, or several elements.
    Require(Require),
    /// A text that must not contain certain phrases.
    Forbid(Forbid),
    /// A text that must contain the name of the business.
    Brand(Brand),
    /// Web addresses: the whole value, or those in a text.
    Url(Url),
    /// E-mail addresses.
    Email(Email),
    /// A domain that must be the same as the domain of another field.
    SameDomain(SameDomain),
    /// Template fields that were not filled in.
    Slots(Slots),
    /// The length of a text.
    Length(Length),
    /// Items that are in a list twice.
    Repeated(Repeated),
    /// A value that is the same as another field.
    SameAs(SameAs),
    /// A name that looks like something else.
    Name(Name),
    /// Unwanted characters and capitals in a text.
    Characters(Characters),
    /// Employer identification numbers in a text.
    Ein(Ein),
    /// A field that has a value, if the conditions of the rule hold.
    Present(Present),
    /// Phone numbers.
    Phone(Phone),
    /// Countries, states, provinces and postal codes.
    Address(Address),
    /// The parameters of a search for numbers.
    Search(Search),
    /// A time that is after another time.
    NotAfter(NotAfter),
    /// For built-in rules only: an answer of the API or of the reviewers.
    Answer(Answer),
    /// Earlier submissions of the same number, and the record of an update.
    History(History),
}

impl Check {
    /// The names of the checks whose findings the linter reports by itself, by the built-in rules that are bound to them.
    /// A user's rule cannot use them, and nothing changes their parameters.
    pub(crate) const SYSTEM: [&str; 6] = ["input", "ignore", "kind", "schema", "house_schema", "answer"];

    /// Whether it is one of [`Check::SYSTEM`].
    pub(crate) fn is_system(&self) -> bool {
        Self::SYSTEM.contains(&self.name())
    }

    /// Its name in rule files.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Ignore(_) => "ignore",
            Self::Kind(_) => "kind",
            Self::Schema(_) => "schema",
            Self::HouseSchema(_) => "house_schema",
            Self::ClosedList(_) => "closed_list",
            Self::Comment(_) => "comment",
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
            Self::Slots(_) => "slots",
            Self::Length(_) => "length",
            Self::Repeated(_) => "repeated",
            Self::SameAs(_) => "same_as",
            Self::Name(_) => "name",
            Self::Characters(_) => "characters",
            Self::Ein(_) => "ein",
            Self::Present(_) => "present",
            Self::Search(_) => "search",
            Self::NotAfter(_) => "not_after",
            Self::Answer(_) => "answer",
            Self::History(_) => "history",
        }
    }

    /// The placeholders that it fills in messages and help, beside `{field}`, which every check fills.
    pub(crate) fn fills(&self) -> &'static [&'static str] {
        match self {
            Self::Input(_) | Self::Kind(_) | Self::Absent(_) | Self::Answer(_) => &[],
            Self::Ignore(_) => IgnoreCheck::FILLS,
            Self::Schema(_) => Schema::FILLS,
            Self::HouseSchema(_) => HouseSchemaCheck::FILLS,
            Self::ClosedList(_) => ClosedList::FILLS,
            Self::Comment(_) => Comment::FILLS,
            Self::KnownValue(_) => KnownValue::FILLS,
            Self::Require(_) => Require::FILLS,
            Self::Forbid(_) => Forbid::FILLS,
            Self::Brand(_) => Brand::FILLS,
            Self::Url(_) => Url::FILLS,
            Self::Email(_) => Email::FILLS,
            Self::SameDomain(_) => SameDomain::FILLS,
            Self::Phone(_) => Phone::FILLS,
            Self::Address(_) => Address::FILLS,
            Self::Slots(_) => Slots::FILLS,
            Self::Length(_) => Length::FILLS,
            Self::Repeated(_) => Repeated::FILLS,
            Self::SameAs(_) => SameAs::FILLS,
            Self::Name(_) => Name::FILLS,
            Self::Characters(_) => Characters::FILLS,
            Self::Ein(_) => Ein::FILLS,
            Self::Present(_) => Present::FILLS,
            Self::Search(_) => Search::FILLS,
            Self::NotAfter(_) => NotAfter::FILLS,
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
                    && !(url.malformed && !url.within_text
                        || url.reserved
                        || url.local
                        || url.hash_route
                        || url.insecure
                        || url.home_page
                        || url.unbranded
                        || url.foreign),
                "one of `malformed`, `hosts`, `reserved`, `local`, `path_words`, `prefixes`, `hash_route`, `insecure`, `home_page`, `unbranded`, `foreign`",
            ),
            Self::Email(email) => (
                email.hosts.is_empty() && email.local_words.is_empty() && !email.malformed && !email.reserved,
                "`malformed`, `hosts`, `reserved` or `local_words`",
            ),
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
