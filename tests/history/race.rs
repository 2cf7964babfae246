//! Many processes, one number.

use std::process::{Child, Stdio};

use super::stores::{Kept, NUMBER, draft, each, record};

const CALLERS: usize = 64;
/// Before the record that confirms.
const NOW: &str = "2026-11-21T08:00:00Z";
const STORES: usize = 5;
const ROUNDS: usize = 2;

#[test]
fn of_many_callers_at_the_same_time_one_gets_the_number() {
    // The first round on a store begins without it: its making is a race as well.
    let stores = (0..STORES).map(|store| format!("race-{store}"));
    stores.for_each(|name| each(&name, play));
}

fn play(kept: &Kept) {
    kept.file("draft.json", draft().to_string());
    for round in 0..ROUNDS {
        let args =
            ["gate", "draft.json", "--no-config", "--output-format", "concise", "--now", NOW, "--history"];
        let start = |_| {
            let mut command = kept.folder.command(&args);
            command.arg(&kept.source);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tollproof starts")
        };
        let callers: Vec<Child> = (0..CALLERS).map(start).collect();
        let (mut sent, mut refused) = (0, 0);
        for caller in callers {
            let ended = caller.wait_with_output().expect("tollproof ends");
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            match ended.status.code() {
                Some(0) => sent += usize::from(!ended.stdout.is_empty()),
                Some(1) if said.contains("error[history/reserved-number]") => refused += 1,
                code => panic!("round {round}: {code:?}: {said}"),
            }
        }
        assert_eq!((sent, refused), (1, CALLERS - 1), "round {round}");
        if round % 2 == 0 {
            kept.well(&["gate", "release", NUMBER]);
        } else {
            let id = format!("a{round}");
            kept.file("answer.json", record(&id, NUMBER, "Verified", "2026-11-21T08:01:00.000Z").to_string());
            kept.well(&["gate", "confirm", "answer.json"]);
        }
    }
}
