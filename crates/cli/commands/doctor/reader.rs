//! Whether drafts are read, and whether a reader is named. Nothing is asked, unless the command line says so.

use std::time::Instant;

use tollproof_core::{
    Facts, Kind, KindHint, KindRole, Linter, Parsed, ReadRequest, ReaderAnswers, Source, clean_document,
};
use tollproof_online::{Reader, ReaderError, ReaderSettings, UserSettings};
use tollproof_project::{FindOptions, Session, SessionOptions, StoredFacts};

use super::super::draft_texts::DraftTexts;
use super::super::read::{described, models, options, prompt};
use super::super::session::{open_with, read_stored};
use super::Checkup;
use crate::errors::{Failure, Result};
use crate::terminal::count;

/// The readings of the project, and the reader of the user.
pub(super) fn all(asks: bool) -> Vec<Checkup> {
    let readings = open_with(SessionOptions::default()).and_then(|session| readings(&session));
    let readings = readings.unwrap_or_else(|failure| Checkup::failed("readings", failure));
    vec![readings, reader(asks)]
}

/// Counts the drafts below the folder without a reading.
fn readings(session: &Session) -> Result<Checkup> {
    let found = session.find(FindOptions { paths: vec![".".into()], ..FindOptions::default() })?;
    let mut texts = DraftTexts::new(session, &found.checked.files);
    let (mut drafts, mut open) = (0, 0);
    let mut has_readings = false;
    texts.each(&mut |text| {
        let StoredFacts { seen, readings } = read_stored(session, text.config)?;
        has_readings |= !readings.is_empty();
        let facts = Facts { readings, seen, ..Facts::default() };
        let requests = text.linter.read_requests(text.parsed, text.hint, &facts, false);
        drafts += requests.len();
        open += requests.iter().filter(|it| !it.questions.is_empty()).count();
        Ok(())
    })?;
    Ok(match (has_readings, open) {
        (false, _) => {
            Checkup::unused("readings", "no draft was read: what texts mean beyond their words is not known")
                .advice("`tollproof read` asks a reader, and stores the answers")
        }
        (true, 0) => Checkup::ok("readings", format!("{} read", count(drafts, "draft"))),
        (true, open) => {
            Checkup::ok("readings", format!("{open} of {} not read completely", count(drafts, "draft")))
                .advice("`tollproof read` asks what has no answer")
        }
    })
}

/// Whether a reader is named; if it is asked, whether it answers.
fn reader(asks: bool) -> Checkup {
    let found = UserSettings::load().map_err(Failure::new).and_then(|settings| {
        let environment = |name: &str| std::env::var(name).ok();
        match ReaderSettings::find(&settings, &environment, &Default::default()) {
            Err(ReaderError::NoReader) => Ok(None),
            Err(error) => Err(Failure::new(error)),
            Ok(settings) => Reader::new(settings).map(Some).map_err(Failure::new),
        }
    });
    match found {
        Err(failure) => Checkup::failed("reader", failure),
        Ok(None) if asks => match models().first() {
            None => Checkup::unused("reader", "no reader is named, and none was found on this machine")
                .advice("`tollproof read` says how to get one"),
            Some(model) => {
                Checkup::unused("reader", format!("no reader is named; found {}", described(model)))
                    .advice(format!("`tollproof read {}` asks it", options(model)))
            }
        },
        Ok(None) => Checkup::unused("reader", "no reader is named; drafts are checked by words only")
            .advice("`tollproof read` looks for one on this machine, or says how to get one"),
        Ok(Some(reader)) if !asks => Checkup::ok("reader", format!("{} is named", reader.name()))
            .advice("`tollproof doctor --ask-reader` asks it about an example"),
        Ok(Some(reader)) => {
            let start = Instant::now();
            match answered(&reader) {
                Err(failure) => Checkup::failed("reader", failure),
                Ok((usable, all)) => {
                    let seconds = start.elapsed().as_secs_f32();
                    let message = format!(
                        "{} answered {usable} of {} about an example in {seconds:.1} s",
                        reader.name(),
                        count(all, "question")
                    );
                    if usable == all {
                        Checkup::ok("reader", message)
                    } else {
                        Checkup::problem("reader", message)
                    }
                }
            }
        }
    }
}

/// Asks about the example that every rule builds on. Returns how many answers can be used, of how many.
fn answered(reader: &Reader) -> Result<(usize, usize)> {
    let request = example();
    let reply = reader.ask(&prompt(&request, None), &|| false).map_err(Failure::new)?;
    let answers = serde_json::from_str::<ReaderAnswers>(&reply.text);
    let usable = answers.map_or(0, |answers| request.verify(&answers).0.len());
    Ok((usable, request.questions.len()))
}

fn example() -> ReadRequest {
    let text = clean_document(Kind::of(KindRole::Submit)).to_string();
    let source = Source::new("example.json", text);
    let requests = Linter::builtin().read_requests(
        &Parsed::of(&source, None),
        KindHint::Explicit,
        &Facts::default(),
        true,
    );
    requests.into_iter().next().expect("the example is a submit request")
}
