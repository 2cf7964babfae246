//! The check of a rule: a check that any rule can use, or what a system rule reports.

use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Check, SystemCheck};

/// The check of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(untagged))]
// Nearly all rules are of the large variant.
#[allow(clippy::large_enum_variant)]
pub enum RuleCheck {
    /// A check that any rule can use.
    Content(Check),
    /// A report of a system rule. A user's rule cannot use it.
    System(SystemCheck),
    /// None: a reader answers the question of the rule.
    #[cfg_attr(feature = "schema", schemars(skip))]
    Asked,
}

impl RuleCheck {
    /// The name of the check in rule files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Content(check) => check.name(),
            Self::System(check) => check.name(),
            Self::Asked => "question",
        }
    }

    /// The placeholders that the check fills in messages and help, besides `{field}`.
    pub fn fills(&self) -> &'static [&'static str] {
        match self {
            Self::Content(check) => check.fills(),
            Self::System(check) => check.fills(),
            Self::Asked => &[],
        }
    }

    /// The check, unless the rule is a system rule.
    pub fn content(&self) -> Option<&Check> {
        match self {
            Self::Content(check) => Some(check),
            Self::System(_) | Self::Asked => None,
        }
    }

    /// The report of the rule, if it is a system rule.
    pub fn system(&self) -> Option<&SystemCheck> {
        match self {
            Self::Content(_) | Self::Asked => None,
            Self::System(check) => Some(check),
        }
    }
}

const ONE_CHECK: &str = "a rule has exactly one check";

/// Reads a check from a rule file: a map with the name as its only key and the parameters as its value.
pub fn by_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RuleCheck, D::Error> {
    deserializer.deserialize_map(OneCheck)
}

struct OneCheck;

impl<'de> Visitor<'de> for OneCheck {
    type Value = RuleCheck;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a check with its parameters, such as `{ length: { max: 500 } }` or `{ handle: {} }`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RuleCheck, A::Error> {
        let Some(CheckName(name)) = map.next_key()? else { return Err(A::Error::custom(ONE_CHECK)) };
        let check = match Check::read(&name, &mut map)? {
            Some(check) => RuleCheck::Content(check),
            None => RuleCheck::System(
                SystemCheck::read(&name, &mut map)?
                    .ok_or_else(|| A::Error::unknown_variant(&name, Check::NAMES))?,
            ),
        };
        match map.next_key::<IgnoredAny>()? {
            None => Ok(check),
            Some(_) => Err(A::Error::custom(ONE_CHECK)),
        }
    }
}

/// The name of a check.
struct CheckName(String);

impl<'de> Deserialize<'de> for CheckName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let is_known = Check::NAMES.contains(&name.as_str()) || SystemCheck::NAMES.contains(&name.as_str());
        // List only the checks that any rule can use: users cannot use the checks of system rules.
        if is_known { Ok(Self(name)) } else { Err(D::Error::unknown_variant(&name, Check::NAMES)) }
    }
}
