//! Prohibitions of `crates/README.md`, as far as the text of the sources shows them.

mod modules;
mod online;
mod style;

use std::fs;
use std::path::{Path, PathBuf};

/// The longest file that still holds one concept.
const MAX_LINES: usize = 500;

/// All Rust files below a folder, by their path from the root of the repository.
fn sources(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.join(folder)];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(&current).expect("the repository can be read") {
            let path = entry.expect("it can be read").path();
            // The links in the library's folder lead back to the top, and `target` has what a compiler wrote.
            if path.is_dir() {
                folders.extend((!path.is_symlink() && !path.ends_with("target")).then_some(path));
            } else if path.extension().is_some_and(|it| it == "rs") {
                let name =
                    path.strip_prefix(root).expect("it lies below").to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).expect("it is UTF-8")));
            }
        }
    }
    found
}

/// The files below a folder that use something, unless they are among those that may.
fn users(folder: &str, name: &str, allowed: &[&str]) -> Vec<String> {
    let uses =
        |text: &str| text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(name));
    let all = sources(folder).into_iter();
    let users = all.filter(|(file, text)| uses(text) && !allowed.iter().any(|it| file.ends_with(it)));
    users.map(|(file, _)| file).collect()
}

#[test]
fn libraries_are_named_where_they_belong() {
    let none: [String; 0] = [];
    assert_eq!(users("crates", "miette", &["output/full.rs"]), none);
    assert_eq!(users("crates/tollproof-core/src", "jsonschema", &["provider/schema/tests.rs"]), none);
    let project = users(
        "crates/tollproof-project/src",
        "jsonschema",
        &["src/config/tests.rs", "src/tests.rs", "baseline/tests.rs"],
    );
    assert!(project.iter().all(|file| file.contains("/house_schema/")), "{project:?}");
    let sqlite = users("crates/tollproof-history/src", "rusqlite", &[]);
    assert!(sqlite.iter().all(|file| file.contains("/sqlite/")), "{sqlite:?}");
    let server = users("crates/tollproof-history/src", "rustls", &[]);
    assert!(server.iter().all(|file| file.contains("/postgres/")), "{server:?}");
    let yaml = users("crates/tollproof-core/src", "granit", &[]);
    assert!(yaml.iter().all(|file| file.contains("/syntax/yaml/")), "{yaml:?}");
}

#[test]
fn a_text_is_read_once() {
    let none: [String; 0] = [];
    // A command may write a text in YAML, which is a part of it.
    let readers =
        ["syntax/parsed.rs", "syntax/ndjson.rs", "syntax/program/here.rs", "syntax/yaml/tests/mod.rs"];
    for name in ["json::read", "yaml::read(", "super::read("] {
        assert_eq!(
            users("crates/tollproof-core/src", name, &readers),
            none,
            "{name} is for `Parsed::of` alone"
        );
    }
    let guess = ["syntax/mod.rs", "syntax/parsed.rs", "examples/mod.rs"];
    assert_eq!(users("crates", "Format::of_text(", &guess), none, "the format is decided by `Parsed::of`");
}

#[test]
fn one_file_writes_to_standard_error() {
    let files = ["output/stderr.rs"];
    for name in ["io::stderr", "eprint", "Term::stderr", "io::Stderr"] {
        let users = users("crates/cli", name, &files);
        assert!(
            users.is_empty(),
            "{users:?} use {name}; texts go there by `output::stderr` alone, which filters them"
        );
    }
    // What git writes there is read.
    for library in
        ["crates/tollproof-core/src", "crates/tollproof-history/src", "crates/tollproof-project/src"]
    {
        let users = users(library, "stderr", &["redact/mod.rs", "src/git.rs"]);
        assert!(users.is_empty(), "{library} writes to no stream");
    }
    // The stream itself is for reports, which are filtered each in its own way.
    let streams = users(
        "crates/cli",
        "for_reports()",
        &["output/stderr.rs", "cli/fix.rs", "commands/gate.rs", "online/findings.rs"],
    );
    assert!(streams.is_empty(), "{streams:?}");
}

#[test]
fn the_project_prints_nothing_and_reads_no_arguments() {
    let project = "crates/tollproof-project/src";
    for name in ["println!", "stdout()", "stdin()", "stderr()", "clap", "env::args", "Failure"] {
        assert_eq!(users(project, name, &[]), Vec::<String>::new(), "{name}");
    }
    for name in ["Rc<", "RefCell", "OnceCell"] {
        assert_eq!(users(project, name, &[]), Vec::<String>::new(), "{name} is not Sync");
    }
}

/// Front ends use what goes online and the project, what goes online uses the project, the project the history, the
/// history the core, the core its data; nothing looks back.
#[test]
fn crates_depend_in_one_direction() {
    let order =
        ["tollproof-data", "tollproof-core", "tollproof-history", "tollproof-project", "tollproof-online"];
    // It can be built beside all of them.
    let browser = fs::read_to_string("crates/tollproof-browser/Cargo.toml").expect("the crate is there");
    assert!(!browser.contains("path = "), "tollproof-browser depends on another crate of ours");
    for (at, name) in order.iter().enumerate() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name).join("Cargo.toml");
        let manifest = fs::read_to_string(path).expect("the crate is there");
        for later in &order[at + 1..] {
            assert!(!manifest.contains(&format!("{later} =")), "{name} depends on {later}");
        }
    }
}

#[test]
fn no_source_is_compiled_twice() {
    let users = users("crates", "#[path", &[]);
    assert!(users.iter().all(|file| file.contains("/benches/")), "{users:?}");
}

#[test]
fn printers_decide_no_exit_status() {
    let printers = users("crates/cli/output", "Exit", &["output/tests.rs"]);
    assert!(printers.is_empty(), "{printers:?}");
}

#[test]
fn built_in_rules_compile_no_regular_expression() {
    for (id, text) in tollproof_core::builtin_rules() {
        assert!(!text.contains("matches:"), "{id}");
    }
}

/// The part of a file before its tests, without comments and without commands that help texts show.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let is_shown = |line: &&str| !line.starts_with("//") && !line.starts_with("tollproof ");
    code.lines().map(str::trim_start).filter(is_shown)
}

#[test]
fn fields_and_kinds_are_named_in_one_room() {
    let roles = include_str!("../../schemas/roles.yaml").lines().filter_map(|line| line.strip_prefix("  - "));
    // Words that are also words of the language, or of the library, are not looked for.
    let mut names: Vec<&str> = roles.filter(|name| name.contains(char::is_uppercase)).collect();
    assert!(names.len() > 25, "{names:?}");
    names.extend(tollproof_core::Kind::all().map(tollproof_core::Kind::name));
    names.extend(["verificationRequestData", "StatusCode", "DeclineReasonDescription", "ResubmitAllowed"]);
    // The first is for tests alone.
    let allowed = ["cli/output/withheld.rs", "/tests.rs", "/tests/", "/benches/", "/fuzz/"];
    let sources = sources("crates").into_iter();
    // The sandbox is the other side of the APIs.
    let rooms = [
        "crates/tollproof-core/src/provider/",
        "crates/tollproof-data/src/provider/",
        "crates/tollproof-sandbox/src/assumptions.rs",
        "crates/tollproof-sandbox/src/providers/",
    ];
    let sources = sources.filter(|(file, _)| !rooms.iter().any(|room| file.starts_with(room)));
    for (file, text) in sources.filter(|(file, _)| !allowed.iter().any(|it| file.contains(it))) {
        for line in code(&text) {
            let named = names.iter().find(|name| line.contains(**name));
            assert_eq!(named, None, "{file} names a field or a kind: {line}");
        }
    }
}

#[test]
fn files_say_what_they_are_and_stay_short() {
    for (file, text) in ["crates", "tests"].into_iter().flat_map(sources) {
        assert!(text.starts_with("//! "), "{file} does not begin with what it is");
        assert!(text.lines().count() <= MAX_LINES, "{file} is longer than {MAX_LINES} lines");
    }
}

#[test]
fn the_code_map_is_complete() {
    let map = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/README.md"))
        .expect("it is there");
    for (file, _) in sources("crates").into_iter().filter(|(file, _)| !file.ends_with("/tests.rs")) {
        let below = file.splitn(3, '/').nth(2).expect("it is in a crate");
        let below = below.strip_prefix("src/").unwrap_or(below);
        // A room is a folder or a file at the top of a crate.
        let room = below.split_once('/').map_or(below.to_owned(), |(folder, _)| format!("{folder}/"));
        assert!(map.contains(&format!("{room}`")), "crates/README.md does not name `{room}` of {file}");
    }
}

#[test]
fn rooms_of_texts_import_only_rooms_above() {
    for (krate, rooms) in [
        ("tollproof-data", ["words", "table", "terms", "phrases"]),
        ("tollproof-core", ["words", "phrases", "terms", "asked"]),
    ] {
        for (file, text) in sources(&format!("crates/{krate}/src/text")) {
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            let room = rooms.iter().position(|room| file.contains(&format!("/text/{room}/")));
            for later in room.map_or(&rooms[..0], |room| &rooms[room + 1..]) {
                assert!(!product.contains(&format!("crate::text::{later}::")), "{file} imports {later}");
            }
        }
    }
}

#[test]
fn the_tests_of_security_promises_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join(".github/SECURITY.md")).expect("there is one");
    let names = page.split('`').skip(1).step_by(2).filter(|it| it.contains(".rs"));
    let mut held = 0;
    for name in names {
        let (file, test) = name.split_once("::").map_or((name, None), |(file, test)| (file, Some(test)));
        let path = [root.join("tests").join(file), root.join("crates").join(file)]
            .into_iter()
            .find(|it| it.exists());
        let text = fs::read_to_string(path.expect(name)).expect(name);
        assert!(test.is_none_or(|test| text.contains(&format!("fn {test}("))), "{name} is not there");
        held += 1;
    }
    assert!(held > 15, "only {held} tests are named");
}
