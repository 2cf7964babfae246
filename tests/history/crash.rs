//! Processes that are killed at any moment: nothing is lost, nothing is there twice.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use super::stores::{NUMBER, draft, each, record};

const RECORDS: usize = 3_000;

#[test]
fn a_killed_import_leaves_all_or_nothing() {
    each("crash-import", |kept| {
        let numbered = |at: usize| {
            let id = format!("00000000-0000-4000-8000-{at:012}");
            record(&id, &id, "submitted", "2026-11-20T08:01:00.000Z").to_string() + "\n"
        };
        kept.file("old.ndjson", (0..10).map(numbered).collect::<String>());
        kept.file("new.ndjson", (0..RECORDS).map(numbered).collect::<String>());
        kept.well(&["history", "import", "old.ndjson"]);
        let count = || kept.well(&["history", "export"]).lines().count();
        for step in 0..12 {
            let args = ["history", "import", "new.ndjson", "--history", &kept.source];
            let mut command = kept.folder.command(&args);
            let mut child =
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("tollproof starts");
            sleep(Duration::from_millis(step * 40));
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            let kept = count();
            assert!(kept == 10 || kept == RECORDS, "step {step}: {kept}");
        }
        kept.well(&["history", "import", "new.ndjson"]);
        assert_eq!(count(), RECORDS);
    });
}

#[test]
fn a_killed_gate_keeps_what_it_reserved_and_nothing_else() {
    each("crash-gate", |kept| {
        kept.file("draft.json", draft().to_string());
        for step in 0..15 {
            let args = ["gate", "draft.json", "--no-config", "--history", &kept.source];
            let mut command = kept.folder.command(&args);
            let mut child =
                command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("tollproof starts");
            sleep(Duration::from_millis(step * 15));
            child.kill().expect("it can be killed");
            let sent = child.wait_with_output().expect("it ends").stdout;
            // Whoever was told to send has the number; whoever was killed before may have it, until it is over.
            let next = kept.run(&["gate", "draft.json", "--no-config"]);
            assert!(next.code == Some(1) || next.code == Some(0) && sent.is_empty(), "step {step}: {next:?}");
            assert_eq!(kept.run(&["gate", "draft.json", "--no-config"]).code, Some(1), "step {step}");
            kept.well(&["gate", "release", NUMBER]);
        }
    });
}
