//! `tollproof read --export` and `--import`: requests written to a file, and answers read from one.

use std::fs;
use std::io::{self, Read as _, Write};
use std::path::Path;

use serde_json::json;
use tollproof_core::{AnswerProblem, ReadRequest, ReaderAnswers};
use tollproof_history::{name_of, reason};
use tollproof_project::{AtomicFile, STDIN};

use super::asking::AnsweredBy;
use super::stores::ReadingStores;
use crate::errors::Failure;
use crate::input::say_if_typed;
use crate::output::stderr::say;
use crate::terminal::{count, one_line};

/// The largest file of answers, in bytes.
const MAX_IMPORT: u64 = 256 << 20;

/// How many lines that cannot be used are named.
const NAMED: usize = 5;

/// Writes requests, one a line, after a line with what a reader is to do.
pub(super) fn export(
    requests: &[ReadRequest],
    file: &Path,
    force: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if file.as_os_str() == STDIN {
        return write(requests, out).map_err(Failure::stdout);
    }
    let name = one_line(&name_of(file));
    if !force && file.symlink_metadata().is_ok() {
        return Err(Failure::new(format_args!(
            "`{name}` exists already and is not changed; use another name, or `--force`"
        )));
    }
    let written = AtomicFile::create(file).and_then(|mut file| {
        write(requests, &mut file)?;
        file.prepare(false)?.commit()
    });
    written.map_err(|error| Failure::new(format_args!("cannot write `{name}`: {}", reason(&error))))?;
    say(&format!("Wrote {} to `{name}`.", count(requests.len(), "request")));
    Ok(())
}

fn write(requests: &[ReadRequest], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({ "version": ReadRequest::VERSION, "task": ReadRequest::task() }))?;
    requests.iter().try_for_each(|request| {
        serde_json::to_writer(&mut *out, request)?;
        writeln!(out)
    })
}

/// Keeps the answers in a file that can be believed. Returns whether all lines could be used.
pub(super) fn import(stores: &mut ReadingStores, file: &Path) -> Result<bool, Failure> {
    let text = read(file)?;
    let (mut problems, mut more): (Vec<String>, usize) = (Vec::new(), 0);
    for (at, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}').trim_end_matches(',');
        // An assistant may put its answers into a block of code, or into a list.
        if line.is_empty() || line.starts_with("```") || line == "[" || line == "]" {
            continue;
        }
        match import_line(stores, line) {
            Err(why) if problems.len() < NAMED => problems.push(format!("line {}: {why}", at + 1)),
            Err(_) => more += 1,
            Ok(()) => {}
        }
    }
    for problem in &problems {
        say(&format!("warning: {problem}"));
    }
    if more > 0 {
        say(&format!("warning: {} more", count(more, "line")));
    }
    Ok(problems.is_empty())
}

/// Keeps the answers of a line in each store that asks for them.
fn import_line(stores: &mut ReadingStores, line: &str) -> Result<(), String> {
    let answers: ReaderAnswers =
        serde_json::from_str(line).map_err(|_| "this is not an object with `id` and `answers`".to_owned())?;
    let Some(id) = &answers.id else { return Err("`id` is missing".to_owned()) };
    let by = AnsweredBy {
        reader: answers.reader.clone().unwrap_or_else(|| "import".to_owned()),
        model: answers.model.clone(),
    };
    let asked: Vec<_> =
        stores.iter().filter_map(|it| Some((it.path().to_owned(), it.request(id)?.clone()))).collect();
    if asked.is_empty() {
        return Err("no draft has these texts; were they changed since the export?".to_owned());
    }
    let mut problem = None;
    for (path, request) in &asked {
        let problems = stores.at(path).keep(request, &answers, &by).into_iter();
        // What has no answer is counted at the end.
        problem = problems.into_iter().find(|(_, it)| *it != AnswerProblem::Missing).or(problem);
    }
    match problem {
        None => Ok(()),
        Some((question, problem)) => Err(format!("{}: {problem}", one_line(&question))),
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    let name = one_line(&name_of(file));
    let failed = |error: &io::Error| {
        Failure::new(format_args!("cannot read the answers in `{name}`: {}", reason(error)))
    };
    let mut bytes = Vec::new();
    let read = if file.as_os_str() == STDIN {
        say_if_typed("answers");
        io::stdin().take(MAX_IMPORT + 1).read_to_end(&mut bytes)
    } else {
        fs::File::open(file).and_then(|file| file.take(MAX_IMPORT + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MAX_IMPORT {
        return Err(Failure::new(format_args!("`{name}` is larger than {} MiB", MAX_IMPORT >> 20)));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
