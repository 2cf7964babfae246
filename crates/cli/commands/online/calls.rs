//! Outcomes of calls, for people and programs, and the exit status for them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tollproof_core::Provider;
use tollproof_history::AttemptOperation;
use tollproof_online::{Accepted, AcceptedBy, Api, CallOutcome, OrOutcome, Refusal};

use crate::args::PrintFormat;
use crate::counts::Exit;
use crate::errors::Result;
use crate::output::calls::{JsonCall, JsonCalls, VERSION};
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::filter::Filter;
use crate::terminal::{Look, one_line, width};

/// The exit statuses of calls, the gravest first.
const GRAVEST: [Exit; 7] =
    [Exit::Unknown, Exit::Unable, Exit::Key, Exit::Limited, Exit::Unfinished, Exit::Refused, Exit::Findings];

/// A call, and its outcome.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) operation: Option<AttemptOperation>,
    /// The file of the draft.
    pub(crate) file: Option<String>,
    pub(crate) provider: Provider,
    pub(crate) host: String,
    /// The number; empty if there is none.
    pub(crate) number: String,
    /// The id of the submission that was asked about.
    pub(crate) id: Option<String>,
    pub(crate) outcome: CallOutcome,
}

impl Call {
    pub(crate) fn new(
        api: &Api,
        operation: impl Into<Option<AttemptOperation>>,
        number: &str,
        outcome: CallOutcome,
    ) -> Self {
        Self {
            operation: operation.into(),
            file: None,
            provider: api.provider(),
            host: api.address(),
            number: number.to_owned(),
            id: None,
            outcome,
        }
    }

    /// The call of a draft.
    pub(crate) fn of_file(self, file: &str) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }

    /// The provider's part of it.
    pub(crate) fn accepted(&self) -> Option<&Accepted> {
        match &self.outcome {
            CallOutcome::Accepted(accepted)
            | CallOutcome::OpenElsewhere(accepted)
            | CallOutcome::RejectedEarlier { accepted, .. } => Some(accepted),
            _ => None,
        }
    }

    /// The call for programs. What the provider said of a refusal is not in it: that may quote the draft.
    fn json(&self) -> JsonCall {
        // As the draft names it, if it does: the provider may know it by an id.
        let number = [&self.number].into_iter().chain(self.accepted().map(|accepted| &accepted.number));
        let call = JsonCall {
            file: self.file.clone(),
            operation: self.operation.map(AttemptOperation::name),
            provider: self.provider.name(),
            host: self.host.clone(),
            number: number.into_iter().find(|number| !number.is_empty()).cloned(),
            result: self.outcome.name(),
            id: self.accepted().and_then(|accepted| accepted.id.clone()).or(self.id.clone()),
            status: self.accepted().and_then(|accepted| accepted.status.clone()),
            ..JsonCall::default()
        };
        let time = |time: &Timestamp| format!("{time:.0}");
        match &self.outcome {
            CallOutcome::Accepted(_) | CallOutcome::OpenElsewhere(_) | CallOutcome::NotTried => call,
            CallOutcome::RejectedEarlier { is_final, .. } => {
                JsonCall { reason: is_final.then(|| "rejected for good".to_owned()), ..call }
            }
            CallOutcome::RefusedByGate { rules, decision, .. } => {
                let reason = decision.as_ref().and_then(|decision| decision.why_taken.clone());
                JsonCall { rules: rules.clone(), reason, ..call }
            }
            CallOutcome::Refused(Refusal { status, step, .. }) => {
                let reason = step.as_ref().map(|step| format!("in the step `{step}`"));
                JsonCall { http_status: Some(*status), reason, ..call }
            }
            CallOutcome::BadKey(Refusal { status, .. }) => JsonCall { http_status: Some(*status), ..call },
            CallOutcome::Limited { retry_after } => {
                JsonCall { again_at: retry_after.and_then(after), ..call }
            }
            CallOutcome::NotFinished { why, next } => {
                JsonCall { reason: Some(why.clone()), next: Some(next.name()), ..call }
            }
            CallOutcome::Busy { until } => JsonCall { again_at: until.as_ref().map(time), ..call },
            CallOutcome::Gone { id, number, asked } => {
                let number = call.number.or_else(|| Some(number.clone()).filter(|text| !text.is_empty()));
                let reason = Some(format!("not in {asked}"));
                JsonCall { reason, number, id: Some(id.clone()), ..call }
            }
            CallOutcome::OtherAccount { token, sent_to, asked } => JsonCall {
                attempt: Some(token.clone()),
                can_ask: Some(false),
                reason: Some(format!("it was sent to {sent_to}, not to {asked}")),
                ..call
            },
            CallOutcome::Unknown { token, why, until, can_ask } => JsonCall {
                attempt: Some(token.clone()),
                again_at: until.as_ref().map(time),
                can_ask: Some(*can_ask),
                reason: Some(why.clone()),
                ..call
            },
            CallOutcome::BoughtInPart { why } => JsonCall { reason: Some(why.clone()), ..call },
            CallOutcome::NotFollowed { token, id, why } => {
                let (attempt, reason) = (Some(token.clone()), Some(why.clone()));
                JsonCall { attempt, reason, id: id.clone(), ..call }
            }
            CallOutcome::NothingArrived { token } => JsonCall { attempt: Some(token.clone()), ..call },
            CallOutcome::Failed(error) => JsonCall { reason: Some(error.to_string()), ..call },
        }
    }

    /// The exit status.
    pub(crate) fn exit(&self) -> Exit {
        exit_of(self.outcome.name())
    }

    /// The place of the outcome in the order of groups, and the title of its group.
    fn title(&self) -> (usize, String) {
        let done = match self.operation {
            Some(AttemptOperation::Submission) => "submitted",
            Some(AttemptOperation::Update) => "updated",
            Some(AttemptOperation::Purchase) => "bought",
            Some(AttemptOperation::Withdrawal) => "withdrawn",
            None => "found",
        };
        let place = place_of(self.outcome.name());
        let text = match RESULTS[place] {
            ("found", ..) if done == "withdrawn" => "{done} earlier, and no longer at the provider",
            (_, text, _) => text,
        };
        (place, text.replace("{done}", done))
    }
}

/// Each result in the order of [`CallOutcome::NAMES`]: the title of its group, in which `{done}` is what the operation does,
/// and the exit status.
const RESULTS: [(&str, &str, Exit); 19] = [
    ("done", "{done}", Exit::Clean),
    ("found", "{done} earlier, and found at the provider", Exit::Clean),
    ("done-earlier", "{done} earlier; not sent again", Exit::Clean),
    ("rejected-earlier", "{done} earlier and rejected; the draft is the same", Exit::Findings),
    ("open-elsewhere", "under review already, but not sent from here", Exit::Findings),
    ("refused-by-gate", "refused by the gate, and not sent", Exit::Findings),
    ("refused-by-provider", "refused by the provider", Exit::Refused),
    ("key-refused", "not sent, because of the key", Exit::Key),
    ("rate-limited", "not sent, because of too many requests", Exit::Limited),
    ("not-finished", "not finished", Exit::Unfinished),
    ("busy", "another program is at work", Exit::Unfinished),
    ("not-tried", "not tried", Exit::Unfinished),
    ("gone", "no longer at the provider", Exit::Unfinished),
    ("other-account", "unknown, because it was sent with another account", Exit::Unknown),
    ("bought-in-part", "bought in part", Exit::Clean),
    ("not-followed", "{done} earlier; its review cannot be followed", Exit::Clean),
    ("unknown", "unknown", Exit::Unknown),
    ("nothing-arrived", "did not arrive; can be sent again", Exit::Clean),
    ("failed", "could not be sent", Exit::Unable),
];

fn place_of(name: &str) -> usize {
    RESULTS.iter().position(|(known, ..)| *known == name).expect("the table has every result")
}

/// The exit status of a result.
pub(super) fn exit_of(name: &str) -> Exit {
    RESULTS[place_of(name)].2
}

/// Prints calls: what became of each, with what to do, or all as JSON.
pub(crate) fn print(calls: &[Call], format: PrintFormat, out: &mut dyn Write) -> Result<()> {
    let json = json_of(calls);
    let value = JsonCalls { version: VERSION, calls: &json };
    print_value(format, Look::PLAIN, out, &value, |out| print_text(calls, out))
}

/// Prints calls, after what the provider says of those that it refused. Returns their exit status.
pub(crate) fn report(calls: &[Call], format: PrintFormat, out: &mut dyn Write) -> Result<Exit> {
    for call in calls {
        if let CallOutcome::Refused(answered) | CallOutcome::BadKey(answered) = &call.outcome
            && !answered.message.is_empty()
        {
            say!("{}: {}", call.provider.title(), one_line(&answered.message));
        }
    }
    print(calls, format, out)?;
    Ok(gravest(calls.iter().map(Call::exit)))
}

/// The thing that was found. Prints why nothing could be found, and breaks with the exit status then.
pub(crate) fn found_or_printed<T>(
    api: &Api,
    found: OrOutcome<T>,
    format: PrintFormat,
    out: &mut dyn Write,
) -> Result<ControlFlow<Exit, T>> {
    Ok(match found {
        Ok(found) => ControlFlow::Continue(found),
        Err(outcome) => ControlFlow::Break(report(&[Call::new(api, None, "", *outcome)], format, out)?),
    })
}

/// The calls for programs.
pub(crate) fn json_of(calls: &[Call]) -> Vec<JsonCall> {
    calls.iter().map(Call::json).collect()
}

fn after(time: Duration) -> Option<String> {
    let time = SignedDuration::try_from(time).ok()?;
    Timestamp::now().checked_add(time).ok().map(|it| format!("{it:.0}"))
}

/// The gravest of several exit statuses.
pub(crate) fn gravest(exits: impl IntoIterator<Item = Exit>) -> Exit {
    let all: Vec<Exit> = exits.into_iter().collect();
    GRAVEST.into_iter().find(|it| all.contains(it)).unwrap_or(Exit::Clean)
}

/// Prints calls in groups, with what to do.
pub(crate) fn print_text(calls: &[Call], out: &mut dyn Write) -> io::Result<()> {
    let out = &mut Filter::screen(out);
    let mut groups: BTreeMap<(usize, String), Vec<&Call>> = BTreeMap::new();
    for call in calls {
        groups.entry(call.title()).or_default().push(call);
    }
    for (at, ((_, title), group)) in groups.into_iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{title} ({})", group.len())?;
        let json: Vec<JsonCall> = group.iter().map(|call| call.json()).collect();
        let rows: Vec<[String; 3]> = json.iter().map(row).collect();
        let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or_default();
        let widths = [widest(0), widest(1)];
        for [file, number, more] in &rows {
            let mut line = String::new();
            for (text, width_of_column) in [(file, widths[0]), (number, widths[1])] {
                if width_of_column > 0 {
                    line += &format!("  {text}{}", " ".repeat(width_of_column - width(text)));
                }
            }
            if !more.is_empty() {
                line += &format!("  {more}");
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        for advice in advice(&group, &json) {
            writeln!(out, "  {advice}")?;
        }
    }
    Ok(())
}

fn row(call: &JsonCall) -> [String; 3] {
    let mut more: Vec<String> = [&call.id, &call.status].into_iter().flatten().cloned().collect();
    more.extend(call.http_status.map(|status| format!("status {status}")));
    more.extend(call.rules.iter().cloned());
    more.extend(call.reason.iter().cloned());
    more.extend(call.attempt.iter().map(|token| format!("(attempt {token})")));
    let text = |text: &Option<String>| one_line(text.as_deref().unwrap_or_default());
    [text(&call.file), text(&call.number), one_line(&more.join("  "))]
}

/// Whether the number alone is what refuses a draft.
fn is_taken(call: &JsonCall) -> bool {
    let is_number =
        |rule: &String| ["history/already-submitted", "history/reserved-number"].contains(&rule.as_str());
    !call.rules.is_empty() && call.rules.iter().all(is_number)
}

/// The next step for calls with the same title.
fn advice(group: &[&Call], json: &[JsonCall]) -> Vec<String> {
    let again_at = json.iter().filter_map(|call| call.again_at.as_deref()).max();
    let later = again_at.map_or_else(|| "later".to_owned(), |time| format!("after {time}"));
    let Some((first, call)) = group.first().zip(json.first()) else { return Vec::new() };
    let text = match (&first.outcome, first.operation) {
        (CallOutcome::OpenElsewhere(_), _) => {
            "Nothing was sent. `tollproof status` asks when the review has ended."
        }
        (CallOutcome::RejectedEarlier { is_final: true, .. }, _) => {
            "It was rejected for good. Ask your provider before you send anything for this number."
        }
        (CallOutcome::RejectedEarlier { .. }, _) => {
            "Fix the draft and run `tollproof update`, or send it again as it is with `--again`."
        }
        (CallOutcome::RefusedByGate { .. }, _) if json.iter().all(is_taken) => {
            "The draft can stay as it is: its number is taken (see above). `tollproof status` gets the status of its submission."
        }
        (CallOutcome::RefusedByGate { .. }, _) => "Fix what is reported above, and run the command again.",
        (CallOutcome::Refused(_), Some(AttemptOperation::Purchase)) => {
            "Nothing was bought with this request. The provider's reason is above."
        }
        (CallOutcome::Refused(_), Some(AttemptOperation::Withdrawal)) => {
            "The submission was not withdrawn. The provider's reason is above."
        }
        (CallOutcome::Refused(_), _) => {
            "The provider did not accept the draft. Fix the draft, and run the command again."
        }
        (CallOutcome::Limited { .. }, _) => {
            &format!("Run the command again {later}: it continues where it stopped.")
        }
        (CallOutcome::Busy { .. }, _) => {
            &format!("Nothing was sent, because another run has not finished. Run the command again {later}.")
        }
        (CallOutcome::NotTried, _) => "Run the same command again: it buys what is missing.",
        (CallOutcome::BoughtInPart { .. }, _) => "Run the same `tollproof number buy` again for the rest.",
        (CallOutcome::Gone { .. }, _) => {
            let withdrawn = |call: &JsonCall| {
                let id = one_line(call.id.as_deref().unwrap_or("ID"));
                format!(
                    "If it was withdrawn elsewhere, such as in the console: `tollproof cancel {id} --gone`."
                )
            };
            let first = "If the submission belongs to another account, use that account.".to_owned();
            return std::iter::once(first).chain(json.iter().map(withdrawn)).collect();
        }
        (CallOutcome::OtherAccount { .. }, _) => {
            "Run the command with the account that it was sent with. Nothing is sent again until then."
        }
        (CallOutcome::Unknown { .. }, _) => return unknown(json),
        (CallOutcome::Accepted(accepted), Some(AttemptOperation::Purchase))
            if accepted.by == AcceptedBy::Earlier =>
        {
            "To buy more numbers, use `--again`."
        }
        _ if call.result == "key-refused" => "Set the right key, and check that its role may do this.",
        _ if call.result == "not-finished" => return unfinished(group),
        _ => return Vec::new(),
    };
    vec![text.to_owned()]
}

/// The next step for a call that was not finished, in the order of `NextStep`.
const NEXT: [Option<&str>; 4] = [
    Some("Run the command again: it continues where it stopped."),
    Some(
        "Check the address (`--host`), the proxy, and the certificates of this machine before you run the \
         command again.",
    ),
    Some("Check the account: the number must be one of its own, and its key must be allowed to read it."),
    None,
];

/// The next step for calls that were not finished, each cause once.
fn unfinished(group: &[&Call]) -> Vec<String> {
    let next = |call: &&Call| match call.outcome {
        CallOutcome::NotFinished { next, .. } => next as usize,
        _ => 0,
    };
    let steps: BTreeSet<usize> = group.iter().map(next).collect();
    steps.into_iter().filter_map(|step| NEXT[step].map(str::to_owned)).collect()
}

/// Hints on finding the outcome of calls.
fn unknown(calls: &[JsonCall]) -> Vec<String> {
    let mut advice = Vec::new();
    if let Some(call) =
        calls.iter().filter(|call| call.can_ask == Some(true)).max_by_key(|call| &call.again_at)
    {
        let when = call.again_at.as_ref().map(|time| format!(" after {time}")).unwrap_or_default();
        advice.push(format!(
            "Run `tollproof status` with the same options{when} to find out. Until then nothing is sent again."
        ));
    }
    if let Some(call) = calls.iter().find(|call| call.can_ask == Some(false)) {
        let token = call.attempt.as_deref().unwrap_or("TOKEN");
        let later = call.again_at.as_ref().map(|time| format!(" after {time}")).unwrap_or_default();
        let provider = Provider::named(call.provider).map_or(call.provider, Provider::title);
        advice.push(format!(
            "{provider} cannot be asked. Look in its console, then run `tollproof attempts resolve {token}` with \
             `--arrived ID`, or{later} with `--nothing-arrived`."
        ));
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_result() {
        assert_eq!(RESULTS.map(|(name, ..)| name), CallOutcome::NAMES);
    }

    #[test]
    fn the_gravest_status_counts() {
        assert_eq!(gravest([]), Exit::Clean);
        assert_eq!(gravest([Exit::Findings, Exit::Refused]), Exit::Refused);
        assert_eq!(gravest([Exit::Key, Exit::Unknown, Exit::Limited]), Exit::Unknown);
        assert_eq!(gravest([Exit::Unfinished, Exit::Clean, Exit::Limited]), Exit::Limited);
    }
}
