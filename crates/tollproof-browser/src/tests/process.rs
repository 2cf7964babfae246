//! The start and the end of a browser process.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, Uid};

use super::{LocalSite, render, renderer};
use crate::{BrowserChoice, BrowserProblem, RenderError};

const PAGES: &[(&str, &str)] = &[
    ("/", "<body>A page"),
    ("/hangs", "<body><script>setTimeout(() => { for (;;); }, 10)</script>"),
    (
        "/takes",
        "<body><script>const all = []; setInterval(() => all.push(new Uint8Array(100 << 20).fill(7)), 20)</script>",
    ),
];

/// The processes in whose command line a folder is.
fn processes(folder: &Path) -> usize {
    let folder = folder.to_string_lossy().into_owned();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = all.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(&folder)).count()
}

#[test]
fn process_and_profile_are_gone_afterwards() {
    let site = LocalSite::start(PAGES);
    let Some(renderer) = renderer(&site, Duration::from_secs(3)) else { return };
    assert!(renderer.running().is_none());
    assert!(render(&renderer, "/").expect("it opens").html.contains("A page"));
    let (id, folder) = renderer.running().expect("it was started").process();
    assert_eq!(render(&renderer, "/hangs").map(|page| page.html), Err(RenderError::TimedOut));
    assert!(folder.is_dir());
    let group = Pid::from_raw(i32::try_from(id).expect("it is small"));
    assert!(kill(group, None).is_ok());
    let since = Instant::now();
    drop(renderer);
    assert!(since.elapsed() < Duration::from_secs(4), "{:?}", since.elapsed());
    assert!(!folder.exists(), "{}", folder.display());
    assert!(kill(group, None).is_err());
    // They are killed, and need a moment to end.
    while processes(&folder) > 0 {
        assert!(since.elapsed() < Duration::from_secs(4));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_cannot_take_all_memory() {
    let site = LocalSite::start(PAGES);
    let Some(renderer) = renderer(&site, Duration::from_secs(20)) else { return };
    let since = Instant::now();
    let ended = render(&renderer, "/takes").map(|page| page.html);
    assert!(since.elapsed() < Duration::from_secs(25), "{ended:?}: {:?}", since.elapsed());
    let after = render(&renderer, "/");
    assert!(after.is_ok(), "{after:?} after {ended:?}");
}

#[test]
fn a_browser_that_ends_is_started_again() {
    let site = LocalSite::start(PAGES);
    let Some(renderer) = renderer(&site, Duration::from_secs(20)) else { return };
    assert!(render(&renderer, "/").is_ok());
    let (id, folder) = renderer.running().expect("it was started").process();
    killpg(Pid::from_raw(i32::try_from(id).expect("it is small")), Signal::SIGKILL).expect("it runs");
    assert_eq!(render(&renderer, "/").map(|page| page.html), Err(RenderError::Lost));
    assert!(render(&renderer, "/").is_ok());
    assert!(!folder.exists());
}

/// The problem of a renderer with a choice. It stays the same for the next page.
fn problem(choice: BrowserChoice, without_sandbox: bool) -> BrowserProblem {
    let site = LocalSite::start(PAGES);
    let renderer = site.renderer(choice, without_sandbox, Duration::from_secs(20));
    let Err(RenderError::NoBrowser(problem)) = render(&renderer, "/") else { panic!("it is not a browser") };
    assert_eq!(renderer.problem().as_ref(), Some(&problem));
    assert!(!site.was_asked("/"));
    problem
}

#[test]
fn what_is_not_a_browser_is_said() {
    let is_root = Uid::effective().is_root();
    for path in ["/bin/true", "/bin/cat", "/missing", "/etc/passwd"] {
        let path = PathBuf::from(path);
        let expected = BrowserProblem::NotStarted { path: path.clone() };
        assert_eq!(problem(BrowserChoice::Path(path), is_root), expected);
    }
}

#[test]
fn root_gets_no_browser_without_its_word() {
    if Uid::effective().is_root() {
        assert_eq!(problem(BrowserChoice::Path("/bin/true".into()), false), BrowserProblem::IsRoot);
    } else {
        println!("skipped: not root");
    }
}
