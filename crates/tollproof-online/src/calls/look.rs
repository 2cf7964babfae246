//! Looks for the submissions of a number at the provider, and tells which one an attempt made.

use serde_json::Value;
use tollproof_core::{Format, NumberKey, Parsed, Source, Submission};

use super::answer::text_at;
use super::called::Called;
use super::error::Result;
use super::kept::KNOWN;
use super::known::KnownRecords;
use super::lists::{Listed, list};
use super::numbers::{NumberNames, Resolved, resolve};
use super::operation::ApiOperation;
use super::outcome::NextStep;
use super::record::ProviderRecord;
use super::session::CallSession;
use super::template::Variables;
use tollproof_history::{Attempt, Query};

/// The submissions that the provider has of a number.
#[derive(Debug)]
pub(crate) enum Looked {
    /// The records; empty if the number has not been submitted.
    Records(Vec<ProviderRecord>),
    /// The provider cannot be asked.
    CannotAsk,
    /// The provider did not answer.
    Failed(Called),
}

impl CallSession<'_> {
    /// The submissions of a number.
    pub(crate) fn look(&mut self, names: &NumberNames) -> Result<Looked> {
        let Some(find) = self
            .api
            .file()
            .operations
            .find
            .as_ref()
            .filter(|operation| self.api.can("find", Some(operation)))
        else {
            return Ok(Looked::CannotAsk);
        };
        let names = match self.complete(names)? {
            Resolved::Names(names) => names,
            Resolved::NotOwned => return Ok(Looked::Failed(self.not_owned())),
            Resolved::Failed(called) => return Ok(Looked::Failed(called)),
        };
        match self.records("find", find, &names.variables(), Some(&names))? {
            Looked::Records(records) => self.of_number(records, names),
            looked => Ok(looked),
        }
    }

    /// The records of a number: a provider may ignore the filter, and the submissions of others are not those of the number.
    pub(crate) fn of_number(
        &mut self,
        mut records: Vec<ProviderRecord>,
        mut names: NumberNames,
    ) -> Result<Looked> {
        let is_own = |record: &ProviderRecord, names: &NumberNames| {
            record.submission.numbers.iter().any(|number| names.is(number))
        };
        if records.iter().all(|record| record.submission.numbers.is_empty() || is_own(record, &names)) {
            return Ok(Looked::Records(records));
        }
        // A record that has the id alone cannot be compared with a number in E.164.
        let is_unclear = |names: &NumberNames| {
            let is_comparable = |number: &String| {
                if NumberKey::of(number).is_e164() { names.e164.is_some() } else { names.id.is_some() }
            };
            records.iter().any(|record| !record.submission.numbers.iter().any(is_comparable))
        };
        if is_unclear(&names)
            && let Resolved::Names(both) = resolve(self.api, names.clone())?
        {
            names = both;
        }
        if is_unclear(&names) {
            return Ok(Looked::Failed(self.not_told_apart()));
        }
        records.retain(|record| is_own(record, &names));
        Ok(Looked::Records(records))
    }

    /// The provider ignores the filter, and what it returns does not show whose it is.
    fn not_told_apart(&self) -> Called {
        let (title, name) = (self.api.provider().title(), self.api.provider().name());
        let find = self.api.file().operations.find.as_ref();
        let next = if find.is_some_and(|find| find.call.is_none()) {
            format!(
                "set `paths: find` of {name} in {} to a call that filters by number",
                self.api.settings_file
            )
        } else {
            format!("look in the console of {title}")
        };
        Called::Unknown(format!(
            "{title} returned submissions of other numbers, and this number's cannot be told from them; {next}"
        ))
    }

    /// The account does not have the number, so that nothing can be asked about it.
    pub(crate) fn not_owned(&self) -> Called {
        let (title, address) = (self.api.provider().title(), self.account());
        let why = format!("the account of {title} ({address}) does not have this number");
        Called::Barred(why, NextStep::CheckAccount)
    }

    /// The submission with the token of an attempt. `None` if the provider cannot be asked for that.
    pub(crate) fn look_by_token(&mut self, token: &str) -> Result<Option<Looked>> {
        let operation = self.api.file().operations.find_by_token.as_ref();
        let Some(find) = operation.filter(|operation| self.api.can("find-by-token", Some(operation))) else {
            return Ok(None);
        };
        let variables = Variables::from([("token".to_owned(), token.to_owned())]);
        let looked = self.records("find-by-token", find, &variables, None)?;
        Ok(Some(looked))
    }

    /// The record of a submission by its id. `None` if the provider cannot be asked, or has none.
    pub(crate) fn fetch(&mut self, id: &str, names: &NumberNames) -> Result<Looked> {
        let Some(fetch) = self
            .api
            .file()
            .operations
            .fetch
            .as_ref()
            .filter(|operation| self.api.can("fetch", Some(operation)))
        else {
            return Ok(Looked::CannotAsk);
        };
        let mut variables = names.variables();
        variables.insert("id".to_owned(), id.to_owned());
        self.records("fetch", fetch, &variables, None)
    }

    /// Completes the names of a number with the one that the provider's calls need.
    pub(crate) fn complete(&mut self, names: &NumberNames) -> Result<Resolved> {
        let is_complete = match self.api.names_numbers_by_id() {
            _ if self.api.file().number.both => names.id.is_some() && names.e164.is_some(),
            true => names.id.is_some(),
            false => names.e164.is_some(),
        };
        if is_complete { Ok(Resolved::Names(names.clone())) } else { resolve(self.api, names.clone()) }
    }

    fn records(
        &mut self,
        name: &str,
        operation: &ApiOperation,
        variables: &Variables,
        of: Option<&NumberNames>,
    ) -> Result<Looked> {
        let mut all = self.own.clone();
        all.extend(variables.clone());
        let items = match list(self.api, name, operation, &all)? {
            Ok(items) => items,
            Err(called) => return Ok(Looked::Failed(called)),
        };
        let items = match &operation.follow {
            None => items,
            Some(path) => {
                let mut own = items.clone();
                own.retain(|item| of.is_none_or(|names| names.are_of(operation, item)));
                if own.is_empty() && !items.is_empty() {
                    return Ok(Looked::Failed(self.not_told_apart()));
                }
                match self.followed(&own, path)? {
                    Ok(items) => items,
                    Err(called) => return Ok(Looked::Failed(called)),
                }
            }
        };
        // What cannot be read may be what was sent.
        let records: Option<Vec<_>> = items.iter().map(|it| self.record(it)).collect();
        let unread = || Called::Unknown("the provider has a record that cannot be read yet".to_owned());
        Ok(records.map_or_else(|| Looked::Failed(unread()), Looked::Records))
    }

    /// The records whose ids are at a path of items.
    pub(crate) fn followed(&mut self, items: &[Value], path: &str) -> Result<Listed> {
        let Some(fetch) = self.api.file().operations.fetch.as_ref() else {
            return Ok(Ok(Vec::new()));
        };
        let mut found = Vec::new();
        for id in items.iter().filter_map(|it| text_at(it, path)) {
            let variables = Variables::from([("id".to_owned(), id)]);
            match list(self.api, "fetch", fetch, &variables)? {
                Ok(items) => found.extend(items),
                failed => return Ok(failed),
            }
        }
        Ok(Ok(found))
    }

    /// A value as a record, if it is one.
    pub(crate) fn record(&self, value: &Value) -> Option<ProviderRecord> {
        let text = value.to_string();
        let source = Source::new("answer", text.as_str());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let submission = parsed.only().and_then(|document| Submission::read(document).ok())?;
        // The history does not take such names, so the provider's answer is not what it should be.
        let names = submission.numbers.iter().chain([&submission.id]);
        if names.flat_map(|name| name.chars()).any(char::is_control) {
            return None;
        }
        let is_unsent = self.api.file().unsent.iter().any(|it| it.eq_ignore_ascii_case(&submission.status));
        Some(ProviderRecord { text, submission, is_unsent })
    }

    /// Stores records that were submitted. Returns whether one of them is news: a submission that was not known, or another
    /// status. Other members may differ in each answer.
    pub(crate) fn keep(&mut self, records: &[ProviderRecord]) -> Result<bool> {
        let sent: Vec<&str> = records.iter().filter(|it| !it.is_unsent).map(|it| it.text.as_str()).collect();
        if sent.is_empty() {
            return Ok(false);
        }
        let source = Source::new("answer", format!("[{}]", sent.join(",")));
        let parsed = Parsed::of(&source, Some(Format::Json));
        let stored = self.store()?.add_records(&parsed)?;
        Ok(stored
            .iter()
            .any(|stored| stored.is_new && stored.before.as_deref() != Some(stored.status.as_str())))
    }

    /// The record that an attempt made, among those of its number: one that was unknown before, is open, or has changed
    /// since.
    pub(crate) fn made_by(
        &mut self,
        attempt: &Attempt,
        records: Vec<ProviderRecord>,
    ) -> Result<Option<ProviderRecord>> {
        let known = self.known_before(attempt, &records)?;
        let is_new = |record: &ProviderRecord| record.submission.is_open() || known.is_changed(record);
        let sent = records.into_iter().filter(|record| !record.is_unsent && is_new(record));
        Ok(sent.max_by_key(|it| (it.submission.is_open(), it.submission.updated_at)))
    }

    /// The submissions that there were before an attempt was sent; those that the history has now if the attempt did not
    /// keep that.
    pub(crate) fn known_before(
        &mut self,
        attempt: &Attempt,
        records: &[ProviderRecord],
    ) -> Result<KnownRecords> {
        if let Some(known) = attempt.steps.get(KNOWN).and_then(|it| KnownRecords::parse(it)) {
            return Ok(known);
        }
        let ids = records.iter().map(|it| it.submission.id.clone()).collect();
        let known = self.past.look_up(&Query { numbers: vec![attempt.number.clone()], ids })?.history;
        Ok(KnownRecords::of(records.iter().filter_map(|it| known.of_id(&it.submission.id))))
    }

    /// Keeps which submissions there are, before an attempt of this session is sent: others may write later ones to the
    /// history before it is known what became of the attempt.
    pub(crate) fn keep_known(&mut self, attempt: &mut Attempt, records: &[ProviderRecord]) -> Result<()> {
        if attempt.sent_at.is_some() || attempt.steps.contains_key(KNOWN) {
            return Ok(());
        }
        let known = KnownRecords::of(records.iter().map(|it| &it.submission)).to_text();
        let holder = self.holder.clone();
        self.store()?.keep_step(&attempt.token, &holder, KNOWN, &known)?;
        attempt.steps.insert(KNOWN.to_owned(), known);
        Ok(())
    }
}
