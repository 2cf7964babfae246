//! `tollproof rules`: what is done with many rules at once.

mod dataset;
mod eval;
mod metrics;
mod test;

use std::io::Write;

use crate::args::{Color, RulesCommand};
use crate::counts::Exit;
use crate::errors::Failure;

/// Runs the command that was asked for.
pub(super) fn run(command: &RulesCommand, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    match command {
        RulesCommand::Test(args) => test::run(args, out),
        RulesCommand::Eval(args) => eval::run(args, color, out),
    }
}
