//! `tollproof sandbox`, and the walk that its page shows.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use crate::support::Folder;

/// A running sandbox, which ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a sandbox on a free port, and returns its address too.
fn start(folder: &Folder, args: &[&str]) -> (Running, String) {
    let mut command = folder.command(&[&["sandbox", "--listen", "127.0.0.1:0"], args].concat());
    let mut child = command.stdout(Stdio::piped()).spawn().expect("tollproof starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("it was piped");
    BufReader::new(out).read_line(&mut line).expect("it says where it is");
    let running = Running(child);
    let address = line.split("http://").nth(1).and_then(|it| it.split(". ").next());
    (running, address.unwrap_or_else(|| panic!("no address: {line}")).to_owned())
}

/// The blocks of the walk in the page: what to type, and what it prints.
fn walk() -> Vec<(String, String)> {
    let page = include_str!("../docs/sandbox.md").replace("\r\n", "\n");
    let (_, rest) = page.split_once("<!-- walk -->").expect("it begins");
    let (walk, _) = rest.split_once("<!-- /walk -->").expect("it ends");
    let blocks: Vec<&str> = walk.split("```").skip(1).step_by(2).collect();
    let pairs = blocks.chunks(2).map(|pair| {
        let [typed, printed] = pair else { panic!("each command is followed by its output") };
        let typed = typed.strip_prefix("sh\n").expect("it is a command");
        (typed.to_owned(), printed.strip_prefix("text\n").expect("it is output").to_owned())
    });
    pairs.collect()
}

/// A newcomer rehearses a rejection and its repair: the page, typed as it is.
#[cfg(unix)]
#[test]
fn the_walk_prints_what_the_page_shows() {
    use std::path::Path;
    use std::process::Command;

    let folder = Folder::new("sandbox-walk");
    let (_running, address) = start(&folder, &[]);
    let script: String = walk()
        .iter()
        .map(|(typed, _)| format!("{}printf '\\0'\n", typed.replace("127.0.0.1:8833", &address)))
        .collect();
    let programs = Path::new(env!("CARGO_BIN_EXE_tollproof")).parent().expect("it is in a folder");
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", &script]).current_dir(&folder.0).env("PATH", path).env("NO_COLOR", "1");
    let output = shell.output().expect("there is a shell");
    let printed = String::from_utf8(output.stdout).expect("it is UTF-8");
    let errors = String::from_utf8_lossy(&output.stderr);
    for ((typed, expected), printed) in walk().iter().zip(printed.split('\0')) {
        assert_eq!(printed, expected, "{typed}\n{errors}");
    }
    assert!(output.status.success(), "{errors}");
}

#[test]
fn the_command_line_is_checked() {
    let folder = Folder::new("sandbox-options");
    for (args, error) in [
        (&["--listen", "0.0.0.0:0"][..], "use `--expose`"),
        (&["--review", "reject 99999"], "unknown code `99999`"),
        (&["--review-after", "soon"], "use a time such as 2d or 30m"),
        (&["--provider", "acme"], "possible values"),
        (&["--bird-path", "nowhere"], "is not a path"),
        (&["--store", "no/such/folder/store.sqlite"], "cannot open the store"),
    ] {
        let ran = folder.run(&[&["sandbox"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(error), "{args:?}: {}", ran.err);
    }
    let (_running, address) = start(&folder, &[]);
    let ran = folder.run(&["sandbox", "--listen", &address]);
    assert!(ran.code == Some(2) && ran.err.starts_with("error: cannot listen on"), "{}", ran.err);
}

/// Ends with status 0, and a file that the next sandbox can use.
#[cfg(unix)]
#[test]
fn it_ends_when_it_is_asked_to() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let folder = Folder::new("sandbox-ends");
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGKILL] {
        let (mut running, _) = start(&folder, &["--store", "store.sqlite"]);
        let process = Pid::from_raw(running.0.id().try_into().expect("it fits"));
        kill(process, signal).expect("it runs");
        let status = running.0.wait().expect("it ends");
        assert_eq!(status.code(), (signal != Signal::SIGKILL).then_some(0), "{signal}");
    }
}
