//! Sources of settings, and refusals in them.

use super::*;

/// The forms of addresses.
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum WrittenHosts {
    One(String),
    Named(BTreeMap<String, String>),
}

/// The forms of a value.
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) enum WrittenValueText {
    Text(String),
    Digits(u64),
}

#[test]
fn the_schema_is_up_to_date_and_as_strict_as_the_reader() {
    let mut schema = serde_json::to_value(schemars::schema_for!(SettingsFile)).expect("a schema is JSON");
    schema["$id"] = "user-settings.schema.json".into();
    schema["title"] = "Your own settings of tollproof".into();
    // A file that contains only comments is null in YAML.
    schema["type"] = serde_json::json!(["object", "null"]);
    let names: Vec<&str> = Provider::all().iter().map(|it| it.name()).collect();
    schema["properties"]["providers"]["propertyNames"] = serde_json::json!({ "enum": names });
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/user-settings.schema.json");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &text).expect("the schemas can be written");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        kept == text,
        "schemas/user-settings.schema.json is stale: run `UPDATE=1 cargo test --workspace`"
    );

    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    for (text, fits) in [
        ("# nothing\n", true),
        (
            "providers: { bird: { api: stock, key-command: [pass, show, bird], values: { workspace: 5 } } }\n",
            true,
        ),
        (
            "providers: { plivo: { hosts: 'https://a.example' }, aws: { hosts: { api: 'https://b.example' } } }\n",
            true,
        ),
        ("providers: { brid: {} }\n", false),
        ("providers: { bird: { key-command: pass show bird } }\n", false),
        ("providers: { bird: { key-command: [] } }\n", false),
        ("providers: { bird: { values: { a: true } } }\n", false),
        ("providers: { bird: { host: a } }\n", false),
        ("provider: {}\n", false),
        (
            "reader: { kind: openai, url: 'http://127.0.0.1:11434/v1', model: m, timeout: 5, max-tokens: 9 }\n",
            true,
        ),
        ("reader: { kind: command, command: [reader, -p], key-command: [pass, show, reader] }\n", true),
        ("reader: null\n", true),
        ("reader: { kind: open-ai }\n", false),
        ("reader: { command: reader }\n", false),
        ("reader: { command: [] }\n", false),
        ("reader: { timeout: 0 }\n", false),
        ("reader: { max-tokens: -1 }\n", false),
        ("reader: { key: abc }\n", false),
        ("history-servers: [db.example]\n", true),
        ("history-servers: db.example\n", false),
    ] {
        let value: serde_json::Value = serde_yaml::from_str(text).expect("it is YAML");
        assert_eq!((validator.is_valid(&value), parse(text).is_ok()), (fits, fits), "{text}");
    }
}

fn parse(text: &str) -> Result<UserSettings, OwnSettingsError> {
    UserSettings::parse(text, Path::new("/home/ada/.config/tollproof/settings.yaml"))
}

/// The message and the text that is underlined.
fn error(text: &str) -> (String, String) {
    match parse(text) {
        Err(OwnSettingsError::Invalid(error)) => {
            let span = error.span.expect("an error has a place");
            (error.message.clone(), error.text[span.start as usize..span.end as usize].to_owned())
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn settings_say_where_data_goes_and_what_runs() {
    let settings = parse(
        "providers:
  bird:
    api: document
    hosts: { api: https://nest.messagebird.one }
    key-command: [op, read, op://vault/bird/key]
    values: { workspace: b7d9, account: 5500123 }
    paths: { verifications: '/workspaces/{workspace}/verifications' }
  infobip:
    hosts: https://{account}.api.infobip.com
  plivo:
    hosts: http://127.0.0.1:8833/plivo
",
    )
    .expect("it is valid");
    let bird = settings.provider("bird");
    assert_eq!(bird.api.as_deref(), Some("document"));
    assert_eq!(bird.hosts["api"], "https://nest.messagebird.one");
    assert_eq!((bird.values["workspace"].as_str(), bird.values["account"].as_str()), ("b7d9", "5500123"));
    assert_eq!(bird.paths["verifications"], "/workspaces/{workspace}/verifications");
    assert!(bird.key_command.is_some());
    assert_eq!(settings.provider("infobip").hosts[""], "https://{account}.api.infobip.com");
    assert_eq!(settings.provider("telnyx"), ProviderSettings::default());
    assert!(settings.path().ends_with("settings.yaml"));
    for empty in ["", "# nothing\n", "---\n", "providers: {}\n"] {
        assert_eq!(parse(empty).expect(empty).provider("bird"), ProviderSettings::default());
    }
}

#[test]
fn what_is_wrong_in_settings_has_a_place() {
    for (text, message, place) in [
        ("provider: {}\n", "unknown key `provider`; did you mean `providers`?", "provider"),
        ("providers: { bird: { host: a } }\n", "unknown key `host`; did you mean `hosts`?", "host"),
        (
            "providers: { bird: { hosts: 'api' } }\n",
            "`api` is not an address; write one such as `https://api.example.com`",
            "'api'",
        ),
        (
            "providers: { bird: { hosts: { api: 'http://api.bird.com' } } }\n",
            "`api.bird.com` is not an https address; only `localhost` and loopback addresses can use http",
            "'http://api.bird.com'",
        ),
        (
            "providers: { bird: { hosts: 'https://api.bird.com?x' } }\n",
            "an address of a server has no `?` and no `#`; remove that part",
            "'https://api.bird.com?x'",
        ),
        ("providers: { bird: { key-command: [] } }\n", "name the program first", "[]"),
        (
            "providers: { bird: { values: { a: true } } }\n",
            "this must be a string, not the boolean `true`",
            "true",
        ),
        (
            "reader: { url: 'http://reader.example' }\n",
            "`reader.example` is not an https address; only `localhost` and loopback addresses can use http",
            "'http://reader.example'",
        ),
        ("reader: { timeout: 3601 }\n", "expected a number from 1 to 3600", "3601"),
    ] {
        assert_eq!(error(text), (message.to_owned(), place.to_owned()), "{text}");
    }
    let (message, place) = error("providers: { brid: {} }\n");
    assert!(message.contains("`brid`") && message.contains("bird"), "{message}");
    assert_eq!(place, "brid");
    let (message, _) = error("providers: { bird: { key-command: pass show bird } }\n");
    assert!(message.contains("a list of the program and its arguments"), "{message}");
    let (message, place) = error("providers: { bird: { hosts: 'https://ada:moonstone@api.bird.com' } }\n");
    assert!(message.contains("user or a password") && !place.contains("moonstone"), "{message} {place}");
}
