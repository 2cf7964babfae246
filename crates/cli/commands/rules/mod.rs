//! `tollproof rules`: what is done with many rules at once.

mod eval;
mod labelled;
mod tally;
mod test;

use std::io::Write;

use tollproof_core::StrictError;

use crate::args::{Color, PrintFormat, RulesCommand};
use crate::output::{self, Format, stderr};
use crate::report::{Exit, Failure};

/// Runs the command that was asked for.
pub(super) fn run(command: &RulesCommand, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    match command {
        RulesCommand::Test(args) => test::run(args, color, out),
        RulesCommand::Eval(args) => eval::run(args, color, out),
    }
}

/// Lays out why rule files cannot be used, as `check` does.
pub(super) fn strict(format: PrintFormat, color: Color, errors: &[StrictError]) -> Failure {
    let name = match format {
        PrintFormat::Full => "full",
        PrintFormat::Json => "json",
    };
    let format = Format::named(name).expect("`check` has both formats too");
    output::strict(format, stderr::look(color), errors)
}
