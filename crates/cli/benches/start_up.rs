//! Measures a check of one clean draft against a program that only parses arguments and JSON.
//!
//! `cargo bench --bench start_up` prints the instructions that callgrind counts and the wall time of both.

mod yardstick;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use tollproof_core::{Kind, KindRole, clean_document};

// The yardstick includes the argument definitions of tollproof, which use these paths of the crate.
use yardstick::{output, statistics, terminal};

/// The runs of each program; the median counts.
const RUNS: usize = 400;

fn main() -> ExitCode {
    // Called with a command of tollproof, this program runs the yardstick.
    if env::args().nth(1).is_some_and(|argument| argument == "check") {
        return yardstick::main();
    }
    let draft = Path::new(env!("CARGO_TARGET_TMPDIR")).join("start_up.json");
    let text =
        serde_json::to_string_pretty(&clean_document(Kind::of(KindRole::Submit))).expect("a value is JSON");
    fs::write(&draft, &text).expect("the target folder can be written");
    let tollproof = Program { path: env!("CARGO_BIN_EXE_tollproof").into(), draft: draft.clone() };
    let yardstick = Program { path: env::current_exe().expect("it runs"), draft };
    let mut out = io::stdout().lock();
    let instructions = tollproof.instructions().zip(yardstick.instructions());
    let [ours, theirs] = medians([&tollproof, &yardstick]);
    let report = match instructions {
        Some((ours, theirs)) => {
            let ratio = ours as f64 / theirs as f64;
            format!("instructions  {ours:>9}  {theirs:>9}  {ratio:.2} x")
        }
        None => "instructions are not counted: there is no valgrind here".to_owned(),
    };
    let [ours_us, theirs_us] = [ours, theirs].map(|it| it.as_secs_f64() * 1e6);
    let ratio = ours_us / theirs_us;
    let bytes = text.len();
    writeln!(out, "one clean draft of {bytes} bytes: tollproof, yardstick, ratio").expect("somebody reads");
    writeln!(out, "{report}").expect("somebody reads");
    writeln!(out, "wall time, us {ours_us:>9.0}  {theirs_us:>9.0}  {ratio:.2} x").expect("somebody reads");
    ExitCode::SUCCESS
}

/// A program that checks the draft.
struct Program {
    path: PathBuf,
    draft: PathBuf,
}

impl Program {
    fn arguments(&self) -> [&str; 3] {
        ["check", "--no-config", self.draft.to_str().expect("the target folder has a readable name")]
    }

    /// The caller alternates between both programs, so that they run under the same system load.
    fn time(&self) -> Duration {
        let mut command = Command::new(&self.path);
        command.args(self.arguments()).stdin(Stdio::null()).stdout(Stdio::null());
        let start = Instant::now();
        let status = command.status().expect("the program starts");
        let time = start.elapsed();
        assert!(status.success(), "the draft is clean, {} says otherwise", self.path.display());
        time
    }

    /// Instructions of one run; `None` if callgrind is not installed.
    fn instructions(&self) -> Option<u64> {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(&self.path);
        let output = command.args(self.arguments()).output().ok()?;
        let report = String::from_utf8_lossy(&output.stderr);
        let (_, count) = report.split_once("Collected : ")?;
        count.split_whitespace().next()?.parse().ok()
    }
}

fn medians(programs: [&Program; 2]) -> [Duration; 2] {
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..RUNS {
        for (program, times) in programs.iter().zip(&mut times) {
            times.push(program.time());
        }
    }
    times.map(|mut times: Vec<Duration>| {
        times.sort_unstable();
        times[RUNS / 2]
    })
}
