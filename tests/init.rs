//! Tests of `tollproof init`: the files that it writes are valid, and so is each example in them.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::{Folder, Ran};

const DRAFT: &str = include_str!("drafts/harbor-dental.json");

/// Whether a line is a commented example and not an explanation.
fn is_example(line: &str) -> bool {
    line.strip_prefix('#')
        .is_some_and(|rest| !rest.is_empty() && (!rest.starts_with(' ') || rest.starts_with("  ")))
}

/// The examples in the settings, by key.
fn examples(settings: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for line in settings.lines().filter(|line| is_example(line)).map(|line| &line[1..]) {
        match (line.split_once(':'), all.last_mut()) {
            (Some((key, _)), _) if !line.starts_with(' ') => all.push((key.to_owned(), format!("{line}\n"))),
            (_, Some((_, text))) => *text += &format!("{line}\n"),
            _ => panic!("{line} belongs to no key"),
        }
    }
    all
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A folder with all files that the examples name.
fn furnished(name: &str) -> Folder {
    Folder::new(name)
        .file(".git/HEAD", "")
        .file("drafts/acme.json", DRAFT)
        .file("records/none.json", "[]")
        .file("schemas/house.schema.json", "{}")
        .file("house-rules/house/old-name.yaml", include_str!("cases/own-rules.in/mine/house/old-name.yaml"))
        .file("tollproof-baseline.json", "{\"version\": 1, \"findings\": []}")
}

fn check(folder: &Folder) -> Ran {
    folder.run(&["check", "--now", "2026-11-21T08:00:00Z", "--quiet", "--select", "structure,config"])
}

#[test]
fn every_setting_is_in_it_with_an_example_that_holds() {
    let folder = furnished("init-settings");
    let ran = folder.run(&["init", "--no-hook"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "Wrote `tollproof.yaml`.\n"));
    let settings = read(&folder, "tollproof.yaml");
    let ran = check(&folder);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "as it is written: {ran:?}");

    let examples = examples(&settings);
    let schema: Value =
        serde_json::from_str(include_str!("../schemas/config.schema.json")).expect("a schema is JSON");
    let mut keys: Vec<&str> =
        schema["properties"].as_object().expect("it lists them").keys().map(String::as_str).collect();
    let mut explained: Vec<&str> = examples.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    explained.sort_unstable();
    assert_eq!(explained, keys);

    let together: String = examples.iter().map(|(_, text)| text.as_str()).collect();
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    for text in examples.iter().map(|(_, text)| text).chain([&together]) {
        let folder = furnished("init-example").file("tollproof.yaml", text);
        let ran = check(&folder);
        // An example may ignore a finding that does not exist. This is reported but is not an error.
        assert!(matches!(ran.code, Some(0 | 1)) && !ran.err.contains("error"), "{text}\n{ran:?}");
        let value: Value = serde_yaml::from_str(text).expect("it is YAML");
        assert!(validator.is_valid(&value), "{text}");
    }
}

#[test]
fn what_is_there_stays_as_it_is() {
    let folder = Folder::new("init-there").file(".git/HEAD", "").file("tollproof.yaml", "vendor: Acme\n");
    let ran = folder.run(&["init"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("`tollproof.yaml` exists already and is not changed.\n"), "{ran:?}");
    assert!(ran.err.contains("`tollproof init --hook`"), "{ran:?}");
    let ran = folder.run(&["init", "--hook"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(read(&folder, "tollproof.yaml"), "vendor: Acme\n");

    let folder = folder.file(".pre-commit-config.yaml", "repos:\n");
    let ran = folder.run(&["init", "--hook"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(read(&folder, ".pre-commit-config.yaml"), "repos:\n");
    // The printed lines are those to add.
    let added = format!("repos:\n{}", ran.out);
    let hooks: Value = serde_yaml::from_str(&added).expect("it is YAML");
    assert_eq!(hooks["repos"][0]["hooks"][0]["id"], "tollproof");
}

#[test]
fn a_folder_that_had_settings_from_above_is_told() {
    let folder = Folder::new("init-below")
        .file(".git/HEAD", "")
        .file("tollproof.yaml", "vendor: Acme\n")
        .file("a/b", "");
    let mut below = folder.command(&["init", "--hook"]);
    let ran = Ran::new(below.current_dir(folder.0.join("a")).output().expect("starts"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("its own settings: `"), "{ran:?}");
    // pre-commit reads its configuration at the top of the repository.
    assert!(folder.0.join(".pre-commit-config.yaml").exists(), "{ran:?}");
}

#[test]
fn the_hooks_run_as_they_are_written() {
    let folder = furnished("init-hook").file("package.json", "{}");
    folder.run(&["init", "--hook"]);
    let hooks: Value = serde_yaml::from_str(&read(&folder, ".pre-commit-config.yaml")).expect("it is YAML");
    let hooks = hooks["repos"][0]["hooks"].as_array().expect("it lists hooks");
    let ids: Vec<_> = hooks.iter().map(|it| it["id"].as_str()).collect();
    assert_eq!(ids, [Some("tollproof"), Some("tollproof-fix")]);
    let entry = |at: usize| hooks[at]["entry"].as_str().expect("it is a command");
    for entry in [entry(0), entry(1)] {
        let args: Vec<&str> =
            entry.strip_prefix("tollproof ").expect("it runs tollproof").split(' ').collect();
        for files in [&["package.json"][..], &["package.json", "drafts/acme.json"]] {
            let ran = folder.run(&[&args[..], files].concat());
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{entry} {files:?}: {ran:?}");
        }
    }
}

#[test]
fn what_it_writes_fits_the_schema_that_is_printed() {
    let folder = Folder::new("init-schema");
    folder.run(&["init", "--no-hook"]);
    let settings: Value = serde_yaml::from_str(&read(&folder, "tollproof.yaml")).expect("it is YAML");
    let ran = folder.run(&["schema", "config"]);
    let schema: Value = serde_json::from_str(&ran.out).expect("a schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    assert!(validator.is_valid(&settings), "{settings}");
    assert!(!validator.is_valid(&serde_json::json!({"vendors": "Acme"})));
}

#[test]
fn every_setting_is_shown() {
    let schema: Value =
        serde_json::from_str(include_str!("../schemas/config.schema.json")).expect("it is JSON");
    let known: BTreeSet<&str> =
        schema["properties"].as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    let ran = Folder::new("init-shown").run(&["config", "show", "--no-config", "--output-format", "json"]);
    let shown: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let settings = shown["settings"].as_array().expect("it is a list");
    let shown: BTreeSet<&str> = settings.iter().filter_map(|it| it["key"].as_str()).collect();
    assert_eq!(shown, known);
}

#[test]
fn a_skill_is_written_where_assistants_look() {
    let folder = Folder::new("init-skill");
    let ran = folder.run(&["init", "--skill"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for path in [".claude/skills/tollproof/SKILL.md", ".agents/skills/tollproof/SKILL.md"] {
        assert_eq!(read(&folder, path), include_str!("../docs/skill/SKILL.md"));
    }
    assert!(!folder.0.join("tollproof.yaml").exists());
    assert_eq!(folder.run(&["init", "--skill"]).code, Some(2), "what exists is not changed");
}

#[test]
fn all_hooks_take_the_same_files() {
    let patterns = |text: &str| -> BTreeSet<String> {
        let files = text.lines().filter_map(|line| line.trim().strip_prefix("files: "));
        files.map(str::to_owned).collect()
    };
    let texts = [
        include_str!("../crates/cli/commands/init-hook.yaml"),
        include_str!("../.pre-commit-hooks.yaml"),
        include_str!("../docs/pipelines.md"),
    ];
    let all: BTreeSet<String> =
        texts.iter().flat_map(|it| patterns(it)).filter(|it| it.contains("json")).collect();
    assert_eq!(all.len(), 1, "{all:?}");
}
