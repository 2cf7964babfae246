//! The gate: decides whether a draft may be sent, and reserves its number so that only one caller sends it.

mod draft;
mod options;

use std::collections::HashMap;

use jiff::Timestamp;
use tollproof_core::{
    Config, Facts, Finding, GateRule, History, Kind, KindHint, Linter, Parsed, Report, Reservation, Severity,
    kind_of, payload, quoted, role,
};

use self::draft::{Draft, check_number};
use self::options::too_late;
pub use self::options::{AttemptOptions, GateOptions, MAX_TTL, MIN_TTL};
use crate::attempt::Attempt;
use crate::error::{HistoryError, Result};
use crate::history_set::HistorySet;
use crate::lookup::Query;
use crate::store::{Begun, Reserved};
use crate::token::token;

/// The gate's tries to reserve a number that was free when its history was read, but taken when it was reserved. The
/// second look-up usually shows why. A third is needed only if that reservation or submission has just ended.
const TRIES: usize = 3;

/// Checks drafts and reserves the numbers of those that may be sent.
#[derive(Debug)]
pub struct Gate<'g> {
    linter: &'g Linter,
    past: &'g mut HistorySet,
}

/// Whether a draft may be sent, and why.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Whether the draft may be sent.
    pub verdict: Verdict,
    /// The findings. Those that refuse the draft are errors.
    pub report: Report,
    /// The reason the draft must not be sent, if no finding is an error: so its number is not free, and is not in the
    /// draft.
    pub why_taken: Option<String>,
    /// The texts of records from stores that findings point to, by name.
    pub texts: HashMap<String, String>,
}

/// Whether a draft may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one for each draft")]
pub enum Verdict {
    /// The draft may be sent.
    Go(Permit),
    /// The draft must not be sent.
    Refused,
}

/// The data to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permit {
    /// The body of the request: one line of JSON.
    pub payload: String,
    /// The reservation of the numbers; `None` for an update request, which does not open a submission.
    pub ticket: Option<Ticket>,
    /// The attempt, if [`GateOptions::attempt`] asks for one. Its digest is that of `payload`.
    pub attempt: Option<Attempt>,
}

/// A reservation, as its holder receives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The numbers of the draft.
    pub numbers: Vec<String>,
    /// Identifies this reservation, for [`Store::release`](crate::Store::release).
    pub token: String,
    /// The expiry of the reservation unless it is confirmed; [`Timestamp::MAX`] for that of an attempt.
    pub until: Timestamp,
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
    pub fn decide(&mut self, parsed: &Parsed<'_>, hint: KindHint, plan: &GateOptions) -> Result<Decision> {
        let mut decision = self.decided(parsed, hint, plan)?;
        let is_refused = decision.verdict == Verdict::Refused;
        if is_refused && decision.why_taken.is_none() && decision.report.count(Severity::Error) == 0 {
            decision.why_taken =
                Some("it cannot be read completely, or its number may have another name".to_owned());
        }
        Ok(decision)
    }

    fn decided(&mut self, parsed: &Parsed<'_>, hint: KindHint, plan: &GateOptions) -> Result<Decision> {
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
        let names = plan.attempt.as_ref().map_or(&[][..], |attempt| &attempt.names);
        let draft = Draft { parsed, document, kind, hint, number: plan.number.as_deref(), names };
        if kind.is_some_and(Kind::is_submit) || plan.attempt.is_some() {
            self.past.store()?;
        }
        if plan.attempt.is_none() && !(MIN_TTL..=MAX_TTL).contains(&plan.ttl) {
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
            let numbers = match draft.reservable() {
                _ if !kind.is_submit() => Vec::new(),
                Some(numbers) => numbers,
                None => return Ok(decision),
            };
            let payload = payload(root, kind);
            let (ticket, attempt) = match &plan.attempt {
                Some(options) => {
                    // The lease runs by the clock of the store, whatever time the rules calculate with.
                    let begun = self.past.store()?.now()?;
                    let new = draft.attempt(kind, &names, &payload, options, plan, begun)?;
                    match self.past.store()?.begin(&new, begun)? {
                        Begun::Started(attempt) => {
                            let (token, until) = (attempt.token.clone(), Timestamp::MAX);
                            (kind.is_submit().then_some(Ticket { numbers, token, until }), Some(attempt))
                        }
                        Begun::Taken => continue,
                    }
                }
                None if !kind.is_submit() => (None, None),
                None => match self.reserve(&names, &token, now, plan)? {
                    Some(until) => (Some(Ticket { numbers, token, until }), None),
                    None => continue,
                },
            };
            decision.verdict = Verdict::Go(Permit { payload, ticket, attempt });
            return Ok(decision);
        }
        let now = self.now(plan)?;
        let (mut decision, names) = self.judge(&draft, plan, now)?;
        if names.is_some() {
            decision.why_taken = Some("another program takes and frees its number; ask again".to_owned());
        }
        Ok(decision)
    }

    fn now(&mut self, plan: &GateOptions) -> Result<Timestamp> {
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
    ) -> Result<(Decision, Option<Vec<String>>)> {
        let numbers = draft.numbers();
        let declared = draft.document.declared().record.map(|(id, _)| id.to_owned());
        let ids = declared.into_iter().chain(plan.record_id.clone()).collect();
        let found = self.past.look_up(&Query { numbers: numbers.clone(), ids })?;
        let facts = Facts {
            history: found.history,
            record: plan.record.clone(),
            record_id: plan.record_id.clone(),
            notified_at: plan.notified_at,
            seen: plan.seen.clone(),
            readings: plan.readings.clone().keeping_errors(),
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
        let gate_of =
            |finding: &Finding| rules.iter().find(|rule| rule.id == finding.rule).and_then(|rule| rule.gate);
        let refuses = |finding: &Finding| {
            let on_number = || draft.submit_kind().role_at(&finding.pointer) == Some(role::PHONE_NUMBERS);
            match gate_of(finding) {
                Some(GateRule::RefusesWithoutNumber) => is_nameless && on_number(),
                gate => gate == Some(GateRule::Refuses),
            }
        };
        let warns = |finding: &Finding| gate_of(finding) == Some(GateRule::Warns);
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
            && !report
                .findings
                .iter()
                .any(|finding| finding.always_counts() && finding.severity == Severity::Error);
        let is_free = !is_taken && !is_nameless;
        let may_pass = is_free && is_readable && report.count(Severity::Error) == 0;
        // By another name than the draft's, too.
        let is_found = plan.number.is_none() && report.count(Severity::Error) > 0;
        let why_taken = why_taken.filter(|_| is_taken && !is_found);
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
    ) -> Result<Option<Timestamp>> {
        let until = now.checked_add(plan.ttl).map_err(|_| too_late())?;
        let reserved = self.past.store()?.reserve(names, token, Reservation { since: now, until })?;
        Ok((reserved == Reserved::Done).then_some(until))
    }
}

/// Returns why a number is not free, if it is not.
fn why_taken(history: &History, number: &str, now: Timestamp) -> Option<String> {
    if let Some(open) = history.open(number) {
        return Some(format!("the number has a submission that is still open: `{}`", quoted(&open.status)));
    }
    let reservation = history.reservation(number).filter(|it| now < it.until)?;
    Some(format!("the number is reserved for a submission until {}", reservation.end()))
}

/// A linter with only the rules that refuse drafts.
fn refusing() -> Result<Linter> {
    let builtin = Linter::builtin();
    let is_refusing = |gate| matches!(gate, GateRule::Refuses | GateRule::RefusesWithoutNumber);
    let refuses = builtin.rules().iter().filter(|rule| rule.gate.is_some_and(is_refusing));
    let select = refuses.map(|rule| rule.id.to_string()).collect();
    let linter = Linter::builder().config(Config { select, ..Config::default() }).build().ok();
    linter.ok_or_else(|| HistoryError::Usage("cannot load the built-in rules of the gate".to_owned()))
}
