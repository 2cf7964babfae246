//! `--fix` and `--diff` on real files: what is written, what is left alone, and what stands in the way.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{Folder, Ran};

/// A search that one safe fix corrects, and what it becomes.
const WRONG: &str = "{\r\n  \"limit\": 1,\r\n  \"country\": \"CA\",\r\n  \"type\": \"tollfree\"\r\n}";
const RIGHT: &str = "{\r\n  \"limit\": 1,\r\n  \"country\": \"Canada\",\r\n  \"type\": \"tollfree\"\r\n}";

const FIX: [&str; 3] = ["check", "--fix", "--quiet"];

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.0.join(name)).expect("it is UTF-8")
}

/// The names in a folder: nothing may be left behind.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).expect("it can be read");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn line_ends_and_a_missing_one_stay_as_they_are() {
    let folder = Folder::new("fix-crlf").file("a.json", WRONG);
    let ran = folder.run(&[&FIX[..], &["a.json"]].concat());
    assert_eq!(ran.out, "1 document checked, nothing found. 1 fixed.\n", "{ran:?}");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(read(&folder, "a.json"), RIGHT);
    assert_eq!(names(&folder), ["a.json"]);
}

#[test]
fn the_text_of_standard_input_comes_out_fixed() {
    let folder = Folder::new("fix-stdin");
    let ran = folder.pipe(&["check", "--fix", "--quiet", "-"], WRONG);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), RIGHT), "{ran:?}");
    assert_eq!(ran.err, "1 document checked, nothing found. 1 fixed.\n");
    // What needs no fix comes out as well, and what cannot be read too.
    for text in [RIGHT, "{\"limit\": 1,"] {
        let ran = folder.pipe(&["check", "--fix", "--kind=number-search", "-"], text);
        assert_eq!(ran.out, text, "{ran:?}");
    }
    let ran = folder.pipe(&["check", "--diff", "--stdin-filename=in box.json", "-"], WRONG);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), "1 fix in 1 file.\n"), "{ran:?}");
    assert!(ran.out.starts_with("--- in box.json\t\n+++ in box.json\t\n@@ -1,5 +1,5 @@\n {\r\n"), "{ran:?}");
    assert!(ran.out.ends_with(" }\n\\ No newline at end of file\n"), "{ran:?}");
}

/// More findings than a report lists: the rest is found once the first are fixed.
#[test]
fn a_long_file_is_fixed_to_its_end() {
    let line = "{\"limit\": 1, \"country\": \"CA\", \"type\": \"tollfree\"}\n";
    let folder = Folder::new("fix-long").file("a.ndjson", line.repeat(6_000) + "{\"limit\": 1,\n");
    let ran = folder.run(&[&FIX[..], &["--kind=number-search", "a.ndjson"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!(ran.out, "6001 documents checked: 1 error, 0 warnings. 6000 fixed.\n");
    assert!(!read(&folder, "a.ndjson").contains("CA"));
}

#[test]
fn reports_of_a_fixing_run_tell_what_is_left() {
    let folder = Folder::new("fix-report").file("a.json", WRONG.replace("\"limit\": 1", "\"limit\": 0"));
    let ran = folder.run(&["check", "--fix", "--output-format=json", "a.json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    assert_eq!(report["summary"]["fixed"], 1, "{report}");
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1), "{report}");
    assert_eq!(report["findings"][0]["pointer"], "/limit");
    let ran = folder.run(&["check", "--diff", "--output-format=json=r.json", "a.json"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", "nothing to fix.\n"), "{ran:?}");
    assert!(read(&folder, "r.json").contains("\"pointer\": \"/limit\""));
}

#[test]
fn what_is_not_shown_or_not_selected_is_not_changed() {
    let text = WRONG.replace("tollfree", "tollfree ");
    let folder = Folder::new("fix-chosen").file("a.json", &text);
    for args in [["--ignore=number", "--min-severity=info"], ["--select=content", "--min-severity=warning"]] {
        let ran = folder.run(&[&FIX[..], &args, &["--kind=number-search", "a.json"]].concat());
        assert!(ran.out.ends_with(" 0 fixed.\n"), "{ran:?}");
        assert_eq!(read(&folder, "a.json"), text);
    }
}

#[test]
fn what_is_no_text_is_never_written() {
    let mut bytes = WRONG.as_bytes().to_vec();
    bytes.extend(b"\xe9");
    let folder = Folder::new("fix-bytes").file("a.json", &bytes);
    let ran = folder.run(&[&FIX[..], &["--kind=number-search", "a.json"]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.err, "note: `a.json` is not changed: it is not all UTF-8; save it as UTF-8 first\n");
    assert!(ran.out.ends_with(" 0 fixed.\n"), "{ran:?}");
    assert_eq!(fs::read(folder.0.join("a.json")).expect("it is there"), bytes);

    let mut command = folder.command(&[&FIX[..], &["--kind=number-search", "-"]].concat());
    command.stdin(fs::File::open(folder.0.join("a.json")).expect("it is there"));
    let ran = Ran::new(command.output().expect("tollproof starts"));
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.err.starts_with("error: cannot fix `<stdin>`: it is not all UTF-8"), "{ran:?}");
}

/// The diff is one that other tools take, whatever the bytes are that it shows.
#[test]
fn a_diff_applied_by_others_is_what_fix_writes() {
    let list = "# é\r\r\n- limit: 1\n  country: CA  # \u{85}\n  type: tollfree\n".to_owned()
        + &"- {limit: 1, country: US, type: tollfree}\n".repeat(9)
        + "- {limit: 1, country: CA, type: tollfree}";
    let folder = Folder::new("fix-patch")
        .file("a.json", WRONG)
        .file("in box.json", WRONG.replace("\r\n", "\n"))
        .file("list.yaml", &list)
        .file("bom.yaml", "\u{feff}limit: 1\ncountry: CA\ntype: tollfree\n");
    let files = ["a.json", "in box.json", "list.yaml", "bom.yaml"];
    let ran = folder.run(&[&["check", "--kind=number-search", "--diff"], &files[..]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    fs::write(folder.0.join("fixes.diff"), &ran.out).expect("writable");
    let before = files.map(|it| read(&folder, it));
    let git = |args: &[&str]| {
        let status = Command::new("git").args(args).current_dir(&folder.0).status().expect("there is git");
        assert!(status.success(), "{}", ran.out);
    };
    git(&["init", "--quiet"]);
    git(&["apply", "-p0", "--whitespace=nowarn", "fixes.diff"]);
    let patched = files.map(|it| read(&folder, it));
    for (file, text) in files.iter().zip(before) {
        fs::write(folder.0.join(file), text).expect("writable");
    }
    let ran = folder.run(&[&["check", "--kind=number-search", "--fix"], &files[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(files.map(|it| read(&folder, it)), patched);
}

#[test]
fn colour_is_for_the_eye_and_shows_no_escape_of_the_draft() {
    let text = WRONG.replacen("1,", "1,\u{1b}[31m ", 0).replace("tollfree", "tollfree\u{9b}31m");
    let folder = Folder::new("fix-colour").file("a.json", text);
    let ran = folder.run(&["--color=always", "check", "--diff", "--kind=number-search", "a.json"]);
    assert!(ran.out.contains("\u{1b}[31m-  \"country\": \"CA\",\u{1b}[0m\n"), "{ran:?}");
    assert!(ran.out.contains("\u{1b}[32m+  \"country\": \"Canada\",\u{1b}[0m\n"), "{ran:?}");
    assert!(ran.out.contains("tollfree\u{fffd}31m"), "{ran:?}");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::os::unix::process::CommandExt as _;

    use super::*;

    fn set_mode(folder: &Folder, name: &str, mode: u32) {
        let rights = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.0.join(name), rights).expect("it is ours");
    }

    /// Runs without the rights of the superuser, for whom nothing is forbidden.
    fn run_as_anyone(folder: &Folder, args: &[&str]) -> Ran {
        let mut command = folder.command(args);
        if fs::metadata(&folder.0).expect("it is there").uid() == 0 {
            command.uid(65534);
        }
        Ran::new(command.output().expect("tollproof starts"))
    }

    #[test]
    fn the_mode_of_a_file_and_a_link_to_it_stay() {
        let folder = Folder::new("fix-mode").file("kept/a.json", WRONG);
        set_mode(&folder, "kept/a.json", 0o640);
        symlink("kept/a.json", folder.0.join("link.json")).expect("links can be made");
        let ran = folder.run(&[&FIX[..], &["link.json"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(read(&folder, "kept/a.json"), RIGHT);
        let kept = fs::metadata(folder.0.join("kept/a.json")).expect("it is there");
        assert_eq!(kept.permissions().mode() & 0o777, 0o640);
        assert!(folder.0.join("link.json").is_symlink());
        assert_eq!(names(&folder), ["kept", "link.json"]);
    }

    #[test]
    fn a_file_that_needs_no_fix_is_not_written() {
        let folder = Folder::new("fix-clean").file("a.json", RIGHT);
        let before = fs::metadata(folder.0.join("a.json")).expect("it is there");
        let ran = folder.run(&[&FIX[..], &["a.json"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let after = fs::metadata(folder.0.join("a.json")).expect("it is there");
        assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
    }

    #[test]
    fn what_is_write_protected_is_named_and_the_others_are_fixed() {
        let folder = Folder::new("fix-protected")
            .file("closed/a.json", WRONG)
            .file("open/b.json", WRONG)
            .file("open/c.json", WRONG);
        for (name, mode) in
            [("closed/a.json", 0o666), ("open/b.json", 0o444), ("open/c.json", 0o666), ("open", 0o777)]
        {
            set_mode(&folder, name, mode);
        }
        set_mode(&folder, "closed", 0o555);
        let ran = run_as_anyone(&folder, &[&FIX[..], &["--kind=number-search", "."]].concat());
        set_mode(&folder, "closed", 0o755);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let denied = |name: &str| format!("error: cannot fix `{name}`: permission denied\n");
        assert_eq!(ran.err, denied("closed/a.json") + &denied("open/b.json"), "{ran:?}");
        assert_eq!(
            ran.out,
            "3 documents checked: 2 errors, 0 warnings. 2 files could not be fixed. 1 fixed.\n"
        );
        let texts = ["closed/a.json", "open/b.json", "open/c.json"].map(|it| read(&folder, it));
        assert_eq!(texts, [WRONG, WRONG, RIGHT]);
        assert_eq!(names(&Folder(folder.0.join("open"))), ["b.json", "c.json"]);
    }

    /// The names that the last version wrote under could be guessed: the process and a count.
    #[test]
    fn a_planted_link_is_not_written_through() {
        for (args, name) in [
            ("check --fix --quiet --kind=number-search a.json", "a.json"),
            ("check --quiet --kind=number-search --output-format=json=r.json a.json", "r.json"),
            ("baseline write --kind=number-search a.json", "tollproof-baseline.json"),
        ] {
            let folder = Folder::new("fix-planted").file("a.json", WRONG).file("victim", "mine");
            let script = format!("ln -s victim .tollproof.$$.0.tmp && exec \"$0\" {args}");
            let mut command = Command::new("sh");
            command.args(["-c", &script, env!("CARGO_BIN_EXE_tollproof")]).current_dir(&folder.0);
            let ran = Ran::new(command.output().expect("there is a shell"));
            assert_ne!(ran.code, Some(2), "{ran:?}");
            assert_eq!(read(&folder, "victim"), "mine", "{args}");
            assert!(!folder.0.join(name).is_symlink(), "{args}");
            assert_ne!(read(&folder, name), WRONG, "{args}");
        }
    }

    #[test]
    fn another_name_of_a_file_keeps_the_old_text() {
        let folder = Folder::new("fix-hard-link").file("a.json", WRONG);
        fs::hard_link(folder.0.join("a.json"), folder.0.join("copy.json")).expect("links can be made");
        let ran = folder.run(&[&FIX[..], &["a.json"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(
            (read(&folder, "a.json"), read(&folder, "copy.json")),
            (RIGHT.to_owned(), WRONG.to_owned())
        );
    }

    #[test]
    fn a_new_report_has_the_rights_of_any_new_file() {
        let folder = Folder::new("fix-new-mode").file("a.json", WRONG);
        let mut command = Command::new("sh");
        let script = "umask 027 && exec \"$0\" check --kind=number-search --output-format=json=r.json a.json";
        command.args(["-c", script, env!("CARGO_BIN_EXE_tollproof")]).current_dir(&folder.0);
        let ran = Ran::new(command.output().expect("there is a shell"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let mode = fs::metadata(folder.0.join("r.json")).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    /// Only the superuser can give files away, so others see half of this test.
    #[test]
    fn owner_and_group_stay_where_the_system_allows_it() {
        let folder = Folder::new("fix-owner").file("a.json", WRONG).file("b.json", WRONG);
        if fs::metadata(&folder.0).expect("it is there").uid() != 0 {
            return;
        }
        std::os::unix::fs::chown(folder.0.join("a.json"), Some(65533), Some(65532)).expect("it is ours");
        set_mode(&folder, "a.json", 0o640);
        let ran = folder.run(&[&FIX[..], &["a.json"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let kept = fs::metadata(folder.0.join("a.json")).expect("it is there");
        assert_eq!((kept.uid(), kept.gid(), kept.mode() & 0o7777), (65533, 65532, 0o640));
        // Someone else's group is not let in by the rights of the old one.
        std::os::unix::fs::chown(folder.0.join("b.json"), None, Some(65532)).expect("it is ours");
        set_mode(&folder, "b.json", 0o676);
        set_mode(&folder, ".", 0o777);
        let ran = run_as_anyone(&folder, &[&FIX[..], &["b.json"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let taken = fs::metadata(folder.0.join("b.json")).expect("it is there");
        assert_eq!((taken.uid(), taken.mode() & 0o7777), (65534, 0o666));
    }

    /// Ends a run with a signal, and gives the one that it died of.
    fn end(mut run: std::process::Child, signal: &str) -> Option<i32> {
        use std::os::unix::process::ExitStatusExt as _;
        let id = run.id().to_string();
        // Where it has ended by itself, there is nothing to end.
        let _ =
            Command::new("kill").args([signal, &id]).stderr(Stdio::null()).status().expect("there is kill");
        run.wait().expect("it is ours").signal()
    }

    /// Whether this process, and so what it starts, ignores a signal: a shell that is no terminal's makes what it
    /// starts in the background ignore Ctrl-C.
    fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
        ignored >> (signal - 1) & 1 == 1
    }

    #[test]
    fn a_run_that_is_ended_leaves_nothing_behind() {
        for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1), ("-KILL", 9)] {
            if is_ignored(number) {
                continue;
            }
            let folder = Folder::new("fix-ended");
            let made = Command::new("mkfifo").arg(folder.0.join("1.json")).status().expect("there is mkfifo");
            assert!(made.success());
            let mut command = folder.command(&["check", "--quiet", "--output-format=json=r.json", "1.json"]);
            let run = command.stdout(Stdio::null()).spawn().expect("tollproof starts");
            // Reports are opened before the first file is read.
            let pipe = fs::OpenOptions::new().write(true).open(folder.0.join("1.json")).expect("it is read");
            assert_eq!(end(run, signal), Some(number));
            drop(pipe);
            assert_eq!(names(&folder), ["1.json"], "{signal}");
        }
    }

    #[test]
    fn a_run_that_is_ended_while_it_writes_leaves_every_file_whole() {
        let files: Vec<String> = (0..60).map(|at| format!("{at:02}.json")).collect();
        let mut was_ended = 0;
        for round in 0..12 {
            let folder = Folder::new("fix-ended-writing");
            let folder = files.iter().fold(folder, |folder, file| folder.file(file, WRONG));
            let mut command = folder.command(&[&FIX[..], &["--kind=number-search", "."]].concat());
            let run = command.stdout(Stdio::null()).spawn().expect("tollproof starts");
            std::thread::sleep(std::time::Duration::from_millis(20 + round * 12));
            was_ended += u32::from(end(run, if round % 2 == 0 { "-TERM" } else { "-INT" }).is_some());
            assert_eq!(names(&folder), files, "round {round}");
            for file in &files {
                let text = read(&folder, file);
                assert!(text == WRONG || text == RIGHT, "{file}: {text}");
            }
        }
        assert!(was_ended > 0, "every run was faster than its end");
    }

    /// The run waits for its second file while the first is changed under its hands.
    #[test]
    fn a_file_that_changed_meanwhile_is_named_and_left() {
        let record = include_str!("../drafts/record-rejected.json");
        let folder = Folder::new("fix-meanwhile")
            .file("0.json", WRONG)
            .file("2.json", WRONG)
            .file("records/a.json", record);
        let made = Command::new("mkfifo").arg(folder.0.join("1.json")).status().expect("there is mkfifo");
        assert!(made.success());
        let args = [
            "check",
            "--fix",
            "--quiet",
            "--history=records",
            "--kind=number-search",
            "0.json",
            "1.json",
            "2.json",
        ];
        let mut command = folder.command(&args);
        let run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tollproof starts");
        // Opening it waits until the run reads it, and by then the first file has been read.
        let mut pipe = fs::OpenOptions::new().write(true).open(folder.0.join("1.json")).expect("it is read");
        let newer = WRONG.replace("CA", "US");
        fs::write(folder.0.join("0.json"), &newer).expect("writable");
        pipe.write_all(WRONG.as_bytes()).expect("it is read");
        drop(pipe);
        let ran = Ran::new(run.wait_with_output().expect("tollproof ends"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let meanwhile = "error: cannot fix `0.json`: it was changed during the run; check it again\n";
        let irregular = "error: cannot fix `1.json`: it is not a regular file\n";
        assert_eq!(ran.err, format!("{meanwhile}{irregular}"));
        assert_eq!((read(&folder, "0.json"), read(&folder, "2.json")), (newer, RIGHT.to_owned()));
        fs::remove_file(folder.0.join("1.json")).expect("it is ours");
        assert_eq!(names(&folder), ["0.json", "2.json", "records"]);
    }
}
