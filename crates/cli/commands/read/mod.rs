//! `tollproof read`: asks a reader what the texts of drafts mean, and stores the answers.

mod asking;
mod local;
mod stores;
mod transfer;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use jiff::Timestamp;
use tollproof_core::ReadRequest;
use tollproof_online::{
    LocalModel, Reader, ReaderChoice, ReaderError, ReaderKind, ReaderSettings, UserSettings,
};
use tollproof_project::{FindOptions, InputFile, STDIN, Session, SessionOptions};

pub(super) use self::asking::{AnswerSink, AnsweredBy, prompt};
use self::asking::{ask, cost};
pub(super) use self::local::{described, models, options};
use self::stores::{ReadingStores, StoreSink};
use super::draft_texts::DraftTexts;
use super::online::Interrupt;
use super::session;
use crate::args::ReadArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::input::await_drafts;
use crate::output::read::JsonRead;
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line};

/// The number of drafts that are asked about at once, unless the command line says it.
const JOBS: usize = 4;

pub(super) fn run(args: &ReadArgs, out: &mut dyn Write) -> Result<Exit> {
    let is_stdin = |path: &PathBuf| path.as_os_str() == STDIN;
    if args.import.as_ref().is_some_and(is_stdin) && args.paths.iter().any(is_stdin) {
        return Err(Failure::new("drafts and answers cannot both come from standard input"));
    }
    await_drafts(&args.paths)?;
    let session = session::open_with(SessionOptions {
        linter: args.rules.options(),
        kind: args.kind.choice(),
        readings: args.readings.clone(),
        facts: args.facts.clone(),
        now: Some(Timestamp::now()),
        ..SessionOptions::default()
    })?;
    let found = session.find(FindOptions { paths: args.paths.clone(), ..FindOptions::default() })?;
    for error in &found.checked.errors {
        say!("error: {error}");
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
        is_incomplete |= !transfer::import(&mut stores, file, Look::of_file().translation())?;
        stores.write()?;
        return print(args, &session_state(&mut texts, drafts)?, is_incomplete, out);
    }
    let mut requests = stores.requests_to_ask();
    let open = requests.len();
    requests.truncate(args.max_drafts.map_or(usize::MAX, |it| it as usize));
    if let Some(file) = &args.export {
        if file.as_os_str() != STDIN {
            session.output_guard(&found.checked.files)?.check([file.as_path()])?;
        }
        let requests: Vec<ReadRequest> = requests.into_iter().map(|(_, it)| it).collect();
        transfer::export(&requests, file, args.force, Look::of_file().translation(), out)?;
        return Ok(if is_incomplete { Exit::Unable } else { Exit::Clean });
    }
    if requests.is_empty() && !args.dry_run {
        return print(args, &session_state(&mut texts, drafts)?, is_incomplete, out);
    }
    if args.dry_run && !NamedReader::is_named(&args.reader())? {
        return Err(Failure::new(
            "--dry-run shows what the named reader gets: name one, such as `--reader openai --url URL --model NAME`. \
             `--export` writes the texts and questions without one",
        ));
    }
    let named = NamedReader::find(&args.reader())?;
    let reader = &named.reader;
    let asked: Vec<&ReadRequest> = requests.iter().map(|(_, it)| it).collect();
    let (sent, answered) = cost(&asked);
    if args.dry_run {
        for request in &asked {
            writeln!(out, "{}\n", reader.shown(&prompt(request, None))).map_err(Failure::stdout)?;
        }
        let about = count(asked.len(), "request");
        say!("{about} to {}, about {sent} tokens to send and {answered} to answer.", one_line(reader.name()));
        return Ok(if is_incomplete { Exit::Unable } else { Exit::Clean });
    }
    let interrupt = Interrupt::without_waiting()?;
    is_incomplete |= !named.ask_all(&requests, open, &mut stores, args.jobs.into(), &interrupt)?;
    let printed = print(args, &session_state(&mut texts, drafts)?, is_incomplete, out)?;
    Ok(if interrupt.is_set() { Exit::Interrupted } else { printed })
}

/// Asks the named reader what has no answer about the drafts in files. The answers that came until `interrupt` are stored.
pub(super) fn ask_open(session: &Session, files: &[InputFile], interrupt: &Interrupt) -> Result<()> {
    if files.iter().any(|file| file.path.is_none()) {
        return Err(Failure::new("--read reads files; save the draft, or use `tollproof read -` first"));
    }
    let (mut texts, mut stores) = (DraftTexts::new(session, files), ReadingStores::default());
    stores.collect(&mut texts, false)?;
    let requests = stores.requests_to_ask();
    if requests.is_empty() {
        return Ok(());
    }
    let named = NamedReader::find(&ReaderChoice::default())?;
    named.ask_all(&requests, requests.len(), &mut stores, JOBS, interrupt).map(drop)
}

/// The reader that is asked, and how it was named.
pub(super) struct NamedReader {
    reader: Reader,
    kind: ReaderKind,
    settings: UserSettings,
    /// The model that the user chose, because nothing named a reader.
    chosen: Option<LocalModel>,
}

impl NamedReader {
    /// Whether the command line, the environment or the user's settings name a reader.
    fn is_named(choice: &ReaderChoice) -> Result<bool> {
        let settings = UserSettings::load().map_err(Failure::new)?;
        let environment = |name: &str| std::env::var(name).ok();
        let found = ReaderSettings::find(&settings, &environment, choice);
        Ok(!matches!(found, Err(ReaderError::NoReader)))
    }

    /// The reader that the command line, the environment or the user's settings name, or one of this machine that the user
    /// chooses.
    pub(super) fn find(choice: &ReaderChoice) -> Result<Self> {
        let settings = UserSettings::load().map_err(Failure::new)?;
        let environment = |name: &str| std::env::var(name).ok();
        let found = |choice: &ReaderChoice| ReaderSettings::find(&settings, &environment, choice);
        let (found, chosen) = match found(choice) {
            Err(ReaderError::NoReader) => {
                let model = local::choose()?;
                (found(&local::choice(&model)), Some(model))
            }
            found => (found, None),
        };
        let found = found.map_err(Failure::new)?;
        let kind = found.kind();
        let reader = Reader::new(found).map_err(Failure::new)?;
        Ok(Self { reader, kind, settings, chosen })
    }

    /// Asks about labelled drafts, after it said whom and what it takes. Returns whether all of them are answered.
    pub(super) fn measure(&self, requests: &[&ReadRequest], sink: &mut dyn AnswerSink) -> Result<bool> {
        self.announce(requests);
        let begin = Instant::now();
        let is_complete =
            ask((&self.reader, self.kind), requests, sink, JOBS, &Interrupt::without_waiting()?)?;
        say!("It took {:.0} s.", begin.elapsed().as_secs_f32());
        Ok(is_complete)
    }

    /// Says who is asked, and what it takes.
    fn announce(&self, requests: &[&ReadRequest]) {
        let (sent, answered) = cost(requests);
        say!(
            "Asking {} about {}: about {sent} tokens to send and {answered} to answer.",
            one_line(self.reader.name()),
            count(requests.len(), "draft"),
        );
    }

    /// Asks `requests` of all that are `open`, after it said whom and what it takes. Returns whether all of them are answered.
    fn ask_all(
        &self,
        requests: &[(PathBuf, ReadRequest)],
        open: usize,
        stores: &mut ReadingStores,
        jobs: usize,
        interrupt: &Interrupt,
    ) -> Result<bool> {
        let asked: Vec<&ReadRequest> = requests.iter().map(|(_, request)| request).collect();
        self.announce(&asked);
        if requests.len() < open {
            let more = count(open - requests.len(), "draft");
            say!("note: {more} more without a reading, because of --max-drafts");
        }
        let questions = asked.iter().flat_map(|request| &request.questions);
        let own: BTreeSet<String> =
            questions.filter(|question| question.own).map(|question| one_line(&question.id)).collect();
        if !own.is_empty() {
            let names = own.into_iter().collect::<Vec<_>>().join(", ");
            say!("note: rules of your own or of this project ask {names}");
        }
        let mut sink = StoreSink { stores, requests };
        let is_complete = ask((&self.reader, self.kind), &asked, &mut sink, jobs, interrupt)?;
        if let Some(model) = &self.chosen {
            local::remember(model, &self.settings)?;
        }
        Ok(is_complete)
    }
}

/// Counts drafts that have all answers now, by the stores as they are on the disk.
fn session_state(texts: &mut DraftTexts<'_>, drafts: usize) -> Result<JsonRead> {
    let mut stores = ReadingStores::default();
    stores.collect(texts, false)?;
    let open = stores.open_requests();
    let open_questions = open.iter().map(|(_, it)| it.questions.len()).sum();
    let files = stores.iter().map(|it| it.path()).filter(|it| it.exists());
    let files = files.map(|path| path.display().to_string()).collect();
    Ok(JsonRead::new(drafts, open.len(), open_questions, files))
}

fn print(args: &ReadArgs, state: &JsonRead, is_incomplete: bool, out: &mut dyn Write) -> Result<Exit> {
    print_value(args.print.output_format, Look::PLAIN, out, state, |out| state.full(out))?;
    Ok(match () {
        () if is_incomplete || state.open > 0 => Exit::Findings,
        () => Exit::Clean,
    })
}
