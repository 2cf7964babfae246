//! JSON output of commands that call a provider; `schemas/calls.schema.json` is generated from the structs in this file.

use serde::Serialize;
use serde_json::Value;
#[cfg(test)]
use tollproof_online::{CallOutcome, NextStep};

/// The version of the format. It changes when an older reader would misread it.
pub(crate) const VERSION: u32 = 1;

/// The output of `submit`, `update`, `cancel` and `number buy`: what became of each draft or number.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonCalls<'c> {
    /// The version of this format, 1.
    pub(crate) version: u32,
    /// The outcome of each draft or number, in the order in which they were named.
    pub(crate) calls: &'c [JsonCall],
}

/// The outcome of a draft, an update, a withdrawal or a purchase.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonCall {
    /// The file of the draft, with `#N` if the file has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// The operation: `submit`, `update`, `buy` or `cancel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) operation: Option<&'static str>,
    /// The provider.
    pub(crate) provider: &'static str,
    /// The server.
    pub(crate) host: String,
    /// The number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<String>,
    /// The outcome.
    #[cfg_attr(test, schemars(extend("enum" = CallOutcome::NAMES)))]
    pub(crate) result: &'static str,
    /// The id of the submission or number at the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// The status of the submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<String>,
    /// The HTTP status with which the provider refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) http_status: Option<u16>,
    /// The rules whose findings refused it at the gate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) rules: Vec<String>,
    /// The token of the attempt whose outcome is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) attempt: Option<String>,
    /// The time to look or to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) again_at: Option<String>,
    /// Whether the provider can be asked what became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) can_ask: Option<bool>,
    /// The reason it was not done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The next step for a call that was not finished.
    #[cfg_attr(test, schemars(extend("enum" = NextStep::NAMES)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<&'static str>,
}

/// The output of `status`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonStatus<'c> {
    /// The version of this format, 1.
    pub(crate) version: u32,
    /// Attempts that were settled, and what could not be asked.
    pub(crate) calls: &'c [JsonCall],
    /// Submissions that changed; with numbers or ids, all that were asked about.
    pub(crate) submissions: &'c [JsonSubmission],
    /// The number of unchanged others.
    pub(crate) unchanged: usize,
}

/// A submission as the provider has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonSubmission {
    /// The provider.
    pub(crate) provider: &'static str,
    /// The server.
    pub(crate) host: String,
    /// The id of the submission.
    pub(crate) id: String,
    /// The numbers of the submission.
    pub(crate) numbers: Vec<String>,
    /// The status in the history before; null if the submission was unknown.
    pub(crate) before: Option<String>,
    /// The status now.
    pub(crate) status: String,
    /// The meaning of the status.
    pub(crate) outcome: ReviewOutcome,
    /// The reviewers' text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// Until when the reviewers wait for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer_by: Option<String>,
    /// Whether the status is another one than before.
    pub(crate) changed: bool,
}

/// The meaning of a submission's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum ReviewOutcome {
    /// The review has not ended.
    Open,
    /// The reviewers wait for an answer.
    AnswerNeeded,
    /// The number was verified.
    Verified,
    /// The reviewers rejected the submission.
    Rejected,
    /// The submission was withdrawn, closed or deleted.
    Ended,
}

/// The output of `number find` and `number list`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonNumbers<'c> {
    /// The version of this format, 1.
    pub(crate) version: u32,
    /// The numbers.
    pub(crate) numbers: &'c [JsonNumber],
}

/// A number that can be bought, or is the account's.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonNumber {
    /// The number in E.164.
    pub(crate) number: String,
    /// The id that the provider gives it.
    pub(crate) id: Option<String>,
    /// The price for a month, with the currency if the provider says it.
    pub(crate) price: Option<String>,
}

/// The output of `attempts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonAttempts<'c> {
    /// The version of this format, 1.
    pub(crate) version: u32,
    /// The attempts, the newest first.
    pub(crate) attempts: &'c [JsonAttempt],
}

/// A submission, update, purchase or withdrawal that was written down before it was sent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonAttempt {
    /// Identifies the attempt.
    pub(crate) token: String,
    /// The operation: `submit`, `update`, `buy` or `cancel`.
    pub(crate) operation: &'static str,
    /// The outcome as far as known: `prepared`, `sent`, `accepted`, `refused` or `withdrawn`.
    pub(crate) state: &'static str,
    /// The provider.
    pub(crate) provider: String,
    /// The server.
    pub(crate) host: String,
    /// The number; null for a purchase of any number.
    pub(crate) number: Option<String>,
    /// The id of the submission or number, once it is known.
    pub(crate) id: Option<String>,
    /// The time it was recorded.
    pub(crate) created_at: String,
    /// The time its last request was about to be sent.
    pub(crate) sent_at: Option<String>,
    /// The reason for refusal or withdrawal.
    pub(crate) reason: Option<String>,
}

/// The output of `senders`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonSenders<'c> {
    /// The version of this format, 1.
    pub(crate) version: u32,
    /// The senders.
    pub(crate) senders: &'c [JsonSender],
}

/// A sender of another kind than toll-free numbers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub(crate) struct JsonSender {
    /// The id of the sender.
    pub(crate) id: Option<String>,
    /// Its name or number.
    pub(crate) name: Option<String>,
    /// The record, as the provider returned it.
    pub(crate) record: Value,
}

/// JSON output of a command that calls a provider.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[schemars(title = "Output of the commands of tollproof that call a provider")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum JsonOfCalls {
    Calls(JsonCalls<'static>),
    Status(JsonStatus<'static>),
    Numbers(JsonNumbers<'static>),
    Attempts(JsonAttempts<'static>),
    Senders(JsonSenders<'static>),
}

#[cfg(test)]
mod tests {
    use super::super::json_schema::validator_of;
    use super::*;

    fn call(result: &'static str) -> JsonCall {
        JsonCall {
            file: Some("drafts/acme.yaml#2".to_owned()),
            operation: Some("submit"),
            provider: "twilio",
            host: "127.0.0.1:8833".to_owned(),
            number: Some("+18335550123".to_owned()),
            result,
            id: Some("HH0".to_owned()),
            status: Some("PENDING_REVIEW".to_owned()),
            http_status: Some(400),
            rules: vec!["message/missing-opt-out".to_owned()],
            attempt: Some("5d41402abc4b".to_owned()),
            again_at: Some("2026-11-26T07:00:00Z".to_owned()),
            can_ask: Some(true),
            reason: Some("the run was stopped".to_owned()),
            next: Some("run-again"),
        }
    }

    #[test]
    fn json_of_calls_keeps_its_promise() {
        let validator = validator_of::<JsonOfCalls>("calls");
        let calls = [call("done"), call("refused-by-gate")];
        let submission = JsonSubmission {
            provider: "twilio",
            host: "api.twilio.com".to_owned(),
            id: "HH0".to_owned(),
            numbers: vec!["+18335550123".to_owned()],
            before: None,
            status: "TWILIO_REJECTED".to_owned(),
            outcome: ReviewOutcome::Rejected,
            message: Some("Opt-in not sufficient".to_owned()),
            answer_by: None,
            changed: true,
        };
        let number =
            JsonNumber { number: "+18335550123".to_owned(), id: None, price: Some("2.15 USD".to_owned()) };
        let value = |it: serde_json::Result<Value>| it.expect("it is JSON");
        for (document, is_one) in [
            (value(serde_json::to_value(JsonCalls { version: VERSION, calls: &calls })), true),
            (
                value(serde_json::to_value(JsonStatus {
                    version: VERSION,
                    calls: &calls,
                    submissions: &[submission],
                    unchanged: 3,
                })),
                true,
            ),
            (value(serde_json::to_value(JsonNumbers { version: VERSION, numbers: &[number] })), true),
            (value(serde_json::to_value(JsonAttempts { version: VERSION, attempts: &[] })), true),
            (value(serde_json::to_value(JsonSenders { version: VERSION, senders: &[] })), true),
            (serde_json::json!({ "version": 1, "calls": [{ "result": "sent" }] }), false),
        ] {
            assert_eq!(validator.is_valid(&document), is_one, "{document}");
        }
    }
}
