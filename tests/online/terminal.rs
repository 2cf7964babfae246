//! A person at a terminal: the second yes, and Ctrl-C between two drafts.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use super::Desk;
use crate::support::Ran;

/// Runs a command against the sandbox on a terminal, where a person types an answer. Returns its exit status and what the
/// terminal shows.
fn answered(desk: &Desk, args: &[&str], answer: &str) -> (Option<i32>, String) {
    let size = Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(Some(&size), None).expect("there are terminals");
    let sandbox = format!("--sandbox={}", desk.sandbox.url());
    let mut command = desk.command(&[args, &["--history", "sqlite:past.db", &sandbox]].concat());
    command.stdin(Stdio::from(terminal.slave.try_clone().expect("it is open")));
    command.stderr(Stdio::from(terminal.slave)).stdout(Stdio::piped());
    let child = command.spawn().expect("tollproof starts");
    // The terminal ends with the program, which must be the last to have it open.
    drop(command);
    let mut keyboard = File::from(terminal.master);
    keyboard.write_all(answer.as_bytes()).expect("the terminal is open");
    let (mut shown, mut bytes) = (String::new(), [0; 4096]);
    // Reading fails when the program has ended.
    while let Ok(read @ 1..) = keyboard.read(&mut bytes) {
        shown += &String::from_utf8_lossy(&bytes[..read]);
    }
    let output = child.wait_with_output().expect("tollproof ends");
    (output.status.code(), shown)
}

#[test]
fn a_person_is_asked_and_may_say_no() {
    let desk = Desk::new("asked", "approve");
    let number = desk.buy("telnyx");
    desk.draft("telnyx", &number, "draft.json");
    for no in ["n\n", "\n"] {
        let (code, shown) = answered(&desk, &["submit", "draft.json"], no);
        assert_eq!(code, Some(2), "{shown}");
        assert!(shown.contains("Submit 1 draft? [y/N]") && shown.contains("Nothing was sent."), "{shown}");
    }
    assert_eq!(desk.calls("submit"), 0);
    let (code, shown) = answered(&desk, &["submit", "draft.json"], "y\n");
    assert_eq!(code, Some(0), "{shown}");
    assert_eq!(desk.effects("submit"), 1);
    let (code, shown) = answered(&desk, &["cancel", &number, "--provider", "telnyx", "--approved"], "no\n");
    assert_eq!(code, Some(2), "{shown}");
    assert!(shown.contains("The provider deletes the submission.") && shown.contains("[y/N]"), "{shown}");
}

#[test]
fn a_run_that_is_stopped_finishes_its_request_and_can_be_taken_up_again() {
    let desk = Desk::new("stopped", "approve");
    for file in ["a", "b", "c", "d"] {
        let number = desk.buy("telnyx");
        desk.draft("telnyx", &number, &format!("drafts/{file}.json"));
    }
    desk.fault("telnyx", "slow=2", "submit");
    let sandbox = format!("--sandbox={}", desk.sandbox.url());
    let args =
        ["submit", "drafts", "--yes", "--history", "sqlite:past.db", "--output-format", "json", &sandbox];
    let child = desk.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // The first request is on its way for two seconds.
    thread::sleep(Duration::from_millis(1_200));
    kill(Pid::from_raw(child.id().try_into().expect("it fits")), Signal::SIGINT).expect("it runs");
    let stopped = Ran::new(child.wait_with_output().expect("it ends"));
    assert_eq!(stopped.code, Some(5), "{stopped:?}");
    let value: Value =
        serde_json::from_str(&stopped.out).unwrap_or_else(|error| panic!("{error}: {stopped:?}"));
    let results: Vec<&Value> =
        value["calls"].as_array().expect("a list").iter().map(|it| &it["result"]).collect();
    assert_eq!(results, ["done", "not-finished", "not-finished", "not-finished"], "{stopped:?}");
    assert_eq!(desk.effects("submit"), 1);
    let again = desk.with_history(&["submit", "drafts", "--yes"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.out.starts_with("submitted (3)\n"), "{again:?}");
    assert_eq!(desk.effects("submit"), 4);
}
