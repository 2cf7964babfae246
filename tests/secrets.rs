//! Tests that passwords of histories are masked wherever the location of a history is printed.

use crate::support::{Folder, Ran, part};

const NUMBER: &str = "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9";

/// Addresses of servers, some of them mistyped, each with the password `marzipan`.
const SOURCES: [&str; 14] = [
    "postgres://ana:marzipan@localhost:1/past",
    "postgresql://ana:mar@marzipan@localhost:1/past",
    "postgres://ana:%6darzipan%40marzipan@localhost:1/past?connect_timeout=1",
    "postgres://ana%3Amarzipan@localhost:1/past",
    "postgres://ana:marzipan%40localhost:1/past",
    "postgres://localhost:1/past?user=ana&password=marzipan",
    "postgres://localhost:1/past?user=ana&p%61ssword=marzipan&sslkey=a.key",
    "postgres://host=localhost password=marzipan user=ana",
    "host=localhost port=1 user=ana password='marzi\\'pan marzipan'",
    "password=marzipan host=localhost",
    "sqlite:postgres://ana:marzipan@localhost:1/past",
    "sqlite:host=localhost password=marzipan",
    "ana:marzipan@localhost",
    "mysql://ana:marzipan@localhost/past",
];

#[track_caller]
fn keeps_secret(what: &[&str], ran: &Ran) {
    let told = format!("{}{}", ran.out, ran.err).to_lowercase();
    assert!(!told.contains("marzipan") && !told.contains("arzipan"), "{what:?}: {told}");
}

#[test]
fn no_command_prints_the_password_of_a_history() {
    let folder = Folder::new("secrets-options")
        .file("a.json", format!("{{\"phoneNumbers\": [\"{NUMBER}\"], \"businessName\": \"Acme\"}}"))
        .file(
            "record.json",
            format!("{{\"id\": \"a\", \"phoneNumbers\": [\"{NUMBER}\"], \"status\": \"open\"}}"),
        );
    for (at, source) in SOURCES.into_iter().enumerate() {
        for args in [
            &["history", "list", "--history", source][..],
            &["check", "a.json", "--history", source],
            &["check", "a.json", "--redact", "--output-format=json", "--history", source],
            &["explain", "a.json", "record.json", "--history", source],
            &["gate", "a.json", "--history", source],
            &["history", "show", NUMBER, "--history", source],
            &["history", "export", "--history", source],
            &["history", "import", "record.json", "--history", source],
            &["history", "note", NUMBER, "--notified-at=2026-01-01T00:00:00Z", "--history", source],
        ] {
            // All commands use the same code, and waiting for a missing server takes time.
            if at > 0 && source.contains(":1/past") && args[1] != "list" {
                continue;
            }
            let ran = folder.run(args);
            // A file may have any name, but this one does not exist.
            assert_ne!(ran.code, Some(1), "{args:?}: {ran:?}");
            keeps_secret(args, &ran);
        }
    }
    let ran = folder.run(&["history", "list", "--history", "host=db password=marzipan"]);
    assert!(
        ran.err.contains("this looks like the address of a server; write `postgres://USER@HOST/DATABASE`"),
        "{ran:?}"
    );
}

#[test]
fn no_report_on_settings_prints_the_password_of_a_history() {
    for source in part(4, SOURCES) {
        let quoted = serde_json::to_string(source).expect("a string");
        let good = format!(
            "history: [{quoted}]\nignore:\n- {{ rule: contact/free-mail, reason: so, until: 2026-01-01 }}\n"
        );
        let folder = Folder::new("secrets-settings")
            .file("good/tollproof.yaml", &good)
            .file("good/a.json", format!("{{\"phoneNumbers\": [\"{NUMBER}\"], \"businessName\": \"Acme\"}}"))
            .file("records/one.json", "{}")
            .file("bad/tollproof.yaml", format!("history: {quoted}\n"))
            .file("bad/a.json", "{}")
            .file("worse/tollproof.yaml", format!("history:\n  - {source}\nvendr: {quoted} # {source}\n"))
            .file("worse/a.json", "{}");
        for format in ["full", "narrated", "concise", "json", "jsonl", "sarif", "github", "markdown", "junit"]
        {
            let format = format!("--output-format={format}");
            for more in [&[][..], &["--redact"]] {
                for name in ["good", "bad", "worse"] {
                    let args =
                        [&["check", name, "--history=records", &format, "--now=2026-11-21T08:00:00Z"], more]
                            .concat();
                    keeps_secret(&args, &folder.run(&args));
                }
            }
        }
        for name in ["good/a.json", "bad/a.json", "worse/a.json"] {
            for format in ["--output-format=full", "--output-format=json"] {
                let args = ["config", "show", name, format];
                keeps_secret(&args, &folder.run(&args));
            }
        }
    }
}

#[test]
fn settings_are_shown_but_for_passwords() {
    let settings = "\
ignore:
- { rule: contact/free-mail, reason: so, until: 2026-01-01 }
history: ['postgres://ana:marzipan@db/past?sslkey=a.key']
";
    let folder = Folder::new("secrets-shown")
        .file("tollproof.yaml", settings)
        .file("records/one.json", "{}")
        .file("a.json", "{\"businessName\": \"Acme\"}");
    let ran =
        folder.run(&["check", ".", "--history=records", "--select=config", "--now=2026-11-21T08:00:00Z"]);
    assert!(ran.out.contains("'postgres://ana:********@db/past?sslkey=a.key'"), "{ran:?}");
    let ran = folder.run(&["config", "show"]);
    assert!(ran.out.contains("postgres://ana@db/past"), "{ran:?}");
}
