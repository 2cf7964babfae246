//! What became of calls, for people and programs, and the exit status for it.

use std::io::{self, Write};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tollproof_online::{Accepted, AcceptedBy, Api, CallError, CallOutcome, Refusal};

use super::connection::exit_of_error;
use crate::counts::Exit;
use crate::output::calls::{CallResult, JsonCall, JsonNextStep};
use crate::terminal::filter::Filter;
use crate::terminal::{one_line, width};

/// The exit statuses of calls, the gravest first.
const GRAVEST: [Exit; 7] =
    [Exit::Unknown, Exit::Unable, Exit::Key, Exit::Limited, Exit::Unfinished, Exit::Refused, Exit::Findings];

/// The call of a draft or number that was not made, or not yet.
pub(in crate::commands) fn withheld(
    api: &Api,
    file: Option<&str>,
    number: &str,
    result: CallResult,
) -> JsonCall {
    JsonCall {
        file: file.map(str::to_owned),
        provider: api.provider().name(),
        host: api.address(),
        number: Some(number.to_owned()).filter(|it| !it.is_empty()),
        result,
        id: None,
        status: None,
        http_status: None,
        rules: Vec::new(),
        attempt: None,
        again_at: None,
        can_ask: None,
        reason: None,
        next: None,
    }
}

/// The outcome of a call. What the provider said of a refusal is not in it: that may quote the draft.
pub(in crate::commands) fn of_outcome(
    api: &Api,
    file: Option<&str>,
    number: &str,
    outcome: &CallOutcome,
) -> JsonCall {
    let call = |result| withheld(api, file, number, result);
    let with = |result, number: &String, id: &Option<String>, status: &Option<String>| {
        let call = call(result);
        // As the draft names it, if it does: the provider may know it by an id.
        let number = call.number.clone().or_else(|| Some(number.clone()).filter(|it| !it.is_empty()));
        JsonCall { number, id: id.clone(), status: status.clone(), ..call }
    };
    match outcome {
        CallOutcome::OpenElsewhere(Accepted { id, status, number, .. }) => {
            with(CallResult::OpenElsewhere, number, id, status)
        }
        CallOutcome::RejectedEarlier(Accepted { id, status, number, .. }) => {
            with(CallResult::RejectedEarlier, number, id, status)
        }
        CallOutcome::Accepted(Accepted { id, status, number, by }) => {
            let result = match by {
                AcceptedBy::Answer => CallResult::Done,
                AcceptedBy::Look => CallResult::Found,
                AcceptedBy::Earlier => CallResult::DoneEarlier,
            };
            with(result, number, id, status)
        }
        CallOutcome::RefusedByGate { decision, .. } => {
            let errors = decision
                .report
                .findings
                .iter()
                .filter(|it| it.suppressed.is_none() && it.severity == tollproof_core::Severity::Error);
            let mut rules: Vec<String> = errors.map(|it| it.rule.to_string()).collect();
            rules.sort_unstable();
            rules.dedup();
            JsonCall { rules, reason: decision.why_taken.clone(), ..call(CallResult::RefusedByGate) }
        }
        CallOutcome::Refused(Refusal { status, step, .. }) => {
            let reason = step.as_ref().map(|step| format!("in the step `{step}`"));
            JsonCall { http_status: Some(*status), reason, ..call(CallResult::RefusedByProvider) }
        }
        CallOutcome::BadKey(Refusal { status, .. }) => {
            JsonCall { http_status: Some(*status), ..call(CallResult::KeyRefused) }
        }
        CallOutcome::Limited { retry_after } => {
            JsonCall { again_at: retry_after.and_then(after), ..call(CallResult::RateLimited) }
        }
        CallOutcome::NotFinished { why, next } => JsonCall {
            reason: Some(why.clone()),
            next: Some(JsonNextStep::of(*next)),
            ..call(CallResult::NotFinished)
        },
        CallOutcome::Busy { until } => {
            JsonCall { again_at: until.map(|time| format!("{time:.0}")), ..call(CallResult::Busy) }
        }
        CallOutcome::NotTried => call(CallResult::NotTried),
        CallOutcome::Gone { id, number, asked, sent_to } => {
            let sent_to = sent_to.as_ref().filter(|address| *address != asked);
            let sent_to = sent_to.map(|address| format!("; it was sent to {address}")).unwrap_or_default();
            let reason = Some(format!("not in {asked}{sent_to}"));
            JsonCall { reason, ..with(CallResult::Gone, number, &Some(id.clone()), &None) }
        }
        CallOutcome::OtherAccount { token, sent_to, asked } => JsonCall {
            attempt: Some(token.clone()),
            can_ask: Some(false),
            reason: Some(format!("it was sent to {sent_to}, not to {asked}")),
            ..call(CallResult::OtherAccount)
        },
        CallOutcome::Unknown { token, why, until, can_ask } => JsonCall {
            attempt: Some(token.clone()),
            again_at: until.map(|time| format!("{time:.0}")),
            can_ask: Some(*can_ask),
            reason: Some(why.clone()),
            ..call(CallResult::Unknown)
        },
    }
}

/// A call that could not be made.
pub(in crate::commands) fn failed(
    api: &Api,
    file: Option<&str>,
    number: &str,
    error: &CallError,
) -> JsonCall {
    let result = match exit_of_error(error) {
        Exit::Key => CallResult::KeyRefused,
        Exit::Unfinished => CallResult::NotFinished,
        _ => CallResult::Failed,
    };
    JsonCall { reason: Some(error.to_string()), ..withheld(api, file, number, result) }
}

fn after(time: Duration) -> Option<String> {
    let time = SignedDuration::try_from(time).ok()?;
    Timestamp::now().checked_add(time).ok().map(|it| format!("{it:.0}"))
}

/// The exit status for a call.
pub(in crate::commands) fn exit_of(result: CallResult) -> Exit {
    match result {
        CallResult::Done
        | CallResult::Found
        | CallResult::DoneEarlier
        | CallResult::NotFollowed
        | CallResult::NothingArrived => Exit::Clean,
        CallResult::RejectedEarlier | CallResult::OpenElsewhere | CallResult::RefusedByGate => Exit::Findings,
        CallResult::RefusedByProvider => Exit::Refused,
        CallResult::KeyRefused => Exit::Key,
        CallResult::RateLimited => Exit::Limited,
        CallResult::NotFinished | CallResult::Busy | CallResult::NotTried | CallResult::Gone => {
            Exit::Unfinished
        }
        CallResult::Unknown | CallResult::OtherAccount => Exit::Unknown,
        CallResult::Failed => Exit::Unable,
    }
}

/// The gravest of several exit statuses.
pub(in crate::commands) fn gravest(exits: impl IntoIterator<Item = Exit>) -> Exit {
    let all: Vec<Exit> = exits.into_iter().collect();
    GRAVEST.into_iter().find(|it| all.contains(it)).unwrap_or(Exit::Clean)
}

/// Prints calls in groups, with what to do. `done` is the word for what was wanted: `submitted`.
pub(in crate::commands) fn print(calls: &[JsonCall], done: &str, out: &mut dyn Write) -> io::Result<()> {
    let out = &mut Filter::screen(out);
    let mut results: Vec<CallResult> = calls.iter().map(|it| it.result).collect();
    results.sort_unstable();
    results.dedup();
    for (at, result) in results.into_iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        let group: Vec<&JsonCall> = calls.iter().filter(|it| it.result == result).collect();
        writeln!(out, "{} ({})", title(result, done), group.len())?;
        let rows: Vec<[String; 3]> = group.iter().map(|it| row(it)).collect();
        let widest = |column: usize| rows.iter().map(|it| width(&it[column])).max().unwrap_or_default();
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
        for advice in advice(result, done, &group) {
            writeln!(out, "  {advice}")?;
        }
    }
    Ok(())
}

/// The word for a purchase that was done.
pub(in crate::commands) const BOUGHT: &str = "bought";

/// The word for a withdrawal that was done.
pub(in crate::commands) const WITHDRAWN: &str = "withdrawn";

fn title(result: CallResult, done: &str) -> String {
    let text = match result {
        CallResult::Done => done,
        CallResult::Found if done == WITHDRAWN => "withdrawn earlier, and gone at the provider",
        CallResult::Found => return format!("{done} earlier, and found at the provider"),
        CallResult::DoneEarlier => return format!("{done} earlier, and not again"),
        CallResult::RejectedEarlier => return format!("{done} earlier as it is, and rejected"),
        CallResult::OpenElsewhere => "under review already, but not sent from here",
        CallResult::RefusedByGate => "refused by the gate, and not sent",
        CallResult::RefusedByProvider => "refused by the provider",
        CallResult::KeyRefused => "not sent, because of the key",
        CallResult::RateLimited => "not sent, because of too many requests",
        CallResult::NotFinished => "not finished",
        CallResult::Busy => "another program is at work",
        CallResult::NotTried => "not tried",
        CallResult::Gone => "gone at the provider",
        CallResult::OtherAccount => "unknown, because it was sent with another account",
        CallResult::NotFollowed => return format!("{done} earlier, and not followed"),
        CallResult::Unknown => "unknown",
        CallResult::NothingArrived => "nothing arrived, and free again",
        CallResult::Failed => "could not be sent",
    };
    text.to_owned()
}

fn row(call: &JsonCall) -> [String; 3] {
    let mut more: Vec<String> = [&call.id, &call.status].into_iter().flatten().cloned().collect();
    more.extend(call.http_status.map(|it| format!("status {it}")));
    more.extend(call.rules.iter().cloned());
    more.extend(call.reason.iter().cloned());
    more.extend(call.attempt.iter().map(|it| format!("(attempt {it})")));
    let text = |it: &Option<String>| one_line(it.as_deref().unwrap_or_default());
    [text(&call.file), text(&call.number), one_line(&more.join("  "))]
}

/// What to do about calls with the same result.
fn advice(result: CallResult, done: &str, calls: &[&JsonCall]) -> Vec<String> {
    let again_at = calls.iter().filter_map(|it| it.again_at.as_deref()).max();
    let later = again_at.map_or_else(|| "later".to_owned(), |it| format!("after {it}"));
    let text = match result {
        CallResult::OpenElsewhere => {
            "Nothing was sent. `tollproof status` asks when the review has ended.".to_owned()
        }
        CallResult::RejectedEarlier => {
            "Fix the draft and run `tollproof update`, or send it again as it is with `--again`.".to_owned()
        }
        CallResult::RefusedByGate => "Fix what is reported above, and run the command again.".to_owned(),
        CallResult::RefusedByProvider => {
            "The provider did not accept it. Fix it, and run the command again.".to_owned()
        }
        CallResult::KeyRefused => "Set the right key, and check that its role may do this.".to_owned(),
        CallResult::RateLimited => format!("Run the command again {later}: it goes on where it ended."),
        CallResult::NotFinished => return unfinished(calls),
        CallResult::Busy => format!(
            "Nothing was sent. Run the command again {later}: until then, only the program that began it goes on."
        ),
        CallResult::NotTried => "Run the same command again: it buys what is missing.".to_owned(),
        CallResult::Gone => return gone(calls),
        CallResult::OtherAccount => {
            "Run the command with the account that it was sent with. Nothing is sent again until then."
                .to_owned()
        }
        CallResult::Unknown => return unknown(calls),
        CallResult::DoneEarlier if done == BOUGHT => "To buy more numbers, use `--again`.".to_owned(),
        CallResult::Done
        | CallResult::Found
        | CallResult::DoneEarlier
        | CallResult::NotFollowed
        | CallResult::NothingArrived
        | CallResult::Failed => return Vec::new(),
    };
    vec![text]
}

/// The next step for calls that were not sent, each cause once.
fn unfinished(calls: &[&JsonCall]) -> Vec<String> {
    let mut next: Vec<JsonNextStep> =
        calls.iter().map(|call| call.next.unwrap_or(JsonNextStep::RunAgain)).collect();
    next.sort_unstable();
    next.dedup();
    let text = |next: JsonNextStep| match next {
        JsonNextStep::RunAgain => Some("Run the command again: it goes on where it ended."),
        JsonNextStep::CheckConnection => Some(
            "Check the address (`--host`), the proxy, and the certificates of this machine: the same command would end in \
             the same way.",
        ),
        JsonNextStep::CheckAccount => Some(
            "Check the account: the number must be one of its own, and its key must be allowed to read it.",
        ),
        JsonNextStep::AsSaid => None,
    };
    next.into_iter().filter_map(text).map(str::to_owned).collect()
}

/// The next step for submissions that the provider does not have.
fn gone(calls: &[&JsonCall]) -> Vec<String> {
    let id = calls.iter().find_map(|call| call.id.as_deref()).unwrap_or("ID");
    vec![
        "If it is another account that has it, use that one.".to_owned(),
        format!(
            "If it was withdrawn elsewhere, such as in the console: `tollproof cancel {} --gone`.",
            one_line(id)
        ),
    ]
}

/// How to find out what became of calls.
fn unknown(calls: &[&JsonCall]) -> Vec<String> {
    let mut advice = Vec::new();
    if let Some(call) = calls.iter().filter(|it| it.can_ask == Some(true)).max_by_key(|it| &it.again_at) {
        let when = call.again_at.as_ref().map(|time| format!(" after {time}")).unwrap_or_default();
        advice.push(format!(
            "Run `tollproof status` with the same options{when}: it finds out. Until then nothing is sent again."
        ));
    }
    if let Some(call) = calls.iter().find(|it| it.can_ask == Some(false)) {
        let token = call.attempt.as_deref().unwrap_or("TOKEN");
        let later = call.again_at.as_ref().map(|time| format!(" after {time}")).unwrap_or_default();
        advice.push(format!(
            "{} cannot be asked. Look in its console, then run `tollproof attempts resolve {token}` with \
             `--arrived ID`, or{later} with `--nothing-arrived`.",
            call.provider
        ));
    }
    advice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_status_counts() {
        assert_eq!(gravest([]), Exit::Clean);
        assert_eq!(gravest([Exit::Findings, Exit::Refused]), Exit::Refused);
        assert_eq!(gravest([Exit::Key, Exit::Unknown, Exit::Limited]), Exit::Unknown);
        assert_eq!(gravest([Exit::Unfinished, Exit::Clean, Exit::Limited]), Exit::Limited);
    }
}
