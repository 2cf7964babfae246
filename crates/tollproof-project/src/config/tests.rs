//! Tests of reading settings, and of their schema.

use std::fs;

use tollproof_core::KindRole;

use super::*;

fn config(text: &str) -> Result<ConfigFile, ConfigError> {
    let here = std::env::current_dir().expect("tests have a folder");
    ConfigFile::parse(text.to_owned(), &here.join(CONFIG_NAME))
}

#[test]
fn the_first_glob_that_matches_gives_the_kind() {
    let text = "kinds:\n  updates/*.yaml: update-request\n  '**/*.yaml': submit-request\n";
    let config = config(text).expect("the settings are right");
    let kind = |path: &str| config.kind_choice(Path::new(path)).role;
    assert_eq!(kind("updates/a.yaml"), Some(KindRole::Update));
    assert_eq!(kind("./drafts/../updates/a.yaml"), Some(KindRole::Update));
    assert_eq!(kind("updates/deeper/a.yaml"), Some(KindRole::Submit));
    assert_eq!(kind("a.json"), None);
    assert_eq!(kind("/elsewhere/a.yaml"), None);
}

#[test]
fn no_error_shows_a_password() {
    let Err(ConfigError::Invalid(error)) = config("history: postgres://ana:secret@db/past\n") else {
        panic!("a history is a list");
    };
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
}

#[test]
fn a_file_of_comments_is_no_error() {
    for text in ["", "# vendor: Acme\n\n", "  # indented\n", "---\n", "--- # nothing yet\n...\n"] {
        let config = config(text).unwrap_or_else(|error| panic!("{text:?}: {error:?}"));
        assert_eq!(config.settings.vendor, None);
    }
}

#[test]
fn wrong_settings_are_refused() {
    for text in [
        "vendors: Acme\n",
        "vendor: 42\n",
        "vendor: true\n",
        "42\n",
        "kinds: { a.json: submit }\n",
        "kinds: { '[': submit-request }\n",
        "history: records\n",
        "history: ['mysql://host/db']\n",
        "records: [a]\n",
        "rules: { contact: loud }\n",
        "rules: { contact: false }\n",
        "rules: { contact: { lvl: off } }\n",
        "fail-on: errors\n",
        "exclude: archive\n",
        "ignore: [{ rule: contact }]\n",
        "ignore: [{ rule: contact, reason: ' ' }]\n",
        "ignore: [{ rule: contact, reason: a, pointer: businessName }]\n",
        "ignore: [{ rule: contact, reason: a, until: tomorrow }]\n",
    ] {
        assert!(matches!(config(text), Err(ConfigError::Invalid(_))), "{text}");
    }
}

#[test]
fn the_schema_is_up_to_date_and_as_strict_as_the_reader() {
    let schema = schemars::schema_for!(Settings);
    let mut schema = serde_json::to_value(schema).expect("a schema is JSON");
    schema["$id"] = "config.schema.json".into();
    // A file that contains only comments is null in YAML; `tollproof init` writes such a file.
    schema["type"] = serde_json::json!(["object", "null"]);
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/config.schema.json");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, &text).expect("the schemas can be written");
    }
    let kept = fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert!(kept == text, "schemas/config.schema.json is stale: run `UPDATE=1 cargo test --workspace`");

    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    for (text, fits) in [
        ("# vendor: Acme\n", true),
        ("vendor: Acme\nkinds: { 'updates/*.yaml': update-request }\n", true),
        ("rules: { contact: off, message/shouting: { level: error, files: { 'old/*': info } } }\n", true),
        ("rules: { opt-in/vague-description: { with: { min-chars: 80 }, add: {} } }\n", true),
        ("ignore: [{ rule: contact, files: a.json, pointer: /x, reason: why, until: 2026-12-31 }]\n", true),
        ("include: [drafts]\nexclude: ['**/old/**']\nfail-on: warning\nlocked-rules: [input]\n", true),
        ("rules: { contact: loud }\n", false),
        ("rules: { contact: { lvl: off } }\n", false),
        ("ignore: [{ rule: contact }]\n", false),
        ("vendors: Acme\n", false),
        ("kinds: { a.json: submit }\n", false),
    ] {
        let value: serde_json::Value = serde_yaml::from_str(text).expect("it is YAML");
        assert_eq!(validator.is_valid(&value), fits, "{text}");
        assert_eq!(config(text).is_ok(), fits, "{text}");
    }
}

#[test]
fn globs_name_files_and_folders() {
    let text = "include: [drafts, '*.yaml', other/*/deep, flat/*]\nexclude: [drafts/old/]\n";
    let config = config(text).expect("the settings are right");
    for (path, taken) in [
        ("drafts/a.json", true),
        ("drafts/b/c.json", true),
        ("a.yaml", true),
        ("b/a.yaml", false),
        ("drafts/old/a.json", false),
        ("drafts/older/a.json", true),
        ("other/x/deep/a.json", true),
        ("other/deep/a.json", false),
        ("flat/a.json", true),
        ("flat/b/a.json", false),
    ] {
        assert_eq!(config.takes(Path::new(path)), taken, "{path}");
    }
}

#[test]
fn a_glob_counts_more_than_the_level_of_all_files() {
    let text = "rules:\n  contact: { level: info, files: { old: off, 'o*': error } }\n  message: warning\n";
    let config = config(text).expect("the settings are right");
    let level = |path: &str| config.levels_of(Path::new(path))[0].1;
    assert_eq!(
        [level("a.json"), level("old/a.json"), level("other.json")],
        [Level::Info, Level::Off, Level::Error]
    );
}
