//! Conditions on the fields of a document: `when:` of a rule and of a downgrade.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::phrases::interner::Phrases;

/// Fields with a condition for each; all conditions must be true. `$provider` is the name of the provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Conditions(pub BTreeMap<String, Condition>);

/// The key of a condition on the name of the provider, instead of on a field.
pub const PROVIDER: &str = "$provider";

/// A condition for one field.
// `remote` turns the derives into functions: prepared rules are read with those, rule files through `WrittenCondition`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum Condition {
    /// The field is exactly one of these strings.
    Is(Vec<String>),
    /// The inner condition is false.
    Not(Box<Condition>),
    /// The text matches a regular expression.
    Matches(String),
    /// The text contains one of these phrases.
    Has(Phrases),
    /// The host of the URL, or the domain of the e-mail address, is in one of these host lists, or is a subdomain of one of their hosts.
    HostIn(Vec<String>),
    /// The field is absent or empty (`true`), or has a value (`false`).
    Absent(bool),
    /// The field is the address of a page (`true`), or something else, such as the address of a picture (`false`).
    Page(bool),
    /// Drafts of this kind may have the field (`true`), or their form lacks it (`false`).
    InForm(bool),
    /// All of these conditions are true.
    All(Vec<Condition>),
}

/// A condition in a rule file: a value, a list of values, or exactly one key.
#[derive(Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Condition"))]
enum WrittenCondition {
    One(String),
    Many(Vec<String>),
    Test(Test),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Test {
    not: Option<Box<WrittenCondition>>,
    matches: Option<String>,
    has: Option<Vec<String>>,
    host_in: Option<Vec<String>>,
    absent: Option<bool>,
    page: Option<bool>,
    in_form: Option<bool>,
    all: Option<Vec<WrittenCondition>>,
}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Self::deserialize(deserializer);
        }
        let written =
            WrittenCondition::deserialize(deserializer).map_err(|_| serde::de::Error::custom(EXPECTED))?;
        Self::try_from(written).map_err(serde::de::Error::custom)
    }
}

const EXPECTED: &str = "a condition is a string, a list of strings, or exactly one of `not`, `matches`, `has`, `host_in`, `absent`, `page`, `in_form`, `all`";

impl TryFrom<WrittenCondition> for Condition {
    type Error = &'static str;

    fn try_from(written: WrittenCondition) -> Result<Self, Self::Error> {
        let test = match written {
            WrittenCondition::One(value) => return Ok(Self::Is(vec![value])),
            WrittenCondition::Many(values) => return Ok(Self::Is(values)),
            WrittenCondition::Test(test) => test,
        };
        let not = test
            .not
            .map(|inner| Self::try_from(*inner))
            .transpose()?
            .map(|condition| Self::Not(Box::new(condition)));
        let has = test.has.map(|texts| Self::Has(Phrases { texts, ..Phrases::default() }));
        let each = test.all.map(|all| all.into_iter().map(Self::try_from).collect::<Result<_, _>>());
        let mut all = [
            each.transpose()?.map(Self::All),
            not,
            test.matches.map(Self::Matches),
            has,
            test.host_in.map(Self::HostIn),
            test.absent.map(Self::Absent),
            test.page.map(Self::Page),
            test.in_form.map(Self::InForm),
        ]
        .into_iter()
        .flatten();
        match (all.next(), all.next()) {
            (Some(condition), None) => Ok(condition),
            _ => Err(EXPECTED),
        }
    }
}

impl Condition {
    /// The phrases in this condition, for the interner.
    pub fn phrases(&mut self) -> Vec<&mut Phrases> {
        match self {
            Self::Not(inner) => inner.phrases(),
            Self::All(all) => all.iter_mut().flat_map(Self::phrases).collect(),
            Self::Has(phrases) => vec![phrases],
            _ => Vec::new(),
        }
    }

    /// The regular expressions in this condition with their relative pointers, for validation when the rule is loaded.
    pub fn patterns(&self) -> Vec<(String, &str)> {
        let inside: Vec<(String, &Self)> = match self {
            Self::Matches(pattern) => return vec![("/matches".to_owned(), pattern)],
            Self::Not(inner) => vec![("/not".to_owned(), inner)],
            Self::All(all) => all.iter().enumerate().map(|(at, it)| (format!("/all/{at}"), it)).collect(),
            _ => Vec::new(),
        };
        let mut found = Vec::new();
        for (key, inner) in inside {
            found.extend(inner.patterns().into_iter().map(|(place, it)| (format!("{key}{place}"), it)));
        }
        found
    }

    /// The host lists in this condition.
    pub fn hosts(&self) -> Vec<&String> {
        match self {
            Self::Not(inner) => inner.hosts(),
            Self::All(all) => all.iter().flat_map(Self::hosts).collect(),
            Self::HostIn(hosts) => hosts.iter().collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Condition {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        WrittenCondition::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        WrittenCondition::json_schema(generator)
    }
}
