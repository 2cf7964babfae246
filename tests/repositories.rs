//! Limits of a cloned repository: it does not choose a server, and has no file of the machine shown.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::symlink;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::support::{Folder, Ran, formats, part};

const DRAFT: &str = include_str!("../schemas/bird/samples/submit-request.json");
const RULE: &str = "title: Own
severity: info
at: businessName
check: { forbid: { any_of: [marzipan] } }
message: this name is sweet
help: Use another name.
docs: Sweet names are refused.
source: https://docs.bird.com
examples:
  pass: [{ businessName: Acme }]
  fail: [{ businessName: Marzipan }]
";
const PASSWORD: &str = "marzipan";

/// A server that accepts no encryption and asks each client for its password as it is. The channel has what each sent.
fn server() -> (u16, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("0.0.0.0:0").expect("a port is free");
    let port = listener.local_addr().expect("it has one").port();
    let (sender, received) = mpsc::channel();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let _ = sender.send(talk(client));
        }
    });
    (port, received)
}

fn talk(mut client: TcpStream) -> Vec<u8> {
    client.set_read_timeout(Some(Duration::from_secs(5))).expect("it can be set");
    let mut all = Vec::new();
    let mut part = [0; 4096];
    for answer in [&b"N"[..], b"R\0\0\0\x08\0\0\0\x03", b""] {
        let count = client.read(&mut part).unwrap_or_default();
        all.extend(&part[..count]);
        // A client that wants no encryption begins with what the second answer is for.
        let is_request = count == 8 && part[4..8] == 80_877_103_u32.to_be_bytes();
        let answer = if !is_request && answer == b"N" { &b"R\0\0\0\x08\0\0\0\x03"[..] } else { answer };
        if count == 0 || client.write_all(answer).is_err() {
            break;
        }
    }
    all
}

fn repository(name: &str) -> Folder {
    let folder = Folder::new(name).file("draft.json", DRAFT).file("answer.json", r#"{"code": "30513"}"#);
    std::fs::create_dir(folder.0.join(".git")).expect("it is new");
    folder
}

fn run(folder: &Folder, args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = folder.command(args);
    command.env("PGPASSWORD", PASSWORD).env("USER", "ana").env_remove("TOLLPROOF_HISTORY");
    command.env("TOLLPROOF_SETTINGS", folder.0.join("own.yaml"));
    command.envs(variables.iter().copied());
    Ran::new(command.output().expect("tollproof starts"))
}

/// All that a command printed, without the line breaks of a frame.
fn said(ran: &Ran) -> String {
    let words = ran.out.split_whitespace().chain(ran.err.split_whitespace());
    words.filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// Commands that open the history of a project.
const COMMANDS: [&[&str]; 9] = [
    &["check", "draft.json"],
    &["gate", "draft.json"],
    &["explain", "draft.json", "answer.json"],
    &["history", "list"],
    &["doctor"],
    &["baseline", "write", "draft.json"],
    &["look", "draft.json", "--dry-run"],
    &["attempts", "--sandbox", "--provider", "twilio"],
    &["status", "--sandbox", "--provider", "twilio"],
];

#[test]
fn a_project_connects_to_no_server_that_its_user_does_not_list() {
    let (port, received) = server();
    for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
        let folder = repository("repositories-server")
            .file("own.yaml", "history-servers: [db.example]\n")
            .file("tollproof.yaml", format!("history: ['postgres://{host}:{port}/past']\n"));
        for args in COMMANDS {
            let ran = run(&folder, args, &[]);
            let said = said(&ran);
            assert!(!said.contains(PASSWORD), "{args:?}: {said}");
            if args[0] != "look" {
                assert_ne!(ran.code, Some(0), "{args:?}: {said}");
                assert!(
                    said.contains(&format!("your own settings do not list `{host}`")),
                    "{args:?}: {said}"
                );
                let is_short = args[0] == "doctor";
                assert!(is_short || said.contains(&format!("history-servers: [{host}]")), "{args:?}: {said}");
            }
        }
    }
    // Every host of an address counts.
    for more in ["?host=127.0.0.1", "?hostaddr=127.0.0.1"] {
        let folder = repository("repositories-hosts")
            .file("own.yaml", "history-servers: [db.example]\n")
            .file("tollproof.yaml", format!("history: ['postgres://db.example:{port}/past{more}']\n"));
        let ran = run(&folder, &["check", "draft.json"], &[]);
        assert!(ran.code == Some(2) && said(&ran).contains("history-servers: [127.0.0.1]"), "{ran:?}");
    }
    assert!(received.try_recv().is_err(), "something connected");
    // The test would see it: a server on this machine that the user lists gets what it asks for.
    let folder = repository("repositories-listed")
        .file("own.yaml", "history-servers: [127.0.0.1]\n")
        .file("tollproof.yaml", format!("history: ['postgres://127.0.0.1:{port}/past']\n"));
    let ran = run(&folder, &["check", "draft.json"], &[]);
    assert_eq!(ran.code, Some(2), "it is not a history: {ran:?}");
    let seen = received.recv_timeout(Duration::from_secs(30)).expect("it connected");
    assert!(seen.windows(PASSWORD.len()).any(|part| part == PASSWORD.as_bytes()));
    // Opening the folder in an editor is not a wish to connect.
    let message = |body: String| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let uri = format!("file://{}", folder.0.join("draft.json").display());
    let opened = json!({"uri": uri, "languageId": "json", "version": 1, "text": DRAFT});
    let input = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": opened}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    let input: String = input.iter().map(|body| message(body.to_string())).collect();
    let mut command = folder.command(&["lsp"]);
    command.env("PGPASSWORD", PASSWORD).env("TOLLPROOF_SETTINGS", folder.0.join("own.yaml"));
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("tollproof starts");
    child.stdin.take().expect("it was piped").write_all(input.as_bytes()).expect("it is read");
    let answers = child.wait_with_output().expect("it ends").stdout;
    assert!(String::from_utf8_lossy(&answers).contains("\"id\":2"), "the server answered");
    assert!(received.try_recv().is_err(), "the editor's server connected");
}

#[test]
fn a_password_needs_a_verified_server_unless_the_user_says_otherwise() {
    let (port, received) = server();
    let folder = repository("repositories-tls").file("own.yaml", "history-servers: [0.0.0.0]\n");
    // To the system this address is the own machine; to tollproof it is any host.
    let address = format!("postgres://0.0.0.0:{port}/past");
    let has_password = |seen: &[u8]| seen.windows(PASSWORD.len()).any(|part| part == PASSWORD.as_bytes());
    for (args, variables) in [
        (&["check", "draft.json", "--history", &address][..], &[][..]),
        (&["check", "draft.json"], &[("TOLLPROOF_HISTORY", address.as_str())]),
    ] {
        let ran = run(&folder, args, variables);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let seen = received.recv_timeout(Duration::from_secs(30)).expect("it asked for encryption");
        assert!(!has_password(&seen), "{args:?}");
    }
    let chosen = format!("{address}?sslmode=disable");
    run(&folder, &["check", "draft.json", "--history", &chosen], &[]);
    let seen = received.recv_timeout(Duration::from_secs(30)).expect("it connected");
    assert!(has_password(&seen), "the user's own word counts");
    for weaker in ["sslmode=disable", "sslmode=require", "sslrootcert=mine.pem"] {
        let settings = format!("history: ['{address}?{weaker}']\n");
        let folder = repository("repositories-weaker")
            .file("own.yaml", "history-servers: [0.0.0.0]\n")
            .file("tollproof.yaml", settings);
        let ran = run(&folder, &["check", "draft.json"], &[("PGSSLMODE", "disable")]);
        assert!(ran.code == Some(2) && said(&ran).contains("is always verified"), "{ran:?}");
        assert!(received.try_recv().is_err(), "{weaker}: it connected");
    }
}

/// Texts as in files that must not get into a log.
const SECRETS: [&str; 4] = [
    "root:x:0:0:marzipan:/root:/bin/bash\nmore:marzipan\n",
    "-----BEGIN PRIVATE KEY-----\nmarzipan\n-----END PRIVATE KEY-----\n",
    "kind: Secret\ndata: { password: marzipan }\n",
    "- marzipan\n- [marzipan\n",
];

#[test]
fn a_folder_of_rules_that_links_to_itself_ends() {
    let folder = repository("repositories-loop")
        .file("tollproof.yaml", "rule-dirs: [rules]\n")
        .file("rules/opt-in/.keep", "");
    for name in ["one", "two"] {
        symlink(folder.0.join("rules"), folder.0.join("rules").join(name)).expect("links can be made");
    }
    let ran = run(&folder, &["check", "draft.json"], &[("TOLLPROOF_SETTINGS", "")]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(said(&ran).contains("contains more than 10000 files and folders"), "{ran:?}");
}

#[test]
fn nothing_is_shown_of_a_file_that_a_link_leads_to() {
    for (at, secret) in part(4, SECRETS.iter().enumerate()) {
        let outside = Folder::new(&format!("repositories-outside-{at}"))
            .file("secret", secret)
            .file("rules/opt-in/secret.yaml", secret);
        for (link, target, settings) in [
            ("tollproof.yaml", "secret", ""),
            ("own-rules", "rules", "rule-dirs: [own-rules]\n"),
            ("rules/opt-in/linked.yaml", "secret", "rule-dirs: [rules]\n"),
            ("rules/vocabulary/linked.yaml", "secret", "rule-dirs: [rules]\n"),
            ("rules/linked", "rules/opt-in", "rule-dirs: [rules]\n"),
            ("known.json", "secret", "baseline: known.json\n"),
            ("schema.json", "secret", "schemas: [{ files: '*.json', schema: schema.json }]\n"),
            ("seen.ndjson", "secret", "facts: seen.ndjson\n"),
            (".tollproof/facts.ndjson", "secret", "vendor: Acme\n"),
            (".tollproof/readings.ndjson", "secret", "vendor: Acme\n"),
            ("read.ndjson", "secret", "readings: read.ndjson\n"),
            ("records", "rules", "history: [records]\n"),
            ("past.db", "secret", "history: ['sqlite:past.db']\n"),
        ] {
            let folder = repository("repositories-links").file("rules/opt-in/.keep", "");
            std::fs::create_dir_all(folder.0.join("rules/vocabulary")).expect("it can be made");
            std::fs::create_dir_all(folder.0.join(".tollproof")).expect("it can be made");
            symlink(outside.0.join(target), folder.0.join(link)).expect("links can be made");
            let folder = if settings.is_empty() { folder } else { folder.file("tollproof.yaml", settings) };
            for args in [
                &["check", "draft.json"][..],
                &["doctor"],
                &["rule"],
                &["explain", "draft.json", "answer.json"],
            ] {
                let ran = run(&folder, args, &[("TOLLPROOF_SETTINGS", "")]);
                let said = said(&ran);
                assert!(!said.contains("marzipan"), "{link}, {args:?}: {said}");
                if args[0] == "check" {
                    assert_eq!(ran.code, Some(2), "{link}: {said}");
                    assert!(said.contains("leads out of the repository"), "{link}: {said}");
                }
            }
            for format in formats().iter().filter(|_| link == "tollproof.yaml" || at == 0) {
                let format = format!("--output-format={format}");
                let ran = run(&folder, &["check", "draft.json", &format], &[("TOLLPROOF_SETTINGS", "")]);
                let said = said(&ran);
                assert!(!said.contains("marzipan"), "{link}, {format}: {said}");
            }
        }
    }
}

#[test]
fn no_way_around_leads_out() {
    // Another clone on the machine, with its own `.git`.
    let outside = repository("repositories-clone")
        .file("known.json", r#"{"version": 1, "findings": []}"#)
        .file("rules/opt-in/secret.yaml", SECRETS[0])
        .file("records/one.json", r#"{"id": "marzipan", "status": "Verified"}"#)
        .file("plain/rules/opt-in/secret.yaml", SECRETS[0])
        .file("seen.ndjson", "");
    for settings in [
        "rule-dirs: [link/rules]\n",
        "baseline: link/known.json\n",
        "history: [link/records/one.json]\n",
        "history: ['link/records/*.json']\n",
        "history: ['sqlite:link/new.db']\n",
        "facts: link/seen.ndjson\n",
        "readings: link/new/read.ndjson\n",
        "rule-dirs: [link/plain/../rules]\n",
        "rule-dirs: [deeper/../rules]\n",
        "facts: deeper/../seen.ndjson\n",
        "schemas: [{ files: '*.json', schema: link/known.json }]\n",
    ] {
        let folder = repository("repositories-around").file("tollproof.yaml", settings);
        symlink(&outside.0, folder.0.join("link")).expect("links can be made");
        symlink(outside.0.join("plain"), folder.0.join("deeper")).expect("links can be made");
        let ran = run(&folder, &["check", "draft.json"], &[("TOLLPROOF_SETTINGS", "")]);
        let said = said(&ran);
        assert!(ran.code == Some(2) && said.contains("leads out of the repository"), "{settings}: {said}");
        assert!(!said.contains("marzipan"), "{settings}: {said}");
    }
    // What the user names may be a link to anywhere.
    let folder = repository("repositories-user").file("own.yaml", "");
    symlink(outside.0.join("known.json"), folder.0.join("known.json")).expect("links can be made");
    let ran = run(&folder, &["check", "draft.json", "--baseline", "known.json"], &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn files_beyond_the_repository_are_read_and_not_shown() {
    for secret in SECRETS {
        let outside = Folder::new("repositories-beyond").file("rules/opt-in/secret.yaml", secret);
        let rules = outside.0.join("rules").display().to_string();
        // The same by a link within the repository, and by one into its `.git`.
        for (settings, linked) in [
            (format!("rule-dirs: ['{rules}']\n"), None),
            ("vendor: Acme\n".to_owned(), Some("other")),
            ("vendor: Acme\n".to_owned(), Some(".git/config")),
        ] {
            let folder = repository("repositories-named").file("other", secret).file(".git/config", secret);
            let folder = match linked {
                None => folder.file("tollproof.yaml", settings),
                Some(target) => {
                    symlink(target, folder.0.join("tollproof.yaml")).expect("links can be made");
                    folder
                }
            };
            for args in [
                &["check", "draft.json"][..],
                &["rule"],
                &["doctor"],
                &["check", "draft.json", "--output-format=json"],
            ] {
                let ran = run(&folder, args, &[("TOLLPROOF_SETTINGS", "")]);
                let said = said(&ran);
                assert!(!said.contains("marzipan"), "{args:?}: {said}");
                assert!(args[0] != "check" || ran.code == Some(2), "{said}");
            }
        }
    }
    // What the user names is shown.
    let own = Folder::new("repositories-own").file("rules/opt-in/wrong.yaml", "title: [marzipan]\n");
    let folder = repository("repositories-shown");
    let rules = own.0.join("rules").display().to_string();
    let ran = run(&folder, &["check", "draft.json", "--rules", &rules], &[("TOLLPROOF_SETTINGS", "")]);
    assert!(ran.code == Some(2) && ran.err.contains("marzipan"), "{ran:?}");
}

#[test]
fn a_link_within_the_repository_is_followed() {
    let folder = repository("repositories-within")
        .file("shared/tollproof.yaml", "fail-on: info\n")
        .file("shared/rules/house/own.yaml", RULE);
    symlink("shared/tollproof.yaml", folder.0.join("tollproof.yaml")).expect("links can be made");
    symlink("shared/rules", folder.0.join("rules")).expect("links can be made");
    let ran = run(&folder, &["rule", "house/own", "--rules", "rules"], &[("TOLLPROOF_SETTINGS", "")]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = run(&folder, &["check", "draft.json"], &[("TOLLPROOF_SETTINGS", "")]);
    assert_ne!(ran.code, Some(2), "{ran:?}");
}
