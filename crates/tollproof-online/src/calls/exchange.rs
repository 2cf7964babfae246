//! Sends requests, and sorts the answers.

use super::answer::{text_at, value_of};
use super::api::Api;
use super::body::DraftBody;
use super::called::{ApiAnswer, Called};
use super::error::Result;
use super::operation::ApiOperation;
use super::outcome::NextStep;
use super::requests::ApiRequest;
use super::template::Variables;
use crate::client::{Authentication, HttpAnswer, Repeat, Sent};

impl Api {
    /// Sends the request of an operation.
    pub(crate) fn call(
        &self,
        name: &str,
        operation: &ApiOperation,
        variables: &Variables,
        draft: Option<&DraftBody>,
    ) -> Result<Called> {
        let request = self.request(name, operation, variables, draft)?;
        self.send(&request, operation)
    }

    /// Sends a request of an operation, such as that for the next page of a list.
    pub(crate) fn send(&self, request: &ApiRequest, operation: &ApiOperation) -> Result<Called> {
        let authentication = match (self.authentication()?, &operation.key_prefix) {
            (Authentication::Header { name, secret, .. }, Some(prefix)) => {
                Authentication::Header { name, prefix: prefix.clone(), secret }
            }
            (authentication, _) => authentication,
        };
        let client = if request.repeat == Repeat::Once { &self.writer } else { &self.client };
        let sent = client.send(request, &authentication)?;
        Ok(match sent {
            Sent::NotSent(why) if why.contains("certificate") || why.contains("the proxy") => {
                Called::Barred(why, NextStep::CheckConnection)
            }
            Sent::NotSent(why) if self.is_sandbox() && why.ends_with("refused the connection") => {
                Called::NotSent(format!("{why}; start the sandbox with `tollproof sandbox`"))
            }
            Sent::NotSent(why) => Called::NotSent(why),
            Sent::Lost(why) => Called::Unknown(why),
            Sent::Answer(answer) => match self.sorted(answer, operation, request.repeat == Repeat::Read) {
                Called::Done(answer) if answer.status < 300 && !request.is_answered_by(&answer.value) => {
                    Called::Unknown("the answer is not about what was asked for".to_owned())
                }
                called => called,
            },
        })
    }

    pub(crate) fn sorted(&self, answer: HttpAnswer, operation: &ApiOperation, is_read: bool) -> Called {
        let status = answer.status;
        let is_repeated = answer.after_lost && !is_read;
        let value = value_of(&answer.body, answer.content_type.as_deref());
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        let is_whole = value.is_some();
        let value = value.unwrap_or_default();
        let message = text_at(&value, &self.file.message).unwrap_or_default();
        let code = text_at(&value, &self.file.errors.code).unwrap_or_default();
        let has = |codes: &[String]| codes.iter().any(|suffix| code.ends_with(suffix.as_str()));
        let is_missing = status == 404 || (400..500).contains(&status) && has(&self.file.errors.missing);
        let answer = ApiAnswer { status, is_missing, value, text, message, retry_after: answer.retry_after };
        let arrived = operation.arrived.iter().any(|phrase| answer.text.contains(phrase.as_str()));
        match status {
            200..300 if is_whole && operation.has_failed(&answer.value) => Called::Refused(answer),
            200..300 if is_whole => Called::Done(answer),
            200..300 => Called::Unknown("the answer cannot be read".to_owned()),
            400..500 if arrived => Called::Done(answer),
            // What refuses this try does not say what became of the one before.
            400..500 if is_repeated => {
                Called::Unknown(format!("a try was lost, and the next one was refused with status {status}"))
            }
            401 | 403 => Called::BadKey(answer),
            429 => Called::Limited(answer),
            400..500 if has(&self.file.errors.limited) => Called::Limited(answer),
            400..500 if has(&self.file.errors.key) => Called::BadKey(answer),
            400..500 if status != 408 => Called::Refused(answer),
            300..400 if is_read => Called::Barred(
                "the server redirects, which is not followed".to_owned(),
                NextStep::CheckConnection,
            ),
            _ => Called::Unknown(format!("the server answered with status {status}")),
        }
    }
}
