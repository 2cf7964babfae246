//! The switches that Chromium is started with.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;

/// All switches of a run.
pub(super) fn flags(profile: &Path, proxy: SocketAddr, without_sandbox: bool) -> Vec<OsString> {
    let fixed = include_str!("flags.txt").lines().filter(|line| line.starts_with("--"));
    let mut flags: Vec<OsString> = fixed.map(OsString::from).collect();
    flags.push(format!("--proxy-server=http://{proxy}").into());
    let mut folder = OsString::from("--user-data-dir=");
    folder.push(profile);
    flags.push(folder);
    if without_sandbox {
        flags.push("--no-sandbox".into());
    }
    flags
}
