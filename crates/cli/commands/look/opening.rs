//! Opens what looks at addresses.

use std::sync::Arc;

use tollproof_online::{BrowserChoice, LookOptions, Looker, NetworkScope, SystemNames, find_tesseract};

use crate::args::LookArgs;
use crate::errors::{Result, failure};

/// Opens a looker as the arguments say.
pub(super) fn open(args: &LookArgs) -> Result<Looker> {
    let browser = match &args.browser {
        _ if args.no_browser => BrowserChoice::None,
        Some(path) => BrowserChoice::Path(path.clone()),
        None => BrowserChoice::Find,
    };
    let options = LookOptions {
        reach: if args.allow_private { NetworkScope::Private } else { NetworkScope::Public },
        jobs: args.jobs.into(),
        browser,
        browser_without_sandbox: args.no_sandbox,
        tesseract: args.tesseract.clone().or_else(|| find_tesseract().filter(|_| !args.no_tesseract)),
        ..LookOptions::default()
    };
    let names =
        SystemNames::new().map_err(|why| failure!("cannot use the name servers of this system: {why}"))?;
    Ok(Looker::new(&options, Arc::new(names)))
}
