//! The gate before sending: yes or no, and never yes to two at once.

use std::collections::HashMap;
use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};
use tollproof_core::document::Node;
use tollproof_core::{
    Config, Facts, Finding, History, Kind, KindRole, KindSource, Linter, NoRecord, Parsed, Provider, Report,
    Reservation, Severity, SourceDocument, Submission, is_uuid, kind_of, payload, role,
};

use crate::entry::key;
use crate::error::HistoryError;
use crate::lookup::Wanted;
use crate::past::Past;
use crate::store::Reserved;

/// Rules that refuse a draft here, whatever they weigh in a check.
const REFUSING: [&str; 3] =
    ["history/already-submitted", "history/duplicate-submission", "history/reserved-number"];

/// Rules that refuse a draft here where it does not name one number in the form that numbers are reserved in.
const ON_NUMBER: [&str; 4] =
    ["number/not-one-number", "structure/empty-field", "structure/malformed-uuid", "structure/wrong-type"];

/// The shortest time that a number is reserved for.
pub const MIN_TTL: SignedDuration = SignedDuration::from_secs(1);

/// The longest time that a number is reserved for: 7 days.
pub const MAX_TTL: SignedDuration = SignedDuration::from_hours(7 * 24);

/// So often a number is asked for that was free when its history was read and taken when it was to be reserved. The
/// second reading mostly shows why; only where that ended meanwhile there is a third.
const TRIES: usize = 3;

/// Lints drafts, and reserves the numbers of those that may be sent.
#[derive(Debug)]
pub struct Gate<'g> {
    linter: &'g Linter,
    past: &'g mut Past,
}

/// What a caller is about to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long the number stays reserved unless that is confirmed or released, from [`MIN_TTL`] to [`MAX_TTL`].
    pub ttl: SignedDuration,
    /// The time; by default that of the store's clock.
    pub now: Option<Timestamp>,
    /// The record that an update request changes.
    pub record: Option<Submission>,
    /// The id of that record, where the draft does not name it in a comment.
    pub record_id: Option<String>,
    /// When the authority's notification was received that an update request answers.
    pub notified_at: Option<Timestamp>,
}

/// Whether a draft may be sent, and why.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Yes or no.
    pub verdict: Verdict,
    /// What was found; what refuses the draft is an error.
    pub report: Report,
    /// The texts of records that findings point into and that lie in no file, by name.
    pub texts: HashMap<String, String>,
}

/// Yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Send it.
    Go(Permit),
    /// Do not send it.
    Refused,
}

/// What to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    /// The body of the request: one line of JSON.
    pub payload: String,
    /// The reservation of the number; none for an update, which opens no submission.
    pub ticket: Option<Ticket>,
}

/// A reservation, for the one who has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The number.
    pub number: String,
    /// Tells this reservation from others, for [`Store::release`](crate::Store::release).
    pub token: String,
    /// When it ends unless it is confirmed.
    pub until: Timestamp,
}

impl Default for Plan {
    /// A quarter of an hour from now.
    fn default() -> Self {
        let ttl = SignedDuration::from_mins(15);
        Self { ttl, now: None, record: None, record_id: None, notified_at: None }
    }
}

impl<'g> Gate<'g> {
    /// A gate with the rules of a linter and what a past knows. The linter's own facts are not used.
    pub fn new(linter: &'g Linter, past: &'g mut Past) -> Self {
        Self { linter, past }
    }

    /// Decides about the one draft of a text; `told_by` is what tells its kind.
    ///
    /// A submit request is reserved in the one store among the histories. An update request is linted; it needs no
    /// store.
    ///
    /// # Errors
    ///
    /// A text that holds anything but one submit request or update request, a time to reserve out of bounds, histories
    /// without the one store, and a store that cannot be asked.
    pub fn decide(
        &mut self,
        parsed: &Parsed<'_>,
        told_by: KindSource,
        plan: &Plan,
    ) -> Result<Decision, HistoryError> {
        let name = parsed.source().name();
        let Some(document) = parsed.only() else {
            let count: usize = parsed.blocks().map(|block| block.documents().count()).sum();
            return Err(HistoryError::Usage(format!(
                "the gate takes one draft at a time, and `{name}` holds {count} documents"
            )));
        };
        let kind = kind_of(&document, told_by);
        if let Some(kind) = kind.filter(|it| !it.is_request()) {
            return Err(HistoryError::Usage(format!(
                "the gate takes a submit request or an update request, and `{name}` is {}",
                kind.noun()
            )));
        }
        if plan.record.is_some() && kind.is_some_and(Kind::is_submit) {
            return Err(HistoryError::Usage(
                "a record belongs to an update request, and this is a submit request".to_owned(),
            ));
        }
        let draft = Draft { parsed, document, kind, told_by };
        if kind.is_some_and(Kind::is_submit) {
            self.past.store()?;
        }
        if !(MIN_TTL..=MAX_TTL).contains(&plan.ttl) {
            return Err(HistoryError::Usage("a number is reserved for 1 second to 7 days".to_owned()));
        }
        let token = token()?;
        for _ in 0..TRIES {
            let now = self.now(plan)?;
            let (mut decision, may_pass) = self.judge(&draft, plan, now)?;
            let (Some(root), Some(kind), true) = (document.document().root.as_ref(), kind, may_pass) else {
                return Ok(decision);
            };
            let ticket = match draft.number() {
                _ if !kind.is_submit() => None,
                Some(number) => {
                    let Some(ticket) = self.reserve(number, &token, now, plan)? else { continue };
                    Some(ticket)
                }
                None => return Ok(decision),
            };
            decision.verdict = Verdict::Go(Permit { payload: payload(root, kind), ticket });
            return Ok(decision);
        }
        let now = self.now(plan)?;
        let (decision, _) = self.judge(&draft, plan, now)?;
        Ok(decision)
    }

    fn now(&mut self, plan: &Plan) -> Result<Timestamp, HistoryError> {
        match (plan.now, self.past.store()) {
            (Some(now), _) => Ok(now),
            (None, Ok(store)) => store.now(),
            (None, Err(_)) => Ok(Timestamp::now()),
        }
    }

    /// What the linter says, and whether nothing stands in the way but perhaps another caller.
    fn judge(
        &mut self,
        draft: &Draft<'_>,
        plan: &Plan,
        now: Timestamp,
    ) -> Result<(Decision, bool), HistoryError> {
        let numbers = draft.numbers();
        let declared = draft.document.declared.record.map(|(id, _)| id.to_owned());
        let ids = declared.into_iter().chain(plan.record_id.clone()).collect();
        let found = self.past.look_up(&Wanted { numbers: numbers.clone(), ids })?;
        let facts = Facts {
            history: found.history,
            record: plan.record.clone(),
            record_id: plan.record_id.clone(),
            notified_at: plan.notified_at,
            now: Some(now),
            ..Facts::default()
        };
        let mut report = self.linter.lint(draft.parsed, draft.told_by, &facts);
        if report.without_record > 0 {
            return Err(HistoryError::Usage(
                "the record that this update changes is not known: name it with `--record FILE`, or by its id in a history \
                 that holds it"
                    .to_owned(),
            ));
        }
        let is_submit = draft.kind.is_some_and(Kind::is_submit);
        let is_taken = is_submit && numbers.iter().any(|number| is_taken(&facts.history, number, now));
        let is_nameless = is_submit && draft.number().is_none();
        let refuses = |it: &Finding| {
            let on_number = || draft.submit_kind().role_at(&it.pointer) == Some(role::PHONE_NUMBERS);
            REFUSING.contains(&it.rule.as_ref())
                || is_nameless && ON_NUMBER.contains(&it.rule.as_ref()) && on_number()
        };
        if (is_taken || is_nameless) && !report.findings.iter().any(refuses) {
            // The rules that say so are switched off for the user, but not for the gate.
            let said = refusing()?.lint(draft.parsed, draft.told_by, &facts).findings;
            report.findings.extend(said.into_iter().filter(refuses));
        }
        for finding in report.findings.iter_mut().filter(|it| refuses(it)) {
            finding.severity = Severity::Error;
            finding.suppressed = None;
        }
        let is_readable = draft.is_whole()
            && !report.findings.iter().any(|it| it.always_counts() && it.severity == Severity::Error);
        let is_free = !is_taken && !is_nameless;
        let may_pass = is_free && is_readable && report.count(Severity::Error) == 0;
        Ok((Decision { verdict: Verdict::Refused, report, texts: found.texts }, may_pass))
    }

    /// Reserves a number; none where someone else was faster.
    fn reserve(
        &mut self,
        number: &str,
        token: &str,
        now: Timestamp,
        plan: &Plan,
    ) -> Result<Option<Ticket>, HistoryError> {
        let until = now.checked_add(plan.ttl).map_err(|_| {
            HistoryError::Usage("a number cannot be reserved until so late a time".to_owned())
        })?;
        let number = key(number);
        let reserved = self.past.store()?.reserve(&number, token, Reservation { since: now, until })?;
        Ok((reserved == Reserved::Done).then(|| Ticket { number, token: token.to_owned(), until }))
    }
}

/// The draft that the gate decides about.
struct Draft<'d> {
    parsed: &'d Parsed<'d>,
    document: SourceDocument<'d>,
    kind: Option<Kind>,
    told_by: KindSource,
}

impl Draft<'_> {
    /// The kind of submit requests of the draft's provider.
    fn submit_kind(&self) -> Kind {
        let provider = self.kind.map_or_else(Provider::default, Kind::provider);
        provider.kind(KindRole::Submit).unwrap_or_else(|| Kind::of(KindRole::Submit))
    }

    /// All that stands where numbers are named.
    fn items(&self) -> Vec<&Node<'_>> {
        let root = self.document.document().root.as_ref();
        root.map(|root| self.submit_kind().numbers(root)).unwrap_or_default()
    }

    fn numbers(&self) -> Vec<String> {
        self.items().into_iter().filter_map(Node::as_str).map(str::to_owned).collect()
    }

    /// The number to reserve: the only one, and a UUID in its canonical form, so that no other spelling is reserved beside it.
    fn number(&self) -> Option<&str> {
        match self.items().as_slice() {
            [item] => item.as_str().filter(|number| is_uuid(number)),
            _ => None,
        }
    }

    /// Whether all of it was read, whatever rules run.
    fn is_whole(&self) -> bool {
        let read = Submission::read(self.document);
        !self.document.cut && !matches!(read, Err(NoRecord::Unreadable { .. }))
    }
}

fn is_taken(history: &History, number: &str, now: Timestamp) -> bool {
    history.open(number).is_some() || history.reservation(number).is_some_and(|it| now < it.until)
}

/// A linter with nothing but the rules that refuse.
fn refusing() -> Result<Linter, HistoryError> {
    let select = REFUSING.iter().chain(&ON_NUMBER).map(|&rule| rule.to_owned()).collect();
    let linter = Linter::builtin().ok();
    let linter = linter.and_then(|it| it.with_config(Config { select, ..Config::default() }).ok());
    linter.ok_or_else(|| HistoryError::Usage("the rules of the gate cannot be loaded".to_owned()))
}

/// A token that nobody can guess.
fn token() -> Result<String, HistoryError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| HistoryError::Usage(format!("this system has no random numbers: {error}")))?;
    let mut token = String::new();
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}
