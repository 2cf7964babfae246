//! Tests of limits: endless or too large files, pipes without a writer and excessive globs are errors with a message.

use std::fs::{self, File};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{Folder, Ran};

/// A valid short search.
const DRAFT: &str = r#"{"limit": 1, "country": "US", "type": "tollfree"}"#;

const SEARCH: &str = "--kind=number-search";

#[track_caller]
fn assert_unable(ran: &Ran, says: &str) {
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains(says), "no {says}: {ran:?}");
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_named_and_the_others_are_checked() {
    let folder = Folder::new("limits-endless").file("a.json", DRAFT.replace('1', "0"));
    let args = ["check", SEARCH, "--max-file-size=1MiB", "--output-format=concise", "/dev/zero", "a.json"];
    let ran = folder.run(&args);
    let said =
        "error: cannot open `/dev/zero`: it is larger than 1 MiB; raise the limit with `--max-file-size`\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), said), "{ran:?}");
    assert!(ran.out.contains("number/bad-search-value"), "{ran:?}");
    let mut command = folder.command(&["check", SEARCH, "--max-file-size=1MiB", "-"]);
    let ran =
        Ran::new(command.stdin(File::open("/dev/zero").expect("it is there")).output().expect("it starts"));
    assert_unable(&ran, "cannot open `<stdin>`: it is larger than 1 MiB");
}

/// Exports of 220 MB are common, so the limit is much larger.
#[test]
fn the_limit_is_1_gib_and_can_be_lifted() {
    let folder = Folder::new("limits-default");
    let file = File::create(folder.0.join("big.json")).expect("writable");
    file.set_len((1 << 30) + 1).expect("it takes no room");
    let ran = folder.run(&["check", SEARCH, "big.json"]);
    assert_unable(
        &ran,
        "cannot open `big.json`: it is larger than 1 GiB; raise the limit with `--max-file-size`",
    );
    file.set_len(3_000_000).expect("it takes no room");
    assert_unable(
        &folder.run(&["check", SEARCH, "--max-file-size=2MB", "big.json"]),
        "larger than 2000000 bytes",
    );
    for size in ["2.9M", "0", "x", "-1", "99999999999999999999", "20000000000GB"] {
        assert_unable(
            &folder.run(&["check", &format!("--max-file-size={size}"), "big.json"]),
            "--max-file-size",
        );
    }
    for size in ["3MB", "3000000", "3 mb", "1GiB"] {
        let ran = folder.run(&["check", SEARCH, &format!("--max-file-size={size}"), "--quiet", "big.json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_without_a_writer_is_named_and_the_others_are_checked() {
    let folder = Folder::new("limits-pipe").file("a.json", DRAFT.replace('1', "0"));
    let made = Command::new("mkfifo").arg(folder.0.join("p.json")).status().expect("there is mkfifo");
    assert!(made.success());
    let start = Instant::now();
    let ran = folder.run(&["check", SEARCH, "--output-format=concise", "a.json", "p.json"]);
    assert!(start.elapsed() < Duration::from_secs(40));
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(2), "error: cannot open `p.json`: no process writes to this pipe\n"),
        "{ran:?}"
    );
    assert!(ran.out.contains("number/bad-search-value"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_pipe_of_the_shell_is_read_to_its_end() {
    let folder = Folder::new("limits-shell").file("a.json", DRAFT);
    for (pipe, says, code) in [
        ("<(cat a.json)", "1 document checked, nothing found.", 0),
        (
            "<(sleep 1; head -c 9 a.json; sleep 1; tail -c +10 a.json)",
            "1 document checked, nothing found.",
            0,
        ),
        ("<(true)", "1 error", 1),
        ("/dev/stdin < <(sleep 1; cat a.json)", "1 document checked, nothing found.", 0),
    ] {
        let script = format!("exec \"$0\" check {SEARCH} --quiet {pipe}");
        let mut command = Command::new("bash");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_tollproof")]).current_dir(&folder.0);
        let start = Instant::now();
        let ran = Ran::new(command.output().expect("there is bash"));
        assert_eq!(ran.code, Some(code), "{pipe}: {ran:?}");
        assert!(ran.out.contains(says), "{pipe}: {ran:?}");
        assert!(pipe.contains("sleep") || start.elapsed() < Duration::from_secs(4), "{pipe}");
    }
}

/// The limit applies to every file that a run reads.
#[test]
fn every_file_has_the_limit() {
    let long = "# ".to_owned() + &"x".repeat(300) + "\n";
    let record = include_str!("drafts/record-rejected.json");
    let folder = Folder::new("limits-every")
        .file("a.json", DRAFT)
        .file("long.json", format!("{{\"businessName\": \"{long}\"}}").replace('\n', ""))
        .file("answer.json", r#"{"code": "422", "message": "x"}"#)
        .file("long.yaml", &long)
        .file("long.ndjson", format!("{{\"label\": \"{}\"}}\n", "x".repeat(300)))
        .file("house/mine/long.yaml", &long)
        .file("records/a.json", record);
    for args in [
        &["check", "long.json"][..],
        &["check", "a.json", "--also-read=long.json"],
        &["check", "a.json", "--config=long.yaml"],
        &["check", "a.json", "--rules=house"],
        &["check", "a.json", "--baseline=long.json"],
        &["check", "a.json", "--record=long.json"],
        &["check", "a.json", "--history=records"],
        &["baseline", "write", "long.json"],
        &["explain", "a.json", "long.json"],
        &["explain", "long.json", "answer.json"],
        &["gate", "long.json", "--history=sqlite:past.db"],
        &["gate", "confirm", "long.json", "--history=sqlite:past.db"],
        &["history", "import", "records", "--history=sqlite:past.db"],
        &["history", "list", "--history=records"],
        &["rules", "eval", "long.ndjson"],
        &["rules", "test", "house"],
        &["rule", "mine", "--rules=house"],
        &["config", "show", "--config=long.yaml"],
    ] {
        let ran = folder.run(&[args, &["--max-file-size=200"]].concat());
        assert_unable(&ran, "it is larger than 200 bytes; raise the limit with `--max-file-size`");
        let ran = folder.run(&[args, &["--max-file-size=100k"]].concat());
        assert!(!ran.err.contains("it is larger than"), "{args:?}: {ran:?}");
    }
    let folder = folder.file("tollproof.yaml", &long);
    assert_unable(&folder.run(&["check", "a.json", "--max-file-size=200"]), "it is larger than 200 bytes");
}

/// Files that users write for tollproof are much shorter than drafts may be.
#[test]
fn a_file_for_tollproof_has_4_mib() {
    let words = |bytes: usize| format!("own: {{ means: a test, en: [harbor] }} # {}\n", "x".repeat(bytes));
    let folder = Folder::new("limits-own")
        .file("a.json", DRAFT)
        .file("fits/vocabulary/own.yaml", words((4 << 20) - 100))
        .file("words/vocabulary/own.yaml", words(4 << 20))
        .file("rules/house/own.yaml", words(4 << 20))
        .file("long.yaml", words(4 << 20));
    let fits = folder.run(&["check", SEARCH, "a.json", "--rules=fits"]);
    assert_eq!((fits.code, fits.err.as_str()), (Some(0), ""), "{fits:?}");
    for args in [
        &["check", "a.json", "--rules=words"][..],
        &["rules", "test", "words"],
        &["check", "a.json", "--rules=rules"],
        &["rules", "test", "rules"],
        &["check", "a.json", "--config=long.yaml"],
        &["config", "show", "--config=long.yaml"],
    ] {
        let ran = folder.run(args);
        let has_name = ran.err.contains("own.yaml") || ran.err.contains("long.yaml");
        assert!(has_name && ran.err.len() < 1000, "{args:?}: {:?}", ran.err.get(..1000));
        assert_unable(&ran, "it is larger than 4 MiB, the limit for");
    }
}

/// Settings that contain a glob.
const GLOBS: [&str; 8] = [
    "include: ['GLOB']",
    "exclude:\n  - 'GLOB'",
    "kinds:\n  ? 'GLOB'\n  : submit-request",
    "records:\n  ? 'GLOB'\n  : abc",
    "rules:\n  message:\n    files:\n      ? 'GLOB'\n      : warning",
    "ignore: [{ rule: message, files: 'GLOB', reason: x }]",
    "history: 'GLOB'",
    "history: ['GLOB']",
];

#[test]
fn a_glob_that_nobody_needs_is_an_error_at_its_place() {
    let nested = "{".repeat(125) + "a" + &"}".repeat(125);
    let deep = "the braces of this glob are nested more than 10 levels deep";
    let long = "a glob can have at most 1024 bytes, but this one has ";
    for (name, glob, says) in [
        ("nested", nested.clone(), deep),
        ("long", "*a".repeat(10_000), long),
        ("alternates", format!("{{{}}}", "a*,".repeat(8_000)), long),
        ("both", nested.repeat(100), long),
        ("open", "{a".to_owned(), "is not a glob: "),
        ("class", "[z-a]".to_owned(), "is not a glob: "),
    ] {
        let folder = Folder::new("limits-globs").file("a.json", DRAFT);
        for setting in GLOBS {
            // A single history is also valid as a list.
            let folder =
                Folder(folder.0.clone()).file("tollproof.yaml", setting.replace("GLOB", &glob) + "\n");
            let start = Instant::now();
            let ran = folder.run(&["--color=never", "check", "a.json", "--output-format=concise"]);
            if setting == "history: 'GLOB'" && ran.err.contains("must be") {
                continue;
            }
            assert_unable(&ran, says);
            assert!(ran.err.contains("tollproof.yaml:"), "{name}, {setting}: {ran:?}");
            assert!(ran.err.len() < 4_000, "{name}, {setting}: {} bytes", ran.err.len());
            assert!(start.elapsed() < Duration::from_secs(20), "{name}, {setting}");
        }
        fs::remove_file(folder.0.join("tollproof.yaml")).expect("it is ours");
        for args in [
            &["check", "a.json", "--history", &glob][..],
            &["history", "list", "--history", &glob],
            &["history", "import", &glob, "--history=sqlite:past.db"],
        ] {
            let ran = folder.run(args);
            assert_unable(&ran, says);
            assert!(ran.err.len() < 2_000, "{name}: {} bytes", ran.err.len());
        }
    }
    // Ten levels are allowed.
    let folder = Folder::new("limits-globs-deep").file("a.json", DRAFT);
    let glob = "{".repeat(10) + "a,b" + &"}".repeat(10) + ".json";
    let folder = folder.file("tollproof.yaml", format!("kinds: {{ '{glob}': number-search }}\n"));
    assert_eq!(folder.run(&["check", "a.json"]).code, Some(0));
}

/// A folder walk reads git's ignore files, and a repository may contain a link to a device in their place.
#[cfg(unix)]
#[test]
fn a_file_of_ignored_names_without_an_end_is_named() {
    let draft = include_str!("drafts/harbor-dental.json");
    let folder = Folder::new("limits-ignored").file("ok.json", draft).file("below/other.json", draft);
    let link =
        |name: &str| std::os::unix::fs::symlink("/dev/zero", folder.0.join(name)).expect("links can be made");
    link("below/.gitignore");
    let ran = folder.run(&["check", "."]);
    assert!(ran.out.contains("1 document checked"), "{ran:?}");
    assert!(ran.err.contains("below/.gitignore`: it must be a file of at most 16 MiB"), "{ran:?}");
    assert_eq!(ran.code, Some(2));
    std::fs::create_dir_all(folder.0.join(".git/info")).expect("folders can be made");
    link(".git/info/exclude");
    for args in [&["check", "."][..], &["baseline", "write", "."]] {
        let ran = folder.run(args);
        assert!(ran.err.contains(".git/info/exclude`: it must be a file"), "{args:?}: {ran:?}");
        assert_eq!(ran.code, Some(2), "{args:?}");
    }
}
