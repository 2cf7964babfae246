//! Tests of ignored findings, and of checks on ignores.

use std::fs;

use crate::support::Folder;

const ANSWER: &str = "code: a\nmessage: b\n";

#[test]
fn what_ignores_nothing_is_taken_out_byte_by_byte() {
    let config = "\
# Ours.
kinds: { '*.yaml': error-response }
ignore:
  # Agreed in May.
  - rule: structure/unknown-field
    files: a.yaml
    pointer: /trace
    reason: the gateway adds it
  - { rule: contact, reason: nobody knows any more } # gone
  - rule: structure/unknwon-field
    files: a.yaml
    reason: the gateway adds it
  - rule: message
    until: 2026-10-31
    reason: until the new texts are there
fail-on: warning
";
    let draft = "# First.\ncode: a\nmessage: b # tollproof: ignore[website, contact] as agreed\n# tollproof: ignore[structure] the edge adds it\nhost: c\ntrace: d\n";
    let folder = Folder::new("ignores-fixed").file("tollproof.yaml", config).file("a.yaml", draft);
    let args = ["check", ".", "--now=2026-11-21T08:00:00Z", "--output-format=concise"];
    let before = folder.run(&args);
    assert_eq!(before.code, Some(1), "{before:?}");
    assert!(before.out.contains("5 fixable with --fix --unsafe-fixes"), "{before:?}");
    let fixed = folder.run(&[&args[..], &["--fix", "--unsafe-fixes"]].concat());
    assert_eq!(fixed.code, Some(0), "{fixed:?}");
    let read = |name: &str| fs::read_to_string(folder.0.join(name)).expect("it is there");
    assert_eq!(read("a.yaml"), draft.replace(" # tollproof: ignore[website, contact] as agreed", ""));
    let kept = config
        .replace("  - { rule: contact, reason: nobody knows any more } # gone\n", "")
        .replace("unknwon", "unknown")
        .replace("  - rule: message\n    until: 2026-10-31\n    reason: until the new texts are there\n", "");
    // The corrected entry ignores the same finding as the comment, so both are used.
    assert_eq!(read("tollproof.yaml"), kept);
    let again = folder.run(&args);
    assert_eq!((again.code, again.out.contains("2 findings ignored")), (Some(0), true), "{again:?}");
}

#[test]
fn the_last_entry_leaves_its_key() {
    let config = "kinds: { '*.yaml': error-response }\nignore:\n- rule: contact\n  reason: x\nvendor: Acme\n";
    let folder = Folder::new("ignores-last").file("tollproof.yaml", config).file("a.yaml", ANSWER);
    let ran = folder.run(&["check", ".", "--fix", "--unsafe-fixes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let left = fs::read_to_string(folder.0.join("tollproof.yaml")).expect("it is there");
    assert_eq!(left, "kinds: { '*.yaml': error-response }\nignore:\nvendor: Acme\n");
    assert_eq!(folder.run(&["check", "."]).code, Some(0));
}

#[test]
fn an_entry_for_many_files_is_unused_only_where_all_were_checked() {
    let config =
        "kinds: { '**': error-response }\nignore:\n  - { rule: structure, files: 'drafts/*', reason: x }\n";
    let folder = Folder::new("ignores-part")
        .file("tollproof.yaml", config)
        .file("drafts/a.yaml", ANSWER)
        .file("drafts/b.yaml", format!("{ANSWER}trace: c\n"));
    let unused =
        |args: &[&str]| folder.run(&[&["check"], args].concat()).out.contains("config/unused-ignore");
    assert!(!unused(&["drafts/a.yaml"]));
    assert!(!unused(&["."]), "it is used in the other file");
    fs::write(folder.0.join("drafts/b.yaml"), ANSWER).expect("writable");
    assert!(!unused(&["drafts/a.yaml"]));
    assert!(!unused(&["drafts"]), "the folder of the settings was not walked");
    assert!(unused(&["."]));
    assert!(!unused(&[".", "--select=contact,config"]), "its rules did not run");
}

#[test]
fn locked_rules_cannot_be_ignored() {
    let config = "\
kinds: { '*.yaml': error-response }
locked-rules: [structure]
ignore: [{ rule: structure, reason: x }]
fail-on: warning
";
    let draft = format!("{ANSWER}trace: c # tollproof: ignore[structure/unknown-field] y\n");
    let folder = Folder::new("ignores-locked").file("tollproof.yaml", config).file("a.yaml", draft);
    let ran = folder.run(&["check", ".", "--output-format=concise"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("a.yaml:3:1: warning[structure/unknown-field]"), "{ran:?}");
    assert_eq!(ran.out.matches("is locked by the configuration").count(), 2, "{ran:?}");
}

#[test]
fn levels_and_parameters_are_those_of_the_nearest_settings() {
    let search = "{\"type\": \"tollfree\", \"limit\": 5, \"country\": \"US\", \"page\": 2}";
    let kinds = "kinds: { '*.json': number-search }\n";
    let folder = Folder::new("nearest")
        .file("tollproof.yaml", format!("{kinds}rules: {{ structure: error }}\n"))
        .file("a.json", search)
        .file("b/tollproof.yaml", format!("{kinds}rules: {{ structure/unknown-field: off }}\n"))
        .file("b/a.json", search)
        .file("c/tollproof.yaml", format!("{kinds}fail-on: warning\n"))
        .file("c/a.json", search)
        .file("c/lax.yaml", "fail-on: never\n")
        .file("d/tollproof.yaml", "kinds: { '*.json': number-serach }\n")
        .file("d/a.json", search);
    for (args, code, out) in [
        (&["a.json"][..], 1, "a.json:1:51: error[structure/unknown-field]"),
        (&["b"], 0, "1 document checked, nothing found."),
        (&["c/a.json"], 1, "c/a.json:1:51: warning[structure/unknown-field]"),
        (&["c/a.json", "--fail-on=error"], 0, "1 document checked: 0 errors, 1 warning."),
        (&["b", "a.json", "c/a.json"], 1, "3 documents checked: 1 error, 1 warning."),
        (&["c/a.json", "--config=c/lax.yaml", "--kind=number-search"], 0, "0 errors, 1 warning."),
        (&["a.json", "--no-config", "--kind=number-search"], 0, "0 errors, 1 warning."),
    ] {
        let ran = folder.run(&[&["check", "--output-format=concise"], args].concat());
        assert_eq!((ran.code, ran.out.contains(out)), (Some(code), true), "{args:?}: {ran:?}");
    }
    let ran = folder.run(&["check", "."]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("[d/tollproof.yaml:1:20]") && ran.err.contains("`number-search`?"), "{ran:?}");
}

#[test]
fn what_cannot_be_read_is_never_off() {
    let folder = Folder::new("never-off")
        .file("a.json", "{\"businessName\": \"Acme")
        .file("tollproof.yaml", "ignore: [{ rule: input, reason: x }]\n");
    let ran = folder.run(&["check", "a.json", "--output-format=concise"]);
    assert_eq!((ran.code, ran.out.contains("error[input/syntax]")), (Some(1), true), "{ran:?}");
    assert!(ran.out.contains("`input` cannot be ignored"), "{ran:?}");
    let folder = folder.file("tollproof.yaml", "rules: { input/syntax: off }\n");
    let ran = folder.run(&["check", "a.json"]);
    assert_eq!((ran.code, ran.err.contains("cannot be off")), (Some(2), true), "{ran:?}");
}

#[test]
fn what_was_not_looked_at_may_still_be_needed() {
    let config =
        "kinds: { '**': error-response }\nignore:\n  -\n    rule: structure\n    files: d\n    reason: x\n";
    let folder = Folder::new("ignores-unread")
        .file("tollproof.yaml", config)
        .file("d/a.yaml", format!("{ANSWER}trace: c\nzz: \"\n"))
        .file("d/b.yaml", ANSWER);
    for args in [&["d/b.yaml"][..], &["."]] {
        let ran = folder.run(&[&["check", "--fix", "--unsafe-fixes"], args].concat());
        assert!(!ran.out.contains("config/unused-ignore"), "{args:?}: {ran:?}");
    }
    fs::write(folder.0.join("d/a.yaml"), ANSWER).expect("writable");
    let ran = folder.run(&["check", ".", "--fix", "--unsafe-fixes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let left = fs::read_to_string(folder.0.join("tollproof.yaml")).expect("it is there");
    assert_eq!(left, "kinds: { '**': error-response }\nignore:\n");
}

#[test]
fn entries_that_mean_nothing_are_refused_with_what_to_write() {
    for (line, said) in [
        ("pointer: ''", "remove `pointer`: without it, the entry applies to all values"),
        ("pointer: businessName", "a pointer begins with `/`: use `/businessName`"),
        ("until: 2026-12-31T10:00:00Z", "use a date such as 2026-12-31, without a time"),
        ("until: 2026-12-31[America/New_York]", "use a date such as 2026-12-31, without a time"),
        ("until: '20261231'", "use a date such as 2026-12-31, without a time"),
        ("until: 2026-02-30", "use a date such as 2026-12-31, without a time"),
    ] {
        let config = format!("ignore:\n- rule: contact\n  reason: x\n  {line}\n");
        let folder = Folder::new("ignores-wrong").file("tollproof.yaml", config).file("a.json", "{}");
        let ran = folder.run(&["check", "."]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{line}: {ran:?}");
        let err = ran.err.replace("\n  │ ", " ");
        assert!(err.contains(said) && err.contains("tollproof.yaml:4:"), "{line}: {err}");
    }
}
