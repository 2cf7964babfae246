//! Hooks, inputs and files that pages and examples name are there.

use std::path::Path;

use serde_yaml::Value;

use super::{text_of, yaml_of};
use crate::support::Folder;

/// Pages and files that show others how to use tollproof.
const SHOWN: [&str; 5] = [
    "README.md",
    "docs/pipelines.md",
    "docs/data-repository/.pre-commit-config.yaml",
    "docs/data-repository/.github/workflows/drafts.yml",
    "docs/data-repository/.gitlab-ci.yml",
];

/// The YAML in a page, or the whole file.
fn shown() -> Vec<(&'static str, Value)> {
    let mut shown = Vec::new();
    for file in SHOWN {
        let text = text_of(file);
        let parts = if file.ends_with(".md") {
            text.split("```yaml\n").skip(1).map(|part| part.split("```").next().unwrap_or(part)).collect()
        } else {
            vec![text.as_str()]
        };
        for part in parts {
            let value = serde_yaml::from_str(part).unwrap_or_else(|error| panic!("{file}: {error}\n{part}"));
            shown.push((file, value));
        }
    }
    shown
}

/// Hands every map in a tree to `see`.
fn maps(value: &Value, see: &mut dyn FnMut(&Value)) {
    match value {
        Value::Mapping(map) => {
            see(value);
            map.values().for_each(|it| maps(it, see));
        }
        Value::Sequence(list) => list.iter().for_each(|it| maps(it, see)),
        _ => {}
    }
}

#[test]
fn what_examples_name_is_there() {
    let hooks = yaml_of(".pre-commit-hooks.yaml");
    let ids: Vec<_> = hooks.as_sequence().expect("it is a list").iter().map(|hook| &hook["id"]).collect();
    let inputs = yaml_of("action.yml")["inputs"].clone();
    let template = text_of(".gitlab/tollproof.gitlab-ci.yml");
    let (mut uses, mut repos, mut includes) = (0, 0, 0);
    for (file, value) in shown() {
        maps(&value, &mut |map| {
            if map["uses"].as_str().is_some_and(|it| it.starts_with("OWNER/tollproof@")) {
                uses += 1;
                for (name, _) in map["with"].as_mapping().into_iter().flatten() {
                    assert!(inputs.get(name).is_some(), "{file}: the action has no input {name:?}");
                }
            }
            if map["repo"].as_str().is_some_and(|it| it.ends_with("OWNER/tollproof")) {
                repos += 1;
                for hook in map["hooks"].as_sequence().expect("a repository has hooks") {
                    assert!(ids.contains(&&hook["id"]), "{file}: there is no hook {:?}", hook["id"]);
                }
            }
            if map["project"].as_str().is_some_and(|it| it.ends_with("OWNER/tollproof")) {
                includes += 1;
                let path = map["file"].as_str().expect("it includes a file");
                assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path[1..]).exists(), "{file}: {path}");
            }
            for (name, _) in map["variables"].as_mapping().into_iter().flatten() {
                let name = name.as_str().expect("it is a name");
                assert!(!name.starts_with("TOLLPROOF_") || template.contains(name), "{file}: {name}");
            }
        });
    }
    assert!(uses > 1 && repos > 1 && includes > 1, "the examples are not where this test looks");
}

#[test]
fn hooks_check_and_never_fail_on_nothing() {
    let hooks = yaml_of(".pre-commit-hooks.yaml");
    let hooks = hooks.as_sequence().expect("it is a list");
    let ids: Vec<_> = hooks.iter().map(|hook| hook["id"].as_str().expect("it is a text")).collect();
    assert_eq!(ids, ["tollproof", "tollproof-fix"]);
    for hook in hooks {
        assert_eq!(hook["language"].as_str(), Some("rust"));
        let files = hook["files"].as_str().expect("it is a pattern");
        for extension in ["adoc", "dart", "env", "ipynb", "rs", "swift", "rake", "sql"] {
            assert!(files.split(['|', ')']).any(|known| known == extension), "{extension}: {files}");
        }
        assert_eq!(hook["require_serial"].as_bool(), Some(true));
        let entry: Vec<_> = hook["entry"].as_str().expect("it is a text").split(' ').collect();
        assert_eq!(entry[0], "tollproof");
        let folder = Folder::new("hook-entry")
            .file(".git/HEAD", "ref: refs/heads/main\n")
            .file("package.json", "{}")
            .file("notes.yaml", "- milk\n");
        let ran = folder.run(&[&entry[1..], &["package.json", "notes.yaml"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{entry:?}: {ran:?}");
    }
}

/// A tag can be moved to other code; a commit cannot. The tag beside it is for people.
#[test]
fn actions_are_pinned_to_commits() {
    let files = [".github/workflows/ci.yml", ".github/workflows/audit.yml", "action.yml"];
    let lines = files.iter().chain(&SHOWN).flat_map(|file| {
        text_of(file).lines().map(|line| (*file, line.trim().to_owned())).collect::<Vec<_>>()
    });
    let mut pinned = 0;
    for (file, line) in lines {
        let Some((_, action)) = line.split_once("uses: ").filter(|(_, it)| !it.starts_with("OWNER/")) else {
            continue;
        };
        let (commit, tag) =
            action.split_once('@').and_then(|(_, it)| it.split_once(" # v")).unwrap_or_default();
        let is_commit = commit.len() == 40 && commit.bytes().all(|it| it.is_ascii_hexdigit());
        assert!(is_commit && !tag.is_empty(), "{file}: {line}");
        pinned += 1;
    }
    assert!(pinned >= 5, "{pinned}");
}
