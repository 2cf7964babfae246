//! When a browser is started, and what is left of it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, Uid};

use super::super::super::browser::{BrowserChoice, BrowserProblem};
use super::super::server::TestSite;
use super::super::{TestNet, why};
use super::{net, scripted};

const WORDS: &str =
    "root.textContent = 'Some words for a page that is long enough to be one, and that is all there is.'";

/// The processes in whose command line a folder is.
fn processes(folder: &std::path::Path) -> usize {
    let folder = folder.to_string_lossy().into_owned();
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter(|it| {
        std::fs::read(it.path().join("cmdline"))
            .is_ok_and(|it| String::from_utf8_lossy(&it).contains(&folder))
    })
    .count()
}

#[test]
fn process_and_profile_are_gone_afterwards() {
    let Some(mut net) = net() else { return };
    let site = TestSite::start(&[
        ("/", scripted(WORDS)),
        ("/hangs", scripted("setTimeout(() => { for (;;); }, 10)")),
    ]);
    net.name("site.test", &site);
    net.options.time = Duration::from_secs(3);
    let looker = net.looker();
    assert_eq!(looker.renderer().running().map(|it| it.process()), None);
    assert_eq!(why(&looker, "http://site.test/"), "Seen");
    let (id, folder) = looker.renderer().running().expect("it was started").process();
    assert_eq!(why(&looker, "http://site.test/hangs"), "time-out");
    assert!(folder.is_dir());
    let group = Pid::from_raw(i32::try_from(id).expect("it is small"));
    assert!(kill(group, None).is_ok());
    let since = Instant::now();
    drop(looker);
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
    let Some(mut net) = net() else { return };
    let takes = format!(
        "{WORDS}; const all = []; setInterval(() => all.push(new Uint8Array(100 << 20).fill(7)), 20)"
    );
    let site = TestSite::start(&[("/takes", scripted(&takes)), ("/", scripted(WORDS))]);
    net.name("site.test", &site);
    let looker = net.looker();
    let since = Instant::now();
    let ended = why(&looker, "http://site.test/takes");
    assert!(since.elapsed() < Duration::from_secs(25), "{ended}: {:?}", since.elapsed());
    assert_eq!(why(&looker, "http://site.test/"), "Seen", "after {ended}");
}

#[test]
fn a_browser_that_ends_is_started_again() {
    let Some(mut net) = net() else { return };
    let site = TestSite::start(&[("/", scripted(WORDS))]);
    net.name("site.test", &site);
    let looker = net.looker();
    assert_eq!(why(&looker, "http://site.test/"), "Seen");
    let (id, folder) = looker.renderer().running().expect("it was started").process();
    killpg(Pid::from_raw(i32::try_from(id).expect("it is small")), Signal::SIGKILL).expect("it runs");
    assert_eq!(why(&looker, "http://site.test/"), "needs-browser");
    assert_eq!(why(&looker, "http://site.test/"), "Seen");
    assert!(!folder.exists());
}

/// A look at a page that needs a browser, with a choice.
fn problem(choice: BrowserChoice, without_sandbox: bool) -> Option<BrowserProblem> {
    let mut net = TestNet::new();
    let site = TestSite::start(&[("/", scripted(WORDS))]);
    net.name("site.test", &site);
    (net.options.browser, net.options.browser_without_sandbox) = (choice, without_sandbox);
    let looker = net.looker();
    assert_eq!(why(&looker, "http://site.test/"), "needs-browser");
    assert_eq!(site.requests().len(), 1);
    looker.renderer().problem()
}

#[test]
fn what_is_not_a_browser_is_said() {
    let is_root = Uid::effective().is_root();
    for path in ["/bin/true", "/bin/cat", "/missing", "/etc/passwd"] {
        let path = PathBuf::from(path);
        let expected = BrowserProblem::NotStarted { path: path.clone() };
        assert_eq!(problem(BrowserChoice::Path(path), is_root), Some(expected));
    }
}

#[test]
fn root_gets_no_browser_without_its_word() {
    if Uid::effective().is_root() {
        assert_eq!(problem(BrowserChoice::Path("/bin/true".into()), false), Some(BrowserProblem::IsRoot));
    } else {
        println!("skipped: not root");
    }
}
