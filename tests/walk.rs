//! Pages with a walk: what a newcomer types in front of a sandbox, and what it prints.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use crate::support::Folder;

/// A running sandbox, which ends with the test.
pub(crate) struct RunningSandbox(pub(crate) Child);

impl Drop for RunningSandbox {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a sandbox on a free port, and returns its address too.
pub(crate) fn start(folder: &Folder, args: &[&str]) -> (RunningSandbox, String) {
    let mut command = folder.command(&[&["sandbox", "--listen", "127.0.0.1:0"], args].concat());
    let mut child = command.stdout(Stdio::piped()).spawn().expect("tollproof starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("it was piped");
    BufReader::new(out).read_line(&mut line).expect("it says where it is");
    let running = RunningSandbox(child);
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(". ").next());
    (running, address.unwrap_or_else(|| panic!("no address: {line}")).to_owned())
}

/// Types the walk of a page in front of a sandbox with these options, and compares what a terminal shows. Times and the
/// address of the sandbox differ in each run. `UPDATE=1` writes what was printed into the page.
#[cfg(unix)]
pub(crate) fn type_walk(page: &str, options: &[&str]) {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    let name = Path::new(page).file_stem().expect("a page is a file").to_string_lossy();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = fs::read_to_string(&path).expect("the page is there").replace("\r\n", "\n");
    let folder = Folder::new(&format!("walk-{name}"));
    let (_running, address) = start(&folder, options);
    let blocks = blocks(&text);
    let script: String = blocks
        .iter()
        .map(|(typed, _)| format!("{}printf '\\0'\n", typed.replace(SHOWN_ADDRESS, &address)))
        .collect();
    let programs = Path::new(env!("CARGO_BIN_EXE_tollproof")).parent().expect("it is in a folder");
    let search = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", &format!("exec 2>&1\n{script}")]).current_dir(&folder.0);
    shell.env("PATH", search).env("NO_COLOR", "1").env("HOME", &folder.0);
    for name in ["TOLLPROOF_SANDBOX", "TOLLPROOF_SANDBOX_KEY", "TOLLPROOF_SETTINGS", "XDG_CONFIG_HOME"] {
        shell.env_remove(name);
    }
    let output = shell.output().expect("there is a shell");
    let printed = String::from_utf8(output.stdout).expect("it is UTF-8").replace(&address, SHOWN_ADDRESS);
    assert!(output.status.success(), "{printed}");
    let printed: Vec<&str> = printed.split('\0').collect();
    assert_eq!(printed.len(), blocks.len() + 1, "{printed:?}");
    for ((typed, expected), printed) in blocks.iter().zip(printed) {
        if same_time(printed) == same_time(expected) {
            continue;
        }
        assert!(std::env::var_os("UPDATE").is_some(), "{typed}\nprints\n{printed}\ninstead of\n{expected}");
        let block = |output: &str| format!("```sh\n{typed}```\n\n```text\n{output}```");
        // Other parts of the page may have been renewed meanwhile.
        let text = fs::read_to_string(&path).expect("the page is there");
        fs::write(&path, text.replace(&block(expected), &block(printed)))
            .expect("the repository can be written");
    }
}

/// The address of the sandbox in pages.
#[cfg(unix)]
const SHOWN_ADDRESS: &str = "127.0.0.1:8833";

/// The blocks of the walk in a page: what to type, and what it prints.
#[cfg(unix)]
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let (_, rest) = page.split_once("<!-- walk -->").expect("it begins");
    let (walk, _) = rest.split_once("<!-- /walk -->").expect("it ends");
    let blocks: Vec<&str> = walk.split("```").skip(1).step_by(2).collect();
    let pairs = blocks.chunks(2).map(|pair| {
        let [typed, printed] = pair else { panic!("each command is followed by its output") };
        let typed = typed.strip_prefix("sh\n").expect("it is a command");
        (typed, printed.strip_prefix("text\n").expect("it is output"))
    });
    pairs.collect()
}

/// A text in which all times, such as `2026-12-05T07:50:59Z`, are the same.
#[cfg(unix)]
fn same_time(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace).map(|word| {
        let bare = word.trim_end();
        if bare.parse::<jiff::Timestamp>().is_ok() { word.replace(bare, "TIME") } else { word.to_owned() }
    });
    words.collect()
}
