//! The gate: decides whether a draft may be sent, and reserves its number so that only one caller sends it.

use std::collections::HashMap;
use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};
use tollproof_core::document::Node;
use tollproof_core::{
    Config, Facts, Finding, GateRule, History, Kind, KindHint, KindRole, Linter, NoRecord, NumberKey, Parsed,
    Provider, Report, Reservation, Severity, SourceDocument, Submission, kind_of, payload, quoted, role,
};

use crate::entry::{number_key, shown_number};
use crate::error::HistoryError;
use crate::history_set::HistorySet;
use crate::lookup::Query;
use crate::store::Reserved;

/// The shortest time for which a number can be reserved.
pub const MIN_TTL: SignedDuration = SignedDuration::from_secs(1);

/// The longest time for which a number can be reserved: 7 days.
pub const MAX_TTL: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How often the gate tries to reserve a number that was free when its history was read, but taken when it was
/// reserved. The second look-up usually shows why. A third is needed only if that reservation or submission has just
/// ended.
const TRIES: usize = 3;

/// Checks drafts and reserves the numbers of those that may be sent.
#[derive(Debug)]
pub struct Gate<'g> {
    linter: &'g Linter,
    past: &'g mut HistorySet,
}

/// The options of [`Gate::decide`].
#[derive(Clone, Debug)]
pub struct GateOptions {
    /// How long the number stays reserved unless it is confirmed or released before, from [`MIN_TTL`] to [`MAX_TTL`].
    pub ttl: SignedDuration,
    /// The current time; by default from the clock of the store.
    pub now: Option<Timestamp>,
    /// The record that an update request changes.
    pub record: Option<Submission>,
    /// The id of that record, if the draft does not contain it in a comment.
    pub record_id: Option<String>,
    /// When the authority's notification was received that asked for an update request.
    pub notified_at: Option<Timestamp>,
    /// The number of a draft that does not contain it.
    pub number: Option<String>,
}

/// Whether a draft may be sent, and why.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Whether the draft may be sent.
    pub verdict: Verdict,
    /// The findings. Those that refuse the draft are errors.
    pub report: Report,
    /// Why the number of [`GateOptions::number`] is not free: no finding says so, because the draft lacks the number.
    pub why_taken: Option<String>,
    /// The texts of records from stores that findings point to, by name.
    pub texts: HashMap<String, String>,
}

/// Whether a draft may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The draft may be sent.
    Go(Permit),
    /// The draft must not be sent.
    Refused,
}

/// What to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    /// The body of the request: one line of JSON.
    pub payload: String,
    /// The reservation of the numbers; `None` for an update request, which does not open a submission.
    pub ticket: Option<Ticket>,
}

/// A reservation, as its holder receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The numbers of the draft.
    pub numbers: Vec<String>,
    /// Identifies this reservation, for [`Store::release`](crate::Store::release).
    pub token: String,
    /// When the reservation expires unless it is confirmed.
    pub until: Timestamp,
}

impl Default for GateOptions {
    /// A reservation of 15 minutes.
    fn default() -> Self {
        let ttl = SignedDuration::from_mins(15);
        Self { ttl, now: None, record: None, record_id: None, notified_at: None, number: None }
    }
}

impl<'g> Gate<'g> {
    /// A gate with the rules of a linter and the submissions of histories. The facts of the linter are not used.
    pub fn new(linter: &'g Linter, past: &'g mut HistorySet) -> Self {
        Self { linter, past }
    }

    /// Decides about the only draft of a text; `told_by` is the source of its kind.
    ///
    /// The numbers of a submit request are reserved in the only store of the histories, all or none. An update request is only checked
    /// and needs no store.
    ///
    /// # Errors
    ///
    /// The text is not exactly one submit request or update request, `ttl` is out of range, the histories do not
    /// contain exactly one store, or a history cannot be used.
    pub fn decide(
        &mut self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        plan: &GateOptions,
    ) -> Result<Decision, HistoryError> {
        let name = parsed.source().name();
        let Some(document) = parsed.only() else {
            let count: usize = parsed.blocks().map(|block| block.documents().count()).sum();
            return Err(HistoryError::Usage(format!(
                "the gate checks one draft at a time, but `{name}` contains {count} documents; \
                 use a file with one draft"
            )));
        };
        let kind = kind_of(&document, hint);
        if let Some(kind) = kind.filter(|it| !it.is_request()) {
            return Err(HistoryError::Usage(format!(
                "the gate checks submit requests and update requests, but `{name}` is {}",
                kind.noun()
            )));
        }
        if plan.record.is_some() && kind.is_some_and(Kind::is_submit) {
            return Err(HistoryError::Usage(
                "a record can be used only with an update request, but this is a submit request; remove `--record`"
                    .to_owned(),
            ));
        }
        check_number(kind, plan.number.as_deref())?;
        let draft = Draft { parsed, document, kind, hint, number: plan.number.as_deref() };
        if kind.is_some_and(Kind::is_submit) {
            self.past.store()?;
        }
        if !(MIN_TTL..=MAX_TTL).contains(&plan.ttl) {
            return Err(HistoryError::Usage(
                "a number can be reserved for 1 second to 7 days; use a time in this range".to_owned(),
            ));
        }
        let token = token()?;
        for _ in 0..TRIES {
            let now = self.now(plan)?;
            let (mut decision, names) = self.judge(&draft, plan, now)?;
            let (Some(root), Some(kind), Some(names)) = (document.document().root.as_ref(), kind, names)
            else {
                return Ok(decision);
            };
            let ticket = match draft.reservable() {
                _ if !kind.is_submit() => None,
                Some(numbers) => {
                    let Some(until) = self.reserve(&names, &token, now, plan)? else { continue };
                    Some(Ticket { numbers, token, until })
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

    fn now(&mut self, plan: &GateOptions) -> Result<Timestamp, HistoryError> {
        match (plan.now, self.past.store()) {
            (Some(now), _) => Ok(now),
            (None, Ok(store)) => store.now(),
            (None, Err(_)) => Ok(Timestamp::now()),
        }
    }

    /// The findings of the linter, and the names to reserve if the draft may be sent then: all that the histories know
    /// of its numbers.
    fn judge(
        &mut self,
        draft: &Draft<'_>,
        plan: &GateOptions,
        now: Timestamp,
    ) -> Result<(Decision, Option<Vec<String>>), HistoryError> {
        let numbers = draft.numbers();
        let declared = draft.document.declared.record.map(|(id, _)| id.to_owned());
        let ids = declared.into_iter().chain(plan.record_id.clone()).collect();
        let found = self.past.look_up(&Query { numbers: numbers.clone(), ids })?;
        let facts = Facts {
            history: found.history,
            record: plan.record.clone(),
            record_id: plan.record_id.clone(),
            notified_at: plan.notified_at,
            now: Some(now),
            ..Facts::default()
        };
        let mut report = self.linter.check(draft.parsed, draft.hint, &facts);
        if report.without_record > 0 {
            return Err(HistoryError::Usage(
                "the record that this update changes is unknown; name its file with `--record FILE`, or name \
                 its id and use a history that contains it"
                    .to_owned(),
            ));
        }
        let is_submit = draft.kind.is_some_and(Kind::is_submit);
        let why_taken = numbers.iter().find_map(|number| why_taken(&facts.history, number, now));
        let is_taken = is_submit && why_taken.is_some();
        let is_nameless = is_submit && draft.reservable().is_none();
        let names = numbers.iter().flat_map(|number| facts.history.names(number)).collect();
        let rules = self.linter.rules();
        let gate_of = |it: &Finding| rules.iter().find(|rule| rule.id == it.rule).and_then(|rule| rule.gate);
        let refuses = |it: &Finding| {
            let on_number = || draft.submit_kind().role_at(&it.pointer) == Some(role::PHONE_NUMBERS);
            match gate_of(it) {
                Some(GateRule::RefusesWithoutNumber) => is_nameless && on_number(),
                gate => gate == Some(GateRule::Refuses),
            }
        };
        let warns = |it: &Finding| gate_of(it) == Some(GateRule::Warns);
        if (is_taken && plan.number.is_none() || is_nameless) && !report.findings.iter().any(refuses) {
            // The user has disabled the rules that report this, but the gate needs them.
            let said = refusing()?.check(draft.parsed, draft.hint, &facts).findings;
            report.findings.extend(said.into_iter().filter(refuses));
        }
        for finding in &mut report.findings {
            if refuses(finding) {
                finding.severity = Severity::Error;
                finding.suppressed = None;
            } else if warns(finding) {
                finding.severity = finding.severity.max(Severity::Warning);
            }
        }
        let is_readable = draft.is_whole()
            && !report.findings.iter().any(|it| it.always_counts() && it.severity == Severity::Error);
        let is_free = !is_taken && !is_nameless;
        let may_pass = is_free && is_readable && report.count(Severity::Error) == 0;
        let why_taken = why_taken.filter(|_| is_taken && plan.number.is_some());
        let decision = Decision { verdict: Verdict::Refused, report, why_taken, texts: found.texts };
        Ok((decision, may_pass.then_some(names)))
    }

    /// Reserves numbers and returns until when. Returns `None` if another caller was faster.
    fn reserve(
        &mut self,
        names: &[String],
        token: &str,
        now: Timestamp,
        plan: &GateOptions,
    ) -> Result<Option<Timestamp>, HistoryError> {
        let until = now.checked_add(plan.ttl).map_err(|_| {
            HistoryError::Usage(
                "the reservation would end after the latest supported time; use a shorter time".to_owned(),
            )
        })?;
        let reserved = self.past.store()?.reserve(names, token, Reservation { since: now, until })?;
        Ok((reserved == Reserved::Done).then_some(until))
    }
}

/// The draft that the gate decides about.
struct Draft<'d> {
    parsed: &'d Parsed<'d>,
    document: SourceDocument<'d>,
    kind: Option<Kind>,
    hint: KindHint,
    /// The number of a draft that does not contain it.
    number: Option<&'d str>,
}

impl Draft<'_> {
    /// The kind of submit requests of the draft's provider.
    fn submit_kind(&self) -> Kind {
        let provider = self.kind.map_or_else(Provider::default, Kind::provider);
        provider.kind(KindRole::Submit).unwrap_or_else(|| Kind::of(KindRole::Submit))
    }

    /// The names of its numbers, as far as they are texts.
    fn numbers(&self) -> Vec<String> {
        let root = self.document.document().root.as_ref();
        let items = root.map(|root| self.submit_kind().numbers(root)).unwrap_or_default();
        let named = items.into_iter().filter_map(Node::as_str).chain(self.number);
        named.map(str::to_owned).collect()
    }

    /// The numbers to reserve, as people see them. `None` if one of them might be named in another way too, so that it
    /// could be reserved twice.
    fn reservable(&self) -> Option<Vec<String>> {
        if let Some(number) = self.number {
            return Some(vec![shown_number(number)]);
        }
        let root = self.document.document().root.as_ref()?;
        let mut names: Vec<String> =
            self.submit_kind().reservable_numbers(root)?.into_iter().map(shown_number).collect();
        names.sort_unstable_by_key(|it| number_key(it));
        names.dedup_by_key(|it| number_key(it));
        Some(names)
    }

    /// Whether the draft was read completely, whatever rules are enabled.
    fn is_whole(&self) -> bool {
        let read = Submission::read(self.document);
        !self.document.cut && !matches!(read, Err(NoRecord::Unreadable { .. }))
    }
}

/// Refuses a number that is missing, superfluous or unclear.
fn check_number(kind: Option<Kind>, number: Option<&str>) -> Result<(), HistoryError> {
    let lacks_number = kind.is_some_and(|it| it.is_submit() && !it.has_numbers());
    let title = kind.map_or("", |it| it.provider().title());
    let why = match number {
        None if lacks_number => format!(
            "a submit request of {title} does not contain its number, so the gate cannot reserve it; \
             name the number with `--number`"
        ),
        Some(_) if !lacks_number => {
            "`--number` is for submit requests that do not contain their number; remove it".to_owned()
        }
        Some(number) if !NumberKey::of(number).is_exact() => {
            "`--number` needs a toll-free number such as +18334726150, or its identifier".to_owned()
        }
        _ => return Ok(()),
    };
    Err(HistoryError::Usage(why))
}

/// Why a number is not free, if it is not.
fn why_taken(history: &History, number: &str, now: Timestamp) -> Option<String> {
    if let Some(open) = history.open(number) {
        return Some(format!("the number has a submission that is still open: `{}`", quoted(&open.status)));
    }
    let reservation = history.reservation(number).filter(|it| now < it.until)?;
    Some(format!("the number is reserved for a submission until {:.0}", reservation.until))
}

/// A linter with only the rules that refuse drafts.
fn refusing() -> Result<Linter, HistoryError> {
    let builtin = Linter::builtin();
    let is_refusing = |gate| matches!(gate, GateRule::Refuses | GateRule::RefusesWithoutNumber);
    let refuses = builtin.rules().iter().filter(|rule| rule.gate.is_some_and(is_refusing));
    let select = refuses.map(|rule| rule.id.to_string()).collect();
    let linter = Linter::builder().config(Config { select, ..Config::default() }).build().ok();
    linter.ok_or_else(|| HistoryError::Usage("cannot load the built-in rules of the gate".to_owned()))
}

/// A token that cannot be guessed: 128 random bits in hexadecimal.
fn token() -> Result<String, HistoryError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        HistoryError::Usage(format!("cannot get random numbers from the operating system: {error}"))
    })?;
    let mut token = String::new();
    for byte in bytes {
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}
