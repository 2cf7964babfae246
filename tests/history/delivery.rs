//! A body that nobody received: the run fails, and the number is free again.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::stores::{Kept, NUMBER, draft, each};
use crate::support::Ran;

/// Runs the gate in a shell, with what follows the command there.
fn ask(kept: &Kept, redirection: &str) -> Ran {
    let shell = format!("exec \"$0\" gate draft.json --no-config --history \"$1\" {redirection}");
    let mut command = Command::new("sh");
    command.args(["-c", &shell, env!("CARGO_BIN_EXE_tollproof"), &kept.source]).current_dir(&kept.folder.0);
    Ran::new(command.stdin(Stdio::null()).output().expect("a shell starts"))
}

fn is_free(kept: &Kept, why: &str, ran: &Ran) {
    assert_eq!(ran.code, Some(2), "{why}: {ran:?}");
    assert!(ran.err.contains("error: cannot write the body to standard output: "), "{why}: {ran:?}");
    assert!(!ran.err.contains("go: "), "{why}: {ran:?}");
    assert!(ran.err.ends_with("is not reserved; ask again before you send the draft\n"), "{why}: {ran:?}");
    assert!(!kept.run(&["history", "show", NUMBER]).out.contains("reserved"), "{why}: {ran:?}");
}

#[test]
fn a_body_that_was_not_delivered_reserves_nothing() {
    each("gate-undelivered", |kept| {
        kept.file("draft.json", draft().to_string());
        is_free(kept, "closed", &ask(kept, ">&-"));
        if Path::new("/dev/full").exists() {
            is_free(kept, "full", &ask(kept, ">/dev/full"));
        }
        let (reader, writer) = std::io::pipe().expect("the system has pipes");
        drop(reader);
        let args = ["gate", "draft.json", "--no-config", "--history", &kept.source];
        let mut command = kept.folder.command(&args);
        is_free(kept, "no reader", &Ran::new(command.stdout(writer).output().expect("tollproof starts")));
        // An update reserves nothing, and is not delivered either.
        let update =
            tollproof_core::clean_document(tollproof_core::Kind::of(tollproof_core::KindRole::Update));
        kept.file("update.json", update.to_string());
        let open = super::stores::record("a1", NUMBER, "in review", "2026-11-20T08:01:00.000Z");
        kept.file("record.json", open.to_string());
        kept.file("kinds.yaml", "kinds: { update.json: update-request }\n");
        let args = [
            "gate",
            "update.json",
            "--config",
            "kinds.yaml",
            "--record",
            "record.json",
            "--history",
            &kept.source,
        ];
        let (reader, writer) = std::io::pipe().expect("the system has pipes");
        drop(reader);
        let ran = Ran::new(kept.folder.command(&args).stdout(writer).output().expect("tollproof starts"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        // Whoever wants no body says so to the shell; a refusal has none to deliver.
        assert_eq!(ask(kept, ">/dev/null").code, Some(0));
        assert_eq!(ask(kept, ">&-").code, Some(1), "it is reserved");
    });
}

#[test]
fn a_body_arrives_in_pipes_and_files() {
    each("gate-delivered", |kept| {
        let body = draft().to_string();
        kept.file("draft.json", &body);
        let ran = ask(kept, "| cat");
        assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 1), "{ran:?}");
        kept.well(&["gate", "release", NUMBER]);
        // What a file holds stays in front of the body.
        let path = kept.folder.0.join("bodies");
        std::fs::write(&path, "first\n").expect("writable");
        let file = OpenOptions::new().append(true).open(&path).expect("it is there");
        let mut command =
            kept.folder.command(&["gate", "draft.json", "--no-config", "--history", &kept.source]);
        let ran = Ran::new(command.stdout(file).output().expect("tollproof starts"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let mut text = String::new();
        File::open(&path).expect("it is there").read_to_string(&mut text).expect("UTF-8");
        let (first, sent) = text.split_once('\n').expect("two lines");
        assert_eq!((first, sent.ends_with("}\n")), ("first", true), "{text}");
        let sent: serde_json::Value = serde_json::from_str(sent).expect("JSON");
        assert_eq!(sent, draft());
    });
}
