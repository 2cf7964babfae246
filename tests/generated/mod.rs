//! Files made from other files: `UPDATE=1 cargo test` writes them, every other run compares.

#[cfg(feature = "online")]
mod calls;
pub(crate) mod changes;
mod extending;
mod false_alarm;
mod formats;
mod look;
mod own_rules;
mod public_api;
mod public_suffixes;
mod readme;
mod rejected;
mod rules_page;
#[cfg(feature = "sandbox")]
mod sandbox;
mod schema;
mod third_parties;
mod vocabulary;
mod writing;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A file of the repository, whatever its line ends.
fn read(path: &str) -> String {
    fs::read_to_string(at(path)).unwrap_or_default().replace("\r\n", "\n")
}

/// Holds a file to its content, or with `UPDATE=1` writes it.
fn generated(path: &str, content: &str) {
    let before = read(path);
    if std::env::var_os("UPDATE").is_some() && before != content {
        fs::write(at(path), content).expect("the repository can be written");
        changes::report(path, &before, content);
    }
    assert!(
        read(path) == content,
        "{path} is stale: run `UPDATE=1 cargo test --test main generated` and look at what changes"
    );
}

/// The same for the part of a file between `<!-- name -->` and `<!-- /name -->`; the rest is written by hand.
fn generated_part(path: &str, name: &str, content: &str) {
    let text = read(path);
    let (begin, end) =
        (format!("<!-- {name} -->\n"), format!("<!-- /{} -->", name.split(':').next().unwrap_or(name)));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{path} has no line {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{path} has no {end} behind {begin}"));
    generated(path, &format!("{before}{begin}\n{}\n\n{end}{after}", content.trim()));
}

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Cargo's metadata of all packages, for all platforms.
pub(crate) fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs, since it runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// A string of what cargo knows.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Output of tollproof, from the root of the repository, for a text on standard input.
fn tollproof(args: &[&str], stdin: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tollproof"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("tollproof starts");
    let mut input = child.stdin.take().expect("it was piped");
    input.write_all(stdin.as_bytes()).expect("tollproof reads all of it");
    drop(input);
    let output = child.wait_with_output().expect("tollproof ends");
    assert_ne!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("all output is UTF-8")
}

/// Whether a line of a report begins a finding.
fn begins_finding(line: &str) -> bool {
    ["error[", "warning[", "info["].iter().any(|it| line.starts_with(it))
}

/// Whether a line of a report is its summary: `1 document checked ...`.
fn is_summary(line: &str) -> bool {
    line.split_once(" document").is_some_and(|(count, _)| count.parse::<usize>().is_ok())
}
