//! Finds a browser on this machine.

use std::env;
use std::path::{Path, PathBuf};

/// The names of programs that can be driven, the most likely first.
const NAMES: [&str; 9] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "google-chrome-beta",
    "microsoft-edge",
    "microsoft-edge-stable",
    "brave-browser",
];

/// Paths on macOS, below `/` and below the home folder.
const APPLICATIONS: [&str; 4] = [
    "Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "Applications/Chromium.app/Contents/MacOS/Chromium",
    "Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
];

/// Finds Chromium or a browser built from it: in `PATH`, and where macOS has it. `None` on Windows, where none can be driven.
///
/// Browsers of Snap are left out. Their temporary files are their own, so that the profile of a run could not be removed.
pub fn find_browser() -> Option<PathBuf> {
    if cfg!(windows) {
        return None;
    }
    let folders: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    let in_path = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let roots = [Some(PathBuf::from("/")), env::var_os("HOME").map(PathBuf::from)];
    let roots: Vec<PathBuf> =
        if cfg!(target_os = "macos") { roots.into_iter().flatten().collect() } else { Vec::new() };
    let in_roots = roots.iter().flat_map(|root| APPLICATIONS.iter().map(move |name| root.join(name)));
    in_path.chain(in_roots).find(|path| path.is_absolute() && is_browser(path))
}

fn is_browser(path: &Path) -> bool {
    path.canonicalize()
        .is_ok_and(|path| path.is_file() && path.file_name().is_some_and(|name| name != "snap"))
}
