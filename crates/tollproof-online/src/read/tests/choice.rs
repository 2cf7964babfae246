//! The choice of a reader, and refusals.

use super::*;

fn of_file(
    file: &str,
    environment: &[(&str, &str)],
    choice: &ReaderChoice,
) -> Result<ReaderSettings, ReaderError> {
    let file = UserSettings::parse(file, std::path::Path::new("/home/ada/.config/tollproof/settings.yaml"));
    let variable = |name: &str| {
        let found = environment.iter().find(|(it, _)| *it == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    ReaderSettings::find(&file.expect("it is valid"), &variable, choice)
}

fn summary(settings: &ReaderSettings) -> (String, String, String, bool) {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let url = settings.url.as_ref().map(ToString::to_string);
    (settings.kind.to_string(), text(&url), text(&settings.model), settings.key_command.is_some())
}

const FILE: &str = "reader:
  kind: openai
  url: https://models.example/v1
  model: large
  key-command: [pass, show, reader]
  timeout: 7
  max-tokens: 500
";

#[test]
fn the_command_line_is_before_the_environment_before_the_file() {
    let (none, file) = (ReaderChoice::default(), "https://models.example/v1");
    let choice = |kind: ReaderKind| ReaderChoice { kind: Some(kind), ..none.clone() };
    let variables = |all: &[(&str, &str)], choice: &ReaderChoice| {
        summary(&of_file(FILE, all, choice).expect("nothing is missing"))
    };
    let expected = |kind: &str, url: &str, model: &str, has_key: bool| {
        (kind.to_owned(), url.to_owned(), model.to_owned(), has_key)
    };
    assert_eq!(variables(&[], &none), expected("openai", file, "large", true));
    let small = [("TOLLPROOF_READER_MODEL", "small"), ("TOLLPROOF_READER", "")];
    assert_eq!(variables(&small, &none), expected("openai", file, "small", true));
    let large = ReaderChoice { model: Some("huge".to_owned()), ..choice(ReaderKind::OpenAi) };
    assert_eq!(variables(&small, &large), expected("openai", file, "huge", true));
    // A key goes nowhere but to the server that it was set for.
    let other = [("TOLLPROOF_READER_URL", "http://[::1]:8080")];
    assert_eq!(variables(&other, &none), expected("openai", "http://[::1]:8080/", "large", false));
    let kind = [("TOLLPROOF_READER", "anthropic"), ("TOLLPROOF_READER_MODEL", "c")];
    assert_eq!(variables(&kind, &none), expected("anthropic", "https://api.anthropic.com/", "c", false));
    // What the environment says is for its own kind.
    assert_eq!(
        variables(&kind, &choice(ReaderKind::Command).command("cat")),
        expected("command", "", "", false)
    );
    assert_eq!(variables(&[], &none.command("cat")), expected("command", "", "", false));

    let kept = of_file(FILE, &kind, &none).expect("nothing is missing");
    assert_eq!((kept.timeout, kept.max_tokens), (Duration::from_secs(7), Some(500)));
    let key = [("TOLLPROOF_READER_KEY", KEY)];
    let kept = of_file(FILE, &key, &none).expect("nothing is missing");
    assert!(kept.key.is_some() && !format!("{kept:?}").contains("moonstone"), "{kept:?}");
}

impl ReaderChoice {
    fn command(&self, command: &str) -> Self {
        Self { command: Some(command.to_owned()), ..self.clone() }
    }
}

#[test]
fn what_is_missing_or_invalid_is_said() {
    let both = "TOLLPROOF_READER";
    for (environment, message) in [
        (vec![], "no reader is named; use --reader, `reader:` in your own settings, or `TOLLPROOF_READER`"),
        (vec![("TOLLPROOF_READER_URL", "http://127.0.0.1")], "Set `kind` or `TOLLPROOF_READER` to"),
        (vec![(both, "gpt")], "unknown reader `gpt`; expected `command`, `openai` or `anthropic`"),
        (vec![(both, "openai")], "the reader `openai` needs a `url`, such as `http://127.0.0.1:11434/v1`"),
        (vec![(both, "anthropic")], "the reader `anthropic` needs a `model`"),
        (vec![(both, "command")], "the reader `command` needs a `command`, a program that answers"),
        (
            vec![
                (both, "command"),
                ("TOLLPROOF_READER_COMMAND", "a"),
                ("TOLLPROOF_READER_URL", "http://[::1]"),
            ],
            "`url` is not for the reader `command`; remove it, or name another reader",
        ),
        (vec![("TOLLPROOF_READER_COMMAND", "[]")], "write one program, or a JSON list"),
        (vec![("TOLLPROOF_READER_COMMAND", "[\"a\", 1]")], "write one program, or a JSON list"),
    ] {
        let error = settings(&environment).expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
    for (url, message) in [
        ("models", "`models` is not the address of a server"),
        ("http://models.example/v1", "`models.example` is not an https address"),
        ("http://192.168.0.7/v1", "`192.168.0.7` is not an https address"),
        ("http://localhost.example/v1", "`localhost.example` is not an https address"),
        ("file:///etc", "is not an https address"),
        ("https://ada:moonstone@models.example", "contains a user or a password"),
        ("https://models.example/v1?key=1", "is not the address of a server"),
    ] {
        let environment = [("TOLLPROOF_READER", "openai"), ("TOLLPROOF_READER_URL", url)];
        let error = settings(&environment).expect_err(url);
        assert!(error.to_string().contains(message), "{error}");
        assert!(!format!("{error} {error:?}").contains("moonstone"), "{error:?}");
    }
    for url in ["http://localhost:1", "http://127.8.0.1", "http://[::1]:1", "https://models.example"] {
        settings(&[("TOLLPROOF_READER", "openai"), ("TOLLPROOF_READER_URL", url)]).expect(url);
    }
}
