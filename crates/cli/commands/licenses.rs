//! `tollproof licenses`: prints the licenses of the dependencies.

use std::io::Write;

use crate::counts::Exit;
use crate::errors::{Failure, Result};

/// Generated from the dependencies by `UPDATE=1 cargo test`.
const PAGE: &str = include_str!("../../../docs/third-parties.md");

pub(super) fn run(out: &mut dyn Write) -> Result<Exit> {
    out.write_all(PAGE.as_bytes()).map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}
