//! `tollproof rules`: tests and measures rules.

mod eval;
mod table;
mod test;

use std::io::Write;

use crate::args::{Color, RulesCommand};
use crate::counts::Exit;
use crate::errors::Result;

pub(super) fn run(command: &RulesCommand, color: Color, out: &mut dyn Write) -> Result<Exit> {
    match command {
        RulesCommand::Test(args) => test::run(args, out),
        RulesCommand::Eval(args) => eval::run(args, color, out),
    }
}
