//! `tollproof read`: asks a reader what the texts of drafts mean, and stores the answers.

mod asking;
mod stores;
mod transfer;

use std::collections::BTreeSet;
use std::io::Write;

use jiff::Timestamp;
use tollproof_core::ReadRequest;
use tollproof_online::{Reader, ReaderKind, ReaderSettings, UserSettings};
use tollproof_project::{FindOptions, STDIN, SessionOptions};

pub(super) use self::asking::prompt;
use self::asking::{ask, cost};
use self::stores::ReadingStores;
use super::draft_texts::DraftTexts;
use super::online::Interrupt;
use super::session;
use crate::args::ReadArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::input::say_if_typed;
use crate::output::read::JsonRead;
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line};

pub(super) fn run(args: &ReadArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    if args.paths.iter().any(|it| it.as_os_str() == STDIN) {
        if args.import.as_ref().is_some_and(|it| it.as_os_str() == STDIN) {
            return Err(Failure::new("drafts and answers cannot both come from standard input"));
        }
        say_if_typed("drafts");
    }
    let session = session::open_with(SessionOptions {
        linter: args.rules.options(),
        kind: args.kind.choice(),
        readings: args.readings.clone(),
        now: Some(Timestamp::now()),
        ..SessionOptions::default()
    })?;
    let found = session.find(FindOptions { paths: args.paths.clone(), ..FindOptions::default() })?;
    for error in &found.checked.errors {
        say(&format!("error: {error}"));
    }
    let mut texts = DraftTexts::new(&session, &found.checked.files);
    let mut stores = ReadingStores::default();
    // Answers may also be about questions that were answered before.
    let drafts = stores.collect(&mut texts, args.again || args.import.is_some())?;
    let mut is_incomplete = !found.checked.errors.is_empty() || texts.is_incomplete;
    if drafts == 0 {
        return if is_incomplete {
            Ok(Exit::Unable)
        } else {
            Err(Failure::new("no draft was found; name a file or folder with drafts"))
        };
    }
    if let Some(file) = &args.import {
        is_incomplete |= !transfer::import(&mut stores, file)?;
        stores.write()?;
        return print(args, &session_state(&mut texts, drafts)?, is_incomplete, out);
    }
    let mut requests = stores.open_requests();
    let open = requests.len();
    requests.truncate(args.max_drafts.map_or(usize::MAX, |it| it as usize));
    if let Some(file) = &args.export {
        if file.as_os_str() != STDIN {
            session.output_guard(&found.checked.files)?.check([file.as_path()])?;
        }
        let requests: Vec<ReadRequest> = requests.into_iter().map(|(_, it)| it).collect();
        transfer::export(&requests, file, args.force, out)?;
        return Ok(if is_incomplete { Exit::Unable } else { Exit::Clean });
    }
    if requests.is_empty() && !args.dry_run {
        return print(args, &session_state(&mut texts, drafts)?, is_incomplete, out);
    }
    let (reader, kind) = reader(args)?;
    let asked: Vec<&ReadRequest> = requests.iter().map(|(_, it)| it).collect();
    let (sent, answered) = cost(&asked);
    if args.dry_run {
        for request in &asked {
            writeln!(out, "{}\n", reader.shown(&prompt(request, None))).map_err(Failure::stdout)?;
        }
        let about = count(asked.len(), "request");
        say(&format!(
            "{about} to {}, about {sent} tokens to send and {answered} to answer.",
            one_line(reader.name())
        ));
        return Ok(if is_incomplete { Exit::Unable } else { Exit::Clean });
    }
    say(&format!(
        "Asking {} about {}: about {sent} tokens to send and {answered} to answer.",
        one_line(reader.name()),
        count(requests.len(), "draft"),
    ));
    if requests.len() < open {
        say(&format!(
            "note: {} more without a reading, because of --max-drafts",
            count(open - requests.len(), "draft")
        ));
    }
    let own =
        requests.iter().flat_map(|(_, it)| &it.questions).filter(|it| it.own).map(|it| one_line(&it.id));
    let own: BTreeSet<String> = own.collect();
    if !own.is_empty() {
        let names = own.into_iter().collect::<Vec<_>>().join(", ");
        say(&format!("note: rules of your own or of this project ask {names}"));
    }
    let interrupt = Interrupt::on_ctrl_c()?;
    let is_complete = ask((&reader, kind), &requests, &mut stores, args.jobs.into(), &interrupt)?;
    is_incomplete |= !is_complete;
    let printed = print(args, &session_state(&mut texts, drafts)?, is_incomplete, out)?;
    Ok(if interrupt.is_set() { Exit::Interrupted } else { printed })
}

/// The reader that the user's settings, the environment or the command line name.
fn reader(args: &ReadArgs) -> Result<(Reader, ReaderKind), Failure> {
    let settings = UserSettings::load().map_err(Failure::new)?;
    let environment = |name: &str| std::env::var(name).ok();
    let settings = ReaderSettings::find(&settings, &environment, &args.reader()).map_err(Failure::new)?;
    let kind = settings.kind();
    Ok((Reader::new(settings).map_err(Failure::new)?, kind))
}

/// How many drafts have all answers now, by the stores as they are on the disk.
fn session_state(texts: &mut DraftTexts<'_>, drafts: usize) -> Result<JsonRead, Failure> {
    let mut stores = ReadingStores::default();
    stores.collect(texts, false)?;
    let open = stores.open_requests();
    let open_questions = open.iter().map(|(_, it)| it.questions.len()).sum();
    let files = stores.iter().map(|it| it.path()).filter(|it| it.exists());
    let files = files.map(|it| it.display().to_string()).collect();
    Ok(JsonRead::new(drafts, open.len(), open_questions, files))
}

fn print(
    args: &ReadArgs,
    state: &JsonRead,
    is_incomplete: bool,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    print_value(args.print.output_format, Look::PLAIN, out, state, |out| state.full(out))?;
    Ok(match () {
        () if is_incomplete || state.open > 0 => Exit::Findings,
        () => Exit::Clean,
    })
}
