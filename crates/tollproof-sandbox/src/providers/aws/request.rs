//! A call and the parameters in its body.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::sigv4::Authorization;
use super::{NAME, conflict, invalid};
use crate::api::{ApiCall, ApiError};
use crate::assumptions::Assumption;
use crate::ids;
use crate::reply::{ApiReply, Result};

/// The account of the key. Numbers and registrations belong to a region of it.
const ACCOUNT: &str = "123456789012";

/// A call with its parameters.
pub(super) struct AwsRequest<'c> {
    pub(super) call: &'c ApiCall<'c>,
    pub(super) region: &'c str,
    pub(super) body: Map<String, Value>,
}

impl<'c> AwsRequest<'c> {
    /// Reads the body of a call whose signature was checked.
    pub(super) fn of(call: &'c ApiCall<'c>) -> Result<Self> {
        let authorization = Authorization::of(&call.received.headers);
        let region = authorization.map(|it| it.region).ok_or_else(|| call.error(ApiError::Credentials))?;
        Ok(Self { call, region, body: call.object()? })
    }

    /// An optional string of 1 to `most` characters.
    pub(super) fn text(&self, name: &str, most: usize) -> Result<Option<&str>> {
        match self.body.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if (1..=most).contains(&text.chars().count()) => Ok(Some(text)),
            Some(_) => {
                let message = format!("{name} must be a string of 1 to {most} characters");
                Err(invalid("INVALID_PARAMETER", name, &message).into())
            }
        }
    }

    /// A required string of 1 to `most` characters.
    pub(super) fn required(&self, name: &str, most: usize) -> Result<&str> {
        let missing = || invalid("MISSING_PARAMETER", name, &format!("{name} is required")).into();
        self.text(name, most)?.ok_or_else(missing)
    }

    /// A required id, which may be given as an ARN.
    pub(super) fn id(&self, name: &str) -> Result<&str> {
        let id = self.required(name, 256)?;
        Ok(id.rsplit_once('/').map_or(id, |(_, id)| id))
    }

    /// An optional list of strings; empty if there is none.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<&str>> {
        let wrong = || invalid("INVALID_PARAMETER", name, &format!("{name} must be a list of strings"));
        match self.body.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(list)) => {
                let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
                texts.ok_or_else(|| wrong().into())
            }
            Some(_) => Err(wrong().into()),
        }
    }

    /// An optional boolean; `false` if there is none.
    pub(super) fn flag(&self, name: &str) -> Result<bool> {
        match self.body.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => {
                Err(invalid("INVALID_PARAMETER", name, &format!("{name} must be true or false")).into())
            }
        }
    }

    /// The ARN of something in the region.
    pub(super) fn arn(&self, resource: &str, id: &str) -> String {
        format!("arn:aws:sms-voice:{}:{ACCOUNT}:{resource}/{id}", self.region)
    }

    /// The current time, in seconds.
    pub(super) fn now(&self) -> f64 {
        seconds(self.call.tables.now)
    }

    /// An id that nothing has.
    pub(super) fn new_id(&self, what: &str) -> Result<String> {
        let count = self.call.tables.count(&format!("{NAME}:{}:{what}", self.region))?;
        Ok(format!("{what}-{}", ids::digits(&[NAME, self.region, what, &count.to_string()])))
    }

    /// The id that was answered to an earlier call with the same `ClientToken`.
    pub(super) fn repeated(&self) -> Result<Option<String>> {
        let Some(token) = self.text("ClientToken", 64)? else { return Ok(None) };
        let Some(stored) = self.call.tables.setting(&self.token_name(token))? else { return Ok(None) };
        let (hash, id) = stored.split_once(' ').unwrap_or_default();
        if hash != self.hash() {
            let message = "The ClientToken was used with other parameters.";
            return conflict("RESOURCE_ALREADY_EXISTS", "account", ACCOUNT, message)
                .refused(Assumption::AwsTokens);
        }
        Ok(Some(id.to_owned()))
    }

    /// Remembers the id that is answered to this call, for its `ClientToken`.
    pub(super) fn remember(&self, id: &str) -> Result<()> {
        if let Some(token) = self.text("ClientToken", 64)? {
            self.call.tables.set(&self.token_name(token), &format!("{} {id}", self.hash()))?;
        }
        Ok(())
    }

    fn token_name(&self, token: &str) -> String {
        format!("aws-token:{}:{}:{token}", self.region, self.call.received.target().unwrap_or_default())
    }

    fn hash(&self) -> String {
        ids::hash(Value::Object(self.body.clone()).to_string().as_bytes())
    }

    /// The answer with a part of a list: what the filters want, in pages. `of` is what a filter compares.
    pub(super) fn page(
        &self,
        mut body: Value,
        name: &str,
        mut all: Vec<Value>,
        filters: &[&str],
    ) -> Result<ApiReply> {
        for filter in self.body.get("Filters").and_then(Value::as_array).into_iter().flatten() {
            let wanted = filter["Values"].as_array().map(Vec::as_slice).unwrap_or_default();
            let named = filter["Name"].as_str().unwrap_or_default();
            let member = pascal(named);
            if !all.is_empty() && !filters.contains(&named) {
                return invalid("INVALID_FILTER_VALUES", "Filters", "unknown name of a filter").refuse();
            }
            all.retain(|item| item[&member].is_string() && wanted.contains(&item[&member]));
        }
        let most = match self.body.get("MaxResults") {
            None | Some(Value::Null) => MAX_RESULTS,
            Some(value) => value.as_u64().filter(|it| (1..=MAX_RESULTS).contains(it)).ok_or_else(|| {
                invalid("INVALID_PARAMETER", "MaxResults", "MaxResults must be a number from 1 to 100")
            })?,
        };
        let most = usize::try_from(most).expect("it is at most 100");
        let start = match self.text("NextToken", 1024)? {
            None => 0,
            Some(token) => token.parse().ok().filter(|it| *it <= all.len()).ok_or_else(|| {
                invalid("INVALID_NEXT_TOKEN", "NextToken", "NextToken is not one of this list")
            })?,
        };
        let end = start.saturating_add(most).min(all.len());
        if end < all.len() {
            body["NextToken"] = json!(end.to_string());
        }
        body[name] = all.drain(start..end).collect();
        Ok(super::answer(&body))
    }
}

/// The most entries of a page.
const MAX_RESULTS: u64 = 100;

/// A time as AWS writes it: seconds since 1970.
pub(super) fn seconds(time: Timestamp) -> f64 {
    time.as_duration().as_secs_f64()
}

/// The member of a record that a filter is about: `NumberType` for `number-type`.
fn pascal(filter: &str) -> String {
    let words = filter.split('-').map(|word| word.split_at(usize::from(!word.is_empty())));
    words.map(|(first, rest)| first.to_uppercase() + rest).collect()
}
