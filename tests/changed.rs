//! Tests of `--changed` and `--also-read`: changed files are checked, and the numbers of other files are known.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Folder, Ran};

/// A draft without most fields, so that every report has findings.
const DRAFT: &str = r#"{"businessName": "Cedar Hollow Auto Care LLC"}"#;

fn with_number(number: &str) -> String {
    format!("{{\"businessName\": \"Cedar Hollow Auto Care LLC\", \"phoneNumbers\": [\"{number}\"]}}\n")
}

const NUMBER: &str = "a801c418-a845-4f95-9e37-30c84d2adbb8";

/// Isolates git from the settings of the user who runs the tests, and from this repository.
fn alone<'c>(command: &'c mut Command, folder: &Folder) -> &'c mut Command {
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CEILING_DIRECTORIES", folder.0.parent().expect("it lies in another"))
        .envs(["AUTHOR", "COMMITTER"].map(|it| (format!("GIT_{it}_NAME"), "Ana")))
        .envs(["AUTHOR", "COMMITTER"].map(|it| (format!("GIT_{it}_EMAIL"), "ana@example.com")))
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
}

fn git_in(folder: &Folder, below: &str, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(args).current_dir(folder.0.join(below));
    let output = alone(&mut command, folder).output().expect("there is git");
    assert!(output.status.success(), "{args:?}: {output:?}");
}

fn git(folder: &Folder, args: &[&str]) {
    git_in(folder, ".", args);
}

fn commit(folder: &Folder) {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "more"]);
}

/// A repository in which all files are committed.
fn repository(name: &str, files: &[&str]) -> Folder {
    let folder = Folder::new(name);
    let folder = files.iter().fold(folder, |folder, file| folder.file(file, DRAFT));
    git(&folder, &["init", "--quiet", "--initial-branch", "main"]);
    commit(&folder);
    folder
}

fn run_in(folder: &Folder, below: &str, args: &[&str]) -> Ran {
    let mut command = folder.command(&[&["check"], args].concat());
    command.current_dir(folder.0.join(below));
    Ran::new(alone(&mut command, folder).output().expect("tollproof starts"))
}

fn run(folder: &Folder, args: &[&str]) -> Ran {
    run_in(folder, ".", args)
}

/// The files that a run in the folder `below` reports on.
fn checked_in(folder: &Folder, below: &str, args: &[&str]) -> Vec<String> {
    let ran = run_in(folder, below, &[args, &["--fail-on=never", "--output-format=json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    let findings = report["findings"].as_array().expect("findings are a list");
    let files: BTreeSet<_> =
        findings.iter().map(|finding| finding["file"].as_str().expect("a string")).collect();
    files.into_iter().map(str::to_owned).collect()
}

fn checked(folder: &Folder, args: &[&str]) -> Vec<String> {
    checked_in(folder, ".", args)
}

#[test]
fn only_what_differs_from_the_last_commit_is_checked() {
    let folder = repository("changed", &["same.json", "edited.json", "staged.json", "gone.json", "old.json"]);
    let odd = "sub/ é \"odd\".json";
    let folder = folder
        .file("edited.json", format!("{DRAFT}\n"))
        .file("staged.json", format!("{DRAFT}\n"))
        .file("new.yaml", DRAFT)
        .file(odd, DRAFT)
        .file("ignored.json", DRAFT)
        .file("package.json", "{}")
        .file("notes.txt", DRAFT)
        .file(".gitignore", "ignored.json\n");
    git(&folder, &["add", "staged.json"]);
    git(&folder, &["mv", "old.json", "moved.json"]);
    fs::remove_file(folder.0.join("gone.json")).expect("it is ours");
    // User settings that change git's output.
    git(&folder, &["config", "diff.relative", "true"]);
    git(&folder, &["config", "color.ui", "always"]);
    let all = ["edited.json", "moved.json", "new.yaml", "staged.json", odd];
    let mut sorted = all.map(str::to_owned);
    sorted.sort();
    assert_eq!(checked(&folder, &["--changed"]), sorted);
    assert_eq!(checked(&folder, &["--changed", "sub"]), [odd]);
    assert_eq!(checked(&folder, &["--changed", "same.json", "./new.yaml"]), ["new.yaml"]);
    let seen = checked_in(&folder, "sub", &["--changed", ".."]);
    assert_eq!(seen.len(), all.len(), "{seen:?}");
    assert_eq!(checked_in(&folder, "sub", &["--changed=HEAD"]), [" é \"odd\".json"]);
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_found() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = repository("changed-names", &["same.json"]);
    for name in [&b"line\nbreak.json"[..], b"latin-\xe9.json"] {
        fs::write(folder.0.join(std::ffi::OsStr::from_bytes(name)), DRAFT).expect("writable");
    }
    let ran = run(&folder, &["--changed", "--quiet"]);
    assert!(ran.out.starts_with("2 documents checked"), "{ran:?}");
}

#[test]
fn what_a_branch_changes_is_told_from_what_others_did_meanwhile() {
    let folder = repository("changed-branch", &["same.json", "main.json", "mine.json"]);
    git(&folder, &["checkout", "--quiet", "-b", "mine"]);
    let folder = folder.file("mine.json", format!("{DRAFT}\n")).file("added.json", DRAFT);
    commit(&folder);
    git(&folder, &["checkout", "--quiet", "main"]);
    let folder = folder.file("main.json", format!("{DRAFT}\n"));
    commit(&folder);
    git(&folder, &["checkout", "--quiet", "mine"]);
    let folder = folder.file("later.json", DRAFT);
    assert_eq!(checked(&folder, &["--changed=main"]), ["added.json", "later.json", "mine.json"]);
    assert_eq!(checked(&folder, &["--changed"]), ["later.json"]);
    assert_eq!(checked(&folder, &["--changed=HEAD~1"]), ["added.json", "later.json", "mine.json"]);
}

#[test]
fn what_git_cannot_judge_is_checked() {
    let folder =
        repository("changed-inside", &["same.json"]).file("part/a.json", DRAFT).file("new.json", DRAFT);
    git_in(&folder, "part", &["init", "--quiet"]);
    git_in(&folder, "part", &["add", "a.json"]);
    git_in(&folder, "part", &["commit", "--quiet", "--message", "part"]);
    git(&folder, &["-c", "advice.addEmbeddedRepo=false", "add", "part"]);
    // Files of another repository count as changed.
    assert_eq!(checked(&folder, &["--changed"]), ["new.json", "part/a.json"]);
    commit(&folder);
    assert_eq!(checked(&folder, &["--changed"]), ["part/a.json"]);
    let beyond = Folder::new("changed-beyond").file("b.json", DRAFT);
    let beyond = beyond.0.join("b.json").to_str().expect("it is UTF-8").to_owned();
    assert_eq!(checked(&folder, &["--changed", "same.json", &beyond]), [beyond.as_str()]);
    // A named file is checked even if git ignores it. A folder walk does not find it.
    let folder = folder.file(".gitignore", "ignored.json\n").file("ignored.json", DRAFT);
    assert_eq!(checked(&folder, &["--changed", "same.json", "ignored.json"]), ["ignored.json"]);
    assert_eq!(checked(&folder, &["--changed"]), ["part/a.json"]);
}

#[cfg(unix)]
#[test]
fn a_link_is_the_same_where_it_and_its_file_are() {
    let folder = repository("changed-links", &["same.json", "edited.json"]);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, folder.0.join(name)).expect("it can be made");
    };
    link("same.json", "a.json");
    link("edited.json", "b.json");
    commit(&folder);
    link("same.json", "new.json");
    fs::write(folder.0.join("edited.json"), format!("{DRAFT}\n")).expect("it is ours");
    for (name, is_checked) in [("a.json", false), ("b.json", true), ("new.json", true)] {
        assert_eq!(!checked(&folder, &["--changed", name]).is_empty(), is_checked, "{name}");
    }
}

#[test]
fn before_the_first_commit_all_is_new() {
    let folder = Folder::new("changed-unborn").file("a.json", DRAFT).file("b.json", DRAFT);
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "a.json"]);
    assert_eq!(checked(&folder, &["--changed"]), ["a.json", "b.json"]);
}

#[test]
fn nothing_changed_is_no_failure() {
    let folder = repository("changed-nothing", &["a.json"]);
    let said = "nothing to check: no draft changed since `HEAD`\n";
    let ran = run(&folder, &["--changed"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", said), "{ran:?}");
    let folder = folder.file("package.json", "{}");
    let ran = run(&folder, &["--changed", "--output-format=json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), said), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    assert_eq!(report["summary"]["documents"], 0);
    // A missing file is still an error.
    let ran = run(&folder, &["--changed", "b.json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.starts_with("error: cannot open `b.json`: "), "{ran:?}");
}

#[test]
fn what_git_cannot_tell_is_named() {
    let folder = repository("changed-unknown", &["a.json"]);
    let err = |folder: &Folder, changed: &str| {
        let ran = run(folder, &[changed]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        ran.err.strip_prefix("error: cannot determine what changed: ").expect("it says so").to_owned()
    };
    assert_eq!(err(&folder, "--changed=moon"), "git has no commit `moon`\n");
    assert_eq!(err(&folder, "--changed="), "git has no commit ``\n");
    assert_eq!(err(&folder, "--changed=--output=x"), "`--output=x` is not a commit\n");
    assert!(!folder.0.join("x").exists());
    git(&folder, &["checkout", "--quiet", "--orphan", "other"]);
    let folder = folder.file("b.json", DRAFT);
    commit(&folder);
    let apart = "`main` and the current commit have no common history here; fetch more of it (in CI: `fetch-depth: 0`)\n";
    assert_eq!(err(&folder, "--changed=main"), apart);
    let outside = Folder::new("changed-outside").file("a.json", DRAFT);
    assert!(err(&outside, "--changed").starts_with("not a git repository"), "{}", err(&outside, "--changed"));
    let mut command = folder.command(&["check", "--changed"]);
    let ran = Ran::new(command.env("PATH", "").output().expect("tollproof starts"));
    assert_eq!(ran.err, "error: cannot determine what changed: `git` is not installed\n", "{ran:?}");
    assert_eq!(ran.code, Some(2));
}

/// A program in the settings of a repository. It creates a file when it runs.
#[cfg(unix)]
fn marker(folder: &Folder, name: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let at = |name: &str| folder.0.join(name).to_str().expect("it is UTF-8").to_owned();
    let (program, mark) = (at(&format!("programs/{name}")), at(&format!("marks/{name}")));
    fs::create_dir_all(folder.0.join("programs")).expect("writable");
    fs::create_dir_all(folder.0.join("marks")).expect("writable");
    fs::write(&program, format!("#!/bin/sh\ntouch '{mark}'\nexit 1\n")).expect("writable");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
    program
}

#[cfg(unix)]
fn marks(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.0.join("marks")).expect("it can be read");
    entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned()).collect()
}

#[cfg(unix)]
#[test]
fn nothing_is_run_that_a_repository_names() {
    let folder = repository("changed-programs", &["same.json", "touched.json", "edited.json"]);
    for name in ["fsmonitor", "external", "command", "textconv", "clean", "process", "ssh", "pager"] {
        let program = marker(&folder, name);
        let key = match name {
            "fsmonitor" => "core.fsmonitor",
            "external" => "diff.external",
            "command" => "diff.odd.command",
            "textconv" => "diff.odd.textconv",
            "clean" => "filter.One Odd.clean",
            "process" => "filter.two.process",
            "ssh" => "core.sshCommand",
            _ => "core.pager",
        };
        git(&folder, &["config", key, &program]);
    }
    git(&folder, &["config", "filter.One Odd.required", "true"]);
    let hook = marker(&folder, "hook");
    fs::create_dir_all(folder.0.join(".git/hooks")).expect("writable");
    fs::copy(hook, folder.0.join(".git/hooks/post-index-change")).expect("writable");
    let folder = folder
        .file(".git/info/attributes", "touched.json filter=two diff=odd\nedited.json filter=three diff=odd\n")
        .file("edited.json", format!("{DRAFT}\n"))
        .file("touched.json", DRAFT);
    git(&folder, &["config", "filter.three.clean", &marker(&folder, "clean")]);
    assert_eq!(checked(&folder, &["--changed"]), ["edited.json"]);
    assert_eq!(marks(&folder), [""; 0]);
    // A filter whose name cannot be used in an option is an error.
    git(&folder, &["config", "filter.a=b.clean", "true"]);
    let ran = run(&folder, &["--changed"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (
            Some(2),
            "error: cannot determine what changed: `filter.a=b` in the settings of git cannot be turned off\n"
        )
    );
    assert_eq!(marks(&folder), [""; 0]);
}

#[cfg(unix)]
#[test]
fn what_a_clone_left_out_is_not_fetched() {
    let source = repository("changed-source", &["d/a.json"]).file("d/a.json", format!("{DRAFT}\n"));
    commit(&source);
    git(&source, &["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", source.0.to_str().expect("it is UTF-8"));
    let folder = Folder::new("changed-partial");
    git(&folder, &["clone", "--quiet", "--filter=tree:0", "--no-checkout", &url, "clone"]);
    let clone = Folder(folder.0.join("clone"));
    git(&clone, &["config", "remote.origin.uploadpack", &marker(&folder, "fetch")]);
    let ran = run(&clone.file("b.json", DRAFT), &["--changed=HEAD~1"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.starts_with("error: cannot determine what changed: "), "{ran:?}");
    assert_eq!(marks(&folder), [""; 0]);
}

/// The duplicate findings of a run, each with the file that it refers to.
fn duplicates(ran: &Ran) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let findings = report["findings"].as_array().expect("findings are a list").iter();
    findings
        .filter(|it| it["rule"] == "history/duplicate-in-batch")
        .map(|finding| (text(&finding["file"]), text(&finding["related"][0]["file"])))
        .collect()
}

const JSON: &str = "--output-format=json";

#[test]
fn a_number_that_an_unchanged_draft_names_is_taken() {
    let folder = repository("changed-taken", &["a.json"]).file("z.json", with_number(NUMBER));
    commit(&folder);
    let folder = folder.file("b.json", with_number(&NUMBER.to_uppercase()));
    let pair = |one: &str, other: &str| [(one.to_owned(), other.to_owned())];
    assert_eq!(duplicates(&run(&folder, &["--changed", JSON])), pair("b.json", "z.json"));
    assert_eq!(checked(&folder, &["--changed"]), ["b.json"]);
    let ran = run(&folder, &["--changed", "--select=history"]);
    assert!(ran.out.contains("first named here"), "{ran:?}");
    // Files outside of the paths are not read.
    let folder = folder.file("c/c.json", with_number(NUMBER));
    assert_eq!(duplicates(&run(&folder, &["--changed", "c", JSON])), []);
    assert_eq!(
        duplicates(&run(&folder, &["--changed", "c", "--also-read=b.json", JSON])),
        pair("c/c.json", "b.json")
    );
}

#[test]
fn drafts_beside_are_known_and_not_reported() {
    let folder = Folder::new("beside")
        .file("sent/a.json", with_number(NUMBER))
        .file("sent/update.yaml", format!("# tollproof: kind=update-request\nphoneNumbers: [{NUMBER}]\n"))
        .file("sent/package.json", "{}")
        .file("new/b.json", with_number(NUMBER))
        .file("new/c.json", DRAFT);
    let ran = run(&folder, &["new", "--also-read", "sent", JSON]);
    assert_eq!(duplicates(&ran), [("new/b.json".to_owned(), "sent/a.json".to_owned())]);
    assert_eq!(checked(&folder, &["new", "--also-read=sent"]), ["new/b.json", "new/c.json"]);
    let ran = run(&folder, &["new", "--also-read=sent", "--quiet"]);
    assert!(ran.out.starts_with("2 documents checked") && !ran.out.contains("skipped"), "{ran:?}");
    // A checked file is not also read for its numbers.
    assert_eq!(duplicates(&run(&folder, &["new", "--also-read=.", "--also-read=new", JSON])).len(), 1);
    assert_eq!(duplicates(&run(&folder, &["new/b.json", "--also-read", "new", JSON])), []);
    let ran = run(&folder, &["new/c.json", "--also-read=none.json", "--also-read=sent/a.json", "--quiet"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (Some(2), "error: cannot open `none.json`: no such file or directory\n")
    );
    // The hint about `--history` only appears for numbers in checked files.
    let ran = run(&folder, &["new/c.json", "--also-read=sent"]);
    assert!(!ran.out.contains("--history"), "{ran:?}");
    let report = format!("{JSON}=sent/a.json");
    let ran = run(&folder, &["new", "--also-read=sent/a.json", &report]);
    assert!(ran.err.contains("cannot write the report to `sent/a.json`"), "{ran:?}");
    assert!(Path::new(&folder.0).join("sent/a.json").metadata().expect("it is there").len() > 60);
}

#[cfg(unix)]
#[test]
fn a_git_of_the_folder_is_not_run() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = repository("changed-path", &["a.json"]).file("git", "#!/bin/sh\ntouch ran\n");
    fs::set_permissions(folder.0.join("git"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    let path = format!(":.:{}", std::env::var("PATH").unwrap_or_default());
    for args in [&["check", "--changed"][..], &["doctor"]] {
        let mut command = folder.command(args);
        let ran = alone(command.env("PATH", &path), &folder).output().expect("tollproof starts");
        assert_ne!(ran.status.code(), Some(2), "{args:?}: {ran:?}");
        assert!(!folder.0.join("ran").exists(), "{args:?}");
    }
}
