//! Pages in a browser. Without one on this machine these tests are skipped, unless `TOLLPROOF_ALL_TOOLS` is set.

#![expect(clippy::print_stdout, reason = "a test says that it is skipped, and how long a page took")]

mod guard;
mod pages;
mod picture;

use std::time::Duration;

use tollproof_browser::{BrowserChoice, find_browser};
use tollproof_core::seen::{AddressUse, SeenFact};

use super::super::looker::Looker;
use super::server::{SiteAnswer, html};
use super::{TestNet, fact};

/// A net whose pages are rendered. `None` without a browser.
fn net() -> Option<TestNet> {
    if find_browser().is_none() {
        assert!(std::env::var_os("TOLLPROOF_ALL_TOOLS").is_none(), "a browser is missing");
        println!("skipped: a browser is missing");
        return None;
    }
    let mut net = TestNet::new();
    net.options.browser = BrowserChoice::Find;
    // Chromium has no sandbox for root.
    net.options.browser_without_sandbox = nix::unistd::Uid::effective().is_root();
    net.options.time = Duration::from_secs(20);
    Some(net)
}

/// A page that makes itself by this script.
fn scripted(script: &str) -> SiteAnswer {
    html(&format!(
        "<html><title>Acme</title><body><div id=root></div><script>{script}</script></body></html>"
    ))
}

/// A form for a phone number, in words enough for a page.
fn form(boxes: &str) -> String {
    format!(
        "<h1>Acme Coffee text alerts</h1><form><label>Mobile phone <input type=tel name=phone></label>{boxes}\
         <p>By signing up you agree to receive marketing text messages from Acme Coffee. Reply STOP to opt out, \
         HELP for help. Message and data rates may apply.</p><button>Join</button></form>"
    )
}

fn opt_in(looker: &Looker, address: &str) -> SeenFact {
    fact(looker, address, AddressUse::OptIn)
}
