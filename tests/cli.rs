//! Tests of the command line: stories in `cases/`, and behavior that stories cannot show.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::process::Stdio;

use crate::generated::changes;
use crate::support::{Folder, Ran};

/// A valid document.
const SEARCH: &str = r#"{"limit": 1, "country": "US", "type": "tollfree"}"#;

/// A document that a folder walk recognizes as a draft.
const DRAFT: &str = r#"{"businessName": "Cedar Hollow Auto Care LLC"}"#;

#[test]
fn stories() {
    let _rewritten = Rewritten(stories_now());
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        // Stories must not write to the job summary of the CI job that runs them.
        .env("GITHUB_STEP_SUMMARY", "")
        .case("tests/cases/*.md")
        .case("tests/cases/*.toml")
        .run();
}

/// The stories before the test. Prints the changes of `TRYCMD=overwrite`, even if the test fails.
struct Rewritten(BTreeMap<String, String>);

impl Drop for Rewritten {
    fn drop(&mut self) {
        for (path, after) in stories_now() {
            let before = self.0.get(&path).map_or("", String::as_str);
            if before != after {
                changes::report(&path, before, &after);
            }
        }
    }
}

fn stories_now() -> BTreeMap<String, String> {
    let files = fs::read_dir("tests/cases").expect("tests run at the top of the repository");
    let paths = files.map(|entry| entry.expect("it can be read").path());
    let stories = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    stories
        .map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("it is UTF-8")))
        .collect()
}

#[test]
fn a_missing_file_is_named_and_the_others_are_checked() {
    let folder = Folder::new("missing").file("a.json", SEARCH).file("c.json", SEARCH);
    let ran = folder.run(&["check", "a.json", "b.json", "c.json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.err, "error: cannot open `b.json`: no such file or directory\n");
    assert!(ran.out.starts_with("2 documents checked"), "{ran:?}");
    assert!(ran.out.contains(" 1 file could not be read.\n"), "{ran:?}");
}

#[test]
fn a_walk_reads_drafts_and_passes_over_the_rest() {
    let folder = Folder::new("walk")
        .file("b/draft.yaml", DRAFT)
        .file("a.json", DRAFT)
        .file("ignored/a.json", DRAFT)
        .file(".hidden/a.json", DRAFT)
        .file("draft.txt", DRAFT)
        .file("package.json", "{}")
        .file(".gitignore", "ignored/\n");
    let ran = folder.run(&["check", "--output-format", "json", "--fail-on", "never"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    assert_eq!(report["summary"]["documents"], 2);
    let ran = folder.run(&["check", "--fail-on", "never"]);
    assert!(ran.out.contains(" 1 document skipped: not a draft (package.json).\n"), "{ran:?}");
}

#[test]
fn a_folder_without_drafts_is_nothing_to_check() {
    let folder = Folder::new("nothing");
    let ran = folder.run(&["check"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert_eq!(ran.err, "error: nothing to check: `.` contains no drafts\n");
    let folder = folder.file("package.json", "{}");
    let ran = folder.run(&["check", "--quiet", "."]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("error: nothing to check: there is no draft in `.`"), "{ran:?}");
}

#[test]
fn the_configuration_is_found_above_and_read_strictly() {
    let folder = Folder::new("config")
        .file("tollproof.yaml", "kinds:\n  drafts/*.json: number-search\n")
        .file("drafts/a.json", "{}")
        .file("nested/drafts/a.json", "{}")
        .file("nested/.git/HEAD", "");
    let from = |place: &str, args: &[&str]| {
        let mut command = folder.command(args);
        Ran::new(command.current_dir(folder.0.join(place)).output().expect("tollproof starts"))
    };
    // The settings are those of the file's folder, wherever the run starts. The search ends at the top of the
    // repository.
    assert_eq!(from("", &["check", "drafts", "--fail-on", "never"]).code, Some(0));
    assert_eq!(from("drafts", &["check", "--fail-on", "never"]).code, Some(0));
    assert_eq!(from("nested", &["check", "../drafts/a.json", "--fail-on", "never"]).code, Some(0));
    assert_eq!(from("", &["check", "nested/drafts", "--fail-on", "never"]).code, Some(2));
    assert_eq!(from("nested", &["check", "--fail-on", "never"]).code, Some(2));

    let folder = folder.file("tollproof.yaml", "vendors: Acme\n");
    for args in [["check", "drafts/a.json"], ["check", "--config=tollproof.yaml"]] {
        let ran = folder.run(&args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.contains("[tollproof.yaml:1:"), "{ran:?}");
    }
    let ran = folder.run(&["check", "--output-format=concise"]);
    assert!(ran.err.starts_with("tollproof.yaml:1:1: error: "), "{ran:?}");
    for text in ["# vendor: Acme\n", "---\n", ""] {
        fs::write(folder.0.join("tollproof.yaml"), text).expect("writable");
        let ran = folder.run(&["check", "--fail-on=never", "drafts/a.json"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    }
    let folder = folder.file("tollproof.yaml", "vendor: 42\n");
    let ran = folder.run(&["check", "--output-format=concise"]);
    assert_eq!(
        ran.err, "tollproof.yaml:1:9: error: this must be a string, not the integer `42`\n",
        "{ran:?}"
    );
    let ran = folder.run(&["check", "--no-config", "--fail-on=never", "drafts/a.json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_wrong_rule_file_ends_the_run() {
    let folder = Folder::new("rules").file("a.json", SEARCH).file("rules/README.md", "");
    let ran = folder.run(&["check", "--rules", "rules", "a.json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.err, "error: there is no rule file (*.yaml) in `rules`\n");
}

#[test]
fn a_walk_passes_over_what_the_run_is_made_of() {
    let rule = tollproof_core::builtin_rules().find(|(id, _)| *id == "message/missing-brand");
    let (_, rule) = rule.expect("it is built in");
    let folder = Folder::new("made-of")
        .file("tollproof.yaml", "kinds: { '**/*': submit-request }\n")
        .file("mine.yaml", "kinds: { '**/*': submit-request }\n")
        .file("deeper/tollproof.yaml", "vendor: Acme\n")
        .file("rules/own/a.yaml", rule)
        .file("a.json", DRAFT);
    let args = ["check", "--fail-on=never", "--quiet", "--rules=rules"];
    for more in [&["--config=mine.yaml"][..], &["--config=mine.yaml", "./rules/..", "a.json"]] {
        let ran = folder.run(&[&args[..], more].concat());
        assert!(ran.out.starts_with("1 document checked"), "{ran:?}");
        assert!(!ran.out.contains("skipped"), "they are no drafts that were left out: {ran:?}");
    }
}

#[test]
fn a_kind_for_a_walk_holds_for_documents_with_a_field_of_it() {
    let folder = Folder::new("kind-walk")
        .file("package.json", r#"{"name": "x", "version": "1.0.0"}"#)
        .file("search.json", SEARCH)
        .file("broken.json", r#"{"limit": }"#);
    let ran = folder.run(&["check", "--kind=number-search", "--quiet"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("2 documents checked: 1 error"), "{ran:?}");
    assert!(ran.out.ends_with(" 1 document skipped: not a draft (package.json).\n"), "{ran:?}");
    let ran = folder.run(&["check", "--kind=number-search", "--quiet", "package.json"]);
    assert!(ran.out.starts_with("1 document checked: "), "{ran:?}");
}

#[test]
fn standard_input_is_no_file_whatever_it_is_called() {
    let folder = Folder::new("stdin-twin").file("good.json", SEARCH);
    let ran = folder
        .pipe(&["check", "-", "good.json", "./good.json", "--stdin-filename=good.json", "--quiet"], SEARCH);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "2 documents checked, nothing found.\n"), "{ran:?}");
}

#[test]
fn standard_input_has_the_name_it_is_given() {
    let folder = Folder::new("stdin").file("tollproof.yaml", "kinds: { 'x/*.yaml': number-search }\n");
    let args = ["check", "-", "--fail-on", "never", "--quiet"];
    for more in [&["--kind", "number-search"][..], &["--stdin-filename", "x/search.yaml"]] {
        let ran = folder.pipe(&[&args[..], more].concat(), SEARCH);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.out, "1 document checked, nothing found.\n");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new("closed-pipe");
    let mut command = folder.command(&["completions", "bash"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tollproof starts");
    drop(child.stdout.take());
    let status = child.wait().expect("tollproof ends");
    let mut err = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut err).expect("UTF-8");
    assert_eq!((status.code(), err.as_str()), (Some(0), ""));
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let folder = Folder::new("colour").file("tollproof.yaml", "vendors: Acme\n");
    let coloured = |args: &[&str], no_color: bool| {
        let mut command = folder.command(args);
        if no_color {
            command.env("NO_COLOR", "1");
        }
        Ran::new(command.output().expect("tollproof starts")).err.contains('\x1b')
    };
    assert!(!coloured(&["check"], false));
    assert!(coloured(&["check", "--color", "always"], false));
    assert!(coloured(&["check", "--color", "always"], true));
    assert!(!coloured(&["check", "--color", "never"], false));
    assert!(!coloured(&["check"], true));
    let forced = folder.command(&["check"]).env("CLICOLOR_FORCE", "1").output().expect("tollproof starts");
    assert!(Ran::new(forced).err.contains('\x1b'));
}

#[test]
fn no_selection_lets_a_document_pass_that_is_none() {
    let folder = Folder::new("no-object").file("a.json", "[\"just\", 3]").file("b.json", "{ ]");
    for args in [&["a.json"][..], &["--kind=submit-request", "a.json"], &["b.json"]] {
        let ran = folder.run(&[&["check", "--select=message/missing-opt-out"], args].concat());
        assert_eq!(ran.code, Some(1), "{ran:?}");
    }
    // Its content was not checked, so ignoring the rule changes nothing.
    let ran = folder.run(&["check", "--select=message", "--ignore=structure/wrong-type", "a.json"]);
    assert_eq!((ran.code, ran.out.contains("2 errors")), (Some(1), true), "{ran:?}");
}

#[test]
fn what_is_too_much_to_list_is_said() {
    let fields: Vec<String> = (0..1_500).map(|at| format!("\"unheard{at}\": 1")).collect();
    let draft = format!("{{\"businessName\": \"Acme\", {}}}", fields.join(", "));
    let folder = Folder::new("too-much").file("a.json", draft);
    let ran = folder.run(&["check", "a.json", "--output-format=concise"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let limit = "error[input/limit] the schema reports more than 1000 errors in this document";
    assert!(ran.out.contains(limit), "{}", &ran.out[..400]);
}

#[test]
fn fields_and_values_are_told_where_they_belong() {
    let folder = Folder::new("belong")
        .file("record.json", r#"{"verificationRequestData": {"workspaceId": "x"}}"#)
        .file("error.json", r#"{"code": "a", "message": "b", "details": {"a": "b"}}"#)
        .file("draft.json", r#"{"messageVolume": 1000, "useCase": 5}"#)
        .file("draft.yaml", "messageVolume: 10000000\n")
        .file("1k.yaml", "messageVolume: 1k\n");
    let said = |file: &str, words: &str| {
        let ran = folder.run(&["check", file, "--output-format=json", "--fail-on=never"]);
        assert!(ran.out.contains(words), "{file}: {words}: {}", ran.out);
        ran.out
    };
    said("record.json", "`workspaceId` does not belong in `verificationRequestData`");
    said("record.json", "Move it to the top level, because it is a field of a verification record.");
    said("error.json", "`a` must be a list, not the string `b`");
    said("draft.json", r#"Write \"1,000\", exactly like this, in quotes."#);
    said("draft.json", r#""text": "\"1,000\"""#);
    said("draft.yaml", r#"Write \"10,000,000+\", the largest value, in quotes."#);
    let guess = said("1k.yaml", "`1k` is not one of the 11 message volumes");
    assert!(!guess.contains("Did you mean"), "{guess}");
}

#[test]
fn a_rule_that_can_never_fire_ends_the_run() {
    let rule = tollproof_core::builtin_rules().find(|(id, _)| *id == "message/missing-brand");
    let (_, rule) = rule.expect("it is built in");
    let folder = Folder::new("never-fires").file("a.json", DRAFT);
    for (from, to, place, words) in [
        ("severity: error", "severity: eror", ":11: ", "unknown value `eror`; did you mean `error`?"),
        ("severity: error", "severty: error", ":1: ", "unknown key `severty`; did you mean `severity`?"),
        ("brand: {}", "require: {}", ":12: ", "`require` needs"),
        ("brand: {}", "forbid: { any_of: [a ... b ... c ... d ... e] }", ":3: ", "more than 3 gaps"),
        ("brand: {}", "brand: {}\n  absent: {}", ":1: ", "a rule has exactly one check"),
    ] {
        let from = if rule.contains(from) { from } else { "severity: warning" };
        assert!(rule.contains(from));
        fs::create_dir_all(folder.0.join("rules/own")).expect("writable");
        fs::write(folder.0.join("rules/own/a.yaml"), rule.replacen(from, to, 1)).expect("writable");
        let ran = folder.run(&["check", "--rules=rules", "a.json", "--output-format=concise"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.starts_with("rules/own/a.yaml:"), "{ran:?}");
        assert!(ran.err.contains(place) && ran.err.contains(words), "{ran:?}");
    }
}

#[test]
fn globs_that_match_nothing_are_refused_with_what_to_write() {
    for (glob, said) in [
        ("''", "write `'**'` for all files"),
        (".", "write `'**'` for all files"),
        ("./", "write `'**'` for all files"),
        ("/", "write `'**'` for all files"),
        ("/drafts/*.json", "write `drafts/*.json`, without the first `/`"),
        ("'!drafts/a.json'", "`!` does not negate a glob; list the files"),
        ("../other/*.json", "globs cannot leave the folder of this file"),
        ("drafts/../*.json", "globs cannot leave the folder of this file"),
        ("'{../other,drafts}/*.json'", "globs cannot leave the folder of this file"),
    ] {
        for config in [
            format!("include: [{glob}]\n"),
            format!("exclude: [{glob}]\n"),
            format!("kinds: {{ {glob}: submit-request }}\n"),
            format!("rules: {{ contact: {{ files: {{ {glob}: off }} }} }}\n"),
            format!("ignore: [{{ rule: contact, reason: x, files: {glob} }}]\n"),
        ] {
            let folder = Folder::new("globs").file("tollproof.yaml", &config).file("drafts/a.json", SEARCH);
            let ran = folder.run(&["check", "."]);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{config}{ran:?}");
            let err = unwrapped(&ran.err);
            assert!(err.contains(said) && err.contains("tollproof.yaml:1:"), "{config}{err}");
        }
    }
    let folder = Folder::new("globs-odd").file("drafts/a.json", DRAFT);
    for glob in ["./drafts", "drafts//", "./drafts/./*.json", "drafts//*.json", "'**'"] {
        fs::write(folder.0.join("tollproof.yaml"), format!("include: [{glob}]\n")).expect("it is ours");
        let ran = folder.run(&["check", ".", "--quiet"]);
        assert!(ran.out.starts_with("1 document checked"), "{glob}: {ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn settings_that_are_a_link_to_nowhere_end_the_run() {
    let folder = Folder::new("link-to-nowhere").file("a.json", SEARCH);
    for target in ["none.yaml", "a.json/none.yaml"] {
        let link = folder.0.join("tollproof.yaml");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(target, &link).expect("it can be made");
        let ran = folder.run(&["check", "a.json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.starts_with("error: cannot read the settings `tollproof.yaml`: "), "{ran:?}");
    }
}

#[test]
fn why_nothing_was_left_to_check_is_told_apart() {
    let folder =
        Folder::new("nothing-left").file("tollproof.yaml", "exclude: [old]\n").file("old/a.json", SEARCH);
    let said = |why: &str| {
        format!(
            "error: nothing to check: there is no draft in `.`; {why} (`--verbose` lists them; files that you name are always checked)\n"
        )
    };
    let passed = "2 files skipped: settings, rules, a baseline, or excluded by tollproof.yaml";
    let ran = folder.run(&["check"]);
    assert_eq!((ran.code, ran.err), (Some(2), said(passed)));
    let folder = folder.file("package.json", "{}");
    let keys = "1 document skipped because their field names do not show a kind";
    assert_eq!(folder.run(&["check"]).err, said(&format!("{keys}; {passed}")));
    assert_eq!(folder.run(&["check", "--no-config", "package.json", "."]).code, Some(1));
    fs::remove_dir_all(folder.0.join("old")).expect("it is ours");
    fs::remove_file(folder.0.join("tollproof.yaml")).expect("it is ours");
    assert_eq!(folder.run(&["check"]).err, said(keys));
}

#[test]
fn files_that_only_search_tools_ignore_are_checked() {
    let folder = Folder::new("search-tools")
        .file(".ignore", "*.json\n")
        .file("drafts/.ignore", "a.json\n")
        .file("drafts/a.json", DRAFT)
        .file("drafts/b.json", DRAFT)
        .file("drafts/.gitignore", "b.json\n");
    let ran = folder.run(&["check", "drafts", "--quiet"]);
    assert!(ran.out.starts_with("1 document checked"), "{ran:?}");
}

#[test]
fn a_number_that_no_parameter_takes_is_refused_in_words() {
    let folder = Folder::new("negative").file("a.json", SEARCH);
    for (value, said) in [
        ("-3", "a whole number that is not negative, not the integer `-3`"),
        ("1.5", "a whole number that is not negative, not the floating point `1.5`"),
    ] {
        let config = format!("rules: {{ opt-in/vague-description: {{ with: {{ min-chars: {value} }} }} }}\n");
        fs::write(folder.0.join("tollproof.yaml"), config).expect("it is ours");
        let ran = folder.run(&["check", "a.json"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let err = unwrapped(&ran.err);
        assert!(err.contains(said), "{err}");
    }
}

/// The message on one line.
fn unwrapped(err: &str) -> String {
    err.replace("\n  │ ", " ")
}

#[test]
fn exit_zero_is_fail_on_never() {
    let folder = Folder::new("cli-exit-zero").file("d.json", include_str!("drafts/cedar-auto.json"));
    assert_eq!(folder.run(&["check", "d.json"]).code, Some(1));
    assert_eq!(folder.run(&["check", "d.json", "--exit-zero"]).code, Some(0));
    // Errors that prevent the run still fail.
    assert_eq!(folder.run(&["check", "gone.json", "--exit-zero"]).code, Some(2));
    let ran = folder.run(&["check", "d.json", "--exit-zero", "--fail-on", "error"]);
    assert!(ran.code == Some(2) && ran.err.contains("cannot be used with"), "{}", ran.err);
}

#[test]
fn format_is_output_format_in_every_command() {
    let folder = Folder::new("cli-format").file("d.json", include_str!("drafts/cedar-auto.json"));
    for args in [
        &["check", "d.json"][..],
        &["rule", "number"],
        &["number", "7726"],
        &["config", "show"],
        &["history", "list", "--history", "d.json"],
    ] {
        let with = |option: &str| folder.run(&[args, &[option, "json"]].concat());
        let (long, short) = (with("--output-format"), with("--format"));
        assert_eq!((long.out, long.err, long.code), (short.out, short.err, short.code), "{args:?}");
    }
    for command in ["explain", "gate", "rules test", "rules eval", "history show", "history import"] {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        assert!(folder.run(&words).out.contains("[alias: --format]"), "{command}");
    }
}

#[test]
fn no_rule_is_shown_with_its_placeholders() {
    let folder = Folder::new("cli-placeholders");
    let rules: serde_json::Value =
        serde_json::from_str(&folder.run(&["rule", "--format", "json"]).out).expect("it is JSON");
    let mut filled = 0;
    for rule in rules.as_array().expect("a list") {
        let id = rule["id"].as_str().expect("an id");
        let ran = folder.run(&["rule", id]);
        let says = ran.out.split("\nWhy\n").next().expect("it has a head");
        assert!(!says.contains('{') && !says.contains('}'), "{says}");
        filled += usize::from(says.contains('…'));
    }
    assert!(filled > 30, "{filled}");
}

#[test]
fn licenses_name_libraries_and_the_data_inside_of_them() {
    let ran = Folder::new("licenses").run(&["licenses"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for part in ["Public Suffix List", "| serde |"] {
        assert!(ran.out.contains(part), "{}", ran.out);
    }
}
