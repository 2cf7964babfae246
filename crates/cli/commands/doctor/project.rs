//! Checks what tollproof.yaml names, and the drafts of the folder.

use std::collections::BTreeMap;

use jiff::Timestamp;
use tollproof_core::{Format, Kind, KindRole, Parsed, Provider, SeenFact, kind_of};
use tollproof_history::name_of;
use tollproof_project::{
    Baseline, ConfigFile, Disk, FactsStore, Files as _, FindOptions, InputFile, Repository, Session,
    SessionOptions, SkippedLines, read_user_rules,
};

use super::Checkup;
use crate::commands::config::{Setting, row};
use crate::commands::session;
use crate::errors::{Failure, Result};
use crate::input::read;
use crate::terminal::{count, one_line};

/// The largest file that is opened to see whose drafts it has.
const MAX_BYTES: u64 = 64 << 20;

/// The most unreadable files that are named.
const MAX_NAMES: usize = 5;

/// The drafts below the folder.
#[derive(Debug, Default)]
pub(super) struct SeenDrafts {
    /// The number of documents per provider, by the provider's name.
    providers: BTreeMap<&'static str, usize>,
    /// Whether one is written in YAML, which can name its schema.
    pub(super) has_yaml: bool,
}

impl SeenDrafts {
    pub(super) fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// The provider with the most documents.
    pub(super) fn provider(&self) -> Option<Provider> {
        let most = self.providers.iter().max_by_key(|(_, documents)| **documents);
        most.and_then(|(name, _)| Provider::named(name).ok())
    }

    /// The submit request of the provider with the most documents.
    pub(super) fn submit_request(&self) -> Kind {
        let provider = self.provider().unwrap_or_default();
        provider.kind(KindRole::Submit).unwrap_or_else(|| Kind::of(KindRole::Submit))
    }
}

/// Lists settings that apply.
pub(super) fn settings(config: &ConfigFile, changed: &[Setting]) -> Checkup {
    if config.path.is_none() {
        return Checkup::unused(
            "settings",
            "no tollproof.yaml applies to this folder; all settings are the defaults",
        )
        .advice("`tollproof init` writes one, with every setting explained");
    }
    let lines = changed.iter().map(|setting| {
        let [name, value, origin] = row(setting);
        let value = if setting.key == "ignore" { String::new() } else { format!(": {value}") };
        format!("{name}{value} ({origin})")
    });
    Checkup::ok("settings", format!("`{}` applies to this folder", config.name())).details(lines)
}

/// All parts of the project.
pub(super) fn all(config: &ConfigFile, seen: &mut SeenDrafts) -> Vec<Checkup> {
    let session = match session::open_with(SessionOptions::default()) {
        Ok(session) => session,
        Err(failure) => return vec![Checkup::failed("settings", failure)],
    };
    let mut checks = vec![rules(&session, config), history(&session, config), facts(config)];
    checks.extend(baseline(config));
    checks.push(drafts(&session, seen).unwrap_or_else(|failure| Checkup::failed("drafts", failure)));
    checks
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
    Checkup::ok("rules", format!("{} load", count(linter.rules().len(), "rule"))).details(own)
}

/// Whether the histories can be read.
fn history(session: &Session, config: &ConfigFile) -> Checkup {
    let locations = match session.locations(config) {
        Ok(locations) => locations,
        Err(error) => {
            return Checkup::failed("history", error.into()).advice(
                "correct `history:` in tollproof.yaml; a server must be below `history-servers:` in your own settings",
            );
        }
    };
    if locations.is_empty() {
        return Checkup::unused("history", "no history: earlier submissions of a number are not known")
            .advice("name your records or a store with `history:` in tollproof.yaml, or with --history");
    }
    match session.open_histories(config) {
        Ok(skipped) => {
            let names = locations.iter().map(ToString::to_string);
            let skipped = skipped.iter().map(|it| format!("not records: {it}"));
            Checkup::ok("history", format!("{} can be read", count(locations.len(), "history source")))
                .details(names.chain(skipped))
        }
        Err(error) => Checkup::failed("history", error.into()).advice(
            "check the path or the address, and that you may read it; `tollproof history list` reads it",
        ),
    }
}

/// Whether facts about pages are stored, and how old they are.
fn facts(config: &ConfigFile) -> Checkup {
    let path = config.facts();
    let store = match FactsStore::read(&Disk, &path) {
        Ok(store) => store,
        Err(error) => return Checkup::failed("facts", Failure::new(error)),
    };
    let name = name_of(&path);
    if let Some(SkippedLines { lines, more, .. }) = store.skipped() {
        let message = format!("{} of `{name}` cannot be read", count(lines.len() + more, "line"));
        let lines = lines.iter().take(MAX_NAMES).map(|(line, problem)| format!("line {line}: {problem}"));
        return Checkup::problem("facts", message)
            .details(lines)
            .advice("remove these lines, or run `tollproof look`, which writes the file without them");
    }
    let now = Timestamp::now();
    let is_old = |fact: &&SeenFact| now.duration_since(fact.at) > config.facts_max_age();
    let old = store.iter().filter(is_old).count();
    match store.iter().count() {
        0 => Checkup::unused("facts", "no page was looked at: what websites show is not known")
            .advice("`tollproof look` opens what drafts name, and stores what it saw"),
        all if old == 0 => Checkup::ok("facts", format!("`{name}` has {}", count(all, "fact"))),
        all => {
            let message = format!("`{name}` has {}, {old} of them old", count(all, "fact"));
            Checkup::ok("facts", message).advice("`tollproof look` renews them")
        }
    }
}

/// Whether the baseline can be read, if there is one.
fn baseline(config: &ConfigFile) -> Option<Checkup> {
    let path = config.baseline()?;
    Some(match Baseline::read(&Disk, &path, &[]) {
        Ok(_) => Checkup::ok("baseline", format!("`{}` can be read", name_of(&path))),
        Err(error) => {
            Checkup::failed("baseline", error.into()).advice("`tollproof baseline write` writes a new one")
        }
    })
}

/// The providers of the drafts below the folder, and the files that cannot be read. Nothing is linted, so that rules and
/// histories that do not work hide no drafts.
fn drafts(session: &Session, seen: &mut SeenDrafts) -> Result<Checkup> {
    let found = session.find(FindOptions { paths: vec![".".into()], ..FindOptions::default() })?;
    let repository = Repository::around();
    let (mut drafts, mut large) = (0, 0);
    let (mut providers, mut broken) = (BTreeMap::new(), Vec::new());
    for file in &found.checked.files {
        let is_large = file.path.as_deref().and_then(|path| Disk.size(path)).is_some_and(|it| it > MAX_BYTES);
        // Sheets that are compressed or workbooks are not opened for this.
        if is_large || Format::of_path(file.place()).is_none() {
            large += 1;
            continue;
        }
        let source = match read(file, &repository) {
            Ok(source) => source,
            Err(error) => {
                broken.push(file.unreadable(&error));
                continue;
            }
        };
        let hint = session.kind_hint(&*session.config_of(file)?, file);
        let parsed = Parsed::of(&source, None);
        let mut is_broken = false;
        for block in parsed.blocks() {
            for document in block.documents() {
                let kind = kind_of(&document, hint);
                let errors = &document.syntax_errors;
                // Other files are not meant to be read by tollproof.
                is_broken |= kind.is_some() && errors.iter().any(|it| !it.problem.keeps_content());
                if let Some(kind) = kind.filter(|kind| kind.is_request() || kind.is_record()) {
                    drafts += 1;
                    *seen.providers.entry(kind.provider().name()).or_insert(0) += 1;
                    seen.has_yaml |= parsed.format() == Format::Yaml;
                    *providers.entry(kind.provider().title()).or_insert(0) += 1;
                }
            }
        }
        if is_broken {
            broken.push(format!("`{}` has syntax errors", one_line(&file.name)));
        }
    }
    let by_provider: Vec<String> =
        providers
            .iter()
            .map(|(title, number)| format!("{title}: {}", count(*number, "document")))
            .chain((large > 0).then(|| {
                format!("not opened: {} that are large, compressed or workbooks", count(large, "file"))
            }))
            .collect();
    if !broken.is_empty() {
        let more = broken.len().saturating_sub(MAX_NAMES);
        let more = (more > 0).then(|| format!("and {more} more"));
        return Ok(Checkup::problem("drafts", format!("{} cannot be read", count(broken.len(), "file")))
            .details(broken.into_iter().take(MAX_NAMES).chain(more).chain(by_provider))
            .advice(
                "`tollproof check` shows where; `exclude:` in tollproof.yaml skips files that are not drafts",
            ));
    }
    if drafts == 0 && large == 0 {
        return Ok(Checkup::unused("drafts", "no drafts below this folder").advice(
            "`tollproof new --ask FILE` asks for the fields of one; `tollproof check FILE` checks any file",
        ));
    }
    Ok(Checkup::ok("drafts", format!("{} below this folder", count(drafts, "document"))).details(by_provider))
}
