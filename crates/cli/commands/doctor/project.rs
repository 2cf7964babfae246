//! What tollproof.yaml names, and the drafts of the folder.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use tollproof_core::{Provider, Severity};
use tollproof_history::name_of;
use tollproof_project::{
    Baseline, ConfigFile, Disk, FindOptions, InputFile, LinterOptions, RunItem, RunOptions, Session,
    SessionOptions, read_user_rules,
};

use super::{Checkup, State};
use crate::commands::config::{Setting, row};
use crate::commands::session;
use crate::errors::{Failure, event};
use crate::terminal::{count, one_line};

/// How many files are named that could not be read.
const MAX_NAMES: usize = 5;

/// Which settings apply.
pub(super) fn settings(config: &ConfigFile, changed: &[Setting]) -> Checkup {
    if config.path.is_none() {
        return Checkup::new(
            "settings",
            State::Unused,
            "no tollproof.yaml applies to this folder; all settings are the defaults",
        )
        .advice("`tollproof init` writes one, with every setting explained");
    }
    let lines = changed.iter().map(|setting| {
        let [name, value, origin] = row(setting);
        let value = if setting.key == "ignore" { String::new() } else { format!(": {value}") };
        format!("{name}{value} ({origin})")
    });
    Checkup::new("settings", State::Ok, format!("`{}` applies to this folder", config.name())).details(lines)
}

/// All parts of the project.
pub(super) fn all(config: &ConfigFile) -> Vec<Checkup> {
    let session = match opened(LinterOptions::default()) {
        Ok(session) => session,
        Err(failure) => return vec![Checkup::failed("settings", failure)],
    };
    let mut checks = vec![rules(&session, config), history(&session, config)];
    checks.extend(baseline(config));
    checks.push(drafts().unwrap_or_else(|failure| Checkup::failed("drafts", failure)));
    checks
}

fn opened(linter: LinterOptions) -> Result<Session, Failure> {
    session::open_with(SessionOptions { linter, now: Some(Timestamp::now()), ..SessionOptions::default() })
}

/// Whether the rules load, with the settings for them.
fn rules(session: &Session, config: &ConfigFile) -> Checkup {
    let file = InputFile::named("draft.yaml".as_ref());
    let linter = match session.linter_of(config, &file) {
        Ok(linter) => linter,
        Err(error) => {
            return Checkup::failed("rules", error.into()).advice(
                "correct the rule or the setting; `tollproof rules test DIR` tests a folder of rules",
            );
        }
    };
    let folders = session.rule_dirs(config);
    let own = folders.iter().map(|folder| {
        let rules = read_user_rules(&Disk, std::slice::from_ref(folder)).map(|it| it.len());
        format!("{} from `{}`", count(rules.unwrap_or_default(), "file"), name_of(folder))
    });
    let old = session.warnings();
    let old = old.iter().map(|warning| format!("deprecated: {}", warning.message));
    Checkup::new("rules", State::Ok, format!("{} load", count(linter.rules().len(), "rule")))
        .details(own.chain(old))
}

/// Whether the histories can be read.
fn history(session: &Session, config: &ConfigFile) -> Checkup {
    let locations = match session.locations(config) {
        Ok(locations) => locations,
        Err(error) => return Checkup::failed("history", error.into()),
    };
    if locations.is_empty() {
        return Checkup::new(
            "history",
            State::Unused,
            "no history: earlier submissions of a number are not known",
        )
        .advice("name your records or a store with `history:` in tollproof.yaml, or with --history");
    }
    match session.open_histories(config) {
        Ok(skipped) => {
            let names = locations.iter().map(ToString::to_string);
            let skipped = skipped.iter().map(|it| format!("not records: {it}"));
            Checkup::new(
                "history",
                State::Ok,
                format!("{} can be read", count(locations.len(), "history source")),
            )
            .details(names.chain(skipped))
        }
        Err(error) => Checkup::failed("history", error.into()).advice(
            "check the path or the address, and that you may read it; `tollproof history list` reads it",
        ),
    }
}

/// Whether the baseline can be read, if there is one.
fn baseline(config: &ConfigFile) -> Option<Checkup> {
    let path = config.baseline()?;
    Some(match Baseline::read(&Disk, &path, &[]) {
        Ok(_) => Checkup::new("baseline", State::Ok, format!("`{}` can be read", name_of(&path))),
        Err(error) => {
            Checkup::failed("baseline", error.into()).advice("`tollproof baseline write` writes a new one")
        }
    })
}

/// The providers of the drafts below the folder, and the files that cannot be read.
fn drafts() -> Result<Checkup, Failure> {
    // Only what cannot be read is looked for.
    let session =
        Arc::new(opened(LinterOptions { select: vec!["input".to_owned()], ..LinterOptions::default() })?);
    let found = session.find(FindOptions { paths: vec![".".into()], ..FindOptions::default() })?;
    let run = session.run(Arc::new(found), RunOptions::default(), io::empty());
    let (mut drafts, mut providers, mut broken) = (0, BTreeMap::new(), Vec::new());
    for item in run {
        match item? {
            RunItem::Event(it) if it.is_failure() => broken.push(event(&it)),
            RunItem::Event(_) => {}
            RunItem::Text(text) => {
                let report = &text.report.report;
                if text.is_config {
                    continue;
                }
                drafts += report.documents;
                for (provider, number) in &report.providers {
                    *providers.entry(*provider).or_insert(0) += number;
                }
                if report.count(Severity::Error) > 0 && text.is_last {
                    broken.push(format!("`{}` has errors of reading", one_line(&text.file.name)));
                }
            }
        }
    }
    let by_provider: Vec<String> = providers
        .iter()
        .map(|(name, number)| {
            let title = Provider::named(name).map_or(*name, Provider::title);
            format!("{title}: {}", count(*number, "document"))
        })
        .collect();
    if !broken.is_empty() {
        let more = broken.len().saturating_sub(MAX_NAMES);
        let more = (more > 0).then(|| format!("and {more} more"));
        return Ok(Checkup::new(
            "drafts",
            State::Problem,
            format!("{} cannot be read", count(broken.len(), "file")),
        )
        .details(broken.into_iter().take(MAX_NAMES).chain(more).chain(by_provider))
        .advice(
            "`tollproof check` shows where; `exclude:` in tollproof.yaml skips files that are not drafts",
        ));
    }
    if drafts == 0 {
        return Ok(Checkup::new("drafts", State::Unused, "no drafts below this folder").advice(
            "`tollproof new --ask FILE` asks for the fields of one; `tollproof check FILE` checks any file",
        ));
    }
    Ok(Checkup::new("drafts", State::Ok, format!("{} below this folder", count(drafts, "document")))
        .details(by_provider))
}
