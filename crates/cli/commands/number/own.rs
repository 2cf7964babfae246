//! `tollproof number list`: the numbers of the account.

use std::io::Write;

use super::super::online::open_called;
use super::find::print;
use crate::args::CallArgs;
use crate::counts::Exit;
use crate::errors::Result;

pub(super) fn run(args: &CallArgs, out: &mut dyn Write) -> Result<Exit> {
    let api = open_called(args)?;
    let found = api.own_numbers()?;
    print(&api, found, args.print.output_format, out)
}
