//! The switches that Chromium is started with.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;

/// Nothing but pages: no first run, updates, accounts, telemetry, extensions, prompts and crash reports.
const QUIET: [&str; 32] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-gpu",
    "--disable-notifications",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--allow-browser-signin=false",
    "--deny-permission-prompts",
    "--hide-scrollbars",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-pings",
    "--no-service-autorun",
    "--noerrdialogs",
    "--password-store=basic",
    "--use-mock-keychain",
    // They ask for these in spite of the above. Nothing is at this address, and browsers refuse its port.
    "--component-updater=url-source=http://127.0.0.1:1/",
    "--gaia-url=http://127.0.0.1:1/",
    "--disable-features=AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,\
     DocumentReporting,FedCm,FetchLaterAPI,MediaRouter,NetworkErrorLogging,NetworkTimeServiceQuerying,OptimizationHints,\
     Reporting,Translate",
];

/// Flags that keep all traffic in the proxy.
const GUARDED: [&str; 6] = [
    // The loopback address goes through the proxy too.
    "--proxy-bypass-list=<-loopback>",
    // The browser looks up no name.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--disable-quic",
    // Calls between browsers use the proxy, or nothing.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// The width of a laptop, and high enough that what loads when it comes into view is loaded.
const SIZE: &str = "--window-size=1280,2400";

/// The memory limit for the scripts of a page, in MB.
const MEMORY: &str = "--js-flags=--max-old-space-size=512";

/// All switches of a run.
pub(super) fn flags(profile: &Path, proxy: SocketAddr, without_sandbox: bool) -> Vec<OsString> {
    let mut flags: Vec<OsString> =
        QUIET.iter().chain(&GUARDED).chain([&SIZE, &MEMORY]).map(OsString::from).collect();
    flags.push(format!("--proxy-server=http://{proxy}").into());
    let mut folder = OsString::from("--user-data-dir=");
    folder.push(profile);
    flags.push(folder);
    if without_sandbox {
        flags.push("--no-sandbox".into());
    }
    flags
}
