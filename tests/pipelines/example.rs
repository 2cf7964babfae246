//! The example of a data repository, copied to an empty folder: its page shows what its commands print.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{built, path_with, run, text_of};
use crate::generated::changes;
use crate::support::Folder;

const EXAMPLE: &str = "docs/data-repository";
const PAGE: &str = "docs/data-repository/README.md";

/// Start of a block whose commands are run.
const BLOCK: &str = "```console\n";

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("writable");
    for entry in fs::read_dir(from).expect("the example is there") {
        let entry = entry.expect("it can be read");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("it can be copied");
        }
    }
}

/// Runs a block's commands in a folder, and gives the block with what they print.
///
/// A command is a line after `$ `, and goes on in lines after `> `. `? 1` is a status other than 0.
fn replay(block: &str, folder: &Path) -> String {
    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let own = [
        variable("PATH", &path_with(&[&built()])),
        variable("NO_COLOR", "1"),
        variable("GIT_CONFIG_GLOBAL", "/dev/null"),
        variable("GIT_CONFIG_NOSYSTEM", "1"),
        variable("GIT_AUTHOR_NAME", "Ana"),
        variable("GIT_AUTHOR_EMAIL", "ana@example.com"),
        variable("GIT_COMMITTER_NAME", "Ana"),
        variable("GIT_COMMITTER_EMAIL", "ana@example.com"),
    ];
    let env: BTreeMap<&str, String> =
        own.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let mut replayed = String::new();
    for step in format!("\n{block}").split("\n$ ").skip(1) {
        let is_more = |line: &&str| line.starts_with("> ");
        let mut lines = step.lines();
        let mut command = lines.next().unwrap_or_default().to_owned();
        replayed += &format!("$ {command}\n");
        for more in lines.take_while(is_more) {
            replayed += &format!("{more}\n");
            command += &format!("\n{}", &more[2..]);
        }
        let ran = run(&["/bin/sh", "-c"], &format!("{{ {command}\n}} 2>&1"), folder, &env);
        let code = ran.code.expect("no signal ends it");
        if code != 0 {
            replayed += &format!("? {code}\n");
        }
        replayed += &ran.out;
        if !ran.out.is_empty() && step.trim_end_matches('\n').lines().count() < step.lines().count() {
            replayed.push('\n');
        }
    }
    replayed
}

#[test]
fn the_page_shows_what_its_commands_print() {
    let folder = Folder::new("data-repository");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(EXAMPLE), &folder.0);
    let page = text_of(PAGE);
    let mut replayed = String::new();
    let mut blocks = page.split_inclusive(BLOCK);
    replayed += blocks.next().expect("the page has a beginning");
    for part in blocks {
        let (block, rest) = part.split_once("```\n").expect("a block ends");
        replayed += &replay(block, &folder.0);
        replayed += "```\n";
        replayed += rest;
    }
    assert!(!replayed.contains("\n? 2\n"), "a command of {PAGE} could not run:\n{replayed}");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE), &replayed)
            .expect("the page can be written");
        if page != replayed {
            changes::report(PAGE, &page, &replayed);
        }
        return;
    }
    assert!(page.matches(BLOCK).count() > 3, "the page has blocks to run");
    assert_eq!(replayed, page, "{PAGE} is stale: run `UPDATE=1 cargo test --workspace`");
}

#[test]
fn every_file_of_the_example_is_explained() {
    let page = text_of(PAGE);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed =
        Command::new("git").args(["ls-files", EXAMPLE]).current_dir(root).output().expect("git runs");
    let listed = String::from_utf8(listed.stdout).expect("names are UTF-8");
    for file in listed.lines().filter_map(|line| line.strip_prefix(EXAMPLE)).map(|it| &it[1..]) {
        let folder = file.split_once('/').map(|(top, _)| format!("`{top}/"));
        let named = page.contains(&format!("`{file}`")) || folder.is_some_and(|it| page.contains(&it));
        assert!(named || file == "README.md", "{PAGE} does not say what {file} is for");
    }
}
