//! The settings in `tollproof.yaml`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use jiff::civil::Date;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use tollproof_core::{Ignore, Kind, Level, Provider};
use tollproof_history::Location;

use super::globs::{Globs, Pattern};

/// Settings for the folder of this file and all folders below it that have no `tollproof.yaml` of their own.
///
/// Globs are relative to the folder of this file: `*` stays within a folder, `**` does not. A glob that ends in a
/// plain name also matches a folder of that name with everything in it.
#[derive(Debug, Default, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "tollproof.yaml"))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The brand in the name of the testing use case: with `Acme`, `Acme Testing` is accepted.
    pub vendor: Option<String>,
    /// Globs of the files to read in a folder. Default: all files of a format that is read.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub include: Option<Vec<Pattern>>,
    /// Globs of the files to skip in a folder.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub exclude: Vec<Pattern>,
    /// Globs of the notes and programs that are read in a folder; `[]` for none. Default: all that are sure to have a draft.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>"))]
    pub forms: Option<Vec<Pattern>>,
    /// The provider of all files, or of the files that match a glob. Default: tollproof detects it from the names of the
    /// fields.
    #[cfg_attr(test, schemars(with = "ProviderOrGlobs"))]
    pub provider: ProviderSetting,
    /// The fields of columns with names of your own, in tables: `Company: Business_Name`. Case, spaces and separators in the
    /// name of a column do not count.
    pub columns: BTreeMap<String, String>,
    /// The kind of the files that match a glob. If several globs match, the first one counts.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Kind>"))]
    pub kinds: Globs<Kind>,
    /// The levels of rules or groups by their ids: `off`, `info`, `warning` or `error`, or an object with more
    /// settings.
    #[serde(deserialize_with = "rules")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, LevelOrMore>"))]
    pub rules: BTreeMap<String, RuleSetting>,
    /// Folders with your own rules, relative to the folder of this file. `--rules` adds more.
    pub rule_dirs: Vec<PathBuf>,
    /// Your own JSON Schemas (draft 2020-12). A file is validated against each schema whose glob matches it.
    pub schemas: Vec<SchemaSetting>,
    /// The history of earlier submissions: fetched verification records (a file, a folder or a glob, relative to the
    /// folder of this file), `sqlite:PATH` or `postgres://...`. `--history` replaces it.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub history: Vec<HistorySetting>,
    /// The id of the record that the update requests in the files of a glob change. The first glob that matches
    /// counts.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, String>"))]
    pub records: Globs<String>,
    /// The file in which `tollproof look` stores what it saw of pages, pictures and mail domains, relative to the folder of
    /// this file. Default: `.tollproof/facts.ndjson`. `--facts` replaces it.
    pub facts: Option<PathBuf>,
    /// The file in which `tollproof read` stores what a reader understood of the texts, relative to the folder of this file.
    /// Default: `.tollproof/readings.ndjson`. `--readings` replaces it.
    pub readings: Option<PathBuf>,
    /// The number of days after which these facts are old. Default: 14.
    pub facts_max_age: Option<u32>,
    /// The lowest severity that makes the exit status 1. Default: `error`. `--fail-on` replaces it.
    pub fail_on: Option<FailOn>,
    /// Whether a draft that no reader has read as it is has an error, so that checks fail and the gate and `submit` hold it.
    pub require_readings: bool,
    /// Findings that do not count, each with a reason.
    #[serde(deserialize_with = "maybe_empty")]
    #[cfg_attr(test, schemars(with = "Option<Vec<IgnoreSetting>>"))]
    pub ignore: Vec<IgnoreSetting>,
    /// Rules or groups whose findings always count, at their own severity or above: no comment, entry of `ignore`,
    /// baseline, level, `--ignore` or `--select` hides or lowers them.
    pub locked_rules: Vec<String>,
    /// The baseline: a file of known findings that do not count. `tollproof baseline write` creates it.
    pub baseline: Option<PathBuf>,
}

/// The provider of files.
#[derive(Debug, Default)]
pub enum ProviderSetting {
    /// The provider by field names.
    #[default]
    Open,
    /// The same for all files.
    All(Provider),
    /// By glob. If several match, the first one counts.
    ByFile(Globs<Provider>),
}

/// The forms of the setting.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum ProviderOrGlobs {
    All(Provider),
    ByFile(BTreeMap<String, Provider>),
}

impl<'de> Deserialize<'de> for ProviderSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrGlobs;

        impl<'de> Visitor<'de> for NameOrGlobs {
            type Value = ProviderSetting;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a provider, or a map from globs to such names")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<ProviderSetting, E> {
                Provider::named(name).map(ProviderSetting::All).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ProviderSetting, A::Error> {
                Globs::deserialize(MapAccessDeserializer::new(map)).map(ProviderSetting::ByFile)
            }
        }

        deserializer.deserialize_any(NameOrGlobs)
    }
}

/// Findings that make the exit status 1.
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
    /// All values.
    pub const ALL: [Self; 4] = [Self::Error, Self::Warning, Self::Info, Self::Never];

    /// The name in a configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Never => "never",
        }
    }
}

/// Findings that do not count.
#[derive(Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IgnoreSetting {
    /// The id of the rule or group.
    pub rule: String,
    /// A glob of the files; without it, all files.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub files: Option<Pattern>,
    /// The value, including everything in it, as an RFC 6901 pointer into its document: `/businessContactEmail`.
    /// Without it, all values.
    #[serde(default, deserialize_with = "pointer")]
    pub pointer: Option<String>,
    /// Reason to ignore the findings. Reports show it.
    #[serde(deserialize_with = "reason")]
    pub reason: String,
    /// The last day on which the findings do not count, in UTC: `2026-12-31`.
    #[serde(default, deserialize_with = "day")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub until: Option<Date>,
}

impl IgnoreSetting {
    /// The ignore without its glob.
    pub fn plain(&self) -> Ignore {
        let Self { rule, pointer, reason, until, .. } = self;
        Ignore { rule: rule.clone(), pointer: pointer.clone(), reason: reason.clone(), until: *until }
    }
}

/// Your own schema, and the files that it applies to.
#[derive(Debug, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SchemaSetting {
    /// A glob of the files whose documents are validated.
    #[cfg_attr(test, schemars(with = "String"))]
    pub files: Pattern,
    /// The path of the JSON Schema, relative to the folder of this file.
    pub schema: PathBuf,
}

/// The level of a rule, overall and for some files, and its parameters.
#[derive(Debug, Default, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RuleSetting {
    /// The level of the rule.
    pub level: Option<Level>,
    /// The level in the files of a glob. The first glob that matches counts, and it overrides `level`.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Level>"))]
    pub files: Globs<Level>,
    /// Parameters of the check that replace those in the rule's file, such as `min-chars: 80`.
    pub with: serde_json::Map<String, serde_json::Value>,
    /// Items to add to parameters that are lists.
    pub add: serde_json::Map<String, serde_json::Value>,
}

/// The value of an entry of `rules`: a level, or an object with more settings.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum LevelOrMore {
    Level(Level),
    More(RuleSetting),
}

/// Reads the settings of rules. Each is a level or an object with more settings.
fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, RuleSetting>, D::Error> {
    struct Either(RuleSetting);

    impl<'de> Deserialize<'de> for Either {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct LevelOrMap;

            impl<'de> Visitor<'de> for LevelOrMap {
                type Value = RuleSetting;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a level (off, info, warning or error), or an object")
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

/// Reads a list that may be null, for example because all its items are comments.
fn maybe_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IgnoreSetting>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The location of a history.
#[derive(Debug)]
pub struct HistorySetting(
    /// The location as it is written. Paths are relative to the folder of the configuration.
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
    // A date with a time or a time zone is rejected, because only the day would be used.
    let day = text.parse().ok().filter(|day: &Date| day.to_string() == text);
    day.map(Some).ok_or_else(|| D::Error::custom("use a date such as 2026-12-31, without a time"))
}
