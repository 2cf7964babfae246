//! Tests of `--watch`: what makes it check again, and how it ends.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use std::{fs, thread};

use crate::support::Folder;

const DRAFT: &str = r#"{"limit": 0, "country": "US", "type": "tollfree"}"#;
const RIGHT: &str = r#"{"limit": 1, "country": "US", "type": "tollfree"}"#;

/// The time after which a run counts as stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running watch and its lines of output.
struct Watch {
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
}

impl Watch {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let mut command = folder.command(&[&["check", "--watch", "--quiet"], args].concat());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tollproof starts");
        let out = lines(child.stdout.take().expect("it was piped"));
        let err = lines(child.stderr.take().expect("it was piped"));
        Self { child, out, err }
    }

    /// The summary of the next run, after which the watch waits for changes.
    fn next(&self) -> String {
        let line = self.out.recv_timeout(PATIENCE).expect("it checks again");
        let waits = self.err.recv_timeout(PATIENCE).expect("it waits again");
        assert!(waits.starts_with("watching "), "{waits}");
        line
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Replaces a file atomically, so that no run reads an incomplete file.
fn write(folder: &Folder, name: &str, text: &str) {
    let beside = folder.0.join("new.tmp");
    fs::write(&beside, text).expect("writable");
    fs::rename(beside, folder.0.join(name)).expect("it is ours");
}

#[test]
fn a_change_makes_it_check_again() {
    let folder = Folder::new("watch").file("drafts/a.json", DRAFT);
    let reports = ["--output-format=json=drafts/r.json", "--output-format=concise"];
    let watch = Watch::start(&folder, &[&["--kind=number-search", "drafts"], &reports[..]].concat());
    assert_eq!(watch.next(), "1 document checked: 1 error, 0 warnings.");
    write(&folder, "drafts/a.json", RIGHT);
    assert_eq!(watch.next(), "1 document checked, nothing found.");
    fs::create_dir(folder.0.join("drafts/more.d")).expect("writable");
    assert_eq!(watch.next(), "1 document checked, nothing found.");
    write(&folder, "drafts/more.d/b.json", DRAFT);
    assert_eq!(watch.next(), "2 documents checked: 1 error, 0 warnings.");
    // Neither this file nor the report affects the run.
    write(&folder, "drafts/notes.txt", DRAFT);
    fs::remove_file(folder.0.join("drafts/more.d/b.json")).expect("it is ours");
    assert_eq!(watch.next(), "1 document checked, nothing found.");
    fs::remove_dir(folder.0.join("drafts/more.d")).expect("it is ours");
    assert_eq!(watch.next(), "1 document checked, nothing found.");
    fs::remove_file(folder.0.join("drafts/a.json")).expect("it is ours");
    let said = watch.err.recv_timeout(PATIENCE).expect("it checks again");
    assert!(said.starts_with("error: nothing to check"), "{said}");
    write(&folder, "drafts/a.json", DRAFT);
    let waits = watch.err.recv_timeout(PATIENCE).expect("it waits");
    assert_eq!(waits, "watching 0 files, Ctrl-C ends");
    assert_eq!(watch.next(), "1 document checked: 1 error, 0 warnings.");
}

#[test]
fn the_configuration_and_rules_are_watched_too() {
    let rule = |severity: &str| {
        format!(
            "title: The type is spelt as one word
severity: {severity}
at: type
kinds: [number-search]
check: {{ forbid: {{ any_of: [tollfree] }} }}
message: this is one word
help: There is no other way.
docs: The interface wants it so.
examples: {{ pass: [{{ type: local }}], fail: [{{ type: tollfree }}] }}
"
        )
    };
    let folder = Folder::new("watch-config")
        .file("here/a.json", RIGHT)
        .file("here/mine/house/word.yaml", rule("warning"))
        .file(".git/HEAD", "");
    let here = Folder(folder.0.join("here"));
    let watch = Watch::start(&here, &["a.json", "--rules=mine"]);
    assert_eq!(watch.next(), "1 document checked: 0 errors, 1 warning.");
    write(&folder, "here/mine/house/word.yaml", &rule("error"));
    assert_eq!(watch.next(), "1 document checked: 1 error, 0 warnings.");
    // Another file in the folder does not affect the run, but a new configuration does.
    write(&folder, "here/b.json", RIGHT);
    write(&folder, "tollproof.yaml", "rules: { house/word: info }\n");
    assert_ne!(watch.next(), "1 document checked: 1 error, 0 warnings.");
    write(&folder, "tollproof.yaml", "# nothing\n");
    assert_eq!(watch.next(), "1 document checked: 1 error, 0 warnings.");
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_asked_to() {
    let folder = Folder::new("watch-end").file("a.json", DRAFT);
    for (fail_on, code) in [("error", 1), ("never", 0)] {
        let mut watch = Watch::start(&folder, &["--fail-on", fail_on, "--kind=number-search", "a.json"]);
        watch.next();
        let id = watch.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().expect("there is kill");
        assert!(sent.success());
        assert_eq!(watch.child.wait().expect("it ends").code(), Some(code));
        assert!(watch.err.recv_timeout(PATIENCE).is_err(), "it says no more");
    }
}

/// Waits until a process ends by itself.
#[cfg(unix)]
fn ends(child: &mut Child) -> Option<i32> {
    let start = std::time::Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("it is ours") {
            return status.code();
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    panic!("it goes on though nobody reads");
}

#[cfg(unix)]
#[test]
fn it_ends_when_nobody_reads() {
    let folder = Folder::new("watch-unread").file("a.json", DRAFT);
    for is_read in [true, false] {
        let mut command = folder.command(&[
            "check",
            "--watch",
            "--quiet",
            "--color=never",
            "--kind=number-search",
            "a.json",
        ]);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("tollproof starts");
        let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
        if is_read {
            out.read_line(&mut String::new()).expect("it checks");
        }
        // Nothing changes any more.
        drop(out);
        let code = ends(&mut child);
        assert!(code == Some(1) || !is_read && code == Some(0), "{code:?}");
    }
}

/// The output of a run to a terminal.
#[cfg(unix)]
struct Screen(fs::File, String);

#[cfg(unix)]
impl Screen {
    /// Reads until a text appears on the screen, and returns the content of the screen.
    fn after(&mut self, text: &str) -> String {
        let mut bytes = [0; 4096];
        loop {
            let shown = self.1.rsplit("\u{1b}[2J").next().unwrap_or_default();
            if let Some(at) = shown.find(text) {
                let shown = shown[..at + text.len()].to_owned();
                self.1.clear();
                return shown;
            }
            let read = self.0.read(&mut bytes).expect("the run goes on");
            self.1 += &String::from_utf8_lossy(&bytes[..read]);
        }
    }
}

#[cfg(unix)]
#[test]
fn errors_stay_on_the_screen() {
    let folder = Folder::new("watch-screen").file("a.json", DRAFT).file(".git/HEAD", "");
    let terminal = nix::pty::openpty(None, None).expect("there are terminals");
    let slave = || Stdio::from(terminal.slave.try_clone().expect("it is open"));
    let mut command =
        folder.command(&["check", "--watch", "--quiet", "--color=never", "--kind=number-search", "a.json"]);
    let child = command.stdout(slave()).stderr(slave()).spawn().expect("tollproof starts");
    // Ends the process when it is dropped, also if the test fails.
    let _watch = Watch { child, out: channel().1, err: channel().1 };
    let mut screen = Screen(terminal.master.into(), String::new());
    let waits = "Ctrl-C ends";
    assert!(screen.after(waits).contains("1 document checked: 1 error"));
    write(&folder, "tollproof.yaml", "vendr: x\n");
    let shown = screen.after(waits);
    assert!(shown.contains("unknown key `vendr`"), "{shown:?}");
    fs::remove_file(folder.0.join("tollproof.yaml")).expect("it is ours");
    assert!(screen.after(waits).contains("1 document checked: 1 error"));
    fs::remove_file(folder.0.join("a.json")).expect("it is ours");
    let shown = screen.after(waits);
    assert!(shown.contains("cannot open `a.json`"), "{shown:?}");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let folder = Folder::new("watch-refused");
    let ran = folder.run(&["check", "--watch", "-"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.err, "error: `--watch` cannot watch standard input; name files or folders\n");
    let ran = folder.run(&["check", "--watch", "--fix"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_baseline_and_a_history_are_watched_too() {
    let draft = include_str!("drafts/harbor-dental.json").replace("harborlanterndental.com\"", "gmail.com\"");
    let known = |findings: &str| format!("{{ \"version\": 1, \"findings\": [{findings}] }}");
    let record = include_str!("cases/past.in/records/dental.json");
    let folder = Folder::new("watch-known")
        .file(".git/HEAD", "")
        .file("here/a.json", draft)
        .file("known.json", known(""))
        .file("past/deep/records.json", record)
        .file("tollproof.yaml", "baseline: known.json\nhistory: ['past/**/*.json']\n");
    let here = Folder(folder.0.join("here"));
    let watch = Watch::start(&here, &["a.json"]);
    let before = watch.next();
    assert!(before.starts_with("1 document checked: "), "{before}");
    let gone = r#"{ "file": "gone.json", "rule": "a/b", "fingerprint": "aa", "count": 3 }"#;
    write(&folder, "known.json", &known(gone));
    assert_eq!(watch.next(), before);
    write(&folder, "past/deep/records.json", &format!("{record}\n"));
    assert_eq!(watch.next(), before);
}
