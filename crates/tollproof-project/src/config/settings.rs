//! What may stand in `tollproof.yaml`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use jiff::civil::Date;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use tollproof_core::{Ignore, Kind, Level};
use tollproof_history::Location;

use super::globs::{Globs, Pattern};

/// Settings for the folder of this file and all folders below it that have no `tollproof.yaml` of their own.
///
/// Globs start from the folder of this file; `*` stays within a folder and `**` does not. One that ends in a plain name
/// stands for a folder too, with all that is in it.
#[derive(Debug, Default, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "tollproof.yaml"))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The brand in the name of the testing use case: with `Acme`, `Acme Testing` is accepted.
    #[serde(default)]
    pub vendor: Option<String>,
    /// Globs of the files that are read where a folder is named; without them, all that end in .json, .ndjson, .jsonl,
    /// .yaml or .yml.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub include: Option<Vec<Pattern>>,
    /// Globs of the files that are passed over where a folder is named.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub exclude: Vec<Pattern>,
    /// What the files that a glob matches are; of several that match, the first counts.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Kind>"))]
    pub kinds: Globs<Kind>,
    /// How much rules weigh, by their ids or groups: `off`, `info`, `warning`, `error`, or more than that.
    #[serde(default, deserialize_with = "rules")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, LevelOrMore>"))]
    pub rules: BTreeMap<String, RuleSetting>,
    /// Folders of rules of your own, seen from the folder of this file. `--rules` adds more.
    #[serde(default)]
    pub rule_dirs: Vec<PathBuf>,
    /// Where earlier submissions are kept: verification records as they were fetched (a file, a folder or a glob, seen
    /// from the folder of this file), `sqlite:PATH` or `postgres://...`. `--history` takes its place.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub history: Vec<HistorySetting>,
    /// The id of the record that the update requests in the files of a glob change; the first that matches counts.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, String>"))]
    pub records: Globs<String>,
    /// The least severity that makes the exit status 1; `error` if nothing is said. `--fail-on` takes its place.
    #[serde(default)]
    pub fail_on: Option<FailOn>,
    /// Findings that do not count, each with a reason.
    #[serde(default, deserialize_with = "maybe_empty")]
    #[cfg_attr(test, schemars(with = "Option<Vec<IgnoreSetting>>"))]
    pub ignore: Vec<IgnoreSetting>,
    /// Rules or groups whose findings always count, at their own severity or above: no comment, entry of `ignore`, baseline,
    /// level, `--ignore` or `--select` hides or lowers them.
    #[serde(default)]
    pub locked_rules: Vec<String>,
    /// The baseline: a file of findings that are known and do not count, made by `tollproof baseline write`.
    #[serde(default)]
    pub baseline: Option<PathBuf>,
}

/// What makes the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Errors.
    Error,
    /// Errors and warnings.
    Warning,
    /// Any finding.
    Info,
    /// No finding.
    Never,
}

impl FailOn {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Error, Self::Warning, Self::Info, Self::Never];

    /// As it is written in a configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Never => "never",
        }
    }
}

/// A finding that does not count.
#[derive(Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IgnoreSetting {
    /// The rule, or the group.
    pub rule: String,
    /// A glob of the files; without it, all files.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub files: Option<Pattern>,
    /// The value and what is in it, as an RFC 6901 pointer into its document: `/businessContactEmail`. Without it, all
    /// values.
    #[serde(default, deserialize_with = "pointer")]
    pub pointer: Option<String>,
    /// Why it does not count; reports carry it.
    #[serde(deserialize_with = "reason")]
    pub reason: String,
    /// The last day on which it does not count, in UTC: `2026-12-31`.
    #[serde(default, deserialize_with = "day")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub until: Option<Date>,
}

impl IgnoreSetting {
    /// What it says of the findings of a file.
    pub fn plain(&self) -> Ignore {
        let Self { rule, pointer, reason, until, .. } = self;
        Ignore { rule: rule.clone(), pointer: pointer.clone(), reason: reason.clone(), until: *until }
    }
}

/// How much a rule weighs, where, and by which parameters.
#[derive(Debug, Default, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleSetting {
    /// How much it weighs.
    #[serde(default)]
    pub level: Option<Level>,
    /// How much it weighs in the files of a glob; the first that matches counts, and counts more than `level`.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Level>"))]
    pub files: Globs<Level>,
    /// Parameters of its check that take the place of those in its file, such as `min-chars: 80`.
    #[serde(default)]
    pub with: serde_json::Map<String, serde_json::Value>,
    /// Items to be added to lists among its parameters.
    #[serde(default)]
    pub add: serde_json::Map<String, serde_json::Value>,
}

/// A level alone, or more.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum LevelOrMore {
    Level(Level),
    More(RuleSetting),
}

/// Reads settings of rules, each a level alone or more.
fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, RuleSetting>, D::Error> {
    struct Either(RuleSetting);

    impl<'de> Deserialize<'de> for Either {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct LevelOrMap;

            impl<'de> Visitor<'de> for LevelOrMap {
                type Value = RuleSetting;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a level (off, info, warning or error), or keys with values")
                }

                fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<RuleSetting, E> {
                    let level = Some(Level::deserialize(text.into_deserializer())?);
                    Ok(RuleSetting { level, ..RuleSetting::default() })
                }

                fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RuleSetting, A::Error> {
                    RuleSetting::deserialize(MapAccessDeserializer::new(map))
                }
            }

            deserializer.deserialize_any(LevelOrMap).map(Self)
        }
    }

    let settings = BTreeMap::<String, Either>::deserialize(deserializer)?;
    Ok(settings.into_iter().map(|(rule, Either(setting))| (rule, setting)).collect())
}

/// A list of which nothing may be left.
fn maybe_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IgnoreSetting>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Where a history is kept.
#[derive(Debug)]
pub struct HistorySetting(
    /// As it is written: paths start from the folder of the configuration.
    pub Location,
);

impl<'de> Deserialize<'de> for HistorySetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

fn pointer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let pointer = String::deserialize(deserializer)?;
    if pointer.starts_with('/') {
        return Ok(Some(pointer));
    }
    if pointer.is_empty() {
        return Err(D::Error::custom("remove `pointer`: without it, the entry applies to all values"));
    }
    Err(D::Error::custom(format_args!("a pointer begins with `/`: use `/{pointer}`")))
}

fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let reason = String::deserialize(deserializer)?.trim().to_owned();
    if reason.is_empty() {
        return Err(D::Error::custom("add a reason: it is required"));
    }
    Ok(reason)
}

fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let text = text.trim();
    // More than a day, a time or a zone, would mean nothing here.
    let day = text.parse().ok().filter(|day: &Date| day.to_string() == text);
    day.map(Some).ok_or_else(|| D::Error::custom("use a date such as 2026-12-31, without a time"))
}
