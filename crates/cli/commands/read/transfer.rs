//! `tollproof read --export` and `--import`: requests written to a file, as lines or in words, and answers read from one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::path::Path;

use serde_json::{Map, Value, json};
use tollproof_core::{AnswerProblem, ReadRequest, ReaderAnswers, Translation};
use tollproof_history::{name_of, reason};
use tollproof_project::{AtomicFile, STDIN};

use super::asking::AnsweredBy;
use super::stores::{OpenStore, ReadingStores};
use crate::errors::{Failure, Result, failure};
use crate::input::say_if_typed;
use crate::output::stderr::say;
use crate::terminal::{count, one_line};

/// The largest file of answers, in bytes.
const MAX_IMPORT: u64 = 256 << 20;

/// The most bytes of an export's first line, which says what a reader is to do.
const MAX_TASK: u64 = 64 << 10;

/// The most unusable lines that are named.
const NAMED: usize = 5;

const OTHER_TEXTS: &str = "no draft has these texts; were they changed since the export?";
const NO_ANSWERS: &str = "no answers were found; the line of an answer begins with the name of its question";

/// Writes requests: in words into a file of text, else one a line, after a line with what a reader is to do.
pub(super) fn export(
    requests: &[ReadRequest],
    file: &Path,
    force: bool,
    language: &Translation,
    out: &mut dyn Write,
) -> Result<()> {
    if file.as_os_str() == STDIN {
        return write(requests, out).map_err(Failure::stdout);
    }
    let name = one_line(&name_of(file));
    let is_others = file.symlink_metadata().is_ok_and(|found| !found.is_file() || !is_export(file));
    if !force && is_others {
        return Err(failure!("`{name}` exists already and is not changed; use another name, or `--force`"));
    }
    let is_text = file.extension().is_some_and(|ending| ending == "txt" || ending == "md");
    let written = AtomicFile::create(file).and_then(|mut file| {
        if is_text {
            requests.iter().try_for_each(|request| writeln!(file, "{}", request.message(language)))
        } else {
            write(requests, &mut file)
        }?;
        file.prepare(false)?.commit()
    });
    written.map_err(|error| failure!("cannot write `{name}`: {}", reason(&error)))?;
    say!("Wrote {} to `{name}`.", count(requests.len(), "request"));
    Ok(())
}

/// Whether a file is an earlier export, which may be written again: nothing in it is the user's own.
fn is_export(file: &Path) -> bool {
    let mut first = String::new();
    let is_read = File::open(file).and_then(|file| BufReader::new(file.take(MAX_TASK)).read_line(&mut first));
    let line = is_read.ok().and_then(|_| serde_json::from_str::<Value>(&first).ok());
    line.is_some_and(|line| line["version"].is_u64() && line["task"].is_string())
}

fn write(requests: &[ReadRequest], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({ "version": ReadRequest::VERSION, "task": ReadRequest::task() }))?;
    requests.iter().try_for_each(|request| {
        serde_json::to_writer(&mut *out, request)?;
        writeln!(out)
    })
}

/// Keeps the answers in a file that can be believed. Returns whether all of it could be used.
pub(super) fn import(stores: &mut ReadingStores, file: &Path, language: &Translation) -> Result<bool> {
    let text = read(file)?;
    let (mut problems, mut more): (Vec<String>, usize) = (Vec::new(), 0);
    let mut note = |problem: String| if problems.len() < NAMED { problems.push(problem) } else { more += 1 };
    if lines(&text).any(|(_, line)| serde_json::from_str::<Map<String, Value>>(line).is_ok()) {
        for (at, line) in lines(&text) {
            if let Err(why) = import_line(stores, line) {
                note(format!("line {}: {why}", at + 1));
            }
        }
    } else {
        import_words(stores, &text, language).into_iter().for_each(note);
    }
    for problem in &problems {
        say!("warning: {problem}");
    }
    if more > 0 {
        say!("warning: {} more", count(more, "line"));
    }
    Ok(problems.is_empty())
}

/// The lines of a file of requests. An assistant may put its answers into a block of code, or into a list.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches('\u{feff}').trim_end_matches(','));
    let is_answer = |line: &str| !(line.is_empty() || line.starts_with("```") || line == "[" || line == "]");
    lines.enumerate().filter(move |(_, line)| is_answer(line))
}

/// Keeps the answers of a line.
fn import_line(stores: &mut ReadingStores, line: &str) -> Result<(), String> {
    let answers: ReaderAnswers =
        serde_json::from_str(line).map_err(|_| "this is not an object with `id` and `answers`".to_owned())?;
    let asked: BTreeSet<&str> = stores.iter().flat_map(OpenStore::requests).map(|(id, _)| id).collect();
    let only = asked.first().filter(|_| asked.len() == 1).map(|id| (*id).to_owned());
    let Some(id) = answers.id.clone().or(only) else { return Err("`id` is missing".to_owned()) };
    keep(stores, &id, &answers)
}

/// Keeps the answers that a chat or a person wrote. Returns what is wrong with them.
fn import_words(stores: &mut ReadingStores, text: &str, language: &Translation) -> Vec<String> {
    let asked: BTreeMap<&str, &ReadRequest> = stores.iter().flat_map(OpenStore::requests).collect();
    let asked: Vec<ReadRequest> = asked.into_values().cloned().collect();
    let found = ReadRequest::answers_in(&asked, text, language);
    if found.is_empty() {
        return vec![NO_ANSWERS.to_owned()];
    }
    let kept = found.iter().map(|(request, answers)| match request {
        Some(request) => keep(stores, &request.id, answers),
        None => Err(OTHER_TEXTS.to_owned()),
    });
    kept.filter_map(Result::err).collect()
}

/// Keeps answers in each store that asks for them.
fn keep(stores: &mut ReadingStores, id: &str, answers: &ReaderAnswers) -> Result<(), String> {
    let by = AnsweredBy {
        reader: answers.reader.clone().unwrap_or_else(|| "import".to_owned()),
        model: answers.model.clone(),
    };
    let asked: Vec<_> = stores
        .iter()
        .filter_map(|store| Some((store.path().to_owned(), store.request(id)?.clone())))
        .collect();
    if asked.is_empty() {
        return Err(OTHER_TEXTS.to_owned());
    }
    let mut problem = None;
    for (path, request) in &asked {
        let problems = stores.at(path).keep(request, answers, &by).into_iter();
        // What has no answer is counted at the end.
        problem = problems.into_iter().find(|(_, it)| *it != AnswerProblem::Missing).or(problem);
    }
    match problem {
        None => Ok(()),
        Some((question, problem)) => Err(format!("{}: {problem}", one_line(&question))),
    }
}

fn read(file: &Path) -> Result<String> {
    let name = one_line(&name_of(file));
    let failed = |error: &io::Error| failure!("cannot read the answers in `{name}`: {}", reason(error));
    let mut bytes = Vec::new();
    let read = if file.as_os_str() == STDIN {
        say_if_typed("answers");
        io::stdin().take(MAX_IMPORT + 1).read_to_end(&mut bytes)
    } else {
        fs::File::open(file).and_then(|file| file.take(MAX_IMPORT + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MAX_IMPORT {
        return Err(failure!("`{name}` is larger than {} MiB", MAX_IMPORT >> 20));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
