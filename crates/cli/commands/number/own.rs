//! `tollproof number list`: the numbers of the account.

use std::io::Write;

use super::super::online::{open_api, provider_here};
use super::find::print;
use crate::args::OwnNumbersArgs;
use crate::counts::Exit;
use crate::errors::Failure;

pub(super) fn run(args: &OwnNumbersArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let api = open_api(provider_here(args.provider.provider)?, &args.online)?;
    let found = api.own_numbers()?;
    print(&api, found, args.print.output_format, out)
}
