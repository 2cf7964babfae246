//! `tollproof number`: what numbers are; with a provider, finds, buys and lists them.

#[cfg(feature = "online")]
mod buy;
#[cfg(feature = "online")]
mod find;
mod kinds;
#[cfg(feature = "online")]
mod own;

use std::io::Write;

use crate::args::NumberArgs;
#[cfg(feature = "online")]
use crate::args::NumberStep;
use crate::counts::Exit;
use crate::errors::Result;

pub(super) fn run(args: &NumberArgs, out: &mut dyn Write) -> Result<Exit> {
    #[cfg(feature = "online")]
    match &args.step {
        Some(NumberStep::Find(args)) => return find::run(args, out),
        Some(NumberStep::Buy(args)) => return buy::run(args, out),
        Some(NumberStep::List(args)) => return own::run(args, out),
        None => {}
    }
    kinds::run(args, out)
}
