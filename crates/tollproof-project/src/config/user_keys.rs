//! Keys that only a user's own settings may have: a project, which may be somebody else's, says neither what runs nor
//! where data goes.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IntoDeserializer as _, MapAccess, Visitor,
};

use super::settings::Settings;

/// Spelled with hyphens; with underscores they are the same keys.
const USER_KEYS: [&str; 15] = [
    "allow-private",
    "api",
    "assistants",
    "history-servers",
    "host",
    "hosts",
    "key-command",
    "paths",
    "private-addresses",
    "providers",
    "reader",
    "reader-command",
    "reader-commands",
    "readers",
    "values",
];

/// The settings of a project.
pub(super) struct ProjectSettings(pub(super) Settings);

impl<'de> Deserialize<'de> for ProjectSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Keys).map(Self)
    }
}

struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = Settings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct Settings")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Settings, A::Error> {
        Settings::deserialize(MapAccessDeserializer::new(CheckedKeys(map)))
    }
}

/// Refuses keys before the settings see them.
struct CheckedKeys<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for CheckedKeys<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(CheckedKey(seed))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.0.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

struct CheckedKey<K>(K);

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for CheckedKey<K> {
    type Value = K::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<K::Value, D::Error> {
        let key = String::deserialize(deserializer)?;
        if USER_KEYS.contains(&key.replace('_', "-").as_str()) {
            return Err(D::Error::custom(format_args!(
                "`{key}` says what runs or where data goes; it is read only from your own settings, not from a project"
            )));
        }
        self.0.deserialize(key.into_deserializer())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{ConfigError, ConfigFile};
    use super::USER_KEYS;

    fn error(text: &str) -> (String, String) {
        match ConfigFile::parse(text.to_owned(), Path::new("/project/tollproof.yaml")) {
            Err(ConfigError::Invalid(error)) => {
                let span = error.span.expect("an error has a place");
                (error.message, text[span.start as usize..span.end as usize].to_owned())
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_project_says_neither_what_runs_nor_where_data_goes() {
        let spellings = USER_KEYS.iter().flat_map(|key| [(*key).to_owned(), key.replace('-', "_")]);
        for key in spellings {
            for text in [
                format!("{key}: [sh, -c, id]\n"),
                format!("vendor: Acme\n{key}: {{}}\n"),
                format!("{{\"{key}\": 1}}\n"),
            ] {
                let (message, place) = error(&text);
                let said = "says what runs or where data goes; it is read only from your own settings, not from a project";
                assert_eq!(message, format!("`{key}` {said}"));
                assert_eq!(place.trim_matches('"'), key, "{text}");
            }
        }
    }

    #[test]
    fn other_keys_are_still_compared_with_the_known_ones() {
        let (message, place) = error("vendors: Acme\n");
        assert_eq!(
            (message.as_str(), place.as_str()),
            ("unknown key `vendors`; did you mean `vendor`?", "vendors")
        );
        // Only at the top: below, such a key is any other one.
        let (message, _) = error("ignore: [{ rule: a, reason: b, paths: c }]\n");
        assert!(message.starts_with("unknown key `paths`"), "{message}");
        let file =
            ConfigFile::parse("columns: { Host: x, api: y }\n".to_owned(), Path::new("/p/tollproof.yaml"));
        assert_eq!(file.expect("columns have any name").settings.columns.len(), 2);
    }
}
