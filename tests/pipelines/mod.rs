//! Runners of tollproof: the GitHub action, the GitLab template, the hooks, and the example that uses them.

mod action;
mod example;
mod gitlab;
mod manifests;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_yaml::Value;

use crate::support::{Folder, Ran};

/// Values of inputs and variables that would do harm where they became part of a script.
const HOSTILE: [&str; 12] = [
    "; touch pwned",
    "$(touch pwned)",
    "`touch pwned`",
    "a b",
    "it's \"quoted\"",
    "x\nexit-status=0\nupload=true",
    "\n\n",
    "x\r\n::set-output name=exit-status::0",
    "--config=/etc/passwd",
    "-",
    "*",
    "$HOME/${IFS}&& touch pwned",
];

fn text_of(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn yaml_of(path: &str) -> Value {
    serde_yaml::from_str(&text_of(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The folder that tollproof was built in.
fn built() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_tollproof")).parent().expect("it lies in a folder").to_owned()
}

/// These folders, and those of the system's own tools.
fn path_with(folders: &[&Path]) -> String {
    let folders: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
    format!("{}:/usr/bin:/bin", folders.join(":"))
}

/// Runs a script with this environment, and nothing of that of the tests.
fn run(shell: &[&str], script: &str, folder: &Path, env: &BTreeMap<&str, String>) -> Ran {
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg(script).current_dir(folder).stdin(Stdio::null());
    command.env_clear().env("HOME", folder).env("LANG", "C.UTF-8").envs(env);
    Ran::new(command.output().expect("the shell starts"))
}

/// A cargo script that installs nothing but a script in the place of tollproof.
const INSTALL: &str = "test \"$1 $3\" = 'install --root' || exit 0\nmkdir -p \"${4:?}/bin\"\n\
                       printf '#!/bin/sh\\n' >\"${4:?}/bin/tollproof\"\nchmod +x \"${4:?}/bin/tollproof\"";

/// Puts a program below a folder that says how and where it was called, and then does what `body` says.
fn stub(folder: &Folder, name: &str, body: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.0.join("stubs").join(name);
    fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("writable");
    fs::write(&path, format!("#!/bin/sh\necho \"{name} $*\"\npwd\n{body}\n")).expect("writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
}
