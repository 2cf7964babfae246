//! Counts the instructions of checking drafts, and compares them with `budget.txt`.
//!
//! `cargo bench -p tollproof-core --bench instructions` needs valgrind, and fails where a count is more
//! than 15 % above its budget.

// A benchmark is a program, which the library is not.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod corpus;

use std::env;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use tollproof_core::{Facts, Linter};

/// The numbers in `budget.txt`.
const BUDGET: &str = include_str!("budget.txt");

/// By how many parts of a hundred a count may be above its budget.
const SLACK: u64 = 15;

/// The number of drafts each counted program makes.
const DRAFTS: usize = 220;

/// The argument of a program that only makes the drafts.
const MAKE: &str = "make";

fn main() -> ExitCode {
    let argument = env::args().nth(1);
    match argument.as_deref().map(|argument| (argument, argument.parse().ok())) {
        Some((MAKE, _)) => {
            black_box(texts());
            ExitCode::SUCCESS
        }
        Some((_, Some(drafts))) => check(drafts),
        _ => compare(),
    }
}

fn texts() -> Vec<String> {
    (0..DRAFTS).map(|index| corpus::draft(index).to_string()).collect()
}

/// Checks the first drafts, which have no findings.
fn check(drafts: usize) -> ExitCode {
    let texts = texts();
    let (linter, facts) = (Linter::builtin(), Facts::default());
    let found = texts.iter().take(drafts).flat_map(|text| linter.check_json(text, &facts).findings);
    let found: Vec<String> = found.map(|it| it.rule.to_string()).collect();
    match found.as_slice() {
        [] => ExitCode::SUCCESS,
        _ => {
            say(&format!("drafts that should have no findings have: {}", found.join(", ")));
            ExitCode::FAILURE
        }
    }
}

fn compare() -> ExitCode {
    let Some([made, none, one, few, many]) = counts([MAKE, "0", "1", "20", "220"]) else {
        return ExitCode::FAILURE;
    };
    let mut is_kept = true;
    for (name, counted) in
        [("linter", none - made), ("first-draft", one - none), ("draft", (many - few) / 200)]
    {
        let budget = BUDGET.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        let budget = budget.expect("the budget has a line for it");
        let percent = counted as f64 / budget as f64 * 100.0 - 100.0;
        say(&format!("{name:<12} {counted:>9} instructions, {percent:+.1} % of the budget of {budget}"));
        is_kept &= counted <= budget + budget * SLACK / 100;
    }
    if is_kept {
        return ExitCode::SUCCESS;
    }
    say(&format!(
        "a count is more than {SLACK} % above its budget in crates/tollproof-core/benches/budget.txt"
    ));
    ExitCode::FAILURE
}

/// The instructions of this program with each of some arguments.
fn counts<const N: usize>(arguments: [&str; N]) -> Option<[u64; N]> {
    let counted: Option<Vec<u64>> = arguments.into_iter().map(count).collect();
    counted?.try_into().ok()
}

fn count(argument: &str) -> Option<u64> {
    let this = env::current_exe().expect("it runs");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(this).arg(argument);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            say(&format!("valgrind cannot be run: {error}"));
            return None;
        }
    };
    let report = String::from_utf8_lossy(&output.stderr);
    let counted = report.split_once("Collected : ").filter(|_| output.status.success());
    let counted = counted.and_then(|(_, count)| count.split_whitespace().next()?.parse().ok());
    if counted.is_none() {
        say(&format!("valgrind counted nothing:\n{report}"));
    }
    counted
}

/// Writes a line to standard output.
fn say(line: &str) {
    writeln!(io::stdout(), "{line}").expect("standard output is read");
}
