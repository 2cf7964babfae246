//! The progress of a long run, as it is on a terminal.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use nix::pty::{Winsize, openpty};

use crate::streams::draft;
use crate::support::Folder;

/// After this time, a run shows its progress.
const PATIENCE: Duration = Duration::from_millis(1_100);

/// The most parts of the input written before the test fails.
const PARTS: usize = 60;

#[test]
fn a_long_run_shows_its_progress_and_removes_it() {
    let folder = Folder::new("progress");
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(Some(&size), None).expect("there are terminals");
    let mut command = folder.command(&["check", "--no-config", "--quiet", "--stdin-filename=a.ndjson", "-"]);
    command.env("TERM", "xterm");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::from(terminal.slave));
    let mut child = command.spawn().expect("tollproof starts");
    // The terminal ends with the program, which must be the last to have it open.
    drop(command);
    let mut stdin = child.stdin.take().expect("it was piped");
    let mut screen = File::from(terminal.master);
    let (is_shown, mut shown) = (AtomicBool::new(false), String::new());
    thread::scope(|scope| {
        // The input ends when the progress was shown, or after so many parts that it never will be.
        scope.spawn(|| {
            let part: String = (0..40).map(|at| format!("{}{:26000}\n", draft(at), "")).collect();
            for _ in 0..PARTS {
                if is_shown.load(Ordering::Relaxed) || stdin.write_all(part.as_bytes()).is_err() {
                    break;
                }
                thread::sleep(PATIENCE / 4);
            }
            drop(stdin);
        });
        let mut bytes = [0; 4096];
        // Reading fails when the program has ended.
        while let Ok(read @ 1..) = screen.read(&mut bytes) {
            shown += &String::from_utf8_lossy(&bytes[..read]);
            is_shown.fetch_or(shown.contains(" checked, "), Ordering::Relaxed);
        }
    });
    let output = child.wait_with_output().expect("tollproof ends");
    assert!(is_shown.into_inner(), "{shown:?}");
    let summary = String::from_utf8_lossy(&output.stdout);
    assert!(summary.contains("documents checked"), "{summary:?}");
    // The last thing that is drawn clears the line.
    let left = shown.trim_end().rsplit(['\r', '\n']).next().unwrap_or_default();
    assert!(left.ends_with("\u{1b}[2K") || !left.contains("checked"), "{shown:?}");
}
