//! Keys that only a user's own settings may have: a project, which may be somebody else's, says neither what runs nor
//! where data goes.

use tollproof_core::{Format, Parsed, Source, StrictError};

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

/// The error about such a key at the top of a text, for settings that could not be read: [`Settings`](super::Settings)
/// have none of them.
pub(super) fn error(file: &str, text: &str) -> Option<Box<StrictError>> {
    let source = Source::new(file, text);
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let root = parsed.only()?.document().root.as_ref()?;
    let is_users = |key: &&str| USER_KEYS.contains(&key.replace('_', "-").as_str());
    let key = root.members().iter().map(|member| &*member.key).find(is_users)?;
    let message = format!(
        "`{key}` says what runs or where data goes; it is read only from your own settings, not from a project"
    );
    Some(StrictError::at_key(file, text, &format!("/{key}"), message, None))
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
