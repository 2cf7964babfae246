//! `tollproof rules test`: tests the user's rules with their examples.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use tollproof_core::examples::{ExampleRun, ExampleVerdict, Wrong, run_examples};
use tollproof_core::{Finding, RuleFile, UserRule, decode};
use tollproof_history::name_of;
use tollproof_project::{Disk, UserRulesError, linter_with_rules, read_user_rules};

use crate::args::TestArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line};

/// Runs the examples of all rules in the folder, or of one rule.
pub(super) fn run(args: &TestArgs, out: &mut dyn Write) -> Result<Exit> {
    let files = files(&args.path)?;
    let linter = linter_with_rules(&files)?;
    let rules: Result<Vec<_>, _> = files
        .iter()
        .filter(|file| !file.is_vocabulary())
        .map(|file| Ok((file.id.as_str(), decode::<RuleFile>(&file.file, &file.text)?)))
        .collect::<Result<_, Box<_>>>();
    let rules = rules.map_err(|error| Failure::invalid(vec![*error]))?;
    let runs = run_examples(linter, rules.iter().map(|(id, rule)| (*id, rule))).map_err(Failure::new)?;
    let asking = rules.iter().filter(|(_, rule)| !rule.has_check()).count();
    if asking > 0 {
        say!("note: {} not tested, because only a reader can answer", count(asking, "rule"));
    }
    print_value(args.print.output_format, Look::PLAIN, out, &report(&runs), |out| full(&runs, out))?;
    Ok(if runs.iter().all(ExampleRun::holds) { Exit::Clean } else { Exit::Findings })
}

/// The files of a folder, or one rule. It has an id of its own, because it may be a built-in rule that is being changed.
fn files(path: &Path) -> Result<Vec<UserRule>> {
    if !path.is_file() {
        return Ok(read_user_rules(&Disk, &[path.to_owned()])?);
    }
    let read =
        fs::read_to_string(path).map_err(|error| UserRulesError::Unreadable { path: path.to_owned(), error });
    let name = path.file_stem().map(Path::new).map(name_of).unwrap_or_default();
    Ok(vec![UserRule { id: format!("tested/{name}"), file: name_of(path), text: read?, is_foreign: false }])
}

fn full(runs: &[ExampleRun<'_>], out: &mut dyn Write) -> io::Result<()> {
    for run in runs.iter().filter(|run| !run.holds()) {
        writeln!(out, "{}\n", run.rule)?;
        for verdict in &run.lacks {
            writeln!(out, "  has no {} example\n", adjective(*verdict))?;
        }
        for wrong in &run.wrong {
            example(run.rule, wrong, out)?;
        }
    }
    let sum = TestSummary::of(runs);
    write!(out, "{}, {}: ", count(sum.rules, "rule"), count(sum.examples, "example"))?;
    let lacking = match sum.lacking {
        1 => "1 rule has no passing or no failing example".to_owned(),
        lacking => format!("{lacking} rules have no passing or no failing example"),
    };
    match (sum.wrong, sum.lacking) {
        (0, 0) => writeln!(out, "all as expected"),
        (0, _) => writeln!(out, "{lacking}"),
        (wrong, 0) => writeln!(out, "{wrong} wrong"),
        (wrong, _) => writeln!(out, "{wrong} wrong, {lacking}"),
    }
}

fn example(rule: &str, wrong: &Wrong<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  should {} this {} example:\n", should(wrong.expected), adjective(wrong.expected))?;
    let text = match wrong.example {
        // A string is the content of a whole file.
        Value::String(text) => text.clone(),
        example => serde_yaml::to_string(example).map_err(io::Error::other)?,
    };
    for line in text.trim_end().lines() {
        writeln!(out, "    {}", one_line(line))?;
    }
    writeln!(out, "\n  found: {}\n", found(rule, wrong).join("\n         "))
}

fn should(verdict: ExampleVerdict) -> &'static str {
    match verdict {
        ExampleVerdict::Pass => "not report",
        ExampleVerdict::Fail => "report",
    }
}

fn adjective(verdict: ExampleVerdict) -> &'static str {
    match verdict {
        ExampleVerdict::Pass => "passing",
        ExampleVerdict::Fail => "failing",
    }
}

/// The actual findings; for a passing example only those of the rule itself.
fn found(rule: &str, wrong: &Wrong<'_>) -> Vec<String> {
    let shown = |it: &&Finding| wrong.expected == ExampleVerdict::Fail || it.rule == rule;
    let line = |it: &Finding| format!("{}[{}] {}", it.severity, it.rule, one_line(&it.message));
    let lines: Vec<_> = wrong.found.iter().filter(shown).map(line).collect();
    if lines.is_empty() { vec!["nothing".to_owned()] } else { lines }
}

/// The `--output-format json` output.
fn report(runs: &[ExampleRun<'_>]) -> Value {
    let key = |verdict: ExampleVerdict| match verdict {
        ExampleVerdict::Pass => "pass",
        ExampleVerdict::Fail => "fail",
    };
    let finding = |found: &Finding| {
        json!({
            "rule": found.rule, "severity": found.severity, "pointer": found.pointer.as_str(), "message": found.message.as_str(),
        })
    };
    let example = |outcome: &Wrong<'_>| {
        let found: Vec<Value> = outcome.found.iter().map(finding).collect();
        json!({ "expected": key(outcome.expected), "example": outcome.example, "found": found })
    };
    let rule = |run: &ExampleRun<'_>| {
        json!({
            "id": run.rule,
            "holds": run.holds(),
            "examples": run.examples,
            // `pass` or `fail`, if the rule has no such example.
            "lacks": run.lacks.iter().map(|verdict| key(*verdict)).collect::<Vec<_>>(),
            "wrong": run.wrong.iter().map(example).collect::<Vec<_>>(),
        })
    };
    json!({ "rules": runs.iter().map(rule).collect::<Vec<_>>(), "summary": TestSummary::of(runs) })
}

/// The counts in the last line.
#[derive(Debug, Serialize)]
struct TestSummary {
    rules: usize,
    examples: usize,
    /// Examples with another result than expected.
    wrong: usize,
    /// Rules without a passing or without a failing example.
    lacking: usize,
}

impl TestSummary {
    fn of(runs: &[ExampleRun<'_>]) -> Self {
        Self {
            rules: runs.len(),
            examples: runs.iter().map(|run| run.examples).sum(),
            wrong: runs.iter().map(|run| run.wrong.len()).sum(),
            lacking: runs.iter().filter(|run| !run.lacks.is_empty()).count(),
        }
    }
}
