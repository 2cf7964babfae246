//! Measures what many drafts cost, in ratios to a program that only validates their structure.
//!
//! `cargo bench --bench throughput` prints a table; `docs/speed.md` says what it compares.

#[path = "../../tollproof-core/benches/corpus.rs"]
mod corpus;
mod peer;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use serde_json::Value;

/// The runs of each program; the median counts.
const RUNS: usize = 5;

const TOLLPROOF: &str = env!("CARGO_BIN_EXE_tollproof");

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).filter(|it| it != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["peer", patterns, paths @ ..] => peer::run(*patterns == "patterns", paths),
        ["measure", program, arguments @ ..] => measure(program, arguments),
        [] => table(),
        _ => {
            say("usage: cargo bench --bench throughput");
            ExitCode::from(2)
        }
    }
}

/// The cost of a run of a program.
#[derive(Clone, Copy, Debug)]
struct Cost {
    cpu_us: u64,
    wall_us: u64,
    peak_kib: u64,
}

impl Cost {
    /// Runs a program, in a process that waits for no other one: peaks of memory are told only for all together.
    fn of(program: &str, arguments: &[String]) -> Self {
        let this = env::current_exe().expect("it runs");
        let output =
            Command::new(this).args(["measure", program]).args(arguments).output().expect("it starts");
        let numbers = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<u64> = numbers.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [cpu_us, wall_us, peak_kib] = numbers[..] else {
            panic!("{program} failed: {}", String::from_utf8_lossy(&output.stderr))
        };
        Self { cpu_us, wall_us, peak_kib }
    }
}

/// Runs a program and prints what it cost: CPU time and wall time in microseconds, peak of memory in KiB.
#[cfg(unix)]
fn measure(program: &str, arguments: &[&str]) -> ExitCode {
    use nix::sys::resource::{UsageWho, getrusage};
    let start = std::time::Instant::now();
    let status = Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).status();
    let wall = start.elapsed().as_micros();
    // Findings end with 1.
    if !status.is_ok_and(|status| matches!(status.code(), Some(0 | 1))) {
        return ExitCode::FAILURE;
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("a child was waited for");
    let us = |time: nix::sys::time::TimeVal| time.tv_sec() * 1_000_000 + time.tv_usec();
    say(&format!("{} {wall} {}", us(usage.user_time()) + us(usage.system_time()), usage.max_rss()));
    ExitCode::SUCCESS
}

#[cfg(not(unix))]
fn measure(_: &str, _: &[&str]) -> ExitCode {
    say("CPU time is measured on Unix only");
    ExitCode::FAILURE
}

/// The medians of the costs of two programs, which run in turn.
fn medians(commands: [(&str, Vec<String>); 2]) -> [Cost; 2] {
    let mut costs = [const { Vec::new() }; 2];
    for _ in 0..RUNS {
        for ((program, arguments), costs) in commands.iter().zip(&mut costs) {
            costs.push(Cost::of(program, arguments));
        }
    }
    costs.map(|mut costs: Vec<Cost>| {
        costs.sort_by_key(|it| it.cpu_us);
        costs[RUNS / 2]
    })
}

/// Writes drafts, one in each file, and returns the folder.
fn files(name: &str, drafts: usize, write: fn(&Value) -> String) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).expect("the target folder can be written");
    let ending = name.rsplit('-').next().unwrap_or(name);
    for index in 0..drafts {
        let path = folder.join(format!("{index:06}.{ending}"));
        fs::write(path, write(&corpus::draft(index))).expect("the target folder can be written");
    }
    folder
}

/// Writes drafts as the lines of a file, `faulty` of a hundred with faults.
fn lines(name: &str, drafts: usize, faulty: usize) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.ndjson"));
    let draft =
        |index| if index * 7 % 100 < faulty { corpus::faulty_draft(index) } else { corpus::draft(index) };
    let lines: String = (0..drafts).map(|index| draft(index).to_string() + "\n").collect();
    fs::write(&path, lines).expect("the target folder can be written");
    path
}

fn check(path: &Path, options: &[&str]) -> (&'static str, Vec<String>) {
    let fixed = ["check", "--no-config"].into_iter().chain(options.iter().copied());
    (TOLLPROOF, fixed.map(str::to_owned).chain([path.display().to_string()]).collect())
}

/// The program that validates the structure, alone or with a hundred patterns.
fn peer<'p>(this: &'p str, patterns: &str, path: &Path) -> (&'p str, Vec<String>) {
    (this, vec!["peer".to_owned(), patterns.to_owned(), path.display().to_string()])
}

fn table() -> ExitCode {
    let this = env::current_exe().expect("it runs").display().to_string();
    let json = files("throughput-json", 10_000, |draft| format!("{draft:#}"));
    let yaml =
        files("throughput-yaml", 1_000, |draft| serde_yaml::to_string(draft).expect("a value is YAML"));
    let (clean, faulty) = (lines("throughput-clean", 10_000, 0), lines("throughput-faulty", 10_000, 10));
    let large = lines("throughput-large", 100_000, 0);
    let one_job = ["--jobs", "1"];
    let ratio = |[one, other]: [Cost; 2]| one.cpu_us as f64 / other.cpu_us as f64;
    say("| CPU time | ratio |\n|---|---|");
    for (what, patterns, folder) in [
        ("1,000 YAML files, structure alone / tollproof", "structure", &yaml),
        ("10,000 JSON files, structure alone / tollproof", "structure", &json),
        ("10,000 JSON files, structure and 100 patterns / tollproof", "patterns", &json),
    ] {
        let costs = medians([peer(&this, patterns, folder), check(folder, &one_job)]);
        say(&format!("| {what} | {:.2} |", ratio(costs)));
    }
    for format in ["concise", "json"] {
        let options = ["--jobs", "1", "--output-format", format];
        let costs = medians([check(&faulty, &options), check(&clean, &options)]);
        say(&format!("| NDJSON, one of ten rows faulty / none, `{format}` | {:.2} |", ratio(costs)));
    }
    let [one, two] = medians([check(&clean, &one_job), check(&clean, &["--jobs", "2"])]);
    say(&format!(
        "| NDJSON, wall time with one job / with two | {:.2} |",
        one.wall_us as f64 / two.wall_us as f64
    ));
    let (program, arguments) = check(&large, &one_job);
    let cost = Cost::of(program, &arguments);
    let size = fs::metadata(&large).map_or(0, |it| it.len());
    say(&format!(
        "\nPeak of memory for {} MB of NDJSON: {} MB.",
        size / 1_000_000,
        cost.peak_kib * 1024 / 1_000_000
    ));
    ExitCode::SUCCESS
}

/// Writes a line to standard output.
fn say(line: &str) {
    writeln!(io::stdout(), "{line}").expect("standard output is read");
}
